"""Phrases of questions that later ones may mean."""

import pytest

from readmark.series.guided.parses import parse_all
from readmark.series.learned.places import content, phrases_of
from readmark.series.learned.values import MeantPhrase


def found(text: str) -> dict[str, MeantPhrase]:
    [parsed] = parse_all([text])
    return {one.named: one for one in phrases_of(parsed, source="question", turn=0)}


def test_content_words_have_no_case_and_no_possessive() -> None:
    assert content("The Harbour Bell's tone") == {"harbour", "bell", "tone"}


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Tell me about the lamp trade.", {"the lamp trade"}),
        ("What are the causes of lamp fires?", {"the causes of lamp fires", "lamp fires"}),
        ("Is keeping bees difficult?", {"keeping bees", "bees"}),
        ("Where do otters and beavers live?", {"otters and beavers", "otters", "beavers"}),
    ],
)
def test_phrases(text: str, phrases: set[str]) -> None:
    assert phrases <= set(found(text))


def test_a_phrase_knows_its_place() -> None:
    known = found("What are the causes of lamp fires?")
    joined, inner = known["the causes of lamp fires"], known["lamp fires"]
    assert joined.extended
    assert joined.head == "cause"
    assert (inner.inside, inner.plural, inner.final) == (True, True, True)


def test_what_a_question_brings_up_is_introduced() -> None:
    assert found("Tell me about otters.")["otters"].introduced
    assert not found("Where do otters sleep?")["otters"].introduced
