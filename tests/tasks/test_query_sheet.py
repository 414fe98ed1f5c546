"""People answer queries in a sheet, and their answers are marked as a sitting."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pump_task import ONTOLOGY, QUERIES, STATEMENTS, TEXT, TYPED, write_pump_task
from readmark.core.errors import DataError
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.marking import mark
from readmark.tasks.query_sheet import read_query_sheet, write_query_sheet
from task_files import OTTERS, write_task

BUNDLED = str(Path(__file__).resolve().parents[2] / "src/readmark/bundle/task.en.zip")
COLUMNS = ["id", "answer_1", "answer_2", "words"]


def test_the_sheet_has_every_question_and_each_text_once(tmp_path: Path) -> None:
    task = write_task(tmp_path / "league")
    done = write_query_sheet(str(task), str(tmp_path / "sheet.csv"), split="train")
    assert (done.documents, done.questions) == (1, 2)
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["id"], row["asked"], row["text"]) for row in rows] == [
        ("otters:periods", "G, N", OTTERS),
        ("otters:winner", "G, T", ""),
    ]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_answers_come_in_as_a_sitting(suffix: str, tmp_path: Path) -> None:
    task, sheet = str(write_task(tmp_path / "league")), str(tmp_path / f"sheet{suffix}")
    rows = [
        ("otters:periods", "Game-1", "5", "overtime"),
        ("otters:winner", "Game-1", "The Otters", "Otters + beat"),
        ("", "Game-2", "Herons", ""),
    ]
    write_sheet(sheet, COLUMNS, rows)
    done = read_query_sheet(task, sheet, str(tmp_path / "ida.jsonl"), annotator="ida")
    assert (done.count, done.annotator) == (2, "ida")  # the document gulls was not looked at
    kind = open_test(task).kind
    sitting = open_sitting(tmp_path / "ida.jsonl", kind)
    answers = {id: kind.read_answer(sitting.of(id)[0]).solutions for id in sitting}
    periods, winner = answers["otters:periods"], answers["otters:winner"]
    assert [(one.values, one.mentions) for one in periods] == [
        ({"G": "Game-1", "N": 5}, {"Game-1": ("Game-1",)})
    ]
    assert [(one.start, one.quote) for one in periods[0].excerpts] == [(36, "overtime")]
    assert [one.values for one in winner] == [
        {"G": "Game-1", "T": "Otters"},
        {"G": "Game-2", "T": "Herons"},
    ]
    assert winner[0].mentions[winner[0].values["T"]] == ("The Otters",)
    assert [one.quote for one in winner[0].excerpts] == ["Otters", "beat"]


def test_the_sitting_is_marked(tmp_path: Path, readmark_cli: Callable[..., Any]) -> None:
    """The gold infers 5 periods of Game-1: one inference found, no fact."""
    task, sheet, out = write_task(tmp_path / "league"), tmp_path / "s.csv", tmp_path / "ida.jsonl"
    assert readmark_cli("task", "sheet", task, "-o", sheet).returncode == 0
    filled = [
        [row["id"], *(("Game-1", "5", "overtime") if row["id"] == "otters:periods" else ("",) * 3)]
        for _, row in read_rows(sheet)
    ]
    write_sheet(sheet, COLUMNS, filled)
    done = readmark_cli("task", "sheet", task, "--answers", sheet, "--annotator", "ida", "-o", out)
    assert done.returncode == 0, done.stderr
    marked = readmark_cli("mark", task, out, "-m", "inferences", "--json")
    assert '"score":100.0' in marked.stdout.replace(" ", "")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("otters:score", "Game-1", "5", ""), "has no question 'otters:score'"),
        (("", "Game-1", "5", ""), "has no id"),
        (("otters:periods", "Game-1", "", ""), "otters:periods: answer_2 (N) is empty"),
        (("otters:periods", "", "", "overtime"), "words without an answer"),
        (("otters:periods", "Game-1", "5", "extra time"), "“extra time” is not in the document"),
        (("otters:periods", "Game-1", "5", "er"), "“er” is 3 times in the document"),
        (
            ("otters:periods", "Game-1", "a few", ""),
            "otters:periods: answer_2 (N): “a few” is not a whole number such as 2900",
        ),
    ],
)
def test_bad_rows_have_their_place(row: tuple[str, ...], message: str, tmp_path: Path) -> None:
    task, sheet = str(write_task(tmp_path / "league")), str(tmp_path / "sheet.csv")
    write_sheet(sheet, COLUMNS, [row])
    with pytest.raises(DataError) as caught:
        read_query_sheet(task, sheet, str(tmp_path / "out.jsonl"), annotator="ida")
    assert message in str(caught.value)
    assert caught.value.where == 2
    assert not (tmp_path / "out.jsonl").exists()


def typed_score(task: Path, folder: Path, typed: dict[str, tuple[str, ...]]) -> float:
    """F of all answers that a person typed into the sheet, a row for each question."""
    rows = [[f"p7:{id}", *texts, *[""] * (2 - len(texts))] for id, texts in typed.items()]
    write_sheet(folder / "typed.csv", ["id", "answer_1", "answer_2"], rows)
    sitting = folder / "typed.jsonl"
    read_query_sheet(str(task), str(folder / "typed.csv"), str(sitting), annotator="ida")
    test = open_test(task)
    marks = mark(test, open_sitting(sitting, test.kind), metrics=["answers"])
    return float(marks.as_json(units=False)["marks"]["answers"]["score"])


def test_right_answers_in_words_are_right(tmp_path: Path) -> None:
    """By hand: 5 right of 6 that were typed and 7 that there are, 2·5 / 13."""
    task = write_pump_task(tmp_path / "pumps")
    assert typed_score(task, tmp_path, TYPED) == pytest.approx(100 * 10 / 13)


def test_other_words_for_the_same_answers_score_the_same(tmp_path: Path) -> None:
    task = write_pump_task(tmp_path / "pumps")
    other_words = {
        "afterHours": ("repair on 10 August 2021", "两千九百小时"),
        "repairDate": ("维修", "August 10, 2021"),
        "replaced": ("this was the repair", "Impeller"),
        "repairOf": ("repair", "the pump P-7"),
        "Pump": ("Pump P-7",),
        "wasPlanned": ("the repair", "是"),
    }
    # "this was the repair" is neither a name nor a description: 4 right of 6.
    assert typed_score(task, tmp_path, other_words) == pytest.approx(100 * 8 / 13)


@pytest.mark.parametrize(
    "words",
    [
        "The Repair.",
        "this repair",
        "that repair",
        "it",
        "the August repair",
        "P-7's repair",
        "the pump's repair",
        "the repair of the pump",
        "8月10日维修",
        "8月10日的维修",
    ],
)
def test_the_only_thing_that_a_question_can_be_about_is_meant(words: str, tmp_path: Path) -> None:
    task = write_pump_task(tmp_path / "pumps")
    # One of the seven answers that there are: 2·1 / (1 + 7).
    score = typed_score(task, tmp_path, {"afterHours": (words, "2,900")})
    assert score == pytest.approx(100 * 2 / 8)


@pytest.mark.parametrize("words", ["repair on 2 March 2022", "the second repair", "the pump"])
def test_words_for_another_thing_are_not_the_only_one(words: str, tmp_path: Path) -> None:
    task = write_pump_task(tmp_path / "pumps")
    sheet, out = tmp_path / "typed.csv", tmp_path / "typed.jsonl"
    write_sheet(sheet, ["id", "answer_1", "answer_2"], [("p7:afterHours", words, "2,900")])
    read_query_sheet(str(task), str(sheet), str(out), annotator="ida")
    kind = open_test(task).kind
    [answer] = kind.read_answer(open_sitting(out, kind).of("p7:afterHours")[0]).solutions
    assert answer.values["repair"] != "Repair-1"


@pytest.mark.parametrize(
    ("typed", "spelt"),
    [
        ("water in casing", "Water in Casing"),
        ("the Water in Casing", "Water in Casing"),
        ("Ｗater in  casing", "Water in Casing"),
        ("ater in cas", "ater in cas"),  # inside of words
        ("Water", "Water"),
        ("steam in the casing", "steam in the casing"),
        ('"water in casing"', "water in casing"),  # in quotes it counts as it stands
    ],
)
def test_text_is_spelt_as_in_the_document(typed: str, spelt: str, tmp_path: Path) -> None:
    task = write_pump_task(
        tmp_path / "pumps",
        ontology=ONTOLOGY
        + ":note a owl:DatatypeProperty ; rdfs:domain :Repair ; rdfs:range xsd:string .\n",
        text=f"{TEXT} They noted Water in Casing.",
        statements=STATEMENTS + '"noted" -> (Repair-1 note "Water in Casing")\n',
        queries={"note": ("((?repair type Repair) (?repair note ?value))", "What was noted?")},
    )
    sheet, out = tmp_path / "typed.csv", tmp_path / "typed.jsonl"
    write_sheet(sheet, ["id", "answer_1", "answer_2"], [("p7:note", "the repair", typed)])
    read_query_sheet(str(task), str(sheet), str(out), annotator="ida")
    kind = open_test(task).kind
    [answer] = kind.read_answer(open_sitting(out, kind).of("p7:note")[0]).solutions
    assert answer.values["value"] == f'"{spelt}"'


WEDDING = [  # on harlow-wedding of the bundled task
    ("birthDate", "Mr Victor Desmond", "4 June 1904"),
    ("birthPlace", "Victor", "Verrine"),
    ("parent", "Clara", "Dr James Harlow"),
    ("parent", "Miss Clara Harlow", "Mrs Ellen Harlow"),
    ("spouse", "Clara Harlow", "Mr Victor Desmond"),
]


def typed_wedding(folder: Path, rows: list[tuple[str, str, str]]) -> tuple[Any, dict[str, Any]]:
    """What reading a sheet about the wedding says, and each question's F."""
    sheet, out = str(folder / "typed.csv"), folder / "typed.jsonl"
    write_sheet(sheet, COLUMNS, [(f"harlow-wedding:{id}", *texts, "") for id, *texts in rows])
    written = read_query_sheet(BUNDLED, sheet, str(out), annotator="ida")
    test = open_test(BUNDLED, split="test")
    marks = mark(test, open_sitting(out, test.kind), metrics=["answers"])
    units = marks.as_json()["per_unit"]
    return written, {id: units[f"harlow-wedding:{id}"]["answers"] for id, *_ in rows}


def test_titles_and_parts_of_names_are_right(tmp_path: Path) -> None:
    _, scores = typed_wedding(tmp_path, WEDDING)
    # One of the two spouses was typed: 2 * 1 / (1 + 2); parents are 2 of 3: 2 * 2 / (2 + 3).
    assert scores == pytest.approx(
        {"birthDate": 1, "birthPlace": 1, "parent": 4 / 5, "spouse": 2 / 3}
    )


def test_a_surname_of_several_people_is_nobody(tmp_path: Path) -> None:
    """Four people are called Harlow or Desmond, and Mrs Harlow is not Mr Harlow."""
    rows = [("birthDate", "Desmond", "4 June 1904"), ("parent", "Clara", "Mrs Harlow")]
    _, scores = typed_wedding(tmp_path, rows)
    assert scores == {"birthDate": 0, "parent": 0}


def test_words_that_may_mean_several_choices_are_reported(tmp_path: Path) -> None:
    rows = [("birthDate", "Desmond", "4 June 1904"), ("birthPlace", "he", "Verrine")]
    written, scores = typed_wedding(tmp_path, rows)
    assert [note.split(": ", 1)[1] for note in written.notes[:-1]] == [
        "harlow-wedding:birthDate: “Desmond” does not say which is meant; use one of the choices",
        "harlow-wedding:birthPlace: “he” does not say which is meant; use one of the choices",
    ]
    assert scores == {"birthDate": 0, "birthPlace": 0}


def test_names_that_the_document_does_not_have_are_reported(tmp_path: Path) -> None:
    rows = [("birthDate", "Nobody Here", "4 June 1904"), ("birthPlace", "Victor", "Vienna")]
    written, _ = typed_wedding(tmp_path, rows)
    assert [note.split(": ", 1)[1] for note in written.notes[:-1]] == [
        "harlow-wedding:birthDate: “Nobody Here” is not in the document; use its words",
        "harlow-wedding:birthPlace: “Vienna” is not in the document; use its words",
    ]


def test_words_in_quotes_count_as_they_stand(tmp_path: Path) -> None:
    task = write_pump_task(tmp_path / "pumps")
    typed = {**TYPED, "repairDate": ("the repair", '"in the summer"')}
    assert typed_score(task, tmp_path, typed) == pytest.approx(100 * 8 / 13)


SECOND = (
    '"again on 2 March 2022" -> (Repair-2 type Repair) (Repair-2 repairOf P-7)\n'
    '"2 March 2022" -> (Repair-2 repairDate 2022-03-02)\n'
    '"3,100 hours" -> (Repair-2 afterHours 3100)\n'
)


def twice_repaired(folder: Path) -> Path:
    text = f"{TEXT} The fitters came again on 2 March 2022, after 3,100 hours."
    queries = {id: QUERIES[id] for id in ("afterHours", "repairDate", "repairOf")}
    return write_pump_task(folder, text=text, statements=STATEMENTS + SECOND, queries=queries)


def test_choices_tell_events_apart_and_do_not_list_what_is_asked_for(tmp_path: Path) -> None:
    write_query_sheet(str(twice_repaired(tmp_path / "two")), str(tmp_path / "two.csv"))
    both = "repair: repair on 10 August 2021 | repair on 2 March 2022"
    shown = {row["id"]: row["choices"] for _, row in read_rows(tmp_path / "two.csv")}
    assert shown == dict.fromkeys(("p7:afterHours", "p7:repairDate", "p7:repairOf"), both)
    # A single repair needs no date, and a list of pumps would answer "Which pumps?".
    write_query_sheet(str(write_pump_task(tmp_path / "one")), str(tmp_path / "one.csv"))
    shown = {row["id"]: row["choices"] for _, row in read_rows(tmp_path / "one.csv")}
    assert (shown["p7:replaced"], shown["p7:Pump"]) == ("repair: repair", "")


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("repair on 10 August 2021", "repair on 2 March 2022", 100.0),
        ("the first repair", "the second repair", 100.0),  # told apart by hours
        ("the repair", "the repair", 50.0),  # one thing cannot be two
        ("repair on 2 March 2022", "repair on 10 August 2021", 0.0),
        ("the March repair", "repair in August 2021", 0.0),
        ("the August repair", "the repair of 2022", 100.0),
        ("2022年3月的维修", "2021年的維修", 0.0),
        ("八月的維修", "三月的维修", 100.0),
    ],
)
def test_described_events_are_paired_by_their_values(
    first: str, second: str, score: float, tmp_path: Path
) -> None:
    task, sheet = twice_repaired(tmp_path / "two"), tmp_path / "typed.csv"
    rows = [("p7:afterHours", first, "2,900", ""), ("", second, "3,100", "")]
    write_sheet(sheet, COLUMNS, rows)
    sitting = tmp_path / "typed.jsonl"
    read_query_sheet(str(task), str(sheet), str(sitting), annotator="ida")
    test = open_test(task)
    marks = mark(test, open_sitting(sitting, test.kind), metrics=["answers(measure=precision)"])
    (found,) = marks.as_json(units=False)["marks"].values()
    assert found["score"] == pytest.approx(score)


@pytest.mark.parametrize("words", ["the repair", "the second repair", "这次维修", "repair in May"])
def test_a_description_that_is_none_of_the_choices_is_reported(words: str, tmp_path: Path) -> None:
    task, sheet = twice_repaired(tmp_path / "two"), tmp_path / "typed.csv"
    write_sheet(sheet, COLUMNS, [("p7:afterHours", words, "2,900", "")])
    read = read_query_sheet(str(task), str(sheet), str(tmp_path / "o.jsonl"), annotator="ida")
    assert read.notes[0].endswith(f"“{words}” does not say which is meant; use one of the choices")


@pytest.mark.parametrize(
    "words", ["repair on 10 August 2021", "2021年8月10日的維修", "the August repair"]
)
def test_a_description_that_says_which_is_meant_is_not(words: str, tmp_path: Path) -> None:
    task, sheet = twice_repaired(tmp_path / "two"), tmp_path / "typed.csv"
    write_sheet(sheet, COLUMNS, [("p7:afterHours", words, "2,900", "")])
    read = read_query_sheet(str(task), str(sheet), str(tmp_path / "o.jsonl"), annotator="ida")
    assert not [note for note in read.notes if "which is meant" in note]


def test_answers_are_typed_in_chinese(tmp_path: Path) -> None:
    """Four right answers of four, of the five that there are: 2·4 / 9."""
    text = (
        "七号水泵于2021年三月五日维修，此前运行了两千九百小时。维修更换了叶轮和轴封，是计划内的。"
    )
    statements = (
        "annotator: ida\n\n"
        '"维修"#1 -> (Repair-1="维修"#1 type Repair)\n'
        '"2021年三月五日" -> (Repair-1 repairDate 2021-03-05)\n'
        '"两千九百小时" -> (Repair-1 afterHours 2900)\n'
        '"更换了叶轮" -> (Impeller="叶轮" type Part) (Repair-1 replaced Impeller)\n'
        '"轴封" -> (Seal="轴封" type Part) (Repair-1 replaced Seal)\n'
        '"计划内" -> (Repair-1 wasPlanned true)\n'
    )
    asked = ("afterHours", "repairDate", "replaced", "wasPlanned")
    queries = {id: QUERIES[id] for id in asked}
    task = write_pump_task(tmp_path / "pumps", text=text, statements=statements, queries=queries)
    typed: dict[str, tuple[str, ...]] = {
        "afterHours": ("这次维修", "两千九百"),
        "repairDate": ("维修", "三月五日"),
        "replaced": ("3月5日的维修", "叶轮"),
        "wasPlanned": ("该次维修", "是"),
    }
    assert typed_score(task, tmp_path, typed) == pytest.approx(100 * 8 / 9)
