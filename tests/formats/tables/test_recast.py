"""The columns of other people's multiple-choice sets."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.checks import check
from readmark.formats.registry import open_test

TEXT = "A heron stood in the mill pond. It left when the wheel began to turn."
ASKED = "Where did the heron stand?"
OPTIONS = ["on the roof", "in the mill pond", "by the road"]
NAMES = ["A", "B", "C"]


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows))
    return path


def only(test: Test) -> Any:
    [unit] = test.units()
    return unit


SETS: dict[str, dict[str, Any]] = {
    "race": {"example_id": "m1.txt", "article": TEXT, "question": ASKED, "options": OPTIONS,
             "answer": "B"},
    "clue": {"id": 4, "context": [TEXT], "question": ASKED, "choice": OPTIONS,
             "answer": "in the mill pond"},
    "quail": {"id": "q", "context_id": "c", "context": TEXT, "question": ASKED, "answers": OPTIONS,
              "correct_answer_id": 1, "question_type": "Factual"},
    "belebele": {"link": "x", "flores_passage": TEXT, "question": ASKED, "mc_answer1": OPTIONS[0],
                 "mc_answer2": OPTIONS[1], "mc_answer3": OPTIONS[2], "correct_answer_num": "2"},
    "cosmos": {"id": "q", "context": TEXT, "question": ASKED, "answer0": OPTIONS[0],
               "answer1": OPTIONS[1], "answer2": OPTIONS[2], "label": 1},
    "arc": {"id": "q", "passage": TEXT, "question": ASKED,
            "choices": {"text": OPTIONS, "label": ["1", "2", "3"]}, "answerKey": "2"},
    "objects": {"id": "q", "passage": TEXT, "question_stem": ASKED, "answerKey": "B",
                "choices": [{"text": one, "label": name}
                            for one, name in zip(OPTIONS, NAMES, strict=True)]},
    "logiqa": {"context": TEXT, "query": ASKED, "options": OPTIONS, "correct_option": 1},
    "reclor": {"id_string": "q", "context": TEXT, "question": ASKED, "answers": OPTIONS,
               "label": 1},
    "ours": {"id": "q", "context": TEXT, "question": ASKED, "options": OPTIONS,
             "answers": {"text": ["in the mill pond"], "answer_start": [-1]}},
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_sets_of_the_hub(name: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "t.jsonl", SETS[name])
    test = open_test(path)
    unit = only(test)
    assert (unit.record.text, unit.item.text, list(unit.item.options)) == (TEXT, ASKED, OPTIONS)
    assert [one.text for one in unit.key.answers] == ["in the mill pond"]
    assert unit.key.answers[0].start is None
    assert list(check(str(path))) == []


def test_ids_and_other_columns(tmp_path: Path) -> None:
    race = SETS["race"]
    test = open_test(lines(tmp_path / "race.jsonl", race, {**race, "question": "Who?"}))
    assert [(unit.id, unit.group) for unit in test.units()] == [
        ("m1.txt-1", "m1.txt"),
        ("m1.txt-2", "m1.txt"),
    ]
    belebele = only(open_test(lines(tmp_path / "b.jsonl", SETS["belebele"])))
    assert belebele.id == f"{text_id(TEXT)}-1"
    assert belebele.key.fields == {"link": "x"}
    quail = only(open_test(lines(tmp_path / "q.jsonl", SETS["quail"])))
    assert (quail.id, quail.group, quail.field("question_type")) == ("q", "c", "Factual")


@pytest.mark.parametrize("withheld", [None, "", -1])
def test_a_withheld_key(withheld: Any, tmp_path: Path) -> None:
    unit = only(open_test(lines(tmp_path / "t.jsonl", {**SETS["reclor"], "label": withheld})))
    assert unit.key is None


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({**SETS["race"], "answer": "D"}, 'the row: answer is "D", expected one of 3 options'),
        ({**SETS["race"], "answer": 3}, "the row: answer is 3, expected one of 3 options"),
        ({**SETS["reclor"], "label": "in the pond"}, 'q: label is "in the pond", expected one of'),
        ({**SETS["arc"], "answerKey": "B2"}, 'q: answerKey is "B2"'),
        ({**SETS["arc"], "answerKey": True}, "q: answerKey is true"),
    ],
)
def test_answers_that_are_no_option(row: Any, told: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "t.jsonl", row)
    [problem] = check(str(path))
    assert str(problem).startswith(f"{path}:1: schema: {told}")


def test_options_without_a_passage_are_no_reading_test(tmp_path: Path) -> None:
    row = {"id": "q", "question": ASKED, "choices": OPTIONS, "answer": 1}
    with pytest.raises(DataError, match="a question with options and no passage to read"):
        open_test(lines(tmp_path / "t.jsonl", row), format="flat")


def test_crlf_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(SETS["race"]).encode() + b"\r\n\r\n")
    assert only(open_test(path)).key.answers[0].text == "in the mill pond"


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"")
    with pytest.raises(DataError, match="an empty file"):
        open_test(tmp_path / "t.jsonl")


def test_a_folder_of_splits(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("A set.")
    lines(folder / "data" / "train.jsonl", {**SETS["cosmos"], "id": "a"})
    packed = json.dumps({**SETS["cosmos"], "id": "b", "context": TEXT + "!"}).encode()
    (folder / "data" / "test.jsonl.gz").write_bytes(gzip.compress(packed))
    test = open_test(folder)
    assert test.header.name == "set"
    assert {unit.id: unit.field("split") for unit in test.units()} == {"a": "train", "b": "test"}
    assert list(check(str(folder))) == []
    lines(folder / "data" / "notes.jsonl", {"id": "n", "text": "not a question"})
    assert not Source(folder).folder.named(".parquet")
    with pytest.raises(DataError, match="is a directory"):
        open_test(folder)


@pytest.mark.parametrize("start", ["answer_start", "start"])
def test_answers_as_a_list_of_objects(start: str, tmp_path: Path) -> None:
    row = {"id": "q", "context": TEXT, "question": ASKED}
    placed = {**row, "answers": [{"text": "the mill pond", start: 17}, {"text": "pond", start: 26}]}
    path = lines(tmp_path / "t.jsonl", placed, {**row, "id": "r", "answers": []})
    first, second = open_test(path).units()
    assert [(one.text, one.start) for one in first.key.answers] == [
        ("the mill pond", 17),
        ("pond", 26),
    ]
    assert second.key is None
    assert list(check(str(path))) == []


DIGITS = ["3", "2", "1", "4"]
NUMBERED = {f"mc_answer{at}": one for at, one in enumerate(DIGITS, 1)}


def keys(path: Path) -> list[str]:
    """The text of each question's key."""
    return [unit.key.answers[0].text for unit in open_test(path).units()]


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({**NUMBERED, "correct_answer_num": "1"}, "3"),
        ({**NUMBERED, "correct_answer_num": 4}, "4"),
        ({"options": DIGITS, "answer_idx": "3"}, "4"),
        ({"options": DIGITS, "answer_index": "0"}, "3"),
        ({"options": DIGITS, "correct_answer_id": "2"}, "1"),
        # No number of an option's: then it is its text.
        ({"options": ["30", "20"], "answer_idx": "20"}, "20"),
        ({"options": ["x", "y"], "answer_idx": "B"}, "y"),
        # Labels that are told go before all else.
        ({"choices": {"text": DIGITS, "label": ["1", "2", "3", "4"]}, "answerKey": "3"}, "1"),
        ({"choices": {"text": DIGITS, "label": ["1", "2", "3", "4"]}, "answerKey": 3}, "1"),
    ],
)
def test_a_number_is_no_options_text_in_a_column_of_numbers(
    row: dict[str, Any], key: str, tmp_path: Path
) -> None:
    asked = {"id": "q", "passage": TEXT, "question": ASKED, **row}
    assert keys(lines(tmp_path / "t.jsonl", asked)) == [key]


@pytest.mark.parametrize("column", ["answer", "label", "correct_option", "correct_answer"])
def test_a_key_that_may_be_read_in_two_ways_is_refused(column: str, tmp_path: Path) -> None:
    row = {"id": "q", "passage": TEXT, "question": ASKED, "options": DIGITS}
    path = lines(tmp_path / "t.jsonl", {**row, column: "2"})
    [problem] = check(str(path))
    assert f"q: {column} is '2', which is the text of option 2 and the number of option 3" in str(
        problem
    )
    lettered = {**row, "options": ["B", "A"], "answer": "A"}
    [problem] = check(str(lines(tmp_path / "t.jsonl", lettered)))
    assert "is the text of option 2 and the letter of option 1" in str(problem)
    # Both ways give one option.
    assert keys(lines(tmp_path / "t.jsonl", {**row, "options": ["A", "B"], "answer": "B"})) == ["B"]


@pytest.mark.parametrize(
    ("others", "key"),
    [
        ([(OPTIONS, "by the road")], "2"),
        ([(OPTIONS, "1")], "1"),
        ([(OPTIONS, "1"), (OPTIONS, "by the road")], None),
        ([(["0", "1"], "1")], None),  # the same option either way: tells nothing
    ],
)
def test_the_other_rows_of_a_file_tell_how_its_keys_are_read(
    others: list[tuple[list[str], str]], key: str | None, tmp_path: Path
) -> None:
    row = {"passage": TEXT, "question": ASKED}
    doubtful = {**row, "id": "q", "options": DIGITS, "answer": "2"}
    more = [{**row, "id": f"r{at}", "options": options, "answer": said}
            for at, (options, said) in enumerate(others)]  # fmt: skip
    path = lines(tmp_path / "t.jsonl", doubtful, *more)
    if key is None:
        assert len(list(check(str(path)))) == 1
    else:
        assert keys(path)[0] == key


def test_rows_without_options_among_others(tmp_path: Path) -> None:
    row = {"passage": TEXT, "question": ASKED}
    path = lines(
        tmp_path / "t.jsonl",
        {**row, "id": "a", "options": OPTIONS, "answer": 0},
        {**row, "id": "b", "options": [], "answer": None},
        {**row, "id": "c", "options": None, "answer": "in the pond"},
        {**row, "id": "d", "choices": {"text": [], "label": []}},
    )
    told = [(unit.id, unit.item.options, unit.record.text) for unit in open_test(path).units()]
    assert told == [("a", tuple(OPTIONS), TEXT), *((one, (), TEXT) for one in "bcd")]
    key = [unit.key for unit in open_test(path).units()]
    assert (key[1], key[2].answers[0].text, key[3]) == (None, "in the pond", None)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"options": [], "answer": "B"}, 'b: answer is "B", expected the answer\'s words'),
        ({"options": ["no", None], "answer": 0}, "b: one of options is null, expected text"),
    ],
)
def test_rows_whose_options_are_not_what_they_should_be(
    row: dict[str, Any], told: str, tmp_path: Path
) -> None:
    first = {"id": "a", "passage": TEXT, "question": ASKED, "options": OPTIONS, "answer": 0}
    path = lines(tmp_path / "t.jsonl", first, {**first, "id": "b", **row})
    [problem] = check(str(path))
    assert str(problem).startswith(f"{path}:2: schema: {told}")
