"""Passages that give each other away: of one article, (nearly) the same text, the same question.

Splitting keeps them together; the leakage check finds those that were parted. Both read a test
once; texts wait in a temporary file, so that memory holds only ids and hashes.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import IO, Any, NamedTuple

from rich.console import Console

from readmark.comprehension import type_of
from readmark.core.display import plain_table
from readmark.core.labels import ABSENT
from readmark.core.numbers import decimal
from readmark.core.progress import WatchCount
from readmark.core.records import Unit
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.text.containment import containments
from readmark.text.folding import folded
from readmark.text.near_duplicates import near_duplicates
from readmark.text.shingles import THRESHOLD

ARTICLE = ("article", "title")
"""What names a passage's article: the first of these that it has, else it stands for itself."""


class TestPart(NamedTuple):
    """A split of a test, or a whole test without splits."""

    file: str
    split: str | None


class PassagePlace(NamedTuple):
    """A passage in a part, and a question on it where one is meant."""

    part: TestPart
    passage: str
    question: str | None = None


SHARED = ("passage", "part", "article", "question")
"""What two places may share, the most telling first."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two places that give each other away, by ``passage``, ``part``, ``article`` or ``question``.

    Of a ``part`` the resemblance is how much of the smaller passage occurs in the other.
    """

    what: str
    first: PassagePlace
    second: PassagePlace
    resemblance: float

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        places = {
            name: {**place.part._asdict(), "passage": place.passage, "question": place.question}
            for name, place in (("first", self.first), ("second", self.second))
        }
        return {"shared": self.what, "resemblance": self.resemblance, **places}


_WHY = {
    "passage": "the text",
    "part": "one contains the other",
    "article": "one article",
    "question": "question and answer",
}


def print_links(console: Console, links: Sequence[Link]) -> None:
    """A table of links: what is shared, how alike the texts are, and the two ids."""
    table = plain_table("shared", "alike")
    for header in ("first", "second"):
        table.add_column(header, overflow="fold")
    for link in links:
        how = decimal(link.resemblance) if link.what in ("passage", "part") else ""
        ids = (place.question or place.passage for place in (link.first, link.second))
        table.add_row(_WHY[link.what], how, *ids)
    console.print(table)


def article_of(record: Any, fields: Sequence[str] = ARTICLE) -> tuple[str, str]:
    """The article of a passage: the field that names it, and its name."""
    for name in fields:
        own = getattr(record, name, None)
        value = record.fields.get(name) if own is None else own
        if isinstance(value, (str, int)) and str(value).strip():
            return name, str(value)
    return "id", record.id


class Alikes:
    """Everything that passages of some tests share, by hashes of what is shared."""

    def __init__(self, *, fields: Sequence[str] = ARTICLE, threshold: float = THRESHOLD) -> None:
        self._fields = fields
        self._threshold = threshold
        self._texts: dict[bytes, list[PassagePlace]] = {}
        self._articles: dict[bytes, list[PassagePlace]] = {}
        self._questions: dict[bytes, list[tuple[PassagePlace, bytes | None]]] = {}
        self._shelf = _Shelf()

    def __enter__(self) -> Alikes:
        return self

    def __exit__(self, *_: object) -> None:
        self._shelf.close()

    def read(self, test: Test, *, splits: bool = True) -> Iterator[tuple[TestPart, Any]]:
        """Take in a test's records as they come by; each with the part that it is of."""
        for record in test.records():
            part = TestPart(test.file, record.split if splits else None)
            self._take(test, part, record)
            yield part, record

    def _take(self, test: Test, part: TestPart, record: Any) -> None:
        place = PassagePlace(part, record.id)
        text = "\n".join(test.kind.texts(record))
        digest = _digest(folded(text) or text)
        if digest not in self._texts:
            self._shelf.put(digest, text)
        self._texts.setdefault(digest, []).append(place)
        # Article ids of two tests may be equal by chance, so they count within a test only.
        article = _digest(test.file, *article_of(record, self._fields))
        self._articles.setdefault(article, []).append(place)
        if test.kind.name == "comprehension":
            for unit in test.kind.units(record):
                self._ask(test, unit, PassagePlace(part, record.id, unit.id))

    def _ask(self, test: Test, unit: Unit, place: PassagePlace) -> None:
        asked = folded(unit.item.text)
        if not asked or getattr(unit.key, "unanswerable", False):
            return
        people = test.kind.references(unit)
        given = {_digest(folded(one.text) or one.text) for person in people for one in person}
        known = self._questions.setdefault(_digest(asked), [])
        known += [(place, answer) for answer in given] or [(place, None)]

    def same_articles(self) -> Iterator[list[PassagePlace]]:
        """Passages of one article."""
        return _several(self._articles)

    def same_texts(self) -> Iterator[list[PassagePlace]]:
        """Passages with the same letters and digits."""
        return _several(self._texts)

    def same_questions(self) -> Iterator[list[PassagePlace]]:
        """Questions with the same words and an answer in common.

        One without a key may have any answer, so it goes with all of the same words.
        """
        for asked in self._questions.values():
            keyless = [place for place, answer in asked if answer is None]
            by_answer: dict[bytes, list[PassagePlace]] = {}
            for place, answer in asked:
                if answer is not None:
                    by_answer.setdefault(answer, []).append(place)
            for places in by_answer.values() if by_answer else [[]]:
                together = sorted({*places, *keyless}, key=_in_order)
                if len({place.passage for place in together}) > 1 or _parts(together) > 1:
                    yield together

    def same_words(self) -> int:
        """How many questions are asked in the same words in another part, whatever the answer."""
        shared = ({place for place, _ in asked} for asked in self._questions.values())
        return sum(len(places) for places in shared if _parts(places) > 1)

    def near_texts(
        self, progress: WatchCount | None = None
    ) -> Iterator[tuple[list[PassagePlace], list[PassagePlace], float]]:
        """Texts that are nearly the same: the places of the one, of the other, the resemblance."""
        # In the order of hashes, so that the order of the records has no say in what is found.
        texts = partial(self._shelf.texts, progress)
        for pair in near_duplicates(texts, threshold=self._threshold, seed=1):
            places = [self._sorted(pair.first), self._sorted(pair.second)]
            places.sort(key=lambda places: _in_order(places[0]))
            yield places[0], places[1], pair.resemblance

    def parts_of_texts(self) -> Iterator[tuple[list[PassagePlace], list[PassagePlace], float]]:
        """Texts that occur in longer ones: the places of the one, of the other, how much of it."""
        for pair in containments(self._shelf.texts, threshold=self._threshold):
            yield self._sorted(pair.inner), self._sorted(pair.outer), pair.share

    def _sorted(self, digest: bytes) -> list[PassagePlace]:
        return sorted(self._texts[digest], key=_in_order)


def across_parts(places: Sequence[PassagePlace]) -> Iterator[tuple[PassagePlace, PassagePlace]]:
    """Pairs of places in different parts: each place at least once, none with all others."""
    firsts = list({place.part: place for place in reversed(places)}.values())[::-1]
    seen = set()
    for place in places:
        other = next((first for first in firsts if first.part != place.part), None)
        if other is not None:
            pair = tuple(sorted((place, other), key=_in_order))
            if pair not in seen:
                seen.add(pair)
                yield pair[0], pair[1]


def between_parts(
    left: Sequence[PassagePlace], right: Sequence[PassagePlace]
) -> Iterator[tuple[PassagePlace, PassagePlace]]:
    """Pairs of a place of the one and one of the other in different parts, one pair per part."""
    firsts = [{place.part: place for place in reversed(places)} for places in (left, right)]
    for mine, theirs in product(firsts[0].values(), firsts[1].values()):
        if mine.part != theirs.part:
            first, second = sorted((mine, theirs), key=_in_order)
            yield first, second


def _several(shared: dict[bytes, list[PassagePlace]]) -> Iterator[list[PassagePlace]]:
    for places in shared.values():
        if len(places) > 1:
            yield sorted(set(places), key=_in_order)


def _parts(places: Iterable[PassagePlace]) -> int:
    return len({place.part for place in places})


def _in_order(place: PassagePlace) -> tuple[object, ...]:
    part = place.part
    return part.file, split_order(part.split), place.passage, place.question or ""


def _digest(*parts: str) -> bytes:
    joined = "\x1f".join(parts).encode(errors="surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).digest()


class _Shelf:
    """Texts in a temporary file, read back in the order of their names."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="readmark-")  # noqa: SIM115
        self._where: dict[bytes, tuple[int, int]] = {}
        self._end = 0

    def close(self) -> None:
        self._file.close()

    def put(self, name: bytes, text: str) -> None:
        data = text.encode(errors="surrogatepass")
        self._file.write(data)
        self._where[name] = self._end, len(data)
        self._end += len(data)

    def texts(self, progress: WatchCount | None = None) -> Iterator[tuple[bytes, str]]:
        for done, name in enumerate(sorted(self._where), 1):
            start, size = self._where[name]
            self._file.seek(start)
            yield name, self._file.read(size).decode(errors="surrogatepass")
            if progress is not None:
                progress(done, len(self._where))


# The articles of a test, each with its passages and questions: what a split never parts.


BY = ("level", "type")
BY_KIND = {"readability": ("genre", "topic")}
"""What is spread evenly in tests of other kinds, whose units have no levels and types."""

Stratum = tuple[str, str]
"""A field and a value of it."""


@dataclass(slots=True)
class ArticleGroup:
    """Articles that stay together, most often just one; the name is the first of theirs."""

    name: str
    articles: set[str] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    questions: int = 0
    strata: Counter[Stratum] = field(default_factory=Counter)

    def take(self, other: ArticleGroup) -> None:
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
    progress: WatchCount | None = None,
) -> tuple[list[ArticleGroup], tuple[Link, ...]]:
    """The articles in the order of their names, and the links that joined some of them."""
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
            for places, several, resemblance in alikes.near_texts(progress):
                articles.join(Link("passage", places[0], several[0], resemblance))
            for places, several, share in alikes.parts_of_texts():
                articles.join(Link("part", places[0], several[0], share))
    return sorted(articles.groups.values(), key=lambda group: group.name), articles.links()


class _Articles:
    """Groups that grow together: the disjoint sets of articles by name."""

    def __init__(self) -> None:
        self.groups: dict[str, ArticleGroup] = {}
        self._root: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._joined: dict[tuple[str, str], Link] = {}

    def group(self, name: str, passage: str) -> ArticleGroup:
        """Where a passage of an article belongs."""
        if name not in self._root:
            self._root[name] = name
            self.groups[name] = ArticleGroup(name, {name})
        # A passage may occur in parts, as in flat files, and these need not have one title.
        self._unite(self._named.setdefault(passage, name), name)
        group = self.groups[self._find(name)]
        group.passages.add(passage)
        return group

    def join(self, link: Link) -> None:
        """The articles of two passages are one from now on."""
        one, other = sorted((self._named[link.first.passage], self._named[link.second.passage]))
        if one != other:
            known = self._joined.setdefault((one, other), link)
            self._joined[one, other] = min(known, link, key=_link_order)
            self._unite(one, other)

    def links(self) -> tuple[Link, ...]:
        """What joined articles of different names, a link a pair of them."""
        return tuple(sorted(self._joined.values(), key=_link_order))

    def _unite(self, one: str, other: str) -> None:
        first, second = sorted((self._find(one), self._find(other)))
        if first != second:
            self._root[second] = first
            self.groups[first].take(self.groups.pop(second))

    def _find(self, name: str) -> str:
        while self._root[name] != name:
            self._root[name] = name = self._root[self._root[name]]
        return name


def _link_order(link: Link) -> tuple[object, ...]:
    return SHARED.index(link.what), -link.resemblance, link.first.passage, link.second.passage


def _strata(test: Test, unit: Unit, by: Sequence[str]) -> Iterator[Stratum]:
    for name in by:
        value: Any = type_of(test, unit) if name == "type" else unit.field(name)
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield name, ABSENT if one is None else str(one)
