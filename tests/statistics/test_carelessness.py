"""Signs of careless work: tables worked by hand, and simulated people, careful and careless."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from readmark.making.quality.judging import judge_quality
from readmark.making.quality.work import CollectedWork
from readmark.statistics.carelessness import (
    ItemTime,
    KnownAnswer,
    empty_answers,
    haste,
    known_answers,
    same_answer,
    same_as_somebody,
    self_agreement,
)
from readmark.statistics.distributions import binomial_at_least, binomial_at_most, sum_at_least
from readmark.statistics.intervals import binomial_interval


def tail(count: int, total: int, chance: Fraction) -> float:
    """The chance of ``count`` or more, as a sum of fractions."""
    terms = (
        comb(total, k) * chance**k * (1 - chance) ** (total - k) for k in range(count, total + 1)
    )
    return float(sum(terms))


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # Clopper and Pearson's intervals as tables of the binomial have them.
    [(0, 10, 0.0, 0.3085), (8, 10, 0.4439, 0.9748), (10, 10, 0.6915, 1.0), (0, 0, 0.0, 1.0)],
)
def test_exact_intervals(count: int, total: int, low: float, high: float) -> None:
    assert binomial_interval(count, total) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("count", [-1, 0, 1, 4, 9, 10, 11])
def test_tails_are_those_of_sums_of_fractions(count: int) -> None:
    chance = Fraction(3, 10)
    assert binomial_at_least(count, 10, 0.3) == pytest.approx(tail(max(count, 0), 10, chance))
    below = 1 - tail(max(count + 1, 0), 10, chance)
    assert binomial_at_most(count, 10, 0.3) == pytest.approx(below, abs=1e-12)
    assert sum_at_least(count, [0.3] * 10) == pytest.approx(tail(max(count, 0), 10, chance))


def test_events_with_chances_of_their_own() -> None:
    # Two of three: 0.1*0.2*0.7 + 0.1*0.8*0.3 + 0.9*0.2*0.3 = 0.092; all three: 0.006.
    assert sum_at_least(2, [0.1, 0.2, 0.3]) == pytest.approx(0.098)
    assert sum_at_least(3, [0.1, 0.2, 0.3]) == pytest.approx(0.006)


def known(person: str, right: int, wrong: int) -> list[KnownAnswer]:
    return [KnownAnswer(person, f"k{n}", n < right) for n in range(right + wrong)]


def test_known_answers() -> None:
    figures, found = known_answers([*known("Ann", 9, 1), *known("Bob", 3, 7)], expected=0.8)
    assert [(each.person, each.count, each.total) for each in figures] == [
        ("Ann", 9, 10),
        ("Bob", 3, 10),
    ]
    # Ann: 1 - 0.8**10; Bob: the chance of three or fewer of ten at 0.8, twice by Holm.
    assert figures[0].p == pytest.approx(0.892626, abs=1e-6)
    (bob,) = found
    assert (bob.person, bob.ids) == ("Bob", tuple(f"k{n}" for n in range(3, 10)))
    assert bob.p == pytest.approx(0.0008643584)
    assert bob.adjusted == pytest.approx(2 * 0.0008643584)
    assert (bob.low, bob.high) == pytest.approx((0.0667, 0.6525), abs=5e-5)


def test_self_agreement_is_compared_with_the_agreement_of_two() -> None:
    first = {
        "Ann": {f"u{n}": "x" for n in range(20)},
        "Bob": {f"u{n}": "x" if n < 18 else "y" for n in range(20)},
    }
    again = {
        "Ann": {f"u{n}": "x" for n in range(5)},
        "Bob": {f"u{n}": "z" if n < 4 else "x" for n in range(5)},
    }
    figures, found = self_agreement(first, again, field="level")
    assert [(each.person, each.count, each.total, each.expected) for each in figures] == [
        ("Ann", 5, 5, 0.9),
        ("Bob", 1, 5, 0.9),
    ]
    # One or none of five at 0.9: 0.1**5 + 5 * 0.9 * 0.1**4; Holm doubles it.
    (bob,) = found
    assert (bob.person, bob.ids) == ("Bob", ("u0", "u1", "u2", "u3"))
    assert bob.adjusted == pytest.approx(2 * 0.00046)
    # With too few answers in common there is no test, and so no finding.
    few = {person: dict(list(own.items())[:10]) for person, own in first.items()}
    figures, found = self_agreement(few, again)
    assert [each.p for each in figures] == [None, None]
    assert found == []


def test_haste() -> None:
    times = []
    for n in range(10):
        # 200 words: 60 s for Ann, 70 s for Cy; Bob takes 10 s (1200 a minute).
        times += [
            ItemTime("Ann", f"i{n}", 60.0, 200),
            ItemTime("Bob", f"i{n}", 10.0, 200),
            ItemTime("Cy", f"i{n}", 70.0 if n > 1 else 13.0, 200),
        ]
    found = {(each.code, each.person): each for each in haste(times)}
    assert set(found) == {
        ("too_fast", "Bob"),
        ("faster_than_others", "Bob"),
        ("too_fast", "Cy"),
        ("faster_than_usual", "Cy"),
    }
    assert found["too_fast", "Bob"].count == 10
    # On i0 and i1 the others' median is (60 + 13) / 2 = 36.5, and 10 s is still below a third.
    others = found["faster_than_others", "Bob"]
    assert (others.count, others.total, others.p) == (10, 10, pytest.approx(0.5**10))
    assert others.adjusted == pytest.approx(3 * 0.5**10)
    assert found["faster_than_usual", "Cy"].ids == ("i0", "i1")
    # 200 Chinese characters in 10 s are exactly what is allowed.
    chinese = [ItemTime("Bob", f"i{n}", 10.0, 200, "zh") for n in range(10)]
    assert haste(chinese) == []


def test_the_same_answer_to_everything() -> None:
    others = {"Bob": "12341234", "Cy": "12341234"}
    values = {who: {f"u{n}": level for n, level in enumerate(own)} for who, own in others.items()}
    values["Ann"] = {f"u{n}": "1" for n in range(8)}
    (ann,) = same_answer(values, field="level")
    assert (ann.person, ann.other, ann.count, ann.total) == ("Ann", "1", 8, 8)
    # The others gave 1 to 4 of 16: (4 + 0.5) / 17; where both did, (2 + that) / 3, else that / 3.
    overall = 4.5 / 17
    chance = ((2 + overall) / 3) ** 2 * (overall / 3) ** 6
    assert ann.p == pytest.approx(4 * chance)
    # Where the others say the same, it is no sign of anything.
    agreed = {who: {f"u{n}": "1" for n in range(8)} for who in ("Ann", "Bob", "Cy")}
    assert same_answer(agreed) == []
    # Alone there is no test, and the finding says so by having no p.
    (alone,) = same_answer({"Ann": values["Ann"]})
    assert alone.p is None


def test_empty_answers() -> None:
    values = {
        "Ann": {f"u{n}": "" if n < 6 else "x" for n in range(20)},
        "Bob": {f"u{n}": "" if n < 1 else "x" for n in range(20)},
        "Cy": {f"u{n}": "x" for n in range(20)},
    }
    (ann,) = empty_answers(values)
    assert (ann.person, ann.count, ann.total) == ("Ann", 6, 20)
    # The others: one of 40 is empty, on u0.
    overall = 1.5 / 41
    chances = [(1 + overall) / 3, *[overall / 3] * 19]
    assert ann.expected == pytest.approx(sum(chances) / 20)
    assert ann.p == pytest.approx(sum_at_least(6, chances))


def test_unusual_answers_in_common() -> None:
    right = {f"u{n}": "right" for n in range(20)}
    values = {who: dict(right) for who in ("Ann", "Bob", "Cy", "Di", "Ed")}
    for n in range(5):
        values["Ann"][f"u{n}"] = values["Bob"][f"u{n}"] = f"odd{n}"
    for n in range(5, 10):
        values["Cy"][f"u{n}"], values["Di"][f"u{n}"] = f"c{n}", f"d{n}"
    (pair,) = same_as_somebody(values, field="answers")
    assert (pair.person, pair.other, pair.count, pair.total) == ("Ann", "Bob", 5, 5)
    # Of the other pairs' five units none is shared: (0 + 0.5) / (5 + 1).
    assert pair.expected == pytest.approx(1 / 12)
    assert pair.p == pytest.approx((1 / 12) ** 5)
    # Of four people, two who agree and two who do not are no majority and no minority.
    assert same_as_somebody({who: values[who] for who in ("Ann", "Bob", "Cy", "Di")}) == []


# Simulated people.


def simulated(seed: int, *careless: str, answers: str = "1234") -> CollectedWork:
    """Five people on 60 items; the first ones may be careless in a way each.

    Careful people are right in 55 to 98% of an item's cases, take 45 to 120 seconds for 150
    words with a spread of a factor of 1.6, and do ten known and eight repeated items too.
    """
    draw = random.Random(seed)
    names = [f"P{n}" for n in range(5)]
    truth = {f"u{n}": draw.choice(answers) for n in range(60)}
    ease = {id: draw.uniform(0.55, 0.98) for id in truth}

    def answer(id: str, way: str) -> str:
        if way == "constant":
            return "2"
        if way == "random" or draw.random() > ease[id]:
            return draw.choice(answers)
        return truth[id]

    ways = dict(zip(names, [*careless, *[""] * 5], strict=False))
    first = {who: {id: answer(id, ways[who]) for id in truth} for who in names}
    for who, way in ways.items():
        if way == "copying":
            first[who] = {id: first["P4"][id] if draw.random() < 0.9 else "1" for id in truth}
    again = {who: {id: answer(id, ways[who]) for id in list(truth)[:8]} for who in names}
    known, times = [], []
    for who in names:
        speed = draw.uniform(45, 120) if ways[who] != "hasty" else 8.0
        times += [ItemTime(who, id, speed * draw.lognormvariate(0, 0.47), 150) for id in truth]
        chance = 0.25 if ways[who] in ("random", "constant") else 0.9
        known += [KnownAnswer(who, f"k{n}", draw.random() < chance) for n in range(10)]
    return CollectedWork({"level": first}, {"level": again}, times, known)


def test_careful_people_give_few_findings() -> None:
    """Each test is at 5% over the five of a project: of 2,000 such people 0.7% had a finding."""
    found: Counter[str] = Counter()
    people = 0
    for seed in range(60):
        report = judge_quality(simulated(seed))
        people += len({finding.person for finding in report.findings})
        found.update(finding.code for finding in report.findings)
    assert people <= 0.03 * 300, found


@pytest.mark.parametrize(
    ("way", "codes", "most"),
    [
        ("random", {"known_answers"}, 4),
        ("constant", {"known_answers", "same_answer"}, 4),
        ("hasty", {"too_fast", "faster_than_others"}, 0),
        ("copying", {"same_as_somebody"}, 10),
    ],
)
def test_careless_people_are_found(way: str, codes: set[str], most: int) -> None:
    """Of twenty: of a hundred 96, 93, 100 and 68 are found, and of copies of four labels 32."""
    missed: Counter[str] = Counter()
    # Few wrong answers are alike by chance where there are many: else copies are hard to find.
    answers = "1234" if way != "copying" else "abcdefghijklmnop"
    for seed in range(20):
        report = judge_quality(simulated(seed, way, answers=answers))
        own = {each.code for each in report.findings if "P0" in (each.person, each.other)}
        missed.update(codes - own)
    assert all(count <= most for count in missed.values()), missed
