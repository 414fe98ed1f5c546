"""`readmark convert` of annotated statements: the light notation, RDF and back, without loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import readmark
from command_line import in_process

TEXT = "The Otters beat the Herons in overtime."
LIGHT = """document: otters
annotator: ida
"The Otters" + "beat" -> (Game-1 winner Otters="The Otters") p=0.5
"in overtime" -> (Game-1 hasOvertimePlay true)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pytest.importorskip("pyoxigraph")
    (tmp_path / "otters.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "otters.statements").write_text(LIGHT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("suffix", ["ttl", "trig", "nq", "nt", "rdf"])
def test_statements_become_rdf_and_come_back(folder: Path, suffix: str) -> None:
    done = in_process("convert", "otters.statements", f"otters.{suffix}", cwd=folder)
    assert (done.returncode, done.stderr) == (
        0,
        f"readmark: otters.statements: 2 statements\n"
        f"readmark: otters.{suffix} written as {suffix}\n",
    )
    (folder / "again").mkdir()
    back = folder / "again" / "otters.statements"
    readmark.convert(folder / f"otters.{suffix}", back, passages=folder / "otters.txt")
    once = folder / "again" / "once.statements"
    readmark.convert(folder / "otters.statements", once, passages=folder / "otters.txt")
    assert back.read_text("utf-8") == once.read_text("utf-8").replace("once", "otters")
    assert "p=0.5" in back.read_text("utf-8")
    assert "annotator: ida" in back.read_text("utf-8")


def test_the_json_is_that_of_every_conversion(folder: Path) -> None:
    done = in_process("convert", "otters.statements", "otters.ttl", "--json", cwd=folder)
    document = json.loads(done.stdout)
    assert (document["format"], document["lost"]) == ("ttl", [])
    assert document["notes"] == ["2 statements"]


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("otters.ttl", "--split", "dev"), 2, "--split is for tests and sittings, which otters.s"),
        (("otters.ttl", "--public"), 2, "--public is for tests and sittings, which otters.state"),
        (("otters.jsonl",), 1, "otters.jsonl: not an RDF file by its name, expected one of .rdf"),
        (("otters.ttl", "--passages", "no.txt"), 1, "no.txt: no such file"),
    ],
)
def test_bad_usage_is_one_line(folder: Path, args: tuple[str, ...], status: int, line: str) -> None:
    done = in_process("convert", "otters.statements", *args, cwd=folder)
    assert done.returncode == status
    [message] = done.stderr.splitlines()
    assert line in message
