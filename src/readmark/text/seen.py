"""Passages of a test that are in somebody's training data."""

from __future__ import annotations

from collections.abc import Collection

from readmark.core.seen import SeenPassages
from readmark.core.test import Test
from readmark.text.training_record import TrainingRecord, compared_text


def find_seen(
    test: Test, record: TrainingRecord, *, units: Collection[str] | None = None
) -> SeenPassages:
    """Which passages of a test a record has; only those with some of the ``units`` are counted."""
    papers = {source.paper: source.name for source in record.sources if source.paper is not None}
    same_paper = papers.get(test.facts.paper)
    names: set[str] = set()
    ids: list[str] = []
    total = 0
    for passage in test.records():
        if units is not None and not any(unit.id in units for unit in test.kind.units(passage)):
            continue
        total += 1
        sources = set(record.sources_of(compared_text(test, passage)))
        if same_paper is not None:  # texts too short to be known again are known by the paper
            sources.add(same_paper)
        if sources:
            ids.append(passage.id)
            names |= sources
    return SeenPassages(
        passages=len(ids),
        of=total,
        sources=tuple(source.name for source in record.sources if source.name in names),
        ids=tuple(ids),
        noun=test.kind.record_noun,
    )
