"""Finding the texts that a question may be answered from."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.kinds import kind_named
from readmark.core.records import Answer, Offsets, Passage, Question, QuestionKey
from readmark.core.sitting import Sitting
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_sitting
from readmark.hooks import Metric
from readmark.marking.tally import tally
from readmark.series.metrics.golds import answers_meant
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting import Watch, sit
from readmark.statistics.grid import to_grid
from readmark.text.answers.places import holding, passage_sentences
from readmark.text.bags import Bags

# How well a ranking by scores finds what is relevant, as expected over the orders of ties.


_Tie = tuple[int, Floats]
"""How many stand before a group of equal scores, and the grades in it."""


def reciprocal_rank(scores: Floats, grades: Floats) -> float:
    """The expected reciprocal of the rank of the first relevant one; 0 when none is found."""
    for before, tied in _ties(scores, grades):
        relevant = int(np.count_nonzero(tied > 0))
        if relevant:
            return math.fsum(
                _chance_first_at(place, len(tied), relevant) / (before + place)
                for place in range(1, len(tied) - relevant + 2)
            )
    return 0.0


def recall(scores: Floats, grades: Floats, depth: int) -> float:
    """The expected share of what is relevant among the first; NaN when nothing is relevant."""
    whole = int(np.count_nonzero(grades > 0))
    if not whole:
        return math.nan
    value = 0.0
    for before, tied in _ties(scores, grades):
        if before >= depth:
            break
        value += np.count_nonzero(tied > 0) * min(1.0, (depth - before) / len(tied))
    return float(value / whole)


def ndcg(scores: Floats, grades: Floats, depth: int) -> float:
    """Normalised discounted cumulative gain, the grade being the gain, as trec_eval counts it.

    Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques. NaN when nothing is
    relevant.
    """
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    ideal = np.sort(grades[grades > 0])[::-1][:depth]
    if not len(ideal):
        return math.nan
    best = float(ideal @ discounts[: len(ideal)])
    gained = 0.0
    for before, tied in _ties(scores, grades):
        if before >= depth:
            break
        gained += float(np.maximum(tied, 0).mean() * discounts[before : before + len(tied)].sum())
    return gained / best


def _ties(scores: Floats, grades: Floats) -> Iterator[_Tie]:
    """Groups of equal scores above 0, the highest first."""
    found = np.flatnonzero(scores > 0)
    found = found[np.argsort(-scores[found], kind="stable")]
    ordered = scores[found]
    starts = np.flatnonzero(np.diff(ordered, prepend=np.inf))
    for start, end in pairwise([*starts.tolist(), len(found)]):
        yield start, grades[found[start:end]]


def _chance_first_at(place: int, size: int, relevant: int) -> float:
    """How likely the first relevant one of a shuffled group stands at a place."""
    return math.comb(size - place, relevant - 1) / math.comb(size, relevant)


# BM25 over our own words: a ranking of texts by the words of a question.


K1, B = 1.2, 0.75
"""Lucene's."""
_PLACES = 9
"""Decimals of a score that count: equal texts must not differ by the order of a sum."""


class Bm25:
    """An index of texts in one language."""

    def __init__(
        self, texts: Iterable[str], language: str, *, k1: float = K1, b: float = B
    ) -> None:
        if not 0 <= k1 < math.inf or not 0 <= b <= 1:
            raise UsageError(
                f"BM25 takes a finite k1 of 0 or more and b from 0 to 1, not {k1:g} and {b:g}"
            )
        self._bags = Bags(language)
        self._ids: dict[str, int] = {}
        self._k1, self._b = k1, b
        cut = [[self._ids.setdefault(word, len(self._ids)) for word in self._words(text)]
               for text in texts]  # fmt: skip
        self._size = len(cut)
        self._index = self._built(cut)

    def scores(self, question: str) -> NDArray[np.float64]:
        """How well each text goes with a question; 0 where they share no word."""
        known = [self._ids[word] for word in self._words(question) if word in self._ids]
        if not known:
            return np.zeros(self._size)
        found = np.asarray(self._index.get_scores_from_ids(known), dtype=np.float64)
        return np.asarray(np.round(found, _PLACES))

    def signature(self) -> str:
        """The library, its formula and parameters, and how words are cut."""
        text = ",".join(f"{name}={value}" for name, value in self._bags.signature().items())
        return f"bm25s-{version('bm25s')}(method=lucene,k1={self._k1:g},b={self._b:g},{text})"

    def _built(self, cut: Sequence[Sequence[int]]) -> Any:
        require("bm25s")
        import bm25s

        index = bm25s.BM25(
            k1=self._k1, b=self._b, method="lucene", dtype="float64", csc_backend="numpy"
        )
        if self._ids:
            index.index((cut, self._ids), create_empty_token=False, show_progress=False)
        return index

    def _words(self, text: str) -> list[str]:
        generator = (self._bags.stem(text[start:end]) for start, end in self._bags.words(text))
        return [word for word in generator if word is not None]


# What a series asks of passages, and the texts that are searched for it.


UNITS = ("passage", "paragraph", "sentence")
PASSAGES, ANSWERS = "passages", "answers"
"""The members of ``fields`` that tell where a question is answered, and how."""


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A question of a series whose answer stands in known passages."""

    id: str
    series: str
    text: str
    known: tuple[str, ...]
    """Answers to earlier questions that the series tells."""
    answers: tuple[str, ...]
    grades: Mapping[str, float]
    """Its passages, and how well each answers it."""
    graded: bool = False


@dataclass(frozen=True)
class SearchedTexts:
    """The texts that are ranked, each a stretch of a passage."""

    unit: str
    passages: Mapping[str, Passage]
    """Those of the test by their ids, then those of the background by theirs."""
    own: int
    """How many of them are the test's."""
    places: Sequence[tuple[str, Offsets]]
    """A passage's id and offsets for every text, in the order of ids and offsets."""

    def texts(self) -> Iterator[str]:
        """Every text that is ranked."""
        for id, (start, end) in self.places:
            yield self.passages[id].text[start:end]

    def grades(self, asked: SearchQuestion) -> NDArray[np.float64]:
        """How well every text answers a question.

        Of a passage in parts it is those with an answer; all zeros where none has one.
        """
        found = np.zeros(len(self.places))
        for id, grade in asked.grades.items():
            at = self._where.get(id, [])
            if self.unit != "passage":
                among = [self.places[one][1] for one in at]
                answers = [Answer(text=answer) for answer in asked.answers]
                at = [at[one] for one in holding(answers, self.passages[id].text, among)]
            found[at] = grade
        return found

    @functools.cached_property
    def _where(self) -> Mapping[str, list[int]]:
        where: dict[str, list[int]] = {}
        for index, (id, _) in enumerate(self.places):
            where.setdefault(id, []).append(index)
        return where


def search_questions(series: Test, passages: Test) -> tuple[list[SearchQuestion], int]:
    """The questions that have answers in known passages, and how many have not."""
    known = {record.id for record in passages.records()}
    questions: list[SearchQuestion] = []
    left_out = 0
    for record in series.records():
        for question in record.questions:
            search_question = _asked(question, record, series)
            missing = [id for id in search_question.grades if id not in known]
            if missing:
                raise DataError(
                    f"names the passage {missing[0]!r}, which {passages.file} does not have",
                    file=series.file,
                    where=question.id,
                )
            if any(search_question.grades.values()) and search_question.answers:
                questions.append(search_question)
            else:
                left_out += 1
    if not questions:
        raise DataError(
            "no question has known passages (fields.passages of the series, or of the question's "
            "key) and answers in them (fields.answers of the question's key)",
            file=series.file,
        )
    return questions, left_out


def _asked(question: SeriesQuestion, series: Series, test: Test) -> SearchQuestion:
    fields: Mapping[str, Any] = question.key.fields if question.key is not None else {}
    said = fields.get(PASSAGES, series.fields.get(PASSAGES))
    answers = fields.get(ANSWERS, ())
    if not isinstance(answers, (list, tuple)) or not all(
        isinstance(answer, str) for answer in answers
    ):
        raise DataError(
            f"fields.answers is {answers!r}, expected a list of texts",
            file=test.file,
            where=question.id,
        )
    return SearchQuestion(
        id=question.id,
        series=series.id,
        text=question.text,
        known=answers_meant(series, question),
        answers=tuple(answer for answer in answers if answer.strip()),
        grades=_grades(said, test, question.id),
        graded=isinstance(said, dict),
    )


def _grades(said: Any, test: Test, where: str) -> dict[str, float]:
    """Passages that were named in a list, or with a grade each."""
    if said is None:
        return {}
    graded = dict.fromkeys(said, 1) if isinstance(said, (list, tuple)) else said
    if not isinstance(graded, dict) or not all(map(_is_grade, graded.values())):
        raise DataError(
            f"fields.passages is {said!r}, expected a list of ids, or grades of 0 or more by id",
            file=test.file,
            where=where,
        )
    return {str(id): float(grade) for id, grade in graded.items()}


def _is_grade(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def texts_to_search(
    passages: Test, background: Sequence[Test], unit: str
) -> tuple[SearchedTexts, int]:
    """Every text to rank, and how many passages of the background are the test's own.

    They are in the order of ids, so that the order of a file decides nothing.
    """
    if unit not in UNITS:
        raise UsageError(f"unit {unit!r} is not one of {'|'.join(UNITS)}")
    found: dict[str, Passage] = {passage.id: passage for passage in _passages(passages)}
    own, texts = len(found), {passage.text for passage in found.values()}
    same = 0
    for test in background:
        if test.language != passages.language:
            raise UsageError(
                f"{test.file} is in {test.language}, the passages are in {passages.language}"
            )
        for record in _passages(test):
            if record.text in texts:
                same += 1
                continue
            texts.add(record.text)
            found[f"{test.file}:{record.id}"] = record
    places = [
        (id, at)
        for id in sorted(found)
        for at in _cut(found[id], unit, found[id].language or passages.language)
    ]
    return SearchedTexts(unit, found, own, places), same


def _passages(test: Test) -> Iterator[Passage]:
    if test.kind.name != "comprehension":
        raise UsageError(
            f"{test.file} is a {test.kind.name} test, expected passages (a comprehension test)"
        )
    return test.records()


def _cut(passage: Passage, unit: str, language: str) -> list[Offsets]:
    if unit == "sentence":
        return passage_sentences(passage, language)
    if unit == "passage":
        return [(0, len(passage.text))]
    found: list[Offsets] = []
    start = 0
    for line in passage.text.splitlines(keepends=True):
        if line.strip():
            found.append((start, start + len(line.rstrip())))
        start += len(line)
    return found


# The texts that a strategy's rewrites retrieve, question by question.


DEPTHS = (1, 5)
NDCG_DEPTH = 10

RankMeasure = Callable[[Floats, Floats], float]
"""A measure of a ranking, from every text's score and grade."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """One strategy's rankings."""

    vectors: Mapping[str, Floats]
    """By measure, a row (value, 1) a question."""
    best: Mapping[str, str]
    """The passage of the first text, by question; none where no text shares a word with it."""
    values: Mapping[str, Mapping[str, float]]
    """By question, then measure."""


def measures_of(asked: Sequence[SearchQuestion]) -> dict[str, RankMeasure]:
    """What rankings are measured by; graded passages have one more."""
    found: dict[str, RankMeasure] = {"mrr": reciprocal_rank}
    found |= {f"recall@{depth}": partial(recall, depth=depth) for depth in DEPTHS}
    if any(question.graded for question in asked):
        found[f"ndcg@{NDCG_DEPTH}"] = partial(ndcg, depth=NDCG_DEPTH)
    return found


def rank_all(
    asked: Sequence[SearchQuestion],
    rewrites: Mapping[str, str],
    index: Bm25,
    searched: SearchedTexts,
) -> Rankings:
    """Rank every text by each rewrite; a question without one finds nothing."""
    measures = measures_of(asked)
    vectors = {name: np.zeros((len(asked), 2)) for name in measures}
    best: dict[str, str] = {}
    values: dict[str, dict[str, float]] = {}
    for at, question in enumerate(asked):
        scores = index.scores(rewrites.get(question.id, ""))
        grades = searched.grades(question)
        if scores.any():  # of equals the first, by the ids
            best[question.id] = searched.places[int(np.argmax(scores))][0]
        values[question.id] = {
            name: float(score(scores, grades)) for name, score in measures.items()
        }
        for name, value in values[question.id].items():
            vectors[name][at] = to_grid(value), 1.0
    return Rankings(vectors, best, values)


# Rewritten questions of a series, read: each on the passage that it is given.


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """What a reader made of questions: vectors a metric, in their order, and the answers."""

    vectors: Mapping[str, Floats]
    answers: Mapping[str, str]
    errors: Sequence[str]


@dataclass
class Desk:
    """Where strategies and readers sit, in a folder that is gone afterwards."""

    folder: Path
    header: Header
    reader: str
    metrics: Mapping[str, Metric]
    passages: Mapping[str, Passage]
    watch: Watch | None = None
    signatures: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of everybody who sat, by name."""
    _sat: int = 0

    def sit(self, test: Test, candidate: str) -> Sitting:
        """A sitting of its own."""
        self._sat += 1
        path = self.folder / f"{self._sat}.jsonl"
        sit(test, candidate, path, watch=self.watch)
        sitting = open_sitting(path, test.kind)
        self.signatures[candidate] = sitting.header.signature
        return sitting

    def read(
        self,
        asked: Sequence[SearchQuestion],
        rewrites: Mapping[str, str],
        given: Mapping[str, str],
        right: Mapping[str, str],
    ) -> ReadAnswers:
        """Every question on the passage it is given, marked; one without gets the worst value."""
        vectors = self._worst(asked, right)
        test = paper_of(asked, rewrites, given, self.passages, self.header)
        if test is None:
            return ReadAnswers(vectors, {}, [])
        sitting = self.sit(test, self.reader)
        found = tally(test, sitting, self.metrics)
        where = {question.id: index for index, question in enumerate(asked)}
        rows = [where[id] for id in found.ids]
        for name, own in vectors.items():
            own[rows] = found.vectors[name].matrix()
        return ReadAnswers(vectors, _answers(sitting), found.errors)

    def _worst(
        self, asked: Sequence[SearchQuestion], right: Mapping[str, str]
    ) -> dict[str, Floats]:
        """What every question would get unanswered."""
        texts = {question.id: question.text for question in asked}
        test = paper_of(asked, texts, right, self.passages, self.header)
        units = {} if test is None else {unit.id: unit for unit in test.units()}
        found = {}
        for name, metric in self.metrics.items():
            vectors = [
                metric.statistics(unit, kind_named("comprehension").references(unit), None)
                for unit in (units[question.id] for question in asked)
            ]
            found[name] = np.array(vectors, dtype=np.float64)
        return found


def paper_of(
    asked: Sequence[SearchQuestion],
    rewrites: Mapping[str, str],
    given: Mapping[str, str],
    passages: Mapping[str, Passage],
    header: Header,
) -> Test | None:
    """The passages that are given, each with the questions that are asked on it."""
    questions: dict[str, list[Question]] = {}
    for question in asked:
        if question.id in given and question.id in rewrites:
            key = QuestionKey(answers=tuple(Answer(text=text) for text in question.answers))
            questions.setdefault(given[question.id], []).append(
                Question(id=question.id, text=rewrites[question.id], key=key)
            )
    records = [
        msgspec.structs.replace(passages[id], id=id, questions=tuple(several))
        for id, several in questions.items()
    ]
    return in_memory(header, records, file="<questions>") if records else None


def _answers(sitting: Sitting) -> dict[str, str]:
    return {id: row.text for id in sitting for row in sitting.of(id) if row.answered}
