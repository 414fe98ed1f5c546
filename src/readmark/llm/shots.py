"""Examples for a prompt: from a test's train split, never on the passage that is asked about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.record_members import options_of, text_of
from readmark.core.records import Answer, Unit
from readmark.core.splits import without_hidden
from readmark.formats.registry import open_test
from readmark.llm.answers import form_of, shot
from readmark.llm.endpoint import Message
from readmark.llm.prompts import Prompt
from readmark.sitting import HasParts
from readmark.text.answers.option_letters import LETTERS
from readmark.text.folding import folded

TRAIN = "train"
_SPARE = 64
"""Examples are drawn beyond the number asked for: one on the unit's own passage is passed over."""
_PARTS = {"passage": "text", "target": "target"}
"""What may be left out of a paper, and the member of its record that is blank then."""


class Shots:
    """A few keyed units of a train split, the same for every unit but its own."""

    def __init__(self, path: str, count: int, seed: int) -> None:
        if count < 1:
            raise UsageError(f"shots={count} is less than 1")
        test, _ = without_hidden(open_test(path), "for examples")
        self._kind = test.kind
        self._form = form_of(test.kind)
        keyed = [
            (unit, answer)
            for record in test.records()
            if record.split == TRAIN
            for unit, answer in _keyed(test.kind, record)
        ]
        if not keyed:
            raise DataError(f"{path}: no question with an answer in the split {TRAIN!r}")
        random.Random(seed).shuffle(keyed)
        self._drawn = _first_of_each_passage(keyed)[: count + _SPARE]
        self._count = count
        if len(self._drawn) < count:
            raise DataError(
                f"{path}: shots={count} needs {count} passages with an answer in the split "
                f"{TRAIN!r}, found {len(self._drawn)}"
            )
        self.signature: dict[str, Any] = {"many": count, "seed": seed, "key": test.facts.key}

    def messages(self, unit: Unit, prompt: Prompt, language: str) -> list[Message]:
        """The examples for a unit, without whatever part the unit is asked without."""
        suitable = [
            (example, answer)
            for example, answer in self._drawn
            if _is_alike(example, unit) and not self._gives_away(example, unit)
        ]
        if len(suitable) < self._count:
            raise DataError(f"too few examples for {unit.id}: it needs {self._count} like it")
        messages: list[Message] = []
        for example, answer in suitable[: self._count]:
            blank = not self._form.text(unit).strip()
            reply = self._form.example(example, answer, language, blank=blank)
            messages += shot(self._blanked(example, unit), reply, prompt, self._form, language)
        return messages

    def _blanked(self, example: Unit, unit: Unit) -> Unit:
        """An example with the parts blank that are blank in the unit."""
        record, kind = example.record, self._kind
        if not isinstance(kind, HasParts):
            return example
        for part in kind.parts:
            if part == "question":
                text = unit.item.text
            else:
                text = getattr(unit.record, _PARTS[part], "a record without that member")
            if not text.strip():
                record = kind.leave_out(record, part)
        if record is example.record:
            return example
        return next(unit for unit in self._kind.units(record) if unit.id == example.id)

    def _gives_away(self, example: Unit, unit: Unit) -> bool:
        """Whether an example may give the unit away: the same text, question or name for either.

        Names count because a unit may be asked without its passage, texts because of other names.
        """
        text_of = self._form.text
        pairs = (text_of(unit), text_of(example)), (unit.item.text, example.item.text)
        return not {*_names(unit)}.isdisjoint(_names(example)) or any(
            folded(text) and folded(text) == folded(example_text) for text, example_text in pairs
        )


def _keyed(kind: Any, record: Any) -> Iterator[tuple[Unit, Answer]]:
    """The units of a record with their first answer that is not empty; a rating never is."""
    for unit in kind.units(record):
        answers = [
            answer
            for person in kind.references(unit)
            for answer in person
            if (text := text_of(answer)) is None or text.strip()
        ]
        options = options_of(unit.item)
        if answers and (not options or answers[0].text in options[: len(LETTERS)]):
            yield unit, answers[0]


def _first_of_each_passage(keyed: list[tuple[Unit, Answer]]) -> list[tuple[Unit, Answer]]:
    first: dict[str, tuple[Unit, Answer]] = {}
    for unit, answer in keyed:
        first.setdefault(unit.group, (unit, answer))
    return list(first.values())


def _is_alike(example: Unit, unit: Unit) -> bool:
    """Whether both have options, or neither has: the prompt of one does not fit the other."""
    return bool(options_of(example.item)) == bool(options_of(unit.item))


def _names(unit: Unit) -> Iterator[tuple[str, str]]:
    """What a unit and its passage are known by, with the sort of each id."""
    yield "unit", unit.id
    yield "record", unit.record.id
    yield "record", unit.group
    if unit.record.parallel:
        yield "parallel", unit.record.parallel
