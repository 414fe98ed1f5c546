"""Prompts are files: what is asked can be read, changed and named in a signature.

A file has a part for the system's words and one for the user's, each under a line ``=== NAME``.
Names in braces are filled in at once, so nothing in a passage is ever filled in again.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import require_file
from readmark.llm.endpoint import Message

_PART = re.compile(r"^=== (\w+)[ \t]*(?:\n|\Z)", re.MULTILINE)
_FILLED = re.compile(r"\{(\w+)\}")
_FENCE_LENGTH = 12
SHIPPED = ("span", "free", "choice", "rewrite", "rate", "judge", "extract")
_IN_SYSTEM = frozenset({"fence", "none"})
"""What is no data, and may be in the system prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's two parts, and what it is called in a signature."""

    name: str
    system: str
    user: str
    version: str

    @property
    def places(self) -> frozenset[str]:
        """What is filled in."""
        return frozenset(_pieces(self.user)[1::2])

    def messages(self, filled: Mapping[str, str]) -> tuple[Message, Message]:
        """Both parts with their places filled in."""
        return (
            Message("system", _fill(self.system, filled)),
            Message("user", _fill(self.user, filled)),
        )

    def need(self, needed: frozenset[str], asked: str) -> None:
        """Say which place is lacking for what is asked, if one is."""
        lacking = needed - self.places
        if lacking:
            raise DataError(f"{self.name}: {{{min(lacking)}}} is lacking, and {asked}")


def load_prompt(
    name: str, language: str, places: frozenset[str], needed: frozenset[str] = frozenset()
) -> Prompt:
    """A prompt that ships, by its name and the test's language, or one of the user's by its file.

    ``places`` are what can be filled in, ``needed`` those that must be.
    """
    if name in SHIPPED:
        side = "zh" if language == "zh" else "en"
        file = resources.files("readmark.llm").joinpath(f"data/prompts/{side}/{name}.txt")
        text, called = file.read_text("utf-8"), f"{name}.{side}"
    else:
        try:
            require_file(name)
            text, called = Path(name).read_text("utf-8-sig"), Path(name).name
        except FileNotFoundError:
            hint = did_you_mean(name, SHIPPED)
            raise UsageError(f"no prompt {name!r}, and no file of that name; {hint}") from None
        except UnicodeDecodeError as error:
            raise DataError(f"{name}: the prompt cannot be read: it is not UTF-8") from error
        except OSError as error:
            why = error.strerror or error
            raise DataError(f"{name}: the prompt cannot be read: {why}") from error
    text = text.replace("\r\n", "\n")
    parts = _parts(called, text)
    _check_places(called, parts, places)
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    prompt = Prompt(called, parts.get("system", "").strip(), parts["user"].strip(), version)
    prompt.need(needed, "nothing can be asked without it")
    return prompt


def fence(first: str, *others: str) -> str:
    """A mark to put around texts that cannot occur in them, made of their own hash.

    The hash of the first alone, if it can be: then all questions on a passage begin alike, and
    a server that keeps the beginning of a prompt reads the passage once.
    """
    mark = _hash(first)
    return _hash(first, *others) if any(mark in text for text in others) else mark


def _hash(*texts: str) -> str:
    whole = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:_FENCE_LENGTH]


def _parts(called: str, text: str) -> dict[str, str]:
    before, *pieces = _PART.split(text)
    names = pieces[::2]
    if "user" not in names or set(names) - {"system", "user"}:
        raise DataError(f"{called}: a prompt has the parts '=== system' and '=== user'")
    twice = [name for index, name in enumerate(names) if name in names[:index]]
    if twice:
        raise DataError(f"{called}: the part '=== {twice[0]}' stands there twice")
    if before.strip():
        raise DataError(f"{called}: there are words before the first part, '=== {names[0]}'")
    return dict(zip(names, pieces[1::2], strict=True))


def _check_places(called: str, parts: Mapping[str, str], places: frozenset[str]) -> None:
    for part, text in parts.items():
        found = set(_FILLED.findall(text))
        if found - places:
            raise DataError(
                f"{called}: nothing is known of {{{min(found - places)}}}; "
                f"what can be filled in: {', '.join(sorted(places))}"
            )
        if part == "system" and found - _IN_SYSTEM:
            raise DataError(
                f"{called}: {{{min(found - _IN_SYSTEM)}}} is data, and belongs under '=== user'"
            )


def _fill(template: str, filled: Mapping[str, str]) -> str:
    pieces = list(_pieces(template))
    pieces[1::2] = [filled.get(name, f"{{{name}}}") for name in pieces[1::2]]
    return "".join(pieces)


@functools.lru_cache(maxsize=64)
def _pieces(template: str) -> tuple[str, ...]:
    """A template's words and the names between them, in turns."""
    return tuple(_FILLED.split(template))


def one_line(text: str) -> str:
    """A text that cannot begin a line of its own among others."""
    return " ".join(text.splitlines())
