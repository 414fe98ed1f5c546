"""Near-duplicates against comparing every text with every other."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.text.folding import folded
from readmark.text.near_duplicates import (
    BANDS,
    MISSED,
    MOST,
    Sketcher,
    Sketches,
    _pairs,
    near_duplicates,
    resembling,
    shingles,
)

Texts = list[tuple[str, str]]


def resemblance(one: str, other: str) -> float:
    """The Jaccard coefficient of two texts' shingles, by its definition."""
    mine, theirs = shingles(one), shingles(other)
    return len(mine & theirs) / len(mine | theirs)


def recall(sketcher: Sketcher, resemblance: float) -> float:
    """The chance that a pair of that resemblance is compared at all."""
    return 1 - (1 - resemblance**sketcher.rows) ** BANDS - MISSED


HAN = [chr(point) for point in range(0x4E00, 0x4E00 + 3000)]


def found(texts: Texts, **options: float) -> dict[tuple[str, str], float]:
    pairs = near_duplicates(lambda: iter(texts), **options)  # type: ignore[arg-type]
    return {(one.first, one.second): one.resemblance for one in pairs}


def changed(text: str, share: float, draw: random.Random) -> str:
    return "".join(draw.choice(HAN) if draw.random() < share else one for one in text)


def made(families: int, seed: int) -> Texts:
    """Texts in families: one, and copies of it with more and more characters changed."""
    draw = random.Random(seed)
    texts: Texts = []
    for family in range(families):
        first = "".join(draw.choices(HAN, k=draw.randint(60, 300)))
        shares = (0.0, 0.005, 0.01, 0.02, 0.04, 0.2)
        texts += [(f"{family}/{at}", changed(first, s, draw)) for at, s in enumerate(shares)]
    return texts


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("abcdef", "abcdef", 1.0),
        ("abcdef", "abcdeg", 1 / 3),  # abcde of abcde, bcdef, bcdeg
        ("ABC DEF", "abc, def!", 1.0),
        ("abc", "abc", 1.0),
        ("abc", "abd", 0.0),
        ("漢語語法", "汉语语法", 1.0),
        ("。。。", "。。。", 1.0),
        ("。。。", "！！", 0.0),
    ],
)
def test_resemblance_by_hand(one: str, other: str, expected: float) -> None:
    assert resemblance(one, other) == pytest.approx(expected)


def test_all_pairs_are_found_that_comparing_all_with_all_finds() -> None:
    texts = made(60, seed=4)
    sets = [(name, shingles(text)) for name, text in texts]
    exact = {
        (a, b): value
        for (a, one), (b, other) in combinations(sets, 2)
        if (value := len(one & other) / len(one | other)) >= 0.8
    }
    # Of equal texts each is paired with the first only: drop what that leaves out.
    first: dict[str, str] = {}
    for name, text in texts:
        first.setdefault(text, name)
    own = {name: first[text] for name, text in texts}
    wanted = {
        pair: value
        for pair, value in exact.items()
        if (own[pair[0]] == pair[0] and own[pair[1]] == pair[1])
        or (value == 1 and own[pair[1]] == pair[0])
    }
    got = found(texts)
    assert len(wanted) > 150
    assert got.keys() <= exact.keys()
    assert all(got[pair] == exact[pair] for pair in got)
    assert len(wanted.keys() - got.keys()) <= 1  # each is missed with a chance of 1 in 1,000


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.9, 0.95])
def test_the_bands_keep_the_recall_that_is_stated(threshold: float) -> None:
    assert recall(Sketcher(threshold), threshold) >= 0.999


def test_what_is_far_below_the_threshold_is_seldom_compared() -> None:
    assert recall(Sketcher(0.8), 0.2) < 0.01


def test_sketches_keep_that_recall() -> None:
    """Of pairs just over the threshold, as many share a band as the formula says."""
    draw = random.Random(11)
    sketcher = Sketcher(0.8)
    close = missed = 0
    while close < 400:
        one = "".join(draw.choices(HAN, k=400))
        other = changed(one, 0.018, draw)
        if 0.8 <= resemblance(one, other) <= 0.88:
            close += 1
            mine, theirs = sketcher.sketch(one), sketcher.sketch(other)
            shared = any(mine[at : at + 8] == theirs[at : at + 8] for at in range(8, 200, 8))
            missed += not shared
    assert missed <= 3


def test_equal_texts_are_paired_with_the_first_only() -> None:
    texts = [(str(at), "同样的一句话写了很多遍，一个字也没有改。") for at in range(50)]
    assert found(texts) == {("0", str(at)): 1.0 for at in range(1, 50)}


def test_a_large_bucket_is_not_compared_all_with_all() -> None:
    draw = random.Random(2)
    base = "".join(draw.choices(HAN, k=400))
    sketcher = Sketcher()
    with Sketches(sketcher) as sketches:
        count = 4 * MOST
        for at in range(count):
            sketches.add(sketcher.sketch(base + HAN[at] * 2))
        candidates = sketches.candidates()
    assert len(candidates) < count * count / 4
    assert set(candidates[:, 1].tolist()) == set(range(1, count))  # each is compared with some


def test_pages_of_a_template_are_hardly_compared_and_copies_among_them_are_found() -> None:
    """260 characters of 360 in common: a resemblance of 0.56, enough to share a band often."""
    draw = random.Random(6)
    base = "".join(draw.choices(HAN, k=260))
    texts = [(str(at), base + "".join(draw.choices(HAN, k=100))) for at in range(300)]
    texts += [(f"copy of {at}", texts[at][1][:300] + "某" + texts[at][1][300:]) for at in range(20)]
    with Sketches(Sketcher()) as sketches:
        for _, text in texts:
            sketches.add(Sketcher().sketch(text))
        assert len(sketches.candidates()) < len(texts)
    assert found(texts).keys() == {(str(at), f"copy of {at}") for at in range(20)}


def test_sketches_may_come_one_by_one_or_many_at_a_time() -> None:
    draw = random.Random(4)
    texts = ["".join(draw.choices(HAN, k=90)) for _ in range(9)]
    made = Sketcher().sketches([*texts, *(text + "某" for text in texts)])
    with Sketches(Sketcher()) as single, Sketches(Sketcher()) as many:
        for one in made:
            single.add(one)
        many.extend(made[:7])
        many.extend([])
        many.extend(iter(made[7:]))
        assert many.count == single.count == 18
        assert many.candidates().tolist() == [[at, at + 9] for at in range(9)]
        assert single.candidates().tolist() == many.candidates().tolist()


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.9, 0.95, 1.0])
def test_a_pair_at_the_threshold_agrees_often_enough(threshold: float) -> None:
    """The chance of fewer agreements, summed otherwise: by drawing one hash after the other."""
    sketcher = Sketcher(threshold)
    chances = [1.0]
    for _ in range(24 * sketcher.rows):
        more = [0.0, *(threshold * one for one in chances)]
        chances = [a + (1 - threshold) * b for a, b in zip(more, [*chances, 0.0], strict=True)]
    assert sum(chances[: sketcher.agreeing]) <= 0.0001
    assert sum(chances[: sketcher.agreeing + 1]) > 0.0001


@given(st.lists(st.integers(0, 3), max_size=6 * MOST))
def test_a_text_meets_the_first_and_the_nearest_of_its_bucket(values: list[int]) -> None:
    wanted = set()
    for later, value in enumerate(values):
        near = [at for at in range(later) if values[at] == value]
        if len(near) > MOST:
            near = near[: MOST // 2] + near[-MOST // 2 :]
        wanted |= {(earlier, later) for earlier in near}
    blocks = [block.tolist() for block in _pairs(np.array(values, np.uint64))]
    got = [tuple(pair) for block in blocks for pair in block]
    assert len(got) == len(set(got))
    assert set(got) == wanted


def test_a_settled_text_is_not_compared_further() -> None:
    texts = [(str(at), "河边的风筝飞得很高，孩子们都抬头看。" + HAN[at]) for at in range(4)]
    candidates = np.array([(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)])
    done: set[str] = set()
    got = []
    for pair in resembling(candidates, lambda: iter(texts), settled=done.__contains__):
        got.append((pair.first, pair.second))
        done.add(pair.second)
    assert got == [("0", "1"), ("0", "2"), ("0", "3")]
    assert len(list(resembling(candidates, lambda: iter(texts)))) == 6


def test_the_seed_decides_and_names_may_be_tuples() -> None:
    texts = [
        (("train", "a"), "今天下午我们在河边放风筝。"),
        (("test", "b"), "今天下午我们在河边放风筝！"),
    ]

    def given_texts() -> Iterator[tuple[tuple[str, str], str]]:
        return iter(texts)

    (pair,) = near_duplicates(given_texts)
    assert (pair.first, pair.second, pair.resemblance) == (("train", "a"), ("test", "b"), 1.0)
    assert Sketcher(seed=1).sketch("风筝飞") == Sketcher(seed=1).sketch("风筝飞")
    assert Sketcher(seed=1).sketch("风筝飞") != Sketcher(seed=2).sketch("风筝飞")


@pytest.mark.parametrize("texts", [[], [("a", "只有一篇")], [("a", ""), ("b", "另一篇")]])
def test_nothing_to_pair(texts: Texts) -> None:
    assert found(texts) == {}


@pytest.mark.parametrize("options", [{"threshold": 0.0}, {"threshold": 1.5}, {"shingle": 0}])
def test_what_cannot_be_asked(options: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="expected"):
        found([("a", "b")], **options)


@given(st.text(max_size=60), st.text(max_size=60))
def test_resemblance_is_symmetric_and_one_for_itself(one: str, other: str) -> None:
    assert resemblance(one, one) == 1
    assert resemblance(one, other) == resemblance(other, one)
    assert 0 <= resemblance(one, other) <= 1


@given(st.text(max_size=80), st.integers(1, 7))
def test_equal_shingles_make_equal_bands(text: str, size: int) -> None:
    sketcher = Sketcher(shingle=size)
    assert len(sketcher.sketch(text)) == 200 + 24 * sketcher.rows
    assert shingles(text, size) == shingles(text.replace("\n", "  "), size) or not folded(text)


@given(st.lists(st.text(max_size=30), max_size=6), st.integers(1, 6))
def test_texts_are_sketched_together_as_alone(texts: list[str], size: int) -> None:
    sketcher = Sketcher(shingle=size)
    assert sketcher.sketches(texts) == [sketcher.sketch(text) for text in texts]
