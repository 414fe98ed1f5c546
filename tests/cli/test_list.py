"""`readmark list`: what is registered, in words and as JSON of one shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import in_process
from readmark.cli.list import SECTIONS


def listed(*args: str) -> Any:
    done = in_process("list", *args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shown(*args: str) -> list[str]:
    done = in_process("list", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_overview_counts_what_a_section_lists() -> None:
    lines = shown()
    assert [line.split()[0] for line in lines[:5]] == [*SECTIONS]
    counts = {line.split()[0]: int(line.split()[1]) for line in lines[:5]}
    assert counts == {section: len(listed(section)[section]) for section in SECTIONS}
    assert counts["kinds"] == 4


def test_the_json_has_one_shape() -> None:
    """Sections with entries, whatever was asked for."""
    everything = listed()
    assert list(everything) == [*SECTIONS]
    for section in SECTIONS:
        assert listed(section) == {section: everything[section]}
        for entry in everything[section].values():
            assert {"summary", "package", "parameters"} <= entry.keys()
    assert listed("metrics", "f1") == {"metrics": {"f1": everything["metrics"]["f1"]}}
    assert listed("f1") == listed("metrics", "f1")
    assert everything["formats"]["squad"]["holds"] == ["tests"]
    assert everything["candidates"]["keyed"]["kinds"][:2] == ["comprehension", "series"]


def test_one_entry_shows_its_parameters() -> None:
    assert shown("chrf") == [
        "metric chrf: sentence chrF by sacreBLEU",
        "kinds of test: series",
        "words      up to how many words in a row count as well; 2 is chrF++  [default:",
        "           0]",
        "lowercase  whether case is ignored  [default: false]",
    ]
    assert shown("formats", "sitting") == [
        "format sitting: a sitting in JSON Lines",
        "holds sittings",
    ]


def test_a_name_in_two_sections_shows_both() -> None:
    """`sitting` is a format and a work of the hall."""
    assert [line for line in shown("sitting") if ": " in line] == [
        "format sitting: a sitting in JSON Lines",
        "work sitting: sit a test as machines do: answer, rewrite or rate",
    ]
    assert list(listed("sitting")) == ["formats", "works"]


def test_models_of_the_configuration_are_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "readmark.toml").write_text(
        '[models.qwen]\nbase_url = "http://localhost:8000/v1"\n'
    )
    assert any(
        line.startswith("qwen") and "qwen at http://localhost:8000/v1 (from readmark.toml)" in line
        for line in map(" ".join, (line.split() for line in shown("candidates")))
    )
    parameters = listed("qwen")["candidates"]["qwen"]["parameters"]
    assert "answer_in" in parameters
    assert not {"model", "base_url", "key"} & parameters.keys()


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("metrix",), "nothing called 'metrix' is listed; did you mean metrics?"),
        (("metrics", "f11"), "nothing called 'f11' is among the metrics; did you mean f1?"),
        (("metric", "f1"), "cannot list 'metric'; did you mean metrics?"),
    ],
)
def test_an_unknown_name_gets_a_hint(args: tuple[str, ...], line: str) -> None:
    done = in_process("list", *args)
    assert (done.returncode, done.stderr) == (2, f"readmark: {line}\n")
