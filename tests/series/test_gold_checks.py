"""What the guidelines do not allow in golds: how many, PREVIOUS_ANSWER, brackets."""

import pytest

from readmark.core.records import Answer
from readmark.series.gold_checks import series_findings
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey


def asked(
    text: str,
    *golds: str,
    id: str = "q",
    category: str | None = None,
    people: tuple[str, ...] = (),
    guidelines: str | None = None,
) -> SeriesQuestion:
    who = people or (None,) * len(golds)
    rewrites = tuple(
        Answer(text=gold, annotator=person) for gold, person in zip(golds, who, strict=True)
    )
    key = SeriesQuestionKey(rewrites=rewrites, guidelines=guidelines) if golds else None
    return SeriesQuestion(id=id, text=text, category=category, key=key)


def found(*questions: SeriesQuestion, target: str = "the Heron mill") -> list[tuple[str, str]]:
    series = Series(id="s", target=target, questions=questions)
    return [(owner, code) for owner, code, _ in series_findings(series)]


FIRST = asked("Who built it?", "Who built the Heron mill?", id="first")
LEANING = "Where did PREVIOUS_ANSWER live?"
EMBEDDED = "Where did the man who built the Heron mill live?"


def test_three_golds_are_allowed_and_four_are_not() -> None:
    assert found(asked("Who?", "a", "b", "c")) == []
    assert found(asked("Who?", "a", "b", "c", "d")) == [("q", "too_many_golds")]


def test_each_person_may_give_three() -> None:
    golds = asked("Who?", *"abcd", people=("ann", "ann", "bo", "bo"))
    assert found(golds) == []
    golds = asked("Who?", *"abcde", people=("ann", "ann", "ann", "ann", "bo"))
    assert found(golds) == [("q", "too_many_golds")]


def test_an_earlier_answer_and_its_question() -> None:
    assert found(FIRST, asked("Where did he live?", LEANING, EMBEDDED)) == []


def test_nobody_can_supply_the_answer() -> None:
    leaning = asked("Where did he live?", LEANING, EMBEDDED)
    assert found(leaning) == [("q", "no_earlier_question")]
    other = asked("Anything else?", id="o", category="OTHER")
    assert found(other, leaning) == [("q", "no_earlier_question")]


@pytest.mark.parametrize(
    "second",
    [
        (),
        ("Where did Joseph Ames live?",),  # the answer itself, not the question
        ("Where did he live?",),
        ("In which house did PREVIOUS_ANSWER live, who built the Heron mill?",),
    ],
)
def test_a_second_gold_has_to_embed_the_question(second: tuple[str, ...]) -> None:
    leaning = asked("Where did he live?", LEANING, *second)
    assert found(FIRST, leaning) == [("q", "no_embedding_gold")]


def test_each_person_embeds_the_question() -> None:
    golds = asked("Where did he live?", LEANING, EMBEDDED, people=("ann", "bo"))
    assert found(FIRST, golds) == [("q", "no_embedding_gold")]


def test_chinese_golds_embed_by_characters() -> None:
    first = asked("谁修建了水磨？", "谁修建了苍鹭水磨？", id="first")
    second = asked("他住在哪里？", "PREVIOUS_ANSWER住在哪里？", "修建苍鹭水磨的人住在哪里？")
    assert found(first, second, target="苍鹭水磨") == []
    third = asked("他住在哪里？", "PREVIOUS_ANSWER住在哪里？", "他住在哪里呢？")
    assert found(first, third, target="苍鹭水磨") == [("q", "no_embedding_gold")]


CLUB = "Tidewater Rowing Club (TRC)"
WHOLE, OUTER, INNER = (
    f"When was {name} founded?" for name in (f"the {CLUB}", "the Tidewater Rowing Club", "TRC")
)


@pytest.mark.parametrize(
    ("golds", "faults"),
    [
        ((WHOLE, OUTER, INNER), 0),
        ((WHOLE, OUTER), 1),
        ((WHOLE, INNER), 1),
        ((WHOLE,), 2),
        (("When was the boathouse painted?",), 0),
        (("When was TRC founded?",), 2),
        (("When was the Tidewater Rowing Club founded?",), 2),
        ((OUTER, INNER), 1),
    ],
)
def test_brackets(golds: tuple[str, ...], faults: int) -> None:
    findings = found(asked("When was it founded?", *golds), target=CLUB)
    assert findings == [("q", "bracket_variants")] * faults


def test_words_in_brackets_that_the_question_has_may_be_others() -> None:
    painted = asked("What colour is the old mill?", "What colour is the old mill?")
    assert found(painted, target="Heron mill (old)") == []
    short = asked("When was TRC founded?", "When was TRC founded?")
    assert found(short, target=CLUB) == [("q", "bracket_variants")] * 2


def test_two_pairs_of_brackets() -> None:
    target = "Order (OL) of the Lamp (Lamplighters)"
    golds = [f"Who led the {name}?" for name in (target, "Order of the Lamp", "Lamplighters")]
    assert found(asked("Who led it?", *golds), target=target) == []
    assert found(asked("Who led it?", *golds[:2]), target=target) == [("q", "bracket_variants")]


def test_the_variable_is_spelt_in_one_way() -> None:
    wrong = asked("Where did he live?", "Where did PREVIOUS ANSWER live?")
    assert found(FIRST, wrong) == [("q", "misspelt_variable")]


def test_a_named_question_has_to_be_an_earlier_one() -> None:
    key = SeriesQuestionKey(rewrites=(Answer(text="Who?"),), refers="q")
    question = SeriesQuestion(id="q", text="Who?", previous=("x",), previous_of="gone", key=key)
    assert found(FIRST, question) == [("q", "no_such_question")] * 2
    sound = SeriesQuestionKey(rewrites=(Answer(text="Who?"),), refers="first")
    two = SeriesQuestion(id="q", text="Who?", previous=("x",), previous_of="first", key=sound)
    assert found(FIRST, two) == []


def test_golds_by_other_guidelines_have_no_variants() -> None:
    gold = asked("When was it founded?", WHOLE, guidelines="CANARD")
    assert found(gold, target=CLUB) == []


@pytest.mark.parametrize("target", ["the mill (old", "mill)", "mill ()"])
def test_unmatched_brackets(target: str) -> None:
    assert found(asked("Who?", "Who?"), target=target) == [("s", "target_brackets")]


def test_questions_without_golds_are_right() -> None:
    assert found(asked("Who?"), asked("Anything else?", id="o", category="OTHER")) == []


CHURCH = "Church of Jesus Christ of Latter-day Saints (Mormons)"


def test_the_documents_examples() -> None:
    founded = asked(
        "Who founded the Church of Jesus Christ of Latter-day Saints?",
        f"Who founded the {CHURCH}?",
        "Who founded the Church of Jesus Christ of Latter-day Saints?",
        "Who founded the Mormons?",
    )
    assert found(founded, target=CHURCH) == []
    named = asked("Who nominated Harriet Miers for the post?", id="first")
    cited = asked(
        "What criterion did this person cite in nominating Miers?",
        "What criterion did PREVIOUS_ANSWER cite in nominating Harriet Miers?",
        "What criterion did this person who nominated Harriet Miers for the post cite in "
        "nominating Harriet Miers?",
    )
    target = "Harriet Miers withdraws nomination to Supreme Court"
    assert found(named, cited, target=target) == []
    assert found(cited, target=target) == [("q", "no_earlier_question")]


def test_an_answer_further_back() -> None:
    questions = (
        asked("Who was the first Imam of the Shiite sect of Islam?", id="1"),
        asked(
            "Where is his tomb?",
            "Where is PREVIOUS_ANSWER's tomb?",
            "Where is the tomb of the first Imam of the Shiite sect of Islam?",
            id="2",
        ),
        asked(
            "What was this persons relationship to the Prophet Mohammad?",
            "What was PREVIOUS_ANSWER's relationship to the Prophet Mohammad?",
            "What was the first Imam of the Shiite sect of Islam's relationship to the Prophet "
            "Mohammad?",
            id="3",
        ),
    )
    assert found(*questions, target="Shiite") == []
