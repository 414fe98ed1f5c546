"""The two kinds that come later, as small as a kind can be: with a metric and a candidate each."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
import numpy as np

from readmark.corpus.kinds import Finding, Kind
from readmark.corpus.sitting import Row
from readmark.corpus.test import Facts as TestFacts
from readmark.corpus.test import Header, Test
from readmark.corpus.values import Labelled, Layers, Unit, Value
from readmark.sitting.candidates import one_by_one


class GradedKey(Value, frozen=True):
    """What experts said of a passage."""

    experts: dict[str, float] = {}
    layers: Layers = {}
    fields: dict[str, Any] = {}


class Graded(Value, frozen=True):
    """A passage to be rated."""

    id: str
    text: str
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: GradedKey | None = None


class Readability:
    """A unit is a passage, the answer a rating from 1 to 5."""

    name = "readability"
    record = Graded
    record_noun = "passage"
    unit_noun = "passage"
    answer = "rating"
    parts = ("passage",)
    people_from_key = False
    main_metric = "distance"

    def metrics(self, header: Header, facts: TestFacts) -> Sequence[str]:
        return ("distance",)

    def paper(self, record: Graded) -> Graded:
        return msgspec.structs.replace(record, key=None)

    def leave_out(self, record: Graded, part: str) -> Graded:
        return msgspec.structs.replace(record, text="")

    def units(self, record: Graded) -> Iterator[Unit]:
        yield Unit(record.id, record.id, record, record)

    def references(self, unit: Unit) -> Sequence[Sequence[float]]:
        return tuple((said,) for said in unit.key.experts.values()) if unit.key else ()

    def read_answer(self, row: Row) -> float:
        return float(row.rating)

    def paper_part(self, record: Graded) -> Any:
        return record.id, record.text

    def key_part(self, record: Graded) -> Any:
        return record.id, sorted(record.key.experts.items()) if record.key else ()

    def texts(self, record: Graded) -> Iterator[str]:
        yield record.text

    def findings(self, record: Graded) -> Iterator[Finding]:
        yield from ()

    def show_record(self, record: Graded) -> Sequence[Labelled]:
        return (Labelled("passage", record.text),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        return ()


class QueryKey(Value, frozen=True):
    """What a query is to find."""

    bindings: tuple[tuple[str, ...], ...] = ()
    fields: dict[str, Any] = {}


class Query(Value, frozen=True):
    """A query on a document."""

    id: str
    pattern: str
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: QueryKey | None = None


class Document(Value, frozen=True):
    """A document with its queries."""

    id: str
    body: str
    queries: tuple[Query, ...] = ()
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: QueryKey | None = None


class Task:
    """A unit is a query on a document, the answer a set of bindings."""

    name = "task"
    record = Document
    record_noun = "document"
    unit_noun = "query"
    answer = "bindings"
    parts = ("document",)
    people_from_key = False
    main_metric = "facts"

    def metrics(self, header: Header, facts: TestFacts) -> Sequence[str]:
        return ("facts",)

    def paper(self, record: Document) -> Document:
        queries = tuple(msgspec.structs.replace(one, key=None) for one in record.queries)
        return msgspec.structs.replace(record, key=None, queries=queries)

    def leave_out(self, record: Document, part: str) -> Document:
        return msgspec.structs.replace(record, body="")

    def units(self, record: Document) -> Iterator[Unit]:
        for query in record.queries:
            yield Unit(query.id, record.id, record, query)

    def references(self, unit: Unit) -> Sequence[Sequence[Any]]:
        return ((unit.key.bindings,),) if unit.key else ()

    def read_answer(self, row: Row) -> Any:
        return tuple(map(tuple, row.bindings))

    def paper_part(self, record: Document) -> Any:
        return record.id, record.body, sorted((one.id, one.pattern) for one in record.queries)

    def key_part(self, record: Document) -> Any:
        return record.id, [(one.id, one.key) for one in record.queries]

    def texts(self, record: Document) -> Iterator[str]:
        yield record.body

    def findings(self, record: Document) -> Iterator[Finding]:
        yield from ()

    def show_record(self, record: Document) -> Sequence[Labelled]:
        return (Labelled("document", record.body),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        return (Labelled("query", unit.item.pattern),)


READABILITY: Kind = Readability()
TASK: Kind = Task()


@dataclass(frozen=True)
class Distance:
    """How far a rating is from the experts' mean, 0 to 1; the less, the higher the mark."""

    kinds: ClassVar[tuple[str, ...]] = ("readability",)
    scale: ClassVar[float] = 1.0
    width: ClassVar[int] = 2
    additive: ClassVar[bool] = True

    def resolve(self, test: Test) -> Distance:
        return self

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        experts = [one for person in references for one in person]
        away = 4.0 if answer is None else abs(answer - sum(experts) / len(experts))
        return 1 - away / 4, 1.0

    def aggregate(self, sums: Any) -> Any:
        return np.asarray(sums[..., 0] / sums[..., 1])

    def signature(self) -> Mapping[str, str]:
        return {"experts": "mean", "units": "mean"}


@dataclass(frozen=True)
class Facts:
    """F of bindings: twice what is shared over what was said and what was wanted."""

    kinds: ClassVar[tuple[str, ...]] = ("task",)
    scale: ClassVar[float] = 100.0
    width: ClassVar[int] = 2
    additive: ClassVar[bool] = True

    def resolve(self, test: Test) -> Facts:
        return self

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        wanted, said = set(references[0][0]), set(answer or ())
        return 2.0 * len(wanted & said), float(len(wanted) + len(said))

    def aggregate(self, sums: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])

    def signature(self) -> Mapping[str, str]:
        return {"units": "ratio of sums"}


@dataclass
class Guess:
    """Rates a passage by the length of its words."""

    kinds: ClassVar[tuple[str, ...]] = ("readability",)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def _reply(self, unit: Unit) -> Row:
        words = unit.record.text.split() or [""]
        mean = sum(map(len, words)) / len(words)
        return Row(id=unit.id, rating=max(1.0, min(5.0, 9.0 - mean)))

    def signature(self) -> Mapping[str, str]:
        return {"ratings": "word length"}


@dataclass
class Grep:
    """Finds the words that follow the pattern."""

    kinds: ClassVar[tuple[str, ...]] = ("task",)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def _reply(self, unit: Unit) -> Row:
        words = unit.record.body.replace(".", "").split()
        pairs = itertools.pairwise(words)
        found = [[unit.item.pattern, after] for word, after in pairs if word == unit.item.pattern]
        return Row(id=unit.id, bindings=found, evidence={"words": len(words)})

    def signature(self) -> Mapping[str, str]:
        return {"rule": "next word"}
