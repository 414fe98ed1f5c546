"""The canonical spelling, and what the notation cannot hold."""

import pytest

from brcc_files import write
from readmark.comprehension.brcc.annotated_text import AnnotatedText, AnswerSentence, TaggedPhrase
from readmark.comprehension.brcc.layers import annotated_from
from readmark.core.records import Layer

EDISON = AnnotatedText(
    "Thomas Edison was a man of few words. He wasted no time.",
    (TaggedPhrase(0, 13, "PERSON", 1), TaggedPhrase(38, 40, None, None, 1)),
    (AnswerSentence(2, 0, 37),),
)


def test_tags() -> None:
    assert write(EDISON, language="en", passage=True) == (
        "<ANSQ2><NP NE=PERSON REFID=1>Thomas Edison</NP> was a man of few words.</ANSQ2> "
        "<NP REF=1>He</NP> wasted no time."
    )


def test_brackets() -> None:
    text = AnnotatedText("The cat sat.", (TaggedPhrase(0, 7), TaggedPhrase(8, 11)))
    assert write(text, language="en", brackets=True) == "[ The cat ] [ sat ]."
    inside = AnnotatedText("recat [x]", (TaggedPhrase(2, 5),))
    assert write(inside, language="en", brackets=True) == "re[cat ] &#91;x&#93;"


@pytest.mark.parametrize(
    ("language", "text", "phrases", "written"),
    [
        ("en", "a  b", (), "a&#32;&#32;b"),
        ("en", " a ", (), "&#32;a&#32;"),
        ("en", "a ,b", ((0, 1),), "<NP>a</NP>&#32;,b"),
        ("en", "a ,b", (), "a ,b"),
        ("en", "a b", ((0, 2),), "<NP>a&#32;</NP>b"),
        ("en", "a < b > c", (), "a &lt; b > c"),
        ("en", "&lt; AT&T", (), "&amp;lt; AT&T"),
        ("en", "One.\nTwo\nThree", (), "One.\n\nTwo&#10;Three"),
        # A line that would be taken for one of the file begins with a reference.
        ("en", "Passage: x.\nOne.\nok", (), "&#80;assage: x.\n\nOne.\n\nok"),
        ("zh", "用 Windows XP", (), "用&#32;Windows XP"),
        ("en", "ab", ((0, 2), (0, 2)), "<NP><NP>ab</NP></NP>"),
    ],
)
def test_references_stand_where_reading_would_change_the_text(
    language: str, text: str, phrases: tuple[tuple[int, int], ...], written: str
) -> None:
    annotated = AnnotatedText(text, tuple(TaggedPhrase(*span) for span in phrases))
    assert write(annotated, language=language, passage=True) == written


def test_words_are_marked_by_spaces_where_nothing_else_shows_them() -> None:
    words = ["其", "奖赏", "是", "在", "英国", "，", "4", "小时", "。"]
    text = "".join(words)
    ends = [len("".join(words[: at + 1])) for at in range(len(words))]
    token = Layer(spans=tuple(zip([0, *ends], ends, strict=False)))
    layers = {"token": token, "np": Layer(spans=((1, 3), (5, 7)))}
    taken = annotated_from(text, layers, language="zh")
    assert write(taken.annotated, language="zh", spaced=True) == (
        "其 <NP>奖赏</NP> 是 在 <NP>英国</NP>，4 小时。"
    )


def test_a_phrase_around_a_sentence_stands_outside_it() -> None:
    text = AnnotatedText("a b", (TaggedPhrase(0, 3),), (AnswerSentence(1, 0, 1),))
    assert write(text, language="en", passage=True) == "<NP><ANSQ1>a</ANSQ1> b</NP>"


@pytest.mark.parametrize(
    ("layers", "answers", "lost"),
    [
        ({"np": Layer(spans=((0, 2), (1, 3)))}, (), "noun phrases that are empty or cross"),
        ({"np": Layer(spans=((1, 1),))}, (), "noun phrases that are empty or cross"),
        ({"np": Layer(spans=((1, 3),))}, ((1, 0, 2),), "noun phrases that are empty or cross"),
        ({"np": Layer(spans=((2, 9),))}, (), "noun phrases outside their text"),
        ({"ne": Layer(spans=((0, 1),), columns={"type": ("NUM",)})}, (), "entities that are no"),
        ({"mention": Layer(spans=((0, 1),), columns={"id": (1,)})}, (), "mentions that are no"),
        ({"sentence": Layer(spans=((0, 3),))}, (), "layers sentence"),
        ({"token": Layer(spans=((0, 3),))}, (), "layers token"),
        ({"np": Layer(spans=((0, 1),), source="spacy")}, (), "who made the layers np"),
        ({"np": Layer(spans=((0, 1),), columns={"x": (1,)})}, (), "columns x of layers np"),
        ({}, ((1, 0, 2), (1, 1, 3)), "answer sentences that are empty or overlap"),
        ({}, ((1, 0, 0),), "answer sentences that are empty or overlap"),
    ],
)
def test_what_cannot_be_held_is_named(
    layers: dict[str, Layer], answers: tuple[tuple[int, int, int], ...], lost: str
) -> None:
    taken = annotated_from(
        "abc", layers, tuple(AnswerSentence(*answer) for answer in answers), language="en"
    )
    [loss] = taken.lost
    assert loss.startswith(lost)
