"""Texts that occur in longer ones: worked by hand, and against a plain comparison of all pairs."""

import random

import pytest

from readmark.text.containment import Contained, containments, runs_of

LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"


def text(seed: int, length: int) -> str:
    return "".join(random.Random(seed).choices(LETTERS, k=length))


def pairs_of(**texts: str) -> list[Contained]:
    return containments(lambda: iter(texts.items()))


def test_runs_are_of_the_folded_text() -> None:
    assert len(runs_of("abcdef")) == 2
    assert runs_of("A b-C, d e F!").tolist() == runs_of("abcdef").tolist()
    assert len(runs_of("abcd")) == 0
    assert len(runs_of("aaaaaaaa")) == 1


def test_half_is_contained_in_the_whole() -> None:
    whole = text(1, 400)
    assert pairs_of(whole=whole, half=whole[:200], other=text(2, 300)) == [
        Contained("half", "whole", 1.0)
    ]


def test_share_of_a_text_that_is_partly_contained() -> None:
    whole = text(1, 600)
    (pair,) = pairs_of(whole=whole, mixed=whole[:180] + text(3, 20))
    assert pair.share == pytest.approx(176 / 196)  # runs of the 180 characters, of all runs
    assert pairs_of(whole=whole, mixed=whole[:120] + text(3, 80)) == []


def test_short_texts_and_templates_are_not_found() -> None:
    whole = text(1, 400)
    assert pairs_of(whole=whole, short=whole[:43]) == []
    template = text(5, 120)
    pages = {f"t{index}": template + text(100 + index, 150) for index in range(80)}
    assert pairs_of(**pages) == []


def test_same_pairs_as_a_comparison_of_all_pairs() -> None:
    draw = random.Random(7)
    texts = {f"w{index}": text(index, draw.randint(150, 600)) for index in range(60)}
    for index in range(0, 60, 3):
        source = texts[f"w{index}"]
        length = draw.randint(60, len(source) - 20)
        start = draw.randint(0, len(source) - length)
        noise = text(900 + index, draw.randint(0, length // 4))
        texts[f"p{index}"] = source[start : start + length] + noise
    sets = {name: set(runs_of(words).tolist()) for name, words in texts.items()}
    expected = {
        (inner, outer)
        for inner, inner_runs in sets.items()
        for outer, outer_runs in sets.items()
        if len(inner_runs) < len(outer_runs)
        and len(inner_runs & outer_runs) >= 0.8 * len(inner_runs)
    }
    assert {(pair.inner, pair.outer) for pair in pairs_of(**texts)} == expected
    assert len(expected) >= 15
