"""The answer to a question is looked for in other words of the same article."""

import pytest

from training.span.clozes.english_questions import Asked, elsewhere

OWN = "Ada Marlow built the stone bridge at Redbridge in 1871. The valley was poor. It rained."
SENTENCE = "Ada Marlow built the stone bridge at Redbridge in 1871."
QUESTION = "When did Ada Marlow build the stone bridge at Redbridge?"
TOLD = "Few came. The bridge of stone, built at Redbridge in 1871, opened the valley to trade."


def asked(question: str = QUESTION, answer: str = "1871") -> Asked:
    return Asked(question, answer, OWN.index(answer), (0, len(SENTENCE)))


def test_the_passage_that_tells_most_is_taken() -> None:
    weak = "The bridge of 1871 was of stone at Redbridge."
    found = elsewhere(asked(), OWN, [weak, TOLD], "Ada Marlow")
    assert found is not None
    assert found.text == TOLD
    assert found.text[found.start : found.start + 4] == "1871"
    assert found.question == QUESTION


def test_its_own_passage_counts_without_the_sentence() -> None:
    own = f"{SENTENCE} {TOLD}"
    found = elsewhere(asked(), own, [], "Ada Marlow")
    assert found is not None
    assert found.text == TOLD
    assert elsewhere(asked(), OWN, [], "Ada Marlow") is None


@pytest.mark.parametrize(
    "other",
    [
        "In 1871 nobody came to the valley.",  # tells too little
        "The stone bridge built at Redbridge is old. In 1871 it rained.",  # in another sentence
        "The stone bridge built at Redbridge cost 18712 crowns.",  # no whole word
        "The stone bridge built at Redbridge in 1871 was the 1871 bridge, of 1871 and 1871.",
    ],
)
def test_passages_that_do_not_tell_it(other: str) -> None:
    assert elsewhere(asked(), OWN, [other], "Ada Marlow") is None


def test_words_of_the_title_tell_nothing() -> None:
    assert elsewhere(asked(), OWN, [TOLD], "The stone bridge at Redbridge") is None
