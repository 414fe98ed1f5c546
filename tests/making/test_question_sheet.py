"""``set sheet``: what authors get, and that it comes back through ``convert``."""

from __future__ import annotations

import csv
import io
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from made import asked, comprehension, passage
from readmark.comprehension.levels.decision import levelled
from readmark.comprehension.question_rules.guidelines import guideline_profiles, question_guidelines
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.formats.inputs import load, save
from readmark.making.question_sheet import write_question_sheet

TEA = "陆羽写成了《茶经》。山水最好，江水次之，井水最差。"
MILL = "=The mill was built in 1890, and Ada Marlow sold it."


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of text files."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/mill.txt").write_text(MILL + "\n")
    (tmp_path / "texts/-pond.txt").write_text("A heron stood in the pond.\n")
    return tmp_path / "texts"


def test_a_workbook(texts: Path, tmp_path: Path) -> None:
    result = write_question_sheet(texts, tmp_path / "s.xlsx", rows=2, answers=2)
    assert result.as_json() == {
        "output": str(tmp_path / "s.xlsx"),
        "language": "en",
        "passages": 2,
        "rows": 4,
        "profile": None,
        "test": None,
    }
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    assert book.sheetnames == ["Guidelines", "Questions", "Passages"]
    sheet = book["Questions"]
    assert [[cell.value for cell in row][:2] for row in sheet.iter_rows()] == [
        ["passage_id", "title"],
        ["-pond", None],
        ["-pond", None],
        ["mill", None],
        ["mill", None],
    ]
    assert [cell.value for cell in sheet[1]][2:] == [
        "question",
        "answer_1",
        "answer_2",
        "level",
        "type",
    ]
    offered = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert offered == {
        "F2:F1048576": '"1,2,3,4"',
        "G2:G1048576": '"Who,What-DEF,What-VP,What-NP,What-OTH,Which,When,Where,Why,Yes/No,How,'
        'Others"',
    }
    assert book["Passages"]["C3"].value == MILL
    assert book["Passages"]["C3"].data_type == "s"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_guidelines_have_the_documents_rules_and_examples(language: str) -> None:
    plain = question_guidelines(language)
    lettered = question_guidelines(language, choices=True)
    assert len(plain) == len(lettered)
    assert [
        plain_line
        for plain_line, lettered_line in zip(plain, lettered, strict=True)
        if plain_line != lettered_line
    ]
    levels = {"en": "Example, level ", "zh": "例（"}[language]
    levels_shown = [line.removeprefix(levels)[0] for line in plain if line.startswith(levels)]
    assert levels_shown == ["1", "2", "3", "3", "4"]  # the document's five sorts
    assert guideline_profiles() == ("cmrc", "smart")
    for profile, words in (("cmrc", "30"), ("smart", "SMART")):
        lines = [
            line for line in question_guidelines(language, profile=profile) if line not in plain
        ]
        assert lines
        assert words in "".join(lines)
    # SMART asks for level 1 too, whose questions keep the words of the passage.
    own_words = {"en": "own words", "zh": "自己的话"}[language]
    assert own_words in "".join(plain)
    assert own_words not in "".join(question_guidelines(language, profile="smart"))
    with pytest.raises(UsageError, match="no guidelines of 'squad'"):
        question_guidelines(language, profile="squad")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_examples_are_of_the_level_that_they_show(language: str) -> None:
    """The guidelines' own examples, by the rules that set levels."""
    table = files("readmark.comprehension") / "data" / "guidelines" / f"{language}.toml"
    for example in tomllib.loads(table.read_text("utf-8"))["levels"]["examples"]:
        assert example["answer"] in example["passage"]
        key = QuestionKey(answers=(Answer(text=example["answer"]),))
        question = Question(id="q", text=example["question"], key=key)
        judged = levelled(question, Passage(id="p", text=example["passage"]), language)
        assert judged.level == example["level"], (example["question"], judged.why)


def fill_in(path: Path, row: int, cells: dict[str, Any]) -> None:
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[1]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for name, value in cells.items():
        sheet.cell(row, columns[name]).value = value
    book.save(path)


def test_a_workbook_comes_back(texts: Path, tmp_path: Path) -> None:
    write_question_sheet(texts, tmp_path / "s.xlsx", rows=2)
    cells = {"question": "Who sold it?", "answer": "Ada Marlow", "level": 1, "type": "Who"}
    fill_in(tmp_path / "s.xlsx", 4, cells)
    (record,) = load(tmp_path / "s.xlsx").records()
    (question,) = record.questions
    assert (record.id, record.text) == ("mill", MILL)
    assert (question.id, question.text, question.key.level) == ("mill-1", "Who sold it?", 1)
    (answer,) = question.key.answers
    assert (answer.text, answer.start) == ("Ada Marlow", MILL.index("Ada"))


def test_chinese_with_options(tmp_path: Path) -> None:
    test = comprehension(passage("茶", asked("q", "陆羽"), text=TEA, title="《茶经》"))
    save(test, tmp_path / "t.jsonl")
    write_question_sheet(tmp_path / "t.jsonl", tmp_path / "s.xlsx", rows=1, choices=3)
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    assert book.sheetnames == ["说明", "题目", "篇章"]
    heads = ["篇章编号", "标题", "问题", "选项A", "选项B", "选项C", "答案", "等级", "题型"]
    assert [cell.value for cell in book["题目"][1]] == heads
    assert "字母" in str([cell.value for (cell,) in book["说明"].iter_rows()])
    assert TEA in [cell.value for row in book["篇章"].iter_rows() for cell in row]
    assert "谁" not in str([cell.value for row in book["题目"].iter_rows() for cell in row])
    fill_in(
        tmp_path / "s.xlsx",
        2,
        {"问题": "哪种水最好？", "选项A": "江水", "选项B": "山水", "选项C": "井水", "答案": "B"},
    )
    (record,) = load(tmp_path / "s.xlsx").records()
    (question,) = record.questions
    assert question.options == ("江水", "山水", "井水")
    assert question.key.answers[0].text == "山水"
    assert record.title == "《茶经》"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_csv(texts: Path, tmp_path: Path, suffix: str, language: str) -> None:
    path = tmp_path / f"s{suffix}"
    write_question_sheet(texts, path, rows=2, language=language)
    text = path.read_text("utf-8-sig")
    delimiter = "\t" if suffix == ".tsv" else ","
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    notes = [row for row in rows if row[0].startswith("# ")]
    assert notes == [[f"# {line}"] for line in question_guidelines(language)]
    head, *filled = rows[len(notes) :]
    assert len(filled) == 4
    assert filled[2][2] == f"'{MILL}"
    filled[3][head.index("问题" if language == "zh" else "question")] = "Who?"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, delimiter=delimiter).writerows([*notes, head, *filled])
    (record,) = load(path).records()
    assert (record.id, record.text, record.questions[0].text) == ("mill", MILL, "Who?")


def test_bad_usage(texts: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a sheet ends in \.xlsx, \.csv or \.tsv"):
        write_question_sheet(texts, tmp_path / "s.jsonl")
    (tmp_path / "empty.csv").write_text("id,text\n")
    with pytest.raises(DataError, match="holds no passages"):
        write_question_sheet(tmp_path / "empty.csv", tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_the_command(readmark_cli: Any, texts: Path, tmp_path: Path) -> None:
    done = readmark_cli("set", "sheet", texts, "-o", tmp_path / "s.csv", "--rows", "1")
    assert done.returncode == 0, done.stderr
    assert "2 passages, 2 rows to fill in; then: readmark set collect" in done.stderr
    done = readmark_cli("convert", tmp_path / "s.csv", tmp_path / "t.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    heading = len(question_guidelines("en")) + 1
    assert done.stderr.endswith(f"s.csv:{heading}: empty: no row has a question\n")


def test_answers_may_come_back_in_a_workbook(readmark_cli: Any, tmp_path: Path) -> None:
    """Sheets of other commands are read as XLSX too."""
    save(comprehension(passage("p", asked("q", "1890"), text=MILL)), tmp_path / "t.jsonl")
    done = readmark_cli(
        "set", "blind", "t.jsonl", "-o", "out", "--annotator", "eva", "--each", "1", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    with (tmp_path / "out/eva.answers.csv").open(encoding="utf-8-sig", newline="") as stream:
        head, row = csv.reader(stream)
    row[head.index("answer")] = "in 1890"
    book = openpyxl.Workbook()
    book.active.append(head)
    book.active.append(row)
    book.save(tmp_path / "eva.answers.xlsx")
    done = readmark_cli(
        "set", "merge", "t.jsonl", "eva.answers.xlsx", "-o", "merged.jsonl", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (record,) = load(tmp_path / "merged.jsonl").records()
    answers = [(answer.annotator, answer.text) for answer in record.questions[0].key.answers]
    assert ("eva", "in 1890") in answers
