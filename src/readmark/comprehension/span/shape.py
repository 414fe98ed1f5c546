"""How texts are put to a span reader's network, lengths and order, and the file that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension.span.confidence import SpanConfidence
from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS
from readmark.core.json_lines import refuse_newer
from readmark.core.writing import writing

FILE = "span.json"
SCHEMA = 1
SHORTEST = 16
"""Tokens of the shortest window that holds a question and some of a passage."""
_SPECIAL = 3
"""Tokens around the two texts: one before, one between, one behind."""
_LEAST = {"length": SHORTEST, "question": 1, "stride": 0, "answer": 1}


class SpanShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lengths in tokens, the order of the two texts, and what else training fixed."""

    readmark_span: int = SCHEMA
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
    confidence: SpanConfidence | None = None
    note: dict[str, Any] = {}

    @property
    def longest_question(self) -> int:
        """The most tokens of a question: in a short window half goes to the passage."""
        return min(self.question, (self.length - _SPECIAL) // 2)

    def room(self, question: int) -> int:
        """How many tokens of a passage fit into a window with a question of that many."""
        return self.length - min(question, self.longest_question) - _SPECIAL


def read_shape(folder: Path) -> SpanShape:
    """The shape of the model in a folder."""
    path = folder / FILE
    try:
        data = path.read_bytes()
        refuse_newer(data, SCHEMA, file=path, member="readmark_span")
        shape = msgspec.json.decode(data, type=SpanShape)
    except OSError as error:
        raise DataError(f"{folder} holds no span reader: {FILE} cannot be read") from error
    except JSON_ERRORS as error:
        raise DataError(f"{path} is damaged: {error}") from error
    for name, least in _LEAST.items():
        if getattr(shape, name) < least:
            message = f"{name} is {getattr(shape, name)}, expected {least} or more"
            raise DataError(f"{path} is damaged: {message}")
    return shape


def write_shape(shape: SpanShape, folder: Path) -> None:
    """Write the shape next to a model."""
    text = msgspec.json.format(msgspec.json.encode(shape), indent=2)
    with writing(folder / FILE) as file:
        file.write(text + b"\n")
