"""Plans: who sees what in which order, what the sheets say, and what they do not."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel_judges import GENRES, panel_test, rows_of, sheets
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.readability.kind import RatedPassage
from readmark.readability.panels.plan import (
    DEFINITION,
    page,
    sheet,
    texts_by_code,
    unfinished,
    write_plan,
    write_remaining,
)
from readmark.readability.panels.rounds import PanelPlan, PanelRound, make_plan, read_plan


def plan_of(count: int = 20, **more: object) -> PanelPlan:
    told: dict[str, object] = {"experts": ["e1", "e2"], "novices": ["n1", "n2", "n3"], **more}
    return make_plan(panel_test(count), **told)  # type: ignore[arg-type]


@given(st.integers(1, 47), st.integers(2, 12), st.booleans(), st.integers(0, 3))
def test_every_judge_sees_every_passage_once(count: int, size: int, even: bool, seed: int) -> None:
    plan = plan_of(count, size=size, even=even, seed=seed)
    codes = sorted(one.code for one in plan.passages)
    assert sorted(one.id for one in plan.passages) == sorted(
        one.id for one in panel_test(count).records()
    )
    assert sorted(code for one in plan.rounds for code in one) == codes
    for judge in plan.judges:
        assert sorted(code for one in judge.rounds for code in one.passages) == codes
        assert sorted(one.number for one in judge.rounds) == list(range(1, len(plan.rounds) + 1))
        for one in judge.rounds:
            assert sorted(one.passages) == list(plan.rounds[one.number - 1])
    assert max(plan.balance.genre, plan.balance.topic) < plan.balance.below


def test_orders_are_each_judges_own_and_depend_on_the_seed_alone() -> None:
    plan = plan_of(60)
    within = {
        tuple(one.passages for one in sorted(judge.rounds, key=lambda each: each.number))
        for judge in plan.judges
    }
    across = {tuple(one.number for one in judge.rounds) for judge in plan.judges}
    assert len(within) == len(plan.judges)
    assert len(across) > 1
    assert plan == plan_of(60)
    assert plan_of(60, seed=2).judges != plan.judges
    records = list(panel_test(60).records())
    turned = in_memory(panel_test(60).header, reversed(records))
    assert make_plan(turned, experts=["e1", "e2"], novices=["n1", "n2", "n3"]) == plan


def test_orders_favour_no_passage_and_no_round() -> None:
    """Of 600 judges each round comes first, and each passage of it, about as often as any."""
    plan = plan_of(30, experts=[], novices=[f"n{at}" for at in range(600)])
    rounds = Counter(judge.rounds[0].number for judge in plan.judges)
    first = Counter(one.passages[0] for judge in plan.judges for one in judge.rounds)
    assert sum((rounds[at] - 200) ** 2 / 200 for at in (1, 2, 3)) < 13.8
    chi = sum((first[one.code] - 60) ** 2 / 60 for one in plan.passages)
    assert chi < 55.5  # 27 degrees of freedom: one seed in a thousand would be above


def test_sheets_do_not_tell_the_genre_and_state_the_definition() -> None:
    test, plan = panel_test(), plan_of()
    texts = texts_by_code(test, plan)
    for judge in plan.judges:
        told, shown = sheet(plan, judge, texts).decode(), page(plan, judge, texts)
        assert DEFINITION in shown
        for genre in GENRES:
            assert genre not in told
            assert genre not in shown
        rows = rows_of(told)
        assert [row["place"] for row in rows[:10]] == [str(at) for at in range(1, 11)]
        assert ("criteria" in rows[0]) == (judge.panel == "expert")
        assert ("criteria" in shown) == (judge.panel == "expert")
        assert all(row["stars"] == row["rank"] == row["seconds"] == "" for row in rows)
        assert {row["text"] for row in rows} == {one.text for one in test.records()}


def test_a_chinese_test_has_chinese_instructions() -> None:
    header = Header(kind="readability", language="zh")
    test = in_memory(
        header, [RatedPassage(id="a", text="河水上涨。"), RatedPassage(id="b", text="鸟飞走了。")]
    )
    plan = make_plan(test, experts=["e1"], novices=[])
    shown = page(plan, plan.judges[0], texts_by_code(test, plan))
    assert "读起来容易吗" in shown
    assert DEFINITION in shown
    assert 'lang="zh"' in shown


def test_a_page_escapes_what_a_passage_says() -> None:
    header = Header(kind="readability", language="en")
    test = in_memory(
        header, [RatedPassage(id="a", text="<script>x</script>"), RatedPassage(id="b", text="b")]
    )
    plan = make_plan(test, experts=["e1"], novices=[])
    assert "<script>" not in page(plan, plan.judges[0], texts_by_code(test, plan))


def test_a_plan_is_read_back_from_its_file_or_folder(tmp_path: Path) -> None:
    plan = plan_of()
    files = write_plan(panel_test(), plan, tmp_path / "plan")
    assert files[0] == "plan.json"
    assert len(files) == 1 + 2 * len(plan.judges)
    assert read_plan(tmp_path / "plan") == plan == read_plan(tmp_path / "plan" / "plan.json")


@pytest.mark.parametrize(
    ("experts", "novices", "line"),
    [
        (["ann", "bo"], ["Ann"], "'Ann' is in both panels"),
        (["ann", "ANN"], [], "two judges are called 'ANN'"),
        ([], [], "no judge is named"),
        (["a/b"], [], "contains a path separator"),
        (["a:b"], [], "contains ':', which not every system"),
        (["x?"], [], "contains '\\?', which not every system"),
        ([], ["CON"], "is reserved on Windows"),
        ([], ["com1.x"], "is reserved on Windows"),
        (["ann."], [], "begins or ends with a dot"),
        (["Zo\u00eb"], ["zoe\u0308"], "is in both panels"),
        (["Zo\u00eb", "Zoe\u0308"], [], "two judges are called"),
        ([], ["a\nb"], "contains a control character"),
    ],
)
def test_names_that_cannot_be(experts: list[str], novices: list[str], line: str) -> None:
    with pytest.raises(UsageError, match=line):
        plan_of(experts=experts, novices=novices)


def test_a_judge_is_found_however_an_accent_is_put_together() -> None:
    plan = plan_of(experts=["Zo\u00eb"])
    assert plan.judge("ZOE\u0308 ") == plan.judges[0]
    assert plan.judge("Zoe") is None


def test_a_plan_that_was_made_before_names_were_refused_is_read(tmp_path: Path) -> None:
    plan = plan_of(experts=["e1"])
    old = msgspec.structs.replace(plan.judges[0], name="a:b")
    path = tmp_path / "plan.json"
    path.write_bytes(
        msgspec.json.encode(msgspec.structs.replace(plan, judges=(old, *plan.judges[1:])))
    )
    assert read_plan(path).judges[0].name == "a:b"


def test_a_plan_that_somebody_edited_to_have_a_judge_twice_is_refused(tmp_path: Path) -> None:
    plan = plan_of()
    twin = msgspec.structs.replace(plan.judges[0], panel="novice")
    path = tmp_path / "plan.json"
    path.write_bytes(
        msgspec.json.encode(msgspec.structs.replace(plan, judges=(*plan.judges, twin)))
    )
    with pytest.raises(DataError, match=r"plan\.json: 'e1' is in both panels"):
        read_plan(path)
    path.write_text('{"readmark":1}')
    with pytest.raises(DataError, match="is not the plan of a panel"):
        read_plan(path)
    path.write_text('{"readmark":')
    with pytest.raises(DataError, match="not valid JSON"):
        read_plan(path)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rounds": ()}, "the rounds of 'e1' are not of every passage once"),
        (
            {"rounds": (PanelRound(1, ("nobody",)),)},
            "the rounds of 'e1' are not of every passage once",
        ),
        ({"panel": "jury"}, "the panel of 'e1' is 'jury', expected expert or novice"),
    ],
)
def test_a_judge_without_every_passage_is_refused(
    tmp_path: Path, changes: dict[str, Any], line: str
) -> None:
    plan = plan_of()
    changed = msgspec.structs.replace(plan.judges[0], **changes)
    path = tmp_path / "plan.json"
    path.write_bytes(
        msgspec.json.encode(msgspec.structs.replace(plan, judges=(changed, *plan.judges[1:])))
    )
    with pytest.raises(DataError, match=line):
        read_plan(path)


def test_a_plan_of_other_passages_is_refused(tmp_path: Path) -> None:
    plan, path = plan_of(), tmp_path / "plan.json"
    first, second, *others = plan.passages
    twins = (first, msgspec.structs.replace(second, id=first.id), *others)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(plan, passages=twins)))
    with pytest.raises(DataError, match="two passages have the same code or id"):
        read_plan(path)
    strange = (msgspec.structs.replace(first, id="nowhere"), second, *others)
    with pytest.raises(DataError, match="has no passage 'nowhere', which the plan has"):
        texts_by_code(panel_test(), msgspec.structs.replace(plan, passages=strange))


def test_the_names_on_sheets_are_no_ids_of_the_test() -> None:
    header = Header(kind="readability", language="en")
    records = [RatedPassage(id=f"{letter}01", text="Words.") for letter in "pq"]
    plan = make_plan(in_memory(header, records), experts=["e1"], novices=[])
    assert sorted(one.code for one in plan.passages) == ["r01", "r02"]


def test_what_cannot_be_planned() -> None:
    with pytest.raises(UsageError, match="is a comprehension test, expected readability"):
        make_plan(in_memory(Header(), [Passage(id="a", text="a")]), experts=["e"], novices=[])
    empty = in_memory(Header(kind="readability"), [RatedPassage(id="a", text=" ")])
    with pytest.raises(DataError, match="a: the passage has no text"):
        make_plan(empty, experts=["e"], novices=[])


def test_what_remains_are_the_rounds_that_are_not_finished(tmp_path: Path) -> None:
    test, plan = panel_test(), plan_of()
    filled: dict[str, dict[str, dict[str, str]]] = {}
    for name, rows in sheets(test, plan):
        done = len(rows) - 3 if name == "n1" else len(rows)
        filled[name] = {row["id"]: {"stars": "3", "rank": "1"} for row in rows[:done]}
    del filled["n2"][plan.judges[3].rounds[0].passages[4]]["rank"]
    assert write_remaining(test, plan, filled, tmp_path / "left") == ["n1", "n2"]
    rows = rows_of((tmp_path / "left" / "n1.csv").read_text(encoding="utf-8"))
    assert [row["round"] for row in rows] == ["2"] * 10
    assert [row["stars"] for row in rows] == ["3"] * 7 + [""] * 3
    rows = rows_of((tmp_path / "left" / "n2.csv").read_text(encoding="utf-8"))
    assert [row["rank"] for row in rows] == ["1"] * 4 + [""] + ["1"] * 5
    assert all(row["stars"] for row in rows)
    files = sorted(one.name for one in (tmp_path / "left").iterdir())
    assert files == ["n1.csv", "n1.html", "n2.csv", "n2.html"]


def test_a_round_of_one_needs_no_order() -> None:
    plan = plan_of(11)
    for judge in plan.judges:
        codes = [code for one in judge.rounds for code in one.passages]
        ranks = {code: {"stars": "3", "rank": "1"} for code in codes}
        alone = next(one for one in judge.rounds if len(one.passages) == 1)
        ranks[alone.passages[0]] = {"stars": "3"}
        assert unfinished(judge, ranks) == []


def test_a_judge_who_joins_later_changes_nothing_for_the_others() -> None:
    before, after = plan_of(), plan_of(novices=["n1", "n2", "n3", "n4"])
    assert after.judges[:-1] == before.judges
    assert (after.rounds, after.passages) == (before.rounds, before.passages)
