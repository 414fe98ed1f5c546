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
_PLACE = re.compile(r"\{(\w+)\}")
_FENCE_LENGTH = 12  # digits of the hash
SHIPPED = ("span", "free", "choice", "rewrite", "rate", "judge", "extract")
_NO_DATA = frozenset({"fence", "none"})
"""The places that may be in the system prompt: the others hold data."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's two parts, and what it is called in a signature."""

    name: str
    system: str
    user: str
    version: str

    @property
    def places(self) -> frozenset[str]:
        """What is filled into the user's part."""
        return frozenset(_pieces(self.user)[1::2])

    def messages(self, filled: Mapping[str, str]) -> tuple[Message, Message]:
        """Both parts with their places filled in."""
        return (
            Message("system", _fill(self.system, filled)),
            Message("user", _fill(self.user, filled)),
        )

    def need(self, places: frozenset[str], reason: str) -> None:
        """Refuse the prompt where it lacks one of these places."""
        missing = places - self.places
        if missing:
            raise DataError(f"{self.name}: {{{min(missing)}}} is missing, and {reason}")


def load_prompt(
    name: str, language: str, places: frozenset[str], needed: frozenset[str] = frozenset()
) -> Prompt:
    """A prompt that ships, by its name and the test's language, or one of the user's by its file.

    ``places`` are what can be filled in, ``needed`` those that must be.
    """
    if name in SHIPPED:
        side = "zh" if language == "zh" else "en"
        file = resources.files("readmark.llm").joinpath(f"data/prompts/{side}/{name}.txt")
        text, title = file.read_text("utf-8"), f"{name}.{side}"
    else:
        try:
            require_file(name)
            text, title = Path(name).read_text("utf-8-sig"), Path(name).name
        except FileNotFoundError:
            hint = did_you_mean(name, SHIPPED)
            raise UsageError(f"no prompt {name!r}, and no file of that name; {hint}") from None
        except UnicodeDecodeError as error:
            raise DataError(f"{name}: the prompt cannot be read: it is not UTF-8") from error
        except OSError as error:
            reason = error.strerror or error
            raise DataError(f"{name}: the prompt cannot be read: {reason}") from error
    text = text.replace("\r\n", "\n")
    parts = _parts(title, text)
    _check_places(title, parts, places)
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    prompt = Prompt(title, parts.get("system", "").strip(), parts["user"].strip(), version)
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
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:_FENCE_LENGTH]


def _parts(title: str, text: str) -> dict[str, str]:
    before, *pieces = _PART.split(text)
    names = pieces[::2]
    if "user" not in names or set(names) - {"system", "user"}:
        raise DataError(f"{title}: a prompt has the parts '=== system' and '=== user'")
    repeated = [name for index, name in enumerate(names) if name in names[:index]]
    if repeated:
        raise DataError(f"{title}: the part '=== {repeated[0]}' occurs twice")
    if before.strip():
        raise DataError(f"{title}: there is text before the first part, '=== {names[0]}'")
    return dict(zip(names, pieces[1::2], strict=True))


def _check_places(title: str, parts: Mapping[str, str], places: frozenset[str]) -> None:
    for part, text in parts.items():
        names = set(_PLACE.findall(text))
        if names - places:
            raise DataError(
                f"{title}: {{{min(names - places)}}} cannot be filled in; "
                f"expected {', '.join(sorted(places))}"
            )
        if part == "system" and names - _NO_DATA:
            raise DataError(
                f"{title}: {{{min(names - _NO_DATA)}}} is data, and belongs under '=== user'"
            )


def _fill(template: str, filled: Mapping[str, str]) -> str:
    pieces = list(_pieces(template))
    pieces[1::2] = [filled.get(name, f"{{{name}}}") for name in pieces[1::2]]
    return "".join(pieces)


@functools.lru_cache(maxsize=64)
def _pieces(template: str) -> tuple[str, ...]:
    """A template's words and the names between them, in turns."""
    return tuple(_PLACE.split(template))


def one_line(text: str) -> str:
    """A text that cannot begin a line of its own among others."""
    return " ".join(text.splitlines())
