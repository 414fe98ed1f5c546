"""Questions on clauses in Chinese: what they ask, and what answers them."""

from random import Random

import pytest

from training.span.clozes.articles import Article, Cloze
from training.span.clozes.chinese import clause_questions


def asked(title: str, *sentences: str, at: int = 0) -> list[Cloze]:
    """All that a few draws ask of one sentence."""
    article = Article(title, sentences)
    return [one for seed in range(40) for one in clause_questions(article, at, Random(seed))]


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("梅溪桥位于石门县东部。", "梅溪桥位于哪里？", "石门县东部"),
        ("梅溪桥由李大山设计。", "梅溪桥是由谁设计的？", "李大山"),
        ("它于1871年建成。", "梅溪桥何时建成？", "1871年"),
        ("该桥全长120米。", "梅溪桥的全长是多少？", "120米"),
        ("桥身由石板和木梁组成。", "桥身由什么组成？", "石板和木梁"),
        ("梅溪桥又称长虹桥。", "梅溪桥又称什么？", "长虹桥"),
        ("梅溪桥是石门县最老的桥。", "什么是梅溪桥？", "石门县最老的桥"),
        ("由于河水每年上涨，它两次改建。", "为什么梅溪桥两次改建？", "河水每年上涨"),
    ],
)
def test_a_clause_is_asked_for_by_its_verb(sentence: str, question: str, answer: str) -> None:
    found = {(one.question, one.answer) for one in asked("梅溪桥 (石门)", sentence)}
    assert (question, answer) in found
    assert {one for _, one in found} == {answer}


def test_a_clause_further_on_has_the_subject_of_its_sentence() -> None:
    found = asked("梅溪桥", "梅溪桥是石桥，位于石门县。")
    assert "梅溪桥位于哪里？" in {one.question for one in found}
    # Whose it is cannot be told where the sentence is about something else.
    other = asked("梅溪桥", "老人走过小路，位于石门县。")
    assert other == []


def test_an_answer_may_run_on_and_leaves_no_bracket_open() -> None:
    said = "李大山认为桥应当用“石板，木梁”修建，河水才不会冲走它。"
    answers = {one.answer for one in asked("李大山", said)}
    whole = "桥应当用“石板，木梁”修建"
    assert {whole, f"{whole}，河水才不会冲走它"} <= answers
    assert all(one.count("“") == one.count("”") for one in answers)


def test_the_answer_stands_where_it_is_said_to() -> None:
    for one in asked("梅溪桥", "从前这里有渡口。", "梅溪桥包括三个桥洞和一座亭。", at=1):
        assert one.text[one.start :].startswith(one.answer)
        assert one.start == len("从前这里有渡口。梅溪桥包括")


def test_no_topic_no_question_about_it() -> None:
    assert asked("", "它位于石门县。") == []
    assert asked("长" * 30, "位于石门县。") == []
