"""One path for all four kinds: sit, be cut off, go on, mark, compare, a marksheet, a report."""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from misbehaving_candidates import forget, plug_in, python_path, standing, timeless
from readmark.core.kinds import KINDS
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.marking.metrics import METRICS
from readmark.marking.settings import MarkSettings
from readmark.sitting.candidates import CANDIDATES

Run = Callable[..., subprocess.CompletedProcess[str]]
FEW = MarkSettings(draws=100, trials=200)


@dataclass(frozen=True)
class Example:
    """A test of a kind, who sits it, and the marks of both."""

    records: list[dict[str, Any]]
    candidate: str
    keyed: dict[str, Any]
    """What somebody else answered, as a file has it."""
    metric: str
    scores: tuple[float, float]
    """The candidate's and the other's, worked by hand."""
    without: str


def answers(*texts: str) -> dict[str, Any]:
    return {"answers": [{"text": text} for text in texts]}


def rated(*stars: float) -> dict[str, Any]:
    return {"ratings": [{"rating": one, "annotator": f"e{at}"} for at, one in enumerate(stars)]}


def found(*values: str) -> dict[str, Any]:
    return {"solutions": [{"values": {"B": one}, "inferred": False} for one in values]}


EXAMPLES = {
    "comprehension": Example(
        records=[
            {
                "id": "tram",
                "text": "The last tram leaves at ten. Ida misses it.",
                "questions": [
                    {"id": "u1", "text": "Who misses it?", "key": answers("Ida misses it")},
                    {"id": "u2", "text": "When does the last tram leave?", "key": answers("ten")},
                ],
            },
            {
                "id": "mill",
                "text": "The mill is old.",
                "questions": [{"id": "u3", "text": "What is old?", "key": answers("mill is old")}],
            },
        ],
        candidate="longest_overlap",
        keyed={"u1": "Ida misses it", "u3": "the river"},
        metric="em",
        # all but the second; the first alone
        scores=(200 / 3, 100 / 3),
        without="passage",
    ),
    "series": Example(
        records=[
            {
                "id": "s1",
                "target": "Lunokhod 1",
                "questions": [
                    {
                        "id": "u1",
                        "text": "Who drove",
                        "key": {"rewrites": [{"text": "Who drove Lunokhod 1"}]},
                    },
                    {
                        "id": "u2",
                        "text": "Where was it?",
                        "key": {"rewrites": [{"text": "Where was Lunokhod 1?"}]},
                    },
                ],
            },
            {
                "id": "s2",
                "target": "Ida",
                "questions": [
                    {"id": "u3", "text": "Who is", "key": {"rewrites": [{"text": "Who is Ida"}]}}
                ],
            },
        ],
        candidate="append",
        keyed={"u2": "Where was Lunokhod 1?"},
        metric="exact",
        scores=(2 / 3, 1 / 3),
        without="target",
    ),
    "readability": Example(
        records=[
            {"id": "u1", "text": "aaaa bbbb", "key": rated(5, 4)},
            {"id": "u2", "text": "aaaaaa bbbbbb", "key": rated(3, 3)},
            {"id": "u3", "text": "aaaaaaaa", "key": rated(1, 4)},
        ],
        candidate="guess",
        keyed={"u1": 4.5, "u2": 1},
        metric="proportional_target",
        # rated 5, 3 and 1: hits of targets 1, 0 and 3 wide; then one hit, a miss, and nothing
        scores=(1 / 2 + 1 + 1 / 4, 1 / 2),
        without="passage",
    ),
    "task": Example(
        records=[
            {
                "id": "d1",
                "text": "Ida met Lund. Lund met Vale. Ida left home.",
                "queries": [
                    {"id": "u1", "graph": "((Who met ?B))", "key": found("Lund", "Ida")},
                    {"id": "u2", "graph": "((Who left ?B))", "key": found("home")},
                ],
            },
            {
                "id": "d2",
                "text": "Vale met nobody.",
                "queries": [{"id": "u3", "graph": "((Who met ?B))", "key": found("nobody")}],
            },
        ],
        candidate="grep",
        keyed={"u1": [{"B": "Lund"}, {"values": {"B": "Ida"}}]},
        metric="facts",
        # shared 1 + 1 + 1, said 2 + 1 + 1, wanted 2 + 1 + 1; then shared 2, said 2, wanted 4
        scores=(100 * 2 * 3 / 8, 100 * 2 * 2 / 6),
        without="document",
    ),
}


def test_every_kind_of_the_design_has_its_example() -> None:
    assert set(EXAMPLES) == set(KINDS)


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The stub kinds are registered, here, in workers and for the command line."""
    folder = plug_in(tmp_path / "plugged")
    monkeypatch.syspath_prepend(str(folder))
    forget(CANDIDATES, KINDS, METRICS)
    yield folder
    forget(CANDIDATES, KINDS, METRICS)


def marked(test: Any, sitting: Path, metric: str) -> bytes:
    return msgspec.json.encode(
        readmark.mark(test, sitting, metrics=[metric], settings=FEW).as_json()
    )


@pytest.mark.parametrize("kind", EXAMPLES)
def test_one_path_from_sitting_to_report(
    kind: str, plugged: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    example = EXAMPLES[kind]
    file = tmp_path / "test.jsonl"
    header = {"readmark": 1, "kind": kind, "name": f"a small {kind}", "language": "en"}
    lines = [json.dumps(one) + "\n" for one in [header, *example.records]]
    file.write_text("".join(lines), encoding="utf-8")
    test = readmark.load(file)
    assert (test.kind.name, test.facts.units) == (kind, 3)
    given = tmp_path / "given.json"
    given.write_text(json.dumps(example.keyed), encoding="utf-8")

    # sit
    journal, other = tmp_path / "sat.jsonl", tmp_path / "other.jsonl"
    assert readmark.sit(test, example.candidate, journal).progress.answered == 3
    readmark.sit(test, f'keyed(file="{given}")', other)
    head, rows = standing(journal)
    assert (head["kind"], head["candidate"]) == (kind, example.candidate)
    assert all(test.kind.answer in row for row in rows)
    whole, wanted = timeless(journal), marked(test, journal, example.metric)

    # be cut off anywhere, and go on; once with workers
    data = journal.read_bytes()
    for workers, cut in [(1, cut) for cut in range(0, len(data), 7)] + [(2, len(data) // 2)]:
        journal.write_bytes(data[:cut])
        readmark.sit(test, example.candidate, journal, workers=workers)
        assert timeless(journal) == whole
        assert marked(test, journal, example.metric) == wanted

    # mark
    sheets = [tmp_path / "sat-marks.jsonl", tmp_path / "other-marks.jsonl"]
    metrics = [example.metric]
    for sitting, sheet, score in zip((journal, other), sheets, example.scores, strict=True):
        found = readmark.mark(test, sitting, metrics=metrics, settings=FEW, marksheet=sheet)
        assert found[example.metric].score == pytest.approx(score)
        assert found.coverage.covers is None
    assert list(found.coverage.unanswered) == [
        id for id in ("u1", "u2", "u3") if id not in example.keyed
    ]
    assert example.metric in test.kind.metrics(test.header, test.facts)

    # compare, from sittings and from marksheets
    [one] = readmark.compare(test, other, journal, metrics=example.metric, settings=FEW)
    assert one.difference == pytest.approx(example.scores[0] - example.scores[1])
    assert one.units == 3
    from_sheets = readmark.compare(test, *sheets[::-1], metrics=example.metric, settings=FEW)
    assert list(from_sheets) == [one]

    # marksheet
    assert read_marksheet_header(str(sheets[0])).kind == kind
    units = [row for row in read_marksheet_rows(str(sheets[0])) if isinstance(row, MarkedUnit)]
    assert [row.id for row in units] == ["u1", "u2", "u3"]
    assert all(row.gold and row.answers and row.vectors for row in units)

    # report, from the marksheets alone
    page = tmp_path / "report.html"
    done = readmark_cli("report", *sheets, "-o", page, cwd=tmp_path, env=python_path(plugged))
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert example.candidate in text
    assert f"a small {kind}" in text


@pytest.mark.parametrize("kind", EXAMPLES)
def test_one_path_of_repeats_limits_and_ablations(kind: str, plugged: Path, tmp_path: Path) -> None:
    example = EXAMPLES[kind]
    file = tmp_path / "test.jsonl"
    lines = [json.dumps(one) + "\n" for one in [{"readmark": 1, "kind": kind}, *example.records]]
    file.write_text("".join(lines), encoding="utf-8")
    test = readmark.load(file)
    journal = tmp_path / "sat.jsonl"
    readmark.sit(test, example.candidate, journal, repeats=2, limit=2, without=example.without)
    assert len(standing(journal)[1]) == 4
    found = readmark.mark(test, journal, metrics=[example.metric], settings=FEW)
    assert list(found.unit_vectors.ids) == ["u1", "u2"]
    assert found.coverage.covers == f"the first 2 units, without the {example.without}"
    assert found.scores.repeats[example.metric].deviation == 0
    # It was needed: without it the marks are worse.
    whole = tmp_path / "whole.jsonl"
    readmark.sit(test, example.candidate, whole, limit=2)
    complete = readmark.mark(test, whole, metrics=[example.metric], settings=FEW)
    assert (found[example.metric].score or 0) < (complete[example.metric].score or 0)
