"""Passages that are kept packed come back as they were."""

from hypothesis import given

from annotators import annotated_by
from readmark.core.records import Passage
from readmark.making.crosscheck.packed_passages import PackedPassages
from readmark.making.crosscheck.pairing import PairedPassages


@given(annotated_by("ann"))
def test_a_passage_comes_back(passage: Passage) -> None:
    packed = PackedPassages()
    packed.add(passage)
    assert packed["p"] == passage
    assert list(packed.passages()) == [passage]


def test_pairs_are_of_ids_that_both_have_in_a_s_order() -> None:
    a, b = PackedPassages(), PackedPassages()
    for packed, ids in ((a, "xyz"), (b, "zwx")):
        for id in ids:
            packed.add(Passage(id=id, text=id))
    pairs = PairedPassages(a, b)
    for _ in range(2):
        assert [(first.id, second.id) for first, second in pairs] == [("x", "x"), ("z", "z")]
    assert len(pairs) == 2
