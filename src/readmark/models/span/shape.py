"""How texts are put to a span reader's network, and the file that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS

FILE = "span.json"
SHORTEST = 16
_MARKS = 3
"""What stands around the two texts."""
_LEAST = {"length": SHORTEST, "question": 1, "stride": 0, "answer": 1}


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lengths in tokens, the order of the two texts, and what else training fixed."""

    language: str = "en"
    length: int = 512
    question: int = 64
    stride: int = 128
    """How many tokens of a passage two windows share."""
    passage_first: bool = False
    simplify: bool = False
    """Whether traditional characters are read as simplified ones, one for one."""
    answer: int = 64
    """The longest answer."""
    note: dict[str, Any] = {}

    @property
    def asked(self) -> int:
        """The most tokens of a question: in a short window half goes to the passage."""
        return min(self.question, (self.length - _MARKS) // 2)

    def room(self, question: int) -> int:
        """How many tokens of a passage a window has beside a question of that many."""
        return self.length - min(question, self.asked) - _MARKS


def read_shape(folder: Path) -> Shape:
    """The shape of the model in a folder."""
    path = folder / FILE
    try:
        shape = msgspec.json.decode(path.read_bytes(), type=Shape)
    except OSError as error:
        raise DataError(f"{folder} holds no span reader: {FILE} cannot be read") from error
    except JSON_ERRORS as error:
        raise DataError(f"{path} is damaged: {error}") from error
    for name, least in _LEAST.items():
        if getattr(shape, name) < least:
            said = f"{name} is {getattr(shape, name)}, expected {least} or more"
            raise DataError(f"{path} is damaged: {said}")
    return shape


def write_shape(shape: Shape, folder: Path) -> None:
    """Write the shape beside a model."""
    text = msgspec.json.format(msgspec.json.encode(shape), indent=2)
    (folder / FILE).write_bytes(text + b"\n")
