"""Every rule on small passages: what it finds, and what it leaves alone."""

from typing import Any

import msgspec
import pytest

from readmark.comprehension.question_rules import QUESTION_RULES, overlap
from readmark.comprehension.question_rules import PassagePage as Page
from readmark.core.records import Passage
from readmark.making.rules.profiles import rules_by_code

ZH = "老木匠丁师傅在河边开了一家小店。他每天做三把椅子，用的是山上的榆木。"
EN = "Old Mrs Harrow keeps bees behind the mill. Every June she sells forty jars of honey."


def page(*questions: dict[str, Any], text: str = ZH, language: str = "zh", **more: Any) -> Page:
    asked = [{"id": f"q{at}", **one} for at, one in enumerate(questions, 1)]
    hidden = more.pop("hidden", False)
    record = {"id": "p", "text": text, "questions": asked, **more}
    return Page(msgspec.convert(record, Passage), language, hidden=hidden)


def ask(text: str, *answers: str, **key: Any) -> dict[str, Any]:
    given = [{"text": one} for one in answers]
    return {"text": text, "key": {"answers": given, **key}}


def found(code: str, seen: Page, **settings: Any) -> list[tuple[str, str]]:
    rule = rules_by_code()[code]
    assert rule.find is not None
    return list(rule.find(seen, {**rule.settings, **settings}))


def ids(code: str, seen: Page, **settings: Any) -> list[str]:
    return [owner for owner, _ in found(code, seen, **settings)]


def test_too_many_questions() -> None:
    five = [ask(f"第{n}问是什么？", "丁师傅") for n in range(5)]
    assert found("too_many_questions", page(*five)) == []
    ((owner, said),) = found("too_many_questions", page(*five, ask("还有什么？", "榆木")))
    assert (owner, said) == ("p", "6 questions, at most 5 a passage")
    assert ids("too_many_questions", page(*five), most=4) == ["p"]


def test_no_key() -> None:
    seen = page(
        ask("谁？", "丁师傅"), {"text": "谁？"}, ask("谁？", unanswerable=True), ask("谁？")
    )
    assert ids("no_key", seen) == ["q2", "q4"]
    assert ids("no_key", page({"text": "谁？"}, hidden=True)) == []


def test_not_a_span() -> None:
    seen = page(
        ask("谁？", "丁师傅"),
        ask("谁？", "丁师傅", "张师傅"),
        ask("谁？", unanswerable=True),
        ask("谁？", published=[{"text": "丁师傅"}]),
    )
    told = found("not_a_span", seen)
    assert [owner for owner, _ in told] == ["q2", "q3", "q4"]
    assert "'张师傅' does not occur in the passage" in told[0][1]


def test_long_answers_by_language() -> None:
    thirty = "木" * 30
    seen = page(ask("谁？", thirty), ask("谁？", "榆木", thirty + "木"), ask("谁？", thirty + "木"))
    assert ids("long_answer", seen) == ["q2", "q3"]
    assert "has 31 characters, at most 30" in found("long_answer", seen)[0][1]
    words = " ".join(["honey"] * 20)
    seen = page(ask("What?", words), ask("What?", words + " jar"), text=EN, language="en")
    assert ids("long_answer", seen) == ["q2"]


def test_few_answers_in_evaluation_splits() -> None:
    named = [{"text": "榆木", "annotator": who} for who in ("a", "b", "b", "c")]
    asked = ask("用什么？", "榆木", "榆木"), {"text": "？", "key": {"answers": named}}
    assert ids("few_answers", page(*asked, split="dev")) == ["q1"]
    assert ids("few_answers", page(*asked, split="train")) == []
    assert ids("few_answers", page(*asked)) == []


def test_levels() -> None:
    levels: list[Any] = [1, "2", 0, 5, "HSK2", None]  # "2" is 2 to set levels as well
    seen = page(*(ask("谁？", "丁师傅", **({"level": one} if one else {})) for one in levels))
    assert ids("no_level", seen) == ["q3", "q4", "q5", "q6"]
    assert "has the level 'HSK2'" in found("no_level", seen)[2][1]


def test_types_and_answer_sentences() -> None:
    seen = page(
        ask("谁？", "丁师傅", type="Who", sentences=[[0, 16]]),
        ask("谁？", "丁师傅", type="Person"),
        ask("谁？", "丁师傅"),
    )
    assert ids("unknown_type", seen) == ["q2"]
    assert ids("no_type", seen) == ["q3"]
    assert ids("no_answer_sentence", seen) == ["q2", "q3"]


def test_arithmetic() -> None:
    seen = page(
        ask("丁师傅每天做几把椅子？", "三把"),
        ask("丁师傅两天一共做几把椅子？", "六把"),
        {"text": "两天一共做几把椅子？"},
    )
    assert ids("arithmetic", seen) == ["q2"]


COPIES = [
    ("老木匠丁师傅在哪里开了一家小店？", "河边", 1.0),
    ("丁师傅的店铺在什么地方？", "河边", 0.0),
    ("他每天做多少把椅子，用的是山上的榆木？", "三把", 1.0),
]


@pytest.mark.parametrize(("question", "answer", "share"), COPIES)
def test_copied_wording(question: str, answer: str, share: float) -> None:
    seen = page(ask(question, answer))
    ((asked, key),) = seen.keyed()
    rule = rules_by_code()["copied_wording"]
    assert overlap(seen, asked, key, rule.settings) == pytest.approx(share, abs=0.15)
    assert bool(ids("copied_wording", seen)) == (share > 0.9)


def test_copied_wording_in_english() -> None:
    seen = page(
        ask("Where does old Mrs Harrow keeps bees behind?", "the mill"),
        ask("Who has her hives at the back of the mill?", "Mrs Harrow"),
        ask("What is sold?", "honey"),  # too short to tell
        text=EN,
        language="en",
    )
    assert ids("copied_wording", seen) == ["q1"]
    assert found("copied_wording", seen)[0][1].startswith("overlap ")


def test_duplicate_questions() -> None:
    seen = page(ask("谁开店？", "丁师傅"), ask("谁 开店?", "丁师傅"), ask("誰開店？", "丁师傅"))
    assert ids("duplicate_question", seen) == ["q2", "q3"]


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("zh", "店在哪里？", ""),
        ("zh", "店在哪里", "question mark"),
        ("zh", "店的位置？", "question word"),
        ("zh", "店在河边。", "question mark and no question word"),
        ("zh", "请列举丁师傅用的木料。", ""),
        ("zh", "丁师傅用榆木吗？", ""),
        ("zh", "店在那里？", "question word"),
        ("en", "Where is the mill?", ""),
        ("en", "Where is the mill", "question mark"),
        ("en", "Does she sell honey?", ""),
        ("en", "The mill?", "question word"),
        ("en", "Name two things that she sells.", ""),
        ("en", "The one that sells honey is who?", ""),
    ],
)
def test_no_question(language: str, question: str, said: str) -> None:
    told = found("no_question", page(ask(question, "x"), language=language))
    assert [one.split(":")[0] for _, one in told] == ([f"has no {said}"] if said else [])


def test_the_answer_is_not_in_the_question() -> None:
    seen = page(
        ask("丁师傅用的榆木是什么？", "榆木"),
        ask("他用的是榆木还是松木？", "榆木"),
        ask("丁师傅是谁？", "丁"),
    )
    assert ids("answer_in_question", seen) == ["q1"]
    seen = page(
        ask("What honey does she sell?", "honey"), ask("Who is in?", "I"), text=EN, language="en"
    )
    assert ids("answer_in_question", seen) == ["q1"]


def test_answers_that_disagree() -> None:
    seen = page(
        ask("谁？", "丁师傅", "老木匠"), ask("谁？", "丁师傅", "师傅"), ask("谁？", "丁师傅")
    )
    assert ids("answers_disagree", seen) == ["q1"]


def test_every_rule_survives_empty_things() -> None:
    blank = page({"text": ""}, ask("", ""), ask("？", "。"), text="")
    for rule in QUESTION_RULES.rules:
        if rule.find is None:
            continue
        for language in ("zh", "en"):
            blank.language = language
            for owner, message in found(rule.code, blank):
                assert owner
                assert message
