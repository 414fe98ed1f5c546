"""Pronouns of the third person."""

import pytest

from readmark.making.translation.pronouns import (
    chinese_pronouns,
    demonstratives,
    english_pronouns,
    pronouns_agree,
)


def test_both_languages() -> None:
    assert english_pronouns("He gave Anna her book; I saw it.") == ["he", "her", "it"]
    assert chinese_pronouns(["他", "给", "我", "它们"]) == ["他", "它们"]
    assert demonstratives(["该", "公司", "他"]) == ["该"]


@pytest.mark.parametrize(
    ("english", "chinese", "agrees"),
    [
        ("his", "他的", True),
        ("her", "他", False),
        ("themselves", "她们自己", True),
        ("it", "它", True),
    ],
)
def test_person_and_number(english: str, chinese: str, agrees: bool) -> None:
    assert pronouns_agree(english, chinese) is agrees
