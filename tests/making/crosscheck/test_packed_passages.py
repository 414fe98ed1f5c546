"""Passages that are kept packed come back as they were."""

from hypothesis import given

from annotators import annotated_by
from readmark.core.records import Passage
from readmark.making.crosscheck.items import PackedPassages, PairedPassages


@given(annotated_by("ann"))
def test_a_passage_comes_back(passage: Passage) -> None:
    held = PackedPassages()
    held.add(passage)
    assert held["p"] == passage
    assert list(held.passages()) == [passage]


def test_pairs_are_of_ids_that_both_have_in_a_s_order() -> None:
    a, b = PackedPassages(), PackedPassages()
    for held, ids in ((a, "xyz"), (b, "zwx")):
        for id in ids:
            held.add(Passage(id=id, text=id))
    pairs = PairedPassages(a, b)
    for _ in range(2):
        assert [(one.id, other.id) for one, other in pairs] == [("x", "x"), ("z", "z")]
    assert len(pairs) == 2
