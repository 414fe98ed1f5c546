"""The null distribution against a loop that does it word for word, and by hand."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.panels import novices as novice_null
from readmark.readability.panels.novices import (
    METRICS,
    NovicePanel,
    against_judges,
    critical_value,
    left_out,
    p_value,
    stand_ins,
    verdicts,
    worth,
)

EXPERTS = [(3, 4, 5), (1, 2, 1), (4, 4, 4), (2, 3, 5), (5, 4, 4), (1, 1, 1)]
NOVICES = [
    {0: 2, 1: 1, 2: 4, 3: 2, 4: 5, 5: 2},
    {0: 5, 1: 3, 2: 3, 3: 4, 4: 3},
    {0: 4, 2: 5, 3: 1, 4: 4, 5: 1},
]


def hit(experts: tuple[float, ...], rating: float) -> float:
    low, high = min(experts), max(experts)
    return 1 / (1 + high - low) if low <= rating <= high else 0.0


def made(experts: list[tuple[float, ...]], novices: list[dict[int, float]]) -> NovicePanel:
    gold = np.array([sum(one) / len(one) for one in experts]) - 3
    shape = len(experts), len(novices)
    rated, ratings, hits = np.zeros(shape, bool), np.zeros(shape), np.zeros(shape)
    for judge, said in enumerate(novices):
        for passage, rating in said.items():
            rated[passage, judge] = True
            ratings[passage, judge] = rating - 3
            hits[passage, judge] = hit(experts[passage], rating)
    return NovicePanel.of(gold, rated, ratings, hits)


def machine(panel: NovicePanel, experts: list[tuple[float, ...]], said: list[float]) -> np.ndarray:
    hits = [hit(one, rating) for one, rating in zip(experts, said, strict=True)]
    return worth(panel.gold, np.array(said) - 3, np.array(hits))


def plainly(
    experts: list[tuple[float, ...]], novices: list[dict[int, float]], said: list[float]
) -> list[float]:
    """The document's three metrics, passage by passage."""
    gold = [sum(one) / len(one) for one in experts]
    differences = []
    for at, reference in enumerate(gold):
        people = [abs(reference - one[at]) for one in novices if at in one]
        differences.append(sum(people) / len(people) - abs(reference - said[at]))
    hits = sum(hit(one, rating) for one, rating in zip(experts, said, strict=True))
    constant = len(set(said)) == 1 or len(set(gold)) == 1
    r = math.nan if constant else float(np.corrcoef(gold, said)[0, 1])
    return [sum(differences) / len(differences), hits, r]


def loop(
    experts: list[tuple[float, ...]], novices: list[dict[int, float]], *, seed: int, draws: int
) -> Iterator[list[float]]:
    """A draw at a time, with the same cells drawn."""
    cells = [[one[at] for one in novices if at in one] for at in range(len(experts))]
    flat = [rating for several in cells for rating in several]
    counts = np.array([len(several) for several in cells])
    for block in stand_ins(seed, draws, counts):
        for drawn in block:
            yield plainly(experts, novices, [flat[cell] for cell in drawn])


def plain_p(null: list[list[float]], observed: list[float]) -> list[float]:
    found = []
    for at, value in enumerate(observed):
        if math.isnan(value):
            found.append(math.nan)
            continue
        least = value - 1e-7 * max(1, abs(value))
        count = sum(not one[at] < least for one in null)
        found.append((count + 1) / (len(null) + 1))
    return found


def test_the_worked_example() -> None:
    panel = made([(3, 4, 5)], [{0: 2}, {0: 5}, {0: 4}])
    values = panel.values(machine(panel, [(3, 4, 5)], [4]).sum(axis=0))
    assert values[:2] == pytest.approx([1, 1 / 3])
    assert math.isnan(values[2])


def test_the_metrics_are_the_documents() -> None:
    panel = made(EXPERTS, NOVICES)
    said = [4, 1, 4, 3, 4.5, 1.5]
    found = panel.values(machine(panel, EXPERTS, said).sum(axis=0))
    assert found == pytest.approx(plainly(EXPERTS, NOVICES, said), abs=1e-6)


ratings = st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])


@st.composite
def panels(draw: st.DrawFn) -> tuple[list[tuple[float, ...]], list[dict[int, float]], list[float]]:
    k, judges = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    experts = [tuple(draw(st.lists(ratings, min_size=1, max_size=3))) for _ in range(k)]
    novices = [
        {at: draw(ratings) for at in range(k) if judge == 0 or draw(st.booleans())}
        for judge in range(judges)
    ]
    said = draw(st.lists(ratings | st.sampled_from([2.9, 3.5]), min_size=k, max_size=k))
    return experts, novices, said


@given(panels(), st.integers(0, 5))
def test_null_and_p_are_those_of_a_loop(
    one: tuple[list[tuple[float, ...]], list[dict[int, float]], list[float]], seed: int
) -> None:
    experts, novices, said = one
    panel = made(experts, novices)
    null = panel.null(seed=seed, draws=60)
    plain = list(loop(experts, novices, seed=seed, draws=60))
    assert np.allclose(null, np.array(plain), atol=1e-6, equal_nan=True)
    found = verdicts(panel, machine(panel, experts, said), null)
    wanted = plain_p(plain, plainly(experts, novices, said))
    if panel.single.all():  # nothing is drawn
        wanted = [math.nan] * 3
    assert [one.p for one in found] == pytest.approx(wanted, nan_ok=True)


def test_draws_do_not_depend_on_how_many_are_made_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = made(EXPERTS, NOVICES)
    whole = panel.null(seed=3, draws=50)
    monkeypatch.setattr(novice_null, "BLOCK_CELLS", 7)
    assert np.array_equal(whole, panel.null(seed=3, draws=50), equal_nan=True)
    assert np.array_equal(whole[:20], panel.null(seed=3, draws=20), equal_nan=True)
    assert not np.array_equal(whole, panel.null(seed=4, draws=50), equal_nan=True)


def test_every_novice_is_drawn_as_often() -> None:
    counts = np.array([3, 1, 8])
    blocks = np.vstack(list(stand_ins(1, 24_000, counts)))
    assert (blocks[:, 1] == 3).all()
    for passage, first in ((0, 0), (2, 4)):
        seen = np.bincount(blocks[:, passage] - first, minlength=counts[passage])
        assert len(seen) == counts[passage]
        assert np.abs(seen / 24_000 - 1 / counts[passage]).max() < 0.015


def test_a_machine_above_every_draw_has_one_in_draws_and_one() -> None:
    experts = [(1, 1), (5, 5), (2, 2), (4, 4)]
    novices: list[dict[int, float]] = [{0: 3, 1: 2, 2: 4, 3: 2}, {0: 4, 1: 2, 2: 3, 3: 2}]
    panel = made(experts, novices)
    null = panel.null(seed=1, draws=10_000)
    for one in verdicts(panel, machine(panel, experts, [1, 5, 2, 4]), null):
        assert one.p == 1 / 10001
        assert one.better
        assert one.observed > one.critical


def test_equal_values_count_although_thirds_do_not_add_up() -> None:
    # Hits of 1/3: every draw has one hit of three thirds in another order than the machine's.
    experts = [(3, 4, 5), (3, 4, 5), (3, 4, 5)]
    novices: list[dict[int, float]] = [{0: 3, 1: 4, 2: 5}] * 2
    panel = made(experts, novices)
    null = panel.null(seed=1, draws=100)
    found = dict(
        zip(METRICS, verdicts(panel, machine(panel, experts, [5, 4, 3]), null), strict=True)
    )
    assert found["proportional_target"].p == 1
    assert found["score_difference"].p == 1


def test_p_and_critical_value_agree() -> None:
    null = np.arange(1, 1000, dtype=float)  # 999 draws: p <= 0.025 allows 24 at least as good
    critical = critical_value(null)
    assert critical == 975
    assert p_value(null, 976.0) <= 0.025
    assert p_value(null, 975.5) <= 0.025
    assert p_value(null, 975.0) == 26 / 1000
    assert math.isnan(critical_value(null[:38]))
    assert critical_value(null[:39]) == 39
    assert math.isnan(p_value(null, math.nan))


def test_an_undefined_draw_counts_as_at_least_as_good() -> None:
    null = np.array([math.nan, 0.1, 0.2])
    assert p_value(null, 0.9) == 2 / 4
    assert math.isnan(critical_value(np.full(39, math.nan)))


def test_whole_judges_by_hand() -> None:
    experts = [(1, 1), (3, 3), (5, 5)]
    good, fair, flat = {0: 1, 1: 3, 2: 5}, {0: 2, 1: 3, 2: 4}, {0: 3, 1: 3, 2: 3}
    panel = made(experts, [good, fair, flat])
    difference, target, pearson = against_judges(panel, machine(panel, experts, [2, 3, 5]))
    # 1/3 away on average: the good novice 0, the fair one 2/3, the flat one 4/3
    assert (difference.beaten, difference.judges, difference.p) == (2, 3, 2 / 4)
    assert (target.beaten, target.judges) == (2, 3)
    # a flat judge has no correlation; the other two have a perfect one
    assert (pearson.beaten, pearson.judges, pearson.p) == (0, 2, 1)
    assert difference.smallest == 1 / 4
    perfect = against_judges(panel, machine(panel, experts, [1, 3, 5]))
    assert [one.beaten for one in perfect] == [2, 2, 0]  # an equal judge is not beaten


def test_a_judge_is_compared_on_what_the_judge_rated() -> None:
    experts = [(1, 1), (3, 3), (5, 5), (4, 4)]
    panel = made(experts, [{0: 1, 1: 3}, {2: 4, 3: 3, 0: 3, 1: 1}])
    # right on the last two alone: worse than the first judge, where that one rated
    difference, target, _ = against_judges(panel, machine(panel, experts, [2, 2, 5, 4]))
    assert (difference.beaten, target.beaten) == (1, 1)


def test_leaving_each_novice_out() -> None:
    experts = [(1, 1), (5, 5), (2, 2), (4, 4), (3, 3)]
    right = {at: float(one[0]) for at, one in enumerate(experts)}
    wrong = [{0: 4.0, 1: 2.0, 2: 4.0, 3: 2.0, 4: 1.0}, {0: 3.0, 1: 1.0, 2: 5.0, 3: 1.0, 4: 2.0}]
    panel = made(experts, [right, *wrong])
    found = left_out(panel, seed=1, draws=999)
    assert all(one is not None for one in found)
    assert [one.better for one in found[0] or []] == [True, True, True]
    assert not any(one.better for several in found[1:] for one in several or [])
    # the same as that novice marked as a machine beside the others alone
    others = made(experts, wrong)
    own = machine(others, experts, [right[at] for at in range(5)])
    assert found[0] == verdicts(others, own, others.null(seed=1, draws=999))


def test_a_novice_who_shares_no_passage_is_not_left_out() -> None:
    panel = made([(1, 2), (3, 4)], [{0: 1}, {1: 3}])
    assert left_out(panel, seed=1, draws=50) == [None, None]


def test_a_passage_without_a_novice_is_refused() -> None:
    with pytest.raises(ValueError, match="without a novice"):
        made([(1, 2), (3, 4)], [{0: 1}])


def test_ratings_that_hug_their_mean_keep_their_correlation() -> None:
    source = np.random.default_rng(3)
    gold, ratings = source.normal(size=(40, 1)), source.normal(size=(40, 6))
    wide = NovicePanel.of(gold[:, 0], np.ones((40, 6), bool), gold + ratings, np.zeros((40, 6)))
    narrow = NovicePanel.of(
        gold[:, 0], np.ones((40, 6), bool), 0.3 + 1e-4 * (gold + ratings), np.zeros((40, 6))
    )
    one, other = wide.null(seed=1, draws=200)[:, 2], narrow.null(seed=1, draws=200)[:, 2]
    assert np.allclose(one, other, atol=1e-4)


def test_draws_equal_to_the_machine_count_whatever_the_ratings() -> None:
    # Both novices say what the machine says: every draw is as good, and no rounding sets them apart
    source = np.random.default_rng(5)
    gold, said = source.normal(size=30), 0.3 + 1e-3 * source.normal(size=30)
    panel = NovicePanel.of(
        gold, np.ones((30, 2), bool), np.column_stack([said, said]), np.zeros((30, 2))
    )
    own = worth(panel.gold, said, np.zeros(30))
    assert [one.p for one in verdicts(panel, own, panel.null(seed=1, draws=99))] == [1, 1, 1]


def test_without_a_passage_of_two_novices_there_is_no_p() -> None:
    experts = EXPERTS[:4]
    panel = made(experts, [{0: 2, 1: 1}, {2: 4, 3: 2}])
    assert panel.single.tolist() == [True] * 4
    null = panel.null(seed=1, draws=99)
    for one in verdicts(panel, machine(panel, experts, [4, 1, 4, 3]), null):
        assert math.isnan(one.p)
        assert math.isnan(one.critical)
        assert not one.better


def test_two_novices_are_not_set_against_each_other() -> None:
    panel = made(EXPERTS, [dict.fromkeys(range(6), 3), {at: at % 5 + 1 for at in range(6)}])
    assert left_out(panel, seed=1, draws=50) == [None, None]
