"""Examining a test by a profile: what breaks a rule, place by place, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import log2
from typing import Any

from readmark.core.errors import DataError
from readmark.core.problems import Problem, of_owner
from readmark.core.records import Passage
from readmark.core.test import Place, Test
from readmark.formats.registry import open_test, sides_of
from readmark.making.rules.profiles import RULES, Profile
from readmark.making.rules.rule import LANGUAGES, Page, Settings
from readmark.making.rules.series import SeriesPage
from readmark.series.records import Series
from readmark.text.questions.types import TYPES, question_type

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
class Types:
    """Counts of question types, as the key names them, else by rule."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))

    def add(self, type: str, count: int = 1) -> None:
        """Count a question, or several."""
        self.counts[type] = self.counts.get(type, 0) + count

    @property
    def questions(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    def summary(self) -> Mapping[str, object]:
        """Counts, entropy in bits, evenness over twelve types, and the largest type's share."""
        largest = max(self.counts, key=lambda one: self.counts[one])
        counts = self.counts.values()
        return {
            "counts": self.counts,
            "entropy": entropy(counts),
            "evenness": evenness(counts, len(TYPES)),
            "largest": largest if self.questions else None,
            "largest_share": largest_share(counts),
        }

    def missing(self, settings: Settings) -> Iterator[str]:
        """What a test of enough questions should ask and never does."""
        if self.questions < settings["least"]:
            return
        absent = [name for name in settings["types"] if not self.counts.get(name)]
        if absent:
            yield f"no question of {self.questions} is of the type {', '.join(absent)}"


# The two sides of a bilingual test: every passage, question and key stands on both.


@dataclass(slots=True)
class Side:
    """The ids that one language of a corpus shares with the other."""

    file: str
    language: str
    passages: dict[str, tuple[Place, str]] = field(default_factory=dict)
    questions: dict[str, tuple[Place, str, bool]] = field(default_factory=dict)

    def add(self, place: Place, passage: Passage) -> None:
        """Note a passage and its questions."""
        self.passages[passage.parallel or passage.id] = place, passage.id
        for question in passage.questions:
            key = question.key
            keyed = key is not None and bool(key.answers or key.published)
            self.questions[question.shared_id] = place, question.id, keyed


def parallel_findings(sides: Sequence[Side], severity: str) -> Iterator[tuple[Side, Problem]]:
    """What one side has and the other has not; sides without a common passage are no pair."""
    for one, other in permutations(sides, 2):
        if one.language == other.language or not one.passages.keys() & other.passages.keys():
            continue
        for place, id, said in _alone(one, other):
            yield one, of_owner(one.file, place, id, "no_parallel", said, severity)


def _alone(one: Side, other: Side) -> Iterator[tuple[Place, str, str]]:
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
