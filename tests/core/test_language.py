"""The language of a text: Chinese when over 30% of its letters are Han."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.language import language_of


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ([], "en"),
        ([""], "en"),
        (["3.14 !!! ，。？ 😀 _"], "en"),
        (["The cat sat."], "en"),
        (["北京"], "zh"),
        (["臺北"], "zh"),
        (["𠮷野家"], "zh"),
        (["\u3400\u9fff\uf900\U00030000"], "zh"),
        (["北京，２０２４年！"], "zh"),
        (["ひらがなカタカナ"], "en"),
        (["한국어"], "en"),
        (["北京大" + "abcdefg"], "en"),  # 3 of 10 is not over 30%
        (["北京大学" + "abcdefg"], "zh"),  # 4 of 11 is
        (["北京大" + "abcdefg" + "123456789"], "en"),  # digits are no letters
        (["北京大学", "a long English text follows the Chinese one"], "en"),
        (["an English text", "后面跟着一篇比较长的中文文章。"], "zh"),
    ],
)
def test_language(texts: list[str], language: str) -> None:
    assert language_of(texts) == language


@given(st.integers(0, 60), st.integers(0, 200))
def test_the_share_is_exact(han: int, latin: int) -> None:
    expected = "zh" if 10 * han > 3 * (han + latin) else "en"
    assert language_of(["中" * han, "x" * latin]) == expected
    assert language_of(["x" * latin + "中" * han]) == expected


def test_the_whole_is_judged_and_not_its_beginning() -> None:
    texts = ["x" * 50_000, "中" * 30_000]
    assert language_of(texts) == language_of(texts[::-1]) == "zh"
