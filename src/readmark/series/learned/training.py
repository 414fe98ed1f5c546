"""Training the learned rewriter: from series with gold rewrites to a model's file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import require_distinct_files, same_file, writing
from readmark.core.language import primary
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.registry import open_lessons, open_test
from readmark.series.learned.confidence import (
    SIGNS,
    STYLES,
    Confidence,
    SignRegression,
    signs_of,
    to_json,
)
from readmark.series.metrics.rewrites import answers_meant
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.records import Series
from readmark.series.rewriters import LANGUAGES, RULES, guided_rewrites, setting_of
from readmark.series.words import plain, words

Notify = Callable[[str], None]
Run = tuple[str, ...]

_RUN = 3
"""How many questions in a row two series share only when they are one."""
_GOLDS = 3
"""The most golds that a question has by the guidelines."""
_NAME = re.compile(r"[^\W\d_].*\s[(\"'“‘]?[A-Z][\w'’-]|\d{2}")
"""A capital after the first word, or a number: what two series hardly share by chance."""
_EVERY = 50


@dataclass(frozen=True, slots=True)
class LearntTest:
    """What one test gave to the training."""

    file: str
    series: int
    questions: int
    """Questions with a gold rewrite."""
    right: int
    """Of these, how many guided rewrites as a gold does."""


@dataclass(frozen=True, slots=True)
class TrainedRewriter:
    """What was learnt from, and where the model is."""

    model: str
    tests: tuple[LearntTest, ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""


def train_rewriter(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    apart_from: Sequence[str | Path] = (),
    split: str | None = None,
    notify: Notify = lambda _: None,
) -> TrainedRewriter:
    """Train a model on series and write it; a test with a series of ``apart_from`` is refused.

    Hidden splits are not learnt from, unless ``split`` selects one.
    """
    _require_place(out, tests, apart_from)
    hidden: list[str] = []

    def withhold(note: str) -> None:
        hidden.append(note)
        notify(note)

    opened = [_of_series(open_lessons(path, withhold, split=split)) for path in tests]
    known = _known_runs(apart_from)
    records = list(_without_repeats(opened, notify))
    for test, own in records:
        _refuse_known(test, own, known)
    judged: list[RewriteLesson] = []
    learnt: list[LearntTest] = []
    for test, own in records:
        rewrites = list(_judged(test, own, notify))
        asked = sum(_has_gold(question) for series in own for question in series.questions)
        right = sum(one.right for one in rewrites if one.weight != UNTYPED)
        learnt.append(LearntTest(str(test.file), len(own), asked, right))
        notify(f"{test.file}: {asked} questions of {len(own)} series, {right} rewritten right")
        judged += rewrites
    if not judged:
        raise DataError("there is no question with a gold rewrite to learn from")
    note: dict[str, Any] = {
        "version": __version__,
        "rules": RULES,
        "tests": [
            {"file": Path(one.file).name, "series": one.series, "questions": one.questions}
            for one in learnt
        ],
    }
    with writing(out) as stream:
        stream.write(to_json(Confidence(_styles(judged), note)).encode("utf-8"))
    return TrainedRewriter(str(out), tuple(learnt), tuple(hidden))


# Judged rewrites, and the regression on them.


UNTYPED = 0.5
"""What a rewrite counts whose target's type was hidden: it repeats another."""
PENALTY, ROUNDS = 10.0, 30


@dataclass(frozen=True, slots=True)
class RewriteLesson:
    """The signs of a rewrite, whether it equals a gold one, and how much it counts."""

    signs: Mapping[str, float]
    right: bool
    weight: float = 1.0
    style: str = "series"


def judged_of(series: Series, language: str) -> Iterator[RewriteLesson]:
    """Every rewrite of ``guided`` for which there is a gold one."""
    texts = [question.text for question in series.questions]
    setting = setting_of(series)
    made = guided_rewrites(series, language)
    for index, question in enumerate(series.questions):
        if golds := {tuple(words(gold)) for gold in _instances(series, question)}:
            right = tuple(words(made[index].text)) in golds
            signs = signs_of(setting, texts, made, index)
            yield RewriteLesson(signs, right, style=STYLES[setting.conversation])


def _judged(test: Test, records: Sequence[Series], notify: Notify) -> Iterator[RewriteLesson]:
    """Of each series as it is, and without the type of its target."""
    language = primary(test.language)
    for index, record in enumerate(records, 1):
        yield from judged_of(record, language)
        if record.target_type is not None:
            untyped = msgspec.structs.replace(record, target_type=None)
            yield from (replace(one, weight=UNTYPED) for one in judged_of(untyped, language))
        if index % _EVERY == 0:
            notify(f"{test.file}: {index} of {len(records)} series read")


def _instances(series: Series, question: Any) -> Iterator[str]:
    """The golds, also with the known answers in place of the variable."""
    answers = answers_meant(series, question)
    for gold in _golds(question):
        yield gold
        if PREVIOUS_ANSWER in gold:
            for answer in (*answers, " ".join(answers)):
                yield gold.replace(PREVIOUS_ANSWER, answer)


def _styles(judged: Sequence[RewriteLesson]) -> dict[str, SignRegression]:
    """A regression for each style that there are judged rewrites of."""
    styles = {style: [one for one in judged if one.style == style] for style in STYLES}
    return {style: learn(own) for style, own in styles.items() if own}


def learn(judged: Sequence[RewriteLesson]) -> SignRegression:
    """A logistic regression with a penalty, by Newton's method: the same on any machine."""
    import numpy as np

    numbers = np.array([[one.signs[name] for name in SIGNS] for one in judged])
    right = np.array([float(one.right) for one in judged])
    counts = np.array([one.weight for one in judged])
    mean, spread = numbers.mean(axis=0), numbers.std(axis=0)
    spread = np.where(spread < 1e-4, 1.0, spread)
    rows = np.hstack([np.ones((len(numbers), 1)), (numbers - mean) / spread])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[0] = 1e-3
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        share = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (right - share)) - penalty * weights
        bend = (rows * (counts * share * (1 - share))[:, None]).T @ rows + np.diag(penalty)
        weights = weights + np.linalg.solve(bend, slope)
    each = zip(SIGNS, mean.tolist(), spread.tolist(), weights[1:].tolist(), strict=True)
    return SignRegression(float(weights[0]), {name: (m, s, w) for name, m, s, w in each})


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


def _of_series(test: Test) -> Test:
    test.require_kind("series")
    if primary(test.language) not in LANGUAGES:
        raise UsageError(
            f"{test.file} is in {test.language!r}; guided rewrites English and Chinese"
        )
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
