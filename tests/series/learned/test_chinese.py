"""Places of a Chinese question: whole words alone, in either script."""

import pytest

from readmark.series.learned.chinese import read_chinese


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他是谁？", ["他"]),
        ("它们住在哪里？", ["它们"]),
        ("它們住在哪裡？", ["它們"]),
        ("他和其他诗人熟吗？", ["他"]),
        ("其他国家也有吗？", []),
        ("其他國家也有嗎？", []),
        ("吉他是他发明的吗？", ["他"]),
        ("维他命是什么？", []),
        ("这所大学有多少学生？", ["这所大学"]),
        ("这座建筑在哪里？", ["这座建筑"]),
        ("這座建築在哪裡？", ["這座建築"]),
        ("该校的校训是什么？", ["该校"]),
        ("其妻是谁？", ["其"]),
        ("其实是不是预报过？", []),
    ],
)
def test_places(text: str, expected: list[str]) -> None:
    pytest.importorskip("rjieba", reason="rjieba is not installed")
    places = read_chinese("", [text]).asking(0, []).places
    assert [one.was for one in places if one.was] == expected
    assert all(text[one.start : one.end] == one.was for one in places)
