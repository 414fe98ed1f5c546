"""Whole series by the model that ships: what a rewrite says of itself, and odd input."""

import pytest

from readmark.series.learned.chinese import read_chinese
from readmark.series.learned.english import read_english
from readmark.series.learned.features import FEATURES, rows_of
from readmark.series.learned.ranker import load_ranker
from readmark.series.learned.rewriter import answers_of, rewrite_learned
from readmark.series.learned.values import HISTORY, MOST


def test_a_conversation_without_a_target() -> None:
    asked = ["What is a lamp beetle?", "Where does it live?"]
    made = rewrite_learned("", asked, load_ranker())
    assert [one.text for one in made] == [asked[0], "Where does a lamp beetle live?"]


def test_a_person() -> None:
    made = rewrite_learned("Ilse Vell", ["Where was she born?"], load_ranker(), type="person")
    assert made[0].text == "Where was Ilse Vell born?"


def test_every_step_says_what_was_chosen_and_over_what() -> None:
    made = rewrite_learned("", ["What is a lamp beetle?", "Where does it live?"], load_ranker())
    [step, *_] = made[1].steps
    shown = step.shown()
    assert shown["of"] > 2
    assert 0 < shown["share"] <= 1
    assert shown["runner_up"] != made[1].text
    assert 0 < len(shown["why"]) <= 3
    assert 0 < made[1].sure <= 1


def test_a_chinese_series() -> None:
    made = rewrite_learned("维尔湖", ["它在哪里？"], load_ranker(), language="zh")
    assert made[0].text == "维尔湖在哪里？"


def test_the_answer_to_a_question_is_what_is_known_before_the_next() -> None:
    assert answers_of([(), ("a barn",), ("Ilse", "Mara")], 3) == ["a barn", "Ilse, Mara"]
    assert answers_of([], 2) == [""]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("target", ["", "   ", "Lake (lake", "湖（湖", "It. It rains. It is so."])
@pytest.mark.parametrize("text", ["", "?", "it", "他", "Why?", "What about it?", "(((", "a\ud800b"])
def test_odd_input_gives_a_text(language: str, target: str, text: str) -> None:
    made = rewrite_learned(target, [text, text], load_ranker(), language=language)
    assert len(made) == 2
    assert all(isinstance(one.text, str) for one in made)


def test_what_is_too_long_to_read_is_kept() -> None:
    text = "Where is it? " + "very " * 900
    made = rewrite_learned("Vell Lake", [text], load_ranker())
    assert made[0].text.endswith("very " * 100)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_so_many_earlier_questions_are_drawn_on(language: str) -> None:
    read = read_english if language == "en" else read_chinese
    told = "Who founded Orrin{}?" if language == "en" else "谁建立了Orrin{}？"
    names = ["".join(chr(97 + int(one)) for one in str(at)) for at in range(4 * HISTORY)]
    asked = [told.format(name) for name in names]
    series = read("", asked)
    for at in (HISTORY - 1, HISTORY, len(asked) - 1):
        asking = series.asking(at, asked[:at])
        assert len(asking.rewritten_words) == len(asking.asked) == min(at, HISTORY)
        assert asking.since == max(0, at - HISTORY)
        assert 0 < len(asking.phrases) <= MOST
        assert min(one.turn for one in asking.phrases) >= at - HISTORY
        nearest = rows_of(asking, frozenset()).numbers[:, FEATURES.index("nearness")]
        assert nearest.max() == 1.0
