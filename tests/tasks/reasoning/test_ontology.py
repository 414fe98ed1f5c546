"""Hierarchies of classes: what lies above a class, what is disjoint, what is empty."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.ontology_findings import ontology_findings
from readmark.tasks.reasoning.terms import Name

_SIX = [Name(letter) for letter in "ABCDEF"]
_CLASS_NAMES = st.lists(st.sampled_from(_SIX), max_size=2).map(tuple)


@given(st.lists(st.tuples(_CLASS_NAMES, _CLASS_NAMES), min_size=6, max_size=6))
def test_disjoint_classes_are_those_that_anything_above_them_says(
    axioms: list[tuple[tuple[Name, ...], tuple[Name, ...]]],
) -> None:
    classes = {
        name: OwlClass(name, superclasses, disjoint)
        for name, (superclasses, disjoint) in zip(_SIX, axioms, strict=True)
    }
    ontology = Ontology(classes)
    for name in _SIX:
        disjoint = {
            other
            for other in _SIX
            for low in ontology.ancestors(name)
            for high in ontology.ancestors(other)
            if high in classes[low].disjoint or low in classes[high].disjoint
        }
        assert {other for other in _SIX if ontology.disjoint(name, other)} == disjoint
        empty_by = ontology.empty_by(name)
        assert (empty_by is not None) == (not disjoint.isdisjoint(ontology.ancestors(name)))
        assert empty_by is None or empty_by in disjoint & ontology.ancestors(name)


@pytest.mark.parametrize(
    ("name", "disjoint_with"),
    [("A", "A"), ("B", None), ("C", "D"), ("D", "C"), ("E", "C"), ("F", "C")],
)
def test_the_class_that_makes_another_empty_is_the_same_in_every_run(
    name: str, disjoint_with: str | None
) -> None:
    """Names have another order in the sets of each process."""
    a, b, c, d, e, f = _SIX
    ontology = Ontology(
        {
            a: OwlClass(a, disjoint=(a,)),
            b: OwlClass(b),
            c: OwlClass(c, (d,), (d,)),
            d: OwlClass(d, (c,)),
            e: OwlClass(e, (b, c, d)),
            f: OwlClass(f, (e, b)),
        }
    )
    empty_by = ontology.empty_by(Name(name))
    assert empty_by == (None if disjoint_with is None else Name(disjoint_with))


def test_functional_and_cardinality_together_give_the_most() -> None:
    assert Property(Name("p")).greatest is None
    assert Property(Name("p"), functional=True).greatest == 1
    assert Property(Name("p"), most=3, functional=True).greatest == 1
    assert Property(Name("p"), most=3).greatest == 3


def test_a_deep_hierarchy_is_looked_through_once_for_each_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hundred classes in a line took 47 seconds."""
    looked_up = []
    disjoint_with = Ontology._disjoint_with

    def count(self: Ontology, name: Name) -> tuple[Name, ...]:
        looked_up.append(name)
        return disjoint_with(self, name)

    monkeypatch.setattr(Ontology, "_disjoint_with", count)
    names = [Name(f"K{number}") for number in range(40)]
    classes = {name: OwlClass(name, (superclass,)) for name, superclass in pairwise(names)}
    assert list(ontology_findings(Ontology({**classes, names[-1]: OwlClass(names[-1])}))) == []
    assert len(looked_up) <= len(names) ** 2
