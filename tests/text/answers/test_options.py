"""Which option an answer means."""

import pytest

from readmark.text.answers.options import options_exactly, options_meant, options_worded

FRUIT = ["红苹果", "绿梨子", "紫葡萄", "黄香蕉"]
SUMS = ["2.5", "25", "-25", "5%"]


@pytest.mark.parametrize(
    ("reply", "options", "indices"),
    [
        ("绿梨子", FRUIT, (1,)),
        (" 绿梨子。", FRUIT, (1,)),
        ("綠梨子", FRUIT, (1,)),
        ("C", FRUIT, (2,)),
        ("c.", FRUIT, (2,)),
        ("（Ｃ）", FRUIT, (2,)),
        ("③", FRUIT, (2,)),
        ("三", FRUIT, (2,)),
        ("选C", FRUIT, (2,)),
        ("答案：C", FRUIT, (2,)),
        ("Option C", FRUIT, (2,)),
        ("C. 紫葡萄", FRUIT, (2,)),
        ("C、因为文章里说了", FRUIT, (2,)),
        ("C. 黄香蕉", FRUIT, ()),  # letter and words contradict each other
        ("答案是C，黄香蕉。", FRUIT, ()),
        ("Answer: C", FRUIT, (2,)),
        ("我选C", FRUIT, (2,)),
        ("C 紫葡萄", FRUIT, (2,)),
        ("C 黄香蕉", FRUIT, ()),
        ("紫葡萄（C）", FRUIT, (2,)),
        ("黄香蕉（C）", FRUIT, ()),
        ("C 我猜的", FRUIT, ()),
        ("C. 紫葡萄，不是黄香蕉", FRUIT, (2,)),
        ("C. 紫葡萄或黄香蕉", FRUIT, ()),
        ("C、因为黄香蕉还没熟", FRUIT, (2,)),
        ("A、B、C、D", FRUIT, ()),
        ("A. or B.", FRUIT, ()),
        ("E", FRUIT, ()),
        ("Candy", FRUIT, ()),
        ("A dog", FRUIT, ()),
        ("", FRUIT, ()),
        ("。", FRUIT, ()),
        ("梨子", FRUIT, ()),
        ("25", SUMS, (1,)),
        ("2.5", SUMS, (0,)),
        ("−25", SUMS, (2,)),
        ("5", SUMS, ()),
        ("5 %", SUMS, (3,)),
        # A letter that is itself an option is that option, whatever its own letter is.
        ("A", ["B", "A", "C"], (1,)),
        ("对", ["对", "错", "对"], (0, 2)),
        # Only punctuation distinguishes these, so only the exact text says which.
        ("its", ["its", "it's"], (0,)),
        ("ITS", ["its", "it's"], ()),
        ("?", ["!", "?"], (1,)),
    ],
)
def test_options_meant(reply: str, options: list[str], indices: tuple[int, ...]) -> None:
    assert options_meant(reply, options) == indices


def test_words_do_not_depend_on_the_order() -> None:
    assert options_worded("绿梨子", FRUIT) == (1,)
    assert options_worded("绿梨子", FRUIT[::-1]) == (2,)
    assert options_worded("B", FRUIT) == ()


def test_letters_are_of_the_order_that_was_shown() -> None:
    order = (2, 0, 3, 1)
    assert options_meant("A", FRUIT, order) == (2,)
    assert options_meant("A. 紫葡萄", FRUIT, order) == (2,)
    assert options_meant("红苹果", FRUIT, order) == (0,)
    # Right by letter and words in the test's order, which was not the one shown.
    assert options_meant("A. 红苹果", FRUIT, order) == ()
    assert options_meant("A", FRUIT, (0, 1)) == ()


def test_options_exactly_allows_spaces_around() -> None:
    assert options_exactly(" 绿梨子 ", FRUIT) == (1,)
    assert options_exactly("绿梨子。", FRUIT) == ()
    assert options_exactly("B", FRUIT) == ()
    assert options_exactly(" ", ["x", ""]) == ()
