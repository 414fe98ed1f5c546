"""Every rule on small passages: what it finds, and what it leaves alone."""

from typing import Any

import msgspec
import pytest

from readmark.comprehension.question_rules.copying import overlap
from readmark.comprehension.question_rules.page import PassagePage
from readmark.comprehension.question_rules.rules import QUESTION_RULES
from readmark.core.records import Passage
from readmark.making.rules.profiles import rules_by_code

ZH = "老木匠丁师傅在河边开了一家小店。他每天做三把椅子，用的是山上的榆木。"
EN = "Old Mrs Harrow keeps bees behind the mill. Every June she sells forty jars of honey."


def page(
    *questions: dict[str, Any], text: str = ZH, language: str = "zh", **more: Any
) -> PassagePage:
    numbered = [{"id": f"q{number}", **question} for number, question in enumerate(questions, 1)]
    hidden = more.pop("hidden", False)
    record = {"id": "p", "text": text, "questions": numbered, **more}
    return PassagePage(msgspec.convert(record, Passage), language, hidden=hidden)


def ask(text: str, *answers: str, **key: Any) -> dict[str, Any]:
    return {"text": text, "key": {"answers": [{"text": answer} for answer in answers], **key}}


def findings(code: str, passage: PassagePage, **settings: Any) -> list[tuple[str, str]]:
    rule = rules_by_code()[code]
    assert rule.find is not None
    return list(rule.find(passage, {**rule.settings, **settings}))


def ids(code: str, passage: PassagePage, **settings: Any) -> list[str]:
    return [owner for owner, _ in findings(code, passage, **settings)]


def test_too_many_questions() -> None:
    five = [ask(f"第{number}问是什么？", "丁师傅") for number in range(5)]
    assert findings("too_many_questions", page(*five)) == []
    six = page(*five, ask("还有什么？", "榆木"))
    assert findings("too_many_questions", six) == [("p", "6 questions, at most 5 a passage")]
    assert ids("too_many_questions", page(*five), most=4) == ["p"]


def test_no_key() -> None:
    passage = page(
        ask("谁？", "丁师傅"), {"text": "谁？"}, ask("谁？", unanswerable=True), ask("谁？")
    )
    assert ids("no_key", passage) == ["q2", "q4"]
    assert ids("no_key", page({"text": "谁？"}, hidden=True)) == []


def test_not_a_span() -> None:
    passage = page(
        ask("谁？", "丁师傅"),
        ask("谁？", "丁师傅", "张师傅"),
        ask("谁？", unanswerable=True),
        ask("谁？", published=[{"text": "丁师傅"}]),
    )
    assert ids("not_a_span", passage) == ["q2", "q3", "q4"]
    assert "'张师傅' does not occur in the passage" in findings("not_a_span", passage)[0][1]


def test_long_answers_by_language() -> None:
    thirty = "木" * 30
    passage = page(
        ask("谁？", thirty), ask("谁？", "榆木", thirty + "木"), ask("谁？", thirty + "木")
    )
    assert ids("long_answer", passage) == ["q2", "q3"]
    assert "has 31 characters, at most 30" in findings("long_answer", passage)[0][1]
    words = " ".join(["honey"] * 20)
    passage = page(ask("What?", words), ask("What?", words + " jar"), text=EN, language="en")
    assert ids("long_answer", passage) == ["q2"]


def test_few_answers_in_evaluation_splits() -> None:
    by_three = [{"text": "榆木", "annotator": name} for name in ("a", "b", "b", "c")]
    questions = ask("用什么？", "榆木", "榆木"), {"text": "？", "key": {"answers": by_three}}
    assert ids("few_answers", page(*questions, split="dev")) == ["q1"]
    assert ids("few_answers", page(*questions, split="train")) == []
    assert ids("few_answers", page(*questions)) == []


def test_no_level_and_levels_off_the_scale() -> None:
    levels: list[Any] = [1, "2", 0, 5, "HSK2", None]  # "2" is 2 to set levels as well
    passage = page(
        *(ask("谁？", "丁师傅", **({"level": level} if level else {})) for level in levels)
    )
    assert ids("no_level", passage) == ["q3", "q4", "q5", "q6"]
    assert "has the level 'HSK2'" in findings("no_level", passage)[2][1]


def test_missing_and_unknown_types_and_answer_sentences() -> None:
    passage = page(
        ask("谁？", "丁师傅", type="Who", sentences=[[0, 16]]),
        ask("谁？", "丁师傅", type="Person"),
        ask("谁？", "丁师傅"),
    )
    assert ids("unknown_type", passage) == ["q2"]
    assert ids("no_type", passage) == ["q3"]
    assert ids("no_answer_sentence", passage) == ["q2", "q3"]


def test_arithmetic() -> None:
    passage = page(
        ask("丁师傅每天做几把椅子？", "三把"),
        ask("丁师傅两天一共做几把椅子？", "六把"),
        {"text": "两天一共做几把椅子？"},
    )
    assert ids("arithmetic", passage) == ["q2"]


COPIES = [
    ("老木匠丁师傅在哪里开了一家小店？", "河边", 1.0),
    ("丁师傅的店铺在什么地方？", "河边", 0.0),
    ("他每天做多少把椅子，用的是山上的榆木？", "三把", 1.0),
]


@pytest.mark.parametrize(("question", "answer", "share"), COPIES)
def test_copied_wording(question: str, answer: str, share: float) -> None:
    passage = page(ask(question, answer))
    [(keyed_question, key)] = passage.keyed()
    rule = rules_by_code()["copied_wording"]
    assert overlap(passage, keyed_question, key, rule.settings) == pytest.approx(share, abs=0.15)
    assert bool(ids("copied_wording", passage)) == (share > 0.9)


def test_copied_wording_in_english() -> None:
    passage = page(
        ask("Where does old Mrs Harrow keeps bees behind?", "the mill"),
        ask("Who has her hives at the back of the mill?", "Mrs Harrow"),
        ask("What is sold?", "honey"),  # too short to tell
        text=EN,
        language="en",
    )
    assert ids("copied_wording", passage) == ["q1"]
    assert findings("copied_wording", passage)[0][1].startswith("overlap ")


def test_duplicate_questions() -> None:
    passage = page(ask("谁开店？", "丁师傅"), ask("谁 开店?", "丁师傅"), ask("誰開店？", "丁师傅"))
    assert ids("duplicate_question", passage) == ["q2", "q3"]


@pytest.mark.parametrize(
    ("language", "question", "missing"),
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
def test_no_question(language: str, question: str, missing: str) -> None:
    messages = [
        message.split(":")[0]
        for _, message in findings("no_question", page(ask(question, "x"), language=language))
    ]
    assert messages == ([f"has no {missing}"] if missing else [])


def test_answers_in_their_questions() -> None:
    passage = page(
        ask("丁师傅用的榆木是什么？", "榆木"),
        ask("他用的是榆木还是松木？", "榆木"),
        ask("丁师傅是谁？", "丁"),
    )
    assert ids("answer_in_question", passage) == ["q1"]
    passage = page(
        ask("What honey does she sell?", "honey"), ask("Who is in?", "I"), text=EN, language="en"
    )
    assert ids("answer_in_question", passage) == ["q1"]


def test_answers_that_disagree() -> None:
    passage = page(
        ask("谁？", "丁师傅", "老木匠"), ask("谁？", "丁师傅", "师傅"), ask("谁？", "丁师傅")
    )
    assert ids("answers_disagree", passage) == ["q1"]


def test_every_rule_survives_empty_things() -> None:
    blank = page({"text": ""}, ask("", ""), ask("？", "。"), text="")
    for rule in QUESTION_RULES.rules:
        if rule.find is None:
            continue
        for language in ("zh", "en"):
            blank.language = language
            for owner, message in findings(rule.code, blank):
                assert owner
                assert message
