"""Measures of characters: worked numbers, the slow definitions, and what must always hold."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import similarity as oracle
from readmark.statistics.similarity import simmetrics
from readmark.statistics.similarity.alignment import smith_waterman, smith_waterman_of_each
from readmark.statistics.similarity.edits import jaro, jaro_winkler, levenshtein, needleman_wunsch
from readmark.statistics.similarity.qgrams import qgrams

One = Callable[[str, str], float]

STANDARD: dict[str, tuple[One, One]] = {
    "levenshtein": (levenshtein, oracle.levenshtein),
    "needleman_wunsch": (needleman_wunsch, oracle.needleman_wunsch),
    "smith_waterman": (smith_waterman, oracle.smith_waterman),
    "qgrams": (qgrams, oracle.qgrams),
    "jaro": (jaro, oracle.jaro),
    "jaro_winkler": (jaro_winkler, oracle.jaro_winkler),
}
SIMMETRICS: dict[str, tuple[One, One]] = {
    "needleman_wunsch": (simmetrics.needleman_wunsch, oracle.needleman_wunsch_simmetrics),
    "smith_waterman": (simmetrics.smith_waterman, oracle.smith_waterman_simmetrics),
    "qgrams": (simmetrics.qgrams, oracle.qgrams_simmetrics),
    "jaro": (simmetrics.jaro, oracle.jaro_simmetrics),
    "jaro_winkler": (simmetrics.jaro_winkler, oracle.jaro_winkler_simmetrics),
    "gotoh": (simmetrics.gotoh, oracle.gotoh),
}
ALL = [*STANDARD.values(), *SIMMETRICS.values()]
NAMES = [*STANDARD, *(f"{name}-simmetrics" for name in SIMMETRICS)]

# Few letters, so that runs, repeats and transpositions are frequent; an astral one among them.
strings = st.text(st.sampled_from("abdtmn o𝄞"), max_size=14)


@pytest.mark.parametrize(
    ("one", "a", "b", "expected"),
    [
        (levenshtein, "kitten", "sitting", 1 - 3 / 7),
        (levenshtein, "", "", 1),
        (levenshtein, "", "abc", 0),
        # -GCATG-CG, GATTACA: 4 matches, 2 mismatches, 2 gaps: 0 of -7 to 7
        (needleman_wunsch, "gcatgcg", "gattaca", 0.5),
        (needleman_wunsch, "abc", "", 0),
        (needleman_wunsch, "ab", "b", (0 + 2) / 4),
        (smith_waterman, "who drove it", "drove", 1),
        (smith_waterman, "abxcd", "abcd", 3 / 4),  # 4 matches, 1 gap
        (smith_waterman, "abc", "", 0),
        (qgrams, "abcd", "abce", 1 / 2),  # abc of abc bcd, abc bce
        (qgrams, "aaaa", "aaa", 2 / 3),  # aaa twice and once
        (qgrams, "ab", "ab", 1),
        (qgrams, "ab", "cd", 0),
        (jaro, "martha", "marhta", 17 / 18),
        (jaro, "dixon", "dicksonx", 0.76667),
        (jaro_winkler, "martha", "marhta", 17 / 18 + 0.3 / 18),
        (jaro_winkler, "dwayne", "duane", 0.84),
        # 0.4 of prefix although Jaro's is only 0.6
        (jaro_winkler, "abcdzzzz", "abcdyyyyyyyyyyyyyyyy", 0.56667 + 0.4 * (1 - 0.56667)),
        # SimMetrics: identical texts of n characters score 1 - 2/3n, with six of prefix 0.4 of it
        (simmetrics.jaro, "when was he bor", "when was he bor", 1 - 2 / 45),
        (simmetrics.jaro_winkler, "when was he bor", "when was he bor", 1 - 0.4 * 2 / 45),
        (simmetrics.jaro, "", "", 0),
        (simmetrics.jaro, "a", "a", 0),
        (simmetrics.needleman_wunsch, "abc", "abc", 1),
        (simmetrics.needleman_wunsch, "abc", "c", 1 - 2 / 6),  # a gap that begins: 1 each
        (
            simmetrics.needleman_wunsch,
            "abc",
            "a",
            1 - 3 / 6,
        ),  # a, b begin; a for c
        (simmetrics.needleman_wunsch, "", "abc", 0.5),
        (simmetrics.smith_waterman, "abxcd", "abcd", 3.5 / 4),  # a gap costs a half
        (simmetrics.smith_waterman, "", "abc", 1),
        (simmetrics.qgrams, "ab", "ab", 1),
        (simmetrics.qgrams, "ab", "ac", 2 / 8 * 1),  # ##a of ##a #ab ab# b##
        (simmetrics.gotoh, "dog", "tog", (3 + 5 + 5) / 15),
        (simmetrics.gotoh, "born", "born", 1),
        (simmetrics.gotoh, "ab" * 150, "ab" * 150, 1),
    ],
)
def test_numbers_worked_by_hand(one: One, a: str, b: str, expected: float) -> None:
    assert one(a, b) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("measure", "slow"), ALL, ids=NAMES)
@given(a=strings, b=strings)
def test_it_is_the_definition(measure: One, slow: One, a: str, b: str) -> None:
    assert measure(a, b) == pytest.approx(slow(a, b), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "slow"), ALL, ids=NAMES)
def test_long_texts_are_measured_by_the_definition(measure: One, slow: One) -> None:
    long = "the quick brown fox " * 12
    for a, b in [(long, long[:-3]), ("", long), (long[:199], long[:200])]:
        assert measure(a, b) == pytest.approx(slow(a, b), abs=1e-12)


def test_long_texts_are_aligned_by_the_same_rule() -> None:
    rng = random.Random(1)
    a, b = ("".join(rng.choices("abdtmn o𝄞", k=length)) for length in (97, 61))
    for name, every in (("smith_waterman", STANDARD), ("smith_waterman", SIMMETRICS)):
        one, slow = every[name]
        assert one(a, b) == pytest.approx(slow(a, b), abs=1e-12)


@pytest.mark.parametrize("measure", [measure for measure, _ in ALL], ids=NAMES)
@given(a=strings, b=strings)
def test_bounds_and_symmetry(measure: One, a: str, b: str) -> None:
    assert 0 <= measure(a, b) <= 1
    assert measure(a, b) == pytest.approx(measure(b, a), abs=1e-12)


@pytest.mark.parametrize("name", STANDARD)
@given(a=strings)
def test_a_text_is_wholly_like_itself(name: str, a: str) -> None:
    assert STANDARD[name][0](a, a) == 1


@pytest.mark.parametrize(
    ("of_each", "definition"),
    [
        (smith_waterman_of_each, oracle.smith_waterman),
        (simmetrics.smith_waterman_of_each, oracle.smith_waterman_simmetrics),
    ],
    ids=["standard", "simmetrics"],
)
def test_local_alignments_of_many_pairs_are_those_of_each(of_each, definition):
    draw = random.Random(3)
    # Lengths far apart, and characters with the numbers 0 and 1, as padding might have them.
    sides = [
        ["".join(draw.choices("ab \0\1𝄞", k=draw.randrange(40))) for _ in range(300)]
        for _ in range(2)
    ]
    wide = ["abc" * 400, "x", ""], ["zabcab", "xy" * 600, ""]
    a, b = (side + more for side, more in zip(sides, wide, strict=True))
    assert of_each(a, b) == pytest.approx([definition(x, y) for x, y in zip(a, b, strict=True)])
