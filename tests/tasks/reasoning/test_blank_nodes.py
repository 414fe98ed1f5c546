"""The same label in two files is two blank nodes, whatever the files and labels are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.reasoning.graphs import Asserted, Namespaces, Statement
from readmark.tasks.reasoning.rdf import read_rdf, scoped, scopes, write_rdf
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
    said = Statement(Name("_:a"), p, Name("_:b"))
    assert scoped(Asserted("g", said), "x.").statement == Statement(Name("_:x.a"), p, Name("_:x.b"))
    for object_ in (Name("b"), Literal("_:b"), Literal(5)):
        one = Asserted("g", Statement(Name("a"), p, object_))
        assert scoped(one, "x.") is one
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
    found = scopes(files)
    every = {f"{found[file]}{label}" for file in files for label in labels}
    assert len(every) == len(files) * len(set(labels))
    names = Namespaces()
    for format in ("RDF_XML", "TURTLE"):
        said = [Statement(Name(f"_:{one}"), Name("p"), Name(f"_:{one}")) for one in every]
        data = write_rdf(said, format=format, namespaces=names)
        back = read_rdf(data, file="x", namespaces=names, format=format)
        assert {one for _, _, one in back} == set(said)
