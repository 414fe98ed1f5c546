"""Tables of questions: columns by their headings, passages by text, id or file, bad input."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer
from readmark.core.test import Test
from readmark.formats.checks import check
from readmark.formats.conversion import convert
from readmark.formats.inputs import load, save
from readmark.formats.repairs import repair

TEA = "陆羽写成了《茶经》。山水最好，江水次之，井水最差。"
MILL = "The mill was built in 1890. Ada Marlow sold it, and the mill burnt down."
HEAD = ("passage", "question", "answer")


def written(path: Path, rows: Sequence[Sequence[Any]], delimiter: str = ",") -> Path:
    """A table in the format of its name."""
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(list(row))
        book.save(path)
        return path
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    return path


def questions(test: Test) -> list[dict[str, Any]]:
    """Every question as plain values, with its passage's text and id."""
    return [
        {
            "passage": record.text,
            "passage_id": record.id,
            **msgspec.json.decode(msgspec.json.encode(question)),
        }
        for record in test.records()
        for question in record.questions
    ]


def fault(path: Path, **more: Any) -> str:
    """The one line that a table is refused with."""
    with pytest.raises((DataError, UsageError)) as raised:
        convert(path, path.with_name("out.jsonl"), **more)
    assert not path.with_name("out.jsonl").exists()
    return str(raised.value).replace(str(path.parent) + "/", "")


HEADINGS = [
    ("passage", "question", "answer", "level", "type", "split", "id", "title"),
    ("Context", "Question text", "Answers", "Level", "Question Type", "SPLIT", "QID", "Title"),
    ("文章", "问题", "答案", "等级", "题型", "划分", "题号", "标题"),
    ("短文", "题目", "参考答案", "级别", "类型", "划分", "编号", "篇名"),
    ("passage_text", "query", "correct-answer", "level*", "type:", "subset", "ID", "passage title"),
]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
@pytest.mark.parametrize("heads", HEADINGS)
def test_columns_are_known_by_their_headings(
    tmp_path: Path, suffix: str, heads: Sequence[str]
) -> None:
    row = (MILL, "Who sold it?", "Ada Marlow", 2, "Who", "dev", "q1", "The mill")
    path = written(tmp_path / f"t{suffix}", [heads, row], "\t" if suffix == ".tsv" else ",")
    test = load(path)
    (record,) = test.records()
    assert (record.text, record.title, record.split) == (MILL, "The mill", "dev")
    assert questions(test) == [
        {
            "passage": MILL,
            "passage_id": record.id,
            "id": "q1",
            "text": "Who sold it?",
            "key": {
                "answers": [{"text": "Ada Marlow", "start": 28}],
                "type": "Who",
                "level": 2,
            },
        }
    ]
    assert (test.header.name, test.language) == (tmp_path.name, "en")


ANSWERS = [
    (("answer_1", "answer_2", "answer_3"), [None, None, None]),
    (("答案1", "答案2", "答案3"), [None, None, None]),
    (("答案一", "答案二", "答案三"), [None, None, None]),
    (("answer", "answer 2", "answer 3"), [None, None, None]),
    (("answer (Li Wei)", "answer (Bo)", "答案（陈）"), ["Li Wei", "Bo", "陈"]),
]


@pytest.mark.parametrize(("heads", "people"), ANSWERS)
def test_several_answers(tmp_path: Path, heads: Sequence[str], people: list[str | None]) -> None:
    path = written(
        tmp_path / "t.csv",
        [
            ("文章", "问题", *heads),
            (TEA, "谁写的？", "陆羽", "", "泉水"),
            (TEA, "哪种？", "山水", "井水", "水"),
        ],
    )
    first, second = (one["key"]["answers"] for one in questions(load(path)))
    assert [(a["text"], a.get("start"), a.get("annotator")) for a in first] == [
        ("陆羽", 0, people[0]),
        ("泉水", None, people[2]),
    ]
    assert [a.get("start") for a in second] == [10, 20, None]  # 水 is at several places


def test_map_names_the_columns(tmp_path: Path) -> None:
    rows = [("P", "Q", "A1", "A2", "note"), (MILL, "Who?", "Ada", "Ada Marlow", "easy")]
    path = written(tmp_path / "t.csv", rows, ";")
    done = convert(
        path,
        tmp_path / "o.jsonl",
        map={"P": "passage", "Q": "question", "A1": "answer", "A2": "answer"},
    )
    assert done.notes == []
    (found,) = questions(load(tmp_path / "o.jsonl"))
    assert [a["annotator"] for a in found["key"]["answers"]] == ["A1", "A2"]
    assert found["key"]["fields"] == {"note": "easy"}
    by_name = load(path, map={"P": "passage", "Q": "question", "A1": "answer"})
    assert [len(one["key"]["answers"]) for one in questions(by_name)] == [1]


MAPS = {
    "an unknown field": (
        {"Q": "quest"},
        "`map` has the unknown field 'quest' for 'Q'; did you mean question?",
    ),
    "two columns": (
        {"Q": "question", "R": "问题"},
        "`map` has two columns for question: 'Q' and 'R'",
    ),
    "no such column": (
        {"Frage": "question"},
        "t.csv:1: has no column 'Frage', which `map` names; known: P, Q, A",
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_wrong_map(tmp_path: Path, name: str) -> None:
    given, message = MAPS[name]
    path = written(tmp_path / "t.csv", [("P", "Q", "A"), (MILL, "Who?", "Ada")])
    assert fault(path, map=given) == message


def test_a_map_of_a_file_without_columns(tmp_path: Path) -> None:
    save(comprehension(passage("a", asked("a1", "x"))), tmp_path / "t.jsonl")
    with pytest.raises(UsageError, match=r"t\.jsonl has none: it is no table of questions"):
        load(tmp_path / "t.jsonl", map={"Q": "question"})


CHOICES = [
    (("A", "B", "C", "D"), "b", "1890"),
    (("option A", "option B", "option C", "option D"), "(B)", "1890"),
    (("选项A", "选项B", "选项C", "选项D"), "Ｂ", "1890"),
    (("option_1", "option_2", "option_3", "option_4"), "2", "1890"),
    (("A选项", "B选项", "C选项", "D选项"), "1890", "1890"),
]


@pytest.mark.parametrize(("heads", "key", "right"), CHOICES)
def test_options(tmp_path: Path, heads: Sequence[str], key: str, right: str) -> None:
    rows = [
        ("passage", "question", *heads, "answer"),
        (MILL, "When?", "1789", "1890", "1901", "", key),
        (MILL, "Who sold it?", "", "", "", "", "Ada Marlow"),
    ]
    closed, free = questions(load(written(tmp_path / "t.csv", rows)))
    assert closed["options"] == ["1789", "1890", "1901"]
    assert closed["key"]["answers"] == [{"text": right}]
    assert "options" not in free
    assert free["key"]["answers"] == [{"text": "Ada Marlow", "start": 28}]


def test_options_in_one_cell(tmp_path: Path) -> None:
    rows = [("passage", "question", "options", "answer")]
    rows += [(MILL, "When?", "1789 | 1890", "A"), (MILL, "Then?", "1789\n1890", "B")]
    found = questions(load(written(tmp_path / "t.csv", rows)))
    assert [one["options"] for one in found] == [["1789", "1890"]] * 2
    assert [one["key"]["answers"][0]["text"] for one in found] == ["1789", "1890"]


KEYS = {
    ("4", "3", "2", "2"): "the answer '2' is the text of '2' and the number of '3'",
    ("B", "C", "D", "B"): "the answer 'B' is the text of 'B' and the letter of 'C'",
    ("x", "y", "z", "E"): "the answer 'E' is none of 3 options, by letter, text or number",
}


@pytest.mark.parametrize("cells", KEYS)
def test_an_answer_that_is_no_option(tmp_path: Path, cells: tuple[str, ...]) -> None:
    rows = [("passage", "question", "A", "B", "C", "answer"), (MILL, "Which?", *cells)]
    assert KEYS[cells] in fault(written(tmp_path / "t.csv", rows))


# Passages: below an empty cell, by id, by file.


def test_an_empty_passage_cell_repeats_the_one_above(tmp_path: Path) -> None:
    rows = [("title", "passage", "question", "answer"), ("Tea", TEA, "谁？", "陆羽")]
    rows += [
        ("", "", "哪种？", "山水"),
        ("Mill", MILL, "Who?", "Ada Marlow"),
        ("", "", "When?", "1890"),
    ]
    found = list(load(written(tmp_path / "t.csv", rows)).records())
    assert [(one.title, one.text, len(one.questions)) for one in found] == [
        ("Tea", TEA, 2),
        ("Mill", MILL, 2),
    ]


def by_folder(folder: Path) -> Path:
    (folder / "texts").mkdir()
    (folder / "texts/tea.txt").write_bytes(TEA.encode("gb18030") + b"\r\n")
    (folder / "texts/mill.txt").write_text(MILL + "\n")
    return folder / "texts"


def by_table(folder: Path) -> Path:
    return written(folder / "passages.csv", [("文章编号", "文章"), ("tea", TEA), ("mill", MILL)])


def by_test(folder: Path) -> Path:
    save(comprehension(passage("tea", text=TEA), passage("mill", text=MILL)), folder / "p.jsonl")
    return folder / "p.jsonl"


@pytest.mark.parametrize("made", [by_folder, by_table, by_test])
@pytest.mark.parametrize("head", ["passage_id", "file", "passage"])
@pytest.mark.parametrize("name", ["tea", "tea.txt"])
def test_passages_of_another_file(
    tmp_path: Path, made: Callable[[Path], Path], head: str, name: str
) -> None:
    path = written(tmp_path / "t.csv", [(head, "question", "answer"), (name, "谁？", "陆羽")])
    convert(path, tmp_path / "o.jsonl", passages=made(tmp_path))
    (found,) = questions(load(tmp_path / "o.jsonl"))
    assert (found["passage"], found["key"]["answers"][0]["start"]) == (TEA, 0)


def test_files_next_to_the_table(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text(TEA)
    rows = [("file", "question", "answer"), ("tea.txt", "谁？", "陆羽"), ("", "哪种？", "山水")]
    (record,) = load(written(tmp_path / "t.csv", rows)).records()
    assert (record.id, record.text, len(record.questions)) == ("tea", TEA, 2)


def test_a_sheet_of_passages(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "notes"
    book.active.append(["These are our questions"])
    asked_sheet = book.create_sheet("questions")
    for row in (["passage_id", "question", "answer"], ["tea", "谁？", "陆羽"]):
        asked_sheet.append(row)
    texts = book.create_sheet("texts")
    for row in (["id", "text"], ["tea", TEA]):
        texts.append(row)
    book.save(tmp_path / "t.xlsx")
    (found,) = questions(load(tmp_path / "t.xlsx"))
    assert (found["passage_id"], found["passage"], found["id"]) == ("tea", TEA, "tea-1")


def test_a_second_sheet_of_questions_is_not_passed_over(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "monday"
    for sheet in (book.active, book.create_sheet("tuesday")):
        sheet.append(["passage", "question", "answer"])
        sheet.append([MILL, f"What of {sheet.title}?", "Ada Marlow"])
    book.save(tmp_path / "t.xlsx")
    assert fault(tmp_path / "t.xlsx") == (
        "t.xlsx: sheets 'monday' and 'tuesday' have the same columns: keep only one of them"
    )


PASSAGES = {
    ("passage_id", "tea"): "t.csv:1: gives passages by id: `passages` names the folder, table or "
    "test that has them",
    ("file", "tea.txt"): "t.csv:2: schema: there is no file 'tea.txt' next to the table: use "
    "`passages`",
    ("file", "../tea.txt"): "t.csv:2: schema: '../tea.txt' is not in the folder of the table: use "
    "`passages`",
    ("passage", ""): "t.csv:2: schema: has no passage",
}


@pytest.mark.parametrize("cell", PASSAGES)
def test_passages_that_are_not_there(tmp_path: Path, cell: tuple[str, str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "tea.txt").write_text(TEA)
    rows = [(cell[0], "question", "answer"), (cell[1], "谁？", "陆羽")]
    assert fault(written(tmp_path / "in/t.csv", rows)) == PASSAGES[cell]


def test_an_unknown_passage(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", [("passage_id", "question"), ("coffee", "谁？")])
    texts = by_folder(tmp_path)
    said = fault(path, passages=texts)
    assert said.startswith("t.csv:2: schema: passage 'coffee' is not among the 2 of ")
    assert said.endswith("(mill, tea)")


# Bad input.


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_the_delimiter_is_detected(tmp_path: Path, delimiter: str, suffix: str) -> None:
    rows = [HEAD, (MILL + "\nA | B; C, D", "Who?", "Ada Marlow")]
    (found,) = questions(load(written(tmp_path / f"t{suffix}", rows, delimiter)))
    assert found["passage"] == MILL + "\nA | B; C, D"


ENCODINGS = ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    marks = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    text = f"文章,问题,答案\r\n{TEA * 3},谁？,陆羽写成\r\n"
    (tmp_path / "t.csv").write_bytes(marks.get(encoding, b"") + text.encode(encoding))
    (found,) = questions(load(tmp_path / "t.csv"))
    assert (found["passage"], found["text"]) == (TEA * 3, "谁？")


def test_what_is_above_the_headings_and_empty_rows(tmp_path: Path) -> None:
    rows = [("Reading test 2026", "", ""), (), HEAD, (), (MILL, "Who?", "Ada Marlow"), ("", "", "")]
    assert len(questions(load(written(tmp_path / "t.csv", rows)))) == 1
    rows.insert(0, ("# Write one question per row.", "", ""))
    assert len(questions(load(written(tmp_path / "t.csv", rows)))) == 1


def test_a_column_of_numbers_without_a_heading_is_passed_over(tmp_path: Path) -> None:
    rows = [("", *HEAD), ("0", MILL, "Who?", "Ada Marlow")]
    (found,) = questions(load(written(tmp_path / "t.csv", rows)))
    assert "fields" not in found["key"]


FAULTS = {
    "no question column": (
        [("text", "Frage", "answer"), (MILL, "Wer?", "Ada")],
        "t.csv:1: has no column for the question; columns: text, Frage, answer; looked for: "
        "question, query, question text, question stem, stem, 问题, 题目, 提问, 题干, 问句; "
        "name yours with `map`, such as COLUMN=question",
    ),
    "no passage column": (
        [("question", "answer"), ("Who?", "Ada")],
        "t.csv:1: has no column for the passage; columns: question, answer; looked for: "
        "passage, context, passage text, paragraph, story, document, 文章, 篇章, 短文, 段落, 材料, "
        "阅读材料; name yours with `map`, such as COLUMN=passage",
    ),
    "an id twice": (
        [("id", *HEAD), ("q", MILL, "Who?", "Ada"), (), ("q", MILL, "When?", "1890")],
        "t.csv:4: duplicate_id: id 'q' occurs twice, first in row 2",
    ),
    "an answer alone": (
        [HEAD, (MILL, "", "Ada")],
        "t.csv:2: schema: has an answer and no question",
    ),
    "too many cells": (
        [HEAD, (MILL, "Who?", "Ada", "Bo")],
        "t.csv:2: has 4 cells, expected 3",
    ),
    "a start that is no number": (
        [(*HEAD, "answer_start"), (MILL, "Who?", "Ada", "x")],
        "t.csv:2: schema: the start of an answer is 'x', expected a number",
    ),
    "neither yes nor no": (
        [(*HEAD, "unanswerable"), (MILL, "Who?", "", "maybe")],
        "t.csv:2: schema: unanswerable is 'maybe', expected yes or no",
    ),
    "nothing asked": (
        [HEAD, (MILL, "", "")],
        "t.csv:1: empty: no row has a question",
    ),
    "a heading twice": (
        [("passage", "question", "question", "answer"), (MILL, "Who?", "When?", "Ada")],
        "t.csv:1: two columns are called 'question'",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_are_placed(tmp_path: Path, case: str) -> None:
    rows, message = FAULTS[case]
    assert fault(written(tmp_path / "t.csv", rows)) == message


def test_an_open_quotation(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('passage,question,answer\n"The mill,Who?,Ada\n')
    assert fault(tmp_path / "t.csv").startswith("t.csv:2: is not a valid table (")


def test_an_answer_that_is_not_in_the_passage(tmp_path: Path) -> None:
    rows = [("id", *HEAD), ("a", MILL, "Who?", "Bo"), ("b", MILL, "Who?", " Ada Marlow ")]
    path = written(tmp_path / "t.csv", rows)
    (problem,) = check(str(path))
    assert (problem.where, problem.code, problem.severity) == (2, "not_in_passage", "warning")
    assert problem.message == "a: the answer 'Bo' is not in the passage"
    done = convert(path, tmp_path / "o.jsonl")
    assert list(done.notes) == [
        "answers that are not in the passage, taken as free text: 1 (line 2)"
    ]
    free, placed = questions(load(tmp_path / "o.jsonl"))
    assert free["key"]["answers"] == [{"text": "Bo"}]
    assert placed["key"]["answers"] == [{"text": "Ada Marlow", "start": 28}]


def test_a_question_without_text_is_reported(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.csv", [("id", *HEAD), ("q1", MILL, "", "Ada"), ("q2", MILL, "", "")]
    )
    assert [(problem.where, problem.code) for problem in check(str(path))] == [(2, "empty_text")]
    test = comprehension(passage("m", asked("q", text=""), text=MILL))
    lost = "questions without text and answers cannot be stored (1: q)"
    assert save(test, tmp_path / "o.csv") == [lost]


def test_unanswerable_and_withheld(tmp_path: Path) -> None:
    rows = [
        (*HEAD, "无法回答"),
        (MILL, "Why?", "", "是"),
        (MILL, "How?", "", "否"),
        (MILL, "So?", "", ""),
    ]
    first, second, third = questions(load(written(tmp_path / "t.csv", rows)))
    assert first["key"] == {"unanswerable": True}
    assert "key" not in second
    assert "key" not in third


@pytest.mark.slow
def test_many_rows_in_bounded_memory(tmp_path: Path) -> None:
    """Texts that rows repeat are held once: far less than the file, whatever its length."""
    import tracemalloc

    text = "The mill was built in 1890 near the river. " * 120
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", *HEAD))
        writer.writerows((f"q{n}", f"{n // 50} {text}", "When?", "river") for n in range(4_000))
    tracemalloc.start()
    units = sum(len(record.questions) for record in load(tmp_path / "t.csv").records())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert units == 4_000
    assert (tmp_path / "t.csv").stat().st_size > 20_000_000
    assert peak < 9_000_000


# Writing and reading back.


def everything() -> Test:
    spelt = {"text": "Which?", "options": ("-1", "=2", "B")}
    mill = passage(
        "mill",
        asked("=q1", ("Li", "1890"), ("Bo", "1890"), ("Bo", "in 1890"), text="-When?", level=3),
        asked("q2", "the mill", type="What-NP", difficulty="hard", key_fields={"start": "x"}),
        asked("q3", unanswerable=True, text="Why,\r\n\"so\"; |\t'quoted'?"),
        asked("q4", "=2", **spelt),
        asked("q5", key=False, text="+5 or @home?"),
        text="\t-The mill was built in 1890.\r\n'=A1' stood there; the mill, \"old\".",
        title="Mill",
        article="Mills",
        dateline="Ely, 1921",
        genre="story",
        topic="work",
        split="dev",
        parallel="mühle",
    )
    return comprehension(mill, passage("-5", asked("q6", "-5"), text="It was -5 there."), name="t")


PUBLIC = ["xquad/zh.json", "cmrc2018/trial.json", "drcd/dev.json.gz"]


@pytest.mark.golden
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
@pytest.mark.parametrize("file", PUBLIC)
def test_a_round_trip_of_public_tests(tmp_path: Path, shared: Path, file: str, suffix: str) -> None:
    test, _ = repair(load(shared / "data" / file))
    save(test, tmp_path / f"t{suffix}")
    back = load(tmp_path / f"t{suffix}").facts
    assert (back.paper, back.key) == (test.facts.paper, test.facts.key)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".csv.gz"])
def test_a_round_trip(tmp_path: Path, suffix: str) -> None:
    test, _ = repair(everything())  # answers have places where the text leaves no doubt
    path = tmp_path / f"t{suffix}"
    assert save(test, path) == []
    back = load(path)
    assert (back.facts.paper, back.facts.key) == (test.facts.paper, test.facts.key)
    mill, _ = back.records()
    assert mill == msgspec.structs.replace(next(test.records()), questions=mill.questions)
    again = tmp_path / f"again{suffix}"
    save(back, again)
    if suffix != ".csv.gz":
        assert again.read_bytes() == path.read_bytes()


def test_an_answer_at_several_places_keeps_its_place(tmp_path: Path) -> None:
    question = asked("q1", level=1)
    answer = Answer(text="the mill", start=MILL.rindex("the mill"))
    key = msgspec.structs.replace(question.key, answers=(answer,))
    test = comprehension(
        passage("m", msgspec.structs.replace(question, key=key), text=f"the mill. {MILL}")
    )
    save(test, tmp_path / "t.csv")
    assert "answer,answer_start" in (tmp_path / "t.csv").read_text("utf-8-sig").split("\n")[0]
    assert load(tmp_path / "t.csv").facts.key == test.facts.key


def test_what_is_lost_is_named(tmp_path: Path) -> None:
    test = comprehension(
        passage("m", asked("q", "1890", key_fields={"n": 3, "tags": ["a", "b"]}), text=MILL),
        passage("bare", text=TEA),
        licence="CC0-1.0",
    )
    assert save(test, tmp_path / "t.csv") == [
        "the header's (licence) cannot be stored (1: made)",
        "fields (tags) cannot be stored (1: q)",
        "fields (n) are read back as text (1: q)",
        "passages without questions cannot be stored (1: bare)",
    ]


def test_a_passage_too_long_for_a_cell(tmp_path: Path) -> None:
    test = comprehension(passage("m", asked("q", "x"), text="x" * 40_000))
    with pytest.raises(DataError, match="a text of 40,000 characters does not fit into a cell"):
        save(test, tmp_path / "t.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_marked(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", [("id", *HEAD), ("q1", MILL, "Who?", "Ada Marlow")])
    assert readmark.mark(str(path), {"q1": "Ada Marlow"}, metrics=["em"])["em"].score == 100


def test_columns_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count where the table has them, and `map` comes before them."""
    monkeypatch.chdir(tmp_path)
    text = '[columns]\nquestion = ["frage", "prompt"]\nanswer = "gold"\nlevel = "elsewhere"\n'
    (tmp_path / "readmark.toml").write_text(text)
    path = tmp_path / "t.csv"
    path.write_text("prompt,gold,other,context\nWho?,Ann,Bo,Ann and Bo row.\n")
    unit = next(iter(load(path).records())).questions[0]
    assert (unit.text, [answer.text for answer in unit.key.answers]) == ("Who?", ["Ann"])
    unit = next(iter(load(path, map={"other": "answer"}).records())).questions[0]
    assert [answer.text for answer in unit.key.answers] == ["Bo"]
    text = '[columns]\nquestion = ["prompt", "frage"]\nanswer = ["gold", "other", "none"]\n'
    (tmp_path / "readmark.toml").write_text(text)
    path.write_text("frage,prompt,gold,other,context\nWer?,Who?,Ann,Bo,Ann and Bo row.\n")
    unit = next(iter(load(path).records())).questions[0]
    assert unit.text == "Who?"
    assert [(answer.text, answer.annotator) for answer in unit.key.answers] == [
        ("Ann", "gold"),
        ("Bo", "other"),
    ]
    (tmp_path / "readmark.toml").write_text('[columns]\nqestion = "prompt"\n')
    with pytest.raises(
        DataError,
        match=r"^readmark\.toml:2: columns\.qestion: unknown field; did you mean question\?$",
    ):
        load(path)
