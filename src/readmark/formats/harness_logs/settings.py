"""What of a harness's settings goes into a sitting: what decides the answers, and no secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_MODEL_SETTINGS = ("model", "pretrained", "revision", "dtype", "peft", "quantization", "max_length")
_GENERATION_SETTINGS = (
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "do_sample",
    "max_gen_toks",
    "max_tokens",
    "until",
    "stop_seqs",
    "frequency_penalty",
    "presence_penalty",
    "num_choices",
    "reasoning_effort",
    "reasoning_tokens",
)
_ASSIGNMENT = r"[\s:=\"'\[({,>]{0,6}"
_VALUE = r"[^\s,;'\"()\[\]{}]{3,}"
_SECRET = re.compile(
    # A scheme, or what a header or argument that holds a key goes by, then the key.
    rf"(?i)\b(?:proxy-)?authorization\b{_ASSIGNMENT}"
    rf"(?:(?:bearer|basic|token|digest|negotiate)\s+)?{_VALUE}"
    rf"|\b(?:bearer|basic)\s+{_VALUE}"
    r"|(?<![A-Za-z])(?:(?:api|access|secret|private|auth|subscription)[-_ ]?)?"
    r"(?:key|token|password|passwd|secret|cookie)\b(?:\s+(?:provided|given|is|was)\b)?"
    rf"{_ASSIGNMENT}{_VALUE}"
    # User and password before a host.
    r"|(?<=://)[^\s/@'\"]+(?=@)"
    # Keys by their shape: a provider's first letters, or a long run that is no word.
    r"|\b(?:sk|pk|rk|hf|ghp|gho|ghs|glpat|xai|gsk|xox[a-z]|r8|nvapi|ya29)[-_.][^\s,;'\"]{4,}"
    r"|\bgithub_pat_\w+|\bAIza[\w-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{8,}|\beyJ[\w-]{6,}(?:\.[\w-]+)*"
    r"|(?<![\w/+.-])(?=[\w/+.-]*\d)(?=[\w/+.-]*[A-Za-z])[A-Za-z0-9_/+-]{32,}=*(?![\w/])"
)
_CAUSE = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\(")
_LONGEST_ERROR = 300
"""Characters of an error that is reported."""


def model_settings(arguments: object) -> dict[str, Any]:
    """The arguments of a model that say which it is; any other may be a key."""
    settings = _selected(arguments, _MODEL_SETTINGS)
    if isinstance(arguments, Mapping) and isinstance(arguments.get("base_url"), str):
        settings["base_url"] = _address(arguments["base_url"])
    return settings


def generation_settings(*configurations: object) -> dict[str, Any]:
    """How replies were made; of several configurations, the later ones win."""
    settings: dict[str, Any] = {}
    for configuration in configurations:
        settings |= _selected(configuration, _GENERATION_SETTINGS)
    return settings


def error_line(error: object) -> str:
    """An error in one line, with what looks like a key struck out.

    Of a long one it is the innermost cause: Inspect puts the whole request before it.
    """
    line = " ".join(str(error).replace("\\n", " ").replace("\\'", "'").split()) or "no message"
    causes = list(_CAUSE.finditer(line))
    if len(line) > _LONGEST_ERROR and causes:
        line = line[causes[-1].start() :]
    line = _SECRET.sub("[struck out]", line)
    return line if len(line) <= _LONGEST_ERROR else f"{line[: _LONGEST_ERROR - 1]}…"


def _selected(settings: object, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(settings, Mapping):
        return {}
    return {name: settings[name] for name in names if settings.get(name) is not None}


def _address(text: str) -> str:
    """An address without user, password and query."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.scheme}://{host}{port}{parts.path}"
