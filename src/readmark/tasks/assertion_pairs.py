"""What was annotated as (assertion, text) pairs, to train extractors with.

"Example pairs linking formal assertions to sentences or phrases with the same meaning" ("The DARPA
Machine Reading Program", section 3.2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from readmark.core.distinct_files import require_distinct_files
from readmark.core.json_lines import json_line
from readmark.core.records import Value
from readmark.core.spans import Excerpt
from readmark.core.writing import writing
from readmark.tasks.package import Package
from readmark.tasks.reasoning.graphs import write_triple


class AssertionPair(Value, frozen=True):
    """A statement and the words that it was read from, with those of its parts."""

    assertion: str
    text: str
    document: str
    split: str | None = None
    excerpts: tuple[Excerpt, ...] = ()
    subject: tuple[str, ...] = ()
    predicate: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    probability: float | None = None
    annotator: str | None = None


def assertion_pairs(package: Package) -> Iterator[AssertionPair]:
    """A pair for each statement that has text behind it."""
    for asserted in package.asserted():
        support = asserted.support
        excerpts = support.spread()
        if excerpts:
            yield AssertionPair(
                assertion=write_triple(asserted.statement),
                text=" … ".join(_quotes(excerpts)),
                document=asserted.graph,
                split=package.splits.get(asserted.graph),
                excerpts=excerpts,
                subject=_quotes(support.subject),
                predicate=_quotes(support.predicate),
                object=_quotes(support.object),
                probability=None if asserted.probability == 1.0 else asserted.probability,
                annotator=asserted.annotator,
            )


def _quotes(excerpts: Iterable[Excerpt]) -> tuple[str, ...]:
    return tuple(excerpt.quote for excerpt in excerpts)


def write_pairs(package: Package, output: str | Path) -> int:
    """Write the pairs as JSON Lines; returns how many there are."""
    require_distinct_files([output], [package.folder.path])
    count = 0
    with writing(output) as stream:
        for pair in assertion_pairs(package):
            stream.write(json_line(pair))
            count += 1
    return count
