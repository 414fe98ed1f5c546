"""The null of drawn novices, against a plain loop and by hand; and whole judges."""

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


def panel_of(experts: list[tuple[float, ...]], novices: list[dict[int, float]]) -> NovicePanel:
    gold = np.array([sum(stars) / len(stars) for stars in experts]) - 3
    shape = len(experts), len(novices)
    rated, ratings, hits = np.zeros(shape, bool), np.zeros(shape), np.zeros(shape)
    for judge, of_judge in enumerate(novices):
        for passage, rating in of_judge.items():
            rated[passage, judge] = True
            ratings[passage, judge] = rating - 3
            hits[passage, judge] = hit(experts[passage], rating)
    return NovicePanel.of(gold, rated, ratings, hits)


def worth_of(
    panel: NovicePanel, experts: list[tuple[float, ...]], machine: list[float]
) -> np.ndarray:
    hits = [hit(stars, rating) for stars, rating in zip(experts, machine, strict=True)]
    return worth(panel.gold, np.array(machine) - 3, np.array(hits))


def plain_metrics(
    experts: list[tuple[float, ...]], novices: list[dict[int, float]], machine: list[float]
) -> list[float]:
    """The evaluation's three metrics, passage by passage."""
    gold = [sum(stars) / len(stars) for stars in experts]
    differences = []
    for passage, reference in enumerate(gold):
        distances = [abs(reference - novice[passage]) for novice in novices if passage in novice]
        of_machine = abs(reference - machine[passage])
        differences.append(sum(distances) / len(distances) - of_machine)
    hits = sum(hit(stars, rating) for stars, rating in zip(experts, machine, strict=True))
    is_constant = len(set(machine)) == 1 or len(set(gold)) == 1
    r = math.nan if is_constant else float(np.corrcoef(gold, machine)[0, 1])
    return [sum(differences) / len(differences), hits, r]


def plain_null(
    experts: list[tuple[float, ...]], novices: list[dict[int, float]], *, seed: int, draws: int
) -> Iterator[list[float]]:
    """The null draw by draw, of the same cells."""
    cells = [
        [novice[passage] for novice in novices if passage in novice]
        for passage in range(len(experts))
    ]
    ratings = [rating for of_passage in cells for rating in of_passage]
    counts = np.array([len(of_passage) for of_passage in cells])
    for block in stand_ins(seed, draws, counts):
        for draw in block:
            yield plain_metrics(experts, novices, [ratings[cell] for cell in draw])


def plain_p_values(null: list[list[float]], observed: list[float]) -> list[float]:
    p_values = []
    for metric, value in enumerate(observed):
        if math.isnan(value):
            p_values.append(math.nan)
            continue
        least = value - 1e-7 * max(1, abs(value))
        count = sum(not draw[metric] < least for draw in null)
        p_values.append((count + 1) / (len(null) + 1))
    return p_values


def test_the_worked_example() -> None:
    panel = panel_of([(3, 4, 5)], [{0: 2}, {0: 5}, {0: 4}])
    values = panel.values(worth_of(panel, [(3, 4, 5)], [4]).sum(axis=0))
    assert values[:2] == pytest.approx([1, 1 / 3])
    assert math.isnan(values[2])


def test_the_metrics_are_the_evaluations() -> None:
    panel = panel_of(EXPERTS, NOVICES)
    machine = [4, 1, 4, 3, 4.5, 1.5]
    values = panel.values(worth_of(panel, EXPERTS, machine).sum(axis=0))
    assert values == pytest.approx(plain_metrics(EXPERTS, NOVICES, machine), abs=1e-6)


ratings = st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])


@st.composite
def panels(draw: st.DrawFn) -> tuple[list[tuple[float, ...]], list[dict[int, float]], list[float]]:
    count, judges = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    experts = [tuple(draw(st.lists(ratings, min_size=1, max_size=3))) for _ in range(count)]
    novices = [
        {passage: draw(ratings) for passage in range(count) if judge == 0 or draw(st.booleans())}
        for judge in range(judges)
    ]
    real = ratings | st.sampled_from([2.9, 3.5])
    return experts, novices, draw(st.lists(real, min_size=count, max_size=count))


@given(panels(), st.integers(0, 5))
def test_null_and_p_are_those_of_a_loop(
    ratings: tuple[list[tuple[float, ...]], list[dict[int, float]], list[float]], seed: int
) -> None:
    experts, novices, machine = ratings
    panel = panel_of(experts, novices)
    null = panel.null(seed=seed, draws=60)
    plain = list(plain_null(experts, novices, seed=seed, draws=60))
    assert np.allclose(null, np.array(plain), atol=1e-6, equal_nan=True)
    by_metric = verdicts(panel, worth_of(panel, experts, machine), null)
    expected = plain_p_values(plain, plain_metrics(experts, novices, machine))
    if panel.single.all():  # nothing is drawn
        expected = [math.nan] * 3
    assert [verdict.p for verdict in by_metric] == pytest.approx(expected, nan_ok=True)


def test_draws_do_not_depend_on_how_many_are_made_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = panel_of(EXPERTS, NOVICES)
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
        times = np.bincount(blocks[:, passage] - first, minlength=counts[passage])
        assert len(times) == counts[passage]
        assert np.abs(times / 24_000 - 1 / counts[passage]).max() < 0.015


def test_a_machine_above_every_draw_has_one_in_draws_and_one() -> None:
    experts = [(1, 1), (5, 5), (2, 2), (4, 4)]
    novices: list[dict[int, float]] = [{0: 3, 1: 2, 2: 4, 3: 2}, {0: 4, 1: 2, 2: 3, 3: 2}]
    panel = panel_of(experts, novices)
    null = panel.null(seed=1, draws=10_000)
    for verdict in verdicts(panel, worth_of(panel, experts, [1, 5, 2, 4]), null):
        assert verdict.p == 1 / 10001
        assert verdict.better
        assert verdict.observed > verdict.critical


def test_equal_values_count_although_thirds_do_not_add_up() -> None:
    # Hits of 1/3: every draw has one hit of three thirds in another order than the machine's.
    experts = [(3, 4, 5), (3, 4, 5), (3, 4, 5)]
    novices: list[dict[int, float]] = [{0: 3, 1: 4, 2: 5}] * 2
    panel = panel_of(experts, novices)
    null = panel.null(seed=1, draws=100)
    of_metrics = verdicts(panel, worth_of(panel, experts, [5, 4, 3]), null)
    by_metric = dict(zip(METRICS, of_metrics, strict=True))
    assert by_metric["proportional_target"].p == 1
    assert by_metric["score_difference"].p == 1


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
    panel = panel_of(experts, [good, fair, flat])
    difference, target, pearson = against_judges(panel, worth_of(panel, experts, [2, 3, 5]))
    # 1/3 away on average: the good novice 0, the fair one 2/3, the flat one 4/3.
    assert (difference.beaten, difference.judges, difference.p) == (2, 3, 2 / 4)
    assert (target.beaten, target.judges) == (2, 3)
    # A flat judge has no correlation; the other two have a perfect one.
    assert (pearson.beaten, pearson.judges, pearson.p) == (0, 2, 1)
    assert difference.smallest == 1 / 4
    perfect = against_judges(panel, worth_of(panel, experts, [1, 3, 5]))
    assert [judges.beaten for judges in perfect] == [2, 2, 0]  # an equal judge is not beaten


def test_a_judge_is_compared_on_what_the_judge_rated() -> None:
    experts = [(1, 1), (3, 3), (5, 5), (4, 4)]
    panel = panel_of(experts, [{0: 1, 1: 3}, {2: 4, 3: 3, 0: 3, 1: 1}])
    # Right on the last two alone: worse than the first judge, where that one rated.
    difference, target, _ = against_judges(panel, worth_of(panel, experts, [2, 2, 5, 4]))
    assert (difference.beaten, target.beaten) == (1, 1)


def test_leaving_each_novice_out() -> None:
    experts = [(1, 1), (5, 5), (2, 2), (4, 4), (3, 3)]
    right = {passage: float(stars[0]) for passage, stars in enumerate(experts)}
    wrong = [{0: 4.0, 1: 2.0, 2: 4.0, 3: 2.0, 4: 1.0}, {0: 3.0, 1: 1.0, 2: 5.0, 3: 1.0, 4: 2.0}]
    panel = panel_of(experts, [right, *wrong])
    by_novice = left_out(panel, seed=1, draws=999)
    passes = [[verdict.better for verdict in of_novice or []] for of_novice in by_novice]
    assert passes == [[True] * 3, [False] * 3, [False] * 3]
    # The same as that novice marked as a machine beside the others alone.
    others = panel_of(experts, wrong)
    as_machine = worth_of(others, experts, [right[passage] for passage in range(5)])
    assert by_novice[0] == verdicts(others, as_machine, others.null(seed=1, draws=999))


def test_a_novice_who_shares_no_passage_is_not_left_out() -> None:
    panel = panel_of([(1, 2), (3, 4)], [{0: 1}, {1: 3}])
    assert left_out(panel, seed=1, draws=50) == [None, None]


def test_a_passage_without_a_novice_is_refused() -> None:
    with pytest.raises(ValueError, match="without a novice"):
        panel_of([(1, 2), (3, 4)], [{0: 1}])


def test_ratings_that_hug_their_mean_keep_their_correlation() -> None:
    source = np.random.default_rng(3)
    gold = source.normal(size=(40, 1))
    wide = gold + source.normal(size=(40, 6))
    rated, hits = np.ones(wide.shape, bool), np.zeros(wide.shape)
    correlations, of_narrow = (
        NovicePanel.of(gold[:, 0], rated, ratings, hits).null(seed=1, draws=200)[:, 2]
        for ratings in (wide, 0.3 + 1e-4 * wide)
    )
    assert np.allclose(correlations, of_narrow, atol=1e-4)


def test_draws_equal_to_the_machine_count_whatever_the_ratings() -> None:
    # Both novices rate as the machine does: every draw is as good, and no rounding parts them.
    source = np.random.default_rng(5)
    gold, ratings = source.normal(size=30), 0.3 + 1e-3 * source.normal(size=30)
    both = np.column_stack([ratings, ratings])
    panel = NovicePanel.of(gold, np.ones((30, 2), bool), both, np.zeros((30, 2)))
    machine = worth(panel.gold, ratings, np.zeros(30))
    by_metric = verdicts(panel, machine, panel.null(seed=1, draws=99))
    assert [verdict.p for verdict in by_metric] == [1, 1, 1]


def test_without_a_passage_of_two_novices_there_is_no_p() -> None:
    experts = EXPERTS[:4]
    panel = panel_of(experts, [{0: 2, 1: 1}, {2: 4, 3: 2}])
    assert panel.single.tolist() == [True] * 4
    null = panel.null(seed=1, draws=99)
    for verdict in verdicts(panel, worth_of(panel, experts, [4, 1, 4, 3]), null):
        assert math.isnan(verdict.p)
        assert math.isnan(verdict.critical)
        assert not verdict.better


def test_two_novices_are_not_compared_with_each_other() -> None:
    rising = {passage: passage % 5 + 1 for passage in range(6)}
    panel = panel_of(EXPERTS, [dict.fromkeys(range(6), 3), rising])
    assert left_out(panel, seed=1, draws=50) == [None, None]
