"""How texts are put to a span reader's network: lengths and order, and tokens with their places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from readmark.core.arrays import Ints32
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.files import JSON_ERRORS
from readmark.core.json_lines import refuse_newer
from readmark.core.writing import writing
from readmark.text.script import simplified

# How texts are put to a span reader's network, and the file that says so.


FILE = "span.json"
SCHEMA = 1
SHORTEST = 16
_MARKS = 3
"""The tokens around the two texts."""
_LEAST = {"length": SHORTEST, "question": 1, "stride": 0, "answer": 1}


Odds = tuple[float, float, float]
"""A logistic curve: weights of the log-odds of a span and of the no-answer score, a constant."""
_SURE = 1e-9


def log_odds(probability: float) -> float:
    """The logarithm of the odds, kept finite."""
    bounded = min(max(probability, _SURE), 1 - _SURE)
    return math.log(bounded / (1 - bounded))


class SpanConfidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes scores of a reader's probabilities, fitted by ``readmark train span --scores``."""

    answer: Odds
    """The expected F1 of an answer, where every question has one."""
    mixed: Odds
    """The same where half of the questions have none."""
    none: Odds
    """There: the probability that a question has no answer."""
    no_answer: float
    """The no-answer score above which an answer is withheld."""
    note: dict[str, Any] = {}

    def score(self, probability: float, none: float, *, mixed: bool = False) -> float:
        """The score of an answer."""
        return _curve(self.mixed if mixed else self.answer, probability, none)

    def none_score(self, probability: float, none: float) -> float:
        """The score of giving no answer."""
        return _curve(self.none, probability, none)


def _curve(odds: Odds, probability: float, none: float) -> float:
    total = odds[0] * log_odds(probability) + odds[1] * none + odds[2]
    return 1 / (1 + math.exp(-min(max(total, -50.0), 50.0)))


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
    def asked(self) -> int:
        """The most tokens of a question: in a short window half goes to the passage."""
        return min(self.question, (self.length - _MARKS) // 2)

    def room(self, question: int) -> int:
        """How many tokens of a passage fit into a window with a question of that many."""
        return self.length - min(question, self.asked) - _MARKS


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


TOKENS_FILE = "tokenizer.json"
# Some vocabularies have both, and were trained with these before those.
_CLASSES = ("<s>", "[CLS]")
_SEPARATORS = ("</s>", "[SEP]")
_MASKS = ("<mask>", "[MASK]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens: their ids, and where each begins and ends."""

    ids: Ints32
    starts: Ints32
    ends: Ints32

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of a stretch of the text; None where it has none."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left")) - 1
        return (first, last) if first <= last < len(self.ids) else None


class Tokenizer:
    """Cuts texts; what surrounds them in a window is put there by ``windows``."""

    def __init__(self, tool: Any, *, simplify: bool) -> None:
        self._tool = tool
        self._simplify = simplify
        tool.no_truncation()
        tool.no_padding()
        self.first = _special(tool, _CLASSES)
        self.between = _special(tool, _SEPARATORS)

    def mask(self) -> int:
        """The token that stands for a hidden one."""
        return _special(self._tool, _MASKS)

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, without special ones."""
        ready = [simplified(text) for text in texts] if self._simplify else list(texts)
        # Half a surrogate pair cannot be encoded; a question mark takes its one place.
        ready = [text.encode("utf-8", "replace").decode("utf-8") for text in ready]
        return [_tokens(one) for one in self._tool.encode_batch(ready, add_special_tokens=False)]


def load_tokenizer(folder: Path, *, simplify: bool) -> Tokenizer:
    """The tokenizer of a model's folder."""
    require("tokenizers")
    from tokenizers import Tokenizer as Tool

    path = folder / TOKENS_FILE
    if not path.is_file():
        raise DataError(f"{folder} has no {TOKENS_FILE}: a tokenizer with offsets is needed")
    try:
        tool = Tool.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise DataError(f"{path} cannot be read: {error}") from error
    return Tokenizer(tool, simplify=simplify)


def _tokens(one: Any) -> Tokens:
    places = np.array(one.offsets, dtype=np.int32).reshape(-1, 2)
    return Tokens(np.array(one.ids, dtype=np.int32), places[:, 0], places[:, 1])


def _special(tool: Any, names: Sequence[str]) -> int:
    for name in names:
        found = tool.token_to_id(name)
        if found is not None:
            return int(found)
    raise DataError(f"the tokenizer has none of {', '.join(names)}")
