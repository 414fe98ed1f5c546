"""The stars and ranks that judges wrote: read as people write them, and checked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collected_panels import PLAN, TEST, change, collected, found
from panel_judges import Row, returned, written
from readmark.readability.panels.collect import collect
from readmark.readability.panels.ratings import filled_cells, number, number_text, read_ratings
from readmark.readability.panels.rounds import make_plan


@pytest.mark.parametrize("stars", ["6", "0", "2.5", "many", "nan", "-1", "1e9"])
def test_stars_out_of_range_are_told_and_left_out(tmp_path: Path, stars: str) -> None:
    done = collected(tmp_path, {"n1": change(stars=stars)})
    [(judge, message)] = found(done, "out_of_range")
    assert judge == "n1"
    assert message == f"stars {stars!r}, expected a whole number from 1 to 5"
    assert done.rated == 99
    assert found(done, "half_round")
    assert len(done.novices[0].rows) == 19


def test_real_numbers_where_they_are_asked_for(tmp_path: Path) -> None:
    done = collected(tmp_path, {"n1": change(stars="2,5")}, real=True)
    assert not found(done, "out_of_range")
    assert 2.5 in {done.novices[0].of(id)[0].answer for id in done.novices[0].rows}
    done = collected(tmp_path, {"n1": change(stars="5.1")}, real=True)
    assert found(done, "out_of_range") == [("n1", "stars '5.1', expected a number from 1 to 5")]


def test_stars_may_be_drawn(tmp_path: Path) -> None:
    done = collected(tmp_path, {"n1": change(stars="★★★★")})
    assert not found(done, "out_of_range")


@pytest.mark.parametrize(
    ("name", "said", "expected"),
    [
        ("stars", "★★★☆☆", 3),
        ("stars", "⭐⭐⭐⭐", 4),
        ("stars", "★★★★☆☆", None),
        ("stars", "★☆★☆☆", None),
        ("stars", "☆☆☆☆☆", None),
        ("stars", "４分", 4),
        ("stars", "4/5", 4),
        ("stars", "3,5 / 5", 3.5),
        ("stars", "4/10", None),
        ("stars", "2 stars", 2),
        ("stars", "3 颗星", 3),
        ("stars", "4 s", None),
        ("seconds", "60 秒", 60),
        ("seconds", "12.5s", 12.5),
        ("seconds", "★★", None),
        ("rank", "3", 3),
        ("rank", "3/5", None),
        ("stars", "", None),
    ],
)
def test_numbers_as_people_write_them(name: str, said: str, expected: float | None) -> None:
    assert number(said, name) == expected


@given(st.floats(min_value=0, max_value=1e6))
def test_a_number_that_goes_back_on_a_sheet_is_the_same(value: float) -> None:
    assert number(number_text(value), "seconds") == value


def test_real_ratings_go_back_on_the_sheet_as_they_were(tmp_path: Path) -> None:
    row = {"judge": "n1", "id": "p01", "stars": "3.1234567", "seconds": "123456.78"}
    back = read_ratings(PLAN, [written(tmp_path, "a", [row])], real=True)
    cells = filled_cells(back)["n1"]["p01"]
    assert cells == {"stars": "3.1234567", "seconds": "123456.78"}
    again = written(tmp_path, "b", [{"judge": "n1", "id": "p01", **cells}])
    both = read_ratings(PLAN, [written(tmp_path, "a", [row]), again], real=True)
    assert not both.findings


def test_ranks_that_contradict_stars_are_told_and_kept(tmp_path: Path) -> None:
    wrong = []

    def swap(rows: list[Row]) -> None:
        mine = sorted(
            (row for row in rows if row["round"] == "1"), key=lambda row: int(row["rank"])
        )
        mine[0]["rank"], mine[-1]["rank"] = mine[-1]["rank"], mine[0]["rank"]
        wrong.extend(
            (a, b)
            for a in mine
            for b in mine
            if int(a["stars"]) > int(b["stars"]) and int(a["rank"]) > int(b["rank"])
        )

    done = collected(tmp_path, {"e2": swap})
    [(judge, message)] = found(done, "rank_contradicts")
    assert judge == "e2"
    assert message.startswith(f"round 1: {len(wrong)} pairs, such as ")
    assert len(wrong) > 10
    assert done.rated == 100
    ranks = [one.rank for record in done.test.records() for one in record.key.ratings]
    assert None not in ranks


def test_ranks_tied_and_missing(tmp_path: Path) -> None:
    def level(rows: list[Row]) -> None:
        mine = sorted(
            (row for row in rows if row["round"] == "1"), key=lambda row: int(row["rank"])
        )
        mine[1]["rank"] = "1"

    done = collected(tmp_path, {"n1": level, "n2": change(rank="")})
    [(judge, message)] = found(done, "rank_tied")
    assert judge == "n1"
    assert message.startswith("round 1 has rank 1 2 times: ")
    [(judge, message)] = found(done, "rank_missing")
    assert judge == "n2"
    assert message.startswith("round 1 has no rank for p")
    assert done.rated == 100


def test_a_rank_beyond_the_round_is_out_of_range(tmp_path: Path) -> None:
    done = collected(tmp_path, {"n1": change(rank="11")})
    assert found(done, "out_of_range") == [
        ("n1", "rank '11', expected a whole number from 1 to 10")
    ]
    assert done.rated == 100


def test_straight_lines(tmp_path: Path) -> None:
    def same(rows: list[Row]) -> None:
        for row in rows[:10]:
            row["stars"] = "3"

    def sheet_order(rows: list[Row]) -> None:
        for row in rows:
            row["rank"] = row["place"]

    done = collected(tmp_path, {"n1": same, "n2": sheet_order})
    told = found(done, "straight_line")
    assert ("n1", "round 1: all 10 passages have 3 stars") in told
    assert ("n2", "round 2: the ranks follow the order of the sheet") in told
    assert done.rated == 100


def test_a_straight_line_over_rounds_too_short_to_tell(tmp_path: Path) -> None:
    plan = make_plan(TEST, experts=["e1"], novices=["n1"], size=4)

    def same(rows: list[Row]) -> None:
        for row in rows:
            row["stars"] = "2"

    files = returned(tmp_path, TEST, plan, {"n1": same})
    done = collect(TEST, plan, read_ratings(plan, files))
    assert found(done, "straight_line") == [("n1", "all rounds: all 20 passages have 2 stars")]
