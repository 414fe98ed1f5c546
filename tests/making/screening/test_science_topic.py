"""Science words, weighed by hand; and rare words."""

import sys
from collections import Counter
from itertools import chain

import pytest

from installed import require
from readmark.core.extras import MissingExtra
from readmark.making.screening.rare_words import (
    LEAST_WORDS,
    RARE,
    _frequent_words,
    rare_chinese,
    rare_english,
)
from readmark.making.screening.science_topic import (
    science_terms,
    science_topic,
    term_segmenter,
)

require("rjieba")
require("wordfreq")


def test_weights_by_hand() -> None:
    # 硫酸 is strong (1 × 2 characters × 3), 分子 weak in chemistry (0.5 × 2 × 1)
    topic = science_topic({"硫酸": 3, "分子": 1, "我们": 9})
    assert topic.weight == pytest.approx(7.0)
    assert (topic.words, topic.field, topic.examples) == (2, "chemistry", ("硫酸", "分子"))


def test_a_foreign_word_is_as_long_as_a_chinese_one() -> None:
    assert (
        science_topic({"API": 3}).weight
        == science_topic({"熵值": 0, "硫酸": 3}).weight
        == pytest.approx(6.0)
    )


def test_no_science_words() -> None:
    topic = science_topic({"故事": 4, "火车": 2})
    assert (topic.weight, topic.words, topic.field, topic.examples) == (0.0, 0, None, ())


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("向烧杯中加入稀硫酸，溶液中生成白色沉淀，过滤以后得到晶体，熔点很高。", "chemistry"),
        ("设矩阵的行列式不为零，则该线性方程组有唯一的解，这个定理可以用归纳法证明。", "maths"),
        ("编译器把源代码翻译成机器码，操作系统再把它装入内存，由处理器逐条执行。", "computing"),
        ("花序顶生，萼片五枚，花瓣白色，雄蕊十枚，子房上位，蒴果椭圆形。", "taxonomy"),
        (
            "债权人就抵押权优先受偿，举证责任由债务人承担，诉讼时效自损害之日起计算，法人亦同。",
            "law",
        ),
        (
            "呈示部从主和弦开始，双簧管奏出第一主题，转调后由圆号接过，再现部回到原来的调性。",
            "music",
        ),
        ("白方王车易位，黑方在后翼弃兵，残局双方兵形对称，最后以逼和收场。", "games"),
        ("打击率三成一二，上垒率三成九八，长打率五成，盗垒二十一次，三振八十九次。", "sports"),
        ("后掠翼减小了阻力，涡扇发动机的推重比更高，失速时襟翼提供升力。", "vehicles"),
        ("这个词的元音在鼻音前腭化，入声韵尾脱落，声调由去声变为阴平。", "linguistics"),
        ("这颗恒星的光谱表明它是一颗红巨星，离太阳系约九十光年，亮度周期性变化。", "astronomy"),
    ],
)
def test_the_field(text: str, field: str) -> None:
    assert science_topic(Counter(term_segmenter().words(text))).field == field


def test_every_word_of_the_lists_is_one_word_to_the_segmenter() -> None:
    cut = [word for word in science_terms() if term_segmenter().words(word) != [word]]
    assert cut == []


def test_rare_chinese_words_count_once_and_names_do_not() -> None:
    # 貔貅 is rare and a noun; 北京 is a name, 故事 is frequent, 一 is no word of two characters
    words = rare_chinese(["貔貅", "北京", "故事", "一", "，"])
    assert words.examples == ("貔貅",)
    assert words.share == pytest.approx(1 / LEAST_WORDS)


def test_rare_english_words() -> None:
    text = "The hydroxyl group and the hydroxyl ion. Brobdingnag is a place in a story."
    words = rare_english(text)
    assert words.examples == ("hydroxyl",)  # once; the capital makes the other a name
    assert words.share == pytest.approx(1 / LEAST_WORDS)
    assert rare_english("").share == 0


@pytest.mark.parametrize("language", ["zh", "en"])
def test_frequent_words_are_those_that_wordfreq_itself_would_tell(language: str) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    lists = enumerate(wordfreq.get_frequency_list(language, wordlist="large"))
    least = 10 ** (RARE[language] - 9)
    frequent = chain.from_iterable(of for at, of in lists if wordfreq.cB_to_freq(-at) >= least)
    assert _frequent_words(language) == frozenset(frequent)


def test_without_wordfreq_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtra, match=r"needs wordfreq: pip install .*\[make\]'"):
        _frequent_words.__wrapped__("zh")
