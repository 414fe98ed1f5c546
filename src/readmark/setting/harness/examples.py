"""Examples for an exported task: keyed questions of another test, on passages that it has not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.option_letters import LETTERS
from readmark.corpus.test import Test
from readmark.corpus.values import Series, Unit
from readmark.text.folding import folded

FILE = "examples.jsonl"
TRAIN = "train"
"""Where examples come from in a test that has splits."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Draw:
    """How many examples are drawn, from which test, by which seed."""

    source: Test
    many: int
    seed: int = 1

    @property
    def words(self) -> str:
        """As the binding of a log has it: all that decides which examples were shown."""
        facts = self.source.facts
        return f"{self.many}, seed {self.seed}, paper {facts.paper}, key {facts.key}"

    def units(self, test: Test, *, none: bool) -> list[Unit]:
        """The examples for a test, one a passage; ``none`` takes questions without an answer too.

        One that shares a passage with the test is refused, not passed over: then the two are no
        pair of training and test data, and what else they share nobody has looked at.
        """
        self._require_fit(test)
        choosing = _choosing(test)
        records = _train(self.source)
        _require_apart(self.source, records, test)
        keyed = [
            unit
            for record in records
            for unit in self.source.kind.units(record)
            if bool(_options(unit)) == choosing and _is_keyed(self.source, unit, none=none)
        ]
        random.Random(self.seed).shuffle(keyed)
        first: dict[str, Unit] = {}
        for unit in keyed:
            first.setdefault(unit.group, unit)
        if len(first) < self.many:
            noun = self.source.kind.record_noun
            raise DataError(
                f"{self.many} examples are wanted, a {noun} each; it has {len(first)} that fit",
                file=self.source.file,
            )
        return list(first.values())[: self.many]

    def _require_fit(self, test: Test) -> None:
        if self.many < 1:
            raise UsageError(f"--shots {self.many} is less than 1")
        for what, own, other in (
            ("kind", test.kind.name, self.source.kind.name),
            ("language", test.language, self.source.language),
        ):
            if own != other:
                raise UsageError(
                    f"--shots-from {self.source.file} is of another {what} ({other}) than "
                    f"{test.file} ({own})"
                )


def _train(source: Test) -> list[Any]:
    """The records that examples may be of: the train split's, or all where there are no splits."""
    records = list(source.records())
    if any(record.split is not None for record in records):
        records = [one for one in records if one.split == TRAIN]
    records = [one for one in records if one.split not in source.header.hidden]
    if not records:
        raise DataError(f"has no split {TRAIN!r} to take examples from", file=source.file)
    return records


def _require_apart(source: Test, records: list[Any], test: Test) -> None:
    """No passage may stand in both, however it is spelt there."""
    asked = {folded(_text(record)) for record in test.records()} - {""}
    shared = [record.id for record in records if folded(_text(record)) in asked]
    if shared:
        shown = ", ".join(shared[:_NAMED]) + (", …" if len(shared) > _NAMED else "")
        noun = source.kind.record_noun
        raise DataError(
            f"shares {len(shared)} of {len(records)} {noun if noun.endswith('s') else noun + 's'} "
            f"with {test.file}, and examples must be of others: {shown}",
            file=source.file,
        )


def _choosing(test: Test) -> bool:
    """Whether questions have options: all of them or none, as examples are the same for all."""
    sorts = {bool(_options(unit)) for unit in test.units()}
    if len(sorts) > 1:
        raise UsageError(
            f"--shots: some questions of {test.file} have options and some have none, and a task's "
            "examples are the same for all"
        )
    return sorts == {True}


def _is_keyed(source: Test, unit: Unit, *, none: bool) -> bool:
    """Whether a question has a right reply to show."""
    if unit.key is None:
        return False
    if getattr(unit.key, "unanswerable", False):
        return none and not _options(unit)
    return any(True for _ in right_texts(source, unit))


def right_texts(source: Test, unit: Unit) -> Iterator[str]:
    """People's answers that a model could give: with options, those that are one."""
    options = _options(unit)[: len(LETTERS)]
    for person in source.kind.references(unit):
        for answer in person:
            if answer.text.strip() and (not options or answer.text in options):
                yield answer.text


def _options(unit: Unit) -> tuple[str, ...]:
    return tuple(getattr(unit.item, "options", ()))


def _text(record: Any) -> str:
    text: str = record.target if isinstance(record, Series) else record.text
    return text
