"""The worked examples of "Design and Development of a Bilingual Reading Comprehension Corpus"."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brcc_files import put
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test
from readmark.making.crosscheck.adjudicate import adjudicate
from readmark.making.crosscheck.comparison import CrossCheck, cross_check
from readmark.making.crosscheck.english import English
from readmark.settling import Disagreement, name_two

ENGLISH = """\
Passage: p
English passage

<NP NE=PERSON>Hingis</NP> was so frustrated after <NP>the game</NP>. \
<NP NE=LOCATION>The USA</NP>'s <NP>population</NP> increased <NP NE=NUM>3.3%</NP>. \
<NP NE=PERSON REFID=1>Tom Ito</NP> left.
"""
ANN = """\
Passage: p
Chinese passage

赛后 ， 轩 芝 丝 感到 灰心丧气。<NP NE=LOCATION>美国人</NP> <NP>口</NP> 增长 了 \
<NP NE=NUM>3.3%</NP>。<NP NE=PERSON REFID=1>伊藤</NP> 走 了，<NP>他</NP> <NP>很</NP> 晚。

Chinese questions

1. 谁 灰心丧气？
"""
BO = """\
Passage: p
Chinese passage

<ANSQ1>赛后 ， <NP NE=PERSON REFID=1>轩芝丝</NP> 感到 灰心丧气。</ANSQ1><NP NE=LOCATION>美国</NP> \
<NP>人口</NP> 增长 了 <NP NE=TIME>3.3%</NP>。<NP NE=PERSON>伊藤</NP> 走 了，\
<NP REF=1>他</NP> 很 晚。

Chinese questions

1. 谁 灰心丧气？
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Test, Test, English]:
    paths = [
        put(tmp_path, text, f"{name}.brcc")
        for name, text in (("ann", ANN), ("bo", BO), ("en", ENGLISH))
    ]
    ann, bo, english = (open_test(path) for path in paths)
    return ann, bo, English(english)


def rows(check: CrossCheck) -> dict[str, Disagreement]:
    return {row.id: row for row in check.rows}


def quotes(version: Any) -> list[str]:
    return [item["quote"] for item in version]


def test_words_at_their_place(files: tuple[Test, Test, English]) -> None:
    ann, bo, english = files
    by_id = rows(cross_check(ann, bo, names=("ann", "bo"), english=english))
    name = by_id["p:token:3-6"]
    assert (name.what, name.place, name.cause) == ("token", (3, 6), "boundary")
    assert (quotes(name.a), quotes(name.b)) == (["轩", "芝", "丝"], ["轩芝丝"])
    assert name.beside["english"] == "[Hingis] was so frustrated after [the game]."
    assert name.beside["context"] == "赛后，轩芝丝感到灰心丧气。"
    people = by_id["p:token:13-17"]
    assert (quotes(people.a), quotes(people.b)) == (["美国人", "口"], ["美国", "人口"])
    assert people.beside["english"] == "[The USA]'s [population] increased [3.3%]."


def test_sorts_and_counts(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"), layers=("np", "ne", "mention", "token"))
    causes = {id: row.cause for id, row in rows(check).items()}
    assert {id: cause for id, cause in causes.items() if ":token:" not in id} == {
        "p:np:3-6": "only_b",
        "p:np:13-17": "boundary",
        "p:np:31-32": "only_a",
        "p:ne:3-6": "only_b",
        "p:ne:13-16": "boundary",
        "p:ne:20-24": "type",
        # 他 is linked by bo only; ann's number of 伊藤 has no anaphor at all.
        "p:mention:25-27": "only_a",
        "p:mention:30-31": "only_b",
    }
    np = check.counts["np"]
    assert (np.a, np.b, np.same, np.places) == (6, 6, 3, 3)
    assert np.f1 == pytest.approx(0.5)
    assert np.sorts == {"only_a": 1, "only_b": 1, "boundary": 1}


def test_what_rests_on_a_phrase_follows_it(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    by_id = rows(cross_check(ann, bo, names=("ann", "bo")))
    follows = {id: row.beside.get("follows") for id, row in by_id.items()}
    assert follows["p:ne:13-16"] == "p:np:13-17"
    assert follows["p:ne:3-6"] == "p:np:3-6"
    assert follows["p:ne:20-24"] is None


def test_the_document_s_english_phrase(tmp_path: Path) -> None:
    shape = "Passage: p\nEnglish passage\n\n{} say <NP>it</NP> came from <NP>the French</NP>.\n"
    a = put(tmp_path, shape.replace("{} say", "<NP>Some say</NP>"), "chunker.brcc")
    b = put(tmp_path, shape.replace("{}", "<NP>Some</NP>"), "person.brcc")
    check = cross_check(open_test(a), open_test(b), names=("chunker", "person"))
    [row] = check.rows
    assert (row.id, row.cause) == ("p:np:0-8", "boundary")
    assert (quotes(row.a), quotes(row.b)) == (["Some say"], ["Some"])


def decided(check: CrossCheck, **decisions: Any) -> list[Disagreement]:
    """Every line decided for B, but for those that are said otherwise."""
    return [
        msgspec.structs.replace(row, **{"decision": "b", "by": "chen", **decisions.get(row.id, {})})
        for row in check.rows
    ]


def test_a_third_version(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"))
    other = {"decision": "other", "other": ["轩芝", {"span": [5, 6], "quote": "丝"}]}
    gold = adjudicate(ann, bo, check.header, decided(check, **{"p:token:3-6": other}), file="d")
    [passage] = gold.test.records()
    words = [span.quote for span in passage.layers["token"].over(passage.text)]
    assert words[2:4] == ["轩芝", "丝"]
    assert passage.layers["token"].source == "adjudicated(ann,bo)"
    assert gold.decisions == {"b": len(check.rows) - 1, "other": 1}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("轩芝丝", "expected a list"),
        (["芝麻"], "'芝麻' does not occur in the text from 3 on"),
        ([{"span": [3, 99]}], "span 3–99 is outside the text"),
        ([{"span": [3, 6], "quote": "轩芝"}], "span 3–6 reads '轩芝丝', not '轩芝'"),
        ([{"span": "3-6"}], "Expected `array"),
        ([7], "Expected `object"),
    ],
)
def test_a_third_version_that_is_none(
    files: tuple[Test, Test, English], other: Any, message: str
) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"))
    changed = decided(check, **{"p:token:3-6": {"decision": "other", "other": other}})
    with pytest.raises(DataError, match="d:p:token:3-6: other: ") as error:
        adjudicate(ann, bo, check.header, changed, file="d")
    assert message in str(error.value)


def test_decisions_that_contradict_each_other_are_both_named(
    files: tuple[Test, Test, English],
) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"))
    mixed = decided(check, **{"p:np:13-17": {"decision": "a"}})
    gold = adjudicate(ann, bo, check.header, mixed, file="d")
    assert [(conflict.code, conflict.decisions) for conflict in gold.conflicts] == [
        ("ne_off_np", ("p:ne:13-16", "p:np:13-17"))
    ]
    assert gold.conflicts[0].message == "entity '美国' is not a noun phrase"


def test_a_line_without_a_decision_follows_its_phrase(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"))
    undecided = {"decision": None, "by": None}
    rows_ = decided(check, **{"p:np:13-17": {"decision": "a"}, "p:ne:13-16": undecided})
    gold = adjudicate(ann, bo, check.header, rows_, file="d")
    assert gold.undecided == []
    assert gold.conflicts == []
    [passage] = gold.test.records()
    entities = [span.quote for span in passage.layers["ne"].over(passage.text)]
    assert entities == ["轩芝丝", "美国人", "3.3%", "伊藤"]
    counts = gold.test.header.fields["adjudication"]["decided"]
    assert counts["p:ne:13-16"] == {
        "decision": "a",
        "by": "chen",
        "follows": "p:np:13-17",
    }


def test_answer_sentences_are_one_thing_a_question(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"), layers=("answer_sentence",))
    [row] = check.rows
    assert (row.id, row.unit, row.cause) == ("p:p-1:answer_sentence", "p-1", "sentence")
    assert (row.a, quotes(row.b)) == ([], ["赛后，轩芝丝感到灰心丧气。"])


def test_versions_that_changed_since(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    check = cross_check(ann, bo, names=("ann", "bo"))
    with pytest.raises(DataError, match=r"d:p:token:3-6: is about other versions"):
        adjudicate(bo, ann, check.header, decided(check), file="d")
    stale = [*decided(check), msgspec.structs.replace(check.rows[0], id="p:np:0-1", decision="a")]
    with pytest.raises(DataError, match=r"d:p:np:0-1: is not a disagreement of these files"):
        adjudicate(ann, bo, check.header, stale, file="d")
    header = msgspec.structs.replace(check.header, paper="0" * 32)
    with pytest.raises(DataError, match="is about another test"):
        adjudicate(ann, bo, header, decided(check), file="d")


@pytest.mark.parametrize(
    ("a", "b", "given_names", "names"),
    [
        ("ann.brcc", "x/bo.jsonl.gz", [], ("ann", "bo")),
        ("ann/day.brcc", "bo/day.brcc", [], ("ann/day", "bo/day")),
        ("ann.brcc", "ann.brcc", ["安", "博"], ("安", "博")),
    ],
)
def test_names(a: str, b: str, given_names: list[str], names: tuple[str, str]) -> None:
    assert name_two((a, b), given_names, "annotator", with_folder=True) == names


@pytest.mark.parametrize("given_names", [["ann", "ann"], ["ann"], ["a", "b", "c"], []])
def test_names_that_do_not_tell_apart(given_names: list[str]) -> None:
    with pytest.raises(UsageError, match="names"):
        name_two(("ann.brcc", "ann.brcc"), given_names, "annotator", with_folder=True)


def test_what_only_one_marks_twice(files: tuple[Test, Test, English]) -> None:
    ann, _, _ = files
    [passage] = ann.records()
    np = passage.layers["np"]
    twice = msgspec.structs.replace(np, spans=(np.spans[0], *np.spans), columns={})
    layers = {**passage.layers, "np": twice}
    other = in_memory(ann.header, [msgspec.structs.replace(passage, layers=layers)])
    check = cross_check(ann, other, names=("ann", "bo"))
    assert [(row.id, row.cause, row.a, quotes(row.b)) for row in check.rows] == [
        ("p:np:13-16", "repeat", [], ["美国人"])
    ]
    for decision, spans in (("a", np.spans), ("b", twice.spans)):
        rows_ = [msgspec.structs.replace(row, decision=decision) for row in check.rows]
        [gold] = adjudicate(ann, other, check.header, rows_, file="d").test.records()
        assert gold.layers["np"].spans == spans


def test_the_header_has_what_only_b_says(files: tuple[Test, Test, English]) -> None:
    ann, bo, _ = files
    header = Header(
        licence="CC BY 4.0", source="here", language="zh", hidden=("test",), fields={"note": 1}
    )
    with_fields = replace(bo, header=header)
    bare = replace(ann, header=Header(name="ann's"))
    check = cross_check(bare, with_fields, names=("ann", "bo"))
    gold = adjudicate(bare, with_fields, check.header, decided(check), file="d").test.header
    assert (gold.name, gold.licence, gold.source) == ("ann's", "CC BY 4.0", "here")
    assert (gold.language, gold.hidden, gold.fields["note"]) == ("zh", ("test",), 1)
    again = cross_check(replace(ann, header=gold), bo, names=("gold", "cy"))
    third = adjudicate(replace(ann, header=gold), bo, again.header, decided(again), file="d")
    assert third.test.header.fields["adjudication"]["before"] == gold.fields["adjudication"]
