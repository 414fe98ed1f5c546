"""Marking many units by one call gives, bit by bit, what marking each gives."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import Middle, asked, comprehension, passage, sat
from readmark.core.errors import ReadmarkError
from readmark.core.records import Answer, Unit
from readmark.core.test import Test
from readmark.hooks import Case, MetricFacts
from readmark.marking import METRICS
from readmark.marking.checked_metric import CheckedMetric
from readmark.marking.unit_marker import UnitMarker
from readmark.series.records import Series, SeriesQuestion

NAMES = ("smith_waterman", "smith_waterman(variant=simmetrics)")
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
    assert [tuple(one) for one in CheckedMetric("own", metric).batch_statistics(cases)] == each
    assert hasattr(metric, "statistics_of_many")


def test_long_texts_are_the_same_too() -> None:
    long = " ".join(f"w{at % 50}" for at in range(300))
    cases = [_case([long, long[:300]], long[10:]), _case([long], long), _case(["w1"], "w1 w2")]
    metric = METRICS.build("smith_waterman")[1]
    each = [tuple(metric.statistics(*case)) for case in cases]
    assert list(CheckedMetric("own", metric).batch_statistics(cases)) == each


@dataclass(frozen=True)
class _Mistaken(Middle):
    """A plug-in's metric that gives whatever it is told to."""

    gives: Any = ()
    on: str = "answers"

    def resolve(self, test: Test) -> _Mistaken:
        return self

    def statistics(
        self, unit: Unit, references: Any, answer: Any | None, people: Sequence[Any] = ()
    ) -> Sequence[float]:
        wrong = {"answers": True, "people": answer is not None and answer.text == "a boat"}[self.on]
        found: Sequence[float] = self.gives if wrong else (1.0,)
        return found


class _Many(_Mistaken):
    def statistics_of_many(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        return [self.gives for _ in cases]


@pytest.mark.parametrize("on", ["answers", "people", "a panel", "repeats", "many"])
@pytest.mark.parametrize(
    ("gives", "shown"),
    [
        ((1.0, 1.0), r"\(1.0, 1.0\)"),
        ((), r"\(\)"),
        ((math.nan,), r"\(nan,\)"),
        ((math.inf,), r"\(inf,\)"),
        ((-math.inf,), r"\(-inf,\)"),
        ((None,), r"\(None,\)"),
        (("x",), r"\('x',\)"),
        (None, "None"),
    ],
)
def test_a_metric_s_mistake_is_one_line_with_its_name(on: str, gives: Any, shown: str) -> None:
    test = comprehension(passage("p", asked("q", ("ann", "a coat"), ("ben", "a boat"))))
    said = ("a hat", "a cap") if on == "repeats" else "a hat"
    panel = [sat({"q": "a boat"})] if on == "a panel" else []
    where = "people" if on in ("people", "a panel") else "answers"
    metric = (_Many if on == "many" else _Mistaken)(gives, where)
    answered = sat({"q": said}, repeats=2 if on == "repeats" else 1)
    marker = UnitMarker.of_test(
        test, answered, {"odd": metric}, panel=panel, leave_one_out=on == "people"
    )
    with pytest.raises(ReadmarkError) as caught:
        list(marker.mark(test.units()))
    line = rf"metric odd gave {shown} for unit q, expected 1 numbers, none of them infinite.*"
    assert re.fullmatch(line, str(caught.value)), caught.value


def test_a_metric_s_width_and_number_of_vectors() -> None:
    with pytest.raises(ReadmarkError, match="metric odd: its width is 0, expected 1 or more"):
        CheckedMetric("odd", SimpleNamespace(facts=MetricFacts(width=0)))
    short = SimpleNamespace(facts=MetricFacts(), statistics_of_many=lambda cases: [])
    with pytest.raises(ReadmarkError, match="metric odd gave 0 vectors for 1 answers"):
        CheckedMetric("odd", short).batch_statistics([_case(["x"], "x")])
