"""Leakage between splits or tests: what is in two of them, so that one gives the other away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import same_file
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.core.progress import WatchCount
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.making.splits.overlaps import (
    ARTICLE,
    SHARED,
    Alikes,
    Link,
    PassagePlace,
    TestPart,
    across_parts,
    between_parts,
    print_links,
)
from readmark.text.shingles import THRESHOLD


@dataclass(frozen=True, slots=True)
class Leakage(Result):
    """What the parts of tests have in common, and which parts were compared."""

    threshold: float
    parts: Mapping[TestPart, tuple[int, int]]
    """How many passages and questions each has."""
    links: tuple[Link, ...]
    same_words: int
    """Questions asked in the same words in another part, whatever their answers."""

    def between(self) -> dict[tuple[TestPart, TestPart], list[Link]]:
        """The links by the two parts that they connect."""
        links: dict[tuple[TestPart, TestPart], list[Link]] = {}
        for link in self.links:
            links.setdefault((link.first.part, link.second.part), []).append(link)
        return links

    def as_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "parts": [
                {**part._asdict(), "passages": passages, "questions": questions}
                for part, (passages, questions) in self.parts.items()
            ],
            "pairs": [link.as_json() for link in self.links],
            "same_words": self.same_words,
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per pair of passages or questions."""
        return [link.as_json() for link in self.links]

    def show(self, console: Console) -> None:
        one_file = len({part.file for part in self.parts}) == 1
        names = {part: _name(part, bare=one_file) for part in self.parts}
        table = plain_table("part", "passages", "questions")
        for part, sizes in self.parts.items():
            table.add_row(names[part], *(f"{size:,}" for size in sizes))
        console.print(table)
        for (first, second), links in self.between().items():
            console.print(f"{names[first]} and {names[second]}: {counted(len(links), 'pair')}")
            print_links(console, links)
        if not self.links:
            console.print(
                f"nothing found: no two parts share an article or an answered question, no "
                f"passages resemble each other by {decimal(self.threshold)} or more, and none "
                "contains another"
            )
        if self.same_words:
            console.print(
                f"asked in the same words in another part, whatever the answer: "
                f"{counted(self.same_words, 'question')}"
            )


def _name(part: TestPart, *, bare: bool) -> str:
    """The name of a part: its split, and its file unless ``bare``."""
    if bare:
        return "no split" if part.split is None else part.split
    return part.file if part.split is None else f"{part.file} ({part.split})"


def leakage(
    tests: Sequence[Test],
    *,
    threshold: float = THRESHOLD,
    article: Sequence[str] = ARTICLE,
    progress: WatchCount | None = None,
) -> Leakage:
    """Compare the splits of each test with each other and with those of every other test."""
    for index, test in enumerate(tests):
        for other in tests[:index]:
            if same_file(test.file, other.file):
                raise UsageError(f"{test.file} and {other.file} are one file")
    passages: Counter[TestPart] = Counter()
    questions: Counter[TestPart] = Counter()
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
        rank = {part: index for index, part in enumerate(ordered)}
        links = _each_once(_links(alikes, progress), rank)
        sizes = {part: (passages[part], questions[part]) for part in ordered}
        return Leakage(threshold, sizes, links, alikes.same_words())


def _links(alikes: Alikes, progress: WatchCount | None) -> Iterator[Link]:
    for places in alikes.same_texts():
        for first, second in across_parts(places):
            yield Link("passage", first, second, 1.0)
    for left, right, resemblance in alikes.near_texts(progress):
        for first, second in between_parts(left, right):
            yield Link("passage", first, second, resemblance)
    for inner, outer, share in alikes.parts_of_texts():
        for first, second in between_parts(inner, outer):
            yield Link("part", first, second, share)
    for places in alikes.same_articles():
        for first, second in across_parts(places):
            yield Link("article", first, second, 1.0)
    for places in alikes.same_questions():
        for first, second in across_parts(places):
            yield Link("question", first, second, 1.0)


def _each_once(links: Iterator[Link], rank: Mapping[TestPart, int]) -> tuple[Link, ...]:
    """The links in the order of the parts, the first of each pair of places.

    Passages with nearly one text share an article and questions too, which is not repeated.
    """
    first_links: dict[tuple[PassagePlace, ...], Link] = {}
    for link in links:
        first, second = sorted((link.first, link.second), key=lambda place: rank[place.part])
        passages = first._replace(question=None), second._replace(question=None)
        if passages not in first_links:
            first_links.setdefault((first, second), replace(link, first=first, second=second))

    def order(link: Link) -> tuple[object, ...]:
        first, second = link.first, link.second
        ids = (first.passage, second.passage, first.question or "", second.question or "")
        ranks = rank[first.part], rank[second.part]
        return *ranks, SHARED.index(link.what), -link.resemblance, *ids

    return tuple(sorted(first_links.values(), key=order))
