"""Universal parts of speech of Chinese words."""

import pytest

from readmark.text.chinese_tags import coarse


@pytest.mark.parametrize(
    ("tag", "word", "pos"),
    [
        ("ns", "北京", "PROPN"),
        ("r", "他", "PRON"),
        ("x", "。", "PUNCT"),
        ("x", "％", "SYM"),
        ("x", "+", "SYM"),
        ("x", "😀", "SYM"),
        ("x", "Ⅷ", "NUM"),
        ("x", "ʼn", "X"),
        ("eng", "NASA", "PROPN"),
        ("eng", "email", "NOUN"),
        ("k", "们", "NOUN"),
        ("k", "者", "PART"),
        ("no such tag", "好", "X"),
    ],
)
def test_coarse(tag: str, word: str, pos: str) -> None:
    assert coarse(tag, word) == pos
