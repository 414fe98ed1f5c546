"""Passages that give each other away: of one article, (nearly) the same text, the same question.

Splitting keeps them together; the leakage check finds those that were parted. Both read a test
once; texts wait in a temporary file, so that memory holds only ids and hashes.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import IO, Any, NamedTuple

from readmark.core.errors import UsageError
from readmark.core.records import Unit
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.text.folding import folded
from readmark.text.near_duplicates import THRESHOLD, containments, near_duplicates

ARTICLE = ("article", "title")
"""What names a passage's article: the first of these that it has, else it stands for itself."""

Watch = Callable[[int, int], None]
"""Is told how many texts of how many are done."""


class Part(NamedTuple):
    """A split of a test, or a whole test without splits."""

    file: str
    split: str | None


class Place(NamedTuple):
    """A passage in a part, and a question on it where one is meant."""

    part: Part
    passage: str
    question: str | None = None


SHARED = ("passage", "part", "article", "question")
"""What two places may share, the most telling first."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two places that give each other away, by ``passage``, ``part``, ``article`` or ``question``.

    Of a ``part`` the resemblance is how much of the smaller passage stands in the other.
    """

    what: str
    first: Place
    second: Place
    resemblance: float


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
        self._texts: dict[bytes, list[Place]] = {}
        self._articles: dict[bytes, list[Place]] = {}
        self._questions: dict[bytes, list[tuple[Place, bytes | None]]] = {}
        self._shelf = _Shelf()

    def __enter__(self) -> Alikes:
        return self

    def __exit__(self, *_: object) -> None:
        self._shelf.close()

    def read(self, test: Test, *, splits: bool = True) -> Iterator[tuple[Part, Any]]:
        """Take in a test's records as they come by; each with the part that it is of."""
        for record in test.records():
            part = Part(test.file, record.split if splits else None)
            self._take(test, part, record)
            yield part, record

    def _take(self, test: Test, part: Part, record: Any) -> None:
        place = Place(part, record.id)
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
                self._ask(test, unit, Place(part, record.id, unit.id))

    def _ask(self, test: Test, unit: Unit, place: Place) -> None:
        asked = folded(unit.item.text)
        if not asked or getattr(unit.key, "unanswerable", False):
            return
        people = test.kind.references(unit)
        given = {_digest(folded(one.text) or one.text) for person in people for one in person}
        known = self._questions.setdefault(_digest(asked), [])
        known += [(place, answer) for answer in given] or [(place, None)]

    def same_articles(self) -> Iterator[list[Place]]:
        """Passages of one article."""
        return _several(self._articles)

    def same_texts(self) -> Iterator[list[Place]]:
        """Passages with the same letters and digits."""
        return _several(self._texts)

    def same_questions(self) -> Iterator[list[Place]]:
        """Questions with the same words and an answer in common.

        One without a key may have any answer, so it goes with all of the same words.
        """
        for asked in self._questions.values():
            keyless = [place for place, answer in asked if answer is None]
            by_answer: dict[bytes, list[Place]] = {}
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
        self, watch: Watch | None = None
    ) -> Iterator[tuple[list[Place], list[Place], float]]:
        """Texts that are nearly the same: the places of the one, of the other, the resemblance."""
        # In the order of hashes, so that the order of the records has no say in what is found.
        found = near_duplicates(lambda: self._shelf.texts(watch), threshold=self._threshold, seed=1)
        for pair in found:
            one, other = sorted(
                (self._sorted(pair.first), self._sorted(pair.second)),
                key=lambda places: _in_order(places[0]),
            )
            yield one, other, pair.resemblance

    def parts_of_texts(self) -> Iterator[tuple[list[Place], list[Place], float]]:
        """Texts that stand in longer ones: the places of the one, of the other, how much of it."""
        for pair in containments(self._shelf.texts, threshold=self._threshold):
            yield self._sorted(pair.inner), self._sorted(pair.outer), pair.share

    def _sorted(self, digest: bytes) -> list[Place]:
        return sorted(self._texts[digest], key=_in_order)


def across_parts(places: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """Pairs of places in different parts: each place at least once, none with all others."""
    firsts = list({place.part: place for place in reversed(places)}.values())[::-1]
    seen = set()
    for place in places:
        other = next((one for one in firsts if one.part != place.part), None)
        if other is not None:
            pair = tuple(sorted((place, other), key=_in_order))
            if pair not in seen:
                seen.add(pair)
                yield pair[0], pair[1]


def between_parts(one: Sequence[Place], other: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """Pairs of a place of the one and one of the other in different parts, a pair a part."""
    firsts = [{place.part: place for place in reversed(places)} for places in (one, other)]
    for mine, theirs in product(firsts[0].values(), firsts[1].values()):
        if mine.part != theirs.part:
            first, second = sorted((mine, theirs), key=_in_order)
            yield first, second


def _several(shared: dict[bytes, list[Place]]) -> Iterator[list[Place]]:
    for places in shared.values():
        if len(places) > 1:
            yield sorted(set(places), key=_in_order)


def _parts(places: Iterable[Place]) -> int:
    return len({place.part for place in places})


def _in_order(place: Place) -> tuple[object, ...]:
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

    def texts(self, watch: Watch | None = None) -> Iterator[tuple[bytes, str]]:
        for done, name in enumerate(sorted(self._where), 1):
            start, size = self._where[name]
            self._file.seek(start)
            yield name, self._file.read(size).decode(errors="surrogatepass")
            if watch is not None:
                watch(done, len(self._where))


# Leakage: what stands in two parts of a test, or in two tests, so that one gives the other away.


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
