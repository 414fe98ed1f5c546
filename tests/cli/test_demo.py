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
def test_a_second_demo_replaces_the_first_and_prints_tables(
    folder: Path, readmark_cli: Run
) -> None:
    done = readmark_cli("demo", "-o", folder)
    assert done.returncode == 0, done.stderr
    assert "longest_overlap" in done.stdout
    assert "no human study" in " ".join(done.stdout.split())
    # like stands beside like: candidates and references on the same units and the same sets
    head = ["against", "references", "questions", "f1", "references", "ratio", "interval"]
    lines = [line.split() for line in done.stdout.splitlines()]
    tables = [at for at, line in enumerate(lines) if line == head]
    assert len(tables) == 2
    for at in tables:
        name, units, machine, references, ratio, *_ = lines[at + 2]
        assert name == "lead"
        assert 0 < int(units) < 80
        assert float(ratio) == pytest.approx(float(machine) / float(references), abs=0.006)
    assert not any(line[:1] == ["(references)"] for line in lines)
    paths = [line for line in done.stdout.splitlines() if str(folder) in line]
    assert paths
    for line in done.stdout.splitlines():
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
