"""A short run of the fuzz cases, always the same; ``make fuzz`` runs as many as are asked for."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz import run
from fuzz.commands import COMMANDS, Result
from fuzz.mutators import PACKINGS, SYNTAXES, mutate
from fuzz.seeds import Bench
from readmark.formats.registry import FORMATS

SEED, CASES = 7, 240


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        yield Bench(tmp_path_factory.mktemp("bench"))


@pytest.mark.slow
def test_every_registered_format_has_a_document(bench: Bench) -> None:
    """A new format needs a sound document in seeds.py."""
    formats = {(one.format or "").partition("(")[0] for one in bench.documents.values()}
    assert set(FORMATS) - formats == set()
    assert {one.role for one in bench.documents.values()} <= set(COMMANDS)


@pytest.mark.slow
def test_no_spoilt_file_ends_in_anything_but_a_clear_line(bench: Bench, tmp_path: Path) -> None:
    reports = [run.play(bench, SEED, number, tmp_path) for number in range(CASES)]
    failed = [report for report in reports if report["problems"]]
    kept = [path.read_text("utf-8") for path in sorted(tmp_path.glob("*/case.txt"))]
    assert not failed, "\n\n".join(kept)


@pytest.mark.slow
def test_a_case_is_always_the_same(bench: Bench, tmp_path: Path) -> None:
    first, second, other = (
        run.drawn(bench, seed, 11, tmp_path / name)
        for name, seed in (("a", SEED), ("b", SEED), ("c", SEED + 1))
    )
    spoilt = [(case.folder / "in" / case.spoilt).read_bytes() for case in (first, second, other)]
    assert spoilt[0] == spoilt[1]
    assert first.command == second.command
    assert (first.command, spoilt[0]) != (other.command, spoilt[2])


@pytest.mark.parametrize(
    "name",
    sorted(f"t{suffix}" for suffix in (*SYNTAXES, ".txt", *(f".jsonl{s}" for s in PACKINGS))),
)
def test_mutators_change_whatever_they_get(name: str) -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(60):
        for data in (
            b"",
            b"\xff\x00",
            b'{"a": [1, "b"]}\n{"c": null}\n',
            b"a,b\n1,2\n",
            b"PK\x03\x04",
        ):
            seen.add(mutate(name, data, rng))
    assert len(seen) > 60


@pytest.mark.command  # the bench is made by commands
@pytest.mark.parametrize(
    ("result", "left", "problem"),
    [
        (
            Result(None, "", "", "Traceback", "KeyError in x.py:f"),
            None,
            "raises KeyError in x.py:f",
        ),
        (Result(4, "", ""), None, "exit status 4"),
        (
            Result(1, "", "readmark: in.json: x\nTraceback (most recent call last)"),
            None,
            "traceback",
        ),
        (Result(1, "", "readmark: something is wrong\n"), None, "names no file"),
        (Result(1, "", "readmark: en.jsonl: x\nand more\n"), None, "more than one line"),
        (Result(0, "{NaN}", ""), None, "no JSON document"),
        (Result(1, "", "readmark: en.jsonl:2: x\n"), "out.jsonl", "leaves an output"),
        (Result(0, "{}", ""), ".out.jsonl.1.part", "temporary file"),
        (Result(0, "{}", ""), "in/en.jsonl", "changes its input"),
        (Result(1, "", "readmark: en.jsonl:2: x\n"), None, ""),
    ],
)
def test_what_counts_as_a_failure(
    bench: Bench,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    result: Result,
    left: str | None,
    problem: str,
) -> None:
    command = "convert {it} {out.jsonl} {from} --json"
    case = run.prepared(bench, bench.documents["native"], command, tmp_path / "case")

    def leave(_: list[str]) -> Result:
        if left is not None:
            (case.folder / left).write_bytes(b"{")
        return result

    monkeypatch.setattr(run, "call", leave)
    problems = run.run(case).problems
    assert bool(problems) == bool(problem)
    assert not problem or any(problem in one for one in problems)


@pytest.mark.command  # the bench is made by commands
def test_what_takes_too_long_is_reported(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spin(_: list[str]) -> Result:
        try:
            while True:
                pass
        except run.OutOfTime:
            return Result(None, "", "", "Traceback", "OutOfTime")

    monkeypatch.setattr(run, "call", spin)
    monkeypatch.setattr(run, "CPU_SECONDS", 0.05)
    case = run.prepared(bench, bench.documents["native"], "check {it}", tmp_path / "case")
    [problem] = run.run(case).problems
    assert "processor time" in problem
