"""The passages of two annotators side by side; whatever is not the same text is refused."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Passage
from readmark.core.spans import layer_findings
from readmark.core.test import Test, named_by_text
from readmark.formats.returned_work import require_same_text
from readmark.making.crosscheck.items import parts_of

# Passages kept packed: annotation as objects takes eight times the room that it has in a file.


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Passage).decode


class PackedPassages:
    """Passages by id, in order, each unpacked when it is asked for."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def add(self, passage: Passage) -> None:
        """Keep a passage."""
        self._packed[passage.id] = _pack(passage)

    def __contains__(self, id: object) -> bool:
        return id in self._packed

    def __getitem__(self, id: str) -> Passage:
        return _unpack(self._packed[id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def passages(self) -> Iterator[Passage]:
        """The passages, one at a time."""
        return map(_unpack, self._packed.values())


SHOWN = 3


@dataclass(frozen=True, slots=True)
class PairedPassages:
    """Two annotators' passages by id, and what cannot be compared of them."""

    a: PackedPassages
    b: PackedPassages
    without_questions: list[str] = field(default_factory=list)
    """Passages of which one file has no questions at all: formats of layers hold none."""
    other_keys: list[str] = field(default_factory=list)
    """Questions whose published keys are worded differently: those are not compared."""

    def __iter__(self) -> Iterator[tuple[Passage, Passage]]:
        """The passages that both have, in A's order, unpacked pair by pair as often as wanted."""
        return ((self.a[id], self.b[id]) for id in self.a if id in self.b)

    def __len__(self) -> int:
        return sum(id in self.b for id in self.a)

    @property
    def alone(self) -> tuple[list[str], list[str]]:
        """The passages that only A has, and those that only B has."""
        return _missing(self.a, self.b), _missing(self.b, self.a)


def paired(a: Test, b: Test, *, common: bool = False) -> PairedPassages:
    """Two annotators' passages by id, in A's order.

    A passage in only one file is refused unless ``common`` says to leave it out; a text that
    changed is refused with its first difference.
    """
    for test in (a, b):
        test.require_kind("comprehension")
    paired_passages = PairedPassages(_packed(a), _packed(b))
    _other_versions(paired_passages.a, paired_passages.b, b.file)
    if not common:
        for missing, test, has in zip(paired_passages.alone, (b, a), (a, b), strict=True):
            if missing:
                raise DataError(
                    f"has no passage {_first_ids(missing)}, which {has.file} has; "
                    "compare what both have with --common",
                    file=test.file,
                )
    seen: tuple[set[str], set[str]] = set(), set()
    for passage, other in paired_passages:
        require_same_text(passage.text, other.text, file=b.file, id=passage.id)
        _same_questions(passage, other, a.file, b.file, paired_passages)
        _require_sound(passage, a.file, seen[0])
        _require_sound(other, b.file, seen[1])
    if not len(paired_passages):
        raise DataError(f"has no passage in common with {a.file}", file=b.file)
    return paired_passages


def _packed(test: Test) -> PackedPassages:
    packed_passages = PackedPassages()
    for record in test.records():
        packed_passages.add(record)
    if not len(packed_passages):
        raise DataError("has no passages", file=test.file)
    return packed_passages


def _require_sound(passage: Passage, file: str, seen: set[str]) -> None:
    """Refuse spans that lie outside their text, and ids that would name two texts alike."""
    for part in parts_of(passage):
        if part.id in seen:
            raise DataError(
                "names two texts, a passage and a question or published key of another; "
                "give the passages or questions other ids",
                file=file,
                where=part.id,
            )
        seen.add(part.id)
        for _, _, message in layer_findings(part.id, part.text, part.layers):
            message = f"{message}; readmark check lists all such problems"
            raise DataError(message, file=file, where=part.id)
    for question in passage.questions:
        for start, end in question.key.sentences if question.key else ():
            if not 0 <= start < end <= len(passage.text):
                message = f"answer sentence {start}–{end} is not in the passage"
                raise DataError(message, file=file, where=question.id)


def _other_versions(first: PackedPassages, second: PackedPassages, file: str) -> None:
    """A passage named by its text has another name when the text was changed: say where."""
    ours, theirs = (
        [one for id in side if id not in other and named_by_text(one := side[id])]
        for side, other in ((first, second), (second, first))
    )
    if len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            if _alike(one.text, other.text):
                require_same_text(one.text, other.text, file=file, id=other.id)


def _alike(one: str, other: str) -> bool:
    """Whether two texts look like versions of one: most of their pairs of characters are shared."""
    pairs = [set(pairwise(text)) for text in (one, other)]
    return 2 * len(pairs[0] & pairs[1]) > max(map(len, pairs))


def _same_questions(
    a: Passage, b: Passage, file_a: str, file_b: str, found: PairedPassages
) -> None:
    if not a.questions or not b.questions:
        if a.questions or b.questions:
            found.without_questions.append(a.id)
        return
    first = {question.id: question for question in a.questions}
    second = {question.id: question for question in b.questions}
    for ids, others, file, has in (
        (first, second, file_b, file_a),
        (second, first, file_a, file_b),
    ):
        if missing := _missing(ids, others):
            message = f"has no question {_first_ids(missing)}, which {has} has"
            raise DataError(message, file=file, where=a.id)
    for id, one in first.items():
        require_same_text(one.text, second[id].text, file=file_b, id=id)
        keys = [
            [phrase.text for phrase in question.key.published] if question.key else []
            for question in (one, second[id])
        ]
        if keys[0] != keys[1]:
            found.other_keys.append(id)


def _missing(ids: Iterable[str], others: Container[str]) -> list[str]:
    return [id for id in ids if id not in others]


def _first_ids(ids: list[str]) -> str:
    shown = ", ".join(repr(id) for id in ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown


def notes_on(
    pairs: PairedPassages, names: tuple[str, str], lone: Sequence[tuple[str, str, str]] = ()
) -> list[str]:
    """What was not compared, a line each; ``lone`` are layers that one annotator alone has."""
    notes = [
        f"only {who} has the passages {_first_ids(missing)}: left out"
        for who, missing in zip(names, pairs.alone, strict=True)
        if missing
    ]
    if pairs.without_questions:
        notes.append(
            f"one file has no questions in {_first_ids(pairs.without_questions)}: "
            "questions were not compared there"
        )
    if pairs.other_keys:
        notes.append(
            f"the published keys of {_first_ids(pairs.other_keys)} are worded differently: "
            "they were not compared"
        )
    sorts: dict[tuple[str, str], list[str]] = {}
    for name, sort, who in lone:
        sorts.setdefault((name, names[who == "b"]), []).append(f"{sort}s")
    notes += [
        f"only {who} has {name} in {' and '.join(where)}: "
        "not compared (compare it all the same with --layers)"
        for (name, who), where in sorts.items()
    ]
    return notes
