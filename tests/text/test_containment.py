"""Texts that stand in longer ones: worked by hand, and against a plain comparison of all pairs."""

import random

import pytest

from readmark.text.near_duplicates import Contained, containments, runs_of

LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"


def text(seed: int, length: int) -> str:
    return "".join(random.Random(seed).choices(LETTERS, k=length))


def found(**texts: str) -> list[Contained]:
    return containments(lambda: iter(texts.items()))


def test_runs_are_of_what_is_said() -> None:
    assert len(runs_of("abcdef")) == 2
    assert runs_of("A b-C, d e F!").tolist() == runs_of("abcdef").tolist()
    assert len(runs_of("abcd")) == 0
    assert len(runs_of("aaaaaaaa")) == 1


def test_a_half_stands_in_the_whole() -> None:
    whole = text(1, 400)
    assert found(whole=whole, half=whole[:200], other=text(2, 300)) == [
        Contained("half", "whole", 1.0)
    ]


@pytest.mark.parametrize(("kept", "told"), [(180, True), (120, False)])
def test_what_is_too_little_is_not_told(kept: int, told: bool) -> None:
    whole = text(1, 600)
    mixed = whole[:kept] + text(3, 200 - kept)
    pairs = found(whole=whole, mixed=mixed)
    assert bool(pairs) is told
    if told:
        # 176 runs of the 180 characters, of 196 in all.
        assert pairs[0].share == pytest.approx(176 / 196)


def test_short_texts_and_templates_find_nothing() -> None:
    whole = text(1, 400)
    assert found(whole=whole, short=whole[:43]) == []
    template = text(5, 120)
    many = {f"t{at}": template + text(100 + at, 150) for at in range(80)}
    assert found(**many) == []


def test_as_a_comparison_of_all_pairs() -> None:
    draw = random.Random(7)
    texts = {f"w{at}": text(at, draw.randint(150, 600)) for at in range(60)}
    for at in range(0, 60, 3):
        source = texts[f"w{at}"]
        length = draw.randint(60, len(source) - 20)
        start = draw.randint(0, len(source) - length)
        noise = text(900 + at, draw.randint(0, length // 4))
        texts[f"p{at}"] = source[start : start + length] + noise
    plain = set()
    sets = {name: set(runs_of(one).tolist()) for name, one in texts.items()}
    for one, mine in sets.items():
        for other, theirs in sets.items():
            smaller = len(mine) < len(theirs)
            if one != other and smaller and len(mine & theirs) >= 0.8 * len(mine):
                plain.add((one, other))
    assert {(pair.inner, pair.outer) for pair in found(**texts)} == plain
    assert len(plain) >= 15
