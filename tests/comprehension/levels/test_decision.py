"""Levels of whole questions: the document's examples, and own ones with every reason."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.levels.decision import levelled
from readmark.comprehension.levels.scale import REASONS, TYPES, Levelled, level_of
from readmark.core.records import Answer, Passage, Question, QuestionKey

RUMMEL = (
    "拉梅尔着作丰富,写下了24本学术书籍,并且在1975-1981年间出版的《认识冲突与战争》中记载了他研究的"
    "主要成果。他在接下来15年里埋头于建构民主和平的理论,不断加入各种新的资料和数据测试。"
)
NERUDA = (
    "1920年,聂鲁达开始在塞尔瓦奥斯塔尔杂志上刊登短文和诗,为了避免引起父亲的不满,他以自己仰慕的捷克"
    "诗人扬·聂鲁达(Jan Neruda)的姓氏为自己取了笔名“聂鲁达”。"
)
JENNY = (
    "The researchers on the island are killed by the newly risen zombies, except for Jenny, the "
    "daughter of a scientist couple. She escapes, protected by an enchanted necklace charm given "
    "to her by her mother shortly before her death."
)


def judge(text: str, question: str, answer: str, language: str) -> Levelled:
    key = QuestionKey(answers=(Answer(text=answer),))
    passage = Passage(id="p", text=text)
    return levelled(Question(id="q", text=question, key=key), passage, language)


@pytest.mark.parametrize(
    ("language", "text", "question", "answer", "level", "reasons"),
    [
        (
            "zh",
            "1947年贝尔实验室发明晶体管已被列在IEEE里程碑列表中。",
            "1947年什么实验室发明晶体管已被列在IEEE里程碑列表中?",
            "贝尔实验室",
            1,
            {"match"},
        ),
        (
            "zh",
            "2016年7月,在土耳其伊斯坦布尔召开的第40届世界遗产委员会上,南马都尔被联合国教科文组织认定为世界遗产。",
            "南马都尔何时被联合国教科文组织认定为世界遗产?",
            "2016年7月",
            2,
            {"reorder"},
        ),
        ("zh", RUMMEL, "谁在接下来15年里埋头于建构民主和平的理论?", "拉梅尔", 3, {"pronoun"}),
        (
            "zh",
            "巨石阵也叫做圆形石林,位于英国离伦敦大约120公里一个叫做埃姆斯伯里的地方。",
            "巨石阵位于英国离伦敦大约多少公里一个叫做埃姆斯伯里的地方?",
            "120公里",
            3,
            {"zero_pronoun"},
        ),
        (
            "zh",
            NERUDA,
            "为什么聂鲁达以自己仰慕的捷克诗人扬·聂鲁达的姓氏为自己取了笔名“聂鲁达”?",
            "为了避免引起父亲的不满",
            4,
            {"pronoun", "causal"},
        ),
        (
            "en",
            JENNY,
            "Why is Jenny able to escape death by zombies?",
            "She is protected by an enchanted necklace charm given to her by her mother",
            4,
            {"pronoun", "causal"},
        ),
    ],
    ids=["2", "3", "4", "5", "6", "1"],
)
def test_the_examples_of_the_document(
    language: str, text: str, question: str, answer: str, level: int, reasons: set[str]
) -> None:
    judged = judge(text, question, answer, language)
    assert (judged.level, set(judged.reasons)) == (level, reasons)
    assert judged.why
    assert all(text[start:end] for start, end in judged.sentences)


def own_cases() -> Iterator[Any]:
    for language in ("zh", "en"):
        path = Path(__file__).with_name(f"cases.{language}.toml")
        for passage in tomllib.loads(path.read_text("utf-8"))["passage"]:
            for case in passage["question"]:
                yield pytest.param(language, passage["text"], case, id=case["text"])


@pytest.mark.parametrize(("language", "text", "case"), list(own_cases()))
def test_own_cases(language: str, text: str, case: dict[str, Any]) -> None:
    judged = judge(text, case["text"], case["answer"], language)
    types = {TYPES.get(reason, "wording") for reason in case["reasons"]}
    assert judged.level == case["level"], judged.why
    assert {TYPES.get(reason, "wording") for reason in judged.reasons} == types, judged.why


def test_the_cases_have_every_reason_in_both_languages() -> None:
    for language in ("zh", "en"):
        cases = [param.values[2] for param in own_cases() if param.values[0] == language]
        assert {reason for case in cases for reason in case["reasons"]} == set(REASONS)
        assert len(cases) >= 24


def test_the_easier_statement_counts() -> None:
    twice = "青溪桥全长46米，建于1782年。县志说：青溪桥建于1782年。"
    assert judge(twice, "青溪桥建于哪一年？", "1782年", "zh").level == 1
    assert judge(twice[:17], "青溪桥建于哪一年？", "1782年", "zh").level == 3


def test_two_references_are_one_type() -> None:
    text = "青溪桥很老。它由周大川设计，他是石匠。"
    assert judge(text, "青溪桥由谁设计？", "周大川", "zh").level == 3


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (None, "the question has no answer"),
        (QuestionKey(), "the question has no answer"),
        (QuestionKey(unanswerable=True), "the question is unanswerable"),
        (QuestionKey(answers=(Answer(text="铁塔"),)), "no answer occurs in the passage"),
        (QuestionKey(answers=(Answer(text="，"),)), "the answer has no words"),
    ],
)
def test_what_cannot_be_judged_says_why(key: QuestionKey | None, why: str) -> None:
    question = Question(id="q", text="桥在哪里？", key=key)
    assert levelled(question, Passage(id="p", text="桥在东门外，很老。"), "zh") == Levelled(
        None, why=why
    )


def test_a_difference_that_somebody_worked_out_has_no_level() -> None:
    text = "青溪桥建于1782年。白石桥建于1800年。"
    judged = judge(text, "青溪桥比白石桥早建多少年？", "18年", "zh")
    assert judged.level is None
    assert judged.why.endswith("and '比白石桥早建多少' asks for a calculation")


@pytest.mark.parametrize(
    ("text", "question", "answer", "mention"),
    [
        # The gap is before its verb, not before the date; its antecedent is the last name before.
        (
            "青溪桥位于柳镇，1782年建成。",
            "青溪桥哪一年建成？",
            "1782年",
            ("zero_pronoun", "", "青溪桥", "青溪桥", "建成"),
        ),
        # A bare noun whose owner is left out.
        (
            "白石岛是东湾最大的岛屿，面积12平方公里。",
            "白石岛的面积是多少？",
            "12平方公里",
            ("zero_pronoun", "", "", "", "面积"),
        ),
        # Traditional characters are quoted as they are; the pronoun has its place.
        (
            "青溪橋很老。石匠來了，它由周大川設計。",
            "青溪橋由誰設計？",
            "周大川",
            ("pronoun", "它", "青溪橋", "青溪橋", ""),
        ),
        (
            "西湖画院建于1930年。该画院于1937年停办。",
            "西湖画院什么时候停办？",
            "1937年",
            ("nominal_reference", "该画院", "西湖画院", "西湖画院", ""),
        ),
        # What the later predicate leaves out is the answer.
        (
            "沈月娥当选镇长，开启了女性主政的先例。",
            "女性主政的先例由谁开启？",
            "沈月娥",
            ("zero_pronoun", "", "沈月娥", "沈月娥", "开启"),
        ),
        # The answer is a date, so what is left out is the subject of its clause.
        (
            "1952年，旧公司倒闭，改名东湾船厂。",
            "哪一年改名东湾船厂？",
            "1952年",
            ("zero_pronoun", "", "", "", "改名"),
        ),
        # A place is no 他.
        (
            "青山县有三座水库。他每年都来，县城在河边。",
            "青山县的县城在哪里？",
            "河边",
            ("zero_pronoun", "", "", "", "县城"),
        ),
    ],
)
def test_a_reference_says_where_it_is(
    text: str, question: str, answer: str, mention: tuple[str, ...]
) -> None:
    (reference,) = judge(text, question, answer, "zh").mentions
    antecedent = "" if reference.antecedent is None else text[slice(*reference.antecedent)]
    assert (
        reference.reason,
        reference.text,
        reference.stands_for,
        antecedent,
        reference.before,
    ) == mention
    assert text[reference.start : reference.end] == reference.text
    if reference.before:
        assert text.startswith(reference.before, reference.start)


@pytest.mark.parametrize(
    ("text", "question", "answer", "wrong"),
    [
        # Another person comes between.
        (
            "赵大海写信给钱文广，他在信里画了一条船。",
            "赵大海在信里画了什么？",
            "一条船",
            "赵大海",
        ),
        # What an album is by is not the album.
        (
            "林秀兰出过一张专辑。这张专辑在柳镇录制。",
            "林秀兰的专辑在哪里录制？",
            "柳镇",
            "林秀兰",
        ),
        # What somebody says has a subject of its own.
        (
            "钱文广认为，必须修好港口的吊车。",
            "钱文广认为应该修好什么？",
            "港口的吊车",
            "钱文广",
        ),
    ],
)
def test_a_name_that_may_be_wrong_is_not_given(
    text: str, question: str, answer: str, wrong: str
) -> None:
    judged = judge(text, question, answer, "zh")
    assert [mention for mention in judged.mentions if mention.stands_for == wrong] == []
    assert f"stands for '{wrong}'" not in judged.why
    assert f"'{wrong}' is left out" not in judged.why


def test_a_language_without_rules() -> None:
    key = QuestionKey(answers=(Answer(text="Paris"),))
    question = Question(id="q", text="Où est-il ?", key=key)
    judged = levelled(question, Passage(id="p", text="Il est à Paris."), "fr")
    assert (judged.level, judged.why) == (None, "no rules for language 'fr'")


def test_a_number_does_not_stand_in_a_longer_one() -> None:
    text = "The club was founded in 2004. It has 200 members."
    judged = judge(text, "How many members does the club have?", "200", "en")
    assert judged.sentences[-1] == (30, 49)


@pytest.mark.parametrize(
    ("text", "question", "answer", "why"),
    [
        (  # 年 and 有 stand in the statement, though not together
            "2007年，城市马拉松有两万人参加。",
            "城市马拉松2007年有多少人参加？",
            "两万人",
            "the wording differs in '2007年，城市马拉松有两万人参加'",
        ),
        (  # not 理位置, though 地 may be a particle
            "青溪桥在柳镇东门外。",
            "青溪桥的地理位置在哪？",
            "柳镇东门外",
            "'地理位置' is put in other words in '青溪桥在柳镇东门外'",
        ),
        (
            "1930年，李明远在杭州创办了西湖画院。该画院于1937年停办。",
            "西湖画院什么时候停办？",
            "1937年",
            "'该画院' stands for '西湖画院' in '该画院于1937年停办'",
        ),
        (
            "林秀兰出过一张专辑。这张专辑在柳镇录制。",
            "林秀兰的专辑在哪里录制？",
            "柳镇",
            "'这张专辑' must be resolved in '这张专辑在柳镇录制'",
        ),
    ],
)
def test_reasons_are_told_in_whole_words(text: str, question: str, answer: str, why: str) -> None:
    assert why in judge(text, question, answer, "zh").why


ALPHABET = "林桥他该其年19（），。？《》是在为什么谁哪因 aThe.,?’"


@given(
    st.text(ALPHABET, min_size=1, max_size=60),
    st.text(ALPHABET, max_size=20),
    st.data(),
    st.sampled_from(["zh", "en"]),
)
def test_any_text_gets_a_level_that_its_reasons_make(
    text: str, question: str, data: st.DataObject, language: str
) -> None:
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    judged = judge(text, question, text[first:last], language)
    if judged.level is None:
        assert not judged.reasons
        assert judged.why
        return
    assert judged.level == level_of(judged.reasons)
    assert set(judged.reasons) <= set(REASONS)
    assert all(0 <= start < end <= len(text) for start, end in judged.sentences)
    assert judged == judge(text, question, text[first:last], language)
