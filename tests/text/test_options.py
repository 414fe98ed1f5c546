"""Which option an answer means."""

import pytest

from readmark.text.options import options_meant, options_worded

FRUIT = ["红苹果", "绿梨子", "紫葡萄", "黄香蕉"]
SUMS = ["2.5", "25", "-25", "5%"]


@pytest.mark.parametrize(
    ("said", "options", "meant"),
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
        # A letter that is itself an option is that option, wherever it stands.
        ("A", ["B", "A", "C"], (1,)),
        ("对", ["对", "错", "对"], (0, 2)),
        # Told apart by punctuation alone: only the exact text says which.
        ("its", ["its", "it's"], (0,)),
        ("ITS", ["its", "it's"], ()),
        ("?", ["!", "?"], (1,)),
    ],
)
def test_options_meant(said: str, options: list[str], meant: tuple[int, ...]) -> None:
    assert options_meant(said, options) == meant


def test_words_alone_do_not_hang_on_the_order() -> None:
    assert options_worded("绿梨子", FRUIT) == (1,)
    assert options_worded("绿梨子", FRUIT[::-1]) == (2,)
    assert options_worded("B", FRUIT) == ()
