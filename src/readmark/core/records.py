"""The values that tests are made of: spans, layers, answers, passages, questions, series.

They are msgspec structs: frozen, slotted, decoded and validated straight from a line of a
file. What a candidate may see stands on the value; the rest stands under its ``key``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

import msgspec

LARGEST = 1e15
"""The largest number in a file: beyond it, sums of doubles lose whole units."""
Number = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
BoundedCount = Annotated[int, msgspec.Meta(ge=0, le=int(LARGEST))]
Scalar = str | int | float | bool | None
Offsets = tuple[int, int]
"""Start and end of a stretch of text, in Unicode code points, end exclusive."""


class Value(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Base of every value stored in a file: unknown members are errors, not losses."""


class Span(msgspec.Struct, frozen=True):
    """A stretch of a text with its quote and whatever an analyser said of it."""

    start: int
    end: int
    quote: str
    labels: Mapping[str, Any] = {}


class Layer(Value, frozen=True):
    """Standoff annotation of one sort: offsets, and columns of labels for them.

    ``quotes`` may repeat the text of each span so that a check can notice a changed text.
    """

    spans: tuple[Offsets, ...]
    source: str = ""
    quotes: tuple[str, ...] = ()
    columns: dict[str, tuple[Any, ...]] = {}

    def column(self, name: str) -> list[Any]:
        """A column as long as the spans, filled up with None."""
        cells = self.columns.get(name, ())
        return [*cells[: len(self.spans)], *[None] * (len(self.spans) - len(cells))]

    def over(self, text: str) -> Iterator[Span]:
        """The layer's spans with their quotes in a text, and their labels."""
        for index, (start, end) in enumerate(self.spans):
            labels = {name: column[index] for name, column in self.columns.items()}
            yield Span(start, end, text[start:end], labels)


Layers = dict[str, Layer]
PAPER_LAYERS = ("sentence", "token", "np", "ne")
"""The layers that candidates are shown; any other belongs under the key."""


class Answer(Value, frozen=True):
    """An answer in words, of an annotator or a candidate; with offsets if it is a span."""

    text: str
    start: int | None = None
    end: int | None = None
    annotator: str | None = None
    sentence: Offsets | None = None
    score: float | None = None

    @property
    def offsets(self) -> Offsets | None:
        """Where the answer is, if that is known."""
        if self.start is None:
            return None
        return self.start, self.start + len(self.text) if self.end is None else self.end


def distinct_names(names: Iterable[str]) -> list[str]:
    """The names, each once: people who share a name are numbered."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct


def named_annotator(person: Sequence[Any]) -> str | None:
    """The annotator of a group of references, if they name one."""
    return getattr(person[0], "annotator", None) or None


def annotator_names(references: Sequence[Sequence[Any]]) -> list[str]:
    """The names of the annotators of a unit's references; the unnamed are numbered by place."""
    return distinct_names(
        named_annotator(person) or f"answer {place}" for place, person in enumerate(references, 1)
    )


class Phrase(Value, frozen=True):
    """A published answer key in its publisher's words, with its own layers."""

    text: str
    layers: Layers = {}


class QuestionKey(Value, frozen=True):
    """What a candidate must not see of a question.

    ``published`` holds alternatives of one publisher's key; ``answers`` are people's.
    """

    answers: tuple[Answer, ...] = ()
    published: tuple[Phrase, ...] = ()
    sentences: tuple[Offsets, ...] = ()
    unanswerable: bool = False
    plausible: tuple[Answer, ...] = ()
    type: str | None = None
    level: int | str | None = None
    difficulty: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}


class Question(Value, frozen=True):
    """A question on a passage; ``language`` only where it is not the passage's."""

    id: str
    text: str
    language: str | None = None
    series: str | None = None
    turn: int | None = None
    parallel: str | None = None
    options: tuple[str, ...] = ()
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: QuestionKey | None = None

    @property
    def shared_id(self) -> str:
        """The id that both sides of a parallel corpus share; their own, if those are equal."""
        return self.parallel or self.id


AS_WRITTEN = "as_written"
"""The field in which formats keep how a document was spelt; it is no part of the key."""


class RecordKey(Value, frozen=True):
    """What a candidate must not see of a passage or series itself."""

    layers: Layers = {}
    fields: dict[str, Any] = {}


class Passage(Value, frozen=True):
    """A text, exactly as given, with its questions."""

    text: str
    id: str = ""
    language: str | None = None
    title: str | None = None
    dateline: str | None = None
    article: str | None = None
    genre: str | None = None
    topic: str | None = None
    split: str | None = None
    parallel: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    questions: tuple[Question, ...] = ()
    key: RecordKey | None = None

    @property
    def shared_id(self) -> str:
        """The id that both sides of a parallel corpus share."""
        return self.parallel or self.id


R = TypeVar("R", bound=Value)
"""A record whose units are questions."""


def without_key(record: R) -> R:
    """A record and its questions as a candidate may see them: no key, and no layer of the key's."""
    members: Any = record
    questions = tuple(
        msgspec.structs.replace(question, key=None, layers=visible(question.layers))
        for question in members.questions
    )
    return msgspec.structs.replace(
        record, questions=questions, key=None, layers=visible(members.layers)
    )


def without_questions(record: R) -> R:
    """A record whose questions are left blank."""
    members: Any = record
    blank = tuple(
        msgspec.structs.replace(question, text="", layers={}) for question in members.questions
    )
    return msgspec.structs.replace(record, questions=blank)


def visible(layers: Layers) -> Layers:
    """The layers that a candidate may see."""
    return {name: layer for name, layer in layers.items() if name in PAPER_LAYERS}


class Unit(msgspec.Struct, frozen=True):
    """One thing to answer: the item, the record it belongs to, and its cluster."""

    id: str
    group: str
    record: Any
    item: Any

    @property
    def key(self) -> Any:
        """What the unit is marked by; None on a paper."""
        return self.item.key

    def field(self, name: str) -> Any:
        """A field by name, looked up on the unit's key, the unit, then its record."""
        for holder in self._holders():
            value = getattr(holder, name) if name in holder.__struct_fields__ else None
            if value is None:
                value = holder.fields.get(name)
            if _is_field(value):
                return value
        return None

    def may_have(self, name: str) -> bool:
        """Whether the unit has a field, or its kind declares one of that name that is empty."""
        is_empty = name not in _NOT_FIELDS and any(
            name in holder.__struct_fields__ and getattr(holder, name) is None
            for holder in self._holders()
        )
        return is_empty or self.field(name) is not None

    def scalars(self) -> dict[str, Any]:
        """Every scalar field of the unit, each from the first holder that has it."""
        values: dict[str, Any] = {}
        for holder in self._holders():
            for name in holder.__struct_fields__:
                if name not in _NOT_FIELDS and _is_field(getattr(holder, name)):
                    values.setdefault(name, getattr(holder, name))
            for name, value in holder.fields.items():
                if _is_field(value):
                    values.setdefault(name, value)
        return values

    def _holders(self) -> Iterator[Any]:
        """Where fields are looked up, in this order."""
        for holder in (self.item.key, self.item, self.record, self.record.key):
            if holder is not None:
                yield holder


class Labelled(msgspec.Struct, frozen=True):
    """A text to show next to its label."""

    label: str
    text: str


_NOT_FIELDS = frozenset({"id", "text", "graph", "key", "fields"})


def _is_field(value: object) -> bool:
    if isinstance(value, (str, int, float)):
        return True
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(member, (str, int, float, type(None))) for member in value)
    )


PUBLISHER = "publisher"
PROPOSED = "proposed"
"""The member of a key's ``fields`` that lists what a rule proposed: ``type``, ``sentences``."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a person's name or a pronoun occurs; gender and number where they are known."""

    start: int
    end: int
    gender: str | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an analyser found in one text: the layers asked for, and who is mentioned.

    ``persons`` are names and come with layer ``ne``; ``pronouns`` are those that "Deep Read: A
    Reading Comprehension System" resolves (he him his she her, 他 她 他的 她的).
    """

    layers: dict[str, Layer] = field(default_factory=dict)
    persons: tuple[Mention, ...] = ()
    pronouns: tuple[Mention, ...] = ()
