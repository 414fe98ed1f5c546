"""Levelling a whole test: the rules' level of each question, people's beside it, both kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.corpus.errors import UsageError
from readmark.corpus.language import primary
from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Passage, Question, QuestionKey
from readmark.setting.levels.decision import levelled
from readmark.setting.levels.labels import (
    Label,
    Labels,
    as_level,
    require_known,
    standing,
    together,
)
from readmark.setting.levels.values import Levelled

RULES = "readmark-levels-1"
"""Who gave a level that no person gave."""

BY = "level_by"
GIVEN = "level_given"
"""A level of another scale that the question had; it makes room for the one from 1 to 4."""
FIELDS = (BY, "level_reasons", "level_sentences", "level_why", "level_machine", "level_labels")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's level by the rules, and by people where they gave one."""

    machine: Levelled
    people: tuple[Label, ...] = ()
    passage: str = ""
    """The passage's id: its questions are not independent."""
    given: int | str | None = None
    """A level of another scale that the test gave it."""

    @property
    def person(self) -> Label | None:
        """The label that stands for all people's."""
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


Judgements = dict[str, Judged]
Watch = Callable[[int], None]


def judged(test: Test, labels: Labels | None = None, *, watch: Watch | None = None) -> Judgements:
    """Every question of a test with its level; a person's label in the key counts as one.

    ``labels`` are further people's. ``watch`` is told how many questions are done.
    """
    if test.kind.name != "comprehension":
        raise UsageError(f"{test.file}: levels are for comprehension, this is {test.kind.name}")
    found: Judgements = {}
    for record in test.records():
        language = primary(record.language) if record.language else test.language
        for question in record.questions:
            more = (labels or {}).get(question.id, ())
            found[question.id] = Judged(
                levelled(question, record, language),
                together(question.id, _given(question), more),
                passage=record.id,
                given=_of_another_scale(question),
            )
            if watch is not None:
                watch(len(found))
    require_known(labels or {}, found, test.file)
    return found


def with_levels(test: Test, judgements: Mapping[str, Judged]) -> Test:
    """The test with levels in its key: what stands, by whom, and the machine's own beside it."""

    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, _with_levels(record, judgements)

    return replace(test, stream=stream)


def _with_levels(record: Passage, judgements: Mapping[str, Judged]) -> Passage:
    questions = tuple(
        _labelled(question, judgements[question.id]) if question.id in judgements else question
        for question in record.questions
    )
    return msgspec.structs.replace(record, questions=questions)


def _labelled(question: Question, judged: Judged) -> Question:
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
        BY: judged.by,
        "level_reasons": list(judged.reasons),
        "level_sentences": [list(span) for span in machine.sentences],
        "level_why": machine.why,
        "level_machine": {"level": machine.level, "reasons": list(machine.reasons)},
    }
    if judged.people:
        fields["level_labels"] = [
            {"person": one.person, "level": one.level, "reasons": list(one.reasons)}
            for one in judged.people
        ]
    return msgspec.structs.replace(
        question, key=msgspec.structs.replace(key, level=judged.level, fields=fields)
    )


def _of_another_scale(question: Question) -> int | str | None:
    level = question.key.level if question.key is not None else None
    return level if level != "" and as_level(level) is None else None


def _given(question: Question) -> list[Label]:
    """The labels that people gave in the test itself; what the rules once gave is none."""
    key = question.key
    if key is None:
        return []
    kept = key.fields.get("level_labels")
    if isinstance(kept, list) and kept:
        return [
            Label(level, tuple(one.get("reasons", ())), one["person"])
            for one in kept
            if isinstance(one, dict) and one.get("person") and (level := as_level(one.get("level")))
        ]
    level = as_level(key.level)
    by = str(key.fields.get(BY) or "")
    if level is None or by.startswith("readmark-levels"):
        return []
    reasons = key.fields.get("level_reasons")
    return [Label(level, tuple(reasons) if isinstance(reasons, list) else (), by or "person")]
