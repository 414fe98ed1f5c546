"""What breaks the rules of a profile in a test: ``check --profile``."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from readmark.comprehension import QuestionOverlap
from readmark.core import numbers
from readmark.core.display import ABSENT, Result, counted, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_toml
from readmark.core.problems import Problem, ignore, of_owner
from readmark.core.question_rules import RULED_LANGUAGES, RuleSettings
from readmark.core.records import Passage
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.formats.registry import open_languages
from readmark.making.rules.parallel_sides import ParallelSide, parallel_findings
from readmark.making.rules.profiles import (
    BASE,
    RuleProfile,
    profile_named,
    rules_by_code,
    rules_by_kind,
)
from readmark.making.rules.type_counts import TypeCounts


def examiner_for(profile: str | None) -> Examiner | None:
    """An examiner by a profile, or by a TOML file that changes one; None where none is named."""
    if profile is None:
        return None
    if not profile.endswith(".toml"):
        return Examiner(profile_named(profile))
    name = read_toml(profile).get(BASE)
    if not isinstance(name, str):
        message = 'expected the profile that the file changes, such as profile = "cmrc"'
        raise DataError(message, file=profile, where=BASE)
    return Examiner(profile_named(name, config=profile))


@dataclass(slots=True)
class Examination:
    """The findings of a profile's rules in one test; a file of two languages holds two tests."""

    file: str
    language: str
    noun: str = "passage"
    """What its records are called."""
    passages: int = 0
    """How many records there are."""
    questions: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    """How often each rule was broken: a question with several golds may break it several times."""
    owners: dict[str, set[str]] = field(default_factory=dict)
    """The questions and records that break each rule."""
    types: TypeCounts = field(default_factory=TypeCounts)
    unruled: tuple[str, ...] = ()
    """Rules that are not for the language."""

    def as_json(self) -> dict[str, Any]:
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
        self._page = rules_by_kind()[profile.kind].page
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
                    yield from self._examine_test(test)

    def breaking(self, test: Test) -> dict[str, set[str]]:
        """The ids of questions and records that break each rule of the profile."""
        if test.kind.name != self.profile.kind:
            raise UsageError(f"{self._scope}, {test.file} is of {test.kind.name}")
        owners: dict[str, set[str]] = {code: set() for code in self.profile.rules}
        for owner, code, _ in self.findings(test):
            owners[code].add(owner)
        return owners

    def findings(self, test: Test) -> Iterator[tuple[str, str, str]]:
        """What breaks the rules: the id of a question or record, the rule's code and a message."""
        examination = self._new_examination(test)
        for record in test.records():
            yield from self._examine_record(test, record, examination)

    def _new_examination(self, test: Test) -> Examination:
        """An empty examination; rules that are not for the language of the test are named."""
        unruled: tuple[str, ...] = ()
        if test.language not in RULED_LANGUAGES:
            unruled = tuple(code for code in self.profile.rules if self._rules[code].needs_language)
        return Examination(test.file, test.language, test.kind.record_noun, unruled=unruled)

    def between(self) -> Iterator[Problem]:
        """What one language of the tests has and the other lacks."""
        rule = self.profile.rules.get("no_parallel")
        if rule is None:
            return
        for side, problem in parallel_findings(self._sides, rule.severity):
            self.examinations[self._sides.index(side)].codes[problem.code] += 1
            yield problem

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not checked: rules for other languages, and parallels of a single language."""
        notes = [
            f"{examination.file}: not checked: {', '.join(examination.unruled)}, which are for "
            f"English and Chinese; this is {examination.language!r}"
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
            "examinations": [examination.as_json() for examination in self.examinations],
        }

    def show(self, console: Console) -> None:
        """One table per test, and its question types."""
        for examination in self.examinations:
            records = counted(examination.passages, examination.noun)
            console.print(
                f"{examination.file} ({examination.language}), rules of {self.profile.name}: "
                f"{records}, {counted(examination.questions, 'question')}"
            )
            table = plain_table("rule", "severity", "found", "of questions")
            for code, applied in self.profile.rules.items():
                count = examination.codes.get(code, 0)
                questions = examination.questions
                is_ruled = code not in examination.unruled
                has_share = is_ruled and questions and self._rules[code].of_questions
                breaking = len(examination.owners.get(code, ()))
                share = numbers.percent(breaking / questions) if has_share else ABSENT
                table.add_row(code, applied.severity, f"{count:,}" if is_ruled else ABSENT, share)
            console.print(table)
            console.print(examination.types.line(), soft_wrap=False)

    def _examine_test(self, test: Test) -> Iterator[Problem]:
        if test.kind.name != self.profile.kind:
            yield Problem(test.file, 1, "profile", f"{self._scope}, this is of {test.kind.name}")
            return
        examination = self._new_examination(test)
        self.examinations.append(examination)
        side = ParallelSide(test.file, examination.language)
        self._sides.append(side)
        rows = test.unit_rows() if test.unit_rows is not None else {}
        for place, record in test.stream(ignore):
            if isinstance(record, Passage):
                side.add(place, record)
            for owner, code, message in self._examine_record(test, record, examination):
                examination.codes[code] += 1
                examination.owners.setdefault(code, set()).add(owner)
                severity = self.profile.rules[code].severity
                place_of = rows.get(owner, place)
                yield of_owner(test.file, place_of, owner, code, message, severity)
        of_test: dict[str, Callable[[RuleSettings], Iterator[str]]] = {
            "high_overlap": functools.partial(_high_overlaps, test),
            "missing_types": examination.types.missing,
        }
        for code, find in of_test.items():
            rule = self.profile.rules.get(code)
            if rule is not None and code not in examination.unruled:
                for message in find(rule.settings):
                    examination.codes[code] += 1
                    yield Problem(test.file, 1, code, message, rule.severity)

    def _examine_record(
        self, test: Test, record: Any, examination: Examination
    ) -> Iterator[tuple[str, str, str]]:
        examination.passages += 1
        page = self._page(record, examination.language, record.split in test.header.hidden)
        for type in page.question_types():
            examination.questions += 1
            if type is not None:
                examination.types.add(type)
        for code, applied in self.profile.rules.items():
            find = self._rules[code].find
            if code not in examination.unruled and find is not None:
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
