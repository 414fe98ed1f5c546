"""Ids that occur twice are found wherever they are, in constant memory; sound ones never are."""

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.problems import Problem, ReportProblem
from readmark.core.records import Passage, Question
from readmark.core.sieve import Sieve
from readmark.core.test import Header, Placed, Test, in_memory
from readmark.core.unique_ids import unique_records


def passage(id: str, *question_ids: str, text: str = "x") -> Passage:
    questions = tuple(Question(id=question_id, text="?") for question_id in question_ids)
    return Passage(id=id, text=text, questions=questions)


def paper_of(*passages: Passage) -> Test:
    return in_memory(Header(language="en"), passages)


def streamed(number: int, change: Callable[[int], Passage | None] = lambda _: None) -> Test:
    """A test of that many records that is never in memory; its places are line numbers."""

    def stream(_: ReportProblem) -> Iterator[Placed]:
        for index in range(number):
            yield index + 2, change(index) or passage(f"p{index}", f"q{index}")

    return Test(Header(language="en"), stream, "far.jsonl")


def first_error(reading: Callable[[], Any]) -> str | None:
    try:
        reading()
    except DataError as error:
        return str(error)
    return None


ids = st.sampled_from(["a", "b", "c", "d", "\na", "\n", "", text_id("x"), text_id("y")])
passages = st.lists(
    st.builds(passage, ids, ids, ids, text=st.sampled_from("xy"))
    | st.builds(passage, ids, text=st.sampled_from("xy")),
    max_size=6,
)


@given(passages, st.sampled_from([1, 2, 1 << 10]), st.integers(1, 9), st.integers(1, 3))
def test_the_same_is_raised_as_when_all_ids_are_held(
    records: list[Passage], words: int, batch: int, most: int
) -> None:
    test = paper_of(*records)
    with_all_ids = first_error(lambda: list(test.placed()))
    with_sieve = first_error(
        lambda: list(unique_records(test, words=words, batch=batch, most=most))
    )
    assert with_sieve == with_all_ids


@pytest.mark.parametrize("batch", [1, 7, 4096])
@pytest.mark.parametrize("most", [1, 5, 1 << 16])
def test_a_sieve_that_is_too_small_finds_nothing_wrong_with_sound_ids(
    batch: int, most: int
) -> None:
    records = [passage(f"p{index}", f"q{index}", f"p{index}") for index in range(60)]
    assert (
        len(Sieve(1).again([f"q{index}" for index in range(99)])) == 0
    )  # a single batch is compared exactly
    small = Sieve(1)
    small.again([f"q{index}" for index in range(99)])
    assert len(small.again([f"r{index}" for index in range(99)])) > 50  # all are suspects
    found = list(unique_records(paper_of(*records), words=1, batch=batch, most=most))
    assert [record for record, _ in found] == records
    assert [unit.id for _, units in found for unit in units][:3] == ["q0", "p0", "q1"]


def test_a_large_sieve_suspects_hardly_any() -> None:
    sieve = Sieve()
    found = [
        sieve.again([f"q{index}" for index in range(start, start + 4000)])
        for start in range(0, 80_000, 4000)
    ]
    assert sum(map(len, found)) <= 1
    assert sieve.again(["q1", "q79999", "other"]) >= {"q1", "q79999"}


def test_further_ids_are_added_and_not_looked_up() -> None:
    sieve = Sieve()
    assert sieve.again(["a"], ["b", "b"]) == set()
    assert sieve.again(["c"], ["a", "b"]) == set()
    assert sieve.again(["b", "c"], ["b"]) == {"b", "c"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda index: passage("p200000", "q7") if index == 199_998 else None, "200000: {}id 'q7'"),
        (
            lambda index: passage("p3", "new") if index == 199_999 else None,
            "200001: {}passage id 'p3'",
        ),
    ],
    ids=["unit", "record"],
)
def test_ids_that_are_far_apart_are_found(
    change: Callable[[int], Passage | None], message: str
) -> None:
    expected = f"far.jsonl:{message.format('duplicate_id: ')} occurs twice"
    assert first_error(lambda: streamed(200_000, change).facts) == expected


def test_records_that_are_named_by_their_text_may_share_an_id() -> None:
    reads = 0
    name = text_id("The mill stands still.")

    def stream(_: ReportProblem) -> Iterator[Placed]:
        nonlocal reads
        reads += 1
        for index in range(20):
            yield index, passage(name, f"q{index}", text="The mill stands still.")

    test = Test(Header(language="en"), stream)
    assert test.facts.units == 20
    assert reads == 1  # nothing was suspected
    stranger = passage(name, "z", text="Another text.")
    in_parts = [record for _, record in stream(lambda _: None)]
    with pytest.raises(DataError, match=f"duplicate_id: passage id '{name}' occurs twice"):
        _ = paper_of(*in_parts, stranger).facts


def test_an_id_that_occurs_twice_before_another_fault_is_raised_first() -> None:
    def damaged(*records: Passage) -> Test:
        def stream(report: ReportProblem) -> Iterator[Placed]:
            yield from enumerate(records, 2)
            report(Problem("t.jsonl", 9, "json", "unexpected end"))
            yield 10, passage("a", "q")

        return Test(Header(language="en"), stream, "t.jsonl")

    twice = damaged(passage("a", "q"), passage("b", "q"))
    assert first_error(lambda: twice.facts) == "t.jsonl:3: duplicate_id: id 'q' occurs twice"
    # What would only stand twice after the fault is not looked for.
    once = damaged(passage("a", "q"), passage("b", "r"))
    assert first_error(lambda: once.facts) == "t.jsonl:9: json: unexpected end"
    assert first_error(lambda: list(unique_records(once, words=1, batch=1))) == (
        "t.jsonl:9: json: unexpected end"
    )


@pytest.mark.slow
def test_a_survey_takes_constant_memory() -> None:
    def peak(records: int) -> int:
        test = streamed(records)
        tracemalloc.start()
        try:
            _ = test.facts
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(3000)  # what is made once is made
    assert abs(peak(15_000) - peak(3000)) < 12_000  # less than a byte an id
