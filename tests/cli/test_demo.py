"""The demo: the whole path on the bundled tests."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

import msgspec
import pytest
from rich.cells import cell_len

from readmark.cli.demo import (
    Demo,
    bundled_tests,
    embedded_candidates,
    mark_cases,
    run_demo,
)
from readmark.formats.registry import open_test
from readmark.sitting.candidates import CANDIDATES

pytestmark = pytest.mark.slow(first=True)

Run = Callable[..., CompletedProcess[str]]


STALE = "left by an earlier demo\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with spoilt files under the names that the demo writes."""
    folder = tmp_path_factory.mktemp("demo")
    for path in bundled_tests(folder):
        stem = path.name.removesuffix(".jsonl")
        for candidate in embedded_candidates(open_test(path).kind.name):
            for what in ("sitting", "marks"):
                (folder / f"{stem}.{candidate}.{what}.jsonl").write_text(STALE, "utf-8")
        path.write_text(STALE, "utf-8")
    (folder / "report.html").write_text(STALE, "utf-8")
    return folder


@pytest.fixture(scope="module")
def printed(folder: Path, readmark_cli: Run) -> dict[str, str]:
    """What the command prints with --json and without, of a demo that runs once for both."""
    results: list[Demo] = []

    def run_once(output: str, **options: Any) -> Demo:
        if not results:
            results.append(run_demo(output, **options))
        return results[0]

    outputs = {}
    with mock.patch("readmark.cli.demo.run_demo", run_once):
        for form, options in (("json", ["--json"]), ("tables", [])):
            done = readmark_cli("demo", "-o", folder, *options)
            assert done.returncode == 0, done.stderr
            outputs[form] = done.stdout
    assert len(results) == 1
    return outputs


def test_every_embedded_candidate_sits_every_bundled_test(
    folder: Path, printed: dict[str, str]
) -> None:
    document = msgspec.json.decode(printed["json"])
    assert document["cases"]["wrong"] == []
    assert document["cases"]["marked"] >= 60
    assert len(document["tests"]) >= 3
    for path in bundled_tests(folder):
        test = open_test(path)
        sat = [marks["candidate"] for marks in document["tests"][test.header.name]]
        assert sat == embedded_candidates(test.kind.name)
        assert len(sat) >= 2
    assert Path(document["report"]).read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("printed")
def test_files_of_an_earlier_demo_are_replaced(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) >= 3 * (1 + 2 * 2) + 1
    assert [path.name for path in files if STALE in path.read_text("utf-8")] == []


def test_the_tables(folder: Path, printed: dict[str, str]) -> None:
    text = printed["tables"]
    assert "longest_overlap" in text
    assert "no human study" in " ".join(text.split())
    # like stands beside like: candidates and references on the same units and the same sets
    head = ["against", "references", "questions", "f1", "references", "ratio", "interval"]
    lines = [line.split() for line in text.splitlines()]
    tables = [at for at, line in enumerate(lines) if line == head]
    assert len(tables) == 2
    for at in tables:
        name, units, machine, references, ratio, *_ = lines[at + 2]
        assert name == "lead"
        assert 0 < int(units) < 80
        assert float(ratio) == pytest.approx(float(machine) / float(references), abs=0.006)
    assert not any(line[:1] == ["(references)"] for line in lines)
    paths = [line for line in text.splitlines() if str(folder) in line]
    assert paths
    for line in text.splitlines():
        assert line in paths or cell_len(line) <= 80


def test_embedded_candidates_take_no_parameters() -> None:
    for name, entry in CANDIDATES.entries.items():
        if entry.embedded:
            assert entry.kinds
            CANDIDATES.build(name)


def test_shipped_cases_are_met() -> None:
    found = list(mark_cases())
    assert {one.profile for one in found} == {"squad", "squad2", "cmrc2018", "smart", "zh"}
    assert [one.wrong for one in found] == [[]] * len(found)
    assert sum(len(one.cases) for one in found) >= 60
