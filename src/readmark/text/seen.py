"""Passages of a test that are in a candidate's training data."""

from __future__ import annotations

from collections.abc import Collection

from readmark.core.seen import SeenPassages
from readmark.core.test import Test
from readmark.text.training_record import TrainingRecord, compared_text


def find_seen(
    test: Test, record: TrainingRecord, *, units: Collection[str] | None = None
) -> SeenPassages:
    """The passages of a test that a record has; only those with some of the ``units`` count."""
    papers = {source.paper: source.name for source in record.sources if source.paper is not None}
    same_paper = papers.get(test.facts.paper)
    seen_ids: list[str] = []
    seen_sources: set[str] = set()
    total = 0
    for passage in test.records():
        if units is not None and not any(unit.id in units for unit in test.kind.units(passage)):
            continue
        total += 1
        sources = set(record.sources_of(compared_text(test, passage)))
        if same_paper is not None:  # texts too short to be known again are known by the paper
            sources.add(same_paper)
        if sources:
            seen_ids.append(passage.id)
            seen_sources |= sources
    return SeenPassages(
        passages=len(seen_ids),
        of=total,
        sources=tuple(source.name for source in record.sources if source.name in seen_sources),
        ids=tuple(seen_ids),
        noun=test.kind.record_noun,
    )
