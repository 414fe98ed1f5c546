"""Layers as single items that two annotators can agree or differ on, and their passages in pairs.

A mention is compared by the antecedent that it means, not by its number: two people who count
differently agree when they link the same noun phrases.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.numbers import first_ids
from readmark.core.records import (
    PROPOSED,
    Layer,
    Layers,
    Offsets,
    Passage,
    Question,
    QuestionKey,
    RecordKey,
    visible,
)
from readmark.core.spans import layer_findings
from readmark.core.test import Test, named_by_text
from readmark.formats.text_versions import require_same_text
from readmark.settling import AdjudicationHeader

# The texts of a passage that carry annotation: itself, its questions, their published keys.


PASSAGE, QUESTION, KEY = "passage", "question", "key"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text with its layers, the paper's and the key's together."""

    id: str
    """The passage's id; a question's after it; the number of a published key after that."""
    sort: str
    record: str
    unit: str | None
    text: str
    layers: Layers
    before: str | None = None
    """The part whose antecedents this one may refer to."""


def parts_of(passage: Passage) -> Iterator[TextPart]:
    """The passage, then each question with its keys: the order in which references are read."""
    own = passage.id
    hidden = passage.key.layers if passage.key is not None else {}
    yield TextPart(own, PASSAGE, own, None, passage.text, {**passage.layers, **hidden})
    for question in passage.questions:
        id = f"{own}:{question.id}"
        layers = {**question.layers, **(question.key.layers if question.key is not None else {})}
        yield TextPart(id, QUESTION, own, question.id, question.text, layers, own)
        for number, phrase in enumerate(question.key.published if question.key else (), 1):
            key = f"{id}:key{number}"
            yield TextPart(key, KEY, own, question.id, phrase.text, phrase.layers, id)


def with_layers(
    passage: Passage,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
    confirmed: Collection[str] = (),
) -> Passage:
    """The passage with the layers of each part, by its id, and answer sentences by question.

    The sentences of ``confirmed`` questions are people's: they are proposals no more.
    """
    questions = tuple(
        _question(passage.id, question, layers, sentences, question.id in confirmed)
        for question in passage.questions
    )
    paper, hidden = _split(layers[passage.id])
    key = passage.key
    if key is not None or hidden:
        key = msgspec.structs.replace(key or RecordKey(), layers=hidden)
    return msgspec.structs.replace(passage, layers=paper, questions=questions, key=key)


def _question(
    record: str,
    question: Question,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
    confirmed: bool,
) -> Question:
    id = f"{record}:{question.id}"
    paper, hidden = _split(layers[id])
    marked = sentences.get(question.id, ())
    key = question.key
    if key is not None or hidden or marked:
        key = key or QuestionKey()
        published = tuple(
            msgspec.structs.replace(phrase, layers=layers[f"{id}:key{number}"])
            for number, phrase in enumerate(key.published, 1)
        )
        key = msgspec.structs.replace(key, layers=hidden, sentences=marked, published=published)
        if confirmed and has_proposed_sentences(key):
            left = [name for name in key.fields[PROPOSED] if name != "sentences"]
            fields = {name: value for name, value in key.fields.items() if name != PROPOSED}
            key = msgspec.structs.replace(key, fields=fields | ({PROPOSED: left} if left else {}))
    return msgspec.structs.replace(question, layers=paper, key=key)


def has_proposed_sentences(key: QuestionKey | None) -> bool:
    """Whether nobody has confirmed the answer sentences that a rule proposed."""
    return key is not None and "sentences" in key.fields.get(PROPOSED, ())


def _split(layers: Layers) -> tuple[Layers, Layers]:
    """What candidates may see, and what belongs under the key."""
    paper = visible(layers)
    return paper, {name: layer for name, layer in layers.items() if name not in paper}


ANTECEDENT = "antecedent"
NUMBERED = "numbered"
"""Of a mention: it has a number (REFID), nothing refers to it, and the other gave it none."""
PLACES = frozenset({"head"})
"""Columns that count places of their own layer: no two segmentations can share them."""

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class LayerItem:
    """One span of a layer with its labels."""

    span: Offsets
    labels: Mapping[str, Any] = field(default_factory=dict)

    def key(self, columns: Collection[str]) -> tuple[Offsets, bytes]:
        """What two items must share to be the same, as far as the columns go."""
        return self.span, _encode({name: self.labels.get(name) for name in columns})


Items = list[LayerItem]


def layer_items(layer: Layer | None) -> Items:
    """The spans of a layer, each with its row of the columns."""
    if layer is None:
        return []
    columns = {name: layer.column(name) for name in layer.columns}
    rows = [
        {name: column[index] for name, column in columns.items()}
        for index in range(len(layer.spans))
    ]
    labels = _mark_labels(layer.spans, rows) if MARK in columns else rows
    return [LayerItem(*item) for item in zip(layer.spans, labels, strict=True)]


# Marks of a reading task's annotators: what they are called and who made them differs by file.


MARK, SAME = "mark", "same"
"""The columns with a mark's id, and with the marks of the same entity."""
SIGNED = frozenset({MARK, "annotator", "creator"})
TYPE = "type"


def _mark_labels(
    spans: Sequence[Offsets], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What marks say, with the marks that they lead to in place of ids.

    Marks of one entity may be joined in any order: each leads to the first of them in the text.
    """
    numbers = {row[MARK]: number for number, row in enumerate(rows) if isinstance(row[MARK], str)}
    first = list(range(len(rows)))

    def root(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    def place(number: int) -> tuple[Offsets, str]:
        return spans[number], str(rows[number].get(TYPE))

    for number, row in enumerate(rows):
        joined = row.get(SAME) or ()
        for id in [joined] if isinstance(joined, str) else joined:
            if id in numbers:
                ends = sorted((root(number), root(numbers[id])), key=place)
                first[ends[1]] = ends[0]

    def target(number: int) -> dict[str, Any]:
        span, type_ = place(number)
        return {TYPE: type_, "span": list(span)}

    found = []
    for number, row in enumerate(rows):
        labels = {
            name: target(numbers[value]) if isinstance(value, str) and value in numbers else value
            for name, value in row.items()
            if name not in SIGNED and name != SAME and value is not None
        }
        if root(number) != number:
            labels[SAME] = target(root(number))
        found.append(labels)
    return found


def mark_columns(items: Items) -> dict[str, tuple[Any, ...]]:
    """The columns of a layer of marks: they are counted anew, and lead to each other by id."""
    ids: dict[bytes, str] = {}
    for number, item in enumerate(items, 1):
        place = {TYPE: str(item.labels.get(TYPE)), "span": list(item.span)}
        ids.setdefault(_encode(place), f"T{number}")

    def value(name: str, label: Any) -> Any:
        is_link = isinstance(label, Mapping) and set(label) == {TYPE, "span"}
        # A mark that was not adopted cannot be led to.
        id = ids.get(_encode(label)) if is_link else label
        return [id] if name == SAME and id is not None else id

    names = dict.fromkeys(name for item in items for name in item.labels)
    columns = {name: tuple(value(name, item.labels.get(name)) for item in items) for name in names}
    return {MARK: tuple(f"T{number}" for number in range(1, len(items) + 1)), **columns}


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a passage, by part, with antecedents in place of numbers."""

    items: Mapping[str, Items]
    numbered: frozenset[tuple[str, Offsets]]
    """Whatever has a number, as a part and a span."""
    meant: frozenset[tuple[str, Offsets]]
    """Whatever something refers to."""


def mentions_of(parts: Sequence[TextPart]) -> Mentions:
    """The mentions of all parts of a passage; references across its parts are followed."""
    placed = {part.id: _numbered(part) for part in parts}
    chain = {part.id: part.before for part in parts}
    texts = {part.id: part.text for part in parts}
    found: dict[str, Items] = {}
    numbered: set[tuple[str, Offsets]] = set()
    meant: set[tuple[str, Offsets]] = set()
    for part in parts:
        found[part.id] = []
        for item in layer_items(part.layers.get("mention")):
            labels = dict(item.labels)
            number, ref = labels.pop("id", None), labels.pop("ref", None)
            if ref is not None:
                place = _antecedent(ref, part.id, item.span, placed, chain)
                labels[ANTECEDENT] = {"number": ref}
                if place is not None:
                    meant.add(place)
                    id, span = place
                    quote = texts[id][slice(*span)]
                    labels[ANTECEDENT] = {"in": id, "span": list(span), "quote": quote}
            if number is not None:
                numbered.add((part.id, item.span))
            found[part.id].append(LayerItem(item.span, labels))
    return Mentions(found, frozenset(numbered), frozenset(meant))


def comparable_mentions(own: Mentions, other: Mentions, part: str) -> Items:
    """A part's mentions as they are compared with another annotator's.

    That something is an antecedent shows in what refers to it. Only a number that nothing refers
    to, and that the other has not given, is a thing of its own.
    """
    found = []
    for item in own.items.get(part, []):
        at = part, item.span
        numbered = at in own.numbered
        if numbered and at not in own.meant and at not in other.numbered:
            found.append(LayerItem(item.span, {**item.labels, NUMBERED: True}))
        elif not numbered or ANTECEDENT in item.labels:
            found.append(item)
    return found


def antecedent_of(item: LayerItem) -> tuple[str, Offsets] | None:
    """The part and span that a mention refers to."""
    antecedent = item.labels.get(ANTECEDENT)
    if not antecedent or "span" not in antecedent:
        return None
    return antecedent["in"], (antecedent["span"][0], antecedent["span"][1])


def columns_of(first: Layer | None, second: Layer | None) -> tuple[str, ...]:
    """The columns that both layers have and that can be compared item by item.

    Of marks, also those that one has: an attribute or a relation that nobody used has no column.
    """
    if any(layer is not None and MARK in layer.columns for layer in (first, second)):
        names = {name for layer in (first, second) if layer is not None for name in layer.columns}
        return tuple(sorted(names - SIGNED))
    if first is None or second is None:
        there = first or second
        return tuple(sorted(there.columns.keys() - PLACES)) if there is not None else ()
    return tuple(sorted((first.columns.keys() & second.columns.keys()) - PLACES))


def _numbered(part: TextPart) -> dict[Any, list[Offsets]]:
    found: dict[Any, list[Offsets]] = {}
    for item in layer_items(part.layers.get("mention")):
        if (number := item.labels.get("id")) is not None:
            found.setdefault(_encode(number), []).append(item.span)
    return found


def _antecedent(
    ref: Any,
    id: str,
    anaphor: Offsets,
    placed: Mapping[str, Mapping[Any, list[Offsets]]],
    chain: Mapping[str, str | None],
) -> tuple[str, Offsets] | None:
    """The nearest mention of that number before the anaphor, else in the texts before, else after.

    A question's own numbers come first: it may count from 1 again.
    """
    here = placed[id].get(_encode(ref), [])
    before = [span for span in here if span[0] < anaphor[0]]
    if before:
        return id, max(before)
    earlier = chain[id]
    while earlier is not None:
        if spans := placed[earlier].get(_encode(ref)):
            return earlier, spans[0]
        earlier = chain[earlier]
    return (id, here[0]) if here else None


# What is compared: the layers that both annotators have, in the sorts of text that have them.


ANSWER_SENTENCE = "answer_sentence"
COMPARED = ("sentence", "token", "np", "ne", "mention", ANSWER_SENTENCE)
"""What is compared, in the order in which it is annotated: each rests on those before it."""
SORTS_OF_TEXT = (PASSAGE, QUESTION, KEY)
Scope = Mapping[str, Sequence[str]]
"""What is compared: layers, each with the sorts of text in which it is."""


def layers_to_compare(
    pairs: Iterable[tuple[Passage, Passage]], asked: Sequence[str] = ()
) -> tuple[Scope, list[tuple[str, str, str]]]:
    """The layers that both annotators have, by sort of text; those that one alone has.

    The latter are layer, sort of text, and "a" or "b". A layer that is asked for is
    compared in all texts, even where one annotator has none of it.
    """
    for name in asked:
        if name not in COMPARED:
            raise UsageError(f"{name!r} is not compared; {did_you_mean(name, COMPARED)}")
    if asked:
        return {name: SORTS_OF_TEXT for name in COMPARED if name in asked}, []
    first: set[tuple[str, str]] = set()
    second: set[tuple[str, str]] = set()
    for a, b in pairs:
        first.update(_there(a))
        second.update(_there(b))
    scope: dict[str, tuple[str, ...]] = {}
    lone = []
    for name, sort in product(COMPARED, SORTS_OF_TEXT):
        if (name, sort) in first & second:
            scope[name] = (*scope.get(name, ()), sort)
        elif (name, sort) in first | second:
            lone.append((name, sort, "a" if (name, sort) in first else "b"))
    return scope, lone


def scope_of(header: AdjudicationHeader) -> Scope | None:
    """What an adjudication file says was compared; None where it does not say."""
    try:
        return msgspec.convert(header.fields.get("layers"), dict[str, list[str]])
    except msgspec.ValidationError:
        return None


def _there(passage: Passage) -> Iterator[tuple[str, str]]:
    for part in parts_of(passage):
        for name in part.layers:
            yield name, part.sort
    if any(question.key and question.key.sentences for question in passage.questions):
        yield ANSWER_SENTENCE, QUESTION


# The passages of two annotators side by side; whatever is not the same text is refused.


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
    both = PairedPassages(_packed(a), _packed(b))
    _other_versions(both.a, both.b, b.file)
    if not common:
        for missing, test, has in zip(both.alone, (b, a), (a, b), strict=True):
            if missing:
                raise DataError(
                    f"has no passage {first_ids(missing, quoted=True)}, which {has.file} has; "
                    "compare what both have with --common",
                    file=test.file,
                )
    seen: tuple[set[str], set[str]] = set(), set()
    for passage, other in both:
        require_same_text(passage.text, other.text, file=b.file, id=passage.id)
        _same_questions(passage, other, a.file, b.file, both)
        _require_sound(passage, a.file, seen[0])
        _require_sound(other, b.file, seen[1])
    if not len(both):
        raise DataError(f"has no passage in common with {a.file}", file=b.file)
    return both


def _packed(test: Test) -> PackedPassages:
    packed = PackedPassages()
    for record in test.records():
        packed.add(record)
    if not len(packed):
        raise DataError("has no passages", file=test.file)
    return packed


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
            message = f"has no question {first_ids(missing, quoted=True)}, which {has} has"
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


def notes_on(
    pairs: PairedPassages, names: tuple[str, str], lone: Sequence[tuple[str, str, str]] = ()
) -> list[str]:
    """What was not compared, a line each; ``lone`` are layers that one annotator alone has."""
    notes = [
        f"only {who} has the passages {first_ids(missing, quoted=True)}: left out"
        for who, missing in zip(names, pairs.alone, strict=True)
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
    for name, sort, who in lone:
        sorts.setdefault((name, names[who == "b"]), []).append(f"{sort}s")
    notes += [
        f"only {who} has {name} in {' and '.join(where)}: "
        "not compared (compare it all the same with --layers)"
        for (name, who), where in sorts.items()
    ]
    return notes
