"""Examining a test by a profile: what breaks a rule, place by place, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.formats import open_test, sides_of
from readmark.corpus.problems import Problem, of_owner
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, Series
from readmark.setting.question_rules.diversity import Types
from readmark.setting.question_rules.parallel import Side, parallel_findings
from readmark.setting.question_rules.profile import Profile
from readmark.setting.question_rules.rule import LANGUAGES, Page
from readmark.setting.question_rules.rules import RULES
from readmark.setting.series_rules.page import SeriesPage
from readmark.text.question_types import question_type


@dataclass(slots=True)
class Examination:
    """What the rules of a profile found in one test; a file of two sides holds two."""

    file: str
    language: str
    profile: str
    noun: str = "passage"
    """What its records are called."""
    passages: int = 0
    """How many there are."""
    questions: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    types: Types = field(default_factory=Types)
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
            "types": self.types.summary(),
            "unruled": self.unruled,
        }


class Examiner:
    """Examines tests one after the other, then what only shows between them."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.examinations: list[Examination] = []
        self._sides: list[Side] = []

    def examine(self, path: str, *, format: str | None = None) -> Iterator[Problem]:
        """What breaks a rule in a file; what cannot be read is told by the check itself."""
        try:
            formats: Sequence[str | None] = sides_of(path, format=format)
        except DataError:
            formats = [format]
        for one in formats:
            try:
                yield from self._test(open_test(path, format=one))
            except DataError:
                continue

    def between(self) -> Iterator[Problem]:
        """What one language has and the other has not."""
        rule = self.profile.rules.get("no_parallel")
        if rule is None:
            return
        for side, problem in parallel_findings(self._sides, rule.severity):
            self.examinations[self._sides.index(side)].codes[problem.code] += 1
            yield problem

    @property
    def alone(self) -> bool:
        """Whether parallels were to be checked and there was but one language."""
        languages = {side.language for side in self._sides}
        return "no_parallel" in self.profile.rules and len(languages) == 1

    def _test(self, test: Test) -> Iterator[Problem]:
        name = self.profile.name
        wanted = self.profile.kind
        if test.kind.name != wanted:
            said = f"the rules of {name} are for {wanted} tests, this is of {test.kind.name}"
            yield Problem(test.file, 1, "profile", said)
            return
        done = Examination(test.file, test.language, name, test.kind.record_noun)
        self.examinations.append(done)
        if done.language not in LANGUAGES:
            rules = self.profile.rules
            done.unruled = tuple(code for code in rules if RULES[code].needs_language)
        side = Side(test.file, done.language)
        self._sides.append(side)
        for place, record in test.stream(_ignore):
            if isinstance(record, Passage):
                side.add(place, record)
            for owner, code, message in self._record(test, record, done):
                done.codes[code] += 1
                severity = self.profile.rules[code].severity
                yield of_owner(test.file, place, owner, code, message, severity)
        asked = self.profile.rules.get("missing_types")
        if asked is not None and "missing_types" not in done.unruled:
            for message in done.types.missing(asked.settings):
                done.codes["missing_types"] += 1
                yield Problem(test.file, 1, "missing_types", message, asked.severity)

    def _record(
        self, test: Test, record: Passage | Series, done: Examination
    ) -> Iterator[tuple[str, str, str]]:
        done.passages += 1
        page: Page | SeriesPage
        if isinstance(record, Series):
            page = SeriesPage(record, done.language)
            for one in record.questions:
                done.questions += 1
                if page.language in LANGUAGES:
                    done.types.add(question_type(one.text, page.language))
        else:
            page = Page(record, done.language, hidden=record.split in test.header.hidden)
            for question in record.questions:
                done.questions += 1
                own = question.key.type if question.key is not None else None
                if done.language in LANGUAGES or own is not None:
                    done.types.add(own or question_type(question.text, page.language_of(question)))
        for code, applied in self.profile.rules.items():
            if code not in done.unruled:
                for owner, message in RULES[code].find(page, applied.settings):
                    yield owner, code, message


def _ignore(problem: Problem) -> None:
    """What is wrong with the file is told by the check."""
