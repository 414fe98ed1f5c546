"""How texts are put to a span reader's network, and the file that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError

FILE = "span.json"


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

    def room(self, question: int) -> int:
        """How many tokens of a passage a window has beside a question of that many."""
        return self.length - min(question, self.question) - 3


def read_shape(folder: Path) -> Shape:
    """The shape of the model in a folder."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Shape)
    except OSError as error:
        raise DataError(f"{folder} holds no span reader: {FILE} cannot be read") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is damaged: {error}") from error


def write_shape(shape: Shape, folder: Path) -> None:
    """Write the shape beside a model."""
    text = msgspec.json.format(msgspec.json.encode(shape), indent=2)
    (folder / FILE).write_bytes(text + b"\n")
