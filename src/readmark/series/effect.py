"""What rewriting does to what comes after it: retrieval, and reading what was retrieved.

The document on TREC question series names it as future work: "the effect of question reformulation
... upon the performance of downstream components in the QA system, such as document retrieval".
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.binding import sat_splits
from readmark.core.display import (
    Result,
    counted,
    fitting,
    folded,
    headline,
    plain_table,
    print_signatures,
)
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import distinct_names
from readmark.core.test import Header, Test
from readmark.formats.inputs import load
from readmark.formats.registry import open_sitting
from readmark.hooks import Metric, MetricFacts
from readmark.marking import (
    Comparison,
    Mark,
    MarkSettings,
    Ratio,
    build_metrics,
    compare_vectors,
)
from readmark.series.notation import with_known_answers
from readmark.series.retrieval.bm25 import K1, B, Bm25
from readmark.series.retrieval.questions import SearchQuestion, search_questions
from readmark.series.retrieval.rankings import Rankings, measures_of, rank_all
from readmark.series.retrieval.reading import Desk, ReadAnswers
from readmark.series.retrieval.texts import SearchedTexts, texts_to_search
from readmark.series.tables import APPEND, GOLD, NONE, first_golds
from readmark.series.worst import rewrites_of
from readmark.sitting import Watch, build_candidate
from readmark.statistics.randomisation import least_p


@dataclass(frozen=True)
class RankingMetric(Ratio):
    """The mean over questions of a measure of rankings; a unit's vector is (value, 1)."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)
    retriever: str = ""
    unit: str = "passage"
    previous: str = "known"

    def statistics(self, *_: object) -> Sequence[float]:
        """Rankings are measured where they are made; there is no answer to look at."""
        raise NotImplementedError("a ranking's vectors are made where it is measured")

    def signature(self) -> Mapping[str, str]:
        """What ranked what, and how ties count."""
        return {
            "retriever": self.retriever,
            "unit": self.unit,
            "previous": self.previous,
            "ties": "expected",
            "units": "mean",
        }


@dataclass(frozen=True, slots=True)
class EffectPart:
    """One downstream component: every strategy's marks, and its differences from the first."""

    metrics: Sequence[str]
    marks: Mapping[str, Mapping[str, Mark]]
    """By strategy, then metric."""
    differences: Mapping[str, Mapping[str, Comparison]]
    """Of every strategy but the first, by metric; Holm-adjusted over strategies."""

    def as_json(self) -> dict[str, Any]:
        """One document per strategy, with the difference from the baseline next to the mark."""
        found: dict[str, Any] = {}
        for name, marks in self.marks.items():
            found[name] = {}
            for metric, mark in marks.items():
                found[name][metric] = mark.as_json()
                if name in self.differences:
                    found[name][metric]["against"] = _difference(self.differences[name][metric])
        return found


@dataclass(frozen=True, slots=True)
class Effect(Result):
    """Everything that ``series effect`` shows of one series test."""

    series: str
    passages: str
    language: str
    questions: int
    clusters: int
    left_out: int
    """Questions without known passages, or without answers in them."""
    unit: str
    searched: int
    """How many units were ranked, those of the background included."""
    background: int
    retriever: str
    reader: str
    previous: str
    strategies: Sequence[str]
    signatures: Mapping[str, Mapping[str, Any]]
    """What decided the rewrites of each strategy that sat, and the reader's answers."""
    papers: Mapping[str, str]
    """The fingerprints of what was asked and read."""
    retrieval: EffectPart
    retrieved: EffectPart
    """Reading what was retrieved."""
    right: EffectPart
    """Reading the passage that has the answer."""
    each: Sequence[Mapping[str, Any]]
    """Every question: what each strategy made of it, found and answered."""
    failed: Mapping[str, Sequence[str]]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """One document; what was noted is on stderr."""
        return {
            **{name: getattr(self, name) for name in _JSON_MEMBERS},
            "retrieval": self.retrieval.as_json(),
            "reading": {"retrieved": self.retrieved.as_json(), "right": self.right.as_json()},
            "each": self.each,
            "failed": self.failed,
        }

    def show(self, console: Console) -> None:
        """Sizes, a table a component, and what decided the numbers."""
        left = (
            f", {self.left_out} without an answer in a known passage left out"
            if self.left_out
            else ""
        )
        size = f"{counted(self.questions, 'question')} in {counted(self.clusters, 'series')}{left}"
        _print_wrapped(console, headline("rewriting", " of ", self.series, f": {size}"))
        more = f", {counted(self.background, 'passage')} of background among them" * bool(
            self.background
        )
        console.print(f"retrieval of {self.unit}s: {self.searched:,} ranked{more}", style="bold")
        _print_part(console, self.retrieval)
        console.print(f"reading what was retrieved, by {self.reader}", style="bold")
        _print_part(console, self.retrieved)
        console.print(f"reading the right passage, by {self.reader}", style="bold")
        _print_part(console, self.right)
        adjusted = ", Holm-adjusted" if len(self.strategies) > 2 else ""
        first = self.strategies[0]
        under = f"under a mark its interval, then the difference from {first} with its p{adjusted}"
        _print_wrapped(console, Text(under, "dim"))
        notes = {
            note: None
            for part in (self.retrieval, self.retrieved, self.right)
            for against in part.differences.values()
            for difference in against.values()
            if (note := difference.interval_note)
        }
        for note in notes:
            _print_wrapped(console, Text(note, "dim"))
        least = least_p(self.clusters)
        if least >= 0.01:
            few = f"{counted(self.clusters, 'series')} can give no p much below "
            few += f"{numbers.p_value(least)}, before adjustment"
            _print_wrapped(console, Text(few, "dim"))
        for part in (self.retrieval, self.retrieved):
            marks = part.marks[first]
            print_signatures(console, {name: mark.signature for name, mark in marks.items()})


@dataclass(frozen=True, slots=True)
class Effects(Result):
    """The effect on each series test: languages have no mark in common."""

    effects: Sequence[Effect]

    @property
    def notes(self) -> list[str]:
        """What was noted, by series."""
        return [f"{effect.series}: {note}" for effect in self.effects for note in effect.notes]

    @property
    def failed(self) -> bool:
        """Whether a rewriter or the reader failed on a question."""
        return any(effect.failed for effect in self.effects)

    def as_json(self) -> dict[str, Any]:
        """One document."""
        return {"effects": [effect.as_json() for effect in self.effects]}

    def show(self, console: Console) -> None:
        """Every series test apart."""
        for index, effect in enumerate(self.effects):
            if index:
                console.print()
            effect.show(console)


_JSON_MEMBERS = (
    "series",
    "passages",
    "language",
    "questions",
    "clusters",
    "left_out",
    "unit",
    "searched",
    "background",
    "retriever",
    "reader",
    "previous",
    "strategies",
    "signatures",
    "papers",
)


def _difference(comparison: Comparison) -> dict[str, Any]:
    kept = ("a", "difference", "low", "high", "p", "adjusted_p", "discordant", "detectable")
    return {name: getattr(comparison, name) for name in (*kept, "signature")}


# The effect of rewriting on retrieval and reading, strategy by strategy.


STRATEGIES = (NONE, APPEND, "guided", GOLD)
READER = "evidence(answer_with=phrase,encoder=false)"
"""Fast: every strategy asks it every question."""
METRICS = ("em", "f1")
PREVIOUS = ("known", "none")
LANGUAGES = ("en", "zh")
"""Of the bundled series."""


@dataclass(frozen=True, slots=True)
class EffectSettings:
    """How the effect is measured: everything but the files that decides the numbers."""

    rewriters: Sequence[str] = STRATEGIES
    sittings: Sequence[str | Path] = ()
    reader: str = READER
    metrics: Sequence[str] = METRICS
    unit: str = "passage"
    background: Sequence[Test] = ()
    previous: str = "known"
    """What stands for PREVIOUS_ANSWER: the answer that the series knows, or nothing."""
    k1: float = K1
    b: float = B
    settings: MarkSettings = field(default_factory=MarkSettings)


def rewriting_effect(
    series: str | Path | None = None,
    passages: str | Path | None = None,
    how: EffectSettings | None = None,
    *,
    format: str | None = None,
    split: str | None = None,
    progress: Watch | None = None,
) -> Effects:
    """The effect on a series with its passages, or on the bundled ones where none are named.

    ``split`` selects a split of the series; passages may be of any.
    """
    how = how or EffectSettings()
    if series is None:
        if split is not None:
            raise UsageError("`split` needs the series that it is of: effect SERIES PASSAGES")
        if how.sittings:
            raise UsageError("--sitting needs the series that it is of: effect SERIES PASSAGES")
        return Effects(bundled_effects(how, watch=progress))
    if passages is None:
        raise UsageError(f"{series} needs the test that has its passages: effect SERIES PASSAGES")
    tests = load(series, format=format, split=split), load(passages)
    return Effects([series_effect(*tests, how, watch=progress)])


@contextmanager
def bundled() -> Iterator[list[tuple[Test, Test]]]:
    """The bundled series with their passages, a pair a language."""
    with ExitStack() as stack:

        def opened(name: str) -> Test:
            return load(stack.enter_context(as_file(files("readmark.bundle") / name)))

        yield [
            (opened(f"series.{language}.jsonl"), opened(f"reading.{language}.jsonl"))
            for language in LANGUAGES
        ]


def bundled_effects(how: EffectSettings, *, watch: Watch | None = None) -> list[Effect]:
    """The effect on the bundled series, a language at a time with the backgrounds in it."""
    for test in how.background:
        if test.language not in LANGUAGES:
            raise UsageError(
                f"{test.file} is in {test.language}, the bundled series are in "
                f"{' and '.join(LANGUAGES)}"
            )
    effects = []
    with bundled() as pairs:
        for series, passages in pairs:
            own = [test for test in how.background if test.language == series.language]
            effects.append(
                series_effect(series, passages, replace(how, background=own), watch=watch)
            )
    return effects


def series_effect(
    series: Test, passages: Test, how: EffectSettings | None = None, *, watch: Watch | None = None
) -> Effect:
    """What each strategy's rewrites retrieve, and what a reader makes of them."""
    how = how or EffectSettings()
    series.require_kind("series")
    if series.language != passages.language and passages.kind.name == "comprehension":
        raise UsageError(
            f"{series.file} is in {series.language}, {passages.file} in {passages.language}"
        )
    if how.previous not in PREVIOUS:
        raise UsageError(f"previous {how.previous!r} is not one of {'|'.join(PREVIOUS)}")
    searched, same = texts_to_search(passages, how.background, how.unit)
    for name in how.rewriters:  # before anybody sits
        if name != GOLD:
            build_candidate(name, series)
    build_candidate(how.reader, passages)
    asked, left_out = search_questions(series, passages)
    asked, unfound = _answerable(searched, asked, passages.file)
    metrics = build_metrics(how.metrics, passages)
    index = Bm25(searched.texts(), passages.language, k1=how.k1, b=how.b)
    right = {question.id: _right(question, searched) for question in asked}
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        desk = Desk(Path(folder), _header(passages), how.reader, metrics, searched.passages, watch)
        said, notes = _rewrites(series, asked, how, desk)
        ranked = {name: rank_all(asked, own, index, searched) for name, own in said.items()}
        read = {
            name: (
                desk.read(asked, own, ranked[name].best, right),
                desk.read(asked, own, right, right),
            )
            for name, own in said.items()
        }
    ids, groups = [question.id for question in asked], [question.series for question in asked]

    def part(own: Mapping[str, Metric], vectors: Mapping[str, Mapping[str, Floats]]) -> EffectPart:
        compared = compare_vectors(own, vectors, ids, groups, series.kind, how.settings)
        return EffectPart(list(own), compared.marks, compared.differences)

    ranking = RankingMetric(index.signature(), how.unit, how.previous)
    rankings: dict[str, Metric] = dict.fromkeys(measures_of(asked), ranking)
    failed = _failed(asked, said, read)
    return Effect(
        series=series.header.name or Path(series.file).name,
        passages=passages.header.name or Path(passages.file).name,
        language=series.language,
        questions=len(asked),
        clusters=len(set(groups)),
        left_out=left_out + len(unfound),
        unit=how.unit,
        searched=len(searched.places),
        background=len(searched.passages) - searched.own,
        retriever=index.signature(),
        reader=how.reader,
        previous=how.previous,
        strategies=list(said),
        signatures=desk.signatures,
        papers={
            "series": series.facts.paper,
            "key": series.facts.key,
            "passages": passages.facts.paper,
        },
        retrieval=part(rankings, {name: rankings.vectors for name, rankings in ranked.items()}),
        retrieved=part(metrics, {name: one.vectors for name, (one, _) in read.items()}),
        right=part(metrics, {name: one.vectors for name, (_, one) in read.items()}),
        each=[_shown(question, said, ranked, read, right) for question in asked],
        failed=failed,
        notes=[*notes, *_notes(unfound, same, how, failed)],
    )


def _answerable(
    searched: SearchedTexts, asked: Sequence[SearchQuestion], file: str
) -> tuple[list[SearchQuestion], list[str]]:
    """Drop the questions whose answers do not occur in their passages."""
    questions = [question for question in asked if searched.grades(question).any()]
    if not questions:
        raise DataError("no answer of a question is in its passages", file=file)
    kept = {question.id for question in questions}
    return questions, [question.id for question in asked if question.id not in kept]


def _rewrites(
    series: Test, asked: Sequence[SearchQuestion], how: EffectSettings, desk: Desk
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Every strategy's rewrites as they are asked; none comes first, whatever is named."""
    said: dict[str, Mapping[str, str]] = {}
    notes = []
    for name in dict.fromkeys((NONE, *how.rewriters)):
        if name == GOLD:
            golds = first_golds(series)
            said[name] = {question.id: golds.get(question.id, question.text) for question in asked}
            bare = [question.id for question in asked if question.id not in golds]
            notes += (
                [f"gold: as they stand, since they have no gold: {listed_ids(bare)}"]
                if bare
                else []
            )
        else:
            said[name] = rewrites_of(series, desk.sit(series, name))
    names = distinct_names([*said, *(Path(sitting).stem for sitting in how.sittings)])[len(said) :]
    for name, path in zip(names, how.sittings, strict=True):
        sitting = open_sitting(path, series.kind)
        sat_splits(series, sitting)
        said[name] = rewrites_of(series, sitting)
    known = how.previous == "known"
    filled = {
        name: {
            question.id: with_known_answers(own[question.id], question.known if known else ())
            for question in asked
            if question.id in own
        }
        for name, own in said.items()
    }
    return filled, notes


def _right(question: SearchQuestion, searched: SearchedTexts) -> str:
    """The passage that answers a question best; of equals the first that has an answer's words."""
    most = max(question.grades.values())
    best = sorted(id for id, grade in question.grades.items() if grade == most)
    holds = [
        id
        for id in best
        if any(answer in searched.passages[id].text for answer in question.answers)
    ]
    return (holds or best)[0]


def _header(passages: Test) -> Header:
    own = passages.header
    return Header(name=own.name, language=passages.language, profile=own.profile)


def _shown(
    question: SearchQuestion,
    rewrites: Mapping[str, Mapping[str, str]],
    ranked: Mapping[str, Rankings],
    read: Mapping[str, tuple[ReadAnswers, ReadAnswers]],
    right: Mapping[str, str],
) -> dict[str, Any]:
    return {
        "id": question.id,
        "series": question.series,
        "question": question.text,
        "answers": question.answers,
        "passages": question.grades,
        "right": right[question.id],
        "strategies": {
            name: {
                "rewrite": own.get(question.id),
                **ranked[name].values[question.id],
                "retrieved": ranked[name].best.get(question.id),
                "answer": read[name][0].answers.get(question.id),
                "answer_on_right": read[name][1].answers.get(question.id),
            }
            for name, own in rewrites.items()
        },
    }


def _failed(
    asked: Sequence[SearchQuestion],
    rewrites: Mapping[str, Mapping[str, str]],
    read: Mapping[str, tuple[ReadAnswers, ReadAnswers]],
) -> dict[str, list[str]]:
    """By strategy, the questions without a rewrite, and those that the reader failed on."""
    found = {}
    for name, own in rewrites.items():
        wrong = {id for read_answers in read[name] for id in read_answers.errors}
        ids = [question.id for question in asked if question.id not in own or question.id in wrong]
        if ids:
            found[name] = ids
    return found


def _notes(
    unfound: Sequence[str], same: int, how: EffectSettings, failed: Mapping[str, Sequence[str]]
) -> list[str]:
    said = []
    if unfound:
        said.append(f"left out, answered in no {how.unit} of their passages: {listed_ids(unfound)}")
    if same:
        passages = counted(same, "passage")
        said.append(f"left out of the background, since also in the test: {passages}")
    for name, ids in failed.items():
        said.append(f"{name}: no rewrite or no answer, which counts as wrong: {listed_ids(ids)}")
    return said


# In a terminal: a table a component.


NAME = 24
"""The most columns of a strategy's name."""
STRATEGY = "strategy"
CELL = len("+0.000 (p 0.0000)")


def _print_wrapped(console: Console, text: Text) -> None:
    """Print a text wrapped to the console, without trailing blanks."""
    for line in text.wrap(console, console.width):
        line.rstrip()
        console.print(line)


def _print_part(console: Console, part: EffectPart) -> None:
    widest = min(NAME, max(map(cell_len, (*part.marks, STRATEGY))))
    room = console.width - widest
    for shown in fitting(part.metrics, room, least=CELL):
        table = plain_table(STRATEGY, *shown)
        for name, marks in part.marks.items():
            against = part.differences.get(name, {})
            cells = [_cell(marks[metric], against.get(metric)) for metric in shown]
            table.add_row(folded(name, NAME), *cells)
        console.print(table)


def _cell(mark: Mark, against: Comparison | None) -> Text:
    text = Text(numbers.mark(mark.score, mark.scale), "bold")
    if mark.low is not None and mark.high is not None:
        text.append(f"\n{numbers.narrow_interval(mark.low, mark.high, mark.scale)}", "not bold dim")
    if against is not None and against.difference is not None:
        less = numbers.mark(against.difference, mark.scale, signed=True)
        text.append(f"\n{less} (p {numbers.p_value(against.decisive_p)})", "not bold")
    return text
