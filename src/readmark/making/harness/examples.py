"""Examples for an exported task: keyed questions of another test, on passages that it has not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.core.counts import plural
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.record_members import is_unanswerable, options_of
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.series import Series
from readmark.text.answers.option_letters import LETTERS
from readmark.text.folding import folded

TRAIN = "train"
"""Where examples come from in a test that has splits."""


@dataclass(frozen=True, slots=True)
class ExampleDraw:
    """How many examples are drawn, from which test, by which seed."""

    source: Test
    count: int
    seed: int = 1

    @property
    def words(self) -> str:
        """What decides which examples are shown, as the binding of a log states it."""
        facts = self.source.facts
        return f"{self.count}, seed {self.seed}, paper {facts.paper}, key {facts.key}"

    def units(self, test: Test, *, with_unanswerable: bool) -> list[Unit]:
        """The examples for a test, one for each passage.

        A source that shares a passage with the test is refused, not merely that passage left out:
        the two are then no pair of training and test data, and may share more than texts.
        """
        self._require_fit(test)
        has_options = _has_options(test)
        records = _training_records(self.source)
        _require_no_shared_passage(self.source, records, test)
        keyed = [
            unit
            for record in records
            for unit in self.source.kind.units(record)
            if bool(options_of(unit.item)) == has_options
            and _is_keyed(self.source, unit, with_unanswerable=with_unanswerable)
        ]
        random.Random(self.seed).shuffle(keyed)
        by_passage: dict[str, Unit] = {}
        for unit in keyed:
            by_passage.setdefault(unit.group, unit)
        if len(by_passage) < self.count:
            noun = self.source.kind.record_noun
            raise DataError(
                f"has {len(by_passage)} suitable {plural(noun)} for --shots {self.count}: each "
                f"example is from another {noun}",
                file=self.source.file,
            )
        return list(by_passage.values())[: self.count]

    def _require_fit(self, test: Test) -> None:
        if self.count < 1:
            raise UsageError(f"--shots {self.count} is less than 1")
        for what, expected, actual in (
            ("kind", test.kind.name, self.source.kind.name),
            ("language", test.language, self.source.language),
        ):
            if actual != expected:
                raise UsageError(
                    f"--shots-from {self.source.file} is of another {what} ({actual}) than "
                    f"{test.file} ({expected})"
                )


def _training_records(source: Test) -> list[Any]:
    """The records that examples may be of: the train split's, or all where there are no splits."""
    records = list(source.records())
    if any(record.split is not None for record in records):
        records = [record for record in records if record.split == TRAIN]
    records = [record for record in records if record.split not in source.header.hidden]
    if not records:
        raise DataError(f"has no split {TRAIN!r} to take examples from", file=source.file)
    return records


def _require_no_shared_passage(source: Test, records: list[Any], test: Test) -> None:
    """No passage may occur in both, in whatever case, width or script."""
    texts = {folded(_text(record)) for record in test.records()} - {""}
    shared = [record.id for record in records if folded(_text(record)) in texts]
    if shared:
        raise DataError(
            f"shares {len(shared)} of {len(records)} {plural(source.kind.record_noun)} with "
            f"{test.file}, and examples must be of others: {first_ids(shared)}",
            file=source.file,
        )


def _has_options(test: Test) -> bool:
    """Whether questions have options: all of them or none, as examples are the same for all."""
    values = {bool(options_of(unit.item)) for unit in test.units()}
    if len(values) > 1:
        raise UsageError(
            f"--shots: some questions of {test.file} have options and some have none, and a task's "
            "examples are the same for all"
        )
    return values == {True}


def _is_keyed(source: Test, unit: Unit, *, with_unanswerable: bool) -> bool:
    """Whether a question has a right reply to show."""
    if unit.key is None:
        return False
    if is_unanswerable(unit.key):
        return with_unanswerable and not options_of(unit.item)
    return next(right_texts(source, unit), None) is not None


def right_texts(source: Test, unit: Unit) -> Iterator[str]:
    """People's answers that a model could give: with options, those that are one."""
    options = options_of(unit.item)[: len(LETTERS)]
    for person in source.kind.references(unit):
        for answer in person:
            if answer.text.strip() and (not options or answer.text in options):
                yield answer.text


def _text(record: Any) -> str:
    text: str = record.target if isinstance(record, Series) else record.text
    return text
