"""Totals that nothing can have made up, and totals that the text does not tell."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from readmark.core.problems import Problem
from readmark.tasks.checks import check_task
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.gold import gold_of
from readmark.tasks.package import Package
from readmark.tasks.task_folder import gather

SCORE = (
    "(G type NFLGame) (Jets type NFLTeam) (G teamFinalScoreInGame S)"
    " (S type TeamSummaryScore) (S teamScoringAll Jets)"
)
IMPOSSIBLE = [
    # only safeties are left, and 7 is odd
    "(S pointsScored 7) (S touchdownCompleteCount 0) (S fieldGoalCompleteCount 0)",
    # 4 points are 2 safeties, and there is one
    "(S pointsScored 4) (S safetyCompleteCount 1)",
    # 3 touchdowns and a safety are 20, and nothing is worth the one that is left
    "(S pointsScored 21) (S touchdownCompleteCount 3) (S safetyCompleteCount 1)"
    " (S onePointConversionCompleteCount 0)",
]
POSSIBLE = [
    "(S pointsScored 7) (S touchdownCompleteCount 1)",
    "(S pointsScored 7) (S touchdownCompleteCount 0)",  # a field goal and two safeties
    "(S pointsScored 4)",
    "(S pointsScored 0)",
]


def task(folder: Path, *stories: str, annotation: str = "incomplete") -> Package:
    """Stories of games, each annotated with its statements beside a team's score."""
    (folder / "documents/train").mkdir(parents=True)
    (folder / "annotations").mkdir()
    for at, told in enumerate(stories):
        text = "The Jets kicked three field goals."
        (folder / f"documents/train/d{at}.txt").write_text(text)
        (folder / f"annotations/d{at}.graph").write_text(f"({SCORE}\n {told})")
    return gather(folder, domain=domain_folder("nfl_scoring"), annotation=annotation).package


def of_story(problems: Sequence[Problem], at: int) -> list[Problem]:
    return [one for one in problems if Path(one.file).name == f"d{at}.graph"]


@pytest.fixture(scope="module")
def impossible(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[list[Problem], tuple[str, ...]]:
    """What is found in all of them, and the stories whose gold is contradicted."""
    package = task(tmp_path_factory.mktemp("impossible"), *IMPOSSIBLE)
    return list(check_task(package)), gold_of(package).contradicted


@pytest.fixture(scope="module")
def possible(tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    package = task(tmp_path_factory.mktemp("possible"), *POSSIBLE, annotation="complete")
    return list(check_task(package))


@pytest.mark.parametrize("told", IMPOSSIBLE)
def test_a_total_that_nothing_makes_up_is_a_contradiction(
    impossible: tuple[list[Problem], tuple[str, ...]], told: str
) -> None:
    problems, contradicted = impossible
    at = IMPOSSIBLE.index(told)
    [problem] = of_story(problems, at)
    assert (problem.code, problem.where) == ("contradiction", 2)
    assert problem.message.startswith(
        f"d{at}: nothing that scores can add up to this: repair one of (S"
    )
    assert len(problems) == len(IMPOSSIBLE)
    assert contradicted == ("d0", "d1", "d2")


@pytest.mark.parametrize("told", POSSIBLE)
def test_one_that_something_makes_up_is_none(possible: list[Problem], told: str) -> None:
    assert of_story(possible, POSSIBLE.index(told)) == []
    assert possible == []


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
