"""Chinese and English words that say the same: by dictionary, number and sound."""

from __future__ import annotations

import pytest

from readmark.text.cross_language import content_words, correspondence, is_name


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
def test_other_words_do_not_correspond_at_all(chinese: str, english: str) -> None:
    assert correspondence([chinese], [english])[0, 0] == 0


def test_related_words_count_less_than_the_same() -> None:
    [[same, related]] = correspondence(["捍卫"], ["defend", "defending"])
    assert same == related == 1.0
    [[same, related]] = correspondence(["发明"], ["invent", "inventor"])
    assert 0 < related < same == 1.0


def test_numbers_and_months_are_read_over_several_words() -> None:
    english = ["October", "2.5", "million", "ten"]
    strengths = correspondence(["10", "月", "250", "万", "元"], english)
    assert strengths[0].tolist() == [1, 0, 0, 0]  # the tenth month is not ten
    assert strengths[2, :3].tolist() == strengths[3, :3].tolist() == [0, 1, 1]
    assert correspondence(["5", "月"], ["may"])[0, 0] == 0


def test_all_words_of_a_name_that_is_heard_correspond() -> None:
    assert is_name("Grombachville")
    assert not is_name("grombachville")
    strengths = correspondence(["格罗姆", "巴赫维尔", "镇"], ["Grombachville", "town"])
    assert strengths[0, 0] > 0
    assert strengths[1, 0] > 0
    assert strengths[2, 0] == 0


def test_nothing_corresponds_to_nothing() -> None:
    assert correspondence([], ["kite"]).shape == (0, 1)
    assert correspondence(["风筝"], []).shape == (1, 0)
    assert correspondence(["", "\ud800"], ["", "-", "\ud800"]).max() == 0


def test_content_words_are_taken_once() -> None:
    assert content_words(["Where", "did", "the", "kite", "Kite", "fall"], "en") == [3, 5]
    assert content_words(["谁", "放", "了", "风筝", "风筝"], "zh") == [1, 3]
    assert content_words(["Who", "is", "who"], "en") == [0, 1]
