"""OpenCC's conversion to simplified Chinese, what it leaves, and which script a text is in."""

from pathlib import Path

import pytest

from installed import require
from readmark.text.script_conversion import (
    BOTH,
    converter_name,
    has_traditional,
    is_dense,
    script_of,
    to_simplified,
    traditional_in,
)

require("opencc")


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


def test_text_that_does_not_change_is_returned_itself() -> None:
    text = "河边的风车"
    assert to_simplified(text) is text
    emperor = "乾隆"  # 乾 is in the table of characters, but OpenCC has this word
    assert has_traditional(emperor)
    assert to_simplified(emperor) is emperor


def test_script_of() -> None:
    assert script_of("河边") == "simplified"
    assert script_of("河邊") == "traditional"


def test_converter_is_named_with_its_configuration_and_rules() -> None:
    assert converter_name().startswith("opencc-")
    assert converter_name().endswith("(t2s)+phrases-2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A line of simplified text keeps the names that are written so in it.
        ("作家萧乾与柳诒徵都写过毕昇的故事。", "作家萧乾与柳诒徵都写过毕昇的故事。"),
        (
            "作家萧乾随军隊去过很远的地方，后来写了许多书。",
            "作家萧乾随军队去过很远的地方，后来写了许多书。",
        ),
        (
            "萧乾写书。\n風把衣服吹乾燥了，這裡沒有人。",
            "萧乾写书。\n风把衣服吹干燥了，这里没有人。",
        ),
        # OpenCC makes U+2AF94 of 盨, which few fonts have.
        ("銅盨是古代的食器。", "铜盨是古代的食器。"),
    ],
)
def test_names_and_characters_that_fonts_lack_stay(text: str, expected: str) -> None:
    assert to_simplified(text) == expected


_PHRASES = Path(__file__).parent / "gold" / "conversion.zh.tsv"
"""200 sentences by 著/着, 乾/干, 後/后, 裡/里 and 隻/只, written for this test, and how each is
written in simplified characters."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [line.split("\t") for line in _PHRASES.read_text("utf-8").splitlines()],
)
def test_the_phrase_decides_how_a_character_is_converted(text: str, expected: str) -> None:
    assert to_simplified(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他睡不著", "他睡不着"),
        ("這話用不著說。", "这话用不着说。"),
        ("魚找得著，鑰匙找不著。", "鱼找得着，钥匙找不着。"),
        ("睡不著，想得很多", "睡不着，想得很多"),  # a line of both scripts
        ("不著名的詩人一生不著書。", "不著名的诗人一生不著书。"),
        ("他著急地看著《名著》的編著者著火的家", "他着急地看着《名著》的编著者着火的家"),
    ],
)
def test_what_is_reached_is_no_writing(text: str, expected: str) -> None:
    assert to_simplified(text) == expected


def test_simplified_sentence_stays_as_it_is() -> None:
    sentences = [line.split("\t")[1] for line in _PHRASES.read_text("utf-8").splitlines()]
    assert [sentence for sentence in sentences if to_simplified(sentence) != sentence] == []


def test_unconverted_spans_stay() -> None:
    text = "臺灣的風車與臺灣的河"
    assert to_simplified(text, unconverted=[(0, 2)]) == "臺灣的风车与台湾的河"
    assert to_simplified(text, unconverted=[(0, 2), (6, 8)]) == "臺灣的风车与臺灣的河"
    assert to_simplified("臺灣", unconverted=[(0, 2), (0, 1)]) == "臺灣"
    assert to_simplified("風吹著船，看著乾草", unconverted=[(1, 4)]) == "风吹著船，看着干草"


def test_title_is_converted_as_its_article_is() -> None:
    assert to_simplified("萧乾", dense=False) == "萧乾"
    assert to_simplified("乾粮", dense=True) == "干粮"


def test_traditional_characters_outside_the_basic_plane() -> None:
    assert has_traditional("\U0002005e")
    assert not has_traditional("\U00020000")
    assert traditional_in("河\U0002005e邊河邊") == "邊\U0002005e"


def test_is_dense() -> None:
    assert is_dense("河邊的風車")
    assert not is_dense("萧乾")
    assert not is_dense("")


def test_opencc_converts_every_character_that_both_scripts_write() -> None:
    assert [sign for sign in BOTH if to_simplified(sign, dense=True) == sign] == []
