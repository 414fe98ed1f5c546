"""What judges get: what sheets and pages state, what they keep back, and what is left to do."""

from pathlib import Path

from panel_judges import GENRES, panel_test, plan_of, rows_of, sheets
from readmark.core.test import Header, in_memory
from readmark.readability.kind import RatedPassage
from readmark.readability.panels.judge_sheets import (
    DEFINITION,
    page,
    sheet,
    texts_by_code,
    unfinished,
    write_remaining,
)
from readmark.readability.panels.rounds import make_plan


def test_sheets_do_not_tell_the_genre_and_state_the_definition() -> None:
    test, plan = panel_test(), plan_of()
    texts = texts_by_code(test, plan)
    for judge in plan.judges:
        csv, html = sheet(plan, judge, texts).decode(), page(plan, judge, texts)
        assert DEFINITION in html
        for genre in GENRES:
            assert genre not in csv
            assert genre not in html
        rows = rows_of(csv)
        assert [row["place"] for row in rows[:10]] == [str(place) for place in range(1, 11)]
        assert ("criteria" in rows[0]) == (judge.panel == "expert")
        assert ("criteria" in html) == (judge.panel == "expert")
        assert all(row["stars"] == row["rank"] == row["seconds"] == "" for row in rows)
        assert {row["text"] for row in rows} == {record.text for record in test.records()}


def test_a_chinese_test_has_chinese_instructions() -> None:
    header = Header(kind="readability", language="zh")
    test = in_memory(
        header, [RatedPassage(id="a", text="河水上涨。"), RatedPassage(id="b", text="鸟飞走了。")]
    )
    plan = make_plan(test, experts=["e1"], novices=[])
    html = page(plan, plan.judges[0], texts_by_code(test, plan))
    assert "读起来容易吗" in html
    assert DEFINITION in html
    assert 'lang="zh"' in html


def test_a_page_escapes_the_markup_of_a_passage() -> None:
    header = Header(kind="readability", language="en")
    test = in_memory(
        header, [RatedPassage(id="a", text="<script>x</script>"), RatedPassage(id="b", text="b")]
    )
    plan = make_plan(test, experts=["e1"], novices=[])
    assert "<script>" not in page(plan, plan.judges[0], texts_by_code(test, plan))


def test_what_remains_are_the_rounds_that_are_not_finished(tmp_path: Path) -> None:
    test, plan = panel_test(), plan_of()
    filled: dict[str, dict[str, dict[str, str]]] = {}
    for name, rows in sheets(test, plan):
        rated = rows[:-3] if name == "n1" else rows
        filled[name] = {row["id"]: {"stars": "3", "rank": "1"} for row in rated}
    del filled["n2"][plan.judges[3].rounds[0].passages[4]]["rank"]
    assert write_remaining(test, plan, filled, tmp_path / "left") == ["n1", "n2"]
    rows = rows_of((tmp_path / "left" / "n1.csv").read_text(encoding="utf-8"))
    assert [row["round"] for row in rows] == ["2"] * 10
    assert [row["stars"] for row in rows] == ["3"] * 7 + [""] * 3
    rows = rows_of((tmp_path / "left" / "n2.csv").read_text(encoding="utf-8"))
    assert [row["rank"] for row in rows] == ["1"] * 4 + [""] + ["1"] * 5
    assert all(row["stars"] for row in rows)
    files = sorted(path.name for path in (tmp_path / "left").iterdir())
    assert files == ["n1.csv", "n1.html", "n2.csv", "n2.html"]


def test_a_round_of_one_needs_no_order() -> None:
    plan = plan_of(11)
    for judge in plan.judges:
        codes = [code for round_ in judge.rounds for code in round_.passages]
        filled = {code: {"stars": "3", "rank": "1"} for code in codes}
        alone = next(round_ for round_ in judge.rounds if len(round_.passages) == 1)
        filled[alone.passages[0]] = {"stars": "3"}
        assert unfinished(judge, filled) == []
