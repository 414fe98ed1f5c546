"""The same label in two files is two blank nodes, whatever the files and labels are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.reasoning.blank_nodes import scoped, scopes
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import read_rdf, write_rdf
from readmark.tasks.reasoning.terms import Literal, Name


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["x/gold.trig"], [""]),
        (["gold.trig", "gold.trig"], [""]),
        (["x/ida.trig", "x/otto.ttl"], ["ida.", "otto."]),
        (["a/x.ttl", "b/x.ttl", "x-2.ttl"], ["x.", "x-2.", "x-2-2."]),
        (["a b.ttl", "a-b.ttl", "a.b.ttl"], ["a-b.", "a-b-2.", "a-b-3."]),
        (["2009.ttl", "-.ttl", "中.ttl"], ["_2009.", "_-.", "_--2."]),
    ],
)
def test_scopes(files: list[str], expected: list[str]) -> None:
    assert list(scopes(files).values()) == expected


def test_only_blank_nodes_are_changed() -> None:
    p = Name("p")
    both = Asserted("g", Statement(Name("_:a"), p, Name("_:b")))
    assert scoped(both, "x.").statement == Statement(Name("_:x.a"), p, Name("_:x.b"))
    for object_ in (Name("b"), Literal("_:b"), Literal(5)):
        named = Asserted("g", Statement(Name("a"), p, object_))
        assert scoped(named, "x.") is named
        blank = Asserted("g", Statement(Name("_:a"), p, object_), annotator="ida")
        assert scoped(blank, "") is blank
        changed = scoped(blank, "x.")
        assert changed.statement == Statement(Name("_:x.a"), p, object_)
        assert changed.annotator == "ida"


@given(
    st.lists(st.text("ab.-2 /", min_size=1, max_size=5), min_size=2, max_size=5, unique=True),
    st.lists(st.from_regex(r"[ab2]([.-]?[ab2]){0,3}", fullmatch=True), min_size=1, max_size=5),
)
def test_no_label_of_one_file_becomes_that_of_another(files: list[str], labels: list[str]) -> None:
    scope_of = scopes(files)
    scoped_labels = {f"{scope_of[file]}{label}" for file in files for label in labels}
    assert len(scoped_labels) == len(files) * len(set(labels))
    names = Namespaces()
    for format in ("RDF_XML", "TURTLE"):
        statements = [
            Statement(Name(f"_:{label}"), Name("p"), Name(f"_:{label}")) for label in scoped_labels
        ]
        data = write_rdf(statements, format=format, namespaces=names)
        read_back = read_rdf(data, file="x", namespaces=names, format=format)
        assert {statement for _, _, statement in read_back} == set(statements)
