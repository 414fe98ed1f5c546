"""Levels of a whole test: the rules' level of each question and people's level, both kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.comprehension.levels.decision import levelled
from readmark.comprehension.levels.labels import (
    UNNAMED_PERSON,
    LevelLabel,
    LevelLabels,
    combined,
    require_known,
    standing,
)
from readmark.comprehension.levels.scale import LEVEL_BY, Levelled, as_level, is_by_rules
from readmark.core.language import primary
from readmark.core.problems import ReportProblem
from readmark.core.records import Passage, Question, QuestionKey
from readmark.core.test import Placed, Test

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
    """A question's level by the rules, and by people if they gave one."""

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


def judge_levels(
    test: Test, labels: LevelLabels | None = None, *, watch: Callable[[int], None] | None = None
) -> dict[str, JudgedQuestion]:
    """Every question of a test with its level, by id; a person's label in the key counts as one.

    ``labels`` are further people's. ``watch`` is called with the number of questions done.
    """
    test.require_kind("comprehension")
    judgements: dict[str, JudgedQuestion] = {}
    for record in test.records():
        language = primary(record.language) if record.language else test.language
        for question in record.questions:
            in_file = (labels or {}).get(question.id, ())
            judgements[question.id] = JudgedQuestion(
                levelled(question, record, language),
                combined(question.id, _labels_in_key(question), in_file),
                passage=record.id,
                given=_level_of_another_scale(question),
            )
            if watch is not None:
                watch(len(judgements))
    require_known(labels or {}, judgements, test.file)
    return judgements


def _labels_in_key(question: Question) -> list[LevelLabel]:
    """The labels that people gave in the test itself; what the rules once gave is not one."""
    key = question.key
    if key is None:
        return []
    stored = key.fields.get("level_labels")
    if isinstance(stored, list) and stored:
        return [
            LevelLabel(level, tuple(label.get("reasons", ())), label["person"])
            for label in stored
            if isinstance(label, dict) and label.get("person")
            if (level := as_level(label.get("level")))
        ]
    level = as_level(key.level)
    by = str(key.fields.get(LEVEL_BY) or "")
    if level is None or is_by_rules(by):
        return []
    reasons = key.fields.get("level_reasons")
    reasons = tuple(reasons) if isinstance(reasons, list) else ()
    return [LevelLabel(level, reasons, by or UNNAMED_PERSON)]


def _level_of_another_scale(question: Question) -> int | str | None:
    level = question.key.level if question.key is not None else None
    return level if level != "" and as_level(level) is None else None


def with_levels(test: Test, judgements: Mapping[str, JudgedQuestion]) -> Test:
    """The test with levels in its key: the one that counts, who gave it, and the machine's."""

    def stream(report: ReportProblem) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, _with_levels(record, judgements)

    return replace(test, stream=stream)


def _with_levels(record: Passage, judgements: Mapping[str, JudgedQuestion]) -> Passage:
    questions = tuple(
        _with_level(question, judgements[question.id]) if question.id in judgements else question
        for question in record.questions
    )
    return msgspec.structs.replace(record, questions=questions)


def _with_level(question: Question, judged: JudgedQuestion) -> Question:
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
            {"person": label.person, "level": label.level, "reasons": list(label.reasons)}
            for label in judged.people
        ]
    return msgspec.structs.replace(
        question, key=msgspec.structs.replace(key, level=judged.level, fields=fields)
    )
