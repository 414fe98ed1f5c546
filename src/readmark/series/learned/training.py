"""Training the learned rewriter: from series with gold rewrites to a model's file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError, UsageError
from readmark.core.files import require_distinct_files, same_file, writing
from readmark.core.language import primary
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.registry import open_lessons, open_test
from readmark.series.records import Series
from readmark.series.words import plain

if TYPE_CHECKING:
    from readmark.series.learned.ranker import RewriteLesson, TaughtSeries


Notify = Callable[[str], None]
Run = tuple[str, ...]

_RUN = 3
"""How many questions in a row two series share only when they are one."""
_GOLDS = 3
"""The most golds that a question has by the guidelines."""
_NAME = re.compile(r"[^\W\d_].*\s[(\"'“‘]?[A-Z][\w'’-]|\d{2}")
"""A capital after the first word, or a number: what two series hardly share by chance."""
_EVERY = 50
NETWORKS = 5


@dataclass(frozen=True, slots=True)
class LearntTest:
    """What one test gave to the training."""

    file: str
    series: int
    questions: int
    """Questions with a gold rewrite."""
    lessons: int


@dataclass(frozen=True, slots=True)
class TrainedRewriter:
    """What was learnt from, and where the model is."""

    model: str
    seed: int
    tests: tuple[LearntTest, ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""


def train_rewriter(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    apart_from: Sequence[str | Path] = (),
    seed: int = 1,
    split: str | None = None,
    notify: Notify = lambda _: None,
) -> TrainedRewriter:
    """Train a model on series and write it; a test with a series of ``apart_from`` is refused.

    Hidden splits are not learnt from, unless ``split`` selects one.
    """
    import numpy as np

    from readmark.series.learned.ranker import RankerPlan, learn, to_json

    _require_place(out, tests, apart_from)
    hidden: list[str] = []

    def withhold(note: str) -> None:
        hidden.append(note)
        notify(note)

    opened = [_english_series(open_lessons(path, withhold, split=split)) for path in tests]
    known = _known_runs(apart_from)
    records = list(_without_repeats(opened, notify))
    for test, own in records:
        _refuse_known(test, own, known)
    draw = np.random.Generator(np.random.PCG64(seed))
    lessons: list[RewriteLesson] = []
    learnt: list[LearntTest] = []
    for test, own in records:
        taught = list(_lessons(test, own, draw, notify))
        asked = sum(_has_gold(question) for series in own for question in series.questions)
        learnt.append(LearntTest(str(test.file), len(own), asked, len(taught)))
        notify(f"{test.file}: {asked} questions of {len(own)} series gave {len(taught)} lessons")
        lessons += taught
    if not lessons:
        raise DataError("there is no question with a gold rewrite to learn from")
    plan = replace(RankerPlan(), seeds=tuple(range(seed, seed + NETWORKS)))
    ranker = learn(lessons, plan, notify)
    note: dict[str, Any] = {
        "version": __version__,
        "seed": seed,
        "tests": [
            {
                "file": Path(learnt_test.file).name,
                "series": learnt_test.series,
                "questions": learnt_test.questions,
            }
            for learnt_test in learnt
        ],
    }
    with writing(out) as stream:
        stream.write(to_json(replace(ranker, note=note)).encode("utf-8"))
    return TrainedRewriter(str(out), seed, tuple(learnt), tuple(hidden))


def _require_place(
    out: str | Path, tests: Sequence[str | Path], apart_from: Sequence[str | Path]
) -> None:
    """Refuse to overwrite an input, a missing folder, and a test that is named twice."""
    require_distinct_files([out], [*tests, *apart_from])
    if Path(out).is_dir() or not Path(out).resolve().parent.is_dir():
        raise UsageError(
            f"{out} cannot be written: its folder must be there, and it must be a file"
        )
    for index, path in enumerate(tests):
        if any(same_file(path, other) for other in tests[:index]):
            raise UsageError(f"{path} is named twice: it would be learnt twice")


def taught_of(series: Series) -> TaughtSeries:
    """A record as the learning wants it."""
    from readmark.series.learned.ranker import TaughtSeries
    from readmark.series.learned.rewriter import answers_of

    questions = series.questions
    return TaughtSeries(
        id=series.id,
        target=series.target,
        questions=[question.text for question in questions],
        golds=[
            [gold.text for gold in question.key.rewrites if gold.text]
            if question.key is not None
            else []
            for question in questions
        ],
        answers=answers_of([question.previous for question in questions], len(questions)),
        topic=series.topic,
        type=series.target_type,
    )


def _english_series(test: Test) -> Test:
    test.require_kind("series")
    if primary(test.language) != "en":
        raise UsageError(f"{test.file} is in {test.language!r}; learned is trained on English")
    return test


def _without_repeats(tests: Sequence[Test], notify: Notify) -> Iterator[tuple[Test, list[Series]]]:
    """The series of each test, without those that came before with the same golds."""
    seen: set[tuple[Any, ...]] = set()
    for test in tests:
        kept: list[Series] = []
        left = 0
        for record in test.records():
            one = (
                record.target,
                *((question.text, *_golds(question)) for question in record.questions),
            )
            left += one in seen
            kept += [] if one in seen else [record]
            seen.add(one)
        if left:
            notify(f"{test.file}: {left} series left out that were there before, golds and all")
        yield test, kept


def _lessons(
    test: Test, records: Sequence[Series], draw: Any, notify: Notify
) -> Iterator[RewriteLesson]:
    from readmark.series.learned.ranker import instances_of, lessons_of, views_of

    for index, record in enumerate(records, 1):
        if any(_has_gold(question) for question in record.questions):
            views = views_of(taught_of(record))
            instances = instances_of(views)
            for series, taught in views:
                yield from lessons_of(series, taught, instances, draw)
        if index % _EVERY == 0:
            notify(f"{test.file}: {index} of {len(records)} series read")


def _golds(question: Any) -> list[str]:
    rewrites = question.key.rewrites if question.key is not None else ()
    return [gold.text for gold in rewrites if gold.text]


def _has_gold(question: Any) -> bool:
    return bool(_golds(question))


def _known_runs(paths: Sequence[str | Path]) -> dict[Run, str]:
    """Consecutive questions and golds of the excluded tests, and where they are."""
    known: dict[Run, str] = {}
    for path in paths:
        test = open_test(path)
        test.require_kind("series")
        for record in test.records():
            for run in _runs(record):
                known.setdefault(run, f"{record.id} of {test.file}")
    return known


def _refuse_known(test: Test, records: Sequence[Series], known: dict[Run, str]) -> None:
    for record in records:
        for run in _runs(record):
            if run in known:
                raise DataError(
                    f"it has the questions of series {known[run]}, which must not be learnt from",
                    file=str(test.file),
                    where=record.id,
                )


def _runs(record: Series) -> Iterator[Run]:
    """What identifies a series, each three in a row; case and marks do not count.

    The golds, of which there is one to every question; the first questions, and any with the
    target, or with a name among them. Other questions alone are too often the same in series on
    different things.
    """
    folded = [plain(question.text) for question in record.questions]
    target = plain(record.target)
    wide = min(_RUN, len(folded))
    for index in range(len(folded) - wide + 1):
        here = record.questions[index : index + wide]
        run = tuple(folded[index : index + wide])
        if any(run):
            if index == 0 or any(_NAME.search(question.text) for question in here):
                yield ("", *run)
            if target:
                yield (target, *run)
        for golds in product(*(_golds(question)[:_GOLDS] for question in here)):
            yield ("gold", *map(plain, golds))
