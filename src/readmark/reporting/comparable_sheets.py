"""Whether several marksheets may share one table: what would make its columns lie is refused."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.errors import DataError, UsageError
from readmark.core.signatures import metric_rules
from readmark.core.unvalidated import UNVALIDATED, is_unvalidated
from readmark.reporting.split_sheets import SplitSheet, is_one_test


def require_field(parts: Sequence[SplitSheet], name: str) -> None:
    """Refuse a field that no unit has, and list those there are."""
    fields = {field for part in parts for unit in part.sheet.units for field in unit.fields}
    if name not in fields:
        listed = ", ".join(sorted(fields)) or "none"
        raise UsageError(f"the marksheets have no field {name!r}; their fields are {listed}")


def require_one_kind(parts: Sequence[SplitSheet]) -> None:
    """A table is of one kind of test."""
    first = parts[0].sheet
    for part in parts[1:]:
        if part.sheet.header.kind != first.header.kind:
            raise DataError(
                f"is of a {part.sheet.header.kind} test, {first.file} of a {first.header.kind} one",
                file=part.sheet.file,
            )


def require_marks(parts: Sequence[SplitSheet], metrics: Sequence[str], *, chosen: bool) -> None:
    """Every marksheet has every metric: a dash would say that a split was not sat."""
    for part in parts:
        marked = part.sheet.header.metrics
        for metric in metrics:
            if metric not in marked:
                others = "" if chosen else f", as {parts[0].sheet.file} has; -m names others"
                raise DataError(
                    f"has no marks of {metric}{others}; it has {', '.join(marked)}",
                    file=part.sheet.file,
                )


def require_comparable(parts: Sequence[SplitSheet], metrics: Sequence[str]) -> None:
    """A column holds one test's units, marked by the same rules."""
    firsts: dict[str, SplitSheet] = {}
    for part in parts:
        for split in part.splits:
            first = firsts.setdefault(split, part)
            if first is part:
                continue
            if not is_one_test(split, first, part):
                raise DataError(
                    f"its {split} is not the test of {first.sheet.file}: name the splits, "
                    "as in dev=FILE test=FILE",
                    file=part.sheet.file,
                )
            for metric in metrics:
                ours = metric_rules(first.sheet.header.metrics.get(metric, ""))
                theirs = metric_rules(part.sheet.header.metrics.get(metric, ""))
                if ours and theirs and ours != theirs:
                    raise DataError(
                        f"{metric} on {split} was marked by other rules than in "
                        f"{first.sheet.file}; mark the sitting again",
                        file=part.sheet.file,
                    )


def require_validated(parts: Sequence[SplitSheet], leading: Sequence[str]) -> None:
    """Refuse to order candidates by a judge whose verdicts were not compared with people's."""
    for name in leading:
        for part in parts:
            if is_unvalidated(part.sheet.header.metrics.get(name, "")):
                raise UsageError(
                    f"{part.sheet.file}: {name} is {UNVALIDATED}: name another metric first"
                )
