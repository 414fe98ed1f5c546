"""Chinese series: pronouns, 该 and 这, short names and dropped subjects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.guided.chinese import rewrite_chinese
from readmark.series.guided.chinese_answer_phrases import as_phrase
from readmark.series.guided.edits import apply_edits
from readmark.series.guided.known_answers import KnownAnswers
from strategies import texts


@pytest.mark.parametrize(
    ("target", "type", "questions", "rewritten"),
    [
        ("林远舟", "person", ["他出生在哪里？"], ["林远舟出生在哪里？"]),
        ("林远舟", "person", ["其父以什么为业？"], ["林远舟的父亲以什么为业？"]),
        (
            "白石水库",
            "place",
            ["谁设计了它？", "他是哪国人？"],
            ["谁设计了白石水库？", "PREVIOUS_ANSWER是哪国人？"],
        ),
        ("白石水库", "place", ["该水库有多深？"], ["白石水库有多深？"]),
        ("白石水库", "place", ["有多少座桥？"], ["白石水库有多少座桥？"]),
        ("白石博物馆", "organisation", ["馆长是谁？"], ["白石博物馆的馆长是谁？"]),
        ("北方渡轮局（NFB）", None, ["NFB有几艘船？"], ["北方渡轮局（NFB）有几艘船？"]),
        ("白石水库", "place", ["白石水库在哪里？"], ["白石水库在哪里？"]),
        ("", None, ["他出生在哪里？"], ["他出生在哪里？"]),
    ],
)
def test_rewrites(
    target: str, type: str | None, questions: list[str], rewritten: list[str]
) -> None:
    assert [one.text for one in rewrite_chinese(target, questions, type=type)] == rewritten


@pytest.mark.parametrize(
    ("target", "questions", "rewritten"),
    [
        # A pronoun is a word, no character of another: 其他, 吉他, 维他命, 他人, 他国, 应该, 因此.
        ("石门关", ["其他关口也有吗？"], ["其他关口也有石门关吗？"]),
        ("石門關", ["其他國家也有嗎？"], ["其他國家也有石門關嗎？"]),
        ("石门关", ["他国有吗？"], ["他国有石门关吗？"]),
        ("石门关", ["其他人怎么看它？"], ["其他人怎么看石门关？"]),
        ("石门关", ["他人可以进去吗？"], ["石门关他人可以进去吗？"]),
        ("林远舟", ["他弹什么？", "吉他是他做的吗？"], ["林远舟弹什么？", "吉他是林远舟做的吗？"]),
        ("林远舟", ["他在哪里？", "维他命是什么？"], ["林远舟在哪里？", "维他命是什么？"]),
        (
            "林远舟",
            ["应该怎么读他的诗？", "因此他出名了吗？"],
            ["应该怎么读林远舟的诗？", "因此林远舟出名了吗？"],
        ),
        # 其 within adverbs, and those that begin a question.
        ("石门关", ["其实是不是塌过？"], ["石门关其实是不是塌过？"]),
        ("石门关", ["尤其是哪段？"], ["石门关尤其是哪段？"]),
        ("石门关", ["其中最高的是哪座？"], ["石门关中最高的是哪座？"]),
        # A nominal ends with a word.
        ("石门关", ["这座建筑在哪里？"], ["石门关在哪里？"]),
        (
            "白石学院",
            ["有哪些著名校友？", "该校的校训是什么？"],
            ["白石学院有哪些著名校友？", "白石学院的校训是什么？"],
        ),
        ("白石学院", ["图书馆有多大？", "本校呢？"], ["白石学院的图书馆有多大？", "白石学院呢？"]),
        ("林远舟", ["他是谁？", "这位著名诗人去过哪里？"], ["林远舟是谁？", "林远舟去过哪里？"]),
        # Gender and number.
        (
            "林远舟",
            ["他多大？", "其妻是谁？", "她叫什么？"],
            ["林远舟多大？", "林远舟的妻子是谁？", "PREVIOUS_ANSWER叫什么？"],
        ),
        (
            "林远舟",
            ["他的妻子姓杨吗？", "她多大？"],
            ["林远舟的妻子姓杨吗？", "林远舟的妻子多大？"],
        ),
        (
            "方女士",
            ["她的丈夫是谁？", "他们什么时候结婚的？"],
            ["方女士的丈夫是谁？", "方女士和PREVIOUS_ANSWER什么时候结婚的？"],
        ),
        ("林远舟", ["他多大？", "他俩是朋友吗？"], ["林远舟多大？", "他俩是朋友吗？ 林远舟"]),
        ("雪豹", ["吃什么？", "它们住在哪里？"], ["雪豹吃什么？", "雪豹住在哪里？"]),
        # Events: their time and place.
        (
            "白石大地震",
            ["当时的市长是谁？", "那里现在怎么样？"],
            ["白石大地震时的市长是谁？", "白石现在怎么样？"],
        ),
        ("上海博览会", ["那里现在怎么样？"], ["上海现在怎么样？"]),
        ("林远舟", ["他多大？", "为什么？"], ["林远舟多大？", "为什么？ 林远舟"]),
        # Short names, and other names.
        (
            "北京大学",
            ["北大有哪些校友？", "北京有多大？"],
            ["北京大学有哪些校友？", "北京有多大？"],
        ),
        (
            "白石公司",
            ["iPhone是什么时候发布的？", "它卖多少钱？"],
            ["iPhone是什么时候发布的？", "iPhone卖多少钱？"],
        ),
        (
            "白石公司",
            ["它的股价是多少？", "2024年呢？"],
            ["白石公司的股价是多少？", "白石公司2024年的股价是多少？"],
        ),
        # Where the target goes when it was left out.
        ("山雨记", ["谁写的？", "书中有多少人物？"], ["山雨记是谁写的？", "山雨记中有多少人物？"]),
        ("山雨记", ["这本书贵吗？"], ["山雨记贵吗？"]),
        ("林远舟", ["他多大？", "其他诗人怎么看？"], ["林远舟多大？", "其他诗人怎么看林远舟？"]),
        ("林远舟", ["原名是什么？", "谁是老师？"], ["林远舟的原名是什么？", "谁是林远舟的老师？"]),
        # Traditional characters.
        (
            "山雨記",
            ["作者是誰？", "他還寫過什麼？"],
            ["山雨記的作者是誰？", "PREVIOUS_ANSWER還寫過什麼？"],
        ),
        (
            "山雨記",
            ["該書有多少回？", "這部小說的主角是誰？"],
            ["山雨記有多少回？", "山雨記的主角是誰？"],
        ),
        ("山雨記", ["它們被拍成電影了嗎？"], ["山雨記被拍成電影了嗎？"]),
        ("林遠舟", ["他多大？", "其父是誰？"], ["林遠舟多大？", "林遠舟的父親是誰？"]),
        # No target: what the questions bring up.
        ("", ["李白是谁？", "他生于何时？"], ["李白是谁？", "李白生于何时？"]),
        (
            "",
            ["林远舟是谁？", "他的妻子是谁？", "她是哪里人？"],
            ["林远舟是谁？", "林远舟的妻子是谁？", "PREVIOUS_ANSWER是哪里人？"],
        ),
        (
            "",
            ["什么是京剧？", "它有多少年历史？", "北京有多大？"],
            ["什么是京剧？", "京剧有多少年历史？", "北京有多大？"],
        ),
        (
            "",
            ["谁写了《山雨》？", "他还写过什么？"],
            ["谁写了《山雨》？", "PREVIOUS_ANSWER还写过什么？"],
        ),
    ],
)
def test_what_a_word_points_at(target: str, questions: list[str], rewritten: list[str]) -> None:
    made = rewrite_chinese(target, questions)
    assert [one.text for one in made] == rewritten
    assert [
        apply_edits(text, one.edits) for text, one in zip(questions, made, strict=True)
    ] == rewritten


def test_edits_keep_the_characters_and_places_of_the_series() -> None:
    made = rewrite_chinese("", ["好嗎？", "林遠舟是誰？", "他的妻子是誰？", "她多大？"])
    assert made[3].edits[0].earlier == 2
    [edit] = rewrite_chinese("山雨記", ["該書有多少回？"])[0].edits
    assert edit.was == "該書"
    made = rewrite_chinese("陳遠號遠征", ["陳遠號多大？", "他回來了嗎？"], type="event")
    assert made[1].text == "陳遠號回來了嗎？"
    assert as_phrase("誰設計了白石水庫？") == "設計白石水庫的人"


def test_a_known_answer_takes_the_variable_s_place() -> None:
    asked = ["谁设计了白石水库？", "他是哪国人？"]
    made = rewrite_chinese(
        "白石水库", asked, known=KnownAnswers([(), ("林远舟",)]), previous="answer"
    )
    assert made[1].text == "林远舟是哪国人？"
    made = rewrite_chinese(
        "白石水库", asked, known=KnownAnswers([(), ("林远舟",)], [None, 1]), previous="answer"
    )
    assert made[1].text == "设计白石水库的人是哪国人？"


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("谁设计了白石水库？", "设计白石水库的人"),
        ("白石水库是谁设计的？", "设计白石水库的人"),
        ("白石桥是哪位工程师设计的？", "设计白石桥的工程师"),
        ("白石博物馆的馆长是谁？", "白石博物馆的馆长"),
        ("最高的车站叫什么？", "最高的车站"),
        ("哪位作家写了《山雨》？", "写《山雨》的作家"),
        ("林远舟出生在哪座城市？", "林远舟出生的城市"),
        ("白石水库位于哪座山？", "白石水库所在的山"),
        ("白石水库有多深？", ""),
        ("林远舟什么时候出生？", ""),
        ("", ""),
    ],
)
def test_a_question_as_a_phrase(question: str, phrase: str) -> None:
    assert as_phrase(question) == phrase


def test_the_earlier_question_takes_the_variable_s_place() -> None:
    asked = ["谁设计了它？", "他是哪国人？", "它有多深？"]
    made = rewrite_chinese("白石水库", asked, type="place", previous="question")
    assert [one.text for one in made] == [
        "谁设计了白石水库？",
        "设计白石水库的人是哪国人？",
        "白石水库有多深？",
    ]
    assert made[1].edits[0].earlier == 0


def test_what_of_another_is_the_question_before() -> None:
    made = rewrite_chinese("白石铁路", ["它的起点是哪座城市？", "终点呢？"])
    assert made[1].text == "白石铁路的终点是哪座城市？"


@given(texts, st.lists(texts, max_size=3))
def test_whatever_the_strings_every_question_gets_its_rewrite(
    target: str, questions: list[str]
) -> None:
    assert len(rewrite_chinese(target, questions)) == len(questions)
