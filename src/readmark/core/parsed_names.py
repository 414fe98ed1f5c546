"""Names with parameters, such as ``f1(profile=cmrc2018)``: parsed, and spelt canonically."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from readmark.core.errors import UsageError

ParameterValue = str | int | float | bool
NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_PARAMETER = re.compile(
    r"""\s*(?P<key>[a-z][a-z0-9_]*)\s*=\s*
        (?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^,()"\s=]+))\s*(?P<end>,|\)\s*$)""",
    re.VERBOSE,
)
_NEEDS_QUOTES = re.compile(r'[,()"\s=\\]')
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A registered name and the parameters written with it, in their order."""

    base: str
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Each value as it was written, for parameters that are text whatever they look like."""

    def __str__(self) -> str:
        if not self.parameters:
            return self.base
        inside = ",".join(f"{key}={spell(value)}" for key, value in self.parameters.items())
        return f"{self.base}({inside})"


def parse_name(text: str) -> ParsedName:
    """Read ``base`` or ``base(key=value,...)``; a malformed one is a usage error."""
    text = text.strip()
    base, bracket, rest = text.partition("(")
    base = base.strip()
    if not NAME.fullmatch(base):
        raise UsageError(f"not a name: {_quoted(text)}; expected name or name(key=value,...)")
    if not bracket or rest.strip() == ")":
        return ParsedName(base)
    parameters: dict[str, ParameterValue] = {}
    written: dict[str, str] = {}
    end = 0
    while True:
        match = _PARAMETER.match(rest, end)
        if match is None:
            raise UsageError(
                f"cannot read the parameters of {_quoted(text)}; expected name(key=value,...)"
            )
        key = match["key"]
        if key in parameters:
            raise UsageError(f"{_quoted(text)} gives {key} twice")
        quoted = match["quoted"]
        written[key] = match["bare"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        parameters[key] = written[key] if quoted is not None else read_value(written[key])
        end = match.end()
        if match["end"] != ",":
            return ParsedName(base, parameters, written)


def _quoted(text: str) -> str:
    """A name in quotes, without the credentials of addresses among its parameters."""
    from readmark.core.redaction import hide_credentials

    return repr(hide_credentials(text))


def read_value(text: str) -> ParameterValue:
    """A bare value: true or false, a number, or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    if _NUMBER.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            return text
        if text.lstrip("+-").isdigit():
            return int(text)
        whole = number.is_integer() and abs(number) < 2**53
        return int(number) if whole else number
    return text


def spell(value: ParameterValue) -> str:
    """The shortest spelling of a value that reads back to it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, int):
        return str(value)
    if value == "" or _NEEDS_QUOTES.search(value) or not isinstance(read_value(value), str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return value
