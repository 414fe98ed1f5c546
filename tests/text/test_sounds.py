"""Names that Chinese characters write by their sound."""

import pytest

from readmark.text.sounds import sounds


@pytest.mark.parametrize(
    ("name", "text", "stretch"),
    [
        ("Wittenberg", "他在维滕贝格大学任教", "维滕贝格"),
        ("Jacksonville", "球队来自杰克逊维尔", "杰克逊维尔"),
        ("Manning", "佩顿·曼宁是四分卫", "曼宁"),
    ],
)
def test_name_is_found_by_its_sound(name: str, text: str, stretch: str) -> None:
    start, end, _ = max(sounds().places(name, text), key=lambda place: place[2])
    assert text[start:end] == stretch


@pytest.mark.parametrize(
    ("name", "text", "stretch"),
    [("Suyun", "退休教师何素云说服了镇长", "素云"), ("Lüliang", "他住在吕梁山下", "吕梁")],
)
def test_chinese_name_is_written_in_pinyin(name: str, text: str, stretch: str) -> None:
    [(start, end, _)] = sounds().spelt(name, text)
    assert text[start:end] == stretch


@pytest.mark.parametrize("name", ["Wittenberg", "Jacksonville", "Manning"])
def test_another_name_does_not_sound_so(name: str) -> None:
    assert not list(sounds().places(name, "贝尔发明了电话，爱迪生发明了留声机。"))
