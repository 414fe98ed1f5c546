"""From likely stretches of a passage to an option, worked by hand."""

import math

import numpy as np
import pytest

from readmark.comprehension.options import NearestOption as Nearest
from readmark.comprehension.options import (
    OptionSupport,
    equal_quantities,
    nearest_option,
    quantities,
    typical_of_scenes,
)
from readmark.core.errors import DataError
from readmark.core.records import Offsets, Passage, Question, Unit
from readmark.core.test import Header, in_memory
from readmark.text.word_vectors import lexicon

ENGLISH = "The ferry left at dawn. It came back with two goats and a sack of salt."
CHINESE = "渡船天亮时离岸。回来时载着两只山羊和一袋盐。"


def unit(text: str, *options: str, id: str = "q", question: str = "?") -> Unit:
    asked = Question(id=id, text=question, options=options)
    test = in_memory(Header(name="t"), [Passage(id="p", text=text, questions=(asked,))])
    return next(iter(test.units()))


def place(text: str, words: str) -> Offsets:
    start = text.index(words)
    return start, start + len(words)


def chosen(text: str, likely: dict[str, float], *options: str) -> Nearest:
    language = "zh" if text == CHINESE else "en"
    stretches = [(place(text, words), chance) for words, chance in likely.items()]
    return nearest_option(unit(text, *options), stretches, language)


@pytest.mark.parametrize(
    ("likely", "options", "option", "expected", "spoke"),
    [
        ({"two goats": 0.8}, ("a goose", "Two goats."), "Two goats.", 0.8, "two goats"),
        # 2 of 2 and 3 words are shared: 4 / 5; of the others 1 of 2 and 5, 2 / 7, and 2 / 4
        (
            {"two goats": 0.5},
            ("goats and goats and salt", "two old goats", "two cows"),
            "two old goats",
            0.4,
            "two goats",
        ),
        # the likeliest shares nothing with any option, the runner-up decides
        ({"dawn": 0.6, "two goats": 0.1}, ("at noon", "goats"), "goats", 0.1 * 2 / 3, "two goats"),
        # 0.3 * 1 + 0.3 * 2 / 3 for salt is more than 0.4 for dawn
        (
            {"dawn": 0.4, "salt": 0.3, "of salt": 0.3},
            ("dawn", "salt"),
            "salt",
            0.3 + 0.3 * 2 / 3,
            "salt",
        ),
    ],
)
def test_english_options(
    likely: dict[str, float], options: tuple[str, ...], option: str, expected: float, spoke: str
) -> None:
    for shown in (options, options[::-1]):
        found = chosen(ENGLISH, likely, *shown)
        assert found.option == option
        assert found.score == pytest.approx(expected)
        assert found.place == place(ENGLISH, spoke)


@pytest.mark.parametrize(
    ("likely", "options", "option"),
    [
        ({"两只山羊": 0.5}, ("两袋山盐", "有两只山羊。了"), "有两只山羊。了"),
        ({"天亮时": 0.9}, ("傍晚", "天亮时", "中午"), "天亮时"),
        ({"天亮时": 0.5, "一袋盐": 0.2}, ("盐", "糖", "米"), "盐"),
        # nothing of the stretch is in an option, the rest of its sentence decides
        ({"天亮时": 0.9}, ("坐渡船", "骑马"), "坐渡船"),
    ],
)
def test_chinese_options(likely: dict[str, float], options: tuple[str, ...], option: str) -> None:
    for shown in (options, options[::-1]):
        found = chosen(CHINESE, likely, *shown)
        assert found.option == option
        assert 1 / len(options) < found.score < 1


@pytest.mark.parametrize(
    ("question", "option"),
    [
        ("什么时候离岸？", "天亮时"),
        ("下面哪一项不正确？", "糖"),
        ("文中没有提到什么？", "糖"),
        ("他为什么不舒服？", "天亮时"),
    ],
)
def test_chinese_shares_by_hand(question: str, option: str) -> None:
    # Of two options, seven figures are 1 for one and -1 for the other: the last sentence has 时
    # too. No speaker is asked about, and the options are neither scenes nor quantities.
    share = math.exp(0.14 * 7) / (math.exp(0.14 * 7) + math.exp(0.14 * -7))
    for text in (CHINESE, CHINESE.replace("时", "時")):  # read as simplified
        asked = unit(text, "天亮时", "糖", question=question)
        found = nearest_option(asked, [(place(text, "天亮"), 0.9)], "zh")
        assert (found.option, found.score) == (option, pytest.approx(share))


TALK = "男：我不买苹果。\n女：票很贵，我去看大夫。"


@pytest.mark.parametrize(
    ("question", "option", "expected"),
    [
        # both words are in one clause, which denies them, and not in what comes last
        ("女的做什么？", "买苹果", (1.0, -0.3, 0.0, 0.0)),
        ("男的做什么？", "买苹果", (1.0, -0.3, 0.0, 1.0)),
        ("男的和女的做什么？", "买苹果", (1.0, -0.3, 0.0, 0.0)),
        # doctor is the first gloss of 医生 and the second of 大夫: 1 / 1.15 ** 0.5 is over 0.9
        ("女的去看谁？", "医生", (0.9, 0.9, 0.9, 0.9)),
        ("女的说票怎么样？", "……", (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_words_said(question: str, option: str, expected: tuple[float, ...]) -> None:
    turns = [(0, 9), (9, len(TALK))]
    found = OptionSupport(TALK, turns, question).figures([option])
    assert [figure[0] for figure in found] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("苹果便宜。", (1, 1)),
        ("苹果不便宜。", (1, -0.3)),
        ("苹果不是不便宜。", (1, 1)),
        ("难道苹果便宜吗？", (-0.3, -0.3)),
        ("苹果贵。", (1, -0.7)),
        ("苹果不贵。", (1, 0.7)),
    ],
)
def test_denials_and_opposites(text: str, signed: tuple[float, float]) -> None:
    apple, cheap = (lexicon("zh").rarity(word) for word in ("苹果", "便宜"))
    expected = (apple * signed[0] + cheap * signed[1]) / (apple + cheap)
    found = OptionSupport(text, [(0, len(text))], "?").figures(["苹果便宜"])[1]
    assert found == pytest.approx([expected])


def test_scenes() -> None:
    text = "女：我发烧了，还咳嗽。男：先挂号。"
    hospital, bank, unknown = typical_of_scenes(text, ["医院", "银行里", "月球背面"])
    assert hospital > bank == unknown == 0.0
    # a name must be half of the option, and two options must have one
    assert typical_of_scenes(text, ["他想去一家医院", "银行"]) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("差十分九点", ("clock", 8 * 60 + 50)),
        ("下午三点一刻", ("clock", 3 * 60 + 15)),
        ("15:20", ("clock", 3 * 60 + 20)),
        ("一个半小时", ("duration", 90)),
        ("半个小时", ("duration", 30)),
        ("星期天", ("day", 6)),
        ("四块五", ("money", 4.5)),
        ("3.8元", ("money", 3.8)),
        ("五毛", ("money", 0.5)),
        ("八折", ("discount", 8)),
        ("一千二", ("number", 1200)),
        ("快一点", ("number", 1)),
    ],
)
def test_quantities(text: str, expected: tuple[str, float]) -> None:
    assert [(kind, pytest.approx(value)) for kind, value, _, _ in quantities(text)] == [expected]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        # stated but nowhere near a likely stretch: 0.3; what follows: 1.2
        ("会议九点开始。", ("9:00", "8:50"), (0.3, 0.0)),
        ("会议九点开始，还有十分钟。", ("9:00", "8:50", "9:10"), (0.3, 1.2, 0.0)),
        ("电影晚了半小时，本来八点开始。", ("八点半", "七点半"), (1.2, 0.0)),
        ("明天是星期五。", ("星期四", "星期一"), (1.2, 0.0)),
        ("原价200元，打八折。", ("160元", "40元"), (1.2, 0.0)),
        ("红的30元，蓝的便宜10元。", ("20元", "40元"), (1.2, 0.0)),
        ("两本书一共多少？一本30元，一本10元。", ("20元", "40元"), (0.0, 1.2)),
        ("会议九点开始。", ("9:00", "很早", "很晚"), (0.0, 0.0, 0.0)),
    ],
)
def test_equal_quantities(text: str, options: tuple[str, ...], expected: tuple[float, ...]) -> None:
    nowhere = np.zeros(len(text) + 1)
    assert equal_quantities(text, nowhere, options) == pytest.approx(expected)


def test_quantities_near_likely_stretches_count_more() -> None:
    text = "苹果3元，梨5元。"
    near = np.zeros(len(text) + 1)
    near[text.index("5")], near[text.index("3")] = 0.8, 0.2
    assert equal_quantities(text, near, ("三块", "五块")) == pytest.approx([0.3 + 0.25, 1.3])


def test_what_shares_nothing_is_drawn_by_lot_and_not_by_place() -> None:
    options = ("a goose", "a lamp", "a rope")
    stretches = [(place(ENGLISH, "dawn"), 0.7), (place(ENGLISH, "salt"), 0.1)]
    drawn = set()
    for at in range(30):
        found = {
            nearest_option(unit(ENGLISH, *shown, id=f"q{at}"), stretches, "en")
            for shown in (options, options[::-1])
        }
        assert {(one.score, one.place) for one in found} == {(0.0, place(ENGLISH, "dawn"))}
        assert len(found) == 1
        drawn |= {one.option for one in found}
    assert drawn == set(options)


def test_options_of_signs_alone_are_compared_as_they_stand() -> None:
    text = "The label says %."
    found = nearest_option(unit(text, "+", "%"), [(place(text, "%"), 0.5)], "en")
    assert (found.option, found.score) == ("%", 0.5)


def test_a_question_without_options() -> None:
    with pytest.raises(DataError, match="has no options"):
        chosen(ENGLISH, {"dawn": 1.0})
