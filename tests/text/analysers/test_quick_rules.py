"""The rules of a spaCy pipeline do quickly what they did slowly."""

from __future__ import annotations

from typing import Any

import pytest

from readmark.text.analysers.quick_rules import NamedWords, can_remember, quicken

spacy = pytest.importorskip("spacy")

TEXTS = (
    "Ain't it late, y'all? We gonna go. I gotta run: c'mon, let's see; there's nothin' there.",
    "He has done it, but he does not have a car.\n\n  It is what it is, and there are two of them.",
    "I'd say that, if asked, the children's feet were the cats' best friends; data were worse.",
    "   ",
    "",
    "The better leaves fell. She leaves better wolves lying, and left.",
)


@pytest.fixture(scope="module")
def pipelines() -> tuple[Any, Any]:
    from spacy.util import is_package

    from readmark.text.analysers.english import PIPELINES

    name = next(filter(is_package, PIPELINES), None)
    if name is None:
        pytest.skip("no English pipeline is installed")
    quick = spacy.load(name)
    quicken(quick)
    return spacy.load(name), quick


def test_quick_rules_give_what_the_rules_of_spacy_give(pipelines: tuple[Any, Any]) -> None:
    slow, quick = pipelines
    assert can_remember(slow.get_pipe("attribute_ruler"))
    assert quick.get_pipe("attribute_ruler").match.__name__ == "match"
    for text in (*TEXTS, *TEXTS):  # the second time everything is remembered
        slow_tokens, quick_tokens = (
            [
                (token.text, token.tag_, token.pos_, str(token.morph), token.lemma_, token.dep_)
                for token in pipeline(text)
            ]
            for pipeline in (slow, quick)
        )
        assert quick_tokens == slow_tokens


def ruler(*rules: tuple[list[dict[str, Any]], dict[str, str]]) -> Any:
    """A ruler of these patterns in a blank pipeline whose words all have the tag NN."""
    nlp = spacy.blank("en")
    nlp.add_pipe("attribute_ruler")
    for pattern, attributes in rules:
        nlp.get_pipe("attribute_ruler").add([pattern], attributes)
    return nlp


def tokens(nlp: Any, text: str) -> list[tuple[str, str, str]]:
    doc = nlp.make_doc(text)
    for token in doc:
        token.tag_ = "_SP" if token.is_space else "NN"
    doc = nlp.get_pipe("attribute_ruler")(doc)
    return [(token.pos_, token.lemma_, token.tag_) for token in doc]


def test_later_rule_overwrites_an_earlier_one() -> None:
    nlp = ruler(
        ([{"TAG": "NN"}], {"POS": "NOUN", "LEMMA": "thing"}),
        ([{"LOWER": "got"}, {"LOWER": "ta"}], {"POS": "VERB"}),
        ([{"LOWER": {"IN": ["ta"]}}], {"LEMMA": "to"}),
        ([{"LOWER": {"REGEX": "^x+$"}}], {"LEMMA": "ex"}),
        ([{"IS_SPACE": True}], {"TAG": "WS", "POS": "SPACE"}),
        ([{"TAG": "_SP"}], {"POS": "X"}),
    )
    before = tokens(nlp, "got ta  xx y")
    quicken(nlp)
    expected = [
        ("VERB", "thing", "NN"),
        ("NOUN", "to", "NN"),
        ("X", "", "WS"),
        ("NOUN", "ex", "NN"),
        ("NOUN", "thing", "NN"),
    ]
    assert before == tokens(nlp, "got ta  xx y") == tokens(nlp, "got ta  xx y") == expected


def test_rule_that_looks_at_something_else_is_left_to_spacy() -> None:
    nlp = ruler(([{"SHAPE": "Xxxx"}], {"POS": "PROPN"}))
    assert not can_remember(nlp.get_pipe("attribute_ruler"))
    quicken(nlp)
    assert [pos for pos, _, _ in tokens(nlp, "Anna ran")] == ["PROPN", ""]


@pytest.mark.parametrize(
    ("word", "is_named"),
    [("ai", True), ("was", True), ("of", True), ("n't", True), ("nt", True), ("not", False)],
)
def test_words_that_patterns_name(word: str, is_named: bool) -> None:
    named = NamedWords(["ai", {"IN": ["is", "was"]}, {"NOT_IN": ["of"]}, {"REGEX": "^n'?t$"}])
    assert (word in named) is is_named
