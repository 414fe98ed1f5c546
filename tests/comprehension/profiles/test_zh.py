import string
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readmark.comprehension.profiles import zh
from readmark.comprehension.profiles.zh import tokens
from readmark.core.errors import UsageError

# The tokens are written with a space between them, so that the table can be read.
TOKENS = [
    # Han characters, kana, words
    ("“北京市”。", "北 京 市"),
    ("二〇〇八年々", "二 〇 〇 八 年 々"),
    ("㐀\U00020000\U00030000\ufa0e", "㐀 \U00020000 \U00030000 \ufa0e"),
    ("カタカナｶﾞー", "カ タ カ ナ ガ ー"),
    ("葛\U000e0100飾", "葛 飾"),  # a variation selector
    ("Ｎｏｖａ钢笔", "nova 钢 笔"),
    ("Jean-Paul—Luc", "jean paul luc"),
    ("don't O’Neil", "dont oneil"),
    ("U.S. Node.js", "us nodejs"),
    ("end... Next", "end next"),
    ("马克·吐温 阿・Q", "马 克 吐 温 阿 q"),
    ("cafe\u0301 नमस्ते", "café नमस्ते"),
    ("a_b AT&T", "a b at t"),
    ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
    ("a\tb\x00c", "a b c"),
    ("\ue000\ud800", "\ue000 \ud800"),
    # numbers
    ("３．５", "3.5"),
    ("2008.8.8 v1.2.3 GPT-3.5 gpt3.5", "2008.8.8 v1.2.3 gpt 3.5 gpt3.5"),
    (".5 -.5 a.5", "0.5 -0.5 a 5"),
    ("1。5", "1 5"),
    ("3…5 3‥5 3...5 3．．5", "3 5 3 5 3 5 3 5"),
    ("12:30 12：30 3∶2", "12:30 12:30 3:2"),
    ("1/2 ½ 2008/8/8", "1/2 1/2 2008/8/8"),
    ("30% ３０％ 30 % 5‰", "30% 30% 30% 5‰"),
    ("100%的人 %", "100% 的 人"),
    ("5km 5 km 30km/h", "5 km 5 km 30 km h"),
    # thousands
    ("1,234,567 1,234.5", "1234567 1234.5"),
    ("1,23,456 1,234,56 12,34 0,123", "1 23 456 1 234 56 12 34 0 123"),
    ("100，200，300", "100 200 300"),
    ("１，２３４ １,２３４", "1234 1234"),
    ("1，234 １，234", "1 234 1 234"),
    ("100、200, 300", "100 200 300"),
    ("3.5,100", "3.5 100"),
    ("USD1,000", "usd1000"),
    # signs and ranges
    ("-5 −5 －５ +5 ＋5", "-5 -5 -5 +5 +5"),
    ("气温-5度", "气 温 -5 度"),
    ("为−5至−3", "为 -5 至 -3"),
    ("1990-2000 1990–2000 1990—2000 1990−2000", "1990 2000 1990 2000 1990 2000 1990 2000"),
    ("5~9 5～9 5〜9 5∼9", "5 9 5 9 5 9 5 9"),
    ("10%-20% 5℃-9℃ 5°-9°", "10% 20% 5 ° c 9 ° c 5 ° 9 °"),
    ("1990年-2000年 5元－9元", "1990 年 2000 年 5 元 9 元"),
    ("COVID-19 Т-34", "covid 19 т 34"),
    ("--5 ——5 5--3", "5 5 5 3"),
    ("(-5) =-5", "-5 = -5"),
    ("-$5 $-5 $5-$9", "- $ 5 $ -5 $ 5 $ 9"),
    ("3+5 60+", "3 + 5 60 +"),
    # what NFKC would get wrong
    ("10² 10^2 10⁻³ 10^-3", "10^2 10^2 10^-3 10^-3"),
    ("10²3 10₂", "10^2 3 10 2"),
    ("㎡ m² m2 m^2 k㎡ km²", "m2 m2 m2 m2 km2 km2"),
    ("100㎡5", "100 m2 5"),
    ("H₂O C₆H₁₂O₆ Ca²⁺", "h2o c6h12o6 ca2 +"),
    ("3½ ½3 -½ ½%", "3 1/2 1/2 3 -1/2 1/2%"),
    ("①② 5① ⒈5 5㏠ ⑴", "1 2 5 1 1 5 5 1 日 1"),
    ("№5 No.5", "no 5 no 5"),
    ("Nova™", "nova tm"),
    ("Ⅳ", "iv"),
    ("𝟛.𝟝", "3.5"),
    # symbols
    ("$100 ￥5", "$ 100 ¥ 5"),
    ("C++ C C# C+", "c++ c c# c +"),
    ("25℃ 25°C 25ºC", "25 ° c 25 ° c 25 ° c"),
    ("a~b`c^d", "a b c d"),
    ("3×5=15", "3 × 5 = 15"),
    ("👍🏽 5\ufe0f\u20e3", "👍 🏽 5"),
    # nothing
    ("", ""),
    ("“……”——！？ \u3000\n", ""),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens(text: str, expected: str) -> None:
    assert " ".join(tokens(text)) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [("3.5", "35"), ("-5", "5"), ("10²", "102"), ("3½", "31/2"), ("C++", "C"), ("ab cd", "abcd")],
)
def test_what_differs_stays_different(first: str, second: str) -> None:
    assert tokens(first) != tokens(second)


EASY = "中文字Aab019 、。，；？！“”《》「」『』（）【】"


@given(st.text(EASY))
def test_the_fast_path_gives_what_the_whole_path_gives(text: str) -> None:
    assert zh._EASY.fullmatch(text)
    assert tokens(text) == tuple(zh._TOKENS.findall(zh._tidy(zh._fold(text))))


WIDE = {ord(character): ord(character) + 0xFEE0 for character in string.printable[:94]}


@given(st.text(string.printable[:94] + " "))
@example("1,234,567 12,34 -5% a.b 'c' x^2")
def test_width_does_not_count(text: str) -> None:
    assert tokens(text.translate(WIDE)) == tokens(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_case_does_not_count(text: str) -> None:
    assert tokens(text.upper()) == tokens(text.lower())


@given(st.text())
def test_no_token_is_empty_or_holds_white_space(text: str) -> None:
    assert all(token and not any(map(str.isspace, token)) for token in tokens(text))


@given(st.text(st.characters(categories=["L", "N", "S", "P"])))
def test_what_counts_alone_counts_in_company(text: str) -> None:
    assert tokens(text) or not any(tokens(character) for character in text)


def test_simplify() -> None:
    pytest.importorskip("opencc")
    assert tokens("臺灣大學３．５％", simplify=True) == ("台", "湾", "大", "学", "3.5%")
    assert tokens("臺灣大學") == ("臺", "灣", "大", "學")
    assert tokens("Nova 5", simplify=True) == ("nova", "5")


def test_simplify_without_opencc_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opencc", None)
    zh._simplifier.cache_clear()
    with pytest.raises(UsageError, match="pip install opencc"):
        tokens("", simplify=True)
    assert zh._simplifier.cache_info().currsize == 0
