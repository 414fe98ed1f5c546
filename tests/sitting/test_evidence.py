"""The evidence reader: worked examples, honest offsets, and input that is out of the ordinary."""

from typing import Any

import pytest
from hypothesis import given

from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Layer, Passage, Question, Unit
from readmark.core.sitting import Row
from readmark.sitting.candidates import CANDIDATES
from readmark.text.sentences import sentences
from strategies import texts


def replies(
    text: str, *questions: str, language: str = "en", name: str = "evidence", **more: Any
) -> list[Row]:
    items = tuple(Question(id=str(at), text=one) for at, one in enumerate(questions))
    record = Passage(id="p", text=text, questions=items, **more)
    _, built = CANDIDATES.build(name)
    built.prepare(kind_named("comprehension"), language)
    return list(built.answer(Unit(one.id, "p", record, one) for one in items))


def test_the_document_s_machine_is_called_what_the_second_sentence_says() -> None:
    text = "A new machine has been made. The machine is called a typewriter."
    [row] = replies(text, "What is the new machine called?")
    assert row.text == "The machine is called a typewriter."
    assert row.sentence == (row.start, row.end) == (29, len(text))


@pytest.mark.parametrize(
    ("text", "language", "question", "answer"),
    [
        (
            "Mara Lind runs the bakery. It opened in 1987. She bakes rye bread every morning.",
            "en",
            "When did the bakery open?",
            "It opened in 1987.",
        ),
        (
            "村里有一座旧磨坊。磨坊是1923年建成的。现在没有人住在那里。",
            "zh",
            "磨坊是哪一年建成的？",
            "磨坊是1923年建成的。",
        ),
        (
            "村裡有一座舊磨坊。磨坊是老周修好的。現在沒有人住在那裡。",
            "zh",
            "磨坊是谁修好的？",
            "磨坊是老周修好的。",
        ),
    ],
)
def test_it_chooses_the_sentence(text: str, language: str, question: str, answer: str) -> None:
    [row] = replies(text, question, language=language)
    assert row.text == answer
    assert row.score is not None
    assert 0 < row.score <= 1
    assert len(row.evidence["decided"]) <= 3


def test_shared_words_are_the_evidence() -> None:
    [row] = replies("The hall burned. Rita rebuilt the hall.", "Who rebuilt the hall?")
    assert row.evidence["shared"] == ["rebuilt", "hall"]


def test_a_phrase_where_it_is_sure() -> None:
    text = "The hall burned down. The painter Rita Moss rebuilt the hall. Birds nest there."
    [row] = replies(text, "Who rebuilt the hall?", name="evidence(answer_with=phrase)")
    assert row.text == "Rita Moss"
    assert text[row.start : row.end] == row.text
    assert row.sentence == (22, 61)


def test_the_passage_s_own_sentences_are_taken() -> None:
    text = "one two three four"
    layer = Layer(spans=((0, 7), (8, 18)))
    [row] = replies(text, "four?", layers={"sentence": layer})
    assert row.sentence == (8, 18)


@given(texts, texts)
def test_offsets_are_those_of_one_sentence(text: str, question: str) -> None:
    for language in ("en", "zh"):
        [row] = replies(text, question, language=language)
        assert row.error is None
        cut = sentences(text, language)
        if cut:
            assert row.sentence in cut
            assert row.text == text[slice(*row.sentence)]
        else:
            assert (row.text, row.sentence) == ("", None)


@pytest.mark.parametrize(
    ("text", "question"),
    [("word " * 20_000, "word?"), ("字" * 100_000, "字？"), ("e\u0301 😀. \ud800", "\udfff 😀?")],
)
def test_long_lines_and_odd_signs(text: str, question: str) -> None:
    for language in ("en", "zh"):
        [row] = replies(text, question, language=language)
        assert row.error is None


def test_a_third_language_is_refused() -> None:
    with pytest.raises(UsageError, match="reads English and Chinese"):
        replies("Un deux.", "Quoi?", language="fr")


def test_the_signature_names_the_model() -> None:
    _, built = CANDIDATES.build("evidence")
    built.prepare(kind_named("comprehension"), "zh")
    signature = built.signature()
    assert len(signature["model"]) == 12
    assert signature["words"].startswith("rjieba ")


def test_questions_on_a_passage_are_answered_together_and_fail_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Mara Lind runs the bakery. It opened in 1987. She bakes rye bread every morning."
    asked = ["When did the bakery open?", "Who runs the bakery?"] * 20
    rows = replies(text, *asked)
    assert [row.id for row in rows] == [str(at) for at in range(40)]
    assert {row.text for row in rows[::2]} == {"It opened in 1987."}

    from readmark.comprehension.evidence import reader

    read = reader.read_question

    def stumbles(question: str, known: Any) -> Any:
        if question == "Who?":
            raise RuntimeError("a word too many")
        return read(question, known)

    monkeypatch.setattr(reader, "read_question", stumbles)
    rows = replies(text, "When did the bakery open?", "Who?", "Who runs the bakery?")
    assert [row.error for row in rows] == [None, "RuntimeError: a word too many", None]
    assert rows[0].text == "It opened in 1987."
