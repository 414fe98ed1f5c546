"""RDF in and out: five formats, lines, and what is refused."""

import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import SUFFIXES, format_of, parse, read_rdf, write_rdf
from readmark.tasks.reasoning.terms import Literal, Name, Value, term_of, written

NAMES = Namespaces({"nfl": "http://example.org/nfl#"})
FORMATS = sorted(set(SUFFIXES.values()))
XSD = "http://www.w3.org/2001/XMLSchema#"


def read(data: bytes, format: str) -> list[Statement]:
    read_back = read_rdf(data, file="x", namespaces=NAMES, format=format)
    return [statement for _, _, statement in read_back]


def lined(data: bytes, format: str) -> list[tuple[int, str]]:
    read_back = read_rdf(data, file="x", namespaces=NAMES, format=format)
    return [(line, statement.predicate.text) for line, _, statement in read_back]


values: st.SearchStrategy[Value] = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])),
    st.text(st.sampled_from("a <>&\"'\n\t\\]")),
    st.dates(),
    st.datetimes(),
)
# An IRI has one # at most; another one is refused.
names = (
    st.text(st.sampled_from("ab1_-. %é国:#/"), min_size=1)
    .filter(lambda text: text.count("#") < 2)
    .map(Name)
)
statements = st.builds(
    Statement,
    names.filter(lambda name: not name.text.startswith("_:")),
    st.sampled_from([Name("type"), Name("nfl:won"), Name("has note"), Name("9th")]),
    st.one_of(values.map(Literal), names.filter(lambda name: not name.text.startswith("_:"))),
)


@given(st.lists(statements, max_size=6))
def test_every_format_gives_back_what_was_written(statements: list[Statement]) -> None:
    expected = [_canonical(statement) for statement in statements]
    for format in FORMATS:
        data = write_rdf(statements, format=format, namespaces=NAMES)
        assert set(read(data, format)) == set(expected)
        assert write_rdf(statements, format=format, namespaces=NAMES) == data


def _canonical(statement: Statement) -> Statement:
    return Statement(
        NAMES.canonical(statement.subject),
        NAMES.canonical(statement.predicate),
        NAMES.canonical(statement.object)
        if isinstance(statement.object, Name)
        else statement.object,
    )


@pytest.mark.parametrize(
    ("lexical", "type", "value"),
    [
        ("5", "integer", 5),
        ("+05", "int", 5),
        ("255", "unsignedByte", 255),
        ("1.50", "decimal", 1.5),
        ("-INF", "double", -math.inf),
        ("1e3", "float", 1000.0),
        ("1", "boolean", True),
        ("false", "boolean", False),
        ("2009-11-08", "date", datetime.date(2009, 11, 8)),
        ("2009-11-08T13:00:00", "dateTime", datetime.datetime(2009, 11, 8, 13)),
        (
            "2009-11-08T13:00:00.1234560Z",
            "dateTime",
            datetime.datetime(2009, 11, 8, 13, 0, 0, 123456, datetime.UTC),
        ),
        ("2009-12-31T24:00:00", "dateTime", datetime.datetime(2010, 1, 1)),
        (" 12.0 ", "decimal", 12.0),
        (".5", "decimal", 0.5),
        ("NaN", "double", math.nan),
        ("+INF", "double", math.inf),
        ("0e999", "double", 0.0),
        ("x", "string", "x"),
        ("2009", "gYear", "2009"),
    ],
)
def test_literals_get_the_value_of_their_datatype(lexical: str, type: str, value: Value) -> None:
    data = f'<http://a> <http://b> "{lexical}"^^<{XSD}{type}> .\n'.encode()
    [statement] = read(data, "N_TRIPLES")
    assert statement.object == Literal(value)


def test_a_language_tag_is_kept() -> None:
    data = b'<http://a> <http://b> "chat"@fr , "chat"@EN , "chat" .\n'
    literals = [statement.object for statement in read(data, "TURTLE")]
    assert literals == [Literal("chat", "fr"), Literal("chat", "en"), Literal("chat")]
    assert len(set(literals)) == 3
    assert [written(literal) for literal in literals] == ['"chat"@fr', '"chat"@en', '"chat"']
    assert [term_of(written(literal)) for literal in literals] == literals
    out = write_rdf(read(data, "TURTLE"), format="N_TRIPLES", namespaces=NAMES)
    assert {statement.object for statement in read(out, "N_TRIPLES")} == set(literals)


@pytest.mark.parametrize(
    ("lexical", "type"),
    [
        ("five", "integer"),
        ("5.0", "integer"),
        ("-1", "nonNegativeInteger"),
        ("256", "unsignedByte"),
        ("yes", "boolean"),
        ("2009-13-01", "date"),
        ("2009-11-08", "dateTime"),
        ("9" * 5000, "integer"),
        ("1,5", "double"),
        ("2009-11-15T13:00:00.1234567", "dateTime"),
        ("2009-11-15T13", "dateTime"),
        ("2009-11-15T24:00:01", "dateTime"),
        ("0.12345678901234567890123", "decimal"),
        ("1e400", "double"),
        ("1e-400", "double"),
        ("infinity", "double"),
        ("nan", "double"),
        ("20091115", "date"),
        ("2009-W46-7", "date"),
        ("2009-11-15z", "date"),
        ("2009-11-15 Z", "date"),
        ("2009-11-15+14:01", "date"),
        ("2009-11-15+2:00", "date"),
        ("2009-11-15+02:60", "date"),
        ("2009-02-29Z", "date"),
        ("2009-11-15T13:00:00+14:30", "dateTime"),
        ("1_0.5", "decimal"),
        ("1e5", "decimal"),
        ("INF", "decimal"),
        ("٣.٥", "decimal"),
        ("٣", "integer"),
        (str(2**126), "integer"),
    ],
)
def test_a_literal_that_its_datatype_does_not_have_is_an_error(lexical: str, type: str) -> None:
    data = f'\n<http://a> <http://b> "{lexical}"^^<{XSD}{type}> .\n'.encode()
    with pytest.raises(DataError, match=rf"^x:2: .*is no xsd:{type}"):
        read(data, "N_TRIPLES")


def test_every_triple_has_its_line() -> None:
    turtle = (
        b"@prefix : <urn:readmark:names#> .\n:a :b 1 ,\n   2 ;\n\n   :c [ :d 3 ] .\n:e a :F .\n"
    )
    assert lined(turtle, "TURTLE") == [(2, "b"), (3, "b"), (5, "d"), (5, "c"), (6, "type")]
    xml = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
        b'  xmlns="urn:readmark:names#">\n'
        b'<Game rdf:about="urn:readmark:names#g">\n <n>x</n>\n'
        b' <w rdf:resource="urn:readmark:names#t"/>\n'
        b"</Game></rdf:RDF>"
    )
    assert lined(xml, "RDF_XML") == [(3, "type"), (4, "n"), (5, "w")]
    assert (
        lined(
            b"<http://a> <http://b> <http://c> .\n# no\n<http://a> <http://d> <http://c> .",
            "N_TRIPLES",
        )[1][0]
        == 3
    )


def test_named_graphs_are_told() -> None:
    trig = b"@prefix : <urn:readmark:names#> .\n:a :b :c .\n<urn:x> {\n:a :b :d .\n}\n"
    read_back = read_rdf(trig, file="x.trig", namespaces=NAMES)
    assert [(line, graph) for line, graph, _ in read_back] == [(2, None), (4, "urn:x")]


def test_unnamed_blank_nodes_are_numbered_and_named_ones_keep_their_label() -> None:
    turtle = b"<urn:a> <urn:b> [ <urn:c> [] ] , _:q .\n"
    first, second = read(turtle, "TURTLE"), read(turtle, "TURTLE")
    assert first == second
    assert {"_:unnamed-1", "_:unnamed-2", "_:q"} <= {
        term.text
        for statement in first
        for term in (statement.subject, statement.object)
        if isinstance(term, Name)
    }


def test_relative_names_lie_in_the_default_namespace() -> None:
    assert read(b"<#Game-1> <#won> <#Team> .", "TURTLE") == [
        Statement(Name("Game-1"), Name("won"), Name("Team"))
    ]


HEAD = b'<?xml version="1.0"?>\n'
BODY = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
    b'<rdf:Description rdf:about="http://e/a"><e:n>&x;</e:n></rdf:Description></rdf:RDF>'
)


def test_a_short_entity_of_the_file_itself_is_read() -> None:
    [statement] = read(HEAD + b'<!DOCTYPE r [<!ENTITY x "ten">]>\n' + BODY, "RDF_XML")
    assert statement.object == Literal("ten")


@pytest.mark.parametrize(
    ("entity", "message"),
    [
        (b'<!ENTITY x SYSTEM "file:///etc/hostname">', "x:3: the entity x lies outside the file"),
        (b'<!ENTITY x PUBLIC "p" "http://e/x">', "x:3: the entity x lies outside the file"),
        (b'<!ENTITY % x SYSTEM "file:///etc/hostname">', "x:3: the entity x lies outside"),
        (b'<!ENTITY y "no">\n<!ENTITY x "&y;&y;">', "x:4: the entity x holds other entities"),
        (b'<!ENTITY x "' + b"a" * 300 + b'">', "x:3: the entity x holds .* more than 256"),
        (b"<!ENTITY x no>", "an entity is declared in no form"),
    ],
)
def test_entities_that_reach_out_or_grow_are_refused(entity: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(HEAD + b"<!DOCTYPE r [\n" + entity + b"]>\n" + BODY, "RDF_XML")


def test_a_document_type_elsewhere_is_not_fetched() -> None:
    outside = HEAD + b'<!DOCTYPE r SYSTEM "file:///etc/hostname">\n' + BODY.replace(b"&x;", b"y")
    assert [statement.object for statement in read(outside, "RDF_XML")] == [Literal("y")]


@pytest.mark.parametrize(
    ("data", "format", "message"),
    [
        (b"@prefix : <http://e/> .\n:a :b ;; .", "TURTLE", r"^x:2:\d+: not well formed: "),
        (b":a :b :c .", "TURTLE", r"^x:1:1: not well formed: The prefix : has not been declared"),
        (b"<http://a> <http://b> .", "N_TRIPLES", r"^x:1:23: not well formed: "),
        (b"\n\n<a>\n</b>", "RDF_XML", r"^x:3: not well formed: XML namespaces are required"),
        (b"hello", "RDF_XML", r"^x:1: not well formed: "),
        (b"", "RDF_XML", r"^x:1: not well formed: the file is empty"),
        (b'\n<http://a> <http://b> "\xff" .', "TURTLE", r"^x:2:\d+: .*UTF-8"),
        ("<r/>".encode("utf-16"), "RDF_XML", "another encoding than UTF-8"),
        (
            b"<urn:a> <urn:b> <<( <urn:c> <urn:d> <urn:e> )>> .",
            "TURTLE",
            "a triple within a triple",
        ),
    ],
)
def test_malformed_rdf_is_one_line_with_its_place(data: bytes, format: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, format)


def test_a_long_literal_is_kept_and_a_huge_one_refused() -> None:
    long = b"x" * 1_000_000
    [statement] = read(b'<http://a> <http://b> "' + long + b'" .\n', "N_TRIPLES")
    assert statement.object == Literal(long.decode())
    with pytest.raises(DataError, match=r"^x:2: a term is longer than 16 MiB"):
        read(b'\n<http://a> <http://b> "' + b"x" * (17 << 20) + b'" .\n', "N_TRIPLES")


def test_xml_that_could_not_be_read_again_is_not_written() -> None:
    statements = [Statement(Name("a"), Name("b"), Literal("x\x00y"))]
    with pytest.raises(DataError, match="RDF/XML cannot hold the character U\\+0000"):
        write_rdf(statements, format="RDF_XML", namespaces=NAMES)
    assert read(write_rdf(statements, format="TURTLE", namespaces=NAMES), "TURTLE") == statements


def test_a_file_is_known_by_its_suffix() -> None:
    assert format_of("a/b.OWL") == "RDF_XML"
    with pytest.raises(DataError, match="not an RDF file by its name"):
        parse(b"", file="a.txt")
