"""``readmark task mark``: facts and inferences apart, beside people, by document."""

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
        *("task", "mark", "test.jsonl", "machine.jsonl", "--people", "person.jsonl"),
        *("--by", "property", "--json"),
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
    assert "provisional: 2 answers" in done.stderr + json.dumps(said.get("notes", []))
    assert said["per_unit"]["d1:winner"] == {"facts": 1.0, "inferences": None}


def test_a_report_shows_them(readmark_cli: Run, files: Path) -> None:
    assert (
        readmark_cli("mark", "test.jsonl", "machine.jsonl", "-o", "m.jsonl", cwd=files).returncode
        == 0
    )
    done = readmark_cli("report", "m.jsonl", "-o", "report.html", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "facts" in (files / "report.html").read_text(encoding="utf-8")
