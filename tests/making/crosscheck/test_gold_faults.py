"""Whose decisions are named where a merged annotation is not sound."""

import msgspec

from readmark.core.records import Layer, Passage, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.crosscheck.adjudicate import adjudicate
from readmark.making.crosscheck.comparison import cross_check

TEXT = "甲乙丙丁戊己庚辛"


def a_test(types: tuple[str, ...], refs: tuple[int | None, ...]) -> Test:
    spans = tuple((at, at + 1) for at in range(len(TEXT)))
    mention = Layer(
        spans=spans[:4], columns={"id": (1, None, 2, None), "ref": (None, refs[0], None, refs[1])}
    )
    passage = Passage(
        id="p",
        text=TEXT,
        layers={
            "np": Layer(spans=spans),
            "ne": Layer(spans=spans[4:7], columns={"type": types}),
        },
        key=RecordKey(layers={"mention": mention}),
    )
    return in_memory(Header(language="zh"), [passage])


ANN = a_test(("NUM", "NUM", "NUM"), (1, 2))
BO = a_test(("TIME", "COLOUR", "TIME"), (None, 9))


def test_only_decisions_at_the_place_are_named() -> None:
    check = cross_check(ANN, BO, names=("ann", "bo"))
    assert len(check.rows) == 5
    rows = [msgspec.structs.replace(row, decision="b") for row in check.rows]
    gold = adjudicate(ANN, BO, check.header, rows, file="d")
    assert {fault.code: fault.decisions for fault in gold.conflicts} == {
        "reference": ("p:mention:3-4",),
        "entity": ("p:ne:5-6",),
    }
