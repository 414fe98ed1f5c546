"""Decisions of an earlier comparison, carried into a new one."""

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.making.translation.comparison import (
    TranslationComparison,
    require_same_work,
    set_aside,
)
from readmark.making.translation.sheets import TranslationSheet
from readmark.settling import Disagreement, carry_decisions


def row(id: str = "q/key", **said: object) -> Disagreement:
    plain = {"a": "喝", "b": "饮", "beside": {"english": "drink"}, "cause": "synonym"}
    return Disagreement(id=id, what="key", record="p", **(plain | said))  # type: ignore[arg-type]


def comparison(
    a: str = "x/ann.tsv", b: str = "y/bo.tsv", names: tuple[str, str] = ("ann", "bo")
) -> TranslationComparison:
    sheets = TranslationSheet(a, {}), TranslationSheet(b, {})
    return TranslationComparison(TranslationSheet("en", {}), names, sheets, (), ())


def test_what_is_the_same_is_kept_whole() -> None:
    then = row(decision="other", other="品", by="chen", decided_cause="voice")
    (carried,), dropped = carry_decisions([row(confidence="high")], [then], "english")
    assert dropped == []
    assert carried == row(
        confidence="high", decision="other", other="品", by="chen", decided_cause="voice"
    )


def test_half_a_decision_is_kept_too() -> None:
    (carried,), _ = carry_decisions([row()], [row(other="品")], "english")
    assert (carried.decision, carried.other) == (None, "品")


@pytest.mark.parametrize(
    "changed", [{"a": "吃"}, {"b": None}, {"beside": {"english": "eat"}}, {"id": "z/key"}]
)
def test_what_changed_is_told(changed: dict[str, object]) -> None:
    then = row(decision="a", by="chen")
    now = row(**changed)
    assert carry_decisions([now], [then], "english") == ([now], [then])
    assert carry_decisions([now], [row()], "english") == ([now], [])


def test_a_cause_that_was_suggested_and_let_stand_is_the_persons() -> None:
    now = row(cause="different_meaning")
    (carried,), _ = carry_decisions([now], [row(decision="a", by="chen")], "english")
    assert (carried.cause, carried.decided_cause) == ("different_meaning", "synonym")
    (carried,), _ = carry_decisions([now], [row(by="chen")], "english")
    assert carried.decided_cause is None


def test_set_aside_and_back() -> None:
    then = row(decision="a", by="chen")
    header = comparison().header([then])
    assert set_aside(header, file="adj") == [then]
    assert set_aside(comparison().header(), file="adj") == []
    broken = msgspec.structs.replace(header, fields={"set_aside": [{"id": 7}]})
    with pytest.raises(DataError, match="adj: set-aside decisions cannot be read"):
        set_aside(broken, file="adj")


def test_names_go_with_their_files() -> None:
    header = comparison().header()
    require_same_work(comparison(), header, "adj")
    require_same_work(comparison("renamed.tsv", "z.tsv"), header, "adj")
    swapped = comparison("bo.tsv", "ann.tsv")
    with pytest.raises(DataError, match=r"adj:1: says that ann.tsv is ann's and bo.tsv is bo's"):
        require_same_work(swapped, header, "adj")
    other = msgspec.structs.replace(header, a="bo", b="ann")
    mine = comparison("ann.tsv", "bo.tsv", ("bo", "ann"))
    with pytest.raises(DataError, match=r"says that bo.tsv is bo's and ann.tsv is ann's"):
        require_same_work(mine, other, "adj")
