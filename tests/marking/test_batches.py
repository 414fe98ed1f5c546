"""Marking many units by one call gives, bit by bit, what marking each gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import sat
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Series, SeriesQuestion, SeriesQuestionKey, Unit
from readmark.marking.batches import BLOCK, Case, MarksMany, in_blocks, vectors
from readmark.marking.metrics import METRICS
from readmark.marking.metrics.exact import Exact
from readmark.marking.tally import tally

WEIGHTED = ("jaccard", "dice", "cosine", "block")
NAMES = [
    *WEIGHTED,
    *(f"{name}(variant=simmetrics)" for name in WEIGHTED),
    *(f"{name}(u=0.1,b=0.7,t=0.3)" for name in WEIGHTED),
]
texts = st.one_of(
    st.text(st.sampled_from("aB 9-'_?.é中"), max_size=14),
    st.lists(st.sampled_from(["the", "The", "dog", "PREVIOUS_ANSWER", "of", "ran?"])).map(" ".join),
)


LEANING = SeriesQuestion(id="q", text="it?", previous=("a dog", "the cat"))


def _case(gold: Sequence[str], said: str | None) -> Case:
    unit = Unit("q", "s", Series(id="s", target="", questions=(LEANING,)), LEANING)
    answer = None if said is None else Answer(text=said)
    return Case(unit, [[Answer(text=one) for one in gold]], answer)


@pytest.mark.parametrize("name", NAMES)
@given(st.lists(st.tuples(st.lists(texts, max_size=3), st.none() | texts), max_size=8))
def test_many_are_each(name: str, given: list[tuple[list[str], str | None]]) -> None:
    metric = METRICS.build(name)[1]
    cases = [_case(*one) for one in given]
    each = [tuple(metric.statistics(*case)) for case in cases]
    assert [tuple(one) for one in vectors(metric, cases)] == each
    assert isinstance(metric, MarksMany)


def test_long_texts_are_the_same_too() -> None:
    long = " ".join(f"w{at % 50}" for at in range(150))
    cases = [_case([long, long[:300]], long[10:]), _case([long], long)]
    metric = METRICS.build("jaccard")[1]
    assert list(vectors(metric, cases)) == [tuple(metric.statistics(*case)) for case in cases]


@dataclass(frozen=True)
class _Counting(Exact):
    """One that marks many at once and remembers how many."""

    sizes: list[int] = field(default_factory=list)

    def resolve(self, test: Test) -> _Counting:
        return self

    def statistics(
        self, unit: Unit, references: Any, answer: Any | None, people: Sequence[Any] = ()
    ) -> Sequence[float]:
        raise AssertionError("one by one")

    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        self.sizes.append(len(cases))
        return [(float(case.answer is not None), 1.0) for case in cases]


def test_units_are_marked_in_blocks_and_in_order() -> None:
    count = BLOCK + 3
    key = SeriesQuestionKey(rewrites=(Answer(text="gold"),))
    questions = tuple(SeriesQuestion(id=f"q{at}", text="it?", key=key) for at in range(count))
    no_key = SeriesQuestion(id="none", text="it?")
    record = Series(id="s", target="t", questions=(no_key, *questions))
    test = in_memory(Header(kind="series", name="made", language="en"), [record])
    metric = _Counting()
    seen: list[str] = []
    sitting = sat({f"q{at}": "x" for at in range(0, count, 2)}, member="rewrite")
    found = tally(test, sitting, {"c": metric}, on_unit=lambda one: seen.append(one.unit.id))
    assert metric.sizes == [BLOCK - 1, 4]
    assert found.ids == seen == [f"q{at}" for at in range(count)]
    assert found.unkeyed == 1
    answered = found.vectors["c"].matrix()[:, 0].tolist()
    assert answered == [float(at % 2 == 0) for at in range(count)]


def test_blocks() -> None:
    assert list(in_blocks(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert list(in_blocks([], 2)) == []
