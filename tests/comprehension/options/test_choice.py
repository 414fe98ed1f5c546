"""From likely stretches of a passage to the option that they speak for, worked by hand."""

import math

import pytest

from readmark.comprehension.options.choice import NearestOption, nearest_option
from readmark.core.errors import DataError
from readmark.core.records import Offsets, Passage, Question, Unit
from readmark.core.test import Header, in_memory

ENGLISH = "The ferry left at dawn. It came back with two goats and a sack of salt."
CHINESE = "渡船天亮时离岸。回来时载着两只山羊和一袋盐。"


def unit(text: str, *options: str, id: str = "q", question: str = "?") -> Unit:
    item = Question(id=id, text=question, options=options)
    test = in_memory(Header(name="t"), [Passage(id="p", text=text, questions=(item,))])
    return next(iter(test.units()))


def place(text: str, words: str) -> Offsets:
    start = text.index(words)
    return start, start + len(words)


def chosen(text: str, likely: dict[str, float], *options: str) -> NearestOption:
    language = "zh" if text == CHINESE else "en"
    stretches = [(place(text, words), chance) for words, chance in likely.items()]
    return nearest_option(unit(text, *options), stretches, language)


@pytest.mark.parametrize(
    ("likely", "options", "option", "score", "stretch"),
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
def test_the_english_option_with_the_greatest_expected_f1_is_chosen(
    likely: dict[str, float], options: tuple[str, ...], option: str, score: float, stretch: str
) -> None:
    for in_order in (options, options[::-1]):
        nearest = chosen(ENGLISH, likely, *in_order)
        assert nearest.option == option
        assert nearest.score == pytest.approx(score)
        assert nearest.place == place(ENGLISH, stretch)


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
def test_a_chinese_option_is_chosen_by_its_stretches_and_what_surrounds_them(
    likely: dict[str, float], options: tuple[str, ...], option: str
) -> None:
    for in_order in (options, options[::-1]):
        nearest = chosen(CHINESE, likely, *in_order)
        assert nearest.option == option
        assert 1 / len(options) < nearest.score < 1


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
        of_question = unit(text, "天亮时", "糖", question=question)
        nearest = nearest_option(of_question, [(place(text, "天亮"), 0.9)], "zh")
        assert (nearest.option, nearest.score) == (option, pytest.approx(share))


def test_what_shares_nothing_is_drawn_by_lot_and_not_by_place() -> None:
    options = ("a goose", "a lamp", "a rope")
    stretches = [(place(ENGLISH, "dawn"), 0.7), (place(ENGLISH, "salt"), 0.1)]
    drawn = set()
    for number in range(30):
        [nearest] = {
            nearest_option(unit(ENGLISH, *in_order, id=f"q{number}"), stretches, "en")
            for in_order in (options, options[::-1])
        }
        assert (nearest.score, nearest.place) == (0.0, place(ENGLISH, "dawn"))
        drawn.add(nearest.option)
    assert drawn == set(options)


def test_options_of_signs_alone_are_compared_as_they_stand() -> None:
    text = "The label says %."
    nearest = nearest_option(unit(text, "+", "%"), [(place(text, "%"), 0.5)], "en")
    assert (nearest.option, nearest.score) == ("%", 0.5)


def test_a_question_without_options_is_refused() -> None:
    with pytest.raises(DataError, match="has no options"):
        chosen(ENGLISH, {"dawn": 1.0})
