"""People's golds of a series test as they come back: read, checked and added to the key."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readmark.core.errors import DataError
from readmark.core.problems import Problem, of_owner
from readmark.core.records import Answer
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Test
from readmark.formats.people_names import folded_name, require_name
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table
from readmark.making.blind.returns import (
    ReturnedWork,
    annotator_by_file,
    is_predictions,
    returned,
)
from readmark.making.gold_sheet import read_gold_sheet
from readmark.making.rules.examiner import Examiner
from readmark.making.rules.profiles import RuleProfile, profile_named
from readmark.series import SeriesQuestion, SeriesQuestionKey, series_findings

GUIDELINES = "A gold standard of question reformulations for TREC question series"
"""The guidelines that golds of a sheet follow."""

FAULTS = (
    "too_many_golds",
    "no_earlier_question",
    "no_embedding_gold",
    "misspelt_variable",
    "bracket_variants",
)
"""The codes of ``check`` that are about what a person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedGolds(ReturnedWork):
    """A person's golds of a question; none where a sheet is not filled in."""

    golds: tuple[str, ...]
    target: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class GoldSizes:
    """How many golds there are; the mean is over the questions that have any."""

    questions: int = 0
    golds: int = 0
    most: int = 0

    @property
    def mean(self) -> float | None:
        """Golds per question."""
        return self.golds / self.questions if self.questions else None

    def as_json(self) -> dict[str, Any]:
        """The sizes with their mean."""
        return {**asdict(self), "mean": self.mean}


def gold_sizes(test: Test, person: str | None = None) -> GoldSizes:
    """The sizes of a series test, or of one person's golds in it; equal golds of two count once."""
    counts = []
    for series in test.records():
        for question in series.questions:
            rewrites = question.key.rewrites if question.key is not None else ()
            golds = {gold.text for gold in rewrites if person in (None, gold.annotator)}
            if golds:
                counts.append(len(golds))
    return GoldSizes(len(counts), sum(counts), max(counts, default=0))


def returned_golds(
    file: str | Path, test: Test, name: str | None = None
) -> Iterator[ReturnedGolds]:
    """The golds of a file; a row of a sheet that is not filled in has none."""
    source = Source(file)
    if source.folder is None and is_table(source):
        for row in read_gold_sheet(file):
            person = name or row.person or annotator_by_file(source)
            require_name(person, "annotator", file=source.file, where=row.place)
            yield ReturnedGolds(
                id=row.id,
                annotator=person,
                golds=row.golds,
                file=source.file,
                place=row.place,
                question=row.question,
                target=row.target,
                note=row.note,
                signed=row.person,
            )
    elif source.readmark_file == "sitting" or is_predictions(source):
        for answer in returned(file, test, name):
            text = " ".join(answer.text.split())
            yield ReturnedGolds(
                id=answer.id,
                annotator=answer.annotator,
                golds=(text,) if text else (),
                file=answer.file,
                place=answer.place,
                signed=answer.signed,
            )
    else:
        test_with_golds = open_test(file)
        test_with_golds.require_kind("series")
        for series in test_with_golds.records():
            for question in series.questions:
                rewrites = question.key.rewrites if question.key is not None else ()
                for signature in dict.fromkeys(rewrite.annotator for rewrite in rewrites):
                    golds = [gold.text for gold in rewrites if gold.annotator == signature]
                    yield ReturnedGolds(
                        id=question.id,
                        annotator=name or signature or annotator_by_file(source),
                        golds=tuple(dict.fromkeys(golds)),
                        file=source.file,
                        place=question.id,
                        question=question.text,
                        target=series.target,
                        signed=signature,
                    )


def require_same_questions(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> None:
    """Refuse golds of questions that the test does not have, or has in other words."""
    questions = {
        question.id: (series.target, question.text)
        for series in test.records()
        for question in series.questions
    }
    for golds_of_person in people.values():
        for golds in golds_of_person:
            if golds.id not in questions:
                raise golds.fault(f"{test.file} has no question {golds.id!r}")
            target, question = questions[golds.id]
            for what, theirs, ours in (
                ("target", golds.target, target),
                ("question", golds.question, question),
            ):
                if theirs is not None and theirs.split() != ours.split():
                    raise golds.fault(
                        f"{golds.id!r} has another {what}: {clip(theirs)!r}, here it is "
                        f"{clip(ours)!r}"
                    )


def require_new_golds(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> None:
    """Refuse golds that the key has already, and a name that the key has in other case."""
    questions_of = {
        folded_name(name): (name, {work.id for work in golds}) for name, golds in people.items()
    }
    for series in test.records():
        for question in series.questions:
            for gold in question.key.rewrites if question.key is not None else ():
                name, ids = questions_of.get(folded_name(gold.annotator or ""), ("", set()))
                if name and (name != gold.annotator or question.id in ids):
                    raise DataError(
                        f"the key has golds of {gold.annotator!r} already; these are of {name!r}",
                        file=test.file,
                        where=question.id,
                    )


def gold_problems(golds: Sequence[ReturnedGolds], test: Test) -> Iterator[Problem]:
    """What ``check`` reports of one person's golds, or of the decided ones, each at its row."""
    work_on = {work.id: work for work in golds}
    order = {id: index for index, id in enumerate(work_on)}
    findings = [finding for finding in gold_findings(golds, test) if finding.id in work_on]
    for id, code, message, severity in sorted(findings, key=lambda finding: order[finding.id]):
        yield of_owner(work_on[id].file, work_on[id].place, id, code, message, severity)


class GoldFinding(NamedTuple):
    """A problem of the golds of a question; what breaks the guidelines is an ``error``."""

    id: str
    code: str
    message: str
    severity: str


def gold_findings(golds: Sequence[ReturnedGolds], test: Test) -> Iterator[GoldFinding]:
    """What breaks the guidelines, or may, in one person's golds of a series test."""
    # The golds that the key has already are not this person's, so they are left out.
    without = _with_questions(test, lambda question: _with_key(question, ()))
    only_these = with_golds(without, (None, golds))
    profile = _series_profile()
    for series in only_these.records():
        for id, code, message in series_findings(series):
            if code in FAULTS:
                yield GoldFinding(id, code, message, "error")
    for id, code, message in Examiner(profile).findings(only_these):
        yield GoldFinding(id, code, message, profile.rules[code].severity)


@functools.cache
def _series_profile() -> RuleProfile:
    return profile_named("series")


def with_golds(test: Test, *people: tuple[str | None, Sequence[ReturnedGolds]]) -> Test:
    """The test with people's golds after those that its key has."""
    new: dict[str, list[Answer]] = {}
    for name, golds in people:
        for work in golds:
            new.setdefault(work.id, []).extend(
                Answer(text=gold, annotator=name) for gold in work.golds
            )

    def with_new(question: SeriesQuestion) -> SeriesQuestion:
        if question.id not in new:
            return question
        rewrites = question.key.rewrites if question.key is not None else ()
        return _with_key(question, (*rewrites, *new[question.id]))

    return _with_questions(test, with_new)


def _with_key(question: SeriesQuestion, golds: Sequence[Answer]) -> SeriesQuestion:
    if question.key is None and not golds:
        return question
    key = question.key or SeriesQuestionKey()
    guidelines = key.guidelines or (GUIDELINES if golds else None)
    key = msgspec.structs.replace(key, rewrites=tuple(golds), guidelines=guidelines)
    return msgspec.structs.replace(question, key=key)


def _with_questions(test: Test, change: Callable[[SeriesQuestion], SeriesQuestion]) -> Test:
    return test.changed(
        lambda series: msgspec.structs.replace(
            series, questions=tuple(map(change, series.questions))
        )
    )
