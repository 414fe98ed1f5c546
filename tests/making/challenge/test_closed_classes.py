"""Members of closed classes, where they stand."""

import pytest

from readmark.making.challenge.closed_classes import counted, members


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
    spans = members(text, "en").get("colour", [])
    assert [text[a:b] for a, b in spans] == ["red"]


@pytest.mark.parametrize(
    ("phrase", "language", "part"),
    [
        ("Later 5 members", "en", "5 members"),
        ("about 5,000 men", "en", "5,000 men"),
        ("Then twelve boats", "en", "twelve boats"),
        ("5 years", "en", None),
        ("5 o’clock", "en", None),
        ("three centuries", "en", None),
        ("5 May", "en", None),
        ("May 5", "en", None),
        ("the 1990 election", "en", None),
        ("the 19th century", "en", None),
        ("25名学生", "zh", "25名学生"),
        ("去年三千餘人", "zh", "三千餘人"),
        ("1990年5月", "zh", None),
        ("三毛", "zh", None),
    ],
)
def test_what_a_phrase_counts(phrase: str, language: str, part: str | None) -> None:
    text = f"（{phrase}）"
    count = counted(text, (1, 1 + len(phrase)), language)
    assert (None if count is None else text[slice(*count)]) == part
