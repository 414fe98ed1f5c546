"""Verdicts: which criteria a question fails, and what a challenge set keeps."""

from typing import Any

import msgspec
import pytest

from installed import require
from readmark.core.errors import UsageError
from readmark.core.records import Layer, Passage
from readmark.core.test import Header, in_memory
from readmark.making.challenge.criteria import ChallengeJudge, ChallengeVerdict
from readmark.making.challenge.selection import FIELD, selected

require("rjieba")

TEXT = (
    "灯塔镇的造船厂一共有三个车间。第一车间生产渔船，由赵师傅带队。"
    "第二车间修理旧帆船，由钱师傅带队。去年台风吹坏了港口的大吊车。"
    "带队修理旧帆船的那位师傅连夜赶来，用两天修好了吊车。"
)
PEOPLE = ("赵师傅", "钱师傅")
THREE = ("a", "b", "c")


def passage(*asked: tuple[str, str, tuple[str, ...]], id: str = "p") -> Passage:
    questions = [
        {
            "id": f"{id}{at}",
            "text": text,
            "key": {"answers": [{"text": answer, "annotator": who} for who in people]},
        }
        for at, (text, answer, people) in enumerate(asked, 1)
    ]
    return msgspec.convert({"id": id, "text": TEXT, "questions": questions}, Passage)


def entities(*people: str) -> Any:
    spans = tuple((TEXT.index(name), TEXT.index(name) + len(name)) for name in people)
    layer = Layer(spans=spans, columns={"type": ("PERSON",) * len(spans)})
    return lambda passage, language: layer


HARD = ("谁连夜赶来修好了被台风吹坏的吊车？", "钱师傅")
EASY = ("第二车间由谁带队？", "钱师傅")


def verdict(
    asked: tuple[str, str], people: tuple[str, ...] = THREE, **more: Any
) -> ChallengeVerdict:
    named = more.pop("named", PEOPLE)
    judge = ChallengeJudge("zh", entities(*named), **more)
    (judgement,) = judge.verdicts(passage((*asked, people)))
    return judgement


def test_all_criteria_met() -> None:
    judgement = verdict(HARD)
    assert judgement.fails == ()
    assert judgement.meets_criteria
    assert (judgement.kind, [instance.text for instance in judgement.others]) == (
        "person",
        ["赵师傅"],
    )
    assert next(TEXT[a:b] for a, b in judgement.sentences).startswith("第二车间")
    assert judgement.annotators == 3


@pytest.mark.parametrize(
    ("asked", "people", "named", "fails"),
    [
        (EASY, THREE, PEOPLE, ("single_sentence",)),
        (HARD, THREE, ("钱师傅",), ("only_instance",)),
        (HARD, ("a", "a", "b"), PEOPLE, ("annotators",)),
        (EASY, ("a",), ("钱师傅",), ("single_sentence", "only_instance", "annotators")),
        (("谁？", "孙师傅"), THREE, PEOPLE, ("no_answer",)),
    ],
)
def test_which_criterion_fails(
    asked: tuple[str, str],
    people: tuple[str, ...],
    named: tuple[str, ...],
    fails: tuple[str, ...],
) -> None:
    judgement = verdict(asked, people, named=named)
    assert judgement.fails == fails
    assert len(judgement.why) >= 1
    assert judgement.meets_criteria is (not fails or fails == ("annotators",))


def test_longer_answers_pass_unless_asked_otherwise() -> None:
    longer = ("第二车间做什么？", "修理旧帆船，由钱师傅带队")  # 12 characters
    assert verdict(longer).fails == ()
    assert verdict(longer, long_pass=False).fails == ("long_answer",)
    assert not verdict(longer, long_pass=False).meets_criteria
    assert verdict(longer, short=12).fails == ("single_sentence",)
    over = ("厂里有什么？", "三个车间。第一车间生产渔船")
    judgement = verdict(over, long_pass=False)
    assert judgement.fails == ()
    assert "runs over 2 sentences" in judgement.why[0]


def test_what_words_cannot_decide_is_neither_found_nor_rejected() -> None:
    asked = ("谁获得了政府表彰？", "钱师傅")
    checked = verdict(asked)
    assert checked.fails == ()
    assert checked.undecided
    assert not checked.meets_criteria
    assert "a person must decide" in checked.why[0]
    sought = verdict(asked, every=False, long_pass=False)
    assert sought.fails == ("undecided",)
    test = in_memory(Header(language="zh"), [passage((*asked, THREE), (*HARD, THREE))])
    challenge, done = selected(test, ChallengeJudge("zh", entities(*PEOPLE)), find=False)
    assert [len(record.questions) for record in challenge.records()] == [2]
    assert dict(done.fails) == {"undecided": 1}
    assert done.summary()["met"] == 1


def test_answers_without_a_name_are_a_person_each() -> None:
    asked = passage((*HARD, THREE))
    question = msgspec.to_builtins(asked.questions[0])
    for answer in question["key"]["answers"]:
        del answer["annotator"]
    unnamed = msgspec.structs.replace(
        asked, questions=(msgspec.convert(question, type(asked.questions[0])),)
    )
    (judgement,) = ChallengeJudge("zh", entities(*PEOPLE)).verdicts(unnamed)
    assert judgement.annotators == 3


def test_the_level_stands_beside() -> None:
    assert verdict(HARD, level_of=lambda *_: 4).level == 4
    assert verdict(EASY, level_of=lambda *_: 1, every=False).level is None


def test_what_a_challenge_set_keeps() -> None:
    both = passage((*HARD, THREE), (*EASY, THREE))
    none = passage((*EASY, THREE), id="n")
    test = in_memory(Header(language="zh"), [both, none])
    challenge, done = selected(test, ChallengeJudge("zh", entities(*PEOPLE)), find=True)
    (record,) = challenge.records()
    assert [question.id for question in record.questions] == ["p1"]
    assert record.questions[0].key.fields[FIELD]["class"] == "person"
    assert (done.questions, dict(done.fails)) == (3, {"single_sentence": 2})
    challenge, done = selected(test, ChallengeJudge("zh", entities(*PEOPLE)), find=False)
    assert [len(item.questions) for item in challenge.records()] == [2, 1]
    assert [item.meets_criteria for item in done.verdicts] == [True, False, False]
    assert challenge.facts.paper == test.facts.paper


def test_what_is_found_is_counted_by_the_first_failure() -> None:
    longer = ("第二车间做什么？", "修理旧帆船，由钱师傅带队")
    asked = [HARD, EASY, longer, ("谁？", "孙师傅")]
    test = in_memory(Header(language="zh"), [passage(*((*item, ("a",)) for item in asked))])
    finding = ChallengeJudge("zh", entities(*PEOPLE), long_pass=False, every=False)
    challenge, done = selected(test, finding, find=True)
    assert [len(item.questions) for item in challenge.records()] == [1]
    assert done.summary()["fails"] == {
        "no_answer": 1,
        "single_sentence": 1,
        "undecided": 0,
        "long_answer": 1,
        "only_instance": 0,
        "annotators": 1,
    }
    assert sum(done.fails.values()) == done.questions
    challenge, done = selected(test, ChallengeJudge("zh", entities(*PEOPLE)), find=False)
    assert len(list(challenge.records())) == 1
    assert dict(done.fails) == {"no_answer": 1, "single_sentence": 1, "annotators": 4}


def test_of_questions_on_passages_only() -> None:
    test = in_memory(Header(kind="series", language="zh"), [])
    with pytest.raises(UsageError, match="expected comprehension"):
        selected(test, ChallengeJudge("zh", entities()), find=True)
