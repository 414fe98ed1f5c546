"""The articles of a test with their passages and questions: what a split never parts.

Articles that share a text or a question with its answer are one group, since one would give the
other away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension import type_of
from readmark.core.labels import ABSENT, in_order
from readmark.core.progress import WatchCount
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.making.splits.overlaps import ARTICLE, SHARED, Alikes, Link, article_of
from readmark.text.shingles import THRESHOLD

BY = ("level", "type")
BY_KIND = {"readability": ("genre", "topic")}
"""What is spread evenly in tests of other kinds, whose units have no levels and types."""

Stratum = tuple[str, str]
"""A field and a value of it."""


@dataclass(slots=True)
class ArticleGroup:
    """Articles that stay together, most often just one; its name is the first of theirs."""

    name: str
    articles: set[str] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    questions: int = 0
    strata: Counter[Stratum] = field(default_factory=Counter)

    def take(self, other: ArticleGroup) -> None:
        """Take in everything of another group."""
        self.name = min(self.name, other.name)
        self.articles |= other.articles
        self.passages |= other.passages
        self.questions += other.questions
        self.strata.update(other.strata)


def spread_in(test: Test) -> tuple[str, ...]:
    """The fields that are spread evenly by default."""
    return BY_KIND.get(test.kind.name, BY)


def articles_of(
    test: Test,
    *,
    by: Sequence[str] | None = None,
    article: Sequence[str] = ARTICLE,
    alike: bool = True,
    threshold: float = THRESHOLD,
    progress: WatchCount | None = None,
) -> tuple[list[ArticleGroup], tuple[Link, ...]]:
    """The groups of articles in the order of their names, and the links that joined them."""
    by = spread_in(test) if by is None else by
    articles = _Articles()
    with Alikes(fields=article, threshold=threshold) as alikes:
        for _, record in alikes.read(test, splits=False):
            group = articles.group("=".join(article_of(record, article)), record.id)
            for unit in test.kind.units(record):
                group.questions += 1
                group.strata.update(set(_strata(test, unit, by)))
        if alike:
            for places in (*alikes.same_texts(), *alikes.same_questions()):
                what = "question" if places[0].question is not None else "passage"
                for other in places[1:]:
                    articles.join(Link(what, places[0], other, 1.0))
            for left, right, resemblance in alikes.near_texts(progress):
                articles.join(Link("passage", left[0], right[0], resemblance))
            for inner, outer, share in alikes.parts_of_texts():
                articles.join(Link("part", inner[0], outer[0], share))
    return sorted(articles.groups.values(), key=lambda group: group.name), articles.links()


def strata_of(groups: Sequence[ArticleGroup]) -> list[Stratum]:
    """The strata of some groups, without fields that no question has."""
    strata = {stratum for group in groups for stratum in group.strata}
    present = {name for name, value in strata if value != ABSENT}
    return sorted(
        (stratum for stratum in strata if stratum[0] in present),
        key=lambda stratum: (stratum[0], in_order(stratum[1])),
    )


def _strata(test: Test, unit: Unit, by: Sequence[str]) -> Iterator[Stratum]:
    for name in by:
        value: Any = type_of(test, unit) if name == "type" else unit.field(name)
        for member in value if isinstance(value, (list, tuple)) else (value,):
            yield name, ABSENT if member is None else str(member)


class _Articles:
    """Groups that grow together: disjoint sets of articles, by name."""

    def __init__(self) -> None:
        self.groups: dict[str, ArticleGroup] = {}
        self._parent: dict[str, str] = {}
        self._article_of: dict[str, str] = {}
        self._links: dict[tuple[str, str], Link] = {}

    def group(self, name: str, passage: str) -> ArticleGroup:
        """The group of an article, with one more passage of it."""
        if name not in self._parent:
            self._parent[name] = name
            self.groups[name] = ArticleGroup(name, {name})
        # A passage may occur in parts, as in flat files, and these need not have one title.
        self._unite(self._article_of.setdefault(passage, name), name)
        group = self.groups[self._root(name)]
        group.passages.add(passage)
        return group

    def join(self, link: Link) -> None:
        """Put the articles of two passages into one group."""
        first, second = sorted(
            (self._article_of[link.first.passage], self._article_of[link.second.passage])
        )
        if first != second:
            earlier = self._links.setdefault((first, second), link)
            self._links[first, second] = min(earlier, link, key=_link_order)
            self._unite(first, second)

    def links(self) -> tuple[Link, ...]:
        """What joined articles of different names: the most telling link of each pair."""
        return tuple(sorted(self._links.values(), key=_link_order))

    def _unite(self, name: str, other: str) -> None:
        first, second = sorted((self._root(name), self._root(other)))
        if first != second:
            self._parent[second] = first
            self.groups[first].take(self.groups.pop(second))

    def _root(self, name: str) -> str:
        while self._parent[name] != name:
            # Halving the path keeps it short, whatever the order in which articles were united.
            self._parent[name] = name = self._parent[self._parent[name]]
        return name


def _link_order(link: Link) -> tuple[object, ...]:
    return SHARED.index(link.what), -link.resemblance, link.first.passage, link.second.passage
