"""Series without a target: the topic comes from the questions themselves."""

import pytest

from readmark.models.rewriting.parsing import parse_all
from readmark.models.rewriting.rewriter import rewrite_series
from readmark.models.rewriting.topics import main_phrase


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What is the history of the steam engine?", "steam engine"),
        ("How do I repair my bicycle pump?", "bicycle pump"),
        ("Tell me about Marta Kolb's career.", "Marta Kolb"),
    ],
)
def test_the_weightiest_phrase_is_the_topic(question: str, phrase: str) -> None:
    [parsed] = parse_all([question])
    topic = main_phrase(parsed)
    assert topic is not None
    assert topic.text == phrase


def test_no_noun_no_topic() -> None:
    [parsed] = parse_all(["Why is that so?"])
    assert main_phrase(parsed) is None


def test_pronouns_and_one_go_back_to_the_topic() -> None:
    made = rewrite_series(
        "", ["Who invented the steam engine?", "When was it built?", "How do I choose a new one?"]
    )
    assert [one.text for one in made] == [
        "Who invented the steam engine?",
        "When was the steam engine built?",
        "How do I choose a new steam engine?",
    ]


def test_a_first_question_has_nothing_to_go_back_to() -> None:
    [made] = rewrite_series("", ["When was he born?"])
    assert made.text == "When was he born?"
    assert made.edits == ()
