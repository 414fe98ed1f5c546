"""C3's shape: documents with choices, labels beside them."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test

TALK = ["女：灯塔几点开门？", "男：平时九点，冬天十点。"]
ASKED = {"question": "冬天几点开门？", "choice": ["九点", "十点", "十一点"], "answer": "十点"}
YES_NO = {"question": "他们在谈灯塔。", "choice": ["正确", "错误"], "answer": "正确"}
LABELS = "documentID\tquestionIndex\ttype\r\n7-1\t1\tm||0\r\n7-1\t2\tl|c-e||1\r\n"


def saved(path: Path, document: Any, labels: str | None = None) -> Path:
    """The document in a file, its labels beside it."""
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    if labels is not None:
        path.with_suffix(".txt").write_bytes(labels.encode())
    return path


def test_values_are_read(tmp_path: Path) -> None:
    document = [[TALK, [ASKED, YES_NO], "7-1"], [["雨停了。"], [{**ASKED, "answer": ""}], 8]]
    test = open_test(saved(tmp_path / "灯塔.json", document, LABELS))
    assert test.header == Header(name="灯塔")
    first, second = test.records()
    assert (first.id, first.text, second.id) == ("7-1", "\n".join(TALK), "8")
    assert first.questions[0] == Question(
        id="7-1-1",
        text="冬天几点开门？",
        options=("九点", "十点", "十一点"),
        key=QuestionKey(
            answers=(Answer(text="十点"),),
            fields={"knowledge": ["matching"], "support": "single"},
        ),
    )
    assert first.questions[1].key.fields == {
        "knowledge": ["linguistic", "cause_effect"],
        "support": "multiple",
    }
    assert second.questions[0].key is None  # withheld
    assert (test.facts.units, test.facts.count("choices"), test.facts.keyed) == (3, 3, 2)


def test_labels_are_slices_and_hidden(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "t.json", [[TALK, [ASKED, YES_NO], "7-1"]], LABELS))
    marks = readmark.mark(test, {"7-1-1": "十点", "7-1-2": "错误"}, by=["knowledge", "support"])
    scores = {
        label: label_slice.marks["accuracy"].score
        for label, label_slice in marks.by["knowledge"].items()
    }
    assert scores == {"matching": 100.0, "linguistic": 0.0, "cause_effect": 0.0}
    assert all(unit.key is None for unit in test.paper().units())


def test_labels_of_the_published_layout(tmp_path: Path) -> None:
    for name in ("data", "annotation"):
        (tmp_path / name).mkdir()
    (tmp_path / "annotation" / "t.txt").write_text(LABELS)
    packed = tmp_path / "data" / "t.json.gz"
    packed.write_bytes(gzip.compress(json.dumps([[TALK, [ASKED], "7-1"]]).encode()))
    [unit] = open_test(packed).units()
    assert unit.field("support") == "single"


def test_a_text_of_that_name_that_is_no_table_is_left_alone(tmp_path: Path) -> None:
    [unit] = open_test(saved(tmp_path / "t.json", [[TALK, [ASKED], "1"]], "notes\n")).units()
    assert unit.key.fields == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7-1\t1\tx||0", "the type is 'x||0'"),
        ("7-1\t1\tm||7", "the type is 'm||7'"),
        ("7-1\t1\tm", "the type is 'm'"),
        ("7-1\tone\tm||0", "expected documentID, questionIndex, type between tabs"),
        ("7-1 1 m||0", "expected documentID, questionIndex, type between tabs"),
    ],
)
def test_labels_that_are_none(line: str, message: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "t.json", [[TALK, [ASKED], "7-1"]], LABELS + line + "\r\n")
    with pytest.raises(DataError) as caught:
        open_test(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 't.txt'}:4: ")


def test_odd_documents_are_read(tmp_path: Path) -> None:
    without = {name: value for name, value in ASKED.items() if name != "answer"}
    document = [
        [
            ["一行\n两行", ""],
            [{**YES_NO, "hint": "灯"}],
            "m2",
        ],
        [[""], [{**ASKED, "answer": "三点"}], "3"],
        # A number for an id; keys that are withheld by an empty answer, by null, by none.
        [TALK, [{**ASKED, "answer": ""}, {**ASKED, "answer": None}, without, ASKED], 4],
    ]
    test = open_test(saved(tmp_path / "t.json", document))
    first, second, third = test.records()
    assert (first.id, first.text) == ("m2", "一行\n两行\n")
    assert first.questions[0].key.fields == {"hint": "灯"}
    assert (second.text, second.questions[0].key.answers[0].text) == ("", "三点")
    assert (third.id, [value.key is None for value in third.questions]) == (
        "4",
        [True] * 3 + [False],
    )
    # And by way of the native format too.
    save_test(test, tmp_path / "n.jsonl")
    assert list(open_test(tmp_path / "n.jsonl").records()) == [first, second, third]


def test_it_is_not_written(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "t.json", [[TALK, [ASKED], "7-1"]]))
    with pytest.raises(UsageError, match="tests cannot be written as 'c3', only as native, "):
        save_test(test, tmp_path / "again.json", format="c3")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([TALK, [{**ASKED, "choice": "九点"}], "1"], '1-1: schema: choice is "九点", expected'),
        ([TALK, [{**ASKED, "choice": [9]}], "1"], "1-1: schema: choice[0] is 9, expected text"),
        ([TALK, [{**ASKED, "answer": 1}], "1"], "1-1: schema: answer is 1, expected the text of"),
        ([TALK, ["?"], "1"], '1-1: schema: the question is "?", expected an object'),
        ([TALK, [{"choice": []}], "1"], "1-1: schema: question is missing, expected text"),
        ([[1], [ASKED], "1"], "1: schema: the lines[0] is 1, expected text"),
        ([TALK, [ASKED], None], "[1]: schema: the document's id is null, expected"),
        ([TALK, [ASKED]], "[1]: schema: the document is an array, expected [lines, questions, id]"),
        ([TALK, [{**ASKED, "answer": "八点"}], "1"], "1-1: key_option: the key '八点' is none"),
        ([TALK, [{**ASKED, "choice": ["十点", "十点"]}], "1"], "1-1: duplicate_option: has the"),
    ],
)
def test_problems_are_placed(document: Any, message: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "t.json", [[TALK, [ASKED], "0"], document])
    [problem] = check(str(path))
    assert str(problem).startswith(f"{path}:{message}")


def _as_document(passage: Passage) -> list[Any]:
    """A passage in C3's shape, its lines joined."""
    questions = [
        {
            "question": question.text,
            "choice": list(question.options),
            "answer": question.key.answers[0].text if question.key else None,
        }
        for question in passage.questions
    ]
    return [passage.text, questions, passage.id]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "documents", "questions", "options"),
    [
        ("c3-d-dev.json", 1628, 1825, {4: 1512, 3: 313}),
        ("c3-m-dev.json.gz", 1046, 1991, {4: 1669, 3: 152, 2: 170}),
    ],
)
def test_c3_itself(
    name: str, documents: int, questions: int, options: dict[int, int], shared: Path
) -> None:
    path = shared / "data" / "c3" / name
    test = open_test(path)
    facts = test.facts
    assert (facts.records, facts.units, facts.count("choices"), facts.keyed) == (
        documents,
        questions,
        questions,
        questions,
    )
    assert facts.language == "zh"
    units = list(test.units())
    assert Counter(len(unit.item.options) for unit in units) == options
    assert sum(unit.field("support") is not None for unit in units) == 150
    raw = path.read_bytes()
    document = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    assert [_as_document(passage) for passage in test.records()] == [
        ["\n".join(lines), asked, id] for lines, asked, id in document
    ]


@pytest.mark.golden
def test_c3s_labels(shared: Path) -> None:
    support: Counter[str] = Counter()
    knowledge: Counter[str] = Counter()
    for name in ("c3-d-dev.json", "c3-m-dev.json.gz"):
        for unit in open_test(shared / "data" / "c3" / name).units():
            support.update(filter(None, [unit.field("support")]))
            knowledge.update(unit.field("knowledge") or ())
    table = [
        line.rstrip().split("\t")[2]
        for name in ("c3-d-dev.txt", "c3-m-dev.txt")
        for line in (shared / "data" / "c3" / name).read_text().split("\n")[1:]
        if line.strip()
    ]
    assert len(table) == 300
    assert support == {
        "single": sum(labels.endswith("||0") for labels in table),
        "multiple": sum(labels.endswith("||1") for labels in table),
        "independent": sum(labels.endswith("||2") for labels in table),
    }
    assert knowledge["matching"] == sum("m" in labels.split("|") for labels in table)
    assert knowledge["cause_effect"] == sum("c-e" in labels.split("|") for labels in table)
