"""How a sitting belongs to a test: by the fingerprint of its paper or of a split, and by ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.record_members import split_of
from readmark.core.sitting import Sitting, SittingHeader
from readmark.core.splits import only_splits, split_words
from readmark.core.test import Test

MOST_SPLITS = 100
"""Splits of a test up to which a sitting's header has their fingerprints."""
SHOWN_IDS = 3
"""Ids of each side that a message shows where none belongs to the other."""


def paper_members(test: Test) -> dict[str, Any]:
    """The members of a sitting's header that bind it to a test and to each of its splits."""
    facts = test.facts
    splits = {}
    if 1 < len(facts.splits) <= MOST_SPLITS:
        splits = {name or "": split.paper for name, split in facts.splits.items()}
    return {"paper": facts.paper, "splits": splits}


def sat_splits(test: Test, sitting: Sitting) -> tuple[str | None, ...]:
    """The splits of the test that a sitting is of; a sitting of another paper is an error.

    A split is a paper too: both sides may have it whole, or as one of several.
    """
    header, facts = sitting.header, test.facts
    everything = tuple(facts.splits)
    _require_parts(test, sitting)
    if header.paper in (None, facts.paper):
        return everything
    papers = {header.paper, *header.splits.values()}
    shared = tuple(name for name, split in facts.splits.items() if split.paper in papers)
    if facts.paper in papers:
        shared = everything
    elif not shared and test.whole is not None and test.whole.facts.paper == header.paper:
        shared = everything  # a sitting that does not name its splits, of the test's whole file
    # The first units of a wider paper may all be of another split, and its header does not list
    # them.
    may_miss = header.limit is not None and header.covers is None and is_wider(test, header)
    if shared and not may_miss:
        return shared
    splits = {} if test.whole is None else test.whole.facts.splits
    others = [name for name, split in splits.items() if split.paper in papers]
    if others and not shared:
        raise DataError(
            f"is a sitting of {split_words(others)}, not of {split_words(test.selected)}",
            file=sitting.file,
        )
    raise DataError(
        f"is a sitting of another paper ({header.paper}); {test.file} has {facts.paper}",
        file=sitting.file,
    )


def _require_parts(test: Test, sitting: Sitting) -> None:
    """Refuse a sitting of parts of which one is of another paper than the test's parts."""
    if not sitting.papers:
        return
    papers = {test.facts.paper, *test.facts.parts}
    if test.whole is not None:
        papers |= {test.whole.facts.paper, *test.whole.facts.parts}
    for index, paper in enumerate(sitting.papers):
        if paper not in papers:
            raise DataError(
                f"part {index} is a sitting of another paper ({paper}), not of "
                f"one of the parts of {test.file}",
                file=sitting.file,
            )


def is_wider(test: Test, header: SittingHeader) -> bool:
    """Whether a sitting is of a paper that has other splits than the test."""
    papers = {split.paper for split in test.facts.splits.values()} | {test.facts.paper}
    return header.paper is not None and header.paper not in papers


def part_sat(test: Test, sittings: Iterable[Sitting]) -> Test:
    """The splits of a test that all of some sittings are of: the whole test in most cases."""
    return common_part(test, [sat_splits(test, sitting) for sitting in sittings])


def common_part(test: Test, parts: Sequence[Sequence[str | None]]) -> Test:
    """The splits of a test that are in each of some parts of it; none at all is an error."""
    common = [name for name in test.facts.splits if all(name in part for part in parts)]
    if not common:
        listed = "; ".join(dict.fromkeys(split_words(part) for part in parts))
        raise DataError(f"the sittings share no split: {listed}", file=test.file)
    return test if len(common) == len(test.facts.splits) else only_splits(test, common)


def part_notes(test: Test, part: Test, sittings: Iterable[Sitting]) -> list[str]:
    """Which sittings are the reason that only a ``part`` of the test is used."""
    if part is test:
        return []
    units = f"{part.facts.units} of {test.facts.units} units"
    return [
        f"{sitting.file}: is a sitting of {split_words(sat_splits(test, sitting))} of "
        f"{test.file}: {units} are used"
        for sitting in sittings
        if len(sat_splits(test, sitting)) < len(test.facts.splits)
    ]


def answers_elsewhere(test: Test, sitting: Sitting, ids: Sequence[str]) -> tuple[list[str], int]:
    """Of ids that the test does not have: those that are unknown, and how many are of other splits.

    A sitting of a wider paper has answers to that paper alone.
    """
    if is_wider(test, sitting.header):
        return [], len(ids)
    if not ids or test.whole is None:
        return list(ids), 0
    everywhere = {unit.id for unit in test.whole.units()}
    unknown = [id for id in ids if id not in everywhere]
    return unknown, len(ids) - len(unknown)


def require_known_ids(test: Test, sitting: Sitting) -> None:
    """Refuse answers of which none is to a unit of the test, and show ids of both sides.

    A sitting that names its paper was checked by that.
    """
    if sitting.header.paper is not None or not len(sitting.rows):
        return
    if any(unit.id in sitting.rows for unit in test.units()):
        return
    elsewhere = _splits_with_answers(test, sitting)
    if elsewhere:
        raise DataError(
            f"no answer is to a unit of {split_words(test.selected)}; "
            f"all are to units of {split_words(elsewhere)}",
            file=sitting.file,
        )
    answered = _first_ids(sitting)
    units = _first_ids(unit.id for unit in test.units())
    raise DataError(
        f"no answer is to a unit of {test.file}: the answers are to {answered}; "
        f"the test has {units}",
        file=sitting.file,
    )


def _splits_with_answers(test: Test, sitting: Sitting) -> tuple[str | None, ...]:
    """The other splits of the whole test whose units are answered."""
    splits: dict[str | None, None] = {}
    for unit in test.whole.units() if test.whole is not None else ():
        if unit.id in sitting.rows:
            splits[split_of(unit.record)] = None
    return tuple(splits)


def _first_ids(ids: Iterable[str]) -> str:
    return first_ids(list(islice(ids, SHOWN_IDS + 1)), SHOWN_IDS, quoted=True)
