"""Prompts are files: what is asked can be read, changed and named in a signature.

A file has a part for the system's words and one for the user's, each under a line ``=== NAME``.
Names in braces are filled in at once, so nothing in a passage is ever filled in again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.models.llm.endpoint import Message

_PART = re.compile(r"^=== (\w+)[ \t]*\n", re.MULTILINE)
_FILLED = re.compile(r"\{(\w+)\}")
_FENCE_LENGTH = 12
SHIPPED = ("span", "free", "choice", "rewrite", "judge")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's two parts, and what it is called in a signature."""

    name: str
    system: str
    user: str
    version: str

    def messages(self, filled: Mapping[str, str]) -> tuple[Message, Message]:
        """Both parts with their places filled in."""
        return (
            Message("system", _fill(self.system, filled)),
            Message("user", _fill(self.user, filled)),
        )


def load_prompt(name: str, language: str, places: frozenset[str]) -> Prompt:
    """A prompt that ships, by its name and the test's language, or one of the user's by its file.

    ``places`` are what can be filled in; a passage and a question that it lacks are an error.
    """
    if name in SHIPPED:
        side = "zh" if language == "zh" else "en"
        file = resources.files("readmark.models.llm").joinpath(f"data/prompts/{side}/{name}.txt")
        text, called = file.read_text("utf-8"), f"{name}.{side}"
    else:
        try:
            text, called = Path(name).read_text("utf-8-sig"), Path(name).name
        except FileNotFoundError:
            hint = did_you_mean(name, SHIPPED)
            raise UsageError(f"no prompt {name!r}, and no file of that name; {hint}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{name}: the prompt cannot be read: {error}") from error
    text = text.replace("\r\n", "\n")
    parts = _parts(called, text)
    unknown = {one for part in parts.values() for one in _FILLED.findall(part)} - places
    if unknown:
        raise DataError(
            f"{called}: nothing is known of {{{min(unknown)}}}; "
            f"what can be filled in: {', '.join(sorted(places))}"
        )
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Prompt(called, parts.get("system", "").strip(), parts["user"].strip(), version)


def fence(*texts: str) -> str:
    """A mark to put around a text that cannot stand in it: made of the text's own hash."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[
        :_FENCE_LENGTH
    ]


def _parts(called: str, text: str) -> dict[str, str]:
    pieces = _PART.split(text)
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if "user" not in parts or set(parts) - {"system", "user"}:
        raise DataError(f"{called}: a prompt has the parts '=== system' and '=== user'")
    return parts


def _fill(template: str, filled: Mapping[str, str]) -> str:
    return _FILLED.sub(lambda found: filled.get(found[1], found[0]), template)
