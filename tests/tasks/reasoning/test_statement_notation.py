"""The light notation of annotated statements: reading, faults, and back to TriG without loss."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.annotated_statements import read_annotated
from readmark.tasks.reasoning.graphs import Asserted, Statement, Support
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.statement_notation import (
    read_statements_file,
    write_statements_file,
)
from readmark.tasks.reasoning.terms import Literal, Name

DELIA = "Hurricane Delia struck Port Alba. It had winds of 190 km/h. It killed no one, it is said."
TEXTS = {"delia": DELIA, "later": "Port Alba was rebuilt."}
NAMES = Namespaces({}, "http://example.org/storms#")


def read(text: str) -> list[Asserted]:
    placed = read_statements_file(text, TEXTS, file="d.statements", document="delia")
    return [asserted for asserted, _ in placed]


def excerpt(quote: str, start: int, document: str = "delia") -> Excerpt:
    return Excerpt(document, start, start + len(quote), quote)


def stated(subject: str, predicate: str, object: Name | Literal, **rest: object) -> Asserted:
    return Asserted("delia", Statement(Name(subject), Name(predicate), object), **rest)  # type: ignore[arg-type]


WINDS = excerpt("winds of 190 km/h", 41)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '"winds of 190 km/h" -> (Delia windSpeed 190)',
            [stated("Delia", "windSpeed", Literal(190), support=Support((WINDS,)))],
        ),
        (
            "“winds of 190 km/h” → (Delia windSpeed 190) ; as reported",
            [stated("Delia", "windSpeed", Literal(190), support=Support((WINDS,)))],
        ),
        ("-> (Season-1 type Season)", [stated("Season-1", "type", Name("Season"))]),
        (
            'annotator: ida\n"winds of 190 km/h" -> (Delia="It"#1 windSpeed 190="190") p=0.5',
            [
                stated(
                    "Delia",
                    "windSpeed",
                    Literal(190),
                    support=Support((WINDS,), (excerpt("It", 34),), (), (excerpt("190", 50),)),
                    probability=0.5,
                    annotator="ida",
                )
            ],
        ),
        (  # what the statement's own words hold is meant, though the document has it twice more
            '"It killed no one" -> (Delia="It" deaths 0)',
            [
                stated(
                    "Delia",
                    "deaths",
                    Literal(0),
                    support=Support((excerpt("It killed no one", 60),), (excerpt("It", 60),)),
                )
            ],
        ),
        (
            '"Hurricane Delia" + "it"@78 ->\n  (Delia type Hurricane)\n  (Delia name "Delia"@en)',
            [
                stated("Delia", name, value, support=Support(two))
                for two in [(excerpt("Hurricane Delia", 0), excerpt("it", 78))]
                for name, value in (
                    ("type", Name("Hurricane")),
                    ("name", Literal("Delia", "en")),
                )
            ],
        ),
        (
            '"rebuilt"@14/later -> (Port-Alba rebuilt true)',
            [
                stated(
                    "Port-Alba",
                    "rebuilt",
                    Literal(True),
                    support=Support((excerpt("rebuilt", 14, "later"),)),
                )
            ],
        ),
    ],
)
def test_statements(text: str, expected: list[Asserted]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"gusts" -> (Delia windSpeed 190)', "1:1: “gusts” is not in the document delia"),
        ('"It" -> (Delia deaths 0)', "1:1: “It” is 2 times in delia: #1 is @34, #2 is @60"),
        ('"It"#3 -> (Delia deaths 0)', "1:1: “It” is not in the document delia at #3"),
        ('"It"@35 -> (Delia deaths 0)', "1:1: “It” is not in the document delia at @35"),
        ("(Delia deaths 0)", '1:1: expected "words" -> (subject property value)'),
        ("  (Delia deaths 0)", '1:3: a statement needs an arrow: "words" -> (…)'),
        ("\n-> (Delia deaths)", "2:4: a statement has three terms, this one 2"),
        ("-> (Delia deaths 0", "1:4: '(' is never closed"),
        ("-> (Delia deaths ?n)", "1:4: (Delia deaths ?n) is no statement"),
        ("-> (Delia deaths 0) p=2", "1:21: '2' is no probability above 0 and up to 1"),
        ("-> (Delia deaths 0) yes", "1:21: expected a statement, found 'yes'"),
        ('"Delia -> (Delia deaths 0)', "1:1: a quotation is never closed"),
        ("document: floods", "1: there is no document 'floods'"),
        ('"" -> (Delia deaths 0)', "1:1: a quotation is empty"),
    ],
)
def test_faults_are_one_line_with_line_and_column(text: str, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(f"d.statements:{message}")):
        read(text)


QUOTES = st.tuples(st.integers(0, len(DELIA) - 1), st.integers(1, 20)).map(
    lambda pair: excerpt(DELIA[pair[0] : pair[0] + pair[1]], pair[0])
)
EXCERPTS = st.lists(QUOTES, max_size=2, unique=True).map(tuple)
VALUES = st.one_of(
    st.sampled_from(["Delia", "Port-Alba", "a=b"]).map(Name),
    st.integers(-99, 99).map(Literal),
    st.booleans().map(Literal),
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8).map(Literal),
)
STATEMENTS = st.builds(
    Asserted,
    st.just("delia"),
    st.builds(Statement, st.sampled_from(["Delia", "s:x"]).map(Name), st.just(Name("p")), VALUES),
    st.builds(Support, EXCERPTS, EXCERPTS, EXCERPTS, EXCERPTS),
    st.sampled_from([1.0, 0.25, 1e-7]),
    st.sampled_from([None, "ida", "Ben B."]),
)


@given(st.lists(STATEMENTS, max_size=5, unique_by=lambda each: (each.statement, each.annotator)))
def test_notation_and_trig_hold_the_same(asserted: list[Asserted]) -> None:
    written = write_statements_file(asserted, TEXTS, document="delia")
    assert read(written) == asserted
    trig = write_provenance(read(written), format="TRIG", namespaces=NAMES)
    back = read_annotated(trig, file="d.trig", namespaces=NAMES, graph="delia")
    in_order = {(each.statement, each.annotator): each for each, *_ in back}
    again = [in_order[each.statement, each.annotator] for each in asserted]
    assert write_statements_file(again, TEXTS, document="delia") == written


def test_targets_need_no_type() -> None:
    """Nodes of other tools have other names, and targets often no class."""
    [winds] = read('"winds of 190 km/h" -> (Delia windSpeed 190)')
    trig = write_provenance([winds], format="TRIG", namespaces=NAMES).decode()
    bare = re.sub(r"<urn:readmark:statement:\w+/statement/1(/?)(\w*)>", r"_:a\2", trig)
    bare = bare.replace(" a oa:SpecificResource ;", "")
    assert "SpecificResource" not in bare
    annotated = read_annotated(bare.encode(), file="d.trig", namespaces=NAMES, graph="delia")
    assert [each.asserted for each in annotated] == [winds]
