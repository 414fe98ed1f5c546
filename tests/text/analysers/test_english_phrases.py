"""English base noun phrases on sentences that are tagged and parsed by hand: no model."""

import pytest

from readmark.text.analysers.english_phrases import base_phrases

# A token is word/tag/head/relation; the head is an index, its own for a root.
PARSED = {
    "The/DT/1/det government/NN/2/nsubj has/VBZ/2/ROOT other/JJ/4/amod agencies/NNS/2/dobj "
    "and/CC/4/cc instruments/NNS/4/conj": ["The government", "other agencies and instruments"],
    "Some/DT/1/nsubj say/VBP/1/ROOT it/PRP/3/nsubj came/VBD/1/ccomp from/IN/3/prep "
    "the/DT/6/det French/JJ/4/pobj": ["Some", "it", "the French"],
    "Edison/NNP/1/nsubj was/VBD/1/ROOT a/DT/3/det man/NN/1/attr of/IN/3/prep few/JJ/6/amod "
    "words/NNS/4/pobj": ["Edison", "a man", "few words"],
    "four/CD/1/nummod hours/NNS/3/npadvmod a/DT/3/det week/NN/4/npadvmod work/VB/4/ROOT": [
        "four hours a week"
    ],
    "bread/NN/3/nsubj and/CC/0/cc salt/NN/0/conj help/VBP/3/ROOT": ["bread", "salt"],
    "felony/NN/3/nmod and/CC/0/cc fraud/NN/0/conj charges/NNS/3/ROOT": ["felony and fraud charges"],
    "in/IN/0/ROOT July/NNP/0/pobj 4/CD/1/nummod ,/,/1/punct 1776/CD/1/nummod": ["July 4 , 1776"],
    "the/DT/1/det boy/NN/3/poss 's/POS/1/case dog/NN/4/nsubj ran/VBD/4/ROOT": ["the boy", "dog"],
    "he/PRP/1/nsubj left/VBD/1/ROOT Oslo/NNP/1/dobj Monday/NNP/1/npadvmod": [
        "he",
        "Oslo",
        "Monday",
    ],
    "What/WP/1/attr is/VBZ/1/ROOT the/DT/3/det prize/NN/1/nsubj": ["the prize"],
    "Which/WDT/1/det one/NN/2/dobj chose/VBD/2/ROOT you/PRP/2/nsubj": ["Which one", "you"],
    "a/DT/4/det well/RB/3/advmod -/HYPH/3/punct known/VBN/4/amod chef/NN/4/ROOT": [
        "a well - known chef"
    ],
    "Bell/NNP/2/compound &/CC/0/cc Sons/NNPS/3/nsubj sell/VBP/3/ROOT $/$/5/nmod 5/CD/6/nummod "
    "bells/NNS/3/dobj": ["Bell & Sons", "$ 5 bells"],
    "more/JJR/2/amod than/IN/2/quantmod twenty/CD/3/nummod people/NNS/3/ROOT": [
        "more than twenty people"
    ],
    "British/JJ/3/amod and/CC/0/cc American/JJ/0/conj English/NNP/4/nsubj grew/VBD/4/ROOT": [
        "British",
        "American English",
    ],
    "French/JJ/3/amod and/CC/0/cc German/JJ/0/conj wines/NNS/4/nsubj sell/VBP/4/ROOT": [
        "French and German wines"
    ],
    "ice/NN/1/compound cream/NN/4/nsubj and/CC/1/cc cake/NN/1/conj help/VBP/4/ROOT": [
        "ice cream",
        "cake",
    ],
    "The/DT/2/det rich/JJ/2/amod help/NN/2/ROOT the/DT/4/det poor/JJ/2/appos": [
        "The rich",
        "the poor",
    ],
    "The/DT/2/det poor/JJ/2/amod work/NN/2/ROOT hard/RB/2/advmod": ["The poor"],
    "The/DT/2/det old/JJ/2/amod house/NN/2/ROOT the/DT/4/det man/NN/5/nsubj built/VBD/2/relcl": [
        "The old house",
        "the man",
    ],
    "Students/NNS/0/ROOT who/WP/2/nsubj study/VBP/0/relcl hard/JJ/5/amod pass/NN/5/compound "
    "exams/NNS/2/dobj": ["Students", "exams"],
    "most/JJS/1/nsubj slept/VBD/1/ROOT": ["most"],
    "": [],
}


@pytest.mark.parametrize("sentence", PARSED)
def test_phrases(sentence: str) -> None:
    tokens = [token.rsplit("/", 3) for token in sentence.split()]
    words, tags, heads, deps = zip(*tokens, strict=True) if tokens else ((), (), (), ())
    phrases = base_phrases(words, tags, [int(head) for head in heads], deps)
    assert [" ".join(words[start:end]) for start, end in phrases] == PARSED[sentence]
