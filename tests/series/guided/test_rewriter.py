"""The guidelines as code: cases of our own, and questions of any words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.guided.edits import apply_edits
from readmark.series.guided.rewriter import rewrite_series
from strategies import texts


def series(target: str, *pairs: tuple[str, str], type: str | None = None) -> None:
    made = rewrite_series(target, [asked for asked, _ in pairs], type=type)
    assert [one.text for one in made] == [wanted or asked for asked, wanted in pairs]


def test_a_person_s_pronouns_agree_in_gender() -> None:
    series(
        "Marta Kolb",
        ("When did Kolb move to Graz?", "When did Marta Kolb move to Graz?"),
        ("Who was her father?", "Who was Marta Kolb's father?"),
        ("Where did he die?", "Where did PREVIOUS_ANSWER die?"),
        ("How old was she when she left school?", "How old was Marta Kolb when she left school?"),
        ("Whom did she marry?", "Whom did Marta Kolb marry?"),
        ("How many children did she have?", "How many children did Marta Kolb have?"),
    )


def test_the_topic_goes_on_unless_the_answer_is_asked_to() -> None:
    asked = ["Who was his best friend?", "When was he born?"]
    topic = rewrite_series("Emil Brandt", asked)
    answer = rewrite_series("Emil Brandt", asked, persons="answer")
    assert topic[1].text == "When was Emil Brandt born?"
    assert answer[1].text == "When was PREVIOUS_ANSWER born?"


def test_nominals_and_articles_of_a_body() -> None:
    series(
        "Lindau Centre for Tidal Studies",
        ("Where is the centre?", "Where is the Lindau Centre for Tidal Studies?"),
        (
            "When was the organisation founded?",
            "When was the Lindau Centre for Tidal Studies founded?",
        ),
        ("What is its motto?", "What is the Lindau Centre for Tidal Studies's motto?"),
        ("Who is the director?", "Who is the director of the Lindau Centre for Tidal Studies?"),
    )


def test_brackets_and_an_acronym() -> None:
    series(
        "Northern Ferry Board (NFB)",
        ("When was the NFB founded?", "When was the Northern Ferry Board (NFB) founded?"),
        ("How many ships does it own?", "How many ships does the Northern Ferry Board (NFB) own?"),
    )


def test_an_event_is_put_in_where_it_was_left_out() -> None:
    series(
        "Brenfield fire",
        ("When did the fire break out?", "When did the Brenfield fire break out?"),
        ("How many people died?", "How many people died in the Brenfield fire?"),
        ("In what county is Brenfield?", ""),
        ("Who was mayor at the time?", "Who was mayor at the time of the Brenfield fire?"),
        type="event",
    )


def test_a_noun_that_an_earlier_question_asked_for_is_its_answer() -> None:
    series(
        "Ada Quill",
        ("What newspaper did she found?", "What newspaper did Ada Quill found?"),
        ("When was the newspaper closed?", "When was PREVIOUS_ANSWER closed?"),
        ("Where was it printed?", "Where was PREVIOUS_ANSWER printed?"),
        (
            "What other newspapers did Quill write for?",
            "What newspapers other than PREVIOUS_ANSWER did Ada Quill write for?",
        ),
    )


def test_a_relative_that_a_question_speaks_of_is_meant_by_the_other_gender() -> None:
    series(
        "Marta Kolb",
        ("When was she born?", "When was Marta Kolb born?"),
        ("Where was her father born?", "Where was Marta Kolb's father born?"),
        ("When did he die?", "When did Marta Kolb's father die?"),
    )


def test_they_after_a_marriage_are_the_couple() -> None:
    series(
        "Emil Brandt",
        ("When was he born?", "When was Emil Brandt born?"),
        ("Whom did he marry?", "Whom did Emil Brandt marry?"),
        ("Where did they live?", "Where did Emil Brandt and PREVIOUS_ANSWER live?"),
        ("What was his wife's trade?", "What was Emil Brandt's wife's trade?"),
        ("When did they part?", "When did Emil Brandt and his wife part?"),
    )


def test_the_verb_agrees_with_a_plural_name() -> None:
    series(
        "River Rats",
        ("Where is the band from?", "Where are the River Rats from?"),
        ("When was it founded?", "When were the River Rats founded?"),
        type="organisation",
    )


def test_a_noun_that_the_target_stood_before_gets_it_again() -> None:
    series(
        "Hilltop Inns",
        ("How many Hilltop Inns holiday cabins are there?", ""),
        ("List the cabins in Norway.", "List the Hilltop Inns cabins in Norway."),
        type="organisation",
    )


@pytest.mark.parametrize(
    ("target", "type", "question", "rewritten"),
    [
        (
            "Emil Brandt",
            "person",
            "What happened in 1931?",
            "What happened to Emil Brandt in 1931?",
        ),
        (
            "Lindau Ferries Co.",
            "organisation",
            "Name companies that are competitors.",
            "Name companies that are competitors of Lindau Ferries Co.",
        ),
        (
            "Lindau Ferries Co.",
            "organisation",
            "How many ships are in use?",
            "How many ships of Lindau Ferries Co. are in use?",
        ),
        (
            "A Night and a Lamp",
            "thing",
            "In what year did the movie win prizes?",
            "In what year did A Night and a Lamp win prizes?",
        ),
        ("Kolb wine", "thing", "Which Kolb vineyard makes the most wine?", ""),
        (
            "1996 Lindau Chess Tournament",
            "event",
            "When did this tournament conclude?",
            "When did the 1996 Lindau Chess Tournament conclude?",
        ),
    ],
)
def test_what_was_left_out_goes_where_a_speaker_puts_it(
    target: str, type: str, question: str, rewritten: str
) -> None:
    series(target, (question, rewritten), type=type)


def test_an_event_is_not_said_twice() -> None:
    series(
        "rescue of Ilse Marn",
        ("How old was Ilse Marn?", ""),
        ("With whom did Marn stay in Graz?", "With whom did Ilse Marn stay in Graz?"),
        ("Who found Marn?", "Who found Ilse Marn?"),
        type="event",
    )


def test_common_nouns_keep_to_their_number() -> None:
    series(
        "lampreys",
        ("What is a lamprey?", ""),
        ("Where do they spawn?", "Where do lampreys spawn?"),
        ("What is their main food?", "What is lampreys' main food?"),
    )


def test_every_edit_says_what_why_and_by_which_guideline() -> None:
    [made] = rewrite_series("Marta Kolb", ["Who was her father?"])
    [edit] = made.edits
    assert (edit.start, edit.end, edit.was, edit.now) == (8, 11, "her", "Marta Kolb's")
    assert edit.guideline == "Pronouns (2)"
    assert "person" in edit.why


@pytest.mark.parametrize(
    ("target", "question", "rewritten"),
    [
        ("", "When was he born?", "When was he born?"),
        ("  ", "When was he born?", "When was he born?"),
        ("Marta Kolb", "", ""),
        ("Marta Kolb", " ", " "),
        ("Marta Kolb", "And then?", "And then? Marta Kolb"),
        (
            "This is a whole text. It says too much.",
            "When was he born?",
            "When was he born? This is a whole text. It says too much.",
        ),
    ],
)
def test_the_fallback_is_to_append(target: str, question: str, rewritten: str) -> None:
    [made] = rewrite_series(target, [question])
    assert made.text == rewritten


@pytest.mark.parametrize("target", ["Foo (bar", "Foo bar)", "()", "(Foo)", "Foo (bar) (baz"])
def test_unmatched_brackets_are_letters(target: str) -> None:
    made = rewrite_series(target, ["Who founded it?", "Is it (still there?"])
    assert len(made) == 2


@pytest.mark.parametrize(
    ("target", "questions", "rewritten"),
    [
        (
            "Wharf Hygiene Office (WHO)",
            ["Who heads it?", "Who are its members?", "Where is the WHO based?"],
            [
                "Who heads Wharf Hygiene Office (WHO)?",
                "Who are Wharf Hygiene Office (WHO)'s members?",
                "Where is Wharf Hygiene Office (WHO) based?",
            ],
        ),
        (
            "Wharf Hygiene Office (WHO)",
            ["WHO pays for it?", "Is WHO in Lindau?"],
            [
                "WHO pays for Wharf Hygiene Office (WHO)?",
                "Is Wharf Hygiene Office (WHO) in Lindau?",
            ],
        ),
        ("WHO", ["Who heads it?", "Where is WHO?"], ["Who heads WHO?", "Where is WHO?"]),
        ("US", ["Does it help us?"], ["Does US help us?"]),
    ],
)
def test_a_question_word_is_no_acronym(
    target: str, questions: list[str], rewritten: list[str]
) -> None:
    assert [one.text for one in rewrite_series(target, questions)] == rewritten


@pytest.mark.parametrize(
    ("target", "questions", "last"),
    [
        # What the question before names is meant, not the target that it says nothing of.
        (
            "Marn & Co.",
            ["What is the Lindau bookcase?", "How many of them have been sold?"],
            "How many Lindau bookcases have been sold?",
        ),
        (
            "the Great Fire of Lindau",
            ["Was St Anne's Cathedral damaged?", "Who rebuilt it?"],
            "Who rebuilt St Anne's Cathedral?",
        ),
        (
            "the Great Fire of Lindau",
            ["Was St Anne's Cathedral damaged?", "Who rebuilt it?", "When was it opened?"],
            "When was St Anne's Cathedral opened?",
        ),
        (
            "The Tide Millers",
            ["Who wrote Harbour Rhapsody?", "How long is that song?"],
            "How long is Harbour Rhapsody?",
        ),
        (
            "Church of the Tide (Tiders)",
            ["Where did the Tider church begin?", "How many members does it have?"],
            "How many members does the Church of the Tide (Tiders) have?",
        ),
        (
            "Marn Motors",
            ["What is the Seagull?", "When was it launched?", "How many of them were sold?"],
            "How many Seagulls were sold?",
        ),
        (
            "Ilse Marn",
            ["When was she born?", "Did she have children?", "What were their names?"],
            "What were Ilse Marn's children's names?",
        ),
        # It that means nothing.
        ("Mount Marn", ["Is it raining there now?"], "Is it raining on Mount Marn now?"),
        (
            "the Lindau",
            ["What time was it when it sank?"],
            "What time was it when the Lindau sank?",
        ),
        ("the Lindau", ["Is it true that it sank?"], "Is it true that the Lindau sank?"),
        ("the Lindau", ["What year was it built?"], "What year was the Lindau built?"),
        # It beside a person: what was asked for, or what is theirs.
        (
            "Ilse Marn",
            ["What did she discover?", "Did it kill her?"],
            "Did PREVIOUS_ANSWER kill Ilse Marn?",
        ),
        (
            "Ilse Marn",
            ["What’s her best-known book?", "What’s it about?"],
            "What’s PREVIOUS_ANSWER about?",
        ),
        (
            "Ilse Marn",
            ["When did her library open?", "Where was it located?"],
            "Where was Ilse Marn's library located?",
        ),
        # What nothing was found for: the target is appended, it is not of that word.
        ("Ilse Marn", ["When did she move?", "Was it hard?"], "Was it hard? Ilse Marn"),
        (
            "Tidephone",
            ["Does it have a crank?", "When was that removed?"],
            "When was that removed? Tidephone",
        ),
        (
            "Tidephone",
            ["Who invented it?", "How much did the first one cost?"],
            "How much did the first Tidephone cost?",
        ),
        ("coffee", ["How much of it is too much?"], "How much coffee is too much?"),
        # A craft may be she.
        (
            "Titanic",
            ["Who was the captain?", "How many lifeboats did it have?", "Where was she built?"],
            "Where was Titanic built?",
        ),
        (
            "the Great Fire of Lindau",
            ["Who was king then?"],
            "Who was king at the time of the Great Fire of Lindau?",
        ),
    ],
)
def test_what_a_word_points_at(target: str, questions: list[str], last: str) -> None:
    made = rewrite_series(target, questions)[-1]
    assert made.text == last
    assert apply_edits(questions[-1], made.edits) == last


@given(texts, st.lists(texts, max_size=3))
def test_whatever_the_strings_every_question_gets_its_rewrite(
    target: str, asked: list[str]
) -> None:
    for previous in ("variable", "question"):
        made = rewrite_series(target, asked, previous=previous)
        assert len(made) == len(asked)
        for one, question in zip(made, asked, strict=True):
            assert apply_edits(question, one.edits) == one.text


ODD = ("he", "its", "the", "this company", "Kolb", "(", ")", "Who", "was", "?", "'s", "other", ".")


@given(st.lists(st.sampled_from(ODD), max_size=9), st.lists(st.sampled_from(ODD), max_size=5))
def test_odd_questions_of_ordinary_words_do_no_harm(words: list[str], target: list[str]) -> None:
    question = " ".join(words)
    asked = ["Who was the first?", question, question]
    for text, one in zip(asked, rewrite_series(" ".join(target), asked), strict=True):
        assert apply_edits(text, one.edits) == one.text


def test_a_long_question_keeps_its_end() -> None:
    question = "When was he born? " + "x " * 3000
    [made] = rewrite_series("Emil Brandt", [question])
    assert made.text == question.replace(" he ", " Emil Brandt ", 1)
