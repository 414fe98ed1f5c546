"""The two sides of a parallel corpus beside each other: two tests with equal parallel ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Problem
from readmark.corpus.test import Place, Test

FAR_RATIO = 1.5
FAR_DIFFERENCE = 5
"""Two sides are far apart when one has over so many times, and over so many more, noun phrases."""


@dataclass(frozen=True, slots=True)
class _Counted:
    place: Place
    id: str
    phrases: int


def side_findings(tests: Iterable[Test], *, across: bool = False) -> Iterator[Problem]:
    """Parallel passages whose noun phrases differ much in number, told of the later test.

    With ``across`` only tests of different files are compared.
    """
    counted = [(test, *found) for test in tests if (found := _count(test)) is not None]
    for (one, language, first), (other, second_language, second) in combinations(counted, 2):
        if language == second_language or (across and one.file == other.file):
            continue
        for parallel, b in second.items():
            a = first.get(parallel)
            if a is not None and is_far(a.phrases, b.phrases):
                where = b.place if isinstance(b.place, int) else b.id
                named = f"{b.id}: " if isinstance(b.place, int) else ""
                of = "" if one.file == other.file else f" in {one.file}"
                message = (
                    f"{named}{b.phrases} noun phrases, its {language} side{of} has {a.phrases}"
                )
                yield Problem(other.file, where, "np_count", message)


def is_far(one: int, other: int) -> bool:
    """Whether two counts of noun phrases are far apart."""
    few, many = sorted((one, other))
    return many - few > FAR_DIFFERENCE and many > FAR_RATIO * few


def _count(test: Test) -> tuple[str, dict[str, _Counted]] | None:
    """The noun phrases of each passage that has a parallel id, by it; None for what is unsound."""
    if test.header.kind != "comprehension":
        return None
    found: dict[str, _Counted] = {}
    try:
        for place, passage in test.stream(_ignore):
            np = passage.layers.get("np")
            if passage.parallel is not None and np is not None:
                found[passage.parallel] = _Counted(place, passage.id, len(np.spans))
        return (test.language, found) if found else None
    except DataError:
        return None  # the check of that test tells it


def _ignore(problem: Problem) -> None:
    """What is wrong in a test is told by its own check."""
