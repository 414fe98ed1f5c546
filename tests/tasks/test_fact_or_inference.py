"""Which answers count as facts and which as inferences: by the gold, then by a property's role."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pump_task import QUERIES, write_pump_task
from readmark.core.errors import DataError
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.marking import mark
from readmark.tasks.gold_versions import make_gold, make_pool
from readmark.tasks.records import Document, Query, QueryKey, Solution

ASKED = {
    **{id: QUERIES[id] for id in ("afterHours", "repairDate", "replaced")},
    "worn": ("((?part type Part) (?part worn ?value))", "Which parts were worn?"),
}


def scores(test: Test, answers: dict[str, list[Any]]) -> tuple[float, float]:
    rows = {id: Row(id=id, answer=bindings) for id, bindings in answers.items()}
    header = SittingHeader(kind="task", candidate="system")
    found = mark(test, Sitting(header, rows), metrics=["facts", "inferences"])
    marks = found.as_json(units=False)["marks"]
    return marks["facts"]["score"], marks["inferences"]["score"]


@pytest.mark.parametrize("flag", [{}, {"inferred": True}, {"inferred": False}])
def test_a_flag_that_is_left_out_moves_no_error(flag: dict[str, bool], tmp_path: Path) -> None:
    """Four facts and two inferences in the gold.

    | sort       | right | wrong | said | wanted | F            |
    | facts      | 1     | 1     | 2    | 4      | 2/6 = 33.33  |
    | inferences | 1     | 2     | 3    | 2      | 2/5 = 40     |

    With the flag as the system gives it, one of the wrong inferences was a fact: 28.57 and 50.
    """
    test = open_test(write_pump_task(tmp_path / "pumps", queries=ASKED))
    answers = {
        "p7:afterHours": [{"values": {"repair": "Repair-1", "value": 2900}}],
        "p7:repairDate": [{"values": {"repair": "Repair-1", "value": "2021-08-11"}}],
        "p7:worn": [
            {"values": {"part": "Impeller", "value": True}, "inferred": True},
            {"values": {"part": "Bearing", "value": True}, "inferred": True},
            {"values": {"part": "Casing", "value": True}, **flag},
        ],
    }
    assert scores(test, answers) == pytest.approx((100 * 2 / 6, 100 * 2 / 5))


def solution(value: int, inferred: bool | None = None) -> Solution:
    return Solution(values={"x": value}, inferred=inferred)


FACT, INFERENCE, UNSAID = solution(1, False), solution(2, True), solution(3)


@pytest.mark.parametrize(
    ("gold", "role", "facts", "inferences"),
    [
        # The gold of the query is of one sort: so are the errors, whatever the role.
        ([FACT], "target", 1, 0),
        ([FACT], "inferred", 1, 0),
        ([INFERENCE], "target", 0, 1),
        ([INFERENCE], "inferred", 0, 1),
        # It has both sorts, or nothing: the role decides.
        ([FACT, INFERENCE], "target", 1, 0),
        ([FACT, INFERENCE], "inferred", 0, 1),
        ([], "target", 1, 0),
        ([], "inferred", 0, 1),
        # A gold answer that does not say is of the role's sort; without a role it was read.
        ([UNSAID], "inferred", 0, 1),
        ([UNSAID], None, 1, 0),
        ([], None, 1, 0),
    ],
)
@pytest.mark.parametrize("claim", [None, True, False])
def test_an_error_is_of_the_sort_of_the_gold_then_of_the_role(
    gold: list[Solution], role: str | None, facts: int, inferences: int, claim: bool | None
) -> None:
    """With one wrong answer, precision is 0 for its sort, and the other sort has none."""
    query = Query(
        id="d:q",
        graph="((?x p ?y))",
        fields={} if role is None else {"property_role": role},
        key=QueryKey(solutions=tuple(gold)),
    )
    document = Document(id="d", text="Text.", queries=(query,))
    test = in_memory(Header(kind="task", language="en"), [document])
    rows = {"d:q": Row(id="d:q", answer=[{"values": {"x": 9}, "inferred": claim}])}
    sitting = Sitting(SittingHeader(kind="task", candidate="system"), rows)
    names = ["facts(measure=precision)", "inferences(measure=precision)"]
    marks = mark(test, sitting, metrics=names).as_json(units=False)["marks"]
    assert [mark["score"] for mark in marks.values()] == [
        0.0 if facts else None,
        0.0 if inferences else None,
    ]


def test_a_role_that_cannot_be_known_is_refused(tmp_path: Path) -> None:
    task = write_pump_task(tmp_path / "pumps", queries={"Pump": QUERIES["Pump"]})
    (task / "ontology.ttl").write_text("@prefix : <broken", encoding="utf-8")
    (task / "answers.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="fact or inference"):
        scores(open_test(task), {"p7:Pump": [{"values": {"pump": "P-8"}}]})


def test_the_pool_keeps_what_readers_infer(tmp_path: Path) -> None:
    """A default that was judged right is an inference, also from one excerpt."""
    task = write_pump_task(tmp_path / "pumps", queries=ASKED, annotation="incomplete")
    excerpt = {"document": "p7", "start": 86, "end": 97, "quote": "2,900 hours"}
    given = {
        "inferring": [(3000, True), (3100, True), (3200, None)],
        "reading": [(3100, False)],
        "silent": [(3000, None)],
    }
    files = []
    for name, answers in given.items():
        bindings = [
            {
                "values": {"repair": "Repair-1", "value": value},
                "inferred": claim,
                "excerpts": [excerpt],
            }
            for value, claim in answers
        ]
        rows = {"p7:afterHours": Row(id="p7:afterHours", answer=bindings)}
        if name == "silent":
            worn = [{"values": {"part": "Bearing", "value": True}}]
            rows["p7:worn"] = Row(id="p7:worn", answer=worn)
        files.append(str(tmp_path / f"{name}.jsonl"))
        header = SittingHeader(kind="task", candidate=name)
        NATIVE_SITTING.write_sitting(Sitting(header, rows), Path(files[-1]))
    make_pool(task, files, tmp_path / "pool.jsonl")
    pooled = [json.loads(line) for line in (tmp_path / "pool.jsonl").read_text().splitlines()]
    assert {row["values"]["value"]: row.get("inferred") for row in pooled} == {
        3000: True,  # nobody read it
        3100: None,  # somebody did
        3200: None,
        True: True,  # by the property's role
    }
    judged = [{**row, "verdict": "right", "by": "judge"} for row in pooled]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged))
    make_gold(task, tmp_path / "gold.jsonl", adjudicated=[str(tmp_path / "judged.jsonl")])
    gold = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert {row["values"]["value"]: row["inferred"] for row in gold if row.get("by")} == {
        3000: True,
        3100: False,
        3200: False,
        True: True,
    }
