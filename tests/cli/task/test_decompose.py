"""``readmark task decompose`` and ``readmark task queries``."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_combinations_and_hypotheses_as_json(readmark_cli: Run) -> None:
    scores = ["Falcons 3, Jets 0", "6 to 3 by kick"]
    done = readmark_cli("task", "decompose", "nfl_scoring", *scores, "--running", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["possible"]
    assert found["last"] == [{"score": 2, "events": {"field_goal": 1.0}}]
    assert [(one["leader"], round(one["probability"], 4)) for one in found["hypotheses"]] == [
        ("Falcons", 0.6667),
        ("Jets", 0.3333),
    ]
    assert sum(one["probability"] for one in found["combinations"]) == pytest.approx(1)
    assert found["combinations"][0]["told"] == {"Falcons": "2 field goals", "Jets": "1 field goal"}


def test_a_table_and_what_is_impossible(readmark_cli: Run) -> None:
    done = readmark_cli("task", "decompose", "nfl_scoring", "8", "--known", "safety == 1")
    assert done.returncode == 0
    assert "2 combinations" in done.stdout
    assert "2 field goals, 1 safety" in done.stdout
    assert readmark_cli("task", "decompose", "nfl_scoring", "1").stdout.startswith("impossible")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nfl_scoring", "Jets"], "is not a score"),
        (["nfl_scoring", "Jets 3", "--known", "gaol > 1"], "no quantity 'gaol'"),
        (["nfl_scoring", "Jets 3 by fumble"], "nothing is called 'fumble'"),
        (["nfl_scorin", "Jets 3"], "no domain 'nfl_scorin'"),
        (["nfl_scoring"], "give SCOREs or --statements"),
        (["nfl_scoring", "--statements", "x.graph", "--running"], "go with SCOREs"),
    ],
)
def test_bad_usage(readmark_cli: Run, args: list[str], said: str) -> None:
    done = readmark_cli("task", "decompose", *args)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_totals_in_statements(readmark_cli: Run, tmp_path: Path) -> None:
    story = tmp_path / "story.graph"
    story.write_text(
        "((A type TeamSummaryScore) (A teamScoringAll Jets) (A pointsScored 8) "
        "(A safetyCompleteCount 1) (B type TeamSummaryScore) (B teamScoringAll Bills) "
        "(B pointsScored 1))"
    )
    args = ("task", "decompose", "nfl_scoring", "--statements", str(story))
    [first, second] = json.loads(readmark_cli(*args, "--json").stdout)["totals"]
    assert (first["document"], first["subject"], first["total"]) == ("story", "A", 8)
    assert {tuple(one["counts"].values()) for one in first["combinations"]} == {
        (0, 0, 0, 2, 1),
        (1, 0, 0, 0, 1),
    }
    assert (second["subject"], second["possible"], second["combinations"]) == ("B", False, [])
    shown = readmark_cli(*args).stdout
    assert "2 field goals, 1 safety" in shown
    assert "impossible" in shown


def test_counts_without_a_total_are_said_to_have_none(readmark_cli: Run, tmp_path: Path) -> None:
    story = tmp_path / "story.graph"
    story.write_text("((S teamScoringAll Jets) (S touchdownCompleteCount 2))")
    done = readmark_cli("task", "decompose", "nfl_scoring", "--statements", str(story))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "readmark: nothing states or implies pointsScored: there is no total\n"


def test_queries_with_attested_values(readmark_cli: Run, tmp_path: Path) -> None:
    story = tmp_path / "story.graph"
    story.write_text("((G type NFLGame) (G gameWinner Jets) (G hasOvertimePlay true))")
    output = tmp_path / "queries.jsonl"
    args = ("task", "queries", "nfl_scoring", str(story), "-o", str(output))
    done = readmark_cli(*args, "--sorts", "property")
    assert done.returncode == 0, done.stderr
    ids = [json.loads(line)["id"] for line in output.read_text().splitlines()]
    assert ids[21:] == [
        "numberOfPeriods=5",
        "hasOvertimePlay=true",
        "gameWinner=Jets",
        "teamInGame=Jets",
    ]
