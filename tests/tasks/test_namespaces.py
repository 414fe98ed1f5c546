"""Names and IRIs are each other's inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.names import DEFAULT, OWL, RDF, document_id, document_iri
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Name

NAMES = Namespaces({"nfl": "http://example.org/nfl#", "sub": "http://example.org/nfl#sub/"})


@pytest.mark.parametrize(
    ("name", "iri"),
    [
        ("type", RDF + "type"),
        ("sameAs", OWL + "sameAs"),
        ("Game-1", DEFAULT + "Game-1"),
        ("nfl:gameDate", "http://example.org/nfl#gameDate"),
        ("xsd:integer", "http://www.w3.org/2001/XMLSchema#integer"),
        ("http://example.org/other", "http://example.org/other"),
        ("Game 1", DEFAULT + "Game%201"),
        ("50%", DEFAULT + "50%25"),
        ("12:30", DEFAULT + "12:30"),
        ("Week 3: final", DEFAULT + "Week%203:%20final"),
        ("国王", DEFAULT + "国王"),
    ],
)
def test_a_name_expands_to_its_iri_and_comes_back(name: str, iri: str) -> None:
    assert NAMES.expand(Name(name)) == iri
    assert NAMES.compact(iri) == Name(name)


def test_the_longest_prefix_is_taken() -> None:
    assert NAMES.compact("http://example.org/nfl#sub/a") == Name("sub:a")


def test_an_iri_that_was_encoded_otherwise_stays_itself() -> None:
    strange = DEFAULT + "%41"
    assert NAMES.compact(strange) == Name(strange)
    assert NAMES.expand(Name(strange)) == strange


def test_one_iri_has_one_canonical_name() -> None:
    full = Name("http://example.org/nfl#gameDate")
    assert NAMES.expand(full) == NAMES.expand(Name("nfl:gameDate"))
    assert NAMES.canonical(full) == Name("nfl:gameDate")
    assert NAMES.expand(full) != NAMES.expand(Name("gameDate"))


@given(st.text(min_size=1).filter(lambda text: text.isprintable() or " " in text))
def test_a_canonical_name_stays_itself(text: str) -> None:
    iri = NAMES.expand(Name(text))
    name = NAMES.compact(iri)
    assert NAMES.expand(name) == iri
    assert NAMES.canonical(name) == name


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_a_document_has_an_iri(id: str) -> None:
    assert document_id(document_iri(id)) == id
    assert document_id("http://example.org/a") is None


def test_standard_prefixes_cannot_be_taken_and_their_names_have_one_spelling() -> None:
    names = Namespaces(
        {"owl": "http://example.org/", "a": OWL, "rm": "http://example.org/rm#"}, OWL
    )
    assert names.compact(OWL + "Class") == Name("owl:Class")
    assert names.expand(Name("owl:Class")) == OWL + "Class"
    strange = "http://example.org/rm#x"
    assert names.compact(strange) == Name(strange)
