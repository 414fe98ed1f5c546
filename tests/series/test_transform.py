"""Questions of a series that are rewritten before a reader sees them."""

import json
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Layer, Question, QuestionKey
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, save_test
from readmark.series.transform import rewriting
from readmark.sitting.requests import Ask
from readmark.sitting.runner import sit

MILL = "The Orrin mill burned down in May. Ada Pell built the Orrin mill. Tom Pell ran a shop."
FERRY = "The Lindow ferry is red. Bo Lund steers the Lindow ferry."


def question(id: str, text: str, series: str | None, turn: int | None, **fields: Any) -> Question:
    return Question(
        id=id, text=text, series=series, turn=turn, fields=fields, key=QuestionKey(answers=())
    )


def made(**header: Any) -> Test:
    """Two series, turns out of order, one of them with a target; and a question by itself."""
    mill = passage(
        "mill",
        question("m2", "When did it burn down?", "mill", 2, target="Orrin mill"),
        question("m1", "Who built it?", "mill", 1, target="Orrin mill"),
        question("alone", "Who ran a shop?", None, None),
        text=MILL,
        title="A fire",
    )
    ferry = passage(
        "ferry",
        question("f1", "Who steers it?", "ferry", 1),
        question("f2", "Which colour is it?", "ferry", 2),
        text=FERRY,
        title="Lindow ferry",
    )
    return comprehension(mill, ferry, language="en", **header)


def rows(path: Path) -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row for row in lines[1:]}


def test_a_reader_sees_the_rewrites(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    test = made()
    readmark.sit(test, "bow", path, rewrite="append")
    header = open_sitting(path, test.kind).header
    assert (header.candidate, header.rewrite) == ("bow", "append")
    assert header.signature["rewrite"] == {
        "rewriter": "append",
        "append": "space",
        "targets": "fields.target, else title",
    }
    by_id = rows(path)
    assert by_id["f1"]["text"] == "Bo Lund steers the Lindow ferry."
    assert by_id["f1"]["evidence"]["shared"] == ["ferry", "lindow", "steer"]
    assert by_id["f1"]["evidence"]["rewritten"] == {
        "asked": "Who steers it? Lindow ferry",
        "by": "append",
        "target": "Lindow ferry",
        "target_from": "title",
    }
    evidence = by_id["m2"]["evidence"]["rewritten"]
    assert (evidence["asked"], evidence["target_from"]) == (
        "When did it burn down? Orrin mill",
        "fields.target",
    )
    assert "rewritten" not in by_id["alone"]["evidence"]


def test_a_rewriter_sees_the_turns_in_order_and_no_key(tmp_path: Path) -> None:
    seen_series = rewriting("none", made()).gathered["mill"].series
    assert [turn.id for turn in seen_series.questions] == ["m1", "m2"]
    assert all(turn.key is None for turn in seen_series.questions)


def test_a_series_on_several_passages_is_one(tmp_path: Path) -> None:
    parts = [
        passage(f"p{at}", question(f"q{at}", text, "s", at, target="Orrin mill"), text=MILL)
        for at, text in ((1, "Who built it?"), (2, "When did it burn down?"))
    ]
    path = tmp_path / "s.jsonl"
    readmark.sit(comprehension(*parts, language="en"), "bow", path, rewrite="guided")
    assert rows(path)["q2"]["evidence"]["rewritten"]["asked"] == (
        "When did the Orrin mill burn down?"
    )


def test_known_answers_take_their_place(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(
        json.dumps({"q1": "Who is it?", "q2": "Where did PREVIOUS_ANSWER live?"}), encoding="utf-8"
    )
    two = passage(
        "p",
        question("q1", "Who is it?", "s", 1),
        question("q2", "Where did she live?", "s", 2, previous=["Ada Pell"]),
        text=MILL,
    )
    path = tmp_path / "s.jsonl"
    name = f"keyed(file={tmp_path / 'r.json'})"
    readmark.sit(comprehension(two, language="en"), "lead", path, rewrite=name)
    evidence = rows(path)["q2"]["evidence"]["rewritten"]
    assert evidence["asked"] == "Where did Ada Pell live?"
    assert evidence["rewrite"] == "Where did PREVIOUS_ANSWER live?"
    assert (evidence["target"], evidence["target_from"]) == ("", None)


def test_a_question_without_a_rewrite_is_an_error_row_and_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps({"m1": "Who?", "f1": "Who?", "f2": "What?"}), encoding="utf-8")
    path = tmp_path / "s.jsonl"
    for attempt in (1, 2):
        done = readmark.sit(made(), "lead", path, rewrite=f"keyed(file={file})")
        assert done.errors == 1
        assert rows(path)["m2"].get("attempt", 1) == attempt
    assert "gave no rewrite" in rows(path)["m2"]["error"]
    assert rows(path)["alone"]["text"].startswith("The Orrin mill")


def test_a_layer_of_the_old_words_is_dropped() -> None:
    layer = Layer(spans=((0, 3),))
    changed = Question(id="q", text="Who built it?", series="s", layers={"token": layer})
    unchanged = Question(id="k", text="Who is he?", layers={"token": layer})
    test = comprehension(passage("p", changed, unchanged, title="Orrin mill"), language="en")
    [record] = test.records()
    paper = rewriting("append", test)(Ask(record, ("q", "k"))).record
    assert [bool(question.layers) for question in paper.questions] == [False, True]


@pytest.mark.parametrize("options", [{"limit": 3}, {"repeats": 2}, {}])
def test_going_on_gives_the_same(tmp_path: Path, options: dict[str, Any]) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    readmark.sit(made(), "bow", whole, rewrite="append", **options)
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    cut.write_text("".join(lines[:2]), encoding="utf-8")
    readmark.sit(made(), "bow", cut, rewrite="append", **options)

    def timeless(path: Path) -> list[dict[str, Any]]:
        read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [{key: row[key] for key in row if key != "seconds"} for row in read]

    assert timeless(cut) == timeless(whole)


def test_a_journal_of_another_rewriter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    readmark.sit(made(), "lead", path, rewrite="append")
    before = path.read_bytes()
    for other in ("none", None):
        with pytest.raises(DataError, match=r"another `rewrite` \(append, now none\)"):
            readmark.sit(made(), "lead", path, rewrite=other)
    assert path.read_bytes() == before


def test_answers_to_rewritten_questions_are_handed_in_as_such(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    readmark.sit(made(), "lead", path, rewrite="append")
    again = f"keyed(file={path})"
    with pytest.raises(UsageError, match="sit it with `rewrite` append"):
        readmark.sit(made(), again, tmp_path / "t.jsonl")
    readmark.sit(made(), again, tmp_path / "t.jsonl", rewrite="append")


def test_marks_say_so(tmp_path: Path) -> None:
    test = comprehension(
        passage("p", asked("q", "Ada Pell", series="s", text="Who built it?"), text=MILL),
        language="en",
    )
    path, sheet = tmp_path / "s.jsonl", tmp_path / "m.jsonl"
    readmark.sit(test, "bow", path, rewrite="none")
    marks = readmark.mark(test, path, marksheet=sheet)
    assert marks.coverage.covers == "questions of series rewritten by none"
    assert json.loads(sheet.read_text(encoding="utf-8").splitlines()[0])["rewrite"] == "none"
    readmark.report(sheet, path=tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "--rewrite none" in page
    assert "rewritten by" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"rewrite": "append", "without": "question"},
            "`rewrite` and `without` question do not go together",
        ),
        ({"rewrite": "evidence"}, "sits comprehension tests"),
        ({"rewrite": "apend"}, "did you mean append"),
    ],
)
def test_bad_usage(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        readmark.sit(made(), "lead", tmp_path / "s.jsonl", **options)
    assert not (tmp_path / "s.jsonl").exists()


def test_a_test_without_series_has_nothing_to_rewrite(tmp_path: Path) -> None:
    none = comprehension(passage("p", asked("q", "a")))
    with pytest.raises(UsageError, match="has no series"):
        readmark.sit(none, "lead", tmp_path / "s.jsonl", rewrite="append")


def test_two_targets_of_one_series_are_told() -> None:
    two = passage(
        "p",
        question("q1", "Who?", "s", 1, target="Orrin mill"),
        question("q2", "When?", "s", 2, target="Lindow ferry"),
    )
    with pytest.raises(DataError, match="several targets: 'Orrin mill', 'Lindow ferry'"):
        rewriting("append", comprehension(two))


def test_a_title_that_is_left_out_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    readmark.sit(made(), "lead", path, rewrite="append", without="passage")
    evidence = rows(path)["f1"]["evidence"]["rewritten"]
    assert "Lindow" not in evidence["asked"]
    assert (evidence["target"], evidence["target_from"]) == ("", None)


@pytest.mark.slow
def test_workers_give_the_same_rows(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    sit(made(), "bow", first, rewrite="append")
    sit(made(), "bow", second, rewrite="append", workers=2)

    def bare(path: Path) -> dict[str, Any]:
        return {
            id: {key: row[key] for key in row if key != "seconds"} for id, row in rows(path).items()
        }

    assert bare(first) == bare(second)


@pytest.mark.slow
def test_the_command(readmark_cli: Any, tmp_path: Path) -> None:
    save_test(made(), tmp_path / "t.jsonl")
    done = readmark_cli(
        "sit", "t.jsonl", "-r", "lead", "-o", "s.jsonl", "--rewrite", "guided", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    evidence = rows(tmp_path / "s.jsonl")["m1"]["evidence"]["rewritten"]
    assert evidence["asked"] == "Who built the Orrin mill?"
    assert evidence["evidence"]["edits"]
    save_test(comprehension(passage("p", asked("q", "a"))), tmp_path / "u.jsonl")
    bad = readmark_cli(
        "sit", "u.jsonl", "-r", "lead", "-o", "x.jsonl", "--rewrite", "none", cwd=tmp_path
    )
    assert bad.returncode == 2
    assert bad.stderr.count("\n") == 1


def test_several_titles_of_one_series_are_told_unless_a_target_is_named() -> None:
    def test(**fields: Any) -> Test:
        parts = [
            passage(f"p{at}", question(f"q{at}", "Who built it?", "s", at, **fields), title=title)
            for at, title in ((1, "Orrin mill"), (2, None), (3, "Lindow ferry"))
        ]
        return comprehension(*parts)

    with pytest.raises(DataError, match=r"several titles: 'Orrin mill', 'Lindow ferry'.*target"):
        rewriting("append", test())
    assert rewriting("append", test(target="Pell")).gathered["s"].target_from == "fields.target"
    assert rewriting("append", test(), titles=False).gathered["s"].target_from is None


def test_the_one_title_of_a_series_is_found_wherever_it_is() -> None:
    parts = [
        passage(f"p{at}", question(f"q{at}", "Who built it?", "s", at), title=title)
        for at, title in ((1, None), (2, "Orrin mill"), (3, "Orrin mill"))
    ]
    gathered = rewriting("append", comprehension(*parts)).gathered["s"]
    assert (gathered.series.target, gathered.target_from) == ("Orrin mill", "title")


@pytest.mark.parametrize("previous", [[1, None, ""], 5, {"a": "b"}, [["Ada Pell"]], [None]])
def test_known_answers_that_are_no_texts_are_told(previous: Any) -> None:
    record = passage("p", question("q1", "And her?", "s", 1, previous=previous))
    with pytest.raises(
        DataError, match=r"fields\.previous is .*expected a text or a list"
    ) as refusal:
        rewriting("append", comprehension(record))
    assert "q1" in str(refusal.value)


@pytest.mark.parametrize("previous", [None, [], "", [""], "Ada Pell", ["Ada Pell"]])
def test_known_answers_may_be_none(previous: Any) -> None:
    record = passage("p", question("q1", "And her?", "s", 1, previous=previous))
    [turn] = rewriting("append", comprehension(record)).gathered["s"].series.questions
    assert turn.previous in ((), ("Ada Pell",))


def test_append_without_a_target_leaves_the_question(tmp_path: Path) -> None:
    record = passage("p", question("q1", "Who built it?", "s", 1), text=MILL)
    path = tmp_path / "s.jsonl"
    readmark.sit(comprehension(record, language="en"), "bow", path, rewrite="append")
    assert rows(path)["q1"]["evidence"]["rewritten"]["asked"] == "Who built it?"
