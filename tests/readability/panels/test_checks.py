"""What is found on ratings: numbers off the scale, gaps, orders, straight lines and haste."""

from pathlib import Path

import pytest

from collected_panels import PLAN, TEST, change, collect_panel, findings
from panel_judges import Row, returned
from readmark.readability.panels.collect import collect
from readmark.readability.panels.ratings import read_ratings
from readmark.readability.panels.rounds import make_plan


@pytest.mark.parametrize("stars", ["6", "0", "2.5", "many", "nan", "-1", "1e9"])
def test_stars_out_of_range_are_listed_and_left_out(tmp_path: Path, stars: str) -> None:
    panel = collect_panel(tmp_path, {"n1": change(stars=stars)})
    message = f"stars {stars!r}, expected a whole number from 1 to 5"
    assert findings(panel, "out_of_range") == [("n1", message)]
    assert panel.rated == 99
    assert findings(panel, "half_round")
    assert len(panel.novices[0].rows) == 19


def test_real_numbers_where_they_are_accepted(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path, {"n1": change(stars="2,5")}, real=True)
    assert not findings(panel, "out_of_range")
    assert 2.5 in {panel.novices[0].of(id)[0].answer for id in panel.novices[0].rows}
    panel = collect_panel(tmp_path, {"n1": change(stars="5.1")}, real=True)
    message = "stars '5.1', expected a number from 1 to 5"
    assert findings(panel, "out_of_range") == [("n1", message)]


def test_stars_may_be_drawn(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path, {"n1": change(stars="★★★★")})
    assert not findings(panel, "out_of_range")


def test_a_rank_beyond_the_round_is_out_of_range(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path, {"n1": change(rank="11")})
    message = "rank '11', expected a whole number from 1 to 10"
    assert findings(panel, "out_of_range") == [("n1", message)]
    assert panel.rated == 100


def test_half_a_round_is_kept_and_listed(tmp_path: Path) -> None:
    def stop(rows: list[Row]) -> None:
        for row in rows[13:]:
            row.update(stars="", rank="", seconds="")

    panel = collect_panel(tmp_path, {"n1": stop})
    [finding] = [finding for finding in panel.findings if finding.code == "half_round"]
    assert finding.judge == "n1"
    assert finding.message.startswith("round 2 is half finished: p")
    judge = next(judge for judge in PLAN.judges if judge.name == "n1")
    assert (finding.turn, finding.round) == (2, judge.rounds[1].number)
    assert "(7 of 20)" in findings(panel, "missing")[0][1]
    assert len(panel.novices[0].rows) == 13


def test_a_judge_who_gave_nothing_back_is_listed(tmp_path: Path) -> None:
    files = [file for file in returned(tmp_path, TEST, PLAN) if not file.endswith("n2.csv")]
    panel = collect(TEST, PLAN, read_ratings(PLAN, files))
    assert findings(panel, "missing") == [("n2", "nothing was rated (20 of 20)")]
    assert [sitting.candidate for sitting in panel.novices] == ["n1"]
    assert "n2" not in panel.agreement.judges


def first_round(rows: list[Row]) -> list[Row]:
    """The rows of the first round by rank."""
    return sorted((row for row in rows if row["round"] == "1"), key=lambda row: int(row["rank"]))


def test_ranks_that_contradict_stars_are_listed_and_kept(tmp_path: Path) -> None:
    contradictions = []

    def swap(rows: list[Row]) -> None:
        ranked = first_round(rows)
        ranked[0]["rank"], ranked[-1]["rank"] = ranked[-1]["rank"], ranked[0]["rank"]
        contradictions.extend(
            (a, b)
            for a in ranked
            for b in ranked
            if int(a["stars"]) > int(b["stars"]) and int(a["rank"]) > int(b["rank"])
        )

    panel = collect_panel(tmp_path, {"e2": swap})
    [(judge, message)] = findings(panel, "rank_contradicts")
    assert judge == "e2"
    assert len(contradictions) > 10
    assert message.startswith(f"round 1: {len(contradictions)} pairs, such as ")
    assert panel.rated == 100
    ratings = [rating for record in panel.test.records() for rating in record.key.ratings]
    assert all(rating.rank is not None for rating in ratings)


def test_ranks_tied_and_missing(tmp_path: Path) -> None:
    def tie(rows: list[Row]) -> None:
        first_round(rows)[1]["rank"] = "1"

    panel = collect_panel(tmp_path, {"n1": tie, "n2": change(rank="")})
    [(judge, message)] = findings(panel, "rank_tied")
    assert judge == "n1"
    assert message.startswith("round 1 has rank 1 2 times: ")
    [(judge, message)] = findings(panel, "rank_missing")
    assert judge == "n2"
    assert message.startswith("round 1 has no rank for p")
    assert panel.rated == 100


def test_straight_lines(tmp_path: Path) -> None:
    def same(rows: list[Row]) -> None:
        for row in rows[:10]:
            row["stars"] = "3"

    def sheet_order(rows: list[Row]) -> None:
        for row in rows:
            row["rank"] = row["place"]

    panel = collect_panel(tmp_path, {"n1": same, "n2": sheet_order})
    straight = findings(panel, "straight_line")
    assert ("n1", "round 1: all 10 passages have 3 stars") in straight
    assert ("n2", "round 2: the ranks follow the order of the sheet") in straight
    assert panel.rated == 100


def test_a_straight_line_over_rounds_that_are_too_short_by_themselves(tmp_path: Path) -> None:
    plan = make_plan(TEST, experts=["e1"], novices=["n1"], size=4)

    def same(rows: list[Row]) -> None:
        for row in rows:
            row["stars"] = "2"

    files = returned(tmp_path, TEST, plan, {"n1": same})
    panel = collect(TEST, plan, read_ratings(plan, files))
    message = "all rounds: all 20 passages have 2 stars"
    assert findings(panel, "straight_line") == [("n1", message)]


def test_haste(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path, {"n1": change(seconds="5.9"), "n2": change(seconds="6")})
    [(judge, message)] = findings(panel, "too_fast")
    assert judge == "n1"
    assert "60 words in 5.9 seconds (over 600 a minute)" in message
    assert panel.rated == 100


def test_passages_with_one_expert_or_none_are_listed(tmp_path: Path) -> None:
    def all_but_one(rows: list[Row]) -> None:
        for row in rows:
            row.update(stars="" if row["id"] == "p01" else row["stars"])

    panel = collect_panel(tmp_path, {"e1": all_but_one, "e2": all_but_one})
    assert [finding.code for finding in panel.findings if finding.id] == ["one_expert"]
    panel = collect_panel(tmp_path, dict.fromkeys(("e1", "e2", "e3"), all_but_one))
    assert [finding.code for finding in panel.findings if finding.id] == ["no_expert"]
    assert sum(record.key is None for record in panel.test.records()) == 1
