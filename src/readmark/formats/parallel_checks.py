"""The two languages of a parallel corpus compared: two tests with equal parallel ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.problems import Problem, ignore, of_owner
from readmark.core.records import Passage
from readmark.core.test import RecordPlace, Test

FAR_RATIO = 1.5
FAR_DIFFERENCE = 5
"""Passages are far apart when one has over so many times, and so many more, noun phrases."""


@dataclass(frozen=True, slots=True)
class _PhraseCount:
    place: RecordPlace
    id: str
    phrases: int


def phrase_count_findings(tests: Iterable[Test], *, across: bool = False) -> Iterator[Problem]:
    """Parallel passages whose noun phrases differ much in number, reported for the later test.

    With ``across`` only tests of different files are compared.
    """
    counts = [(test, count) for test in tests if (count := _phrase_counts(test)) is not None]
    for (test, passages), (later, later_passages) in combinations(counts, 2):
        if test.language == later.language or (across and test.file == later.file):
            continue
        for parallel, passage in later_passages.items():
            if parallel in passages and is_far(passages[parallel].phrases, passage.phrases):
                where = "" if test.file == later.file else f" in {test.file}"
                message = (
                    f"{counted(passage.phrases, 'noun phrase')}, its {test.language} "
                    f"parallel{where} has {passages[parallel].phrases}"
                )
                yield of_owner(
                    later.file, passage.place, passage.id, "np_count", message, "warning"
                )


def is_far(count: int, other: int) -> bool:
    """Whether two counts of noun phrases are far apart."""
    few, more = sorted((count, other))
    return more - few > FAR_DIFFERENCE and more > FAR_RATIO * few


def _phrase_counts(test: Test) -> dict[str, _PhraseCount] | None:
    """The noun phrases of passages by parallel id; None without any, and for what is unsound."""
    if test.kind.record is not Passage:
        return None
    counts: dict[str, _PhraseCount] = {}
    try:
        for place, passage in test.stream(ignore):
            np = passage.layers.get("np")
            if passage.parallel is not None and np is not None:
                counts[passage.parallel] = _PhraseCount(place, passage.id, len(np.spans))
    except DataError:
        return None  # the check of that test reports it
    return counts or None
