"""Comparing two translators, deciding, and the Chinese test that comes of it."""

from dataclasses import replace

import msgspec
import pytest

from installed import require
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage, Question
from readmark.core.test import Header, Test, in_memory
from readmark.making.translation.adoption import adopt, decided_causes, followed_suggestions
from readmark.making.translation.cause_table import CauseShare, cause_table
from readmark.making.translation.chinese_test import chinese_test
from readmark.making.translation.comparison import TranslationComparison, compare
from readmark.making.translation.pairs import TranslationPair
from readmark.making.translation.sheets import SheetEntry, TranslationSheet
from readmark.settling import Disagreement

require("spacy")

Rows = dict[str, tuple[str, str]]
ENGLISH: Rows = {
    "q1": ("What does he drink?", "tea"),
    "q2": ("What is shown?", "a film"),
    "q3": ("Who came?", "the dog"),
}
ANN: Rows = {
    "q1": ("他喝什么？ ", "茶"),
    "q2": ("什么被播出？", "一部电影"),
    "q3": ("谁来了？", "狗"),
}
BO: Rows = {
    "q1": ("他喝什么？", "茶"),
    "q2": ("播出什么？", "一部影片"),
    "q3": ("谁来了？", ""),
}


def sheet(file: str, rows: Rows) -> TranslationSheet:
    entries = {
        id: SheetEntry(id, question, (key,) if key else (), "p")
        for id, (question, key) in rows.items()
    }
    return TranslationSheet(file, entries)


def compared(a: Rows = ANN, b: Rows = BO, english: Rows = ENGLISH) -> TranslationComparison:
    return compare(sheet("en", english), sheet("ann", a), sheet("bo", b))


def chinese() -> Test:
    passage = Passage(
        id="p",
        text="他喝茶。一部电影被播出。狗来了。",
        questions=(Question(id="own", text="茶好喝吗？"),),
    )
    return in_memory(Header(language="zh", name="茶"), [passage])


def decide(comparison: TranslationComparison, **said: dict[str, str]) -> list[Disagreement]:
    """The rows with decisions; ``q2_key`` stands for q2/key."""
    changed = {id.replace("_", "/"): fields for id, fields in said.items()}
    return [
        msgspec.structs.replace(row, **changed.get(row.id, {}))  # type: ignore[arg-type]
        for row in comparison.rows
    ]


def test_what_is_compared_and_what_is_not() -> None:
    comparison = compared()
    assert comparison.names == ("ann", "bo")
    assert [(row.id, row.cause, row.suggestion) for row in comparison.rows] == [
        ("q2/question", "voice", "a"),
        ("q2/key", "synonym", "either"),
        ("q3/key", None, None),
    ]
    assert [pair.id for pair in comparison.incomplete] == ["q3/key"]
    assert comparison.trimmed == 1
    assert comparison.rows[2].why == "no translation by bo: nothing to check it against"


def test_the_table_is_of_what_both_translated() -> None:
    comparison = compared()
    columns = comparison.table
    counts = {
        scope: [(share.count, round(share.percent, 1)) for share in column.values()]
        for scope, column in columns.items()
    }
    assert counts == {
        "all": [(3, 60.0), (1, 20.0), (0, 0.0), (1, 20.0), (0, 0.0), (0, 0.0)],
        "question": [(2, 66.7), (0, 0.0), (0, 0.0), (1, 33.3), (0, 0.0), (0, 0.0)],
        "key": [(1, 50.0), (1, 50.0), (0, 0.0), (0, 0.0), (0, 0.0), (0, 0.0)],
    }


@pytest.mark.parametrize(
    ("count", "total", "percent"), [(8, 14, 800 / 14), (1, 3, 100 / 3), (2, 2, 100.0)]
)
def test_percentages_are_not_adjusted_to_add_up(count: int, total: int, percent: float) -> None:
    pairs = [
        TranslationPair(
            *(f"q{n}", f"q{n}", "p", "question", "Who?", "谁？"), "谁？" if n < count else "何人？"
        )
        for n in range(total)
    ]
    table = cause_table(pairs, {f"q{n}": "synonym" for n in range(count, total)})
    assert table["all"]["exact"] == CauseShare(count, pytest.approx(percent))


def test_more_than_the_english_is_told() -> None:
    comparison = compared(ANN | {"q9": ("哪里？", "")}, BO)
    assert [(stray.id, stray.by, stray.question) for stray in comparison.strays] == [
        ("q9", "ann", "哪里？")
    ]


def test_other_ids_altogether() -> None:
    with pytest.raises(
        DataError, match="bo: has no id of en: found 'z', expected ids such as 'q1'"
    ):
        compared(ANN, {"z": ("谁？", "狗")})


def test_two_of_one_name() -> None:
    with pytest.raises(UsageError, match="both translators are called 'ann'"):
        compare(sheet("en", ENGLISH), sheet("x/ann.tsv", ANN), sheet("y/ann.tsv", BO))


def test_a_file_that_repeats_other_english() -> None:
    first_sheet = sheet("ann", ANN)
    entries = {
        **first_sheet.entries,
        "q1": replace(first_sheet.entries["q1"], english="What does she drink?"),
    }
    with pytest.raises(DataError, match=r"ann:q1: belongs to another version .* at character 10"):
        compare(sheet("en", ENGLISH), TranslationSheet("ann", entries), sheet("bo", BO))


def test_decisions_make_the_test() -> None:
    comparison = compared()
    rows = decide(
        comparison,
        q2_question={"decision": "b", "by": "chen", "decided_cause": "equivalent_description"},
        q2_key={"decision": "other", "other": "一个电影", "by": "chen"},
        q3_key={"decision": "a"},
    )
    adopted, stale = adopt(comparison, comparison.header(), rows, file="adj", by="wu")
    test, replaced = chinese_test(comparison, adopted, chinese())
    assert (stale, replaced) == ([], {})
    (passage,) = test.records()
    earlier_question, *questions = passage.questions
    assert earlier_question.text == "茶好喝吗？"
    assert [(item.id, item.parallel, item.text) for item in questions] == [
        ("q1", "q1", "他喝什么？"),
        ("q2", "q2", "播出什么？"),
        ("q3", "q3", "谁来了？"),
    ]
    assert [item.key.published[0].text for item in questions] == ["茶", "一个电影", "狗"]
    assert questions[1].key.fields["translation"] == {
        "question": {
            "from": ["bo"],
            "decision": "b",
            "by": "chen",
            "cause": "equivalent_description",
            "suggested_cause": "voice",
        },
        "key": [{"from": [], "decision": "other", "by": "chen", "cause": "synonym"}],
    }
    assert questions[2].key.fields["translation"]["key"] == [
        {"from": ["ann"], "decision": "a", "by": "wu"}
    ]
    field = test.header.fields["translation"]
    assert field["decided_by"] == {"chen": 2, "wu": 1}
    assert field["percent"]["equivalent_description"] == 20.0
    assert sum(field["percent"].values()) == pytest.approx(100)
    people = followed_suggestions(adopted)
    assert (people.mismatches, people.same_cause) == (2, 1)
    assert (people.suggested, people.same_adoption) == (2, 0)
    assert decided_causes(adopted)["q2/question"] == "equivalent_description"
    assert test.facts.units == 4


def test_suggestions_are_signed_as_such() -> None:
    both = BO | {"q3": ("谁来了？", "狗")}
    comparison = compared(ANN, both)
    adopted, _ = adopt(comparison, comparison.header(), [], file="adj", adopt_suggestions=True)
    assert [(text.pair.id, text.text, text.by) for text in adopted if text.by] == [
        ("q2/question", "什么被播出？", "suggestion"),
        ("q2/key", "一部电影", "suggestion"),
    ]
    assert followed_suggestions(adopted).mismatches == 0


@pytest.mark.parametrize(
    ("decisions", "line"),
    [
        ({}, r"adj: 3 undecided \(q2/question, q2/key, q3/key\): decide them"),
        ({"q2_key": {"decision": "a"}}, "adj:q2/key: does not state who decided"),
        ({"q2_key": {"decision": "other", "by": "x"}}, "adj:q2/key: decides for other, which is"),
        ({"q3_key": {"decision": "b", "by": "x"}}, "adj:q3/key: decides for b's translation"),
        (
            {"q2_key": {"decided_cause": "synonim"}},
            "adj:q2/key: 'synonim' is not a cause; did you mean",
        ),
        ({"q2_key": {"decision": "a", "by": "  "}}, "adj:q2/key: does not state who decided"),
        ({"q2_key": {"decision": "a", "by": "suggestion"}}, "adj:q2/key: is signed 'suggestion'"),
        ({"q2_key": {"other": "影片"}}, 'adj:q2/key: has "other" without a "decision"'),
        ({"q2_key": {"by": "x"}}, 'adj:q2/key: has "by" without a "decision"'),
        (
            {"q2_key": {"decided_cause": "voice"}},
            'adj:q2/key: has "decided_cause" without a "decision"',
        ),
    ],
)
def test_decisions_that_do_not_fit(decisions: dict[str, dict[str, str]], line: str) -> None:
    comparison = compared()
    with pytest.raises(DataError, match=line):
        adopt(comparison, comparison.header(), decide(comparison, **decisions), file="adj")


@pytest.mark.parametrize(
    "changed",
    [
        {"a": "一部电视"},
        {"b": None},
        {"beside": {"english": "a play"}},
        {"id": "q7/key"},
    ],
)
def test_decisions_on_other_strings_are_set_aside(changed: dict[str, str]) -> None:
    comparison = compared(ANN, BO | {"q3": ("谁来了？", "狗")})
    decision = {"decision": "b", "by": "chen"}
    rows = decide(comparison, q2_question=decision, q2_key=decision | changed)
    with pytest.raises(DataError, match=r"1 undecided \(q2/key\).*; not used, since .* 1 decision"):
        adopt(comparison, comparison.header(), rows, file="adj")
    adopted, stale = adopt(
        comparison, comparison.header(), rows, file="adj", adopt_suggestions=True
    )
    assert [item.id for item in stale] == [changed.get("id", "q2/key")]
    assert {item.pair.id: item.by for item in adopted if item.by} == {
        "q2/question": "chen",
        "q2/key": "suggestion",
    }


def test_more_english_since_spoils_no_decision() -> None:
    before = compared()
    decision = {"decision": "b", "by": "chen"}
    rows = decide(
        before, q2_question=decision, q2_key=decision, q3_key={"decision": "a", "by": "chen"}
    )
    more = {"q4": ("Why?", "")}
    later = compared(ANN | {"q4": ("为什么？", "")}, BO | {"q4": ("为什么？", "")}, ENGLISH | more)
    adopted, stale = adopt(later, before.header(), rows, file="adj")
    assert stale == []
    assert sum(text.by == "chen" for text in adopted) == 3


def test_what_is_suggested_is_not_read_from_the_file() -> None:
    comparison = compared()
    rows = decide(comparison, q3_key={"suggestion": "b"}, q2_key={"suggestion": "b"})
    with pytest.raises(DataError, match=r"1 undecided \(q3/key\): nothing is suggested"):
        adopt(comparison, comparison.header(), rows, file="adj", adopt_suggestions=True)


def test_alternatives_in_another_order_are_the_same() -> None:
    def with_keys(file: str, *keys: str) -> TranslationSheet:
        return TranslationSheet(file, {"q": SheetEntry("q", "谁？", keys, "p")})

    english = with_keys("en", "Rick", "Richard", "the boy")
    comparison = compare(
        english, with_keys("a", "里克", "理查德", "男孩"), with_keys("b", "理查德", "里克")
    )
    assert [(pair.id, pair.a, pair.b) for pair in comparison.pairs[1:]] == [
        ("q/key", "里克", "里克"),
        ("q/key.2", "理查德", "理查德"),
        ("q/key.3", "男孩", None),
    ]
    comparison = compare(english, with_keys("a", "甲", "乙"), with_keys("b", "丙", "甲"))
    assert [(pair.a, pair.b) for pair in comparison.pairs[1:]] == [
        ("甲", "甲"),
        ("乙", "丙"),
        (None, None),
    ]


def test_decisions_of_other_people_or_other_work() -> None:
    header = compared().header()
    for changed, line in (
        ({"a": "eve"}, "adj:1: compares eve with bo, expected ann with bo"),
        ({"work": "annotation"}, "adj:1: has decisions on annotation, expected translation"),
    ):
        other = msgspec.structs.replace(header, **changed)
        with pytest.raises(DataError, match=line):
            adopt(compared(), other, [], file="adj")


def test_passages_are_needed_and_must_fit() -> None:
    comparison = compared()
    done, _ = adopt(
        comparison,
        comparison.header(),
        decide(comparison, q3_key={"decision": "a", "by": "x"}),
        file="adj",
        adopt_suggestions=True,
    )
    with pytest.raises(UsageError, match="ann has no passages: give them with --passages"):
        chinese_test(comparison, done, None)
    elsewhere = in_memory(Header(language="zh"), [Passage(id="z", text="茶。")])
    with pytest.raises(DataError, match="q1: is on passage 'p', which the Chinese passages lack"):
        chinese_test(comparison, done, elsewhere)
    english = in_memory(Header(language="en"), [Passage(id="p", text="Tea.")])
    with pytest.raises(DataError, match="is in 'en', expected 'zh'"):
        chinese_test(comparison, done, english)


def test_an_id_that_another_question_has() -> None:
    comparison = compared(ANN, BO | {"q3": ("谁来了？", "狗")})
    adopted, _ = adopt(comparison, comparison.header(), [], file="adj", adopt_suggestions=True)
    question = Question(id="q1", text="茶好喝吗？", parallel="z9")
    passages = in_memory(
        Header(language="zh"),
        [Passage(id="p", text="茶。", questions=(question,))],
        file="zh.jsonl",
    )
    line = "zh.jsonl:p: has a question 'q1' already, which is parallel to 'z9'"
    with pytest.raises(DataError, match=line):
        chinese_test(comparison, adopted, passages)
