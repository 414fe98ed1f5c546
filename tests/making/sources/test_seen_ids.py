"""Ids seen: numbers by bits, others as they are."""

from hypothesis import given
from hypothesis import strategies as st

from readmark.making.sources.seen_ids import SeenIds


@given(st.lists(st.one_of(st.integers(0, 300).map(str), st.sampled_from(["a", "007", "", "٣"]))))
def test_as_a_set_would(ids: list[str]) -> None:
    seen_ids, as_set = SeenIds(), set[str]()
    for id in ids:
        assert seen_ids.add(id) == (id not in as_set)
        as_set.add(id)


def test_numbers_that_are_too_large_for_bits() -> None:
    ids = SeenIds()
    assert ids.add("9999999999999")
    assert not ids.add("9999999999999")
