"""What cannot be compared is refused before anything is written."""

import pytest

from readmark.core.errors import DataError
from readmark.core.records import Layer, Layers, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.crosscheck.pairing import pair_passages

TEXT = "他走了。"


def a_test(*passages: Passage) -> Test:
    return in_memory(Header(language="zh"), passages, file="b")


def a_passage(layers: Layers | None = None, *, key: QuestionKey | None = None) -> Passage:
    question = Question(id="q", text="谁？", key=key)
    return Passage(id="p", text=TEXT, layers=layers or {}, questions=(question,))


@pytest.mark.parametrize(
    ("passage", "message"),
    [
        (a_passage({"np": Layer(spans=((0, 99),))}), "b:p: layer np: span 0–99 is outside"),
        (a_passage({"np": Layer(spans=((-3, 2),))}), "b:p: layer np: span -3–2 is outside"),
        (a_passage({"np": Layer(spans=((2, 1),))}), "b:p: layer np: span 2–1 is outside"),
        (
            a_passage({"ne": Layer(spans=((0, 1),), columns={"type": ()})}),
            "b:p: layer ne has 1 spans but 0 type",
        ),
        (
            a_passage({"np": Layer(spans=((0, 1),), quotes=("她",))}),
            "b:p: layer np: span 0–1 should read '她', found '他'",
        ),
        (
            a_passage(
                key=QuestionKey(
                    published=(Phrase(text="他", layers={"np": Layer(spans=((0, 2),))}),)
                )
            ),
            "b:p:q:key1: layer np: span 0–2 is outside",
        ),
        (
            a_passage(key=QuestionKey(sentences=((0, 9),))),
            "b:q: answer sentence 0–9 is not in the passage",
        ),
    ],
)
def test_spans_outside_their_text_are_refused(passage: Passage, message: str) -> None:
    sound = in_memory(Header(language="zh"), [a_passage()], file="a")
    with pytest.raises(DataError) as error:
        pair_passages(sound, a_test(passage))
    assert message in str(error.value)


@pytest.mark.parametrize(
    "passages",
    [
        (a_passage(), Passage(id="p:q", text=TEXT)),
        (Passage(id="p:q", text=TEXT), a_passage()),
        (
            Passage(
                id="p",
                text=TEXT,
                questions=(
                    Question(id="q", text="谁？", key=QuestionKey(published=(Phrase(text="他"),))),
                    Question(id="q:key1", text="谁？"),
                ),
            ),
        ),
    ],
)
def test_ids_that_name_two_texts(passages: tuple[Passage, ...]) -> None:
    with pytest.raises(DataError, match="names two texts") as error:
        pair_passages(a_test(*passages), a_test(*passages))
    assert "p:q" in str(error.value)
