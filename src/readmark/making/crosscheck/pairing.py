"""The passages of two annotators side by side; a text that is not the same in both is refused."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.records import Passage
from readmark.core.spans import layer_findings
from readmark.core.test import Test, named_by_text
from readmark.formats.text_versions import require_same_text
from readmark.making.crosscheck.packed_passages import PackedPassages
from readmark.making.crosscheck.texts import parts_of


@dataclass(frozen=True, slots=True)
class PairedPassages:
    """Two annotators' passages by id, and what in them cannot be compared."""

    a: PackedPassages
    b: PackedPassages
    without_questions: list[str] = field(default_factory=list)
    """Passages that have no questions in one of the files: formats of layers hold none."""
    other_keys: list[str] = field(default_factory=list)
    """Questions whose published keys are worded differently: those are not compared."""

    def __iter__(self) -> Iterator[tuple[Passage, Passage]]:
        """The passages that both have, in A's order; each pass unpacks them again."""
        return ((self.a[id], self.b[id]) for id in self.a if id in self.b)

    def __len__(self) -> int:
        return sum(id in self.b for id in self.a)

    @property
    def only_in_one(self) -> tuple[list[str], list[str]]:
        """The passages that only A has, and those that only B has."""
        return _missing(self.a, self.b), _missing(self.b, self.a)


def pair_passages(a: Test, b: Test, *, common: bool = False) -> PairedPassages:
    """Two annotators' passages by id, in A's order.

    A passage in only one file is refused unless ``common`` says to leave it out; a text that
    changed is refused with its first difference.
    """
    for test in (a, b):
        test.require_kind("comprehension")
    pairs = PairedPassages(_packed(a), _packed(b))
    _refuse_renamed_texts(pairs.a, pairs.b, b.file)
    if not common:
        for missing, test, has in zip(pairs.only_in_one, (b, a), (a, b), strict=True):
            if missing:
                raise DataError(
                    f"has no passage {first_ids(missing, quoted=True)}, which {has.file} has; "
                    "compare only what both have with --common",
                    file=test.file,
                )
    ids_of_a: set[str] = set()
    ids_of_b: set[str] = set()
    for passage, other in pairs:
        require_same_text(passage.text, other.text, file=b.file, id=passage.id)
        _require_same_questions(passage, other, a.file, b.file, pairs)
        _require_sound(passage, a.file, ids_of_a)
        _require_sound(other, b.file, ids_of_b)
    if not len(pairs):
        raise DataError(f"has no passage in common with {a.file}", file=b.file)
    return pairs


def _packed(test: Test) -> PackedPassages:
    packed = PackedPassages()
    for record in test.records():
        packed.add(record)
    if not len(packed):
        raise DataError("has no passages", file=test.file)
    return packed


def _refuse_renamed_texts(first: PackedPassages, second: PackedPassages, file: str) -> None:
    """A passage that is named by its text gets another name when the text changes: say where.

    Without this, the message would be that both files lack a passage, which helps nobody.
    """
    only_first, only_second = (
        [passage for id in side if id not in other and named_by_text(passage := side[id])]
        for side, other in ((first, second), (second, first))
    )
    if len(only_first) == len(only_second):
        for passage, other in zip(only_first, only_second, strict=True):
            if _are_versions(passage.text, other.text):
                require_same_text(passage.text, other.text, file=file, id=other.id)


def _are_versions(text: str, other: str) -> bool:
    """Whether two texts share most of their pairs of characters, as versions of one text do."""
    bigrams, other_bigrams = set(pairwise(text)), set(pairwise(other))
    return 2 * len(bigrams & other_bigrams) > max(len(bigrams), len(other_bigrams))


def _require_same_questions(
    a: Passage, b: Passage, file_a: str, file_b: str, pairs: PairedPassages
) -> None:
    if not a.questions or not b.questions:
        if a.questions or b.questions:
            pairs.without_questions.append(a.id)
        return
    in_a = {question.id: question for question in a.questions}
    in_b = {question.id: question for question in b.questions}
    for ids, others, file, has in ((in_a, in_b, file_b, file_a), (in_b, in_a, file_a, file_b)):
        if missing := _missing(ids, others):
            message = f"has no question {first_ids(missing, quoted=True)}, which {has} has"
            raise DataError(message, file=file, where=a.id)
    for id, question in in_a.items():
        require_same_text(question.text, in_b[id].text, file=file_b, id=id)
        keys = [
            [phrase.text for phrase in version.key.published] if version.key else []
            for version in (question, in_b[id])
        ]
        if keys[0] != keys[1]:
            pairs.other_keys.append(id)


def _require_sound(passage: Passage, file: str, seen_ids: set[str]) -> None:
    """Refuse spans that lie outside their text, and ids that would name two texts alike."""
    for part in parts_of(passage):
        if part.id in seen_ids:
            raise DataError(
                "names two texts, a passage and a question or published key of another; "
                "give the passages or questions other ids",
                file=file,
                where=part.id,
            )
        seen_ids.add(part.id)
        for _, _, message in layer_findings(part.id, part.text, part.layers):
            message = f"{message}; readmark check lists all such problems"
            raise DataError(message, file=file, where=part.id)
    for question in passage.questions:
        for start, end in question.key.sentences if question.key else ():
            if not 0 <= start < end <= len(passage.text):
                message = f"answer sentence {start}–{end} is not in the passage"
                raise DataError(message, file=file, where=question.id)


def _missing(ids: Iterable[str], others: Container[str]) -> list[str]:
    return [id for id in ids if id not in others]


def not_compared(
    pairs: PairedPassages,
    names: tuple[str, str],
    layers_of_one: Sequence[tuple[str, str, str]] = (),
) -> list[str]:
    """What was not compared, a line each; ``layers_of_one`` are the layers that only one has."""
    notes = [
        f"only {who} has the passages {first_ids(missing, quoted=True)}: left out"
        for who, missing in zip(names, pairs.only_in_one, strict=True)
        if missing
    ]
    if pairs.without_questions:
        notes.append(
            f"one file has no questions in {first_ids(pairs.without_questions, quoted=True)}: "
            "questions were not compared there"
        )
    if pairs.other_keys:
        notes.append(
            f"the published keys of {first_ids(pairs.other_keys, quoted=True)} are worded "
            "differently: they were not compared"
        )
    sorts: dict[tuple[str, str], list[str]] = {}
    for name, sort, who in layers_of_one:
        sorts.setdefault((name, names[who == "b"]), []).append(f"{sort}s")
    notes += [
        f"only {who} has {name} in {' and '.join(texts)}: "
        "not compared (--layers compares it all the same)"
        for (name, who), texts in sorts.items()
    ]
    return notes
