"""Measures of characters: worked numbers, the slow definitions, and what must always hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import similarity as oracle
from readmark.stats.similarity import jaro, levenshtein, needleman_wunsch, qgrams, smith_waterman
from readmark.stats.similarity.simmetrics import gotoh
from readmark.stats.similarity.simmetrics import jaro as simmetrics_jaro
from readmark.stats.similarity.simmetrics import needleman_wunsch as simmetrics_needleman
from readmark.stats.similarity.simmetrics import qgrams as simmetrics_qgrams
from readmark.stats.similarity.simmetrics import smith_waterman as simmetrics_smith

One = Callable[[str, str], float]
Many = Callable[[Sequence[str], Sequence[str]], Sequence[float]]

STANDARD: dict[str, tuple[One, Many, One]] = {
    "levenshtein": (levenshtein.levenshtein, levenshtein.many, oracle.levenshtein),
    "needleman_wunsch": (
        needleman_wunsch.needleman_wunsch,
        needleman_wunsch.many,
        oracle.needleman_wunsch,
    ),
    "smith_waterman": (smith_waterman.smith_waterman, smith_waterman.many, oracle.smith_waterman),
    "qgrams": (qgrams.qgrams, qgrams.many, oracle.qgrams),
    "jaro": (jaro.jaro, jaro.many, oracle.jaro),
    "jaro_winkler": (jaro.jaro_winkler, jaro.many_winkler, oracle.jaro_winkler),
}
SIMMETRICS: dict[str, tuple[One, Many, One]] = {
    "needleman_wunsch": (
        simmetrics_needleman.needleman_wunsch,
        simmetrics_needleman.many,
        oracle.needleman_wunsch_simmetrics,
    ),
    "smith_waterman": (
        simmetrics_smith.smith_waterman,
        simmetrics_smith.many,
        oracle.smith_waterman_simmetrics,
    ),
    "qgrams": (simmetrics_qgrams.qgrams, simmetrics_qgrams.many, oracle.qgrams_simmetrics),
    "jaro": (simmetrics_jaro.jaro, simmetrics_jaro.many, oracle.jaro_simmetrics),
    "jaro_winkler": (
        simmetrics_jaro.jaro_winkler,
        simmetrics_jaro.many_winkler,
        oracle.jaro_winkler_simmetrics,
    ),
    "gotoh": (gotoh.gotoh, gotoh.many, oracle.gotoh),
}
ALL = [*STANDARD.values(), *SIMMETRICS.values()]
NAMES = [*STANDARD, *(f"{name}-simmetrics" for name in SIMMETRICS)]

# Few letters, so that runs, repeats and transpositions are frequent; an astral one among them.
strings = st.text(st.sampled_from("abdtmn o𝄞"), max_size=14)


@pytest.mark.parametrize(
    ("one", "a", "b", "expected"),
    [
        (levenshtein.levenshtein, "kitten", "sitting", 1 - 3 / 7),
        (levenshtein.levenshtein, "", "", 1),
        (levenshtein.levenshtein, "", "abc", 0),
        # -GCATG-CG, GATTACA: 4 matches, 2 mismatches, 2 gaps: 0 of -7 to 7
        (needleman_wunsch.needleman_wunsch, "gcatgcg", "gattaca", 0.5),
        (needleman_wunsch.needleman_wunsch, "abc", "", 0),
        (needleman_wunsch.needleman_wunsch, "ab", "b", (0 + 2) / 4),
        (smith_waterman.smith_waterman, "who drove it", "drove", 1),
        (smith_waterman.smith_waterman, "abxcd", "abcd", 3 / 4),  # 4 matches, 1 gap
        (smith_waterman.smith_waterman, "abc", "", 0),
        (qgrams.qgrams, "abcd", "abce", 1 / 2),  # abc of abc bcd, abc bce
        (qgrams.qgrams, "aaaa", "aaa", 2 / 3),  # aaa twice and once
        (qgrams.qgrams, "ab", "ab", 1),
        (qgrams.qgrams, "ab", "cd", 0),
        (jaro.jaro, "martha", "marhta", 17 / 18),
        (jaro.jaro, "dixon", "dicksonx", 0.76667),
        (jaro.jaro_winkler, "martha", "marhta", 17 / 18 + 0.3 / 18),
        (jaro.jaro_winkler, "dwayne", "duane", 0.84),
        # 0.4 of prefix although Jaro's is only 0.6
        (jaro.jaro_winkler, "abcdzzzz", "abcdyyyyyyyyyyyyyyyy", 0.56667 + 0.4 * (1 - 0.56667)),
        # SimMetrics: identical texts of n characters score 1 - 2/3n, with six of prefix 0.4 of it
        (simmetrics_jaro.jaro, "when was he bor", "when was he bor", 1 - 2 / 45),
        (simmetrics_jaro.jaro_winkler, "when was he bor", "when was he bor", 1 - 0.4 * 2 / 45),
        (simmetrics_jaro.jaro, "", "", 0),
        (simmetrics_jaro.jaro, "a", "a", 0),
        (simmetrics_needleman.needleman_wunsch, "abc", "abc", 1),
        (simmetrics_needleman.needleman_wunsch, "abc", "c", 1 - 2 / 6),  # a gap that begins: 1 each
        (
            simmetrics_needleman.needleman_wunsch,
            "abc",
            "a",
            1 - 3 / 6,
        ),  # a, b begin; a for c
        (simmetrics_needleman.needleman_wunsch, "", "abc", 0.5),
        (simmetrics_smith.smith_waterman, "abxcd", "abcd", 3.5 / 4),  # a gap costs a half
        (simmetrics_smith.smith_waterman, "", "abc", 1),
        (simmetrics_qgrams.qgrams, "ab", "ab", 1),
        (simmetrics_qgrams.qgrams, "ab", "ac", 2 / 8 * 1),  # ##a of ##a #ab ab# b##
        (gotoh.gotoh, "dog", "tog", (3 + 5 + 5) / 15),
        (gotoh.gotoh, "born", "born", 1),
        (gotoh.gotoh, "ab" * 150, "ab" * 150, 1),
    ],
)
def test_numbers_worked_by_hand(one: One, a: str, b: str, expected: float) -> None:
    assert one(a, b) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("one", "many", "slow"), ALL, ids=NAMES)
@given(pairs=st.lists(st.tuples(strings, strings), min_size=1, max_size=6))
def test_one_and_many_are_the_definition(
    one: One, many: Many, slow: One, pairs: list[tuple[str, str]]
) -> None:
    expected = [slow(a, b) for a, b in pairs]
    assert [one(a, b) for a, b in pairs] == pytest.approx(expected, abs=1e-12)
    assert list(many([a for a, _ in pairs], [b for _, b in pairs])) == pytest.approx(
        expected, abs=1e-12
    )


def test_long_texts_are_aligned_by_the_same_rule() -> None:
    rng = random.Random(1)
    a, b = ("".join(rng.choices("abdtmn o𝄞", k=length)) for length in (97, 61))
    for name, every in (("smith_waterman", STANDARD), ("smith_waterman", SIMMETRICS)):
        one, _, slow = every[name]
        assert one(a, b) == pytest.approx(slow(a, b), abs=1e-12)


@pytest.mark.parametrize(("one", "many", "slow"), ALL, ids=NAMES)
@given(a=strings, b=strings)
def test_bounds_and_symmetry(one: One, many: Many, slow: One, a: str, b: str) -> None:
    assert 0 <= one(a, b) <= 1
    assert one(a, b) == pytest.approx(one(b, a), abs=1e-12)


@pytest.mark.parametrize("name", STANDARD)
@given(a=strings)
def test_a_text_is_wholly_like_itself(name: str, a: str) -> None:
    assert STANDARD[name][0](a, a) == 1


@pytest.mark.parametrize(("one", "many", "slow"), ALL, ids=NAMES)
def test_long_texts_among_short_ones(one: One, many: Many, slow: One) -> None:
    long = "the quick brown fox " * 12
    a = [long, "", "a", long[:199], "abc"]
    b = [long[:-3], "abc", "", long[:200], "abd"]
    assert list(many(a, b)) == pytest.approx([one(x, y) for x, y in zip(a, b, strict=True)])


@pytest.mark.parametrize(("one", "many", "slow"), ALL, ids=NAMES)
def test_no_pairs(one: One, many: Many, slow: One) -> None:
    assert list(many([], [])) == []
