"""The metrics of ratings: worked examples, unanswered passages, and what makes them undefined."""

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from installed import Lazy
from readmark.core.errors import DataError
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.marking.metrics import METRICS, is_additive
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.readability.metrics.kendall import Kendall
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.metrics.proportional_target import ProportionalTarget
from readmark.readability.metrics.score_difference import ScoreDifference
from readmark.readability.metrics.spearman import Spearman

stats = Lazy("scipy.stats")

FEW = MarkSettings(draws=50, trials=50)


def vector(metric: Any, experts: Any, machine: float | None, novices: Any = ()) -> Any:
    references = [
        [Rating(rating=rating, annotator=f"e{number}")] for number, rating in enumerate(experts)
    ]
    answer = None if machine is None else Rating(rating=machine, annotator="")
    people = [Rating(rating=rating, annotator="") for rating in novices]
    return metric.statistics(None, references, answer, people)


def value(metric: Any, *args: Any) -> float:
    return float(metric.aggregate(np.array(vector(metric, *args))))


# The worked example: experts 3, 4, 5, so the gold is 4; novices 2, 5, 4 are 2, 1 and 0 away.
@pytest.mark.parametrize(
    ("machine", "expected"), [(4, 1.0), (3.0, 0.0), (5, 0.0), (2.5, -0.5), (None, -2.0)]
)
def test_score_difference(machine: float | None, expected: float) -> None:
    assert value(ScoreDifference(), (3, 4, 5), machine, (2, 5, 4)) == pytest.approx(expected)


def test_score_difference_is_the_mean_over_passages_and_undefined_without_novices() -> None:
    metric = ScoreDifference()
    one = np.array(vector(metric, (3, 4, 5), 4, (2, 5, 4)))
    other = np.array(vector(metric, (1, 2), 2, (2,)))  # gold 1.5: both 0.5 away
    alone = np.array(vector(metric, (2, 2), 5))
    assert float(metric.aggregate(one + other)) == pytest.approx(0.5)
    assert float(metric.aggregate(one + other + alone)) == pytest.approx(0.5)
    assert math.isnan(float(metric.aggregate(alone)))


@pytest.mark.parametrize(
    ("experts", "machine", "plain", "rounded"),
    [
        ((3, 4, 5), 4, 1 / 3, 1 / 3),
        ((3, 4, 5), 3.0, 1 / 3, 1 / 3),
        ((3, 4, 5), 2.9, 0, 1 / 3),
        ((3, 4, 5), 5.0, 1 / 3, 1 / 3),
        ((3, 4, 5), 5.1, 0, 1 / 3),
        ((4, 4, 4), 3.9, 0, 1),
        ((4, 4, 4), 4, 1, 1),
        ((4, 4), 3.5, 0, 1),  # halves are rounded up
        ((2, 2), 2.5, 0, 0),
        ((1, 5), 1.7, 1 / 5, 1 / 5),
        ((1.5, 2.25), 2, 1 / 1.75, 1 / 1.75),
        ((3,), None, 0, 0),
    ],
)
def test_proportional_target(
    experts: tuple[float, ...], machine: float | None, plain: float, rounded: float
) -> None:
    assert value(ProportionalTarget(round=False), experts, machine) == pytest.approx(plain)
    assert value(ProportionalTarget(round=True), experts, machine) == pytest.approx(rounded)


@pytest.mark.parametrize(
    ("experts", "score", "signed"),
    [  # the machine says 3.9 and 2.6: 4 and 3 in stars
        (((4, 4), (3, 5)), 1 + 1 / 3, "half up"),
        (((4, 4), (2.5, 3)), 1 / 1.5, "no"),  # one expert rates in fractions
    ],
)
def test_ratings_are_rounded_as_the_experts_rated(
    experts: tuple[tuple[float, ...], ...], score: float, signed: str
) -> None:
    test = in_memory(
        Header(kind="readability", language="en"),
        [
            RatedPassage(
                id=f"p{at}",
                text="Boats lie there.",
                key=RatingKey(
                    ratings=tuple(
                        Rating(rating=rating, annotator=f"e{number}")
                        for number, rating in enumerate(ratings)
                    )
                ),
            )
            for at, ratings in enumerate(experts)
        ],
    )
    said = {"p0": 3.9, "p1": 2.6}
    found = readmark.mark(test, said, metrics=["proportional_target"])["proportional_target"]
    assert found.score == pytest.approx(score)
    assert f"|round:{signed}|" in found.signature
    given = readmark.mark(test, said, metrics=["proportional_target(round=false)"])
    assert "|round:no|" in given["proportional_target(round=false)"].signature


def test_proportional_target_is_a_sum_and_tells_of_targets_without_width() -> None:
    metric = ProportionalTarget(round=False)
    rows = np.array([vector(metric, (3, 4, 5), 4), vector(metric, (4, 4), 3.9)])
    assert float(metric.aggregate(rows.sum(axis=0))) == pytest.approx(1 / 3)
    assert metric.report(rows).remarks == [
        "1 of 2 targets (50%) have no width: only that very rating hits"
    ]
    assert list(metric.report(rows[:1]).remarks) == []
    assert metric.signature()["round"] == "no"
    assert METRICS.build("proportional_target(round=true)")[1].signature()["round"] == "half up"


ratings = st.lists(
    st.tuples(st.floats(1, 5), st.floats(1, 5)).map(lambda pair: tuple(round(x, 3) for x in pair)),
    min_size=2,
    max_size=30,
)


@given(ratings)
def test_pearson_by_moments_is_the_direct_one(pairs: list[tuple[float, float]]) -> None:
    gold, machine = np.array(pairs).T
    rows = np.array([vector(Pearson(), (e, e), m) for e, m in pairs])
    found = float(Pearson().aggregate(rows.sum(axis=0)))
    if np.ptp(gold) < 1e-2 or np.ptp(machine) < 1e-2:
        assert math.isnan(found) or -1 <= found <= 1
    else:
        assert found == pytest.approx(np.corrcoef(gold, machine)[0, 1], abs=1e-6)


@pytest.mark.parametrize("metric", [Pearson(), Spearman(), Kendall()])
def test_correlations_are_undefined_where_they_must_be_and_say_so(metric: Any) -> None:
    def of(*pairs: tuple[float, float | None]) -> tuple[float, list[str]]:
        rows = np.array([vector(metric, (e,), m) for e, m in pairs])
        found = metric.aggregate(rows.sum(axis=0)) if is_additive(metric) else metric.score(rows)
        return float(found), list(metric.report(rows).remarks)

    assert of((1, 1), (3, 2), (5, 5))[0] > 0.9
    assert of((1, 1), (3, 2), (5, 5))[1] == []
    for pairs, why in (
        ([(1, 3), (4, 3), (5, 3)], "the ratings are all the same"),
        ([(2, 1), (2, 3), (2, 5)], "the gold ratings are all the same"),
        ([(1, 1), (3, None), (5, 5)], "1 passage is unanswered"),
        ([(1, 1)], "a correlation takes two passages or more"),
    ):
        found, told = of(*pairs)
        assert math.isnan(found)
        assert told == [f"undefined: {why}"]


def panel_test(*experts: tuple[float, ...]) -> Test:
    records = [
        RatedPassage(
            id=f"p{at}",
            text="Some text.",
            key=RatingKey(
                ratings=tuple(
                    Rating(rating=one, annotator=f"e{who}") for who, one in enumerate(several)
                )
            ),
        )
        for at, several in enumerate(experts)
    ]
    return in_memory(Header(kind="readability", name="small", language="en"), records)


def test_marks_of_ratings_beside_a_panel() -> None:
    test = panel_test((3, 4, 5), (1, 1), (2, 3))
    novices: list[Any] = [{"p0": 2, "p1": 1, "p2": 3}, {"p0": 5, "p1": 2}, {"p0": 4}]
    found = readmark.mark(test, {"p0": 4, "p1": 1, "p2": 2}, people=novices, settings=FEW)
    # (1 + 0.5 + 0) / 3: novices are 1, 0.5 and 0.5 away, the machine 0, 0 and 0.5
    assert found["score_difference"].score == pytest.approx(0.5)
    assert found["proportional_target"].score == pytest.approx(1 / 3 + 1 + 1 / 2)
    assert found["pearson"].score == pytest.approx(np.corrcoef([4, 1, 2.5], [4, 1, 2])[0, 1])
    assert found["spearman"].score == found["kendall"].score == pytest.approx(1)
    assert any("1 of 3 targets (33%) have no width" in note for note in found.notes)


def test_an_undefined_mark_is_null_with_its_reason_and_has_no_interval() -> None:
    test = panel_test((3, 4, 5), (1, 1), (2, 3), (5, 5))
    found = readmark.mark(test, {"p0": 4, "p1": 1, "p2": 2}, settings=FEW)
    for name in ("pearson", "spearman", "kendall", "score_difference"):
        assert (found[name].score, found[name].low, found[name].high) == (None, None, None)
    assert found["proportional_target"].score is not None
    said = "\n".join(found.notes)
    assert "pearson: undefined: 1 passage is unanswered" in said
    assert "score_difference does not count 4 (p0, p1, p2, p3): no novice rated them" in said


def exact_pearson(gold: Sequence[float], said: Sequence[float]) -> float:
    """In fractions up to the root, which has forty digits."""
    x, y = ([Fraction(float(one)) for one in column] for column in (gold, said))
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    shared = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True))
    spread = sum((a - x_mean) ** 2 for a in x) * sum((b - y_mean) ** 2 for b in y)
    with localcontext() as context:
        context.prec = 60
        below = (Decimal(spread.numerator) / Decimal(spread.denominator)).sqrt()
        return float(Decimal(shared.numerator) / Decimal(shared.denominator) / below)


@pytest.mark.parametrize("passages", [3, 40, 1000])
@pytest.mark.parametrize(
    ("spread", "digits"), [(1, 15), (1e-2, 15), (1e-4, 15), (1e-5, 14), (1e-6, 12), (1e-7, 9)]
)
def test_ratings_that_hug_their_mean_keep_their_digits(
    spread: float, digits: int, passages: int
) -> None:
    source = np.random.default_rng(passages)
    experts = source.integers(1, 6, size=(passages, 3)).astype(float)
    said = 3.3 + spread * source.random(passages)
    metric = Pearson()
    rows = np.array([vector(metric, gold, one) for gold, one in zip(experts, said, strict=True)])
    found = float(metric.aggregate(rows.sum(axis=0)))
    gold = [(sum(one) / 3) - 3 for one in experts.tolist()]
    assert found == pytest.approx(exact_pearson(gold, said - 3), abs=10.0**-digits)
    assert found == float(metric.aggregate(rows[::-1].sum(axis=0)))  # whatever the order


@pytest.mark.parametrize("rating", [3.3, 1 / 3, 4.999, 1e-9, 1000 / 3])
def test_ratings_that_do_not_vary_have_no_correlation(rating: float) -> None:
    metric = Pearson()
    for passages in (2, 7, 300):
        rows = np.array([vector(metric, (1 + at % 5,), rating) for at in range(passages)])
        assert math.isnan(float(metric.aggregate(rows.sum(axis=0))))
        assert metric.report(rows).remarks == ["undefined: the ratings are all the same"]


def test_ratings_alike_to_a_billionth_are_said_to_be() -> None:
    metric = Pearson()
    rows = np.array([vector(metric, (e,), 3.3 + 1e-13 * e) for e in (1, 3, 5)])
    assert math.isnan(float(metric.aggregate(rows.sum(axis=0))))
    assert metric.report(rows).remarks == [
        "undefined: the ratings, or the gold ratings, differ by less than a billionth"
    ]


@pytest.mark.parametrize("rating", [1e300, -1e9])
def test_what_is_no_rating_is_refused_in_one_line(rating: float) -> None:
    with pytest.raises(DataError, match=r"^p0: the rating .* is far off the scale from 1 to 5$"):
        readmark.mark(panel_test((3, 4), (1, 2)), {"p0": rating, "p1": 2}, settings=FEW)
    with pytest.raises(DataError, match=r"p0: the rating .* of e1 is far off the scale"):
        readmark.mark(panel_test((3, rating), (1, 2)), {"p0": 2, "p1": 2}, settings=FEW)


def repeated(*ratings: tuple[float, float]) -> Sitting:
    rows = PackedRows()
    for at, several in enumerate(ratings):
        made = [Row(id=f"p{at}", answer=one, repeat=n) for n, one in enumerate(several)]
        rows[f"p{at}"] = tuple(made)
    return Sitting(SittingHeader(kind="readability", candidate="again", repeats=2), rows)


def test_all_correlations_of_repeats_are_of_the_mean_rating() -> None:
    test = panel_test((1, 2), (3, 3), (4, 5), (2, 2))
    said = [(1.0, 3.0), (2.0, 5.0), (5.0, 4.0), (1.0, 1.0)]
    found = readmark.mark(test, repeated(*said), settings=FEW)
    gold, mean = [1.5, 3, 4.5, 2], [sum(one) / 2 for one in said]
    assert found["pearson"].score == pytest.approx(np.corrcoef(gold, mean)[0, 1], abs=1e-9)
    assert found["spearman"].score == pytest.approx(stats.spearmanr(gold, mean)[0])
    for name in ("pearson", "spearman", "kendall"):
        assert "|repeats:mean rating|" in found[name].signature


def test_raters_are_compared_by_their_distances_without_novices() -> None:
    test = panel_test((3, 5), (1, 1), (2, 4), (5, 5))  # gold 4, 1, 3, 5
    a, b = {"p0": 4, "p1": 3, "p2": 3, "p3": 1}, {"p0": 4, "p1": 1, "p2": 4, "p3": 5}
    both = readmark.compare(test, a, b, metrics="score_difference", settings=FEW)
    [found] = both
    assert found.difference == pytest.approx((0 + 2 + 0 + 4) / 4 - (0 + 0 + 1 + 0) / 4)
    assert (found.score_a, found.score_b) == (None, None)
    assert found.p is not None
    assert found.low is not None
    assert "difference:distance from the gold" in found.signature
    assert not any("--people" in note for note in both.notes)
    assert any("novices would be the same on both sides" in note for note in both.notes)
    # as with novices, where both sides have a mark
    people: list[Any] = [{"p0": 2, "p1": 1, "p2": 3, "p3": 3}]
    one, other = (
        readmark.mark(test, said, people=people, settings=FEW)["score_difference"].score
        for said in (a, b)
    )
    assert found.difference == pytest.approx((other or 0) - (one or 0))


def test_a_correlation_is_set_beside_peoples_by_its_difference() -> None:
    test = panel_test((3, 4, 5), (1, 1), (2, 3), (5, 5), (2, 2))
    machine = {"p0": 4, "p1": 1, "p2": 2, "p3": 5, "p4": 3}
    people: list[Any] = [
        {"p0": 2, "p1": 1, "p2": 3, "p3": 4, "p4": 2},
        {"p0": 5, "p1": 2, "p2": 2, "p3": 3, "p4": 1},
    ]
    found = readmark.mark(test, machine, people=people, settings=FEW)
    assert found.people is not None
    r = found.people.marks["pearson"]
    gold = [4, 1, 2.5, 5, 2]
    each = [np.corrcoef(gold, list(one.values()))[0, 1] for one in (machine, *people)]
    assert r.ratio is None
    assert r.difference == pytest.approx(each[0] - (each[1] + each[2]) / 2)
    assert r.low is not None
    assert r.low <= r.difference <= (r.high or 0)
    hits = found.people.marks["proportional_target"]
    assert hits.difference is None
    assert hits.ratio is not None
    told = found.as_json()["people"]["marks"]
    assert set(told["pearson"]) - set(told["proportional_target"]) == {"difference"}


def test_of_whom_a_metric_is_undefined_is_said() -> None:
    test = panel_test((3, 4, 5), (1, 1), (2, 3))
    people: list[Any] = [
        {"p0": 2, "p1": 1, "p2": 3},
        {"p0": 5, "p1": 2, "p2": 2},
        {"p0": 3, "p1": 3, "p2": 3},
    ]
    found = readmark.people(test, *people, settings=FEW)
    said = "\n".join(found.notes)
    assert "pearson is undefined for answers (3): people's is the mean of 2 of 3" in said
    assert "score_difference is measured from these people and has no value of theirs" in said
    marked = readmark.mark(test, people[0], people=people, settings=FEW)
    assert any("pearson is undefined for answers (3)" in note for note in marked.notes)


def test_faults_of_the_experts_are_told_by_mark() -> None:
    test = panel_test((3, 6), (1, 1), (2, 3))
    [first, *rest] = test.records()
    twice = [*first.key.ratings, first.key.ratings[0]]
    first = msgspec.structs.replace(first, key=RatingKey(ratings=tuple(twice)))
    faulty = in_memory(test.header, [first, *rest])
    said = "\n".join(readmark.mark(faulty, {"p0": 4, "p1": 1, "p2": 2}, settings=FEW).notes)
    assert "experts' ratings outside 1 to 5, taken as given: 1 (p0)" in said
    assert "an expert rated twice, and both ratings count: 1 (p0)" in said
