"""Leakage: what is in two parts of a test, or in two tests, so that one gives the other away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import same_file
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.making.splits.overlaps import (
    ARTICLE,
    SHARED,
    Alikes,
    Link,
    PassagePlace,
    Progress,
    TestPart,
    across_parts,
    between_parts,
    print_links,
)
from readmark.text.near_duplicates import THRESHOLD

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class PartSize:
    """How much of a test a part is."""

    part: TestPart
    passages: int
    questions: int


@dataclass(frozen=True, slots=True)
class Leakage(Result):
    """What the parts have in common, part by part, and what was looked at."""

    threshold: float
    parts: tuple[PartSize, ...]
    links: tuple[Link, ...]
    same_words: int
    """Questions asked in the same words in another part, whatever their answers."""

    def between(self) -> dict[tuple[TestPart, TestPart], list[Link]]:
        """The links by the two parts that they are between."""
        found: dict[tuple[TestPart, TestPart], list[Link]] = {}
        for link in self.links:
            found.setdefault((link.first.part, link.second.part), []).append(link)
        return found

    def as_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "parts": [
                {**size.part._asdict(), "passages": size.passages, "questions": size.questions}
                for size in self.parts
            ],
            "pairs": [link.as_json() for link in self.links],
            "same_words": self.same_words,
        }

    def show(self, console: Console) -> None:
        one_file = len({size.part.file for size in self.parts}) == 1
        names = {size.part: _name(size.part, bare=one_file) for size in self.parts}
        table = plain_table("part", "passages", "questions")
        for size in self.parts:
            table.add_row(names[size.part], f"{size.passages:,}", f"{size.questions:,}")
        console.print(table)
        for (first, second), links in self.between().items():
            console.print(f"{names[first]} and {names[second]}: {counted(len(links), 'pair')}")
            print_links(console, links)
        if not self.links:
            console.print(
                f"nothing found: no two parts share an article or an answered question, no "
                f"passages resemble each other by {self.threshold:.2f} or more, and none "
                "contains another"
            )
        if self.same_words:
            console.print(
                f"asked in the same words in another part, whatever the answer: "
                f"{counted(self.same_words, 'question')}"
            )


def _name(part: TestPart, *, bare: bool) -> str:
    """A part by its split, and by its file where there are several."""
    if bare:
        return "no split" if part.split is None else part.split
    return part.file if part.split is None else f"{part.file} ({part.split})"


def leakage(
    tests: Sequence[Test],
    *,
    threshold: float = THRESHOLD,
    article: Sequence[str] = ARTICLE,
    progress: Progress | None = None,
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
        links = _each_once(
            _links(alikes, progress), {part: index for index, part in enumerate(ordered)}
        )
        sizes = tuple(PartSize(part, passages[part], questions[part]) for part in ordered)
        return Leakage(threshold, sizes, links, alikes.same_words())


def _links(alikes: Alikes, progress: Progress | None) -> Iterator[Link]:
    for places in alikes.same_texts():
        for first, second in across_parts(places):
            yield Link("passage", first, second, 1.0)
    for passage_places, other, resemblance in alikes.near_texts(progress):
        for first, second in between_parts(passage_places, other):
            yield Link("passage", first, second, resemblance)
    for passage_places, other, share in alikes.parts_of_texts():
        for first, second in between_parts(passage_places, other):
            yield Link("part", first, second, share)
    for places in alikes.same_articles():
        for first, second in across_parts(places):
            yield Link("article", first, second, 1.0)
    for places in alikes.same_questions():
        for first, second in across_parts(places):
            yield Link("question", first, second, 1.0)


def _each_once(links: Iterator[Link], rank: Mapping[TestPart, int]) -> tuple[Link, ...]:
    """In the order of the parts; of alike passages, articles and questions go without saying."""
    kept: dict[tuple[PassagePlace, ...], Link] = {}
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
