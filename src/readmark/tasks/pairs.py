"""What was annotated as (assertion, text) pairs: formal statements beside words that say them.

"A set of example pairs linking formal assertions to sentences or phrases with the same meaning"
("The DARPA Machine Reading Program", section 3.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from readmark.core.files import line, require_distinct_files, writing
from readmark.core.records import Value
from readmark.core.spans import Excerpt
from readmark.tasks.package import Package, open_package
from readmark.tasks.reasoning.graphs import Namespaces, Support, write_triple


class Pair(Value, frozen=True):
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


def pairs(package: Package) -> Iterator[Pair]:
    """A pair a statement with text behind it; one without any is passed over."""
    ontology = package.ontology()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    for one in package.asserted(namespaces):
        support = one.support
        whole = support.statement or _spread(support)
        if whole:
            yield Pair(
                assertion=write_triple(one.statement),
                text=" … ".join(excerpt.quote for excerpt in whole),
                document=one.graph,
                split=package.splits.get(one.graph),
                excerpts=whole,
                subject=_quotes(support.subject),
                predicate=_quotes(support.predicate),
                object=_quotes(support.object),
                probability=None if one.probability == 1.0 else one.probability,
                annotator=one.annotator,
            )


def _spread(support: Support) -> tuple[Excerpt, ...]:
    """The excerpts of the parts in the order of the text, where the whole has none."""
    return tuple(sorted({*support.subject, *support.predicate, *support.object}))


def _quotes(excerpts: tuple[Excerpt, ...]) -> tuple[str, ...]:
    return tuple(one.quote for one in excerpts)


# Export the annotated statements of a task as (assertion, text) pairs.


def write_pairs(task: str | Path, output: str | Path) -> int:
    """Write a pair a line, JSON Lines; gives how many."""
    require_distinct_files([output], [task])
    count = 0
    with writing(output) as stream:
        for pair in pairs(open_package(task)):
            stream.write(line(pair))
            count += 1
    return count
