"""Members of closed classes, where they stand."""

import pytest

from readmark.text.classes import members


@pytest.mark.parametrize(
    ("text", "language", "name", "expected"),
    [
        ("旗子是红色的，门是墨绿色的。", "zh", "colour", ["红色", "墨绿色"]),
        ("红军到了。", "zh", "colour", []),  # a character alone is no colour
        ("池里有青蛙，树上有松鼠。", "zh", "animal", ["青蛙", "松鼠"]),
        ("他读过《河边》和《远山》。", "zh", "work", ["《河边》", "《远山》"]),
        ("他會說閩南語和英語。", "zh", "language", ["閩南語", "英語"]),
        ("The red door and two Green ones; hundreds came.", "en", "colour", ["red", "Green"]),
        ("Three foxes and an owl.", "en", "animal", ["foxes", "owl"]),
        ("A catalogue of doings.", "en", "animal", []),
    ],
)
def test_members(text: str, language: str, name: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in members(text, language).get(name, [])] == expected


def test_offsets_are_of_the_text_as_given() -> None:
    text = "İİ red"  # its small form is longer
    found = members(text, "en").get("colour", [])
    assert [text[a:b] for a, b in found] == ["red"]
