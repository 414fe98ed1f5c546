"""What explains scores, against sequences played out one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.count_facts import read_fact
from readmark.tasks.decompositions.open_totals import highest_total
from readmark.tasks.decompositions.posterior import Explanation, explain, last_event
from readmark.tasks.decompositions.scheme import read_scheme
from readmark.tasks.decompositions.score_readings import ScoreReading

TEXT = """
[quantity.big]
worth = 5
[quantity.bonus]
worth = 1
follows = "big"
kinds = ["kick"]
[quantity.small]
worth = 2
kinds = ["kick"]
[prior.plays]
chances = [0.1, 0.3, 0.4, 0.1]
tail = 0.5
[prior.shares]
big = 0.4
small = 0.6
[prior.following.big]
bonus = 0.75
"""
SCHEME = read_scheme(TEXT)

Event = tuple[int, str]
"""Whose it was, and what."""


def games(sides: int, most: int) -> Iterator[tuple[tuple[Event, ...], Fraction]]:
    """Every sequence of whole plays up to a number, with the chance of that sequence so far."""
    prior = SCHEME.prior
    plays = [
        (((side, play.quantity), *([(side, play.follower)] if play.follower else [])), chance)
        for side in range(sides)
        for play in SCHEME.plays
        for chance in [prior.play(play.quantity, play.follower) / sides]
    ]
    for number in range(most + 1):
        for chosen in itertools.product(plays, repeat=number):
            events = tuple(event for play, _ in chosen for event in play)
            yield events, math.prod((chance for _, chance in chosen), start=Fraction(1))


def boards(events: tuple[Event, ...], sides: int) -> list[tuple[int, ...]]:
    """The scores that stood, one after each event."""
    at = [0] * sides
    found = [tuple(at)]
    for side, what in events:
        at[side] += SCHEME.quantities[what].worth
        found.append(tuple(at))
    return found


def counts(events: tuple[Event, ...], sides: int) -> tuple[tuple[int, ...], ...]:
    seen = Counter(events)
    return tuple(tuple(seen[side, name] for name in SCHEME.quantities) for side in range(sides))


def found(explanation: Explanation) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    return {
        tuple(tuple(one.counts[side].values()) for side in explanation.sides): one.probability
        for one in explanation.combinations
    }


def normal(weights: Counter[tuple[tuple[int, ...], ...]]) -> dict[object, Fraction]:
    total = sum(weights.values())
    return {key: Fraction(one) / total for key, one in weights.items() if one}


@pytest.mark.parametrize("scores", [(0, 0), (2, 0), (5, 0), (6, 2), (7, 5), (10, 2), (4, 6)])
def test_final_scores_against_all_games(scores: tuple[int, int]) -> None:
    """Each side's number of plays by the prior, its plays by their shares."""
    weights: Counter[tuple[tuple[int, ...], ...]] = Counter()
    apart: list[Counter[tuple[int, ...]]] = []
    for total in scores:
        own: Counter[tuple[int, ...]] = Counter()
        for events, chance in games(1, 5):
            if boards(events, 1)[-1] == (total,):
                plays = sum(what != "bonus" for _, what in events)
                own[counts(events, 1)[0]] += chance * SCHEME.prior.numbers.chance(plays)  # type: ignore[assignment]
        apart.append(own)
    for (a, p), (b, q) in itertools.product(*(one.items() for one in apart)):
        weights[a, b] += p * q
    explanation = explain(SCHEME, [ScoreReading({"A": scores[0], "B": scores[1]})])
    assert found(explanation) == normal(weights)


@pytest.mark.parametrize(
    "path",
    [
        [(2, 0)],
        [(5, 0)],
        [(5, 0), (6, 0)],
        [(5, 2)],
        [(5, 0), (5, 2)],
        [(0, 0), (2, 2), (7, 2)],
        [(6, 0), (6, 0), (8, 2)],
        [(4, 2), (9, 2)],
    ],
)
def test_running_scores_against_all_games(path: list[tuple[int, int]]) -> None:
    """A score counts that stood at any time; what came after the last one is anybody's guess."""
    weights: Counter[tuple[tuple[int, ...], ...]] = Counter()
    lasts: Counter[str] = Counter()
    prior = SCHEME.prior
    seen: set[tuple[Event, ...]] = set()
    for events, _ in games(2, 5):
        for cut in range(len(events) + 1):
            begun = events[:cut]
            if begun in seen:
                continue
            seen.add(begun)
            stood = boards(begun, 2)
            if stood[-1] != path[-1]:
                continue
            places = [at for at, board in enumerate(stood) if board in path]
            if {stood[at] for at in places} != set(path):
                continue
            weight = Fraction(1)
            for at, (_, what) in enumerate(begun):
                if what == "bonus":
                    weight *= prior.follows("big", "bonus")
                else:
                    weight *= prior.shares[what] / 2
                    if what == "big" and at + 1 < len(begun) and begun[at + 1][1] != "bonus":
                        weight *= prior.follows("big", None)
            weights[counts(begun, 2)] += weight  # type: ignore[assignment]
            if begun:
                lasts[begun[-1][1]] += weight  # type: ignore[assignment]
    readings = [ScoreReading({"A": a, "B": b}) for a, b in path]
    assert found(explain(SCHEME, readings, final=False)) == normal(weights)
    whole = sum(lasts.values())
    assert last_event(SCHEME, readings, final=False) == {
        name: one / whole for name, one in lasts.items()
    }


def test_a_settled_score_is_not_followed_up() -> None:
    open_ = [ScoreReading({"A": 5}), ScoreReading({"A": 6})]
    settled = [ScoreReading({"A": 5}, settled=True), ScoreReading({"A": 6})]
    assert found(explain(SCHEME, open_, final=False)) == {((1, 1, 0),): 1}
    assert not explain(SCHEME, settled, final=False).possible


def test_before_a_final_score_every_arrangement_is_alike() -> None:
    """A reading before the last one may fall before, between and after the plays."""
    seven = explain(SCHEME, [ScoreReading({"A": 5}), ScoreReading({"A": 7})])
    assert found(seven) == {((1, 0, 1),): 1}
    half = ScoreReading({"A": 5}, settled=True)
    assert found(explain(SCHEME, [half, ScoreReading({"A": 10})])) == {((2, 0, 0),): 1}
    # 12 with 2 before it begins with a small one: small big big, 1 order; small and then big with
    # bonus among two small ones, 3 orders; six small ones, 1 order. Among n plays, a reading has
    # n + 1 places, of which one is right.
    prior = SCHEME.prior
    small = prior.shares["small"]
    expected = {
        ((2, 0, 1),): prior.numbers.chance(3) * prior.play("big", None) ** 2 * small / 4,
        ((1, 1, 3),): prior.numbers.chance(4) * prior.play("big", "bonus") * small**3 * 3 / 5,
        ((0, 0, 6),): prior.numbers.chance(6) * small**6 / 7,
    }
    whole = sum(expected.values())
    assert found(explain(SCHEME, [ScoreReading({"A": 2}), ScoreReading({"A": 12})])) == {
        key: one / whole for key, one in expected.items()
    }


def test_what_is_known_narrows_and_is_asked_for() -> None:
    reading = [ScoreReading({"A": 10, "B": 6})]
    every = explain(SCHEME, reading)
    some = explain(SCHEME, reading, known=["A.small >= 1", "bonus == 1"])
    fact = read_fact("A.small >= 1", SCHEME.quantities, ("A", "B"))
    bonus = read_fact("bonus == 1", SCHEME.quantities)
    kept = {
        key: one.probability
        for one in every.combinations
        if fact.holds(one.counts) and bonus.holds(one.counts)
        for key in found(Explanation(("A", "B"), (one,), ()))
    }
    assert kept
    whole = sum(kept.values())
    assert found(some) == {key: one / whole for key, one in kept.items()}
    assert all(fact.holds(one.counts) for one in some.combinations)
    assert [fact.holds(one.counts) for one in every.combinations] == [
        one.counts["A"]["small"] >= 1 for one in every.combinations
    ]


def test_whose_a_score_is_may_be_open_and_is_settled_later() -> None:
    first = [ScoreReading({"A": 2, "B": 0}), ScoreReading(either=(4, 2))]
    open_ = explain(SCHEME, first, final=False)
    assert open_.leaders() == {"A": Fraction(2, 3), "B": Fraction(1, 3)}
    assert [one.scores[1] for one in open_.hypotheses] == [{"A": 4, "B": 2}, {"A": 2, "B": 4}]
    later = explain(SCHEME, [*first, ScoreReading({"A": 4, "B": 2})], final=False)
    assert later.leaders(1) == {"A": 1}
    assert len(later.hypotheses) == 1


def test_a_side_that_is_not_told_lies_between() -> None:
    readings = [
        ScoreReading({"A": 0, "B": 0}),
        ScoreReading({"A": 2}),
        ScoreReading({"A": 2, "B": 2}),
    ]
    explanation = explain(SCHEME, readings, final=False)
    assert found(explanation) == {((0, 0, 1), (0, 0, 1)): 1}
    assert {tuple(one.scores[1].items()) for one in explanation.hypotheses} == {
        (("A", 2), ("B", 0)),
        (("A", 2), ("B", 2)),
    }


def test_nothing_explains_what_cannot_be() -> None:
    assert not explain(SCHEME, [ScoreReading({"A": 1})]).possible
    assert not explain(SCHEME, [ScoreReading({"A": 5}), ScoreReading({"A": 2})]).possible
    assert explain(SCHEME, [ScoreReading({"A": 3})]).combinations == ()
    assert last_event(SCHEME, [ScoreReading({"A": 3})]) == {}
    same = [ScoreReading({"A": 2}), ScoreReading({"A": 2}, last="small")]
    assert not explain(SCHEME, same, final=False).possible  # nothing happened in between


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=2),
    st.booleans(),
)
def test_chances_sum_to_one_and_fall(totals: list[int], final: bool) -> None:
    scores = {f"side {at}": total for at, total in enumerate(totals)}
    explanation = explain(SCHEME, [ScoreReading(scores)], final=final)
    chances = [one.probability for one in explanation.combinations]
    assert sum(chances) == (1 if chances else 0)
    assert chances == sorted(chances, reverse=True)
    for one in explanation.combinations:
        for side, total in scores.items():
            worths = (SCHEME.quantities[name].worth * n for name, n in one.counts[side].items())
            assert sum(worths) == total
            assert one.counts[side]["bonus"] <= one.counts[side]["big"]


@pytest.mark.parametrize(
    ("readings", "sides", "said"),
    [
        ([], (), "no score"),
        ([ScoreReading(either=(3, 2))], (), "2 sides|0 sides"),
        ([ScoreReading({"A": 3}), ScoreReading(either=(3, 2))], (), "of 1 sides"),
        ([ScoreReading({"A": -1})], (), "less than 0"),
        ([ScoreReading({"A": 1})], ("B",), "'A' is none of the sides"),
        ([ScoreReading({"A": 10**9})], (), "highest total"),
        ([ScoreReading({"A": 9000})], (), "decompositions"),
        ([ScoreReading({"A": 1}, last="goal")], (), "nothing is called 'goal'"),
    ],
)
def test_bad_questions_are_refused(
    readings: list[ScoreReading], sides: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        explain(SCHEME, readings, sides=sides)


def test_a_score_of_many_combinations_on_both_sides_is_refused() -> None:
    with pytest.raises(UsageError, match="side by side"):
        explain(SCHEME, [ScoreReading({"A": 400, "B": 400})])


def test_a_total_that_is_not_stated_again_is_open() -> None:
    readings = [ScoreReading({"A": 2, "B": 0}), ScoreReading({"B": 2})]
    explanation = explain(SCHEME, readings, final=False)
    chances = {one.scores[-1]["A"]: one.probability for one in explanation.hypotheses}
    # Small, small is 0.3 * 0.3. One more of A's comes before or after B's: 2 * 0.3 ** 3.
    assert chances[4] / chances[2] == Fraction(6, 10)
    # A bonus after a big one is not yet decided when that was last: 0.3 * 0.3 * 0.2 in two orders,
    # in one of which B's was last and no bonus came: 0.25.
    assert chances[7] / chances[2] == Fraction(2, 10) * Fraction(125, 100)
    [open_total] = explanation.open
    assert (open_total.side, open_total.reading, open_total.low) == ("A", 1, 2)
    assert set(chances) <= set(range(2, open_total.high + 1))


def test_an_open_total_stays_within_what_nearly_all_sides_do() -> None:
    totals: defaultdict[int, float] = defaultdict(float)
    for big, bonus, small in itertools.product(range(31), repeat=3):  # beyond, one in a billion
        number = big + bonus + small
        orders = math.comb(number, big) * math.comb(number - big, bonus)
        plays = Fraction(1, 10) ** big * Fraction(3, 10) ** bonus * Fraction(6, 10) ** small
        totals[5 * big + 6 * bonus + 2 * small] += float(
            SCHEME.prior.numbers.chance(number) * orders * plays
        )
    least = sum(chance for total, chance in totals.items() if total >= 10)
    shares = {
        most: sum(one for total, one in totals.items() if 10 <= total <= most) / least
        for most in range(10, 150)
    }
    expected = next(most for most, share in shares.items() if share >= 0.999)
    assert highest_total(SCHEME, 10) == expected


def test_scores_that_leave_two_totals_open_are_refused() -> None:
    readings = [ScoreReading({"A": 2, "B": 0}), ScoreReading({"B": 2}), ScoreReading({"B": 5})]
    with pytest.raises(UsageError, match="the total of A is open in several scores"):
        explain(SCHEME, readings)
    with pytest.raises(UsageError, match="the totals of A and B are open: state one"):
        explain(SCHEME, [ScoreReading({"C": 2})], sides=("A", "B", "C"))
