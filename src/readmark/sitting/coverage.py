"""Which units a sitting is to answer: all, the first ones, or those that were answered before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from readmark.core.binding import answers_elsewhere, require_known_ids, sat_splits
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.sitting import Sitting
from readmark.core.splits import split_words
from readmark.core.test import Test


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many units are to be answered, and which when they are not all."""

    units: int
    covers: tuple[str, ...] | None = None
    limit: int | None = None

    def ids(self, test: Test) -> Iterator[str]:
        """Their ids."""
        return (unit.id for unit in test.units()) if self.covers is None else iter(self.covers)


def covered(test: Test, limit: int | None, earlier: Sitting | None = None) -> Coverage:
    """The first units up to a limit; of an earlier sitting no more than it covered."""
    first = _first(test, limit)
    part = _part(test, earlier) if earlier is not None else None
    if earlier is None or part is None:
        return Coverage(test.facts.units) if first is None else Coverage(len(first), first, limit)
    if limit is None:
        return Coverage(len(part), part, earlier.header.limit)
    if first is None or not set(first) <= set(part):
        raise UsageError(
            f"{earlier.file}: covers {counted(len(part), 'unit')}, and the first {limit} of the "
            "test are not all among them"
        )
    return Coverage(len(first), first, limit)


def _part(test: Test, earlier: Sitting) -> tuple[str, ...] | None:
    header = earlier.header
    if header.covers is None:
        return _first(test, header.limit)
    known = {unit.id for unit in test.units()}
    part = tuple(id for id in header.covers if id in known)
    if not part:
        raise DataError(
            "covers no unit of this test; is it a sitting of another test?", file=earlier.file
        )
    return part


def _first(test: Test, limit: int | None) -> tuple[str, ...] | None:
    if limit is None or limit >= test.facts.units:
        return None
    return tuple(unit.id for unit in islice(test.units(), limit))


# Answers that come from an earlier sitting: what was sat then is what is sat now.


def check_same(
    earlier: Sitting,
    test: Test,
    *,
    repeats: int,
    without: str | None,
    rewrite: str | None = None,
) -> None:
    """Refuse to sit otherwise than the answers were given."""
    header = earlier.header
    part = sat_splits(test, earlier)
    if len(part) < len(test.facts.splits):
        raise UsageError(
            f"{earlier.file}: has answers to {split_words(part)} alone: sit that split"
        )
    require_known_ids(test, earlier)
    if header.repeats != repeats:
        raise UsageError(
            f"{earlier.file}: has answers of {counted(header.repeats, 'repeat')}, not of "
            f"{repeats}: sit it with `repeats` {header.repeats}"
        )
    # A file that names no paper may be anybody's, and --without is theirs to say.
    if header.without != without and (header.without is not None or header.paper is not None):
        how = f"without the {header.without}" if header.without else "with nothing left out"
        option = f"with `without` {header.without}" if header.without else "without `without`"
        raise UsageError(f"{earlier.file}: was sat {how}: sit it {option}")
    if header.rewrite != rewrite and (header.rewrite is not None or header.paper is not None):
        by = f"questions rewritten by {header.rewrite}" if header.rewrite else "questions as set"
        option = f"with `rewrite` {header.rewrite}" if header.rewrite else "without `rewrite`"
        raise UsageError(f"{earlier.file}: was sat with {by}: sit it {option}")


def check_same_order(earlier: Sitting, seed: int | None) -> None:
    """Refuse to say that options stood otherwise than they did when the answers were given."""
    before = earlier.header.shuffle_options
    if before != seed:
        how = "as the test has them" if before is None else f"shuffled by seed {before}"
        option = (
            "without `shuffle_options`" if before is None else f"with `shuffle_options` {before}"
        )
        raise UsageError(f"{earlier.file}: was sat with options {how}: sit it {option}")


def notes(earlier: Sitting, test: Test, coverage: Coverage) -> list[str]:
    """What a reader should know of answers that are handed in: parts, strangers, odd repeats."""
    said = [*earlier.notes]
    if (earlier.header.covers, earlier.header.limit) != (None, None):
        said.append(
            f"{earlier.file}: holds answers to a part of the test; "
            f"{coverage.units} of {test.facts.units} units are sat"
        )
    known = {unit.id for unit in test.units()}
    strangers = [id for id in earlier if id not in known]
    unknown, elsewhere = answers_elsewhere(test, earlier, strangers)
    if elsewhere:
        said.append(f"{earlier.file}: answers to units of other splits, passed over: {elsewhere}")
    if unknown:
        said.append(
            f"{earlier.file}: answers to units that the test does not have: {listed_ids(unknown)}"
        )
    repeats = earlier.header.repeats
    beyond = [id for id in earlier if any(not 0 <= row.repeat < repeats for row in earlier.of(id))]
    if beyond:
        said.append(
            f"{earlier.file}: rows of repeats beyond the {repeats} of its header were left out: "
            f"{listed_ids(beyond)}"
        )
    return said
