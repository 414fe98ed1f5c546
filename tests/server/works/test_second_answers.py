"""Second answers: blind, a sitting for each person, and a key with everybody's answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.making.hall.second_answers import SECOND_ANSWERS
from readmark.works import Objects, PersonsWork
from shipped_projects import entry, shipped, span, work_of

TEXT = "The old mill was built in 1820. Its wheel turned until 1902, when the river was moved."
HEADER = Header(name="mills", language="en")


def _question(id: str, text: str, *answers: str) -> Question:
    given = tuple(Answer(text=one, start=TEXT.index(one), annotator="Eve") for one in answers)
    return Question(id=id, text=text, key=QuestionKey(answers=given, unanswerable=not answers))


MILL = Passage(
    id="mill",
    text=TEXT,
    questions=(
        _question("built", "When was the old mill built?", "1820"),
        _question("why", "Why did the wheel stop?", "the river was moved"),
        _question("who", "Who owned the mill?"),
    ),
)
TEST = in_memory(HEADER, [MILL, Passage(id="bare", text="Nothing is asked here.")])
CONFIGURATION = shipped("second_answers")
[ITEM] = SECOND_ANSWERS.divide([TEST], CONFIGURATION)
NONE = {"unanswerable": True}


def _answers(**fields: object) -> dict[str, dict[str, dict[str, object]]]:
    view = SECOND_ANSWERS.view(ITEM, CONFIGURATION).objects
    made = {f"q-{number[1:]}": {"fields": given} for number, given in fields.items()}
    return {"mill": {id: {**view[id], **made[id]} for id in view if id in made}}


ADA = _answers(
    q1={"answer": span(MILL, "in 1820")}, q2={"answer": span(MILL, "the river")}, q3=NONE
)
BO = _answers(q1={"answer": span(MILL, "1820")}, q2={"answer": span(MILL, "the river was moved")})


def test_annotators_see_the_questions_and_nothing_of_the_key() -> None:
    view = SECOND_ANSWERS.view(ITEM, CONFIGURATION)
    assert [value["prompt"] for value in view.objects.values()] == [
        question.text for question in MILL.questions
    ]
    shown = json.dumps([ITEM.paper, view.objects])
    assert "Eve" not in shown
    assert "unanswerable" not in shown
    assert ITEM.key["known_by"] == ["Eve"]


def test_everybodys_answers_are_in_the_key_and_people_are_marked(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    project = work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO, Cy={})
    made = SECOND_ANSWERS.write(project, tmp_path)
    assert [path.name for path in made] == ["Ada.jsonl", "Bo.jsonl", "answers.jsonl"]
    [record] = open_test(tmp_path / "answers.jsonl").records()
    assert [[(a.annotator, a.text) for a in q.key.answers] for q in record.questions] == [
        [("Eve", "1820"), ("Ada", "in 1820"), ("Bo", "1820")],
        [("Eve", "the river was moved"), ("Ada", "the river"), ("Bo", "the river was moved")],
        [],
    ]
    assert readmark_cli("check", made[-1]).returncode == 0
    source = tmp_path / "source.jsonl"
    save_test(TEST, source)
    marks = json.loads(readmark_cli("mark", source, made[0], "--json").stdout)
    # "in 1820" for "1820": 1 of 2 words, 1 of 1. "the river" for "the river was moved" is
    # "river" for "river was moved": 1 of 1, 1 of 3. SQuAD's rules drop articles.
    assert marks["per_unit"]["built"]["f1"] == pytest.approx(2 / 3)
    assert marks["per_unit"]["why"]["f1"] == pytest.approx(1 / 2)
    assert marks["per_unit"]["who"]["f1"] == 1
    merged = readmark_cli("set", "merge", source, *made[:2], "-o", tmp_path / "merged.jsonl")
    assert merged.returncode == 0, merged.stderr
    lines = (tmp_path / "merged.jsonl").read_bytes().splitlines()
    assert lines[:2] == made[-1].read_bytes().splitlines()  # the third is the bare passage
    people = json.loads(readmark_cli("people", made[-1], "--json").stdout)
    assert set(people["each"]) == {"Ada", "Bo", "Eve"}
    printed = json.loads(readmark_cli("set", "agree", *made[:2], "--json").stdout)
    live = agree(open_annotators([str(path) for path in made[:2]]))
    assert printed == json.loads(json.dumps(live.as_json()))


@pytest.mark.parametrize("profile", [None, "squad", "zh"])
def test_practice_shows_what_mark_gives(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]], profile: str | None
) -> None:
    test = in_memory(Header(name="mills", language="en", profile=profile), [MILL])
    [item] = SECOND_ANSWERS.divide([test], CONFIGURATION)
    [built, why] = SECOND_ANSWERS.grade(item, ADA["mill"], CONFIGURATION)
    assert (built.object, why.object) == ("q-1", "q-2")
    assert why.as_json("zh")["detail"] == "参考答案：the river was moved"
    save_test(test, tmp_path / "source.jsonl")
    made = SECOND_ANSWERS.write(work_of(CONFIGURATION, test.header, [item], Ada=ADA), tmp_path)
    marks = json.loads(readmark_cli("mark", tmp_path / "source.jsonl", made[0], "--json").stdout)
    for finding, id in ((built, "built"), (why, "why")):
        shown = finding.as_json("en")["message"]
        assert shown == f"F1 {100 * marks['per_unit'][id]['f1']:.2f}"
    [missing] = SECOND_ANSWERS.grade(item, BO["mill"], CONFIGURATION)
    assert (missing.code, missing.object) == ("no_answer", "q-3")


def test_a_sitting_of_the_open_splits_is_marked_with_the_whole_test(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    asked = (Question(id="quay", text="Where?", key=QuestionKey(unanswerable=True)),)
    records = [
        msgspec.structs.replace(MILL, split="dev"),
        Passage(id="bank", text="The bank opens at nine.", split="test", questions=asked),
    ]
    whole = in_memory(Header(name="mills", language="en", hidden=("test",)), records)
    items = list(SECOND_ANSWERS.divide([whole], CONFIGURATION))
    made = SECOND_ANSWERS.write(work_of(CONFIGURATION, whole.header, items, Ada=ADA), tmp_path)
    save_test(whole, tmp_path / "whole.jsonl")
    done = readmark_cli("mark", tmp_path / "whole.jsonl", made[0], "--json")
    assert json.loads(done.stdout)["units"] == 3, done.stderr


def test_a_question_without_an_answer_is_named_and_two_statements_clash() -> None:
    both = _answers(q1={"answer": span(MILL, "1820"), **NONE}, q2=NONE)
    found = [(f.code, f.object) for f in SECOND_ANSWERS.check(ITEM, both["mill"], CONFIGURATION)]
    assert found == [("unanswerable", "q-1"), ("missing", "q-3")]


def test_an_answer_to_what_the_key_calls_unanswerable_is_kept(tmp_path: Path) -> None:
    someone = _answers(q3={"answer": span(MILL, "the river")})
    SECOND_ANSWERS.write(work_of(CONFIGURATION, HEADER, [ITEM], Ada=someone), tmp_path)
    [record] = open_test(tmp_path / "answers.jsonl").records()
    key = record.questions[2].key
    assert (key.unanswerable, key.answers[0].text) == (False, "the river")


def test_sittings_read_back_and_are_written_the_same(tmp_path: Path) -> None:
    project = work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO)
    first = SECOND_ANSWERS.write(project, tmp_path / "1")
    again = {}
    for path in first[:2]:
        [(person, item, objects)] = SECOND_ANSWERS.read(path, {"mill": ITEM}, CONFIGURATION)
        again[person] = {item: objects}
    assert again == {"Ada": ADA, "Bo": BO}
    second = SECOND_ANSWERS.write(work_of(CONFIGURATION, HEADER, [ITEM], **again), tmp_path / "2")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_time_for_an_item_is_divided_among_its_answers(tmp_path: Path) -> None:
    timed = [PersonsWork("Ada", ADA, {"mill": 30.0})]
    project = replace(work_of(CONFIGURATION, HEADER, [ITEM]), people=timed)
    [sitting, _] = SECOND_ANSWERS.write(project, tmp_path)
    rows = [json.loads(line) for line in sitting.read_text("utf-8").splitlines()[1:]]
    assert [row["seconds"] for row in rows] == [10.0, 10.0, 10.0]


def test_sheets_of_set_blind_are_read(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    save_test(TEST, tmp_path / "source.jsonl")
    done = readmark_cli(
        "set", "blind", tmp_path / "source.jsonl", "-o", tmp_path / "blind",
        "--each", "1", "--annotator", "Bo",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    sheet = tmp_path / "blind/Bo.answers.csv"
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    for row, answer in zip(rows, ("1820", "the river was moved", ""), strict=True):
        row["answer"] = answer

    def returned() -> list[tuple[str, str, Objects]]:
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return list(SECOND_ANSWERS.read(sheet, {"mill": ITEM}, CONFIGURATION))

    [(person, item, objects)] = returned()
    assert (person, item) == ("Bo", "mill")
    assert {id: value["fields"] for id, value in objects.items()} == {
        "q-1": {"answer": span(MILL, "1820")},
        "q-2": {"answer": span(MILL, "the river was moved")},
        "q-3": NONE,
    }
    rows[1]["answer"] = "a drought"
    with pytest.raises(DataError, match=r"Bo.answers.csv:3: the answer 'a drought' does not occur"):
        returned()
    rows[1] |= {"answer": "", "version": "v000000000000"}
    with pytest.raises(DataError, match="another version of the passage"):
        returned()


def test_entries_that_no_page_sends_do_no_harm(tmp_path: Path) -> None:
    odd = {
        "q-1": entry("answer", 1, answer={"start": "x"}),
        "q-2": entry("answer", 1, answer=[1, None]),
        "q-9": entry("answer", 1, answer=span(MILL, "1820")),
        "x": {"type": "entry", "entry": "answer", "fields": 3},
        "y": {},
    }
    assert {f.code for f in SECOND_ANSWERS.check(ITEM, odd, CONFIGURATION)} == {"missing"}
    project = work_of(CONFIGURATION, HEADER, [ITEM], Ada={"mill": odd})
    assert SECOND_ANSWERS.write(project, tmp_path) == []
