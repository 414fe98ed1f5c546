"""Chinese and English words that say the same: by dictionary, number and sound."""

from __future__ import annotations

import numpy as np
import pytest

from readmark.text.cross_language import (
    content_words,
    correspondence,
    is_name,
    sounds,
    translations,
)


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("大学", "university"),
        ("大学", "Universities"),
        ("大學", "university"),  # traditional
        ("建立", "established"),
        ("丹佛", "Denver"),
        ("风筝", "kites"),
        ("NFL", "NFL"),
        ("德国人", "German"),
        ("1998", "1998"),
        ("三", "3"),
        ("二十", "twenty"),
        ("1,500", "1500"),
    ],
)
def test_words_that_say_the_same_correspond(chinese: str, english: str) -> None:
    assert correspondence([chinese], [english])[0, 0] >= 0.5


@pytest.mark.parametrize(
    ("chinese", "english"),
    [("大学", "kite"), ("风筝", "the"), ("三", "4"), ("NFL", "AFL"), ("的", "river")],
)
def test_words_that_do_not_share_nothing(chinese: str, english: str) -> None:
    assert correspondence([chinese], [english])[0, 0] == 0


def test_an_earlier_sense_counts_more_and_a_part_of_a_gloss_less() -> None:
    found = translations("大学")  # university, college
    assert found["university"] == 1.0 > found["college"] > 0.5
    kin = translations("成吉思汗")  # Genghis Khan: two words
    assert kin["khan"] == pytest.approx(1 / np.sqrt(2))


def test_related_words_count_less_than_the_same() -> None:
    [[same, related]] = correspondence(["捍卫"], ["defend", "defending"])
    assert same == related == 1.0
    [[same, related]] = correspondence(["发明"], ["invent", "inventor"])
    assert 0 < related < same == 1.0


def test_numbers_and_months_are_read_over_several_words() -> None:
    found = correspondence(["10", "月", "250", "万", "元"], ["October", "2.5", "million", "ten"])
    assert found[0].tolist() == [1, 0, 0, 0]  # the tenth month is no ten
    assert found[2, :3].tolist() == found[3, :3].tolist() == [0, 1, 1]
    assert correspondence(["5", "月"], ["may"])[0, 0] == 0


@pytest.mark.parametrize(
    ("name", "text", "stretch"),
    [
        ("Wittenberg", "他在维滕贝格大学任教", "维滕贝格"),
        ("Jacksonville", "球队来自杰克逊维尔", "杰克逊维尔"),
        ("Manning", "佩顿·曼宁是四分卫", "曼宁"),
    ],
)
def test_a_name_is_found_by_its_sound(name: str, text: str, stretch: str) -> None:
    start, end, _ = max(sounds().places(name, text), key=lambda place: place[2])
    assert text[start:end] == stretch


@pytest.mark.parametrize(
    ("name", "text", "stretch"),
    [("Suyun", "退休教师何素云说服了镇长", "素云"), ("Lüliang", "他住在吕梁山下", "吕梁")],
)
def test_a_chinese_name_is_written_in_pinyin(name: str, text: str, stretch: str) -> None:
    [(start, end, _)] = sounds().spelt(name, text)
    assert text[start:end] == stretch


@pytest.mark.parametrize("name", ["Wittenberg", "Jacksonville", "Manning"])
def test_another_name_does_not_sound_so(name: str) -> None:
    assert not list(sounds().places(name, "贝尔发明了电话，爱迪生发明了留声机。"))


def test_all_words_of_a_name_that_is_heard_correspond() -> None:
    assert is_name("Grombachville")
    assert not is_name("grombachville")
    found = correspondence(["格罗姆", "巴赫维尔", "镇"], ["Grombachville", "town"])
    assert found[0, 0] > 0
    assert found[1, 0] > 0
    assert found[2, 0] == 0


def test_nothing_corresponds_to_nothing() -> None:
    assert correspondence([], ["kite"]).shape == (0, 1)
    assert correspondence(["风筝"], []).shape == (1, 0)
    assert correspondence(["", "\ud800"], ["", "-", "\ud800"]).max() == 0


def test_content_words_are_taken_once() -> None:
    assert content_words(["Where", "did", "the", "kite", "Kite", "fall"], "en") == [3, 5]
    assert content_words(["谁", "放", "了", "风筝", "风筝"], "zh") == [1, 3]
    assert content_words(["Who", "is", "who"], "en") == [0, 1]
