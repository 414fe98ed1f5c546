"""Lines of an adjudication file: what is left to decide, what is kept from an earlier one."""

from typing import Any

import msgspec
import pytest

from readmark.making.crosscheck.comparison import layers_left_out
from readmark.making.crosscheck.disagreements import to_decide
from readmark.settling import Disagreement, carry_decisions

NP = Disagreement(id="p:np:0-4", what="np", record="p", a=[1], b=[2])
NE = Disagreement(id="p:ne:0-4", what="ne", record="p", a=[3], b=[], beside={"follows": NP.id})
KEY = Disagreement(id="p:q:key1:np:0-1", what="np", record="p", unit="q", a=[5])
ASKED = Disagreement(id="p:q:np:0-1", what="np", record="p", unit="q", a=[6])


def changed(line: Disagreement, **members: Any) -> Disagreement:
    return msgspec.structs.replace(line, **members)


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([NP, NE], [NP.id]),
        ([changed(NP, decision="a"), NE], []),
        # A third version of the phrase says nothing of what the entity is.
        ([changed(NP, decision="other", other=[]), NE], [NE.id]),
        ([NP, changed(NE, decision="b")], [NP.id]),
    ],
)
def test_what_is_decided_or_follows_is_not_left_to_decide(
    rows: list[Disagreement], left: list[str]
) -> None:
    assert to_decide(rows) == left


def test_decisions_are_carried_over_or_handed_back() -> None:
    earlier = [
        changed(NP, decision="other", other=["x"], by="chen", decided_cause="typo"),
        changed(NE, other=["half done"]),
        changed(KEY, decision="a"),
        ASKED,
    ]
    carried, dropped = carry_decisions([NP, NE, changed(KEY, a=[7])], earlier)
    assert carried == [earlier[0], earlier[1], changed(KEY, a=[7])]
    assert dropped == [earlier[2]]


@pytest.mark.parametrize(
    ("now", "lost"),
    [
        ({"np": ["passage", "question", "key"], "ne": ["passage"]}, []),
        ({"np": ["passage", "question", "key"]}, ["ne"]),
        ({"np": ["passage"], "ne": ["passage"]}, ["np in keys"]),
        ({"token": ["passage"]}, ["np", "ne"]),
    ],
)
def test_layers_with_decisions_that_are_no_longer_compared(
    now: dict[str, list[str]], lost: list[str]
) -> None:
    before = {"np": ["passage", "question", "key"], "ne": ["passage"]}
    rows = [changed(NP, decision="a"), changed(NE, by="chen"), changed(KEY, decision="b"), ASKED]
    assert layers_left_out(rows, before, now) == lost
    assert layers_left_out([NP, NE, KEY, ASKED], before, now) == []
