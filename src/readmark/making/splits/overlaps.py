"""Passages that give each other away: of one article, (nearly) the same text, the same question.

Splitting keeps them together; the leakage check finds those that are in different splits. Both
read a test once; texts wait in a temporary file, so that memory holds only ids and hashes.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import IO, Any, NamedTuple

from rich.console import Console

from readmark.core.display import plain_table
from readmark.core.numbers import decimal
from readmark.core.progress import WatchCount
from readmark.core.record_members import is_unanswerable
from readmark.core.records import Unit
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.text.containment import containments
from readmark.text.folding import folded
from readmark.text.near_duplicates import near_duplicates
from readmark.text.shingles import THRESHOLD

ARTICLE = ("article", "title")
"""Fields that name a passage's article: the first that it has; without any it stands alone."""


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

_SHARED_WORDS = {
    "passage": "the text",
    "part": "one contains the other",
    "article": "one article",
    "question": "question and answer",
}


@dataclass(frozen=True, slots=True)
class Link:
    """Two places that give each other away, by ``passage``, ``part``, ``article`` or ``question``.

    The resemblance of a ``part`` is the share of the smaller passage that occurs in the other.
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


def print_links(console: Console, links: Sequence[Link]) -> None:
    """A table of links: what is shared, how alike the texts are, and the two ids."""
    table = plain_table("shared", "alike")
    for header in ("first", "second"):
        table.add_column(header, overflow="fold")
    for link in links:
        alike = decimal(link.resemblance) if link.what in ("passage", "part") else ""
        ids = (place.question or place.passage for place in (link.first, link.second))
        table.add_row(_SHARED_WORDS[link.what], alike, *ids)
    console.print(table)


def article_of(record: Any, fields: Sequence[str] = ARTICLE) -> tuple[str, str]:
    """The article of a passage: the field that names it, and its name."""
    for name in fields:
        value = getattr(record, name, None)
        if value is None:
            value = record.fields.get(name)
        if isinstance(value, (str, int)) and str(value).strip():
            return name, str(value)
    return "id", record.id


class Alikes:
    """What the passages of tests share, by hashes of texts, articles and questions."""

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
        """Read a test and note what its records share; each comes with its part."""
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
                self._take_question(test, unit, PassagePlace(part, record.id, unit.id))

    def _take_question(self, test: Test, unit: Unit, place: PassagePlace) -> None:
        question = folded(unit.item.text)
        if not question or is_unanswerable(unit.key):
            return
        answers = {
            _digest(folded(answer.text) or answer.text)
            for person in test.kind.references(unit)
            for answer in person
        }
        places = self._questions.setdefault(_digest(question), [])
        places += [(place, answer) for answer in answers] or [(place, None)]

    def same_articles(self) -> Iterator[list[PassagePlace]]:
        """Groups of passages of one article."""
        return _several(self._articles)

    def same_texts(self) -> Iterator[list[PassagePlace]]:
        """Groups of passages with the same letters and digits."""
        return _several(self._texts)

    def same_questions(self) -> Iterator[list[PassagePlace]]:
        """Groups of questions with the same words and an answer in common.

        One without a key may have any answer, so it is in every group of its words.
        """
        for answered in self._questions.values():
            keyless = [place for place, answer in answered if answer is None]
            by_answer: dict[bytes, list[PassagePlace]] = {}
            for place, answer in answered:
                if answer is not None:
                    by_answer.setdefault(answer, []).append(place)
            for places in by_answer.values() if by_answer else [[]]:
                group = sorted({*places, *keyless}, key=_in_order)
                if len({place.passage for place in group}) > 1 or _parts(group) > 1:
                    yield group

    def same_words(self) -> int:
        """How many questions occur in the same words in another part, whatever the answer."""
        groups = ({place for place, _ in answered} for answered in self._questions.values())
        return sum(len(places) for places in groups if _parts(places) > 1)

    def near_texts(
        self, progress: WatchCount | None = None
    ) -> Iterator[tuple[list[PassagePlace], list[PassagePlace], float]]:
        """Pairs of texts that are nearly the same: the places of both and the resemblance."""
        # In the order of hashes, so that the result does not depend on the order of the records.
        texts = partial(self._shelf.texts, progress)
        for pair in near_duplicates(texts, threshold=self._threshold, seed=1):
            places = [self._sorted(pair.first), self._sorted(pair.second)]
            places.sort(key=lambda places: _in_order(places[0]))
            yield places[0], places[1], pair.resemblance

    def parts_of_texts(self) -> Iterator[tuple[list[PassagePlace], list[PassagePlace], float]]:
        """Texts that occur in longer ones: the places of both and the share that occurs there."""
        for pair in containments(self._shelf.texts, threshold=self._threshold):
            yield self._sorted(pair.inner), self._sorted(pair.outer), pair.share

    def _sorted(self, digest: bytes) -> list[PassagePlace]:
        return sorted(self._texts[digest], key=_in_order)


def across_parts(places: Sequence[PassagePlace]) -> Iterator[tuple[PassagePlace, PassagePlace]]:
    """Pairs of places in different parts: each place in at least one.

    All pairs would be too many to read: a text in two splits a hundred times has 10,000.
    """
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
    """Pairs of a place on the left and one on the right, one pair for each two different parts."""
    first_left, first_right = (
        {place.part: place for place in reversed(places)} for places in (left, right)
    )
    for left_place, right_place in product(first_left.values(), first_right.values()):
        if left_place.part != right_place.part:
            first, second = sorted((left_place, right_place), key=_in_order)
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
        self._extents: dict[bytes, tuple[int, int]] = {}
        self._end = 0

    def close(self) -> None:
        self._file.close()

    def put(self, name: bytes, text: str) -> None:
        data = text.encode(errors="surrogatepass")
        self._file.write(data)
        self._extents[name] = self._end, len(data)
        self._end += len(data)

    def texts(self, progress: WatchCount | None = None) -> Iterator[tuple[bytes, str]]:
        for count, name in enumerate(sorted(self._extents), 1):
            start, size = self._extents[name]
            self._file.seek(start)
            yield name, self._file.read(size).decode(errors="surrogatepass")
            if progress is not None:
                progress(count, len(self._extents))
