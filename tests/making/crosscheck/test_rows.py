"""Lines of an adjudication file: what is left to decide, what is kept from an earlier one."""

from typing import Any

import msgspec
import pytest

from readmark.making.crosscheck.comparison import outside, to_decide
from readmark.settling import Disagreement, carry_decisions

NP = Disagreement(id="p:np:0-4", what="np", record="p", a=[1], b=[2])
NE = Disagreement(id="p:ne:0-4", what="ne", record="p", a=[3], b=[], beside={"follows": NP.id})
KEY = Disagreement(id="p:q:key1:np:0-1", what="np", record="p", unit="q", a=[5])
ASKED = Disagreement(id="p:q:np:0-1", what="np", record="p", unit="q", a=[6])


def said(one: Disagreement, **more: Any) -> Disagreement:
    return msgspec.structs.replace(one, **more)


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([NP, NE], [NP.id]),
        ([said(NP, decision="a"), NE], []),
        # A third version of the phrase says nothing of what the entity is.
        ([said(NP, decision="other", other=[]), NE], [NE.id]),
        ([NP, said(NE, decision="b")], [NP.id]),
    ],
)
def test_to_decide(rows: list[Disagreement], left: list[str]) -> None:
    assert to_decide(rows) == left


def test_all_that_was_written_is_kept_or_handed_back() -> None:
    earlier = [
        said(NP, decision="other", other=["x"], by="chen", decided_cause="typo"),
        said(NE, other=["half done"]),
        said(KEY, decision="a"),
        ASKED,
    ]
    made, gone = carry_decisions([NP, NE, said(KEY, a=[7])], earlier)
    assert made == [earlier[0], earlier[1], said(KEY, a=[7])]
    assert gone == [earlier[2]]


@pytest.mark.parametrize(
    ("now", "lost"),
    [
        ({"np": ["passage", "question", "key"], "ne": ["passage"]}, []),
        ({"np": ["passage", "question", "key"]}, ["ne"]),
        ({"np": ["passage"], "ne": ["passage"]}, ["np in keys"]),
        ({"token": ["passage"]}, ["np", "ne"]),
    ],
)
def test_decisions_outside_what_is_compared(now: dict[str, list[str]], lost: list[str]) -> None:
    before = {"np": ["passage", "question", "key"], "ne": ["passage"]}
    rows = [said(NP, decision="a"), said(NE, by="chen"), said(KEY, decision="b"), ASKED]
    assert outside(rows, before, now) == lost
    assert outside([NP, NE, KEY, ASKED], before, now) == []
