"""What an exported question says of itself, and how a reply to it is read as an answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.corpus.values import Value

MEMBER = "readmark"
"""Where an exported question holds its binding, and a log repeats it."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANNOUNCED = re.compile(
    r"(?i:\b(?:answer|option|choice)(?:\s+is)?|答案(?:是|为)?|选项?)"
    r"\s*[*_]*[:：]?[\s*_（(\[]*([A-Z])(?![A-Za-z])"
)
_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL)
_ALONE = re.compile(r"^\W*([A-Z])(?=[)）\].．。、:：,，*]|\s*$)", re.IGNORECASE)


class Binding(Value, frozen=True):
    """Which paper a question is of, which prompt asked it, and the word for no answer."""

    paper: str
    units: int = 0
    prompt: str = ""
    none: str = ""

    def as_json(self) -> dict[str, Any]:
        """Every member, since tables of a harness want the same columns in each row."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def binding_of(owner: object) -> Binding | None:
    """The binding that a logged question holds, if it is one of ours."""
    if not isinstance(owner, Mapping):
        return None
    try:
        return msgspec.convert(owner.get(MEMBER), Binding)
    except msgspec.ValidationError:
        return None


def as_answer(reply: str, options: Sequence[str], none: str) -> str:
    """The reply as an answer: an option's words for its letter, nothing for the word for none.

    What a model wrote down while it thought is no part of it.
    """
    said = _THOUGHT.sub("", reply).strip()
    if options:
        return _option(said, options)
    return "" if none and _bare(said) == _bare(none) else said


def _option(said: str, options: Sequence[str]) -> str:
    if said in options:
        return said
    letter = _ALONE.match(said) or _ANNOUNCED.search(said)
    if letter is not None:
        at = LETTERS.index(letter[1].upper())
        if at < len(options):
            return options[at]
    return said


def _bare(text: str) -> str:
    """A text without punctuation, space, width or capitals."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LN")
