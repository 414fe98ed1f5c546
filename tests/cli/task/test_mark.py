"""``readmark mark TASK``: facts and inferences apart, beside people, by document."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def asked(document: str, query: str, *gold: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{document}:{query}",
        "query": query,
        "property": query,
        "graph": f"((?g {query} ?v))",
        "key": {"solutions": list(gold)},
    }


def found(value: object, inferred: bool = False) -> dict[str, Any]:
    return {"values": {"g": "G", "v": value}, "inferred": inferred}


TEST = [
    {"readmark": 1, "kind": "task", "name": "tiny", "language": "en"},
    {
        "id": "d1",
        "text": "Jets beat Bills in overtime.",
        "queries": [
            asked("d1", "winner", found("Jets")),
            asked("d1", "periods", found(5, inferred=True)),
        ],
    },
    {
        "id": "d2",
        "text": "Colts beat Rams.",
        "queries": [asked("d2", "winner", found("Colts")), asked("d2", "periods")],
    },
]
MACHINE = {"d1:winner": ["Jets"], "d1:periods": [], "d2:winner": ["Rams"], "d2:periods": [4]}
PERSON = {
    "d1:winner": ["Jets"],
    "d1:periods": [5],
    "d2:winner": ["Colts", "Rams"],
    "d2:periods": [],
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A test, a machine's sitting and a person's."""
    lines = "".join(json.dumps(one) + "\n" for one in TEST)
    (tmp_path / "test.jsonl").write_text(lines)
    for name, said in (("machine", MACHINE), ("person", PERSON)):
        rows = [{"readmark": 1, "file": "sitting", "kind": "task", "candidate": name}]
        rows += [
            {"id": id, "bindings": [{"g": "G", "v": value} for value in values]}
            for id, values in said.items()
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    return tmp_path


def test_marks_beside_people(readmark_cli: Run, files: Path) -> None:
    done = readmark_cli(
        "mark",
        "test.jsonl",
        "machine.jsonl",
        "--people",
        "person.jsonl",
        "--by",
        "property",
        "--json",
        cwd=files,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    # facts: the machine has 1 right of 3 said and 2 wanted, the person 2 of 3 and 2
    assert said["marks"]["facts"]["score"] == pytest.approx(100 * 2 / 5)
    assert "clusters:document" in said["marks"]["facts"]["signature"]
    facts, inferences = (said["people"]["marks"][one] for one in ("facts", "inferences"))
    assert (facts["machine"], facts["people"]) == pytest.approx((40, 80))
    assert facts["ratio"] == pytest.approx(0.5)
    assert facts["low"] <= 0.5 <= facts["high"]
    assert (inferences["machine"], inferences["people"], inferences["ratio"]) == (0, 100, 0)
    assert said["by"]["property"]["winner"]["facts"]["score"] == pytest.approx(50)
    assert "provisional: answers neither in the gold nor judged: 2 (" in done.stderr + json.dumps(
        said.get("notes", [])
    )
    assert said["per_unit"]["d1:winner"] == {"facts": 1.0, "inferences": None}


def test_a_report_shows_them(readmark_cli: Run, files: Path) -> None:
    assert (
        readmark_cli("mark", "test.jsonl", "machine.jsonl", "-o", "m.jsonl", cwd=files).returncode
        == 0
    )
    done = readmark_cli("report", "m.jsonl", "-o", "report.html", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "facts" in (files / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("bad", [[{"g": "G", "v": None}], "Jets", [{"values": {}, "extra": 1}]])
def test_a_row_that_cannot_be_read_is_an_error_row(
    readmark_cli: Run, files: Path, bad: object
) -> None:
    """The rest is marked: 1 right fact of 2 said and 2 wanted."""
    rows = (files / "machine.jsonl").read_text().splitlines()
    rows[1] = json.dumps({"id": "d1:winner", "bindings": bad})
    rows[3] = json.dumps({"id": "d2:winner", "bindings": [{"g": "G", "v": "Colts"}]})
    (files / "bad.jsonl").write_text("\n".join(rows) + "\n")
    done = readmark_cli("mark", "test.jsonl", "bad.jsonl", "--json", cwd=files)
    assert done.returncode == 1
    assert "readmark: bad.jsonl:2: d1:winner: " in done.stderr
    assert "readmark: bad.jsonl: error rows: 1 (d1:winner); resume" in done.stderr
    assert json.loads(done.stdout)["marks"]["facts"]["score"] == pytest.approx(100 * 2 / 4)
    (files / "bad.json").write_text(json.dumps({"d1:winner": bad}))
    done = readmark_cli("mark", "test.jsonl", "bad.json", "--errors-as-wrong", cwd=files)
    assert done.returncode == 0
    assert "readmark: bad.json: d1:winner: " in done.stderr


def test_excerpts_that_do_not_stand_there_are_named(readmark_cli: Run, files: Path) -> None:
    def cited(document: str, start: int, end: int, quote: str) -> list[dict[str, Any]]:
        place = {"document": document, "start": start, "end": end, "quote": quote}
        return [{"values": {"g": "G", "v": "Jets"}, "excerpts": [place]}]

    said = {
        "d1:winner": cited("d1", 0, 4, "Jets"),
        "d1:periods": cited("d1", 0, 4, "Nets"),
        "d2:winner": cited("d1", 0, 4, "Jets"),
        "d2:periods": cited("d2", -5, 10**8, "x"),
    }
    (files / "said.json").write_text(json.dumps(said))
    done = readmark_cli("mark", "test.jsonl", "said.json", cwd=files)
    assert (
        "said.json: excerpts of 3 (d1:periods, d2:winner, d2:periods) do not occur in their "
        "documents; they give no credit" in done.stderr
    )


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        ("complete", "they count as wrong, since annotation is complete"),
        ("query-driven", "they are left out, since annotation is query-driven"),
    ],
)
def test_the_note_of_provisional_marks_is_said_once(
    readmark_cli: Run, files: Path, annotation: str, words: str
) -> None:
    """Nobody judged the machine's Rams and its 4 periods, one line for three metrics."""
    test = (
        (files / "test.jsonl")
        .read_text()
        .replace('"key": {', f'"key": {{"annotation": "{annotation}", ')
    )
    (files / "test.jsonl").write_text(test)
    metrics = ("-m", "facts", "-m", "inferences", "-m", "answers")
    done = readmark_cli("mark", "test.jsonl", "machine.jsonl", *metrics, cwd=files)
    [line] = [one for one in done.stderr.splitlines() if "provisional" in one]
    assert line == (
        "readmark: machine.jsonl: provisional: answers neither in the gold nor judged: "
        f"2 (facts 2, inferences 0, answers 2); {words}"
    )


def test_the_ratios_are_named_and_what_is_unjudged_has_none(readmark_cli: Run, files: Path) -> None:
    args = ("mark", "test.jsonl", "machine.jsonl", "--people", "person.jsonl")
    metrics = ("-m", "facts", "-m", "inferences", "-m", "unjudged")
    done = readmark_cli(*args, *metrics, "--full", cwd=files)
    assert "ratios to people's marks: PR_F for facts, PR_I for inferences" in done.stdout
    beside = json.loads(readmark_cli(*args, *metrics, "--json", cwd=files).stdout)["people"]
    # 2 of 3 not judged, beside the person's 1 of 4
    assert beside["marks"]["unjudged"]["ratio"] is None
    assert beside["marks"]["unjudged"]["difference"] == pytest.approx(100 * (2 / 3 - 1 / 4))
