"""The articles of a test, each with its passages and questions: what a split never parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.records import ABSENT, Unit
from readmark.core.test import Test
from readmark.making.splits.overlaps import ARTICLE, SHARED, Alikes, Link, Watch, article_of
from readmark.making.tables.corpus import type_of
from readmark.text.near_duplicates import THRESHOLD

BY = ("level", "type")
BY_KIND = {"readability": ("genre", "topic")}
"""What is spread evenly in tests of other kinds, whose units have no levels and types."""

Stratum = tuple[str, str]
"""A field and a value of it."""


@dataclass(slots=True)
class Group:
    """Articles that stay together, most often just one; the name is the first of theirs."""

    name: str
    articles: set[str] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    questions: int = 0
    strata: Counter[Stratum] = field(default_factory=Counter)

    def take(self, other: Group) -> None:
        """All that is the other's."""
        self.name = min(self.name, other.name)
        self.articles |= other.articles
        self.passages |= other.passages
        self.questions += other.questions
        self.strata.update(other.strata)


def spread_in(test: Test) -> tuple[str, ...]:
    """What is spread evenly when nobody says."""
    return BY_KIND.get(test.kind.name, BY)


def articles_of(
    test: Test,
    *,
    by: Sequence[str] | None = None,
    article: Sequence[str] = ARTICLE,
    alike: bool = True,
    threshold: float = THRESHOLD,
    watch: Watch | None = None,
) -> tuple[list[Group], tuple[Link, ...]]:
    """The articles in the order of their names, and the links that joined some of them."""
    by = spread_in(test) if by is None else by
    found = _Articles()
    with Alikes(fields=article, threshold=threshold) as alikes:
        for _, record in alikes.read(test, splits=False):
            group = found.group("=".join(article_of(record, article)), record.id)
            for unit in test.kind.units(record):
                group.questions += 1
                group.strata.update(set(_strata(test, unit, by)))
        if alike:
            for places in (*alikes.same_texts(), *alikes.same_questions()):
                what = "question" if places[0].question is not None else "passage"
                for other in places[1:]:
                    found.join(Link(what, places[0], other, 1.0))
            for one, several, resemblance in alikes.near_texts(watch):
                found.join(Link("passage", one[0], several[0], resemblance))
            for one, several, share in alikes.parts_of_texts():
                found.join(Link("part", one[0], several[0], share))
    return sorted(found.groups.values(), key=lambda group: group.name), found.links()


class _Articles:
    """Groups that grow together: the disjoint sets of articles by name."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        self._root: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._joined: dict[tuple[str, str], Link] = {}

    def group(self, name: str, passage: str) -> Group:
        """Where a passage of an article belongs."""
        if name not in self._root:
            self._root[name] = name
            self.groups[name] = Group(name, {name})
        # A passage may stand in parts, as in flat files, and these need not have one title.
        self._unite(self._named.setdefault(passage, name), name)
        group = self.groups[self._find(name)]
        group.passages.add(passage)
        return group

    def join(self, link: Link) -> None:
        """The articles of two passages are one from now on."""
        one, other = sorted((self._named[link.first.passage], self._named[link.second.passage]))
        if one != other:
            known = self._joined.setdefault((one, other), link)
            self._joined[one, other] = min(known, link, key=_in_order)
            self._unite(one, other)

    def links(self) -> tuple[Link, ...]:
        """What joined articles of different names, a link a pair of them."""
        return tuple(sorted(self._joined.values(), key=_in_order))

    def _unite(self, one: str, other: str) -> None:
        first, second = sorted((self._find(one), self._find(other)))
        if first != second:
            self._root[second] = first
            self.groups[first].take(self.groups.pop(second))

    def _find(self, name: str) -> str:
        while self._root[name] != name:
            self._root[name] = name = self._root[self._root[name]]
        return name


def _in_order(link: Link) -> tuple[object, ...]:
    return SHARED.index(link.what), -link.resemblance, link.first.passage, link.second.passage


def _strata(test: Test, unit: Unit, by: Sequence[str]) -> Iterator[Stratum]:
    for name in by:
        value: Any = type_of(test, unit) if name == "type" else unit.field(name)
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield name, ABSENT if one is None else str(one)
