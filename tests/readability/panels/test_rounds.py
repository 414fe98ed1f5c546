"""Plans: who rates what in which order, and which plans and names are refused."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel_judges import panel_test, plan_of
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.readability.kind import RatedPassage
from readmark.readability.panels.judge_sheets import texts_by_code, write_plan
from readmark.readability.panels.rounds import PanelRound, make_plan, read_plan


@given(st.integers(1, 47), st.integers(2, 12), st.booleans(), st.integers(0, 3))
def test_every_judge_sees_every_passage_once(count: int, size: int, even: bool, seed: int) -> None:
    plan = plan_of(count, size=size, even=even, seed=seed)
    codes = sorted(passage.code for passage in plan.passages)
    numbers = list(range(1, len(plan.rounds) + 1))
    assert sorted(passage.id for passage in plan.passages) == sorted(
        record.id for record in panel_test(count).records()
    )
    assert sorted(code for round_ in plan.rounds for code in round_) == codes
    for judge in plan.judges:
        assert sorted(code for round_ in judge.rounds for code in round_.passages) == codes
        assert sorted(round_.number for round_ in judge.rounds) == numbers
        for round_ in judge.rounds:
            assert sorted(round_.passages) == list(plan.rounds[round_.number - 1])
    assert max(plan.balance.genre, plan.balance.topic) < plan.balance.below


def test_orders_are_each_judges_own_and_depend_on_the_seed_alone() -> None:
    plan = plan_of(60)
    within = {
        tuple(round_.passages for round_ in sorted(judge.rounds, key=lambda round_: round_.number))
        for judge in plan.judges
    }
    across = {tuple(round_.number for round_ in judge.rounds) for judge in plan.judges}
    assert len(within) == len(plan.judges)
    assert len(across) > 1
    assert plan == plan_of(60)
    assert plan_of(60, seed=2).judges != plan.judges
    records = list(panel_test(60).records())
    turned = in_memory(panel_test(60).header, reversed(records))
    assert make_plan(turned, experts=["e1", "e2"], novices=["n1", "n2", "n3"]) == plan


def test_orders_favour_no_passage_and_no_round() -> None:
    """Of 600 judges each round comes first, and each passage of it, about as often as any."""
    plan = plan_of(30, experts=[], novices=[f"n{index}" for index in range(600)])
    rounds = Counter(judge.rounds[0].number for judge in plan.judges)
    first = Counter(round_.passages[0] for judge in plan.judges for round_ in judge.rounds)
    # Chi-squared of 2 and of 27 degrees of freedom: one seed in a thousand would be above.
    assert sum((rounds[number] - 200) ** 2 / 200 for number in (1, 2, 3)) < 13.8
    assert sum((first[passage.code] - 60) ** 2 / 60 for passage in plan.passages) < 55.5


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
def test_names_that_are_refused(experts: list[str], novices: list[str], line: str) -> None:
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


def test_codes_on_sheets_are_no_ids_of_the_test() -> None:
    header = Header(kind="readability", language="en")
    records = [RatedPassage(id=f"{letter}01", text="Words.") for letter in "pq"]
    plan = make_plan(in_memory(header, records), experts=["e1"], novices=[])
    assert sorted(passage.code for passage in plan.passages) == ["r01", "r02"]


def test_what_cannot_be_planned() -> None:
    with pytest.raises(UsageError, match="is a comprehension test, expected readability"):
        make_plan(in_memory(Header(), [Passage(id="a", text="a")]), experts=["e"], novices=[])
    empty = in_memory(Header(kind="readability"), [RatedPassage(id="a", text=" ")])
    with pytest.raises(DataError, match="a: the passage has no text"):
        make_plan(empty, experts=["e"], novices=[])


def test_a_judge_who_joins_later_changes_nothing_for_the_others() -> None:
    before, after = plan_of(), plan_of(novices=["n1", "n2", "n3", "n4"])
    assert after.judges[:-1] == before.judges
    assert (after.rounds, after.passages) == (before.rounds, before.passages)
