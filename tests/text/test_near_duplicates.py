"""Near-duplicates against comparing every text with every other."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from readmark.core.errors import UsageError
from readmark.text.near_duplicates import near_duplicates, resembling
from readmark.text.shingles import shingles
from readmark.text.sketches import Sketcher, Sketches
from text_families import HAN, families

Texts = list[tuple[str, str]]


def pairs_of(texts: Texts, **options: float) -> dict[tuple[str, str], float]:
    pairs = near_duplicates(lambda: iter(texts), **options)  # type: ignore[arg-type]
    return {(pair.first, pair.second): pair.resemblance for pair in pairs}


def test_all_pairs_are_found_that_comparing_all_with_all_finds() -> None:
    texts = families(60, seed=4)
    sets = [(name, shingles(text)) for name, text in texts]
    exact = {
        (first, second): value
        for (first, a), (second, b) in combinations(sets, 2)
        if (value := len(a & b) / len(a | b)) >= 0.8
    }
    # Of equal texts each is paired with the first only: drop what that leaves out.
    first_of_text: dict[str, str] = {}
    for name, text in texts:
        first_of_text.setdefault(text, name)
    stands_for = {name: first_of_text[text] for name, text in texts}
    expected = {
        (first, second): value
        for (first, second), value in exact.items()
        if (stands_for[first] == first and stands_for[second] == second)
        or (value == 1 and stands_for[second] == first)
    }
    pairs = pairs_of(texts)
    assert len(expected) > 150
    assert pairs.keys() <= exact.keys()
    assert all(pairs[pair] == exact[pair] for pair in pairs)
    assert len(expected.keys() - pairs.keys()) <= 1  # each is missed with a chance of 1 in 1,000


def test_equal_texts_are_paired_with_the_first_only() -> None:
    texts = [(str(index), "同样的一句话写了很多遍，一个字也没有改。") for index in range(50)]
    assert pairs_of(texts) == {("0", str(index)): 1.0 for index in range(1, 50)}


def test_pages_of_a_template_are_hardly_compared_and_copies_among_them_are_found() -> None:
    """260 characters of 360 in common: a resemblance of 0.56, enough to share a band often."""
    draw = random.Random(6)
    template = "".join(draw.choices(HAN, k=260))
    texts = [(str(index), template + "".join(draw.choices(HAN, k=100))) for index in range(300)]
    for index in range(20):
        page = texts[index][1]
        texts.append((f"copy of {index}", f"{page[:300]}某{page[300:]}"))
    with Sketches(Sketcher()) as sketches:
        for _, text in texts:
            sketches.add(Sketcher().sketch(text))
        assert len(sketches.candidates()) < len(texts)
    assert pairs_of(texts).keys() == {(str(index), f"copy of {index}") for index in range(20)}


def test_settled_text_is_not_compared_further() -> None:
    sentence = "河边的风筝飞得很高，孩子们都抬头看。"
    texts = [(str(index), sentence + HAN[index]) for index in range(4)]
    candidates = np.array([(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)])
    settled: set[str] = set()
    pairs = []
    for pair in resembling(candidates, lambda: iter(texts), settled=settled.__contains__):
        pairs.append((pair.first, pair.second))
        settled.add(pair.second)
    assert pairs == [("0", "1"), ("0", "2"), ("0", "3")]
    assert len(list(resembling(candidates, lambda: iter(texts)))) == 6


def test_names_may_be_tuples() -> None:
    def texts() -> Iterator[tuple[tuple[str, str], str]]:
        yield ("train", "a"), "今天下午我们在河边放风筝。"
        yield ("test", "b"), "今天下午我们在河边放风筝！"

    (pair,) = near_duplicates(texts)
    assert (pair.first, pair.second, pair.resemblance) == (("train", "a"), ("test", "b"), 1.0)


@pytest.mark.parametrize("texts", [[], [("a", "只有一篇")], [("a", ""), ("b", "另一篇")]])
def test_nothing_to_pair(texts: Texts) -> None:
    assert pairs_of(texts) == {}


def test_impossible_threshold_is_refused() -> None:
    with pytest.raises(UsageError, match="expected"):
        pairs_of([("a", "b")], threshold=1.5)
