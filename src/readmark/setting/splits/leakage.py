"""Leakage: what stands in two parts of a test, or in two tests, so that one gives the other away.

Same or nearly the same passages, passages that stand in longer ones, passages of one article in two
splits of a test, and questions of the same words with an answer in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.measures.sketches import THRESHOLD
from readmark.setting.splits.alike import (
    ARTICLE,
    SHARED,
    Alikes,
    Link,
    Part,
    Place,
    Watch,
    across_parts,
    between_parts,
)
from readmark.setting.splits.order import split_order


@dataclass(frozen=True, slots=True)
class PartSize:
    """How much of a test a part is."""

    part: Part
    passages: int
    questions: int


@dataclass(frozen=True, slots=True)
class Leakage:
    """What the parts have in common, part by part, and what was looked at."""

    threshold: float
    parts: tuple[PartSize, ...]
    links: tuple[Link, ...]
    same_words: int
    """Questions asked in the same words in another part, whatever their answers."""

    def between(self) -> dict[tuple[Part, Part], list[Link]]:
        """The links by the two parts that they are between."""
        found: dict[tuple[Part, Part], list[Link]] = {}
        for link in self.links:
            found.setdefault((link.first.part, link.second.part), []).append(link)
        return found


def leakage(
    tests: Sequence[Test],
    *,
    threshold: float = THRESHOLD,
    article: Sequence[str] = ARTICLE,
    watch: Watch | None = None,
) -> Leakage:
    """Compare the splits of each test with each other and with those of every other test."""
    passages: Counter[Part] = Counter()
    questions: Counter[Part] = Counter()
    with Alikes(fields=article, threshold=threshold) as alikes:
        for test in tests:
            for part, record in alikes.read(test):
                passages[part] += 1
                questions[part] += sum(1 for _ in test.kind.units(record))
        if len(passages) < 2:
            raise UsageError(
                f"{tests[0].file}: one part and nothing to compare it with; "
                "split it first, or name other tests"
            )
        files = [test.file for test in tests]
        ordered = sorted(passages, key=lambda part: (files.index(part.file), split_order(part[1])))
        links = _told_once(_links(alikes, watch), {part: at for at, part in enumerate(ordered)})
        sizes = tuple(PartSize(part, passages[part], questions[part]) for part in ordered)
        return Leakage(threshold, sizes, links, alikes.same_words())


def _links(alikes: Alikes, watch: Watch | None) -> Iterator[Link]:
    for places in alikes.same_texts():
        for first, second in across_parts(places):
            yield Link("passage", first, second, 1.0)
    for one, other, resemblance in alikes.near_texts(watch):
        for first, second in between_parts(one, other):
            yield Link("passage", first, second, resemblance)
    for one, other, share in alikes.parts_of_texts():
        for first, second in between_parts(one, other):
            yield Link("part", first, second, share)
    for places in alikes.same_articles():
        for first, second in across_parts(places):
            yield Link("article", first, second, 1.0)
    for places in alikes.same_questions():
        for first, second in across_parts(places):
            yield Link("question", first, second, 1.0)


def _told_once(links: Iterator[Link], rank: Mapping[Part, int]) -> tuple[Link, ...]:
    """In the order of the parts; of alike passages, articles and questions go without saying."""
    kept: dict[tuple[Place, ...], Link] = {}
    for link in links:
        first, second = sorted((link.first, link.second), key=lambda place: rank[place.part])
        passages = first._replace(question=None), second._replace(question=None)
        if passages not in kept:
            kept.setdefault((first, second), replace(link, first=first, second=second))

    def order(link: Link) -> tuple[object, ...]:
        first, second = link.first, link.second
        ids = (first.passage, second.passage, first.question or "", second.question or "")
        ranks = rank[first.part], rank[second.part]
        return *ranks, SHARED.index(link.what), -link.resemblance, *ids

    return tuple(sorted(kept.values(), key=order))
