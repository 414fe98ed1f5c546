"""Reading tasks as a kind: what is answered, what is marked, what is wrong in a record."""

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.core.records import Labelled
from readmark.core.sitting import Row
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.tasks.kind import TASK
from readmark.tasks.records import Document, Query, QueryKey, Solution, Solutions
from readmark.tasks.value_tokens import token

KEY = QueryKey(solutions=(Solution(values={"N": 5}),), rejected=(Solution(values={"N": 4}),))
QUERY = Query(id="d:q", graph="((?G periods ?N))", text="How many?", key=KEY)
RECORD = Document(id="d", text="Five periods.", queries=(QUERY,))


def changed(**key: object) -> Document:
    query = msgspec.structs.replace(QUERY, key=msgspec.structs.replace(KEY, **key))
    return msgspec.structs.replace(RECORD, queries=(query,))


def test_the_paper_has_no_key() -> None:
    paper = TASK.paper(RECORD)
    assert paper.queries[0].key is None
    assert paper.text == RECORD.text
    assert TASK.paper_part(paper) == TASK.paper_part(RECORD)


def test_a_unit_is_marked_against_the_gold() -> None:
    [unit] = TASK.units(RECORD)
    assert (unit.id, unit.group) == ("d:q", "d")
    assert TASK.references(unit) == ((Solutions(solutions=KEY.solutions),),)
    [blind] = TASK.units(TASK.paper(RECORD))
    assert TASK.references(blind) == ()
    [none] = TASK.units(changed(solutions=()))
    assert TASK.references(none) == ((Solutions(solutions=()),),)  # judged to have no answer


@pytest.mark.parametrize(
    ("bindings", "bound"),
    [
        ([], []),
        ([{"N": 5}], [(("N", "5"),)]),
        ([{"values": {"N": True, "G": "Game-1"}}], [(("G", "Game-1"), ("N", "true"))]),
        ([{"N": 5.0}, {"N": '"five"'}], [(("N", "5"),), (("N", '"five"'),)]),
        ([Solution(values={"N": 5})], [(("N", "5"),)]),
    ],
)
def test_bindings_are_read_from_a_row(bindings: object, bound: object) -> None:
    answer = TASK.read_answer(Row(id="d:q", answer=bindings))
    assert [one.bound for one in answer.solutions] == bound


@pytest.mark.parametrize("bindings", [msgspec.UNSET, "five", 5, [5], [["N", 5]], [{"N": None}]])
def test_bindings_of_another_shape_are_an_error(bindings: object) -> None:
    with pytest.raises(DataError, match=r"^d:q: "):
        TASK.read_answer(Row(id="d:q", answer=bindings))


@pytest.mark.parametrize("part", TASK.parts)
def test_each_part_can_be_left_out(part: str) -> None:
    paper = TASK.leave_out(TASK.paper(RECORD), part)
    shown = [*TASK.show_record(paper), *TASK.show(next(iter(TASK.units(paper))))]
    texts = {one.label: one.text for one in shown}
    assert texts == (
        {"document": "", "question": "How many?", "query": "((?G periods ?N))"}
        if part == "document"
        else {"document": "Five periods.", "query": ""}
    )


def test_a_query_is_shown_in_words_and_as_a_graph() -> None:
    [unit] = TASK.units(RECORD)
    assert TASK.show(unit) == (
        Labelled("question", "How many?"),
        Labelled("query", "((?G periods ?N))"),
    )


def test_judgements_are_part_of_the_key_and_their_order_is_not() -> None:
    two = (Solution(values={"N": 5}), Solution(values={"N": 6}))
    assert TASK.key_part(changed(solutions=two)) == TASK.key_part(changed(solutions=two[::-1]))
    parts = [
        TASK.key_part(one)
        for one in (
            RECORD,
            changed(rejected=()),
            changed(solutions=two),
            changed(annotation="incomplete"),
            changed(solutions=(Solution(values={"N": 5}, inferred=True),)),
        )
    ]
    assert all(one not in parts[:at] for at, one in enumerate(parts))


@pytest.mark.parametrize(
    ("record", "owner", "code"),
    [
        (msgspec.structs.replace(RECORD, text=" "), "d", "empty_text"),
        (
            msgspec.structs.replace(RECORD, queries=(Query(id="d:q", graph=" "),)),
            "d:q",
            "empty_text",
        ),
        (changed(annotation="some"), "d:q", "schema"),
        (changed(rejected=KEY.solutions), "d:q", "duplicate_answer"),
        (changed(solutions=(Solution(values={"M": 5}),)), "d:q", "variable"),
        (
            changed(solutions=(Solution(values={"N": 5}, excerpts=(Excerpt("d", 0, 4, "Six."),)),)),
            "d:q",
            "offset",
        ),
    ],
)
def test_what_is_wrong_is_found(record: Document, owner: str, code: str) -> None:
    assert [(who, what) for who, what, _ in TASK.findings(record)] == [(owner, code)]


def test_a_sound_record_has_no_findings() -> None:
    assert list(TASK.findings(RECORD)) == []


@pytest.mark.parametrize(
    ("excerpt", "fault"),
    [
        (Excerpt("d", 0, 4, "Five"), None),
        (Excerpt("d", 0, 4, "five"), "[0, 4] reads 'Five', not 'five'"),
        (Excerpt("d", 9, 14, "x"), "[9, 14] is not a stretch of the document, which has 13"),
        (Excerpt("d", 4, 2, "x"), "[4, 2] is not a stretch"),
        (Excerpt("d", -1, 2, "x"), "[-1, 2] is not a stretch"),
    ],
)
def test_an_excerpt_lies_in_its_text(excerpt: Excerpt, fault: str | None) -> None:
    found = excerpt_fault(excerpt, RECORD.text)
    assert found is None if fault is None else found is not None and found.startswith(fault)


def test_values_are_tokens_of_the_notation() -> None:
    assert [token(one) for one in (True, 5, 5.0, float("-inf"), "Game-1")] == [
        "true",
        "5",
        "5.0",
        "-INF",
        "Game-1",
    ]
    assert Solutions(solutions=(Solution(values={"N": 5, "G": "a"}), Solution(values={}))).text == (
        "?G = a, ?N = 5; "
    )
