"""Statements with their excerpts as RDF, and back; what cannot be understood is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.annotated_statements import AnnotatedStatement, read_annotated
from readmark.tasks.reasoning.graphs import Asserted, Statement, Support
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.rdf import DATASETS, SUFFIXES, parse
from readmark.tasks.reasoning.terms import Literal, Name

NAMES = Namespaces({"nfl": "http://example.org/nfl#"}, "http://example.org/nfl#")
GAME = Statement(Name("Game-1"), Name("type"), Name("NFLGame"))
PERIODS = Statement(Name("Game-1"), Name("numberOfPeriods"), Literal(5))
WORDS = Excerpt("doc 1", 3, 8, "extra")
FULL = [
    Asserted("doc 1", GAME, annotator="ida"),
    Asserted(
        "doc 1",
        PERIODS,
        Support(
            (WORDS, Excerpt("doc 1", 0, 2, "In")),
            (Excerpt("doc 1", 9, 10, "x"),),
            (Excerpt("doc/2", 0, 1, "y"),),
            (WORDS,),
        ),
        probability=0.25,
        annotator="Åsa B.",
    ),
    Asserted("doc 1", PERIODS, annotator="ida"),
    Asserted("doc 1", PERIODS, annotator="ida"),
    Asserted("doc/2", PERIODS),
]
SUFFIX = {format: suffix for suffix, format in SUFFIXES.items()}


def back(asserted: list[Asserted], format: str) -> list[AnnotatedStatement]:
    """What is read of a file of these statements."""
    data = write_provenance(asserted, format=format, namespaces=NAMES)
    return read_annotated(data, file="x" + SUFFIX[format], namespaces=NAMES)


@pytest.mark.parametrize("format", SUFFIX)
def test_every_format_gives_back_statements_with_their_support(format: str) -> None:
    assert [each.asserted for each in back(FULL, format)] == FULL


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
offsets = st.integers(0, 10**9)
excerpts = st.lists(st.builds(Excerpt, texts, offsets, offsets, texts), max_size=3).map(tuple)
annotated = st.builds(
    Asserted,
    texts,
    st.sampled_from([GAME, PERIODS]),
    st.builds(Support, excerpts, excerpts, excerpts, excerpts),
    st.sampled_from([1.0, 0.5]),
    st.none() | texts,
)


@given(st.lists(annotated, max_size=4), st.sampled_from(sorted(SUFFIX)))
def test_any_support_survives(asserted: list[Asserted], format: str) -> None:
    read_back = [each.asserted for each in back(asserted, format)]
    assert sorted(map(repr, read_back)) == sorted(map(repr, asserted))


def test_a_statement_is_a_named_graph_and_its_provenance_is_in_public_terms() -> None:
    data = write_provenance(FULL[1:2], format="TRIG", namespaces=NAMES)
    quads = parse(data, file="x.trig").quads
    inside = [quad for quad in quads if quad.graph is not None]
    assert len(inside) == 1
    about = {quad.predicate.value for quad in quads if quad.graph is None}
    for predicate in ("prov#wasAttributedTo", "oa#hasTarget", "oa#start", "oa#end", "oa#exact"):
        assert any(iri.endswith(predicate) for iri in about), predicate


def test_formats_without_graphs_state_the_triple_itself_too() -> None:
    for format in set(SUFFIX) - set(DATASETS):
        data = write_provenance(FULL[1:2], format=format, namespaces=NAMES)
        written = {
            (quad.subject.value, quad.predicate.value)
            for quad in parse(data, file="x", format=format).quads
            if hasattr(quad.subject, "value")
        }
        nfl = "http://example.org/nfl#"
        assert (f"{nfl}Game-1", f"{nfl}numberOfPeriods") in written


def test_plain_triples_belong_to_the_graph_of_their_file_or_of_their_document() -> None:
    turtle = b"@prefix : <http://example.org/nfl#> .\n\n:Game-1 a :NFLGame .\n"
    assert read_annotated(turtle, file="d.ttl", namespaces=NAMES, graph="d") == [
        AnnotatedStatement(Asserted("d", GAME), 3, {})
    ]
    trig = turtle.replace(b"\n\n", b"\n<urn:readmark:document:doc%201> {\n") + b"}"
    [annotated] = read_annotated(trig, file="d.trig", namespaces=NAMES, graph="d")
    assert annotated == AnnotatedStatement(Asserted("doc 1", GAME), 3, {})


def test_the_parenthesised_notation_is_read_with_its_lines() -> None:
    text = (
        b"; the game\n((Game-1 type <http://example.org/nfl#NFLGame>)\n (Game-1 numberOfPeriods 5))"
    )
    annotated = read_annotated(text, file="d.graph", namespaces=NAMES, graph="d")
    assert annotated == [
        AnnotatedStatement(Asserted("d", GAME), 2, {}),
        AnnotatedStatement(Asserted("d", PERIODS), 3, {}),
    ]
    with pytest.raises(DataError, match=r"^d\.graph:2: .*holds no variable"):
        read_annotated(b"(\n(?g type NFLGame))", file="d.graph", namespaces=NAMES)
    with pytest.raises(DataError, match=r"^d\.graph:2: not valid UTF-8"):
        read_annotated(b"(a b\n \xff)", file="d.graph", namespaces=NAMES)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("oa:exact", "oa:prefix", "an excerpt has oa:start, oa:end and oa:exact"),
        ("oa:start 3", 'oa:start "3"', "an excerpt has oa:start, oa:end and oa:exact"),
        ("<urn:readmark:document:doc%201>", "<http://example.org/d>", "hasSource that is urn"),
        ("oa:hasTarget", "oa:hasPurpose", "has no oa:hasTarget"),
        ("rm:part rdf:Statement", "rm:part rdf:List", "of a statement, or of its rdf:subject"),
        ('"0.25"^^xsd:double', "7", "a probability is above 0 and at most 1"),
    ],
)
def test_provenance_that_cannot_be_understood_is_an_error(old: str, new: str, message: str) -> None:
    asserted = [Asserted("doc 1", PERIODS, Support((WORDS,)), probability=0.25)]
    data = write_provenance(asserted, format="TRIG", namespaces=NAMES).decode()
    assert old in data
    with pytest.raises(DataError, match=rf"^x\.trig:\d+: .*{message}"):
        read_annotated(data.replace(old, new).encode(), file="x.trig", namespaces=NAMES)


def test_provenance_of_a_statement_that_is_not_there_is_an_error() -> None:
    asserted = [Asserted("doc 1", PERIODS, Support((WORDS,)))]
    data = write_provenance(asserted, format="N_QUADS", namespaces=NAMES)
    rest = b"".join(line for line in data.splitlines(True) if b"numberOfPeriods" not in line)
    with pytest.raises(DataError, match="which is no statement of this file"):
        read_annotated(rest, file="x.nq", namespaces=NAMES)
