"""Ids that stand twice: found wherever they stand, in a memory that stays, and nothing else is."""

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


def of(id: str, *asked: str, text: str = "x") -> Passage:
    return Passage(id=id, text=text, questions=tuple(Question(id=one, text="?") for one in asked))


def made_of(*passages: Passage) -> Test:
    return in_memory(Header(language="en"), passages)


def streamed(number: int, change: Callable[[int], Passage | None] = lambda _: None) -> Test:
    """A test of that many records that is never in memory; its places are line numbers."""

    def stream(_: ReportProblem) -> Iterator[Placed]:
        for at in range(number):
            yield at + 2, change(at) or of(f"p{at}", f"q{at}")

    return Test(Header(language="en"), stream, "far.jsonl")


def first_of(reading: Callable[[], Any]) -> str | None:
    try:
        reading()
    except DataError as error:
        return str(error)
    return None


ids = st.sampled_from(["a", "b", "c", "d", "\na", "\n", "", text_id("x"), text_id("y")])
passages = st.lists(
    st.builds(of, ids, ids, ids, text=st.sampled_from("xy"))
    | st.builds(of, ids, text=st.sampled_from("xy")),
    max_size=6,
)


@given(passages, st.sampled_from([1, 2, 1 << 10]), st.integers(1, 9), st.integers(1, 3))
def test_the_same_is_raised_as_when_all_ids_are_held(
    made: list[Passage], words: int, batch: int, most: int
) -> None:
    test = made_of(*made)
    exactly = first_of(lambda: list(test.placed()))
    apart = first_of(lambda: list(unique_records(test, words=words, batch=batch, most=most)))
    assert apart == exactly


@pytest.mark.parametrize("batch", [1, 7, 4096])
@pytest.mark.parametrize("most", [1, 5, 1 << 16])
def test_a_sieve_that_is_too_small_finds_nothing_wrong_with_sound_ids(
    batch: int, most: int
) -> None:
    made = [of(f"p{at}", f"q{at}", f"p{at}") for at in range(60)]
    assert len(Sieve(1).again([f"q{at}" for at in range(99)])) == 0  # one batch is told exactly
    small = Sieve(1)
    small.again([f"q{at}" for at in range(99)])
    assert len(small.again([f"r{at}" for at in range(99)])) > 50  # all are suspects
    found = list(unique_records(made_of(*made), words=1, batch=batch, most=most))
    assert [record for record, _ in found] == made
    assert [unit.id for _, units in found for unit in units][:3] == ["q0", "p0", "q1"]


def test_a_large_sieve_tells_almost_all_apart() -> None:
    sieve = Sieve()
    found = [
        sieve.again([f"q{at}" for at in range(start, start + 4000)])
        for start in range(0, 80_000, 4000)
    ]
    assert sum(map(len, found)) <= 1
    assert sieve.again(["q1", "q79999", "other"]) >= {"q1", "q79999"}


def test_an_id_that_is_besides_counts_and_is_not_asked_for() -> None:
    sieve = Sieve()
    assert sieve.again(["a"], ["b", "b"]) == set()
    assert sieve.again(["c"], ["a", "b"]) == set()
    assert sieve.again(["b", "c"], ["b"]) == {"b", "c"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda at: of("p200000", "q7") if at == 199_998 else None, "200000: {}id 'q7'"),
        (lambda at: of("p3", "new") if at == 199_999 else None, "200001: {}passage id 'p3'"),
    ],
    ids=["unit", "record"],
)
def test_far_apart_among_two_hundred_thousand(
    change: Callable[[int], Passage | None], said: str
) -> None:
    wanted = f"far.jsonl:{said.format('duplicate_id: ')} occurs twice"
    assert first_of(lambda: streamed(200_000, change).facts) == wanted


def test_records_that_are_named_by_their_text_may_stand_in_parts() -> None:
    reads = 0
    name = text_id("The mill stands still.")

    def stream(_: ReportProblem) -> Iterator[Placed]:
        nonlocal reads
        reads += 1
        for at in range(20):
            yield at, of(name, f"q{at}", text="The mill stands still.")

    test = Test(Header(language="en"), stream)
    assert test.facts.units == 20
    assert reads == 1  # nothing was suspected
    stranger = of(name, "z", text="Another text.")
    in_parts = [record for _, record in stream(lambda _: None)]
    with pytest.raises(DataError, match=f"duplicate_id: passage id '{name}' occurs twice"):
        _ = made_of(*in_parts, stranger).facts


def test_what_stands_twice_before_another_fault_is_told_first() -> None:
    def test_with(*made: Passage) -> Test:
        def stream(report: ReportProblem) -> Iterator[Placed]:
            yield from enumerate(made, 2)
            report(Problem("t.jsonl", 9, "json", "unexpected end"))
            yield 10, of("a", "q")

        return Test(Header(language="en"), stream, "t.jsonl")

    twice = test_with(of("a", "q"), of("b", "q"))
    assert first_of(lambda: twice.facts) == "t.jsonl:3: duplicate_id: id 'q' occurs twice"
    # What would only stand twice after the fault is not looked for.
    once = test_with(of("a", "q"), of("b", "r"))
    assert first_of(lambda: once.facts) == "t.jsonl:9: json: unexpected end"
    assert first_of(lambda: list(unique_records(once, words=1, batch=1))) == (
        "t.jsonl:9: json: unexpected end"
    )


@pytest.mark.slow
def test_the_memory_of_a_survey_stays_as_it_is() -> None:
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
