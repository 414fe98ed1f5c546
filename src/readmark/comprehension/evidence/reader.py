"""The evidence reader: the sentence that a small learned ranker predicts to have the answer."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.comprehension.baselines import cross_signature, parameter, sentence_row
from readmark.comprehension.evidence.readings import ReadPassage
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.core.records import Offsets, Unit
from readmark.core.sitting import PER_LANGUAGE, Row, one_by_one
from readmark.hooks import Kind
from readmark.text.answers.places import SOURCE, passage_sentences

if TYPE_CHECKING:
    from readmark.comprehension.evidence.ranker import Ranking
    from readmark.comprehension.evidence.readings import ReadQuestion


# A short phrase around the word that looks most like the answer: the rest of a name or number.


# What may come between the words of one name, number or date.
_JOINS = re.compile(r"[\s\-–·•.,/%$€£]{0,2}")


def phrase_around(text: str, passage: ReadPassage, place: int) -> Offsets:
    """The offsets of the name or number that a word occurs in; the word itself if in none."""
    first = last = place
    if _belongs(passage, place):
        while first > 0 and _belongs(passage, first - 1) and _joined(text, passage, first - 1):
            first -= 1
        while _belongs(passage, last + 1) and _joined(text, passage, last):
            last += 1
    return int(passage.offsets[first]), _end(passage, last)


def _belongs(passage: ReadPassage, place: int) -> bool:
    """Whether a word is part of a name, a number or a date, and no sentence's end."""
    if place >= len(passage.keys) or passage.keys[place] < 0:
        return False
    named = passage.capitals[place] > 0 and passage.figures[place, 1] == 0
    return bool(named or passage.figures[place, 2:5].any())


def _joined(text: str, passage: ReadPassage, place: int) -> bool:
    between = text[_end(passage, place) : int(passage.offsets[place + 1])]
    return _JOINS.fullmatch(between) is not None


def _end(passage: ReadPassage, place: int) -> int:
    return int(passage.offsets[place]) + len(passage.words[place])


LANGUAGES = ("en", "zh")
BATCH = 16
"""How many questions on a passage are answered together."""
SURE = 0.5
"""How likely a sentence must be before a phrase of it may answer alone."""


@dataclass
class Evidence:
    """Answers with the likeliest sentence, says how likely it is and what decided."""

    model: str = parameter("", "model file; default: the model that ships")
    answer_with: str = parameter(
        "sentence",
        "answer with the whole sentence, or with its likeliest words",
        "sentence",
        "phrase",
    )
    parts: str = parameter("all", "whether title and dateline may be answers", "all", "story")
    _language: str = field(default="en", init=False, repr=False)
    _ranker: Any = field(default=None, init=False, repr=False)
    _blas: Any = field(default=None, init=False, repr=False)
    _last: tuple[Any, Any] | None = field(default=None, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        require("threadpoolctl")
        from threadpoolctl import ThreadpoolController

        from readmark.comprehension.evidence.ranker import load_ranker
        from readmark.text.word_vectors import lexicon

        if language not in LANGUAGES:
            raise UsageError(f"evidence reads English and Chinese, this test is in {language!r}")
        self._language = language
        self._ranker = load_ranker(self.model or None)
        if language not in self._ranker.fitting:
            raise UsageError(f"the model {self.model} was not trained on {language!r}")
        lexicon(language)
        # Its matrices are so small that threads cost half as much again as they save.
        self._blas = ThreadpoolController().select(user_api="blas")

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for record, asked in groupby(units, key=_Same):
            while together := list(islice(asked, BATCH)):
                try:
                    with self._blas.limit(limits=1):
                        rows = self._replies(record.record, together)
                except Exception:  # one of them; asking each by itself shows which
                    yield from one_by_one(together, self._reply)
                else:
                    yield from rows

    def signature(self) -> Mapping[str, Any]:
        return {
            "model": _fingerprint(self.model or None),
            "sentences": SOURCE,
            "words": _segmenter(self._language),
            PER_LANGUAGE: ["words"],
        }

    def cross_signature(self, languages: str) -> Mapping[str, Any]:
        asked, _, _ = languages.partition("-")
        return {**cross_signature(languages), "words of questions": _segmenter(asked)}

    def _reply(self, unit: Unit) -> Row:
        return self._replies(unit.record, [unit])[0]

    def _replies(self, record: Any, units: Sequence[Unit]) -> list[Row]:
        """The answers to questions on one passage, which is read once."""
        from readmark.comprehension.evidence.readings import read_across, read_question
        from readmark.text.word_vectors import lexicon

        if self._last is None or self._last[0] is not record:
            self._last = record, self._read(record)
        passage = self._last[1]
        if passage is None:
            return [Row(id=unit.id, text="") for unit in units]
        known = lexicon(self._language)
        rows = []
        if any(unit.item.language not in (None, self._language) for unit in units):
            for unit in units:
                if (asked := unit.item.language or self._language) not in LANGUAGES:
                    raise UsageError(f"evidence reads English and Chinese, not {asked!r}")
                one, question = read_across(unit.item.text, passage, lexicon(asked), known)
                ranking = self._ranker.rank_all(one, [question])[0]
                rows.append(self._row(unit, one, question, ranking))
            return rows
        questions = [read_question(unit.item.text, known) for unit in units]
        rankings = self._ranker.rank_all(passage, questions)
        return [
            self._row(unit, passage, question, ranking)
            for unit, question, ranking in zip(units, questions, rankings, strict=True)
        ]

    def _row(
        self, unit: Unit, passage: ReadPassage, question: ReadQuestion, ranking: Ranking
    ) -> Row:
        at = passage.sentences[ranking.best]
        row = sentence_row(
            unit,
            at,
            score=round(float(ranking.probabilities[ranking.best]), 6),
            evidence={
                "shared": _shared(passage, question, ranking.best),
                "decided": list(ranking.reasons),
            },
        )
        sure = ranking.probabilities[ranking.best] >= SURE
        if self.answer_with == "sentence" or ranking.likely_word is None or not sure:
            return row

        start, end = phrase_around(unit.record.text, passage, ranking.likely_word)
        return msgspec.structs.replace(row, text=unit.record.text[start:end], start=start, end=end)

    def _read(self, record: Any) -> ReadPassage | None:
        from readmark.comprehension.evidence.readings import read_passage
        from readmark.text.word_vectors import lexicon

        found = passage_sentences(record, self._language, story_only=self.parts == "story")
        return read_passage(record.text, found, lexicon(self._language)) if found else None


class _Same:
    """A record by its identity, which shows where the units of the next one begin."""

    __slots__ = ("record",)

    def __init__(self, unit: Unit) -> None:
        self.record = unit.record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.record is other.record

    __hash__ = None  # type: ignore[assignment]


def _shared(passage: ReadPassage, question: ReadQuestion, sentence: int) -> list[str]:
    """The content words of the question that the sentence has, in the question's order."""
    said = set(passage.keys[passage.sentence_of == sentence].tolist())
    return [
        word
        for word, key, weight in zip(
            question.words, question.keys.tolist(), question.content.tolist(), strict=True
        )
        if weight and key in said
    ]


@functools.lru_cache(maxsize=4)
def _fingerprint(model: str | None) -> str:
    from readmark.comprehension.evidence.ranker import load_ranker, to_json

    return hashlib.sha256(to_json(load_ranker(model)).encode()).hexdigest()[:12]


def _segmenter(language: str) -> str:
    if language != "zh":
        return "rules, wordnet bases, snowball"
    from importlib.metadata import version

    return f"rjieba {version('rjieba')}"
