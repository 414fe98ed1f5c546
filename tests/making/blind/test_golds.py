"""Golds of series: a sheet with drafts, the guidelines on its return, merging and decisions."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer
from readmark.core.test import Header, Test, in_memory
from readmark.formats.inputs import load
from readmark.formats.registry import save_test
from readmark.making.blind.golds import gold_sizes
from readmark.making.blind.golds_merge import merge_golds
from readmark.making.gold_sheet import read_gold_sheet, write_gold_sheet
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.statistics.agreement.value import Resampling

Run = Callable[..., subprocess.CompletedProcess[str]]
Golds = Mapping[str, Sequence[str]]

BOARD = "Harbour Lights Board (HLB)"
ANN: dict[str, list[str]] = {
    "1": ["Who built the Skerry lighthouse?"],
    "2": [
        "Where was PREVIOUS_ANSWER born?",
        "Where was the person who built the Skerry lighthouse born?",
    ],
    "3": [
        f"When was the {BOARD} founded?",
        "When was the Harbour Lights Board founded?",
        "When was the HLB founded?",
    ],
}


def asked(id: str, text: str, *golds: Answer, **more: Any) -> SeriesQuestion:
    key = SeriesQuestionKey(rewrites=golds) if golds else None
    return SeriesQuestion(id=id, text=text, key=key, **more)


def lights(*golds: Answer, **header: Any) -> Test:
    records = (
        Series(
            id="s",
            target="Skerry lighthouse",
            split="dev",
            questions=(
                asked("1", "Who built it?", *golds),
                asked("2", "Where was he born?", previous=("Ida Lund",), previous_of="1"),
                asked("o", "Provide any other details.", category="OTHER"),
            ),
        ),
        Series(id="b", target=BOARD, split="test", questions=(asked("3", "When was it founded?"),)),
    )
    return in_memory(Header(kind="series", name="lights", language="en", **header), records)


def filled(folder: Path, name: str, golds: Golds, suffix: str = ".csv") -> Path:
    """A person's sheet, filled in as a spreadsheet would save it."""
    path = folder / f"{name}{suffix}"
    write_gold_sheet(lights(), path, person=name, force=True)
    if suffix == ".xlsx":
        book = openpyxl.load_workbook(path)
        sheet = book.worksheets[1]
        columns = {cell.value: cell.column for cell in sheet[1]}
        for row in sheet.iter_rows(min_row=2):
            for number, gold in enumerate(golds.get(str(row[0].value), ()), 1):
                sheet.cell(row[0].row, columns[f"gold_{number}"]).value = gold
        book.save(path)
        return path
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    head = next(row for row in rows if row[0] == "id")
    for row in rows:
        for number, gold in enumerate(golds.get(row[0], ()), 1):
            row[head.index(f"gold_{number}")] = gold
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


def test_a_sheet_offers_drafts(tmp_path: Path) -> None:
    result = write_gold_sheet(lights(), tmp_path / "ann.xlsx", person="Ann")
    assert (result.series, result.questions, result.drafts) == (2, 3, 3)
    book = openpyxl.load_workbook(tmp_path / "ann.xlsx")
    assert book.sheetnames == ["Guidelines", "Golds"]
    head, *rows = [[cell.value for cell in row] for row in book["Golds"].iter_rows()]
    assert [{name: cell for name, cell in zip(head, row, strict=True) if cell} for row in rows] == [
        {
            "id": "1",
            "target": "Skerry lighthouse",
            "question": "Who built it?",
            "draft_target": "Who built the Skerry lighthouse?",
            "annotator": "Ann",
        },
        {
            "id": "2",
            "target": "Skerry lighthouse",
            "question": "Where was he born?",
            "known_answer": "Ida Lund",
            "draft_previous_answer": "Where was PREVIOUS_ANSWER born?",
            "draft_previous_question": "Where was the person who built the Skerry lighthouse born?",
            "annotator": "Ann",
        },
        {
            "id": "3",
            "target": BOARD,
            "question": "When was it founded?",
            "draft_target": f"When was {BOARD} founded?",
            "draft_without_brackets": "When was Harbour Lights Board founded?",
            "draft_in_brackets": "When was HLB founded?",
            "annotator": "Ann",
        },
    ]


def test_a_chinese_sheet_comes_back(tmp_path: Path) -> None:
    tea = Series(id="t", target="陆羽", questions=(asked("t1", "他写了什么书？"),))
    path = tmp_path / "王.csv"
    write_gold_sheet(in_memory(Header(kind="series", language="zh"), [tea]), path, person="王")
    text = path.read_text("utf-8-sig")
    head, row = [line.split(",") for line in text.splitlines() if not line.startswith(("#", '"#'))]
    assert head[:4] == ["编号", "对象", "问题", "草稿：对象"]
    assert row[:4] == ["t1", "陆羽", "他写了什么书？", "陆羽写了什么书？"]
    row[head.index("改写1")] = " 陆羽写了 什么书？ "
    path.write_text(",".join(head) + "\n" + ",".join(row) + "\n", "utf-8")
    (back,) = read_gold_sheet(path)
    assert (back.place, back.id, back.golds, back.person) == (2, "t1", ("陆羽写了 什么书？",), "王")


def test_nothing_that_somebody_filled_in_is_lost(tmp_path: Path) -> None:
    path = filled(tmp_path, "Ann", ANN)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="may have been filled in"):
        write_gold_sheet(lights(), path, person="Ann")
    assert path.read_bytes() == before


def test_a_sheet_has_what_the_person_has_not_done(tmp_path: Path) -> None:
    gold = Answer(text="Who built the Skerry lighthouse?", annotator="Ann")
    path = tmp_path / "a.csv"
    assert write_gold_sheet(lights(gold), path, person="ann ").questions == 2
    assert write_gold_sheet(lights(gold), tmp_path / "b.csv", person="Bo").questions == 3
    hidden = write_gold_sheet(lights(hidden=("test",)), tmp_path / "h.csv")
    assert hidden.questions == 2
    assert "hidden" in hidden.notes[0]
    done = in_memory(
        Header(kind="series", language="en"),
        [Series(id="s", target="x", questions=(asked("1", "Who?", gold),))],
    )
    result = write_gold_sheet(done, tmp_path / "none.csv", person="Ann")
    assert result.output is None
    assert not (tmp_path / "none.csv").exists()
    assert "no question that lacks golds of 'Ann'" in result.notes[-1]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_two_people_are_merged_with_their_agreement(tmp_path: Path, suffix: str) -> None:
    bo = {**ANN, "1": ["Who constructed the Skerry lighthouse?"]}
    files = [
        filled(tmp_path, "Ann", {id: ANN[id] for id in ("1", "2")}, suffix),
        filled(tmp_path, "Bo", bo, suffix),
    ]
    out = tmp_path / "both.jsonl"
    done = merge_golds(lights(), files, str(out), resampling=Resampling(draws=0))
    assert done.agreement is not None
    (rewrites,) = done.agreement.comparisons
    # Of question 1 the words are 4 of 6 and the pairs 2 of 6: (2 × 4/6 + 2/6) / 3; 2 is equal.
    assert [figure.value for figure in rewrites.figures] == [
        pytest.approx(((2 * 4 / 6 + 2 / 6) / 3 + 1) / 2),
        0.5,
    ]
    assert {name: sizes.as_json() for name, sizes in done.people.items()} == {
        "Ann": {"questions": 2, "golds": 3, "most": 2, "mean": 1.5},
        "Bo": {"questions": 3, "golds": 6, "most": 3, "mean": 2.0},
    }
    # 2 + 2 + 3 golds, as the two of question 2 are the same.
    assert done.sizes.as_json() == {"questions": 3, "golds": 7, "most": 3, "mean": 7 / 3}
    assert done.owed == {"Ann": ["3"]}
    merged = load(out)
    assert merged.facts.paper == lights().facts.paper
    key = next(iter(merged.records())).questions[0].key
    assert [(gold.annotator, gold.text) for gold in key.rewrites] == [
        ("Ann", "Who built the Skerry lighthouse?"),
        ("Bo", "Who constructed the Skerry lighthouse?"),
    ]
    assert gold_sizes(merged, "Bo") == done.people["Bo"]


def test_people_may_do_different_series(tmp_path: Path) -> None:
    files = [
        filled(tmp_path, "Ann", {id: ANN[id] for id in ("1", "2")}),
        filled(tmp_path, "Bo", {"3": ANN["3"]}),
    ]
    done = merge_golds(lights(), files, str(tmp_path / "o.jsonl"))
    assert done.agreement is None
    assert done.sizes.golds == 6


FAULTS: list[tuple[Golds, list[tuple[int, str, str]]]] = [
    (ANN, []),
    ({"1": ["Who built it?"]}, [(11, "unresolved_pronoun", "warning")]),
    (
        {"1": ["Who erected the Skerry lighthouse?"]},
        [(11, "foreign_word", "warning")],
    ),
    ({"1": ["Who built the Skerry?"]}, [(11, "short_target", "warning")]),
    ({"2": ["Where was PREVIOUS_ANSWER born?"]}, [(12, "no_embedding_gold", "error")]),
    ({"1": ["Who built PREVIOUS_ANSWER?"]}, [(11, "no_earlier_question", "error")]),
    (
        {"1": ["Who built the previous_answer Skerry lighthouse?"]},
        [(11, "misspelt_variable", "error"), (11, "foreign_word", "warning")],
    ),
    ({"3": ANN["3"][:2]}, [(13, "bracket_variants", "error")]),
]


@pytest.mark.parametrize(("golds", "expected"), FAULTS)
def test_the_guidelines_are_checked_row_by_row(
    golds: Golds, expected: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    out = tmp_path / "o.jsonl"
    path = filled(tmp_path, "Ann", {**ANN, **golds})
    done = merge_golds(lights(), [path], str(out))
    problems = [(problem.where, problem.code, problem.severity) for problem in done.problems]
    assert problems == expected
    assert out.exists() is not bool(done.faults)
    if done.faults:
        with pytest.raises(DataError, match="1 fault by the guidelines, nothing written"):
            done.require_written()
        merge_golds(lights(), [path], str(out), keep_faults=True).require_written()
        assert out.exists()


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Who built it?", "Who made it?", ":11: '1' has another question: 'Who made it?'"),
        ("Skerry lighthouse,Who", "Skerry,Who", ":11: '1' has another target: 'Skerry'"),
        ("\n1,", "\n9,", ":11: <memory> has no question '9'"),
        ("\n1,", "\n2,", ":12: 'Ann' has '2' twice"),
        ("gold_", "silver_", "has no columns id and gold_1"),
    ],
)
def test_a_sheet_of_other_questions_is_refused(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    path = changed(filled(tmp_path, "Ann", ANN), old, new)
    with pytest.raises(DataError) as error:
        merge_golds(lights(), [path], str(tmp_path / "o.jsonl"))
    assert message in str(error.value)
    assert not (tmp_path / "o.jsonl").exists()


def test_names_are_told_apart(tmp_path: Path) -> None:
    ann, bo = filled(tmp_path, "Ann", ANN), filled(tmp_path, "Bo", ANN)
    out = str(tmp_path / "o.jsonl")
    with pytest.raises(DataError, match="'Ann' and 'ann' differ in case alone"):
        merge_golds(lights(), [ann, changed(bo, "Bo", "ann")], out)
    with pytest.raises(DataError, match="the key has golds of 'Ann' already"):
        merge_golds(lights(Answer(text="x", annotator="Ann")), [ann], out)
    with pytest.raises(DataError, match="every gold is empty"):
        merge_golds(lights(), [filled(tmp_path, "Cy", {})], out)


def test_people_who_agree_leave_nothing_to_adjudicate(tmp_path: Path) -> None:
    files = [filled(tmp_path, "Ann", ANN), filled(tmp_path, "Bo", ANN)]
    out, file = str(tmp_path / "gold.jsonl"), str(tmp_path / "differences.jsonl")
    done = merge_golds(lights(), files, out, disagreements=file)
    assert done.disagreements is None
    assert f"nothing to adjudicate: {file} not written" in done.messages
    assert not Path(file).exists()
    merge_golds(lights(), files, str(tmp_path / "one.jsonl"), decisions=file)
    assert (tmp_path / "one.jsonl").is_file()


def test_differences_are_decided(tmp_path: Path) -> None:
    bo = {
        **ANN,
        "1": ["Who constructed the Skerry lighthouse?"],
        "2": [ANN["2"][0], "Where was the builder of the Skerry lighthouse born?"],
    }
    files = [filled(tmp_path, "Ann", ANN), filled(tmp_path, "Bo", bo)]
    out, file = str(tmp_path / "gold.jsonl"), tmp_path / "differences.jsonl"
    done = merge_golds(lights(), files, out, disagreements=str(file))
    assert done.open_decisions == 2
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["id"], line["beside"]["question"]) for line in lines[1:]] == [
        ("1", "Who built it?"),
        ("2", "Where was he born?"),
    ]
    undecided = merge_golds(lights(), files, str(tmp_path / "not.jsonl"), decisions=str(file))
    assert undecided.undecided == ["1", "2"]
    assert not (tmp_path / "not.jsonl").exists()

    lines[1] |= {"decision": "b", "by": "Cy"}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = merge_golds(lights(), files, out, disagreements=str(file))
    assert again.open_decisions == 1
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert (lines[1]["decision"], lines[1]["by"]) == ("b", "Cy")
    lines[2] |= {"decision": "both"}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    decided = merge_golds(lights(), files, out, decisions=str(file))
    assert decided.decided == {"for Bo": 1, "both": 1}
    golds = {
        question.id: [gold.text for gold in question.key.rewrites]
        for series in load(out).records()
        for question in series.questions
        if question.key is not None
    }
    assert golds == {"1": bo["1"], "2": [*ANN["2"], bo["2"][1]], "3": ANN["3"]}
    assert decided.sizes.as_json() == {"questions": 3, "golds": 7, "most": 3, "mean": 7 / 3}
    lines[2] |= {"decision": "other", "other": [""]}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(DataError, match="expected a gold or a list of golds"):
        merge_golds(lights(), files, out, decisions=str(file))
    with pytest.raises(DataError, match="golds of Ann and Bo, in this order"):
        merge_golds(lights(), files[::-1], out, decisions=str(file))


def test_the_commands(tmp_path: Path, readmark_cli: Run) -> None:
    save_test(lights(), tmp_path / "lights.jsonl")

    def run(*words: str) -> tuple[int, str, str]:
        done = readmark_cli("set", *words, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    status, out, err = run("sheet", "lights.jsonl", "-o", "Ann.csv", "--for", "Ann", "--json")
    assert (status, json.loads(out)["questions"]) == (0, 3), err
    status, _, err = run("sheet", "lights.jsonl", "-o", "Ann.csv")
    assert status == 2
    assert "Ann.csv: exists, and may have been filled in; --force" in err
    assert run("sheet", "lights.jsonl", "-o", "Ann.csv", "--for", "Ann", "--force")[0] == 0
    assert run("sheet", "lights.jsonl", "-o", "q.csv", "--rows", "3")[0] == 2
    filled(tmp_path, "Ann", ANN)
    filled(tmp_path, "Bo", {**ANN, "2": ANN["2"][:1]})
    sheets = ("Ann.csv", "Bo.csv")
    status, out, err = run("merge", "lights.jsonl", *sheets, "-o", "o.jsonl")
    assert status == 1
    assert "Bo.csv:12: no_embedding_gold: 2: PREVIOUS_ANSWER without" in err
    status, out, err = run("merge", "lights.jsonl", *sheets, "-o", "o.jsonl", "--keep-faults")
    assert status == 0
    assert out.splitlines()[2].split() == ["Ann", "3", "6", "3", "2.00"]
    status, out, _ = run("agree", *sheets, "--json", "--draws", "0")
    rewrites = json.loads(out)["what"]["rewrites"]
    status, out, _ = run("agree", "o.jsonl", "--json", "--draws", "0")
    assert json.loads(out)["what"]["rewrites"]["figures"] == rewrites["figures"]
    assert run("merge", "lights.jsonl", "Ann.csv", "-o", "x.jsonl", "--drop-free")[0] == 2
    (tmp_path / "sat.json").write_text(json.dumps({"1": ANN["1"][0]}))
    words = ("merge", "lights.jsonl", "sat.json", "-o", "x.jsonl", "--name", "Cy", "--json")
    assert json.loads(run(*words)[1])["people"]["Cy"]["golds"] == 1
