"""Copies among passages: what stays, and of what the others are copies."""

import pytest

from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.making.screening.copies import CopyPool
from readmark.text.shingles import shingles
from readmark.text.sketches import Sketcher

FIRST = (
    "渡口的老船工每天天不亮就起来，先把船里的水舀干净，再到岸上的小屋里烧一壶茶。"
    "过河的人多半认识他，上船的时候打个招呼，下船的时候把钱放在船头的木碗里。"
)
NEAR = FIRST.replace("小屋", "房间")
NEARER = NEAR.replace("木碗", "铁盒")
"""Near NEAR, and not near FIRST."""
OTHER = "山上的梨树去年没有结果，今年开的花比哪一年都多，村里的人都说是冬天下了三场大雪的缘故。"


def resemblance(text: str, other_text: str) -> float:
    first, second = shingles(text), shingles(other_text)
    return len(first & second) / len(first | second)


def copies(*texts: str, by_people: tuple[int, ...] = ()) -> dict[int, str | None]:
    sketcher = Sketcher()
    test = in_memory(
        Header(language="zh"), [Passage(id=f"p{at}", text=words) for at, words in enumerate(texts)]
    )
    with CopyPool(sketcher) as pool:
        for at, text in enumerate(texts):
            pool.add(at, sketcher.sketch(text), by_people=at in by_people)
        return {at: words.note for at, words in pool.copies(test).items()}


def test_the_texts_are_what_they_are_said_to_be() -> None:
    assert 0.8 <= resemblance(FIRST, NEAR) < 1
    assert 1 > resemblance(NEAR, NEARER) >= 0.8 > resemblance(FIRST, NEARER)


@pytest.mark.parametrize(
    ("texts", "by_people", "expected"),
    [
        ((FIRST, OTHER), (), {}),
        ((FIRST, NEAR), (), {1: "of p0"}),
        # Equal to a copy: a copy of the same passage, though paired with the copy only.
        ((FIRST, NEAR, NEAR, NEAR), (), {1: "of p0", 2: "of p0", 3: "of p0"}),
        ((NEAR, NEAR, FIRST), (), {1: "of p0", 2: "of p0"}),
        # A copy that somebody keeps stands for its text.
        ((FIRST, NEAR, NEAR), (1,), {1: "of p0", 2: "of p1"}),
        ((FIRST, NEAR, NEAR, NEAR), (2,), {1: "of p0", 2: "of p0", 3: "of p2"}),
    ],
)
def test_copies(
    texts: tuple[str, ...], by_people: tuple[int, ...], expected: dict[int, str]
) -> None:
    assert copies(*texts, by_people=by_people) == expected


def test_what_resembles_only_a_copy_is_none() -> None:
    assert copies(FIRST, NEAR, NEARER) == {1: "of p0"}
    assert copies(FIRST, NEAR, NEAR, NEARER, by_people=(2,)) == {1: "of p0", 2: "of p0", 3: "of p2"}
