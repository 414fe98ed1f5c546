"""Marksheets in place of sittings: the vectors that a comparison takes from them as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.marksheet import (
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    checked_rows,
    read_marksheet_header,
)
from readmark.core.seen import SeenPassages
from readmark.core.signatures import signature_parts
from readmark.core.test import Test
from readmark.hooks import Metric
from readmark.marking.recorded_marks import read_marks, read_settings
from readmark.marking.significance import Paired


@dataclass(frozen=True, slots=True)
class SheetVectors:
    """Some metrics' vectors as a marksheet has them."""

    file: str
    vectors: Mapping[str, Paired]
    errors: Sequence[str]
    """Units with error rows."""
    seen: SeenPassages | None
    """How much of what was marked the candidate learnt from, where it did."""

    @classmethod
    def read(cls, file: str, test: Test, metrics: Mapping[str, Metric]) -> SheetVectors:
        """The vectors of a marksheet of this test, made by the rules of these metrics.

        Of a marksheet that is of more splits than the test, only the test's units are taken.
        """
        header = read_marksheet_header(file)
        splits_of_sheet(file, test)
        for name, metric in metrics.items():
            _require_same_rules(file, header, name, metric)
        read_settings(header, file)
        units_of_test = None
        if header.test.paper != test.facts.paper:
            units_of_test = frozenset(unit.id for unit in test.units())
        ids: list[str] = []
        groups: list[str] = []
        vectors: dict[str, list[tuple[float, ...]]] = {name: [] for name in metrics}
        errors: list[str] = []
        units = 0
        widths = {name: metric.facts.width for name, metric in metrics.items()}
        for number, row in checked_rows(file, header, widths):
            if isinstance(row, MarksRow):
                recorded = read_marks(row.marks, header, file=file, where=number)
                if recorded.units not in (0, units):
                    what = f"has {counted(units, 'unit')}, but its marks are of {recorded.units}"
                    raise DataError(what, file=file, where=number)
            if not isinstance(row, MarkedUnit):
                continue
            units += 1
            if units_of_test is not None and row.id not in units_of_test:
                continue
            for name, rows in vectors.items():
                if name not in row.vectors:
                    raise DataError(
                        f"has no vector of {name}: a marksheet of people holds no sitting to "
                        "compare",
                        file=file,
                        where=number,
                    )
                rows.append(row.vectors[name])
            if any(answer.error is not None for answer in row.answers):
                errors.append(row.id)
            ids.append(row.id)
            groups.append(row.group)
        codes = np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
        paired = {
            name: Paired(header.candidate, ids, codes, np.asarray(rows, dtype=np.float64))
            for name, rows in vectors.items()
        }
        return cls(file, paired, errors, header.seen)


def _require_same_rules(file: str, header: MarksheetHeader, name: str, metric: Metric) -> None:
    """A number may only be compared with one made by the same rules."""
    if name not in header.metrics:
        metrics = ", ".join(header.metrics)
        raise DataError(f"has no vectors of {name}; it has {metrics}", file=file, where=1)
    rules = signature_parts(header.metrics[name])
    for rule, value in metric.signature().items():
        if rules.get(rule) != value:
            raise DataError(
                f"was marked with {rule} {rules.get(rule)!r}, now {value!r}; "
                "mark the sitting again",
                file=file,
            )


def splits_of_sheet(file: str, test: Test) -> tuple[str | None, ...]:
    """The splits of a test that a marksheet is of; one of another paper or key is an error."""
    marked, facts = read_marksheet_header(file).test, test.facts
    everything = tuple(facts.splits)
    fingerprints = {(split.paper, split.key) for split in marked.splits.values()}
    fingerprints.add((marked.paper, marked.key))
    if (facts.paper, facts.key) in fingerprints:
        return everything
    shared = tuple(
        name for name, split in facts.splits.items() if (split.paper, split.key) in fingerprints
    )
    if shared:
        return shared
    whole = test.whole.facts if test.whole is not None else facts
    if (whole.paper, whole.key) == (marked.paper, marked.key):
        return everything
    papers = {facts.paper, *(split.paper for split in facts.splits.values())}
    what, in_sheet, in_test = "paper", marked.paper, facts.paper
    if papers & {paper for paper, _ in fingerprints}:
        what, in_sheet, in_test = "key", marked.key, facts.key
    raise DataError(
        f"is a marksheet of another {what} ({in_sheet}); {test.file} has {in_test}", file=file
    )
