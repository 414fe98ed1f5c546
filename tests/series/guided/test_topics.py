"""Series without a target: the topic comes from the questions themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.guided.edits import apply_edits
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.parses import parse_all
from readmark.series.guided.phrases import introduced, phrases
from readmark.series.guided.rewriter import rewrite_series


def talk(*pairs: tuple[str, str]) -> None:
    made = rewrite_series("", [asked for asked, _ in pairs])
    assert [one.text for one in made] == [wanted or asked for asked, wanted in pairs]


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What is the history of the steam engine?", "steam engine"),
        ("How do I repair my bicycle pump?", "bicycle pump"),
        ("Tell me about Marta Kolb's career.", "Marta Kolb"),
        ("What causes hay fever?", "hay fever"),
        ("How does tidal power help small towns?", "tidal power"),
        ("What is basketry exactly?", "basketry"),
        ("How can I stop snoring?", "snoring"),
    ],
)
def test_the_weightiest_phrase_is_the_topic(question: str, phrase: str) -> None:
    [parsed] = parse_all([question])
    topic = next(iter(phrases(parsed)), None)
    assert topic is not None
    assert topic.text == phrase


def test_no_noun_no_topic() -> None:
    [parsed] = parse_all(["Why is that so?"])
    assert phrases(parsed) == []


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("Tell me about tide mills.", "tide mills"),
        ("Who was Ilse Marn?", "Ilse Marn"),
        ("What is a tide mill?", "a tide mill"),
        ("What are its main types?", ""),
        ("What are the main types?", ""),
        ("What is the largest ever built?", ""),
        ("When was it built?", ""),
    ],
)
def test_what_a_question_brings_up(question: str, phrase: str) -> None:
    [parsed] = parse_all([question])
    found = introduced(parsed)
    assert ("" if found is None else found.named) == phrase


def test_phrases_in_other_numbers() -> None:
    [mills, pump] = parse_all(["Tell me about tide mills.", "What is a pump?"])
    assert phrases(mills)[0].single == "tide mill"
    assert phrases(pump)[0].several == "pumps"


def test_pronouns_and_one_go_back_to_the_topic() -> None:
    talk(
        ("Who invented the steam engine?", ""),
        ("When was it built?", "When was the steam engine built?"),
        ("How do I choose a new one?", "How do I choose a new steam engine?"),
    )


def test_what_is_brought_up_is_the_new_topic() -> None:
    talk(
        ("What is hay fever?", ""),
        ("Is it curable?", "Is hay fever curable?"),
        ("Tell me about asthma.", ""),
        ("What causes it?", "What causes asthma?"),
    )


def test_number_and_persons_agree() -> None:
    talk(
        ("Tell me about the Lindau Regatta.", ""),
        ("Who were the Lake Guards?", ""),
        (
            "What was their role in it?",
            "What was the Lake Guards' role in the Lindau Regatta?",
        ),
        ("Who was Ilse Marn?", ""),
        ("When did she win it?", "When did Ilse Marn win the Lindau Regatta?"),
    )


def test_any_one_of_a_sort_is_several_for_they() -> None:
    talk(("What is a tide mill?", ""), ("How do they work?", "How do tide mills work?"))


def test_a_pronoun_with_its_antecedent_beside_it_stays() -> None:
    talk(("What is hay fever?", ""), ("What is asthma and why is it dangerous?", ""))


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("What are the main types?", "What are the main types of tide mills?"),
        ("Are there any side effects?", "Are there any side effects of tide mills?"),
        ("What is the largest in Wales?", "What is the largest tide mill in Wales?"),
        ("How many can you visit?", "How many tide mills can you visit?"),
        (
            "What is the difference with windmills?",
            "What is the difference between tide mills and windmills?",
        ),
        ("How does a windmill compare?", "How does a windmill compare to tide mills?"),
        ("What is the best way to grind corn?", ""),
        ("What is a weir?", ""),
    ],
)
def test_what_was_left_out(question: str, rewritten: str) -> None:
    talk(("Tell me about tide mills.", ""), (question, rewritten))


@pytest.mark.parametrize(
    ("before", "question", "rewritten"),
    [
        (
            "What does a ferry pilot earn in Norway?",
            "What about in Wales?",
            "What does a ferry pilot earn in Wales?",
        ),
        ("Are grey geese loud?", "How about snow geese?", "Are snow geese loud?"),
        ("Is skyr a cheese?", "What about quark?", "Is quark a cheese?"),
        ("How did they get there?", "What about that?", ""),
    ],
)
def test_what_about_is_the_question_before(before: str, question: str, rewritten: str) -> None:
    assert rewrite_series("", [before, question])[1].text == (rewritten or question)


def test_initials_and_parts_of_names_are_said_in_full() -> None:
    talk(
        ("What is a ferry pilot?", ""),
        ("What does an FP earn?", "What does a ferry pilot earn?"),
        ("Who was Anna Smith?", ""),
        ("What happened to Anna?", "What happened to Anna Smith?"),
    )


def test_two_things_that_are_compared() -> None:
    talk(
        ("What is hay fever?", ""),
        ("What is asthma?", ""),
        ("How are they different?", "How are asthma and hay fever different?"),
    )


def test_gender_must_agree_else_the_answer_is_meant() -> None:
    talk(
        ("Who was Ilse Marn?", ""),
        ("What did she write?", "What did Ilse Marn write?"),
        ("Who was her father?", "Who was Ilse Marn's father?"),
        ("When did he die?", "When did PREVIOUS_ANSWER die?"),
        ("Where was she born?", "Where was Ilse Marn born?"),
    )
    talk(
        ("Who invented the tide mill?", ""),
        ("When was he born?", "When was PREVIOUS_ANSWER born?"),
    )


def test_what_was_it_is_not_he() -> None:
    talk(
        ("Who wrote Hamlet?", ""),
        ("When was it written?", "When was Hamlet written?"),
        ("Where was he born?", "Where was PREVIOUS_ANSWER born?"),
    )


def test_an_answer_that_may_not_be_meant() -> None:
    talk(("Where did she sing?", ""), ("Who taught there?", ""), ("Was she famous?", ""))
    talk(("Who did she sing with?", ""), ("Was she famous?", ""))
    talk(("Who else was there?", ""), ("Was she famous?", ""))


@pytest.mark.parametrize(
    ("previous", "rewritten"),
    [
        ("variable", "When did PREVIOUS_ANSWER die?"),
        ("question", "When did Ilse Marn's father die?"),
        ("answer", "When did Otto Marn die?"),
    ],
)
def test_without_a_target_an_answer_is_said_as_asked_for(previous: str, rewritten: str) -> None:
    asked = ["Who was Ilse Marn?", "Who was her father?", "When did he die?"]
    made = rewrite_series(
        "", asked, known=KnownAnswers([(), (), ("Otto Marn",)]), previous=previous
    )
    assert made[2].text == rewritten
    assert made[2].edits[0].earlier == 1


def test_a_first_question_has_nothing_to_go_back_to() -> None:
    [made] = rewrite_series("", ["When was he born?"])
    assert made.text == "When was he born?"
    assert made.edits == ()


ODD = ("it", "they", "what about", "the", "largest", "one", "in", "role", "of", "?", "Anna", "MS")


@given(st.lists(st.lists(st.sampled_from(ODD), max_size=6).map(" ".join), max_size=5))
def test_odd_talks_do_no_harm(questions: list[str]) -> None:
    for made, asked in zip(rewrite_series("", questions), questions, strict=True):
        assert apply_edits(asked, made.edits) == made.text
