"""The passive in both languages."""

import pytest

from installed import require
from readmark.making.translation.passive import english_passive, passive_marks

require("spacy")


@pytest.mark.parametrize(
    ("text", "passive"),
    [
        ("what is shown", True),
        ("When was the church built?", True),
        ("Which animals are eaten by wolves?", True),
        ("By whom was the bridge built?", True),
        ("By whom is the dog fed?", True),
        ("Who stood by when she was ill?", False),
        ("Who wrote the letter?", False),
        ("What did the dog bite?", False),
        ("Where is the market?", False),
        ("Rick", False),
    ],
)
def test_english(text: str, passive: bool) -> None:
    assert (english_passive(text) is not None) is passive


def test_the_words_are_told() -> None:
    assert english_passive("The window was broken.") == "window was broken"
    assert english_passive("By whom was the bridge built?") == "By whom was built"


def test_chinese_marks() -> None:
    assert passive_marks(["什么", "被", "播出"]) == ["被"]
    assert passive_marks(["由", "谁", "写"]) == []
    assert passive_marks(["由", "谁", "写"], perhaps=True) == ["由"]
