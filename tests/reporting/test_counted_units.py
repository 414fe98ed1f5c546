"""How many units a mark counts, where a judge left some without a verdict: wherever it stands."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from llm_endpoint import Body, Endpoint
from readmark.core.display import make_console
from readmark.core.traffic import Traffic
from readmark.llm.judge import Judge
from readmark.reporting import table as standings
from sheets import FEW, GOOD, POOR, harbour, sitting

JUDGE = "judge(model=m,people=true)"
UNREAD = {"What scarf?", "How many?"}
"""Questions without a verdict: one of level 1, and both that ask how many (levels 2 and 1)."""


def hazy(body: Body) -> str:
    """A judge who is sure of all but a few questions."""
    said = body["messages"][-1]["content"]
    return "hard to say" if any(one in said for one in UNREAD) else "right"


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Marksheets of two candidates, and of people; the marks."""
    folder = tmp_path_factory.mktemp("counted")
    test = harbour()
    found: dict[str, Any] = {}
    with Endpoint(hazy) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}",cache="",people=true)'
        told: dict[str, Any] = {"metrics": ["em", judge], "by": ["level"], "settings": FEW}
        for name, answers in (("poor", POOR), ("good", GOOD)):
            path = folder / f"{name}.jsonl"
            sat = sitting(name, answers)
            found[name] = readmark.mark(test, sat, marksheet=path, traffic=Traffic(), **told)
        found["people"] = readmark.people(test, marksheet=folder / "people.jsonl", **told)
    return folder, found


def marked_by(verdict: str, marksheet: Path) -> Any:
    """The marks of one candidate by a judge who always says the same."""
    with Endpoint(lambda body: verdict) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}",cache="")'
        return readmark.mark(
            harbour(),
            sitting("good", GOOD),
            metrics=["em", judge],
            settings=FEW,
            traffic=Traffic(),
            marksheet=marksheet,
        )


@pytest.mark.server
def test_marks_and_slices(marked: tuple[Path, dict[str, Any]]) -> None:
    good = marked[1]["good"].as_json()
    assert good["units"] == 8
    assert good["counted"] == {JUDGE: 5}
    levels = good["by"]["level"]
    assert {label: one["units"] for label, one in levels.items()} == {"1": 4, "2": 4}
    assert {label: one[JUDGE]["units"] for label, one in levels.items()} == {"1": 2, "2": 3}
    assert all("units" not in one["em"] for one in levels.values())
    # Who says nothing is wrong without a verdict: of the three, poor left mill-2 unanswered.
    poor = marked[1]["poor"].as_json()
    assert poor["counted"] == {JUDGE: 6}
    assert "units" not in poor["by"]["level"]["2"][JUDGE]


def test_people(marked: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    people = marked[1]["people"]
    told = people.as_json()
    assert told["units"] == 7  # one has a single person's answer
    assert told["counted"] == {JUDGE: 4}
    assert told["by"]["level"]["1"][JUDGE]["units"] == 1
    people.show(make_console())
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("judge"))
    assert row.split()[-1] == "4"


def test_beside_people(
    marked: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    beside = marked[1]["poor"].as_json(units=False)["people"]
    assert beside["units"] == 7
    # Two of the three questions without a verdict are answered by poor, one is not.
    assert beside["marks"][JUDGE].items() >= {"machine_units": 5, "people_units": 4}.items()
    assert beside["marks"]["em"].keys() == {"machine", "people", "ratio", "low", "high"}
    marked[1]["poor"].show_full(make_console())
    lines = capsys.readouterr().out.split("compared with people")[1].splitlines()
    assert [line.split()[-4:] for line in lines if " n 5" in line] == [["n", "5", "n", "4"]]


@pytest.mark.server
def test_a_judge_who_is_not_asked_about_people_has_no_number_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = marked_by("right", tmp_path / "good.jsonl")
    marks.show_full(make_console())
    assert " n 0" not in capsys.readouterr().out
    readmark.report(tmp_path / "good.jsonl", path=tmp_path / "r.html")
    assert "n 0<" not in (tmp_path / "r.html").read_text("utf-8")


def test_a_metric_that_counts_all_has_no_number_of_its_own() -> None:
    marks = readmark.mark(harbour(), sitting("good", GOOD), metrics=["em", "f1"], settings=FEW)
    assert marks.scores.counted == {}
    assert "counted" not in marks.as_json()


def test_slices_in_a_terminal(
    marked: tuple[Path, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    marked[1]["good"].show(make_console())
    lines = capsys.readouterr().out.splitlines()
    table = lines[next(at for at, one in enumerate(lines) if one.startswith("level   units")) :][:8]
    assert [one.split()[-2:] for one in table if " n " in one] == [["n", "2"], ["n", "3"]]


def table_of(folder: Path) -> Any:
    sheets = [str(folder / f"{name}.jsonl") for name in ("poor", "good")]
    return standings(*sheets, metrics=["em", JUDGE])


@pytest.mark.parametrize("layout", ["cmrc", "smart"])
def test_the_table_in_a_terminal(
    layout: str,
    marked: tuple[Path, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    msgspec.structs.replace(table_of(marked[0]), layout=layout).show(make_console())
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    wanted = ["4", "5", "6"] if layout == "cmrc" else [*"134", *"235", *"26"]
    found = re.findall(r"\bn (\d+)", out)
    assert sorted(found) == sorted(wanted)
    assert "n: the units that a mark counts, where they are not all" in out.splitlines()


def test_the_table_in_markdown_and_csv(marked: tuple[Path, dict[str, Any]]) -> None:
    table = table_of(marked[0])
    lines = table.as_markdown().splitlines()
    assert [line.rpartition("(")[2] for line in lines[2:5]] == ["n 4) |", "n 5) |", "n 6) |"]
    heads, *rows = csv.reader(io.StringIO(table.as_csv()))
    assert heads == ["candidate", "harbour EM", f"harbour {JUDGE}†", f"harbour {JUDGE}† n"]
    assert [(row[0], row[3]) for row in rows] == [
        ("people (leave-one-out)", "4"),
        ("good", "5"),
        ("poor", "6"),
    ]
    heads, *rows = csv.reader(io.StringIO(msgspec.structs.replace(table, layout="smart").as_csv()))
    at = heads.index(f"poor {JUDGE}† n")
    assert [row[at] for row in rows] == ["2", "4", "6"]  # level 2 is whole, and says so
    assert not any(head.endswith("EM n") for head in heads)


def test_a_split_that_was_not_sat_has_no_number(marked: tuple[Path, dict[str, Any]]) -> None:
    sheets = [f"dev={marked[0] / 'poor.jsonl'}", f"test={marked[0] / 'good.jsonl'}"]
    heads, *rows = csv.reader(io.StringIO(standings(*sheets, metrics=["em", JUDGE]).as_csv()))
    poor = next(row for row in rows if row[0] == "poor")
    assert [poor[at] for at, head in enumerate(heads) if head.startswith("test ")] == ["", "", ""]


@pytest.mark.server
def test_nothing_judged_is_told_from_not_sat_and_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Marksheets of 0.5 may have no verdict at all; now they are not written.
    monkeypatch.setattr(Judge, "_refusal", lambda self: None)
    marked_by("hard to say", tmp_path / "good.jsonl")
    table = standings(str(tmp_path / "good.jsonl"), metrics=["em", "judge(model=m)"])
    people, good = table.as_markdown().splitlines()[2:4]
    assert good.endswith("| – (n 0) |")
    assert people.endswith("| – |")
    _, asked, judged = csv.reader(io.StringIO(table.as_csv()))
    assert (asked[2:], judged[2:]) == (["", ""], ["", "0"])


def test_the_table_as_json(marked: tuple[Path, dict[str, Any]]) -> None:
    rows = table_of(marked[0]).as_json()["rows"]
    cells = {row["name"]: row["splits"]["harbour"] for row in rows}
    assert cells["good"][JUDGE]["units"] == 5
    assert cells["good"]["by"]["1"][JUDGE]["units"] == 2
    assert "units" not in cells["good"]["em"]
    assert "units" not in cells["poor"]["by"]["2"][JUDGE]
    json.dumps(rows)


def test_the_report_in_both_languages(marked: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    readmark.report(
        *[marked[0] / f"{name}.jsonl" for name in ("poor", "good", "people")], path=page
    )
    html = page.read_text("utf-8")
    text = re.sub(r"<[^>]*>", " ", html)
    for n in (5, 6, 4):  # the candidates' and people's rows of the marks
        assert re.search(rf"\d–\d+\.\d\d, n {n}\b", text)
        assert re.search(rf"\d–\d+\.\d\d，n {n}\b", text)
    assert re.search(r"\(100\.00 to 100\.00, n 5\) on", text)  # the sentence about good
    assert re.search(r"（100\.00 至 100\.00，n 5）", text)
    assert "n is the number of questions that a mark counts" in text
    assert "n 为计入该得分的题目数" in text
    assert "100.00–100.00, n 3" in text


def test_a_report_of_whole_marks_has_no_such_numbers(tmp_path: Path) -> None:
    sheet = tmp_path / "good.jsonl"
    readmark.mark(harbour(), sitting("good", GOOD), settings=FEW, by=["level"], marksheet=sheet)
    readmark.report(sheet, path=tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    assert not re.search(r"\d, n \d", html)
    assert "that a mark counts" not in html
