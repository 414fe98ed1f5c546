"""The demo: the whole path on the bundled tests."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest
from rich.cells import cell_len

from readmark.cli.demo import bundled_tests, embedded_candidates, mark_cases
from readmark.formats.registry import open_test
from readmark.sitting.candidates import CANDIDATES

pytestmark = pytest.mark.slow(first=True)

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def first(folder: Path, readmark_cli: Run) -> CompletedProcess[str]:
    """The demo, once for all: what it takes most of its time for is the same each time."""
    done = readmark_cli("demo", "-o", folder, "--json")
    assert done.returncode == 0, done.stderr
    return done


def test_every_embedded_candidate_sits_every_bundled_test(
    folder: Path, first: CompletedProcess[str]
) -> None:
    document = msgspec.json.decode(first.stdout)
    assert document["cases"]["wrong"] == []
    assert document["cases"]["marked"] >= 60
    assert len(document["tests"]) >= 3
    for path in bundled_tests(folder):
        test = open_test(path)
        sat = [marks["candidate"] for marks in document["tests"][test.header.name]]
        assert sat == embedded_candidates(test.kind.name)
        assert len(sat) >= 2
    assert Path(document["report"]).read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("first")
def test_a_second_demo_replaces_the_first_and_tells_a_story(
    folder: Path, readmark_cli: Run
) -> None:
    done = readmark_cli("demo", "-o", folder, env={"COLUMNS": "60"})
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    titles = [line for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert [title[3:] for title in titles] == [
        "Reading comprehension",
        "Rewriting questions of a series",
        "Rating how easily texts read",
        "Look and try",
    ]
    assert "no human study" in " ".join(done.stdout.split())
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
    assert lines[-6].strip().startswith("readmark ask ")
    paths = [line for line in lines if str(folder) in line]
    assert len(paths) == 2
    for line in lines:
        assert line == line.rstrip()
        assert line in paths or cell_len(line) <= 60
    # one step per candidate and one for the report
    steps = len(list(folder.glob("*.sitting.jsonl"))) + 1
    assert done.stderr.count("\n") == steps
    assert done.stderr.endswith(f"readmark: {steps}/{steps} writing the report\n")


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
