"""Writing questions: live rules, files for every other command, and earlier work read back."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import openpyxl
import pytest

from readmark.core.errors import DataError
from readmark.core.records import Answer, Layer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.hall.questions import QUESTIONS
from readmark.making.rules.examiner import Examiner
from readmark.making.rules.profiles import profile_named
from shipped_projects import entry, shipped, span, work_of

MILL = Passage(
    id="mill",
    text="The old mill was built in 1820. Its wheel turned until 1902, when the river was moved.",
)
QUAY = Passage(id="quay", text="渡口在城南。老周每天清晨开船，因为学生要过河上学。", language="zh")
HEADER = Header(name="mills", language="en")


WRITTEN = {
    "mill": {
        "m-a": entry(
            "question",
            1,
            question="Why did the mill's wheel stop?",
            answer=span(MILL, "the river was moved"),
            level="3",
        ),
        "m-b": entry(
            "question", 2, question="When was the old mill built?", answer=span(MILL, "1820")
        ),
        "note": {"type": "note", "value": "a short text"},
    }
}


def test_questions_that_the_page_does_not_show_do_not_count() -> None:
    given = tuple(Question(id=f"given-{number}", text="When?") for number in range(7))
    passage = msgspec.structs.replace(MILL, questions=given)
    configuration = shipped("questions")
    [item] = QUESTIONS.divide([in_memory(HEADER, [passage])], configuration)
    assert [*QUESTIONS.check(item, {}, configuration)] == []


def test_the_rules_of_the_profile_are_checked_and_explained() -> None:
    configuration = shipped("questions")
    [item] = QUESTIONS.divide([in_memory(HEADER, [MILL])], configuration)
    objects = {
        "m-1": entry(
            "question",
            1,
            question="The mill was built in 1820",
            answer=span(MILL, "1820"),
        ),
        "m-2": entry("question", 2, question="When did the wheel stop?"),
    }
    found = {(f.code, f.object): f for f in QUESTIONS.check(item, objects, configuration)}
    assert found.keys() == {
        ("copied_wording", "m-1"),
        ("no_question", "m-1"),
        ("answer_in_question", "m-1"),
        ("no_key", "m-2"),
    }
    assert found["no_key", "m-2"].severity == "hint"
    copied = found["copied_wording", "m-1"]
    assert copied.as_json("en")["detail"].startswith("The question repeats the sentence")
    assert copied.as_json("zh")["message"] == "照抄原文"


def test_a_question_that_is_not_answered_yet_lacks_its_key_and_nothing_else() -> None:
    """Also on passages whose phrases people marked, where answer sentences are expected too."""
    passage = msgspec.structs.replace(MILL, layers={"np": Layer(spans=((0, 12),))})
    shipped_rules = shipped("questions")
    for options, expected in (
        (shipped_rules.options, {"no_key": "hint"}),
        ({}, {"no_answer": "hint", "no_sentence": "warning"}),
    ):
        configuration = msgspec.structs.replace(shipped_rules, options=options)
        [item] = QUESTIONS.divide([in_memory(HEADER, [passage])], configuration)
        objects = {"m-1": entry("question", 1, question="When did the wheel stop?")}
        found = [*QUESTIONS.check(item, objects, configuration)]
        assert {finding.code: finding.severity for finding in found} == expected
        assert {type(finding.code) for finding in found} == {str}  # JSON has no other


def test_the_findings_are_those_of_the_command_line(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    configuration = shipped("questions_smart")
    items = list(QUESTIONS.divide([in_memory(HEADER, [MILL])], configuration))
    objects = {"mill": {id: value for id, value in WRITTEN["mill"].items() if id != "note"}}
    live = [
        (finding.object, finding.code)
        for finding in QUESTIONS.check(items[0], objects["mill"], configuration)
    ]
    QUESTIONS.write(work_of(configuration, HEADER, items, Ada=objects), tmp_path)
    done = readmark_cli("check", tmp_path / "people/Ada.jsonl", "--profile", "smart", "--json")
    printed = json.loads(done.stdout)
    assert live == [("m-b", "no_level")]
    assert [problem["code"] for problem in printed["problems"]] == ["no_level"]
    assert "m-b" in printed["problems"][0]["message"]


def test_only_rules_that_a_writer_can_follow_are_checked() -> None:
    configuration = shipped("questions")
    record = Passage(id="mill", text=MILL.text, split="dev")
    [item] = QUESTIONS.divide([in_memory(HEADER, [record])], configuration)
    assert not list(QUESTIONS.check(item, WRITTEN["mill"], configuration))
    test = in_memory(HEADER, [_with_answer(record)])
    codes = {code for _, code, _ in Examiner(profile_named("cmrc")).findings(test)}
    assert "few_answers" in codes


def _with_answer(record: Passage) -> Passage:
    key = QuestionKey(answers=(Answer(text="1820", start=record.text.index("1820")),))
    question = Question(id="q", text="When was the old mill built?", key=key)
    return Passage(id=record.id, text=record.text, split=record.split, questions=(question,))


def test_people_get_a_test_each_and_one_has_all(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    configuration = shipped("questions")
    items = list(QUESTIONS.divide([in_memory(HEADER, [_with_answer(MILL), QUAY])], configuration))
    other = {
        "quay": {"m-a": entry("question", 1, question="谁每天开船？", answer=span(QUAY, "老周"))}
    }
    project = work_of(configuration, HEADER, items, Ada=WRITTEN, Bo=other, Cy={})
    made = QUESTIONS.write(project, tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in made] == [
        "people/Ada.jsonl",
        "people/Bo.jsonl",
        "questions.jsonl",
    ]
    whole = list(open_test(tmp_path / "questions.jsonl").records())
    assert [[question.id for question in record.questions] for record in whole] == [
        ["q", "m-a", "m-b"],
        ["quay-m-a"],
    ]
    key = whole[0].questions[1].key
    assert (key.level, key.answers[0].annotator, key.fields) == (3, "Ada", {"proposer": "Ada"})
    assert whole[0].key.fields == {"notes": {"Ada": "a short text"}}
    assert readmark_cli("check", tmp_path / "questions.jsonl").returncode == 0
    joined = tmp_path / "joined.jsonl"
    done = readmark_cli("set", "join", made[0], made[1], "-o", joined)
    assert done.returncode == 0, done.stderr
    planned = readmark_cli(
        "set", "blind", joined, "-o", tmp_path / "blind", "--each", "1", "--json",
        "--annotator", "Ada", "--annotator", "Bo",
    )  # fmt: skip
    assert json.loads(planned.stdout)["passages"] == {"Ada": ["quay"], "Bo": ["mill"]}


def test_what_was_written_reads_back_and_is_written_the_same(tmp_path: Path) -> None:
    configuration = shipped("questions")
    items = list(QUESTIONS.divide([in_memory(HEADER, [_with_answer(MILL)])], configuration))
    first = QUESTIONS.write(work_of(configuration, HEADER, items, Ada=WRITTEN), tmp_path / "1")
    named = {item.name: item for item in items}
    for path in first:
        [(person, item, objects)] = QUESTIONS.read(path, named, configuration)
        assert (person, item) == ("Ada", "mill")
        assert objects == WRITTEN["mill"]
        again = work_of(configuration, HEADER, items, Ada={item: objects})
        second = QUESTIONS.write(again, tmp_path / path.stem)
        assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_sheets_of_earlier_work_are_read(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]], suffix: str
) -> None:
    configuration = shipped("questions_smart")
    items = {
        item.name: item for item in QUESTIONS.divide([in_memory(HEADER, [MILL])], configuration)
    }
    save_test(in_memory(HEADER, [MILL]), tmp_path / "source.jsonl")
    sheet = tmp_path / f"Bo.{suffix}"
    done = readmark_cli("set", "sheet", tmp_path / "source.jsonl", "-o", sheet, "--rows", "2")
    assert done.returncode == 0, done.stderr
    _fill(sheet, question="When was the old mill built?", answer="1820", level="2")
    [(person, item, objects)] = QUESTIONS.read(sheet, items, configuration)
    assert (person, item) == ("Bo", "mill")
    assert objects["mill-1"]["fields"] == {
        "question": "When was the old mill built?",
        "answer": span(MILL, "1820"),
        "level": "2",
    }
    _fill(sheet, question="When was the old mill built?", answer="1821", level="2")
    with pytest.raises(DataError, match=r"mill-1: the answer '1821' does not occur in the passage"):
        list(QUESTIONS.read(sheet, items, configuration))


def _fill(sheet: Path, **cells: str) -> None:
    """Fill in the first row of a sheet."""
    if sheet.suffix == ".csv":
        rows = list(csv.reader(sheet.read_text("utf-8-sig").splitlines()))
        header = next(row for row in rows if "question" in row)
        first = rows[rows.index(header) + 1]
        for name, cell in cells.items():
            first[header.index(name)] = cell
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
        return
    book = openpyxl.load_workbook(sheet)
    page = book["Questions"]
    columns = {cell.value: cell.column for cell in page[1]}
    for name, text in cells.items():
        page.cell(2, columns[name]).value = text
    book.save(sheet)


def test_a_long_chinese_answer_is_explained_in_chinese() -> None:
    configuration = shipped("questions")
    text = "渡口在城南，" + "老周每天清晨开船送学生过河上学，晚上再把他们一个一个接回来。" * 2
    record = Passage(id="quay", text=text)
    [item] = QUESTIONS.divide([in_memory(Header(language="zh"), [record])], configuration)
    for quote, codes in ((text[6:36], []), (text[6:37], ["long_answer"])):  # 30 and 31 characters
        asked = entry("question", 1, question="学生靠什么办法去上学？", answer=span(record, quote))
        found = list(QUESTIONS.check(item, {"m": asked}, configuration))
        assert [finding.code for finding in found] == codes
    shown = found[0].as_json("zh")
    assert shown["message"] == "答案太长"
    assert "最多 30 个汉字" in shown["detail"]


def test_hidden_splits_and_keys_stay_away_from_annotators() -> None:
    configuration = shipped("questions")
    hidden = Passage(id="secret", text="Nobody reads this.", split="test")
    header = Header(name="mills", language="en", hidden=("test",))
    items = list(QUESTIONS.divide([in_memory(header, [_with_answer(MILL), hidden])], configuration))
    assert [item.name for item in items] == ["mill"]
    assert '"1820"' not in json.dumps(items[0].paper["record"]["questions"])
    assert QUESTIONS.view(items[0], configuration).texts[0].text == MILL.text


def test_practice_compares_rules_and_levels_with_the_key() -> None:
    configuration = shipped("questions_smart")
    model = _with_answer(MILL)
    keyed = model.questions[0]
    assert keyed.key is not None
    key = QuestionKey(answers=keyed.key.answers, level=1)
    model = Passage(
        id="mill", text=MILL.text, questions=(Question(id="q", text=keyed.text, key=key),)
    )
    [item] = QUESTIONS.divide([in_memory(HEADER, [model])], configuration)
    right = entry("question", 1, question="Since when was there a mill?", answer=span(MILL, "1820"))
    assert [f.code for f in QUESTIONS.grade(item, {}, configuration)] == ["no_questions"]
    for level, codes in (("1", []), ("4", ["level"])):
        right["fields"]["level"] = level
        assert [f.code for f in QUESTIONS.grade(item, {"m": right}, configuration)] == codes


@pytest.mark.parametrize(("profile", "name"), [("cmrc", "questions"), ("smart", "questions_smart")])
def test_published_questions_break_the_rules_that_the_command_line_finds(
    shared: Path,
    tmp_path: Path,
    readmark_cli: Callable[..., CompletedProcess[str]],
    profile: str,
    name: str,
) -> None:
    """Forty passages of CMRC 2018's trial set as one person's work, read, checked and written."""
    source = open_test(shared / "data/cmrc2018/trial.json")
    records = [_with_first_answers(record) for record in islice(source.records(), 40)]
    header = Header(name="trial", language="zh")
    save_test(in_memory(header, records), tmp_path / "Ada.jsonl")
    configuration = shipped(name)
    bare = [msgspec.structs.replace(record, questions=()) for record in records]
    items = {item.name: item for item in QUESTIONS.divide([in_memory(header, bare)], configuration)}
    read = QUESTIONS.read(tmp_path / "Ada.jsonl", items, configuration)
    objects = {item: own for _, item, own in read}
    live = Counter(
        finding.code
        for item in items.values()
        for finding in QUESTIONS.check(item, objects[item.name], configuration)
    )
    project = work_of(configuration, header, list(items.values()), Ada=objects)
    [own, _] = QUESTIONS.write(project, tmp_path / "out")
    done = readmark_cli("check", own, "--profile", profile, "--json")
    assert live == Counter(problem["code"] for problem in json.loads(done.stdout)["problems"])
    assert sum(live.values()) > 10


def _with_first_answers(record: Passage) -> Passage:
    questions = []
    for question in record.questions:
        assert question.key is not None
        key = msgspec.structs.replace(question.key, answers=question.key.answers[:1])
        questions.append(msgspec.structs.replace(question, key=key))
    return msgspec.structs.replace(record, questions=tuple(questions))
