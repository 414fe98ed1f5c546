"""``check --profile``: which question rules a document asks for, and what breaks them in a test.

The rules are the kinds' own (see `readmark.core.question_rules`). A profile is a TOML file: a table
a rule, with ``severity`` (error, warning, off) and thresholds. A user's file changes single
values of a shipped profile.
"""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from math import log2
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.comprehension import QuestionOverlap
from readmark.core import numbers
from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_toml
from readmark.core.kinds import KINDS
from readmark.core.problems import Problem, ignore, of_owner
from readmark.core.question_rules import (
    RULED_LANGUAGES,
    QuestionRule,
    QuestionRules,
    RuledQuestions,
    RuleSettings,
)
from readmark.core.records import Passage
from readmark.core.splits import split_order
from readmark.core.test import RecordPlace, Test
from readmark.formats.registry import open_languages
from readmark.text.questions.types import TYPES

SEVERITIES = ("error", "warning", "off")


@functools.cache
def _known() -> dict[str, QuestionRules]:
    """The question rules of every kind that has some."""
    kinds = KINDS.working()
    return {name: kind.question_rules() for name, kind in kinds if isinstance(kind, RuledQuestions)}


def profile_names() -> list[str]:
    """The profiles of all kinds."""
    return [name for own in _known().values() for name in own.profiles]


def rules_by_code() -> dict[str, QuestionRule]:
    """The rules of all kinds."""
    return {rule.code: rule for own in _known().values() for rule in own.rules}


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A rule as a profile applies it."""

    code: str
    severity: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """The rules of one document."""

    name: str
    document: str
    rules: Mapping[str, AppliedRule]
    kind: str
    """The kind of test that it is for."""


BASE = "profile"
"""The key by which a user's file names the profile that it changes."""


def profile_named(name: str, *, config: str | Path | None = None) -> RuleProfile:
    """A shipped profile, with what a user's file changes in it."""
    kind = next((kind for kind, own in _known().items() if name in own.profiles), None)
    if kind is None:
        raise UsageError(f"no profile {name!r}; {did_you_mean(name, profile_names())}")
    shipped = tomllib.loads(_known()[kind].profiles[name].read_text("utf-8"))
    document = shipped.pop("document")
    rules = {code: _applied(code, table, name, None) for code, table in shipped.items()}
    kinds = {rule.code: kind for kind, own in _known().items() for rule in own.rules}
    if config is not None:
        for code, table in read_toml(config).items():
            if code == BASE:
                continue
            rules[code] = _applied(code, table, config, rules.get(code))
            if kinds[code] != kind:
                message = f"the rule is for {kinds[code]} tests, the profile {name} for {kind}"
                raise DataError(message, file=config, where=code)
    kept = {code: rules[code] for code in kinds if code in rules and rules[code].severity != "off"}
    return RuleProfile(name, document, kept, kind)


def examiner_for(profile: str | None) -> Examiner | None:
    """What examines by a profile, or by a TOML file that changes one; None where none is named."""
    if profile is None or not profile.endswith(".toml"):
        return None if profile is None else Examiner(profile_named(profile))
    name = read_toml(profile).get(BASE)
    if not isinstance(name, str):
        message = 'expected the profile that the file changes, such as profile = "cmrc"'
        raise DataError(message, file=profile, where=BASE)
    return Examiner(profile_named(name, config=profile))


def _applied(code: str, table: Any, file: object, before: AppliedRule | None) -> AppliedRule:
    known = rules_by_code()
    if code not in known:
        raise DataError(f"no rule {code!r}; {did_you_mean(code, known)}", file=file)
    if not isinstance(table, dict):
        raise DataError(f"expected a table of settings, found {table!r}", file=file, where=code)
    changed = dict(table)
    severity = changed.pop("severity", before.severity if before else "warning")
    if severity not in SEVERITIES:
        message = f"severity is {severity!r}, expected one of {', '.join(SEVERITIES)}"
        raise DataError(message, file=file, where=code)
    settings = dict(before.settings if before else known[code].settings)
    for name, value in changed.items():
        if name not in settings:
            hint = did_you_mean(name, ("severity", *settings))
            raise DataError(f"no setting {name!r}; {hint}", file=file, where=code)
        settings[name] = _fitting(settings[name], value, file, f"{code}.{name}")
    return AppliedRule(code, severity, settings)


def _fitting(usual: Any, value: Any, file: object, where: str) -> Any:
    """A value of the same sort as the usual one; a table changes only what it names."""
    if isinstance(usual, dict):
        if not isinstance(value, dict):
            return {name: _fitting(one, value, file, where) for name, one in usual.items()}
        for name in value:
            if name not in usual:
                raise DataError(f"no {name!r}; {did_you_mean(name, usual)}", file=file, where=where)
        return {
            name: _fitting(one, value.get(name, one), file, f"{where}.{name}")
            for name, one in usual.items()
        }
    number = isinstance(usual, (int, float))
    wanted: Any = (int, float) if isinstance(usual, float) else type(usual)
    if isinstance(value, bool) or not isinstance(value, wanted) or (number and value < 0):
        expected = {int: "a whole number", float: "a number", list: "a list"}[type(usual)]
        raise DataError(f"is {value!r}, expected {expected}", file=file, where=where)
    if isinstance(usual, list) and not all(isinstance(one, type(usual[0])) for one in value):
        raise DataError(f"is {value!r}, expected a list like {usual!r}", file=file, where=where)
    return value


# How evenly things spread over classes: the entropy of a distribution, and its largest share.


def entropy(counts: Iterable[int]) -> float:
    """Shannon's entropy in bits ("A Mathematical Theory of Communication", 1948); 0 for nothing."""
    found = [count for count in counts if count > 0]
    total = sum(found)
    return sum(count / total * log2(total / count) for count in found)


def evenness(counts: Iterable[int], classes: int) -> float | None:
    """Entropy as a share of what as many equal classes have; None for fewer than two classes.

    Pielou's evenness, "The Measurement of Diversity in Different Types of Biological Collections".
    """
    found = list(counts)
    return entropy(found) / log2(classes) if classes > 1 and any(found) else None


def largest_share(counts: Iterable[int]) -> float | None:
    """The share of the largest class; None when nothing was counted."""
    found = list(counts)
    total = sum(found)
    return max(found) / total if total else None


# How diverse the questions of a test are: the twelve types, and how evenly they spread.


@dataclass(slots=True)
class TypeCounts:
    """Counts of question types, as the key names them, else by rule."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))

    def add(self, type: str, count: int = 1) -> None:
        """Count a question, or several."""
        self.counts[type] = self.counts.get(type, 0) + count

    @property
    def questions(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    def summary(self) -> Mapping[str, Any]:
        """Counts, entropy in bits, evenness over twelve types, and the largest type's share."""
        counts = self.counts.values()
        return {
            "counts": self.counts,
            "entropy": entropy(counts),
            "evenness": evenness(counts, len(TYPES)),
            "largest": max(self.counts, key=self.counts.__getitem__) if self.questions else None,
            "largest_share": largest_share(counts),
        }

    def line(self) -> str:
        """The types in one paragraph, the most frequent first."""
        share = largest_share(self.counts.values())
        if share is None:
            return "types: none given"
        ordered = sorted(self.counts.items(), key=lambda item: -item[1])
        named = ", ".join(f"{type} {count:,}" for type, count in ordered if count)
        spread = self.summary()
        return (
            f"types: {named}; entropy {numbers.decimal(spread['entropy'])} bits "
            f"(evenness {numbers.decimal(spread['evenness'])}), "
            f"largest {spread['largest']} {numbers.percent(share)}\n"
        )

    def missing(self, settings: RuleSettings) -> Iterator[str]:
        """What a test of enough questions should ask and never does."""
        if self.questions < settings["least"]:
            return
        absent = [name for name in settings["types"] if not self.counts.get(name)]
        if absent:
            yield f"no question of {self.questions} is of the type {', '.join(absent)}"


# The two sides of a bilingual test: every passage, question and key is on both.


@dataclass(slots=True)
class ParallelSide:
    """The ids that one language of a corpus shares with the other."""

    file: str
    language: str
    passages: dict[str, tuple[RecordPlace, str]] = field(default_factory=dict)
    questions: dict[str, tuple[RecordPlace, str, bool]] = field(default_factory=dict)

    def add(self, place: RecordPlace, passage: Passage) -> None:
        """Note a passage and its questions."""
        self.passages[passage.shared_id] = place, passage.id
        for question in passage.questions:
            key = question.key
            keyed = key is not None and bool(key.answers or key.published)
            self.questions[question.shared_id] = place, question.id, keyed


def parallel_findings(
    sides: Sequence[ParallelSide], severity: str
) -> Iterator[tuple[ParallelSide, Problem]]:
    """What one side has and the other has not; sides without a common passage are no pair."""
    for side, other in permutations(sides, 2):
        if side.language == other.language or not side.passages.keys() & other.passages.keys():
            continue
        for place, id, message in _alone(side, other):
            yield side, of_owner(side.file, place, id, "no_parallel", message, severity)


def _alone(one: ParallelSide, other: ParallelSide) -> Iterator[tuple[RecordPlace, str, str]]:
    for shared, (place, id) in one.passages.items():
        if shared not in other.passages:
            yield place, id, f"the {other.language} side has no parallel of this passage"
    for shared, (place, id, keyed) in one.questions.items():
        found = other.questions.get(shared)
        if found is None:
            yield place, id, f"the {other.language} side has no parallel of this question"
        elif keyed and not found[2]:
            yield place, id, f"its parallel on the {other.language} side has no answer key"


@dataclass(slots=True)
class Examination:
    """What the rules of a profile found in one test; a file of two sides holds two."""

    file: str
    language: str
    noun: str = "passage"
    """What its records are called."""
    passages: int = 0
    """How many there are."""
    questions: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    """How often each rule was broken: a question with several golds may break it several times."""
    owners: dict[str, set[str]] = field(default_factory=dict)
    """The questions and records that break each rule."""
    types: TypeCounts = field(default_factory=TypeCounts)
    unruled: tuple[str, ...] = ()
    """Rules that do not know the language."""

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "file": self.file,
            "language": self.language,
            "passages": self.passages,
            "questions": self.questions,
            "codes": dict(self.codes),
            "broken_by": {code: len(owners) for code, owners in self.owners.items()},
            "types": self.types.summary(),
            "unruled": self.unruled,
        }


class Examiner(Result):
    """Examines tests one after the other, then what only shows between them; then sums up."""

    def __init__(self, profile: RuleProfile) -> None:
        self.profile = profile
        self._rules = rules_by_code()
        self._page = _known()[profile.kind].page
        self._scope = f"the rules of {profile.name} are for {profile.kind} tests"
        self.examinations: list[Examination] = []
        self._sides: list[ParallelSide] = []

    def examine(
        self, path: str, *, format: str | None = None, split: str | None = None
    ) -> Iterator[Problem]:
        """What breaks a rule in a file; the check itself reports what cannot be read."""
        with suppress(DataError):
            for test in open_languages(path, format=format, split=split):
                with suppress(DataError):  # a fault of one language is no reason to skip the other
                    yield from self._test(test)

    def breaking(self, test: Test) -> dict[str, set[str]]:
        """The ids of questions and records that break each rule of the profile."""
        if test.kind.name != self.profile.kind:
            raise UsageError(f"{self._scope}, {test.file} is of {test.kind.name}")
        found: dict[str, set[str]] = {code: set() for code in self.profile.rules}
        for owner, code, _ in self.findings(test):
            found[code].add(owner)
        return found

    def findings(self, test: Test) -> Iterator[tuple[str, str, str]]:
        """What breaks the rules: the id of a question or record, the rule's code and a message."""
        done = self._examination(test)
        for record in test.records():
            yield from self._record(test, record, done)

    def _examination(self, test: Test) -> Examination:
        """What counts along; rules that do not know the language of the test are named."""
        unruled: tuple[str, ...] = ()
        if test.language not in RULED_LANGUAGES:
            unruled = tuple(code for code in self.profile.rules if self._rules[code].needs_language)
        return Examination(test.file, test.language, test.kind.record_noun, unruled=unruled)

    def between(self) -> Iterator[Problem]:
        """What one language has and the other has not."""
        rule = self.profile.rules.get("no_parallel")
        if rule is None:
            return
        for side, problem in parallel_findings(self._sides, rule.severity):
            self.examinations[self._sides.index(side)].codes[problem.code] += 1
            yield problem

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not checked: rules of another language, and parallels of one language alone."""
        notes = [
            f"{examination.file}: not checked: {', '.join(examination.unruled)} know "
            f"English and Chinese, this is {examination.language!r}"
            for examination in self.examinations
            if examination.unruled
        ]
        languages = {side.language for side in self._sides}
        if "no_parallel" in self.profile.rules and len(languages) == 1:
            notes.append("parallel questions were not checked: give the tests of both languages")
        return tuple(notes)

    def as_json(self) -> dict[str, Any]:
        codes = Counter(dict.fromkeys(self.profile.rules, 0))
        types = TypeCounts()
        for examination in self.examinations:
            codes.update(examination.codes)
            for type, count in examination.types.counts.items():
                types.add(type, count)
        return {
            "profile": self.profile.name,
            "rules": self.profile.rules,
            "codes": codes,
            "types": types.summary(),
            "examinations": [examination.summary() for examination in self.examinations],
        }

    def show(self, console: Console) -> None:
        """One table per test, and its question types."""
        for done in self.examinations:
            size = f"{counted(done.passages, done.noun)}, {counted(done.questions, 'question')}"
            console.print(f"{done.file} ({done.language}), rules of {self.profile.name}: {size}")
            table = plain_table("rule", "severity", "found", "of questions")
            for code, applied in self.profile.rules.items():
                count = done.codes.get(code, 0)
                is_ruled = code not in done.unruled
                has_share = is_ruled and done.questions and self._rules[code].of_questions
                breaking = len(done.owners.get(code, ()))
                share = numbers.percent(breaking / done.questions) if has_share else ABSENT
                table.add_row(code, applied.severity, f"{count:,}" if is_ruled else ABSENT, share)
            console.print(table)
            console.print(done.types.line(), soft_wrap=False)

    def _test(self, test: Test) -> Iterator[Problem]:
        if test.kind.name != self.profile.kind:
            yield Problem(test.file, 1, "profile", f"{self._scope}, this is of {test.kind.name}")
            return
        done = self._examination(test)
        self.examinations.append(done)
        side = ParallelSide(test.file, done.language)
        self._sides.append(side)
        rows = test.unit_rows() if test.unit_rows is not None else {}
        for place, record in test.stream(ignore):
            if isinstance(record, Passage):
                side.add(place, record)
            for owner, code, message in self._record(test, record, done):
                done.codes[code] += 1
                done.owners.setdefault(code, set()).add(owner)
                severity = self.profile.rules[code].severity
                place_of = rows.get(owner, place)
                yield of_owner(test.file, place_of, owner, code, message, severity)
        whole: dict[str, Callable[[RuleSettings], Iterator[str]]] = {
            "high_overlap": functools.partial(_high_overlaps, test),
            "missing_types": done.types.missing,
        }
        for code, find in whole.items():
            rule = self.profile.rules.get(code)
            if rule is not None and code not in done.unruled:
                for message in find(rule.settings):
                    done.codes[code] += 1
                    yield Problem(test.file, 1, code, message, rule.severity)

    def _record(self, test: Test, record: Any, done: Examination) -> Iterator[tuple[str, str, str]]:
        done.passages += 1
        page = self._page(record, done.language, record.split in test.header.hidden)
        for type in page.question_types():
            done.questions += 1
            if type is not None:
                done.types.add(type)
        for code, applied in self.profile.rules.items():
            find = self._rules[code].find
            if code not in done.unruled and find is not None:
                for owner, message in find(page, applied.settings):
                    yield owner, code, message


def _high_overlaps(test: Test, settings: RuleSettings) -> Iterator[str]:
    """The splits of enough questions with too many of their words in the answer sentences."""
    overlap = QuestionOverlap(test.kind, test.language)
    shares: dict[str | None, list[float]] = {}
    for _, record in test.stream(ignore):
        for unit in test.kind.units(record):
            share = overlap.with_answer_sentence(unit)
            if share is not None:
                shares.setdefault(record.split, []).append(share)
    for split in sorted(shares, key=split_order):
        mean = sum(shares[split]) / len(shares[split])
        if len(shares[split]) >= settings["least"] and mean > settings["most"]:
            where = f" of {split}" if split is not None else ""
            questions = counted(len(shares[split]), "question")
            yield (
                f"{numbers.percent(mean)} of the words of {questions}{where} are in the answer "
                f"sentence, at most {numbers.percent(settings['most'])}: matching words is "
                "enough to answer them"
            )
