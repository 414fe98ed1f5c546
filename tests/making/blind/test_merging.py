"""Answers come back: as sheets, sittings and tests; what is amiss is told before all is written."""

import json
from pathlib import Path

import msgspec
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.fingerprint import text_id
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.blind.material import hand_out
from readmark.making.blind.merge import merged
from readmark.making.blind.plan import planned

TEXT = "The mill burned in 1911. Rita Moss rebuilt it in 1912."


def a_test(text: str = TEXT) -> Test:
    key = QuestionKey(answers=(Answer(text="1911", start=19, annotator="cy"),))
    asked = (
        Question(id="q1", text="When did it burn?", key=key),
        Question(id="q2", text="Who rebuilt it?"),
    )
    return in_memory(
        Header(language="en", name="mill"), [Passage(id="p", text=text, questions=asked)]
    )


def sheet(folder: Path, name: str, *rows: str, header: str = "id,answer") -> Path:
    path = folder / f"{name}.answers.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def answers(test: Test) -> dict[str, list[tuple[str | None, str, int | None]]]:
    return {
        unit.id: [(answer.annotator, answer.text, answer.start) for answer in unit.key.answers]
        for unit in test.units()
        if unit.key is not None
    }


def test_answers_of_two_people_stand_beside_the_first(tmp_path: Path) -> None:
    test = a_test()
    files = [
        sheet(tmp_path, "ann", "q1,1911", "q2,rita  moss"),
        sheet(tmp_path, "bo", "q1,in 1911", "q2,"),
    ]
    gold, done = merged(test, files)
    assert answers(gold) == {
        "q1": [("cy", "1911", 19), ("ann", "1911", 19), ("bo", "in 1911", 16)],
        "q2": [("ann", "Rita Moss", 25)],
    }
    assert done.counts == {"ann": {"exact": 1, "folded": 1}, "bo": {"exact": 1, "empty": 1}}
    assert gold.facts.paper == test.facts.paper


def test_sittings_and_tests_come_back_too(tmp_path: Path) -> None:
    test = a_test()
    sitting = tmp_path / "s.jsonl"
    header = {"readmark": 1, "file": "sitting", "candidate": "ann", "paper": test.facts.paper}
    row = {"id": "q2", "text": "Rita Moss", "start": 25}
    sitting.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n", encoding="utf-8")
    theirs = tmp_path / "bo.jsonl"
    record = {
        "id": "p",
        "text": TEXT,
        "questions": [
            {"id": "q2", "text": "Who rebuilt it?", "key": {"answers": [{"text": "Rita"}]}}
        ],
    }
    theirs.write_text(f'{{"readmark":1}}\n{json.dumps(record)}\n', encoding="utf-8")
    gold, _ = merged(test, [sitting, theirs])
    assert answers(gold)["q2"] == [("ann", "Rita Moss", 25), ("bo", "Rita", 25)]


def test_what_is_not_in_the_passage_is_listed_and_kept(tmp_path: Path) -> None:
    files = [sheet(tmp_path, "ann", "q1,1950")]
    gold, done = merged(a_test(), files)
    assert done.absent == [("q1", "ann", "1950")]
    assert answers(gold)["q1"][1] == ("ann", "1950", None)
    gold, done = merged(a_test(), files, drop_free=True)
    assert done.absent == [("q1", "ann", "1950")]
    assert len(answers(gold)["q1"]) == 1


def test_answers_of_which_none_stands_anywhere_are_doubted(tmp_path: Path) -> None:
    _, done = merged(a_test(), [sheet(tmp_path, "ann", "q1,red", "q2,blue")])
    assert done.notes == ["no answer of 'ann' occurs in its passage: was another test read?"]
    _, done = merged(a_test(), [sheet(tmp_path, "ann", "q1,1911", "q2,blue")])
    assert done.notes == []


def test_who_gave_no_answer_is_named_in_the_key(tmp_path: Path) -> None:
    files = [sheet(tmp_path, "ann", "q1,", "q2,Rita Moss"), sheet(tmp_path, "bo", "q1,1911", "q2,")]
    gold, done = merged(a_test(), files)
    assert [unit.key.fields for unit in gold.units()] == [
        {"no_answer_by": ["ann"]},
        {"no_answer_by": ["bo"]},
    ]
    assert done.empty == [("q1", "ann"), ("q2", "bo")]
    with pytest.raises(DataError, match="the key has an answer of 'bo' to 'q2' already"):
        merged(gold, [sheet(tmp_path, "bo", "q2,Rita")])
    gold, _ = merged(a_test(), [sheet(tmp_path, "di", "q1,1911", "q2,")])
    assert [unit.key is None for unit in gold.units()] == [False, True]  # no key of names alone


def test_respellings_are_told(tmp_path: Path) -> None:
    _, done = merged(a_test(), [sheet(tmp_path, "ann", "q2,rita  moss")])
    assert done.respelt == [("q2", "ann", "rita  moss", "Rita Moss")]


def test_of_several_places_the_one_by_the_others_answers_is_taken(tmp_path: Path) -> None:
    test = a_test("In 1911 all was well. " + TEXT)
    files = [sheet(tmp_path, "ann", "q1,1911"), sheet(tmp_path, "bo", "q1,burned in 1911")]
    for order in (files, files[::-1]):
        gold, done = merged(test, order)
        assert {answer[0]: answer[2] for answer in answers(gold)["q1"][1:]} == {"ann": 41, "bo": 31}
        assert done.several == [("q1", "ann", "1911")]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (("q1,1911", "q1,1911"), "ann.answers.csv:3: 'ann' has 'q1' twice"),
        (("q9,1911",), "has no question 'q9'"),
        (("q1,1911,2",), "has 3 cells, expected 2"),
        ((), "has no answers"),
        (("q1,", "q2, "), "every answer is empty"),
    ],
)
def test_faulty_sheets(tmp_path: Path, rows: tuple[str, ...], line: str) -> None:
    with pytest.raises(DataError, match=line):
        merged(a_test(), [sheet(tmp_path, "ann", *rows)])


def test_one_name_is_one_person(tmp_path: Path) -> None:
    ann, bo = sheet(tmp_path, "ann", "q1,1911"), sheet(tmp_path, "bo", "q2,Rita Moss")
    with pytest.raises(DataError, match=r"'x' has answers in .*ann\.answers\.csv as well"):
        merged(a_test(), [ann, bo], names=["x", "x"])
    with pytest.raises(UsageError, match="1 name for 2 files"):
        merged(a_test(), [ann, bo], names=["x"])
    with pytest.raises(DataError, match="the key has an answer of 'cy' to 'q1' already"):
        merged(a_test(), [ann], names=["cy"])


def test_another_version_of_the_text_is_refused_with_the_first_difference(tmp_path: Path) -> None:
    test = a_test()
    hand_out(test, planned(test, ["ann"], each=1), tmp_path / "out")
    path = tmp_path / "out" / "ann.answers.csv"
    path.write_text(
        path.read_text(encoding="utf-8").replace("burn?,", "burn?,in 1911"), encoding="utf-8"
    )
    changed = a_test(TEXT.replace("1912", "1913"))
    with pytest.raises(DataError, match=r"differs at character 52: expected .*1913.* found"):
        merged(changed, [path])
    (tmp_path / "out" / "ann.paper.jsonl").unlink()
    with pytest.raises(DataError, match=f"another version of the passage .v{text_id(TEXT)}"):
        merged(changed, [path])
    gold, _ = merged(test, [path])
    assert len(answers(gold)["q1"]) == 2


def test_a_question_in_other_words_is_refused(tmp_path: Path) -> None:
    header = "id,question,answer"
    same = sheet(tmp_path, "ann", "q1,When  did it burn? ,1911", header=header)
    assert len(answers(merged(a_test(), [same])[0])["q1"]) == 2
    other = sheet(tmp_path, "bo", "q1,When did it fall?,1911", header=header)
    message = r"bo.answers.csv:2: 'q1' was asked in other words, .* 'fall\?', here it is 'burn\?'"
    with pytest.raises(DataError, match=message):
        merged(a_test(), [other])


def test_sheets_of_before_the_letter_still_read(tmp_path: Path) -> None:
    path = sheet(tmp_path, "ann", f"q1,1911,{text_id(TEXT)}", header="id,answer,version")
    assert len(answers(merged(a_test(), [path])[0])["q1"]) == 2


@pytest.mark.parametrize(
    ("file", "name"),
    [("J. Smith.answers", "J. Smith"), ("dr.smith", "dr.smith"), ("ann.answers", "ann")],
)
def test_names_keep_their_dots(tmp_path: Path, file: str, name: str) -> None:
    path = tmp_path / f"{file}.csv"
    path.write_text("id,answer\nq2,Rita Moss\n", encoding="utf-8")
    assert answers(merged(a_test(), [path])[0])["q2"] == [(name, "Rita Moss", 25)]


def test_the_sheet_says_whose_it_is_unless_it_is_overruled(tmp_path: Path) -> None:
    path = sheet(tmp_path, "x", "q2,Rita Moss,ann", header="id,answer,annotator")
    gold, done = merged(a_test(), [path])
    assert (answers(gold)["q2"][0][0], done.notes) == ("ann", [])
    gold, done = merged(a_test(), [path], names=["bo"])
    assert answers(gold)["q2"][0][0] == "bo"
    assert done.notes == [f"{path}: taken for answers of 'bo' by --name; it says 'ann'"]


def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    files = [sheet(tmp_path, "ann", "q2,Rita Moss"), sheet(tmp_path, "bo", "q2,Rita Moss")]
    with pytest.raises(DataError, match="'ann' and 'Ann' differ in case alone"):
        merged(a_test(), files, names=["ann", "Ann"])
    with pytest.raises(DataError, match=r"the key has answers of 'cy'.* these are of 'Cy'"):
        merged(a_test(), files[:1], names=["Cy"])


def test_an_answer_to_an_unanswerable_question_is_refused(tmp_path: Path) -> None:
    [record] = a_test().records()
    none = msgspec.structs.replace(record.questions[1], key=QuestionKey(unanswerable=True))
    test = in_memory(
        Header(language="en"),
        [msgspec.structs.replace(record, questions=(record.questions[0], none))],
    )
    with pytest.raises(DataError, match=r"unanswerable: 'q2' \(ann: Rita Moss\); take the mark"):
        merged(test, [sheet(tmp_path, "ann", "q1,1911", "q2,Rita Moss")])
    gold, _ = merged(test, [sheet(tmp_path, "ann", "q1,1911", "q2,")])
    assert len(answers(gold)["q1"]) == 2
    merged(test, [sheet(tmp_path, "ann", "q2,")])  # all that there is to say


def test_the_plan_tells_who_owes_what(tmp_path: Path) -> None:
    test = a_test()
    hand_out(test, planned(test, ["Ann Lee", "bo"], each=2), tmp_path / "out")
    path = tmp_path / "out" / "Ann Lee.answers.csv"
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(rows[:2]).replace("burn?,", "burn?,1911"), encoding="utf-8")
    _, done = merged(test, [path], names=["al"])
    assert done.owed == {"Ann Lee": ["q2"], "bo": ["q1", "q2"]}
    assert done.handed_out == {"Ann Lee": 2, "bo": 2}
    (tmp_path / "out" / "plan.json").write_text("[]", encoding="utf-8")
    _, done = merged(test, [path])
    assert done.owed == {}
    assert "is not a plan of `set blind`" in done.notes[0]


def test_what_a_machine_sat_is_no_person_s(tmp_path: Path) -> None:
    test, path = a_test(), tmp_path / "s.jsonl"
    header = {
        "readmark": 1,
        "file": "sitting",
        "candidate": "lead",
        "paper": test.facts.paper,
        "signature": {"sentences": "rules-4", "readmark": "1"},
    }
    path.write_text(f'{json.dumps(header)}\n{{"id":"q2","text":"Rita Moss"}}\n', encoding="utf-8")
    with pytest.raises(DataError, match="the candidate lead sat, no person's answers"):
        merged(test, [path])
    gold, _ = merged(test, [path], names=["ann"])
    assert answers(gold)["q2"] == [("ann", "Rita Moss", 25)]


def test_a_sitting_of_another_paper_is_refused(tmp_path: Path) -> None:
    sitting = tmp_path / "s.jsonl"
    header = {"readmark": 1, "file": "sitting", "candidate": "ann", "paper": "0" * 32}
    sitting.write_text(f'{json.dumps(header)}\n{{"id":"q1","text":"1911"}}\n', encoding="utf-8")
    with pytest.raises(DataError, match="another paper"):
        merged(a_test(), [sitting])


def test_no_word_of_the_key_reaches_an_annotator(tmp_path: Path) -> None:
    secret = QuestionKey(
        answers=(Answer(text="The mill", start=0, annotator="unseen-name"),),
        level=4,
        type="Who",
        fields={"proposer": "unseen-name", "hint": "unseen-hint"},
    )
    question = Question(id="q", text="What?", key=secret, fields={"proposer": "unseen-name"})
    record = Passage(
        id="p", text=TEXT, questions=(question,), fields={"proposer": "unseen-name", "url": "x"}
    )
    test = in_memory(Header(language="en", fields={"note": "unseen-hint"}), [record])
    hand_out(test, planned(test, ["ann"], each=1), tmp_path / "out")
    assert (tmp_path / "out" / "ann.html").is_file()
    for file in (tmp_path / "out").iterdir():
        assert "unseen" not in file.read_text(encoding="utf-8")
    assert '"key"' not in (tmp_path / "out" / "ann.paper.jsonl").read_text(encoding="utf-8")
