"""Totals that nothing can have made up, and totals that the text does not tell."""

from pathlib import Path

import pytest

from readmark.setting.tasks.checking import check_task
from readmark.setting.tasks.gold import gold_of
from readmark.setting.tasks.package import Package
from readmark.setting.tasks.packing import gather
from readmark.workflows.task_pack import domain_folder

SCORE = (
    "(G type NFLGame) (Jets type NFLTeam) (G teamFinalScoreInGame S)"
    " (S type TeamSummaryScore) (S teamScoringAll Jets)"
)


def task(folder: Path, told: str, *, annotation: str = "incomplete") -> Package:
    """A story of a game, annotated with these statements beside a team's score."""
    (folder / "documents/train").mkdir(parents=True)
    (folder / "documents/train/d.txt").write_text("The Jets kicked three field goals.")
    (folder / "annotations").mkdir()
    (folder / "annotations/d.graph").write_text(f"({SCORE}\n {told})")
    return gather(folder, domain=domain_folder("nfl_scoring"), annotation=annotation).package


@pytest.mark.parametrize(
    "told",
    [
        # only safeties are left, and 7 is odd
        "(S pointsScored 7) (S touchdownCompleteCount 0) (S fieldGoalCompleteCount 0)",
        # 4 points are 2 safeties, and there is one
        "(S pointsScored 4) (S safetyCompleteCount 1)",
        # 3 touchdowns and a safety are 20, and nothing is worth the one that is left
        "(S pointsScored 21) (S touchdownCompleteCount 3) (S safetyCompleteCount 1)"
        " (S onePointConversionCompleteCount 0)",
    ],
)
def test_a_total_that_nothing_makes_up_is_a_contradiction(tmp_path: Path, told: str) -> None:
    package = task(tmp_path, told)
    [problem] = check_task(package)
    assert (problem.code, problem.where) == ("contradiction", 2)
    assert problem.message.startswith("d: nothing that scores can add up to this: repair one of (S")
    assert gold_of(package).contradicted == ("d",)


@pytest.mark.parametrize(
    "told",
    [
        "(S pointsScored 7) (S touchdownCompleteCount 1)",
        "(S pointsScored 7) (S touchdownCompleteCount 0)",  # a field goal and two safeties
        "(S pointsScored 4)",
        "(S pointsScored 0)",
    ],
)
def test_one_that_something_makes_up_is_none(tmp_path: Path, told: str) -> None:
    assert list(check_task(task(tmp_path, told, annotation="complete"))) == []


def test_a_count_without_a_final_score_is_no_contradiction(tmp_path: Path) -> None:
    told = "(S fieldGoalCompleteCount 3)"
    assert list(check_task(task(tmp_path / "open", told))) == []
    package = task(tmp_path / "whole", told, annotation="complete")
    [problem] = check_task(package)
    assert (problem.code, problem.severity) == ("missing_value", "warning")
    assert "pointsScored has at least 1 in complete annotation" in problem.message
    found = gold_of(package)
    assert found.contradicted == ()
    answers = {row.query: row.values for row in found.rows}
    assert answers["fieldGoalCompleteCount"] == {"game": "G", "team": "Jets", "value": 3}
