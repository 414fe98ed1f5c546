"""Traditional and simplified: which it is, and OpenCC's conversion."""

import pytest

from readmark.text.script import converter_name, has_traditional, script_of, to_simplified

pytest.importorskip("opencc", reason="opencc is not installed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("河邊的風車轉了一百年。", "河边的风车转了一百年。"),
        ("乾隆年間，乾燥的風吹過。", "乾隆年间，干燥的风吹过。"),
        ("河边的风车", "河边的风车"),
        ("The mill 1900", "The mill 1900"),
        ("", ""),
    ],
)
def test_simplified(text: str, expected: str) -> None:
    assert to_simplified(text) == expected


def test_a_text_that_needs_nothing_is_itself() -> None:
    text = "河边的风车"
    assert to_simplified(text) is text
    kept = "乾隆"  # in the table of characters, but a word that stays
    assert has_traditional(kept)
    assert to_simplified(kept) is kept


def test_which_script() -> None:
    assert script_of("河边") == "simplified"
    assert script_of("河邊") == "traditional"


def test_the_converter_is_named_with_its_version() -> None:
    assert converter_name().startswith("opencc-")
    assert converter_name().endswith("(t2s)")
