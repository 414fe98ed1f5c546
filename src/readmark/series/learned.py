"""How likely a rewrite of ``guided`` is right: a logistic regression on signs that can be read.

The signs are of the question, of what was done to it and by which rule, and of what it may lean
on. They are the same in English and Chinese, so one model serves both. Training goes from series
with gold rewrites to a model's file.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes, refuse_newer, same_file, writing
from readmark.core.language import primary
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.lessons import LessonTests, Progress, TrainedModel, require_model_file
from readmark.formats.registry import open_test
from readmark.series.guided.edits import Rewrite
from readmark.series.metrics.rewrites import answers_meant
from readmark.series.records import PREVIOUS_ANSWER, Series
from readmark.series.rewriters import LANGUAGES, RULES, guided_rewrites, setting_of
from readmark.series.words import plain, words
from readmark.text.training_record import MEMBER

# What speaks for or against a rewrite.


_GUIDELINES = {
    "Pronouns (1)": "a pronoun",
    "Pronouns (2)": "a possessive",
    "It": "it",
    "Previous Questions and Answers": "an earlier question or answer",
    "Context independence and readability": "a nominal or a gap",
    "Target matches a sub-string of the question": "a part of the target",
    "Targets that contain brackets": "a name in brackets",
    "Reformulate questions so as to maximise search results": "a name in full",
    "fallback: the target is appended": "the fallback",
}
_HE = re.compile(r"\b(?:he|she|him|her|his)\b|[他她](?!们)", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|its)\b|它(?!们)", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|them|their)\b|[他她它]们|其中", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this|that|these|those|there)\b|[这那该此]", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whom)\b|谁|哪位", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:what|which)\b|什么|哪", re.IGNORECASE)
_THE = re.compile(r"\bthe [a-z]+\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=\s)[A-Z][\w'’-]+|《[^》]+》")
_TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_KINDS = ("person", "organisation", "event", "place", "thing")
_LONG, _FAR = 12, 3


@dataclass(frozen=True, slots=True)
class Setting:
    """What a series is about, as far as confidence depends on it."""

    target: str
    type: str | None = None
    conversation: bool = False
    """Without a target, or with most answers known."""


def signs_of(
    setting: Setting, questions: Sequence[str], made: Sequence[Rewrite], index: int
) -> dict[str, float]:
    """The signs of one rewrite by name."""
    text, rewrite = questions[index], made[index]
    edits = rewrite.edits
    size = len(_WORD.findall(text))
    back = [index - edit.earlier for edit in edits if edit.earlier is not None]
    earlier = " ".join(one.text for one in made[max(0, index - _FAR) : index])
    names = len(set(_NAME.findall(earlier)) - set(_NAME.findall(setting.target)))
    gaps = [edit for edit in edits if not edit.was.strip()]
    left = rewrite.text
    before = questions[index - 1] if index else ""
    name = setting.target.strip()
    said = bool(name) and any(name in edit.now for edit in edits)
    bare = bool(name) and any(edit.now.strip().startswith(name) for edit in edits)
    he, it = bool(_HE.search(text)), bool(_IT.search(text))
    signs = {
        "conversation": float(setting.conversation),
        "no target": float(not setting.target.strip()),
        "sure by the rules": -math.log(max(rewrite.sure, 0.05)),
        "nothing was changed": float(not edits),
        "several edits": float(len(edits) > 1),
        "first question": float(index == 0),
        "later in the series": min(index, 8) / 8,
        "a short question": float(size <= 4),
        "a long question": float(size > _LONG),
        "he or she": float(he),
        "the target for he, after who": float(he and said and bool(_WHO.search(before))),
        "it": float(it),
        "the target for it, after what": float(it and said and bool(_WHAT.search(before))),
        "they": float(bool(_THEY.search(text))),
        "this or there": float(bool(_THIS.search(text))),
        "a pronoun is left": float(bool(_HE.search(left) or _IT.search(left))),
        "they is left": float(bool(_THEY.search(left))),
        "this is left": float(bool(_THIS.search(left))),
        "definite nouns": min(len(_THE.findall(text)), 3) / 3,
        "an earlier answer": float(PREVIOUS_ANSWER in left),
        "an answer twice": float(left.count(PREVIOUS_ANSWER) > 1),
        "far back": float(any(distance > 1 for distance in back)),
        "something put in": float(bool(gaps)),
        "put in at the end": float(any(edit.end >= len(text.rstrip("?？。. ")) for edit in gaps)),
        "made anew": float(any(edit.start == 0 and edit.end == len(text) for edit in edits)),
        "a word twice": float(bool(_TWICE.search(left))),
        "other names before": min(names, 4) / 4,
        "names in the question": float(bool(_NAME.search(text))),
        "a long target": float(len(_WORD.findall(setting.target)) > 3),
        "no article put in": float(bare and setting.type != "person"),
        "a common noun as target": float(setting.target[:1].islower()),
    }
    rules = {_GUIDELINES.get(edit.guideline, "another rule") for edit in edits}
    signs |= {f"rule: {name}": float(name in rules) for name in (*_GUIDELINES.values(),)}
    signs |= {f"target: {kind}": float(setting.type == kind) for kind in _KINDS}
    return signs


SIGNS = tuple(signs_of(Setting(""), ["?"], [Rewrite("?")], 0))
"""The names of the signs, in the order of the weights."""


# The model: a mean, a spread and a weight for every sign.


SCHEMA = 1
MOST_REASONS = 3
LEAST_PULL = 0.2


STYLES = ("series", "conversation")


@dataclass(frozen=True, slots=True)
class SignRegression:
    """A logistic regression over the signs."""

    bias: float
    weights: Mapping[str, tuple[float, float, float]]
    """Mean, spread and weight of each sign."""

    def pulls(self, signs: Mapping[str, float]) -> dict[str, float]:
        """How far each sign moves the odds, from where they are on average."""
        return {
            name: weight * (signs[name] - mean) / spread
            for name, (mean, spread, weight) in self.weights.items()
        }

    def probability(self, signs: Mapping[str, float]) -> float:
        """How likely the rewrite is equal to a gold one."""
        score = self.bias + sum(self.pulls(signs).values())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    def reasons(self, signs: Mapping[str, float]) -> dict[str, list[str]]:
        """The signs that speak most for and against the rewrite, of those that it has."""
        pulls = {name: pull for name, pull in self.pulls(signs).items() if signs[name]}
        ranked = sorted(pulls.items(), key=lambda item: -abs(item[1]))
        telling = [(name, pull) for name, pull in ranked if abs(pull) >= LEAST_PULL]
        sides = {
            "for": [name for name, pull in telling if pull > 0][:MOST_REASONS],
            "against": [name for name, pull in telling if pull < 0][:MOST_REASONS],
        }
        return {side: names for side, names in sides.items() if names}


@dataclass(frozen=True, slots=True)
class Confidence:
    """A regression for series by the guidelines, and one for conversations, whose golds differ."""

    styles: Mapping[str, SignRegression]
    note: Mapping[str, Any] = field(default_factory=dict)

    def of(self, setting: Setting) -> SignRegression:
        """The regression for a series; the other where nothing was learnt from its like."""
        style = STYLES[setting.conversation]
        return self.styles.get(style) or next(iter(self.styles.values()))


def to_json(model: Confidence) -> str:
    """The file of a model: a line for every sign."""
    styles = []
    for style, regression in model.styles.items():
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps([_short(number) for number in numbers])}"
            for name, numbers in regression.weights.items()
        )
        bias = _short(regression.bias)
        styles.append(f'{json.dumps(style)}: {{"bias": {bias}, "signs": {{\n{rows}}}}}')
    note = json.dumps(dict(model.note), ensure_ascii=False)
    return (
        f'{{"readmark": {SCHEMA}, "model": "rewriter",\n"note": {note},\n'
        f'"styles": {{\n{",".join(styles)}}}}}\n'
    )


def _short(number: float) -> float:
    return float(f"{number:.4g}")


def from_json(text: str, *, file: str) -> Confidence:
    """A model from its file; one for other signs than these is refused."""
    try:
        refuse_newer(text, SCHEMA, file=file)
        members = json.loads(text)
        if not isinstance(members, dict) or members.get("model") != "rewriter":
            raise DataError("this is no rewriter model of schema 1", file=file)
        if members.get("readmark") != SCHEMA:
            raise DataError("this is no rewriter model of schema 1", file=file)
        styles, note = members["styles"], members.get("note", {})
        if not isinstance(styles, dict) or not isinstance(note, dict) or not styles:
            raise ValueError("styles and note have members with names")
        found = {style: _regression(styles[style], file) for style in styles if style in STYLES}
    except KeyError as error:
        raise DataError(f"the rewriter model lacks {error}", file=file) from None
    except (ValueError, TypeError, IndexError, RecursionError) as error:
        raise DataError(f"the rewriter model cannot be read: {error}", file=file) from None
    return Confidence(found, note)


def _regression(members: Mapping[str, Any], file: str) -> SignRegression:
    if tuple(members["signs"]) != SIGNS:
        raise DataError("it was made for other signs; train it again", file=file)
    bias = float(members["bias"])
    numbers = {
        name: (float(row[0]), float(row[1]), float(row[2]))
        for name, row in members["signs"].items()
    }
    finite = all(math.isfinite(number) for row in numbers.values() for number in (*row, bias))
    if not finite or any(spread <= 0 for _, spread, _ in numbers.values()):
        raise ValueError("a number is not finite, or a spread not above 0")
    return SignRegression(bias, numbers)


def fingerprint(model: Confidence) -> str:
    """Which weights these are."""
    return hashlib.sha256(to_json(model).encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=4)
def load_confidence(path: str | None = None) -> Confidence:
    """The model in a file, or the one that ships."""
    if path is not None:
        try:
            return from_json(read_bytes(path).decode("utf-8"), file=path)
        except UnicodeDecodeError as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = shipped_confidence()
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))


def shipped_confidence() -> Path:
    """The model that ships."""
    return Path(str(files("readmark.series"))) / "data" / "learned" / "confidence.json"


# Training the learned rewriter: from series with gold rewrites to a model's file.


Run = tuple[str, ...]

_RUN = 3
"""How many questions in a row two series share only when they are one."""
_GOLDS = 3
"""The most golds that a question has by the guidelines."""
_DISTINCTIVE = re.compile(r"[^\W\d_].*\s[(\"'“‘]?[A-Z][\w'’-]|\d{2}")
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
class TrainedRewriter(TrainedModel):
    """What was learnt from, and where the model is."""

    tests: tuple[LearntTest, ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""


def train_rewriter(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    apart_from: Sequence[str | Path] = (),
    split: str | None = None,
    notify: Progress = lambda _: None,
) -> TrainedRewriter:
    """Train a model on series and write it; a test with a series of ``apart_from`` is refused.

    Hidden splits are not learnt from, unless ``split`` selects one.
    """
    require_model_file(out, [*tests, *apart_from])
    for index, path in enumerate(tests):
        if any(same_file(path, other) for other in tests[:index]):
            raise UsageError(f"{path} is named twice: it would be learnt twice")
    opening = LessonTests(notify)
    opened = [_of_series(opening.open(path, split=split)) for path in tests]
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
        MEMBER: opening.record().as_json(),
    }
    with writing(out) as stream:
        stream.write(to_json(Confidence(_styles(judged), note)).encode("utf-8"))
    return TrainedRewriter(str(out), tuple(learnt), tuple(opening.hidden))


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


def _judged(test: Test, records: Sequence[Series], notify: Progress) -> Iterator[RewriteLesson]:
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


def _of_series(test: Test) -> Test:
    test.require_kind("series")
    if primary(test.language) not in LANGUAGES:
        raise UsageError(
            f"{test.file} is in {test.language!r}; guided rewrites English and Chinese"
        )
    return test


def _without_repeats(
    tests: Sequence[Test], notify: Progress
) -> Iterator[tuple[Test, list[Series]]]:
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
            if index == 0 or any(_DISTINCTIVE.search(question.text) for question in here):
                yield ("", *run)
            if target:
                yield (target, *run)
        for golds in product(*(_golds(question)[:_GOLDS] for question in here)):
            yield ("gold", *map(plain, golds))
