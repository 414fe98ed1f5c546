"""What the readers of this room share: rows with a sentence, options, and draws by lot."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row
from readmark.hooks import Kind


@dataclass
class QuestionByQuestion(ABC):
    """Base of readers that answer each question alone, in the test's language."""

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._row)

    @abstractmethod
    def _row(self, unit: Unit) -> Row: ...


def sentence_row(unit: Unit, sentence: Offsets, **members: object) -> Row:
    """A row whose answer is a sentence of the passage."""
    start, end = sentence
    text = unit.record.text[start:end]
    return Row(id=unit.id, answer=text, start=start, end=end, sentence=sentence, **members)  # type: ignore[arg-type]


def options_of(unit: Unit) -> tuple[str, ...]:
    """The options of a question, which must have some."""
    options: tuple[str, ...] = unit.item.options
    if not options:
        raise DataError("the question has no options to choose from")
    return options


def lot(words: str) -> int:
    """A number drawn by words: the same on any machine, whatever was drawn before."""
    return int.from_bytes(hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16])


def lexicon_signature(question_words: Any) -> Mapping[str, Any]:
    """What else decides the answers to questions in another language than the passage's.

    ``question_words`` says how their words are split.
    """
    from readmark.text.cross_language import SOURCE

    return {"lexicon": SOURCE, "words of questions": question_words}
