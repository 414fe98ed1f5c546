"""The demo: the whole path on the bundled tests."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

import msgspec
import pytest
from rich.cells import cell_len

from readmark.cli.demo import Demo, lay_out, run_demo
from readmark.cli.marking_cases import mark_cases
from readmark.cli.run.pairings import paired_tests
from readmark.core.configuration import load_configuration

pytestmark = pytest.mark.slow(first=True)

Run = Callable[..., CompletedProcess[str]]


STALE = "left by an earlier demo\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with spoilt files under the names that the demo writes."""
    folder = tmp_path_factory.mktemp("demo")
    for one in paired_tests(load_configuration(lay_out(folder)).run, folder):
        for pairing in one.pairings:
            pairing.sitting.write_text(STALE, "utf-8")
            pairing.marksheet.write_text(STALE, "utf-8")
        Path(one.test.file).write_text(STALE, "utf-8")
    for name in ("report.html", "run.json", "table.series.txt", "readmark.toml"):
        (folder / name).write_text(STALE, "utf-8")
    return folder


@pytest.fixture(scope="module")
def printed(folder: Path, readmark_cli: Run) -> dict[str, CompletedProcess[str]]:
    """What the command prints with --json and without, of a demo that runs once for both."""
    results: list[Demo] = []

    def run_once(output: str, **options: Any) -> Demo:
        if not results:
            results.append(run_demo(output, **options))
        return results[0]

    outputs = {}
    with mock.patch("readmark.cli.demo.run_demo", run_once):
        for form, options in (("json", ["--json"]), ("tables", [])):
            done = readmark_cli("demo", "-o", folder, *options, env={"COLUMNS": "60"})
            assert done.returncode == 0, done.stderr
            outputs[form] = done
    assert len(results) == 1
    return outputs


def test_candidates_sit_every_bundled_test_of_their_kind(
    folder: Path, printed: dict[str, CompletedProcess[str]]
) -> None:
    document = msgspec.json.decode(printed["json"].stdout)
    assert document["cases"]["wrong"] == []
    assert document["cases"]["marked"] >= 60
    assert len(document["tests"]) >= 3
    for one in paired_tests(load_configuration(folder / "readmark.toml").run, folder):
        sat = [marks["candidate"] for marks in document["tests"][one.test.header.name]]
        assert sat == [pairing.candidate for pairing in one.pairings]
        assert len(sat) >= 2
    assert Path(document["report"]).read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("printed")
def test_files_of_an_earlier_demo_are_replaced(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) >= 3 * (1 + 2 * 2) + 1
    assert [path.name for path in files if STALE.encode() in path.read_bytes()] == []


def test_the_demo_tells_a_story(folder: Path, printed: dict[str, CompletedProcess[str]]) -> None:
    done = printed["tables"]
    lines = done.stdout.splitlines()
    titles = [line for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert [title[3:] for title in titles] == [
        "Reading comprehension",
        "Rewriting questions of a series",
        "Rating how easily texts read",
        "Reading into statements",
        "Look and try",
    ]
    assert "do not come from a study of people" in " ".join(done.stdout.split())
    # sentence readers are shown by the sentence they choose, the span reader by its words as well
    english = next(at for at, line in enumerate(lines) if line.startswith("English  "))
    for offset, reader, absent in ((2, "bow", True), (3, "evidence", True), (4, "span", False)):
        name, humsent, *_, em, f1 = lines[english + offset].split()
        assert name == reader
        assert 50 < float(humsent) < 100
        assert ((em, f1) == ("–", "–")) == absent
    # readers and references by level, on the same units and the same sets
    levels = [at for at, line in enumerate(lines) if ", by level" in line]
    assert [lines[at].split()[0] for at in levels] == ["English,", "Chinese,"]
    for at in levels:
        *units, whole = map(int, lines[at + 2].split()[1:])
        assert len(units) == 4
        assert sum(units) == whole < 80
        assert lines[at + 7].startswith("references, f1")
        *_, machine = lines[at + 6].split()
        *_, references = lines[at + 7].split()
        assert 0 < float(machine) < float(references) < 100
    # written and learnt patterns, and why an answer follows that no sentence states
    for language in ("English", "Chinese"):
        facts = next(at for at, line in enumerate(lines) if line.split()[:2] == [language, "facts"])
        written, learnt = (lines[facts + offset].split() for offset in (2, 3))
        assert (written[0], learnt[0]) == ("patterns", "induced")
        assert float(written[-1]) > float(learnt[-1]) + 30
    derived = next(at for at, line in enumerate(lines) if line.startswith("An answer that no"))
    assert any(" by " in line for line in lines[derived : derived + 12])
    assert lines[-6].strip().startswith("readmark ask ")
    paths = [line for line in lines if str(folder) in line]
    assert len(paths) == 2
    for line in lines:
        assert line == line.rstrip()
        assert line in paths or cell_len(line) <= 60
    # one step per candidate and one for the report
    steps = len(list(folder.glob("*.sitting.jsonl"))) + 1
    progress = printed["json"].stderr
    assert progress.count("\n") == steps
    assert progress.endswith(f"readmark: {steps}/{steps} writing the report\n")


def test_shipped_cases_are_met() -> None:
    found = list(mark_cases())
    assert {one.profile for one in found} == {"squad", "squad2", "cmrc2018", "smart", "zh"}
    assert [one.wrong for one in found] == [[]] * len(found)
    assert sum(len(one.cases) for one in found) >= 60
