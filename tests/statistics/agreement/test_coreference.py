"""MUC, B³, CEAF-e, LEA and the CoNLL mean: published toy examples, and by definition."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import agreement as oracle
from readmark.statistics.agreement.coreference import (
    METRICS,
    conll_mean,
    coreference_f1,
    without_singletons,
)
from readmark.statistics.agreement.value import Resampling

Chains = list[frozenset[str]]
ORACLES = {"muc": oracle.muc, "b3": oracle.b_cubed, "ceaf_e": oracle.ceaf_e, "lea": oracle.lea}


def chains(text: str) -> Chains:
    """Entities of one-letter mentions."""
    return [frozenset(entity) for entity in text.split()]


def f1(metric: str, a: str, b: str) -> float | None:
    return coreference_f1([(chains(a), chains(b))], metric).value


# Figure 1 and Table 1 of "On Coreference Resolution Performance Metrics": a truth of three
# entities and four responses. B³ of the first: recall 1; precision (5 + (2² + 5²)/7)/12 = 0.762.
TRUTH = "12345 67 89ABC"


@pytest.mark.parametrize(
    ("response", "muc", "b3", "ceaf_e"),
    [
        ("12345 6789ABC", 0.947, 0.865, 0.733),
        ("1234589ABC 67", 0.947, 0.737, 0.667),
        ("123456789ABC", 0.900, 0.545, 0.294),
        ("1 2 3 4 5 6 7 8 9 A B C", 0.0, 0.400, 0.178),
    ],
)
def test_as_published(response: str, muc: float, b3: float, ceaf_e: float) -> None:
    for metric, published in {"muc": muc, "b3": b3, "ceaf_e": ceaf_e}.items():
        assert f1(metric, TRUTH, response) == pytest.approx(published, abs=5e-4)
    mean = conll_mean([(chains(TRUTH), chains(response))]).value
    assert mean == pytest.approx((muc + b3 + ceaf_e) / 3, abs=5e-4)


def test_lea_as_published() -> None:
    # "Which Coreference Evaluation Metric Do You Trust?": recall (3 * 1/3 + 4 * 1/6) / 7 = 0.24,
    # precision (2 * 1 + 2 * 0 + 4 * 1/6) / 8 = 0.33.
    recall, precision = (1 + 4 / 6) / 7, (2 + 4 / 6) / 8
    both = 2 * recall * precision / (recall + precision)
    assert f1("lea", "123 4567", "12 34 6789") == pytest.approx(both)
    assert (round(recall, 2), round(precision, 2)) == (0.24, 0.33)


def test_muc_by_hand() -> None:
    # Key links 2 + 3; 123 is cut into 12, 3 and 4567 into 4, 5, 67: kept 1 + 1. Response 1 + 1 + 3.
    assert f1("muc", "123 4567", "12 34 6789") == pytest.approx(2 * 2 / (5 + 5))


def test_single_mentions() -> None:
    # MUC does not see them; the others count them, LEA as a link to itself.
    assert f1("muc", "1 2", "1 2") is None
    assert f1("b3", "1 2", "1 2") == f1("ceaf_e", "1 2", "1 2") == f1("lea", "1 2", "1 2") == 1
    assert f1("lea", "1 2", "12") == 0
    assert without_singletons(chains("12 3 456")) == chains("12 456")
    made = conll_mean([(chains("1 2"), chains("1 2"))])
    assert made.value is None
    assert made.reason == "muc: neither linked two mentions"


def test_nothing_is_undefined_and_one_side_is_zero() -> None:
    for metric in METRICS:
        made = coreference_f1([([], [])], metric)
        assert made.value is None
        assert made.reason is not None
        assert made.reason.startswith("neither")
        assert coreference_f1([], metric).value is None
        assert f1(metric, "12", "") == f1(metric, "", "12") == 0
    assert conll_mean([([], [])]).reason == "neither marked any mention"


def test_counts_are_added_up_over_records() -> None:
    # MUC: 1 of 1 and 1 links, then 0 of 1 and 1: 2 * 1 / (2 + 2).
    pairs = [(chains("12"), chains("12")), (chains("12 3"), chains("13 2"))]
    assert coreference_f1(pairs, "muc").value == pytest.approx(0.5)
    made = coreference_f1(pairs * 5, "muc", resampling=Resampling(draws=200))
    assert made.value == pytest.approx(0.5)
    assert made.low is not None
    assert made.low < 0.5
    mean = conll_mean(pairs * 5, resampling=Resampling(draws=200))
    assert mean.high is not None
    assert mean.high > (mean.value or 1)


def test_a_mention_in_two_entities_is_refused() -> None:
    with pytest.raises(ValueError, match="two entities"):
        f1("b3", "12 23", "12")


@st.composite
def partitions(draw: Any) -> Chains:
    """Some of six mentions, in up to four entities."""
    where = draw(st.lists(st.integers(-1, 3), min_size=6, max_size=6))
    entities: dict[int, set[str]] = {}
    for mention, entity in enumerate(where):
        if entity >= 0:
            entities.setdefault(entity, set()).add(str(mention))
    return [frozenset(one) for one in entities.values()]


@given(partitions(), partitions(), st.sampled_from(sorted(METRICS)))
def test_by_definition(a: Chains, b: Chains, metric: str) -> None:
    made = coreference_f1([(a, b)], metric).value
    expected = ORACLES[metric](a, b)
    assert made == (None if expected is None else pytest.approx(expected, abs=1e-8))
    turned = coreference_f1([(b, a)], metric).value
    assert made == (None if turned is None else pytest.approx(turned, abs=1e-8))
    assert made is None or 0 <= made <= 1 + 1e-8
    same = coreference_f1([(a, a)], metric).value
    assert same is None or same == pytest.approx(1)
    assert same is not None or not a or metric == "muc"
