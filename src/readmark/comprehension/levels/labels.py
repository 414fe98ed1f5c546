"""Levels of a whole test: people's labels, the rules' levels, and how the two agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension.levels.cues import (
    LEVEL_BY,
    LEVELS,
    REASONS,
    Levelled,
    as_level,
    is_by_rules,
    level_of,
)
from readmark.comprehension.levels.decision import levelled
from readmark.core.errors import DataError, did_you_mean
from readmark.core.language import primary
from readmark.core.numbers import first_ids
from readmark.core.problems import ReportProblem
from readmark.core.records import Passage, Question, QuestionKey
from readmark.core.test import Placed, Test
from readmark.formats.sheets import read_rows
from readmark.statistics.agreement.cohen import cohen_kappa
from readmark.statistics.agreement.percent import percent_agreement
from readmark.statistics.agreement.value import Agreement, Resampling

UNNAMED_PERSON = "person"
"""Who gave a label without a name."""

_BETWEEN = re.compile(r"[\s,;|+]+")


@dataclass(frozen=True, slots=True)
class LevelLabel:
    """A person's level of a question, with the reasons where they were given."""

    level: int
    reasons: tuple[str, ...] = ()
    person: str = UNNAMED_PERSON
    file: str | None = field(default=None, compare=False)
    """Where it was read, and in which line; None where it is in the test itself."""
    line: int | None = field(default=None, compare=False)


Labels = dict[str, list[LevelLabel]]
"""By question, in the order of the file."""


def read_labels(path: str | Path) -> Labels:
    """The labels of a file: ``{"id", "level", "reasons", "person"}`` a line, or those columns.

    ``annotator`` may be the name of ``person``.
    """
    found: Labels = {}
    for line, row in read_rows(path):
        question, label = read_label(row, path, line)
        known = found.setdefault(question, [])
        if any(level_label.person == label.person for level_label in known):
            message = f"{label.person!r} labels {question!r} a second time"
            raise DataError(message, file=path, where=line)
        known.append(label)
    if not found:
        raise DataError("has no labels", file=path)
    return found


def combined(
    question: str, given: Sequence[LevelLabel], more: Sequence[LevelLabel]
) -> tuple[LevelLabel, ...]:
    """The labels in a test with those of a file; nobody may say two things of a question."""
    found = {label.person: label for label in given}
    for label in more:
        before = found.setdefault(label.person, label)
        if before.level != label.level or (
            before.reasons and label.reasons and set(before.reasons) != set(label.reasons)
        ):
            message = (
                f"{label.person!r} labels {question!r} {_label_text(label)}, "
                f"in the test {_label_text(before)}: take one of them out, or name another person"
            )
            raise DataError(message, file=label.file, where=label.line)
        if not before.reasons:
            found[label.person] = label
    return tuple(found.values())


def require_known(labels: Labels, known: Container[str], test: str) -> None:
    """Refuse labels of questions that the test does not have."""
    unknown = [id for id in labels if id not in known]
    if unknown:
        first = labels[unknown[0]][0]
        named = first_ids(unknown, quoted=True)
        message = f"{test} has no question {named} ({len(unknown)} unknown)"
        raise DataError(message, file=first.file, where=first.line)


def standing(labels: Sequence[LevelLabel]) -> LevelLabel:
    """The label that counts where several people gave one: the majority's, else the first."""
    votes = [sum(label.level == other.level for other in labels) for label in labels]
    return labels[votes.index(max(votes))]


def read_label(row: Mapping[str, Any], path: str | Path, line: int) -> tuple[str, LevelLabel]:
    """The question and the label of a row; a level that its reasons do not make is an error."""
    question = row.get("id")
    if not isinstance(question, str) or not question:
        raise DataError(f"no id (found {question!r})", file=path, where=line)
    reasons = _reasons(row.get("reasons"), path, line)
    given = row.get("level")
    level = as_level(given)
    if level is None and (reasons and given in (None, "")):
        level = level_of(reasons)
    if level is None:
        found = "there is no level" if given is None else f"the level is {given!r}"
        message = f"{question!r}: {found}, expected 1, 2, 3 or 4"
        raise DataError(message, file=path, where=line)
    if reasons and level_of(reasons) != level:
        made = f"{', '.join(reasons)} make level {level_of(reasons)}"
        raise DataError(f"{question!r}: level {level}, but {made}", file=path, where=line)
    person = (
        str(row.get("person") or row.get("annotator") or UNNAMED_PERSON).strip() or UNNAMED_PERSON
    )
    return question, LevelLabel(level, reasons, person, str(path), line)


def _label_text(label: LevelLabel) -> str:
    return f"{label.level}" + (f" ({', '.join(label.reasons)})" if label.reasons else "")


def _reasons(given: object, path: str | Path, line: int) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [reason for reason in _BETWEEN.split(given) if reason]
    if given is None:
        return ()
    if not isinstance(given, list):
        raise DataError(f"reasons are {given!r}, expected a list", file=path, where=line)
    reasons = [str(reason).strip().lower() for reason in given]
    for reason, spelt in zip(reasons, given, strict=True):
        if reason not in REASONS:
            hint = did_you_mean(reason, REASONS)
            raise DataError(f"no reason {spelt!r}; {hint}", file=path, where=line)
    return tuple(dict.fromkeys(reasons))


# Levelling a whole test: the rules' level of each question, and people's level, both kept.


RULES = "readmark-levels-2"
"""Who gave a level that no person gave."""

GIVEN = "level_given"
"""A level of another scale that the question had; it makes room for the one from 1 to 4."""
FIELDS = (
    LEVEL_BY,
    "level_reasons",
    "level_sentences",
    "level_why",
    "level_machine",
    "level_labels",
)


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question's level by the rules, and by people where they gave one."""

    machine: Levelled
    people: tuple[LevelLabel, ...] = ()
    passage: str = ""
    """The passage's id: its questions are not independent."""
    given: int | str | None = None
    """A level of another scale that the test gave it."""

    @property
    def person(self) -> LevelLabel | None:
        """The label that counts for all people."""
        return standing(self.people) if self.people else None

    @property
    def level(self) -> int | None:
        """A person's level goes before the machine's."""
        return self.person.level if self.person is not None else self.machine.level

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons of whoever gave the level; the machine's where they give the same level."""
        person = self.person
        if person is None or (not person.reasons and person.level == self.machine.level):
            return self.machine.reasons
        return person.reasons

    @property
    def by(self) -> str:
        """Who gave the level."""
        return self.person.person if self.person is not None else RULES


Judgements = dict[str, JudgedQuestion]


def judge_levels(
    test: Test, labels: Labels | None = None, *, watch: Callable[[int], None] | None = None
) -> Judgements:
    """Every question of a test with its level; a person's label in the key counts as one.

    ``labels`` are further people's. ``watch`` is called with the number of questions done.
    """
    test.require_kind("comprehension")
    found: Judgements = {}
    for record in test.records():
        language = primary(record.language) if record.language else test.language
        for question in record.questions:
            more = (labels or {}).get(question.id, ())
            found[question.id] = JudgedQuestion(
                levelled(question, record, language),
                combined(question.id, _given(question), more),
                passage=record.id,
                given=_of_another_scale(question),
            )
            if watch is not None:
                watch(len(found))
    require_known(labels or {}, found, test.file)
    return found


def with_levels(test: Test, judgements: Mapping[str, JudgedQuestion]) -> Test:
    """The test with levels in its key: the one that counts, who gave it, and the machine's."""

    def stream(report: ReportProblem) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, _with_levels(record, judgements)

    return replace(test, stream=stream)


def _with_levels(record: Passage, judgements: Mapping[str, JudgedQuestion]) -> Passage:
    questions = tuple(
        _labelled(question, judgements[question.id]) if question.id in judgements else question
        for question in record.questions
    )
    return msgspec.structs.replace(record, questions=questions)


def _labelled(question: Question, judged: JudgedQuestion) -> Question:
    if question.key is None and judged.level is None:
        return question
    key = question.key or QuestionKey()
    machine = judged.machine
    others = {name: value for name, value in key.fields.items() if name not in FIELDS}
    if judged.level is None:  # nothing to judge: a level of another scale stays as it is
        fields: dict[str, Any] = {**others, "level_why": machine.why}
        return msgspec.structs.replace(question, key=msgspec.structs.replace(key, fields=fields))
    if judged.given is not None:
        others[GIVEN] = judged.given
    fields = {
        **others,
        LEVEL_BY: judged.by,
        "level_reasons": list(judged.reasons),
        "level_sentences": [list(span) for span in machine.sentences],
        "level_why": machine.why,
        "level_machine": {"level": machine.level, "reasons": list(machine.reasons)},
    }
    if judged.people:
        fields["level_labels"] = [
            {"person": person.person, "level": person.level, "reasons": list(person.reasons)}
            for person in judged.people
        ]
    return msgspec.structs.replace(
        question, key=msgspec.structs.replace(key, level=judged.level, fields=fields)
    )


def _of_another_scale(question: Question) -> int | str | None:
    level = question.key.level if question.key is not None else None
    return level if level != "" and as_level(level) is None else None


def _given(question: Question) -> list[LevelLabel]:
    """The labels that people gave in the test itself; what the rules once gave is none."""
    key = question.key
    if key is None:
        return []
    kept = key.fields.get("level_labels")
    if isinstance(kept, list) and kept:
        return [
            LevelLabel(level, tuple(one.get("reasons", ())), one["person"])
            for one in kept
            if isinstance(one, dict) and one.get("person") and (level := as_level(one.get("level")))
        ]
    level = as_level(key.level)
    by = str(key.fields.get(LEVEL_BY) or "")
    if level is None or is_by_rules(by):
        return []
    reasons = key.fields.get("level_reasons")
    return [LevelLabel(level, tuple(reasons) if isinstance(reasons, list) else (), by or "person")]


# How the rules' levels agree with people's: exactly, and easy {1, 2} against hard {3, 4}.


HARD = 3
"""The first level that takes reasoning."""


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Two labellers of the same questions; shares are 0 to 1."""

    questions: int
    exact: Agreement
    hard: Agreement
    """The same, of the two classes {1, 2} and {3, 4}."""
    kappa: Agreement
    hard_kappa: Agreement
    confusion: tuple[tuple[int, ...], ...]
    """Rows are people's levels, columns the machine's."""


def level_agreement(
    people: Sequence[int],
    machine: Sequence[int],
    *,
    passages: Sequence[str],
    draws: int = 1000,
) -> LevelAgreement:
    """Agreement of two lists of levels; intervals resample passages, whose questions go together.

    A single passage gets no interval: nothing shows how much another would differ.
    """
    if len(set(passages)) < 2:
        draws = 0
    clusters = list(passages)
    resampling = Resampling(draws=draws)
    pairs = list(zip(people, machine, strict=True))
    hard = [level >= HARD for level in people], [level >= HARD for level in machine]
    return LevelAgreement(
        questions=len(pairs),
        exact=percent_agreement(people, machine, clusters=clusters, resampling=resampling),
        hard=percent_agreement(*hard, clusters=clusters, resampling=resampling),
        kappa=cohen_kappa(people, machine, clusters=clusters, resampling=resampling),
        hard_kappa=cohen_kappa(*hard, clusters=clusters, resampling=resampling),
        confusion=tuple(tuple(pairs.count((one, other)) for other in LEVELS) for one in LEVELS),
    )


def agreement_with_people(judgements: Iterable[JudgedQuestion]) -> LevelAgreement | None:
    """The rules compared with people, over questions that both gave a level; None without any."""
    both = [
        (judged.person.level, judged.machine.level, judged.passage)
        for judged in judgements
        if judged.person is not None and judged.machine.level is not None
    ]
    if not both:
        return None
    people, machine, passages = zip(*both, strict=True)
    return level_agreement(people, machine, passages=passages)
