"""The evidence reader: the sentence that a small learned ranker predicts to have the answer.

It has two speeds: by features alone, or with the encoder of a span reader, which is slower and
better.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from readmark.comprehension.evidence.across_languages import read_across
from readmark.comprehension.evidence.phrases import phrase_around
from readmark.comprehension.evidence.ranker import Ranking, SentenceRanker
from readmark.comprehension.evidence.ranker_files import load_ranker, shipped_ranker, to_json
from readmark.comprehension.evidence.readings import (
    ReadPassage,
    ReadQuestion,
    read_passage,
    read_question,
)
from readmark.comprehension.sentence_rows import sentence_row
from readmark.comprehension.span.model import (
    SpanModel,
    load_span,
    shipped_model,
    span_libraries,
)
from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.core.records import Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Kind
from readmark.text.answers.sentences import SOURCE, passage_sentences
from readmark.text.training_record import POOLING, SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in
from readmark.text.word_vectors import lexicon

if TYPE_CHECKING:
    from readmark.comprehension.span.scoring import ScoredQuestion

LANGUAGES = ("en", "zh")
BATCH = 16
"""How many questions on a passage are answered together."""
SURE = 0.5
"""How likely a sentence must be before a phrase of it may answer alone."""


@dataclass
class Evidence:
    """Answers with the likeliest sentence, says how likely it is and what decided."""

    model: str = parameter("", help="model file; default: the model that ships")
    answer_with: str = parameter(
        "sentence",
        choices=("sentence", "phrase"),
        help="answer with the whole sentence, or with its likeliest words",
    )
    parts: str = parameter(
        "all", choices=("all", "story"), help="whether title and dateline may be answers"
    )
    encoder: bool = parameter(
        True, help="also use the encoder of a span reader; without it: faster, and worse"
    )
    span: str = parameter("", help="span reader's folder; default: the reader that ships")
    batch: int = parameter(1, help="windows per batch of the encoder")
    threads: int = parameter(1, help="CPU threads of the encoder")
    _languages: str = field(default="", init=False, repr=False)
    _language: str = field(default="en", init=False, repr=False)
    _ranker: SentenceRanker = field(init=False, repr=False)
    _blas: Any = field(default=None, init=False, repr=False)
    _last: tuple[Any, ReadPassage | None] | None = field(default=None, init=False, repr=False)
    _network: SpanModel | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("batch", 1), ("threads", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"{name}={getattr(self, name)} is less than {least}")
        if self.span and not self.encoder:
            raise UsageError(f"span={self.span} is not used with encoder=false")

    def begin(self, run: Run) -> None:
        if run.languages and self.encoder:
            raise UsageError(
                f"`cross` {run.languages}: the encoder reads questions in the language of the "
                "passage; evidence(encoder=false) reads across languages"
            )
        self._languages = run.languages

    def training_record(self) -> TrainingRecord | None:
        """What the ranker learnt from; with an encoder also what that one and pooling did."""
        record = recorded_in(self.model or shipped_ranker())
        if record is None:
            return None
        if not self.encoder:
            return record.without(POOLING)
        span = recorded_in(self._span_folder())
        return record.plus(None if span is None else span.without(SCORES))

    def prepare(self, kind: Kind, language: str) -> None:
        require("threadpoolctl")
        from threadpoolctl import ThreadpoolController

        if language not in LANGUAGES:
            raise UsageError(f"evidence reads English and Chinese, this test is in {language!r}")
        self._language = language
        self._ranker = load_ranker(self.model or None)
        if language not in self._ranker.fitting:
            raise UsageError(f"the model {self.model} was not trained on {language!r}")
        if self.encoder:
            if language not in self._ranker.pooling:
                raise UsageError(
                    f"the model {self.model} was not pooled with an encoder in {language!r}: write "
                    f"evidence(model={self.model},encoder=false)"
                )
            self._network = load_span(self._span_folder(), threads=self.threads)
        lexicon(language)  # loaded before the first question
        # Its matrices are so small that threads cost half as much again as they save.
        self._blas = ThreadpoolController().select(user_api="blas")

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for record, units_of_record in groupby(units, key=_SameRecord):
            while batch := list(islice(units_of_record, BATCH)):
                try:
                    with self._blas.limit(limits=1):
                        rows = self._rows(record.record, batch)
                except Exception:  # one of them; asking each by itself shows which
                    yield from one_by_one(batch, lambda unit: self._rows(unit.record, [unit])[0])
                else:
                    yield from rows

    def signature(self) -> Mapping[str, Any]:
        signature = {
            "model": _fingerprint(self.model or None, pooled=self.encoder),
            "sentences": SOURCE,
            "words": _segmenter(self._language),
            PER_LANGUAGE: ["words"],
        }
        if self._network is not None:
            signature |= {"encoder": self._network.fingerprint(), **span_libraries()}
            if not self.span:  # each language has its own encoder
                signature[PER_LANGUAGE] = ["words", "encoder"]
        if self._languages:
            from readmark.text.cross_language import lexicon_signature

            question_language, _, _ = self._languages.partition("-")
            signature |= lexicon_signature(_segmenter(question_language))
        return signature

    def _span_folder(self) -> Path:
        return Path(self.span) if self.span else shipped_model(self._language)

    def _rows(self, record: Any, units: Sequence[Unit]) -> list[Row]:
        """The answers to questions on one passage, which is read once."""
        passage = self._read(record)
        if passage is None:
            return [Row(id=unit.id, answer="") for unit in units]
        if any(unit.item.language not in (None, self._language) for unit in units):
            return [self._row_across(unit, passage) for unit in units]
        texts = [unit.item.text for unit in units]
        questions = [read_question(text, lexicon(self._language)) for text in texts]
        rankings = self._ranker.rank_all(passage, questions)
        scores: Sequence[ScoredQuestion | None] = [None] * len(units)
        if self._network is not None:
            scores = self._network.score([(record.text, text) for text in texts], batch=self.batch)
        return [
            self._row(unit, passage, question, ranking, scores_of_unit)
            for unit, question, ranking, scores_of_unit in zip(
                units, questions, rankings, scores, strict=True
            )
        ]

    def _read(self, record: Any) -> ReadPassage | None:
        """A passage as arrays; None if it has no sentence that may be an answer."""
        if self._last is None or self._last[0] is not record:
            story_only = self.parts == "story"
            sentences = passage_sentences(record, self._language, story_only=story_only)
            passage = None
            if sentences:
                passage = read_passage(record.text, sentences, lexicon(self._language))
            self._last = record, passage
        return self._last[1]

    def _row_across(self, unit: Unit, passage: ReadPassage) -> Row:
        """The answer to a question that may be in the other language."""
        language = unit.item.language or self._language
        if language not in LANGUAGES:
            raise UsageError(f"evidence reads English and Chinese, not {language!r}")
        crossed_passage, question = read_across(
            unit.item.text, passage, lexicon(language), lexicon(self._language)
        )
        ranking = self._ranker.rank_all(crossed_passage, [question])[0]
        return self._row(unit, crossed_passage, question, ranking, None)

    def _row(
        self,
        unit: Unit,
        passage: ReadPassage,
        question: ReadQuestion,
        ranking: Ranking,
        scores: ScoredQuestion | None,
    ) -> Row:
        """The row of a question, by features and by the encoder's scores if there are any."""
        probabilities, best = ranking.probabilities, ranking.best
        both_sides: dict[str, float] = {}
        if scores is not None:
            encoder = scores.shares(passage.sentences)
            probabilities = self._ranker.pooling[self._language].pooled(probabilities, encoder)
            best = int(np.argmax(probabilities))
            both_sides = {
                "features": round(float(ranking.probabilities[best]), 6),
                "encoder": round(float(encoder[best]), 6),
            }
        evidence = {"shared": _shared_words(passage, question, best), **both_sides}
        if best == ranking.best:  # the reasons are those of the features
            evidence["decided"] = list(ranking.reasons)
        row = sentence_row(
            unit,
            passage.sentences[best],
            score=round(float(probabilities[best]), 6),
            evidence=evidence,
        )
        if self.answer_with == "sentence" or probabilities[best] < SURE:
            return row
        phrase: Offsets | None = None
        if scores is not None and self._network is not None:
            phrase = scores.span_in(passage.sentences[best], self._network.shape.answer)
        elif ranking.likely_word is not None:
            phrase = phrase_around(unit.record.text, passage, ranking.likely_word)
        if phrase is None:
            return row
        start, end = phrase
        return msgspec.structs.replace(
            row, answer=unit.record.text[start:end], start=start, end=end
        )


class _SameRecord:
    """A record by its identity, which shows where the units of the next one begin."""

    __slots__ = ("record",)

    def __init__(self, unit: Unit) -> None:
        self.record = unit.record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameRecord) and self.record is other.record

    __hash__ = None  # type: ignore[assignment]


def _shared_words(passage: ReadPassage, question: ReadQuestion, sentence: int) -> list[str]:
    """The content words of the question that the sentence has, in the question's order."""
    keys = set(passage.keys[passage.sentence_of == sentence].tolist())
    return [
        question.words[place] for place in question.content if int(question.keys[place]) in keys
    ]


@functools.lru_cache(maxsize=4)
def _fingerprint(model: str | None, *, pooled: bool) -> str:
    """The weights that are used: how to pool is none of them without an encoder."""
    ranker = load_ranker(model)
    weights = ranker if pooled else replace(ranker, pooling={})
    return hashlib.sha256(to_json(weights).encode()).hexdigest()[:12]


def _segmenter(language: str) -> str:
    if language != "zh":
        return "rules, wordnet bases, snowball"
    from importlib.metadata import version

    return f"rjieba {version('rjieba')}"
