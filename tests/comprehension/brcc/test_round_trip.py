"""Whatever text and annotation the notation holds, writing and reading give back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcc_files import read, write
from readmark.comprehension.brcc.annotated_text import AnnotatedText, AnswerSentence
from readmark.comprehension.brcc.layers import (
    WritableText,
    annotated_from,
    key_layers,
    paper_layers,
)
from readmark.core.records import Layer, Layers

# Letters, Han, marks of both, everything that means something in the notation, and trouble.
PIECES = (
    "a",
    "B",
    "7",
    "Edison",
    "was",
    "30",
    "他",
    "英国",
    "课程",
    "，",
    "。",
    "“",
    "”",
    "‧",
    "…",
    ".",
    ",",
    "!",
    "'",
    '"',
    "(",
    ")",
    "-",
    "%",
    " ",
    " ",
    " ",
    "\n",
    "\t",
    "\r",
    "\v",
    "\u3000",
    "\u00a0",
    "\u2028",
    "\u0085",
    "<",
    ">",
    "&",
    "&lt;",
    "&#32;",
    "&AMP;",
    "&#0;",
    "[",
    "]",
    "|",
    "<NP>",
    "</NP>",
    "<ANSQ1>",
    "< b >",
    "😀",
    "👩‍👩‍👧",
    "e\u0301",
    "\u0301",
    "\ufeff",
    "\x00",
    "Passage: 1",
    "English passage",
    "1. ",
    "English",
)
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
WORDS = ("他", "英国", "课程", "的", "30周", "，", "。", "……", "托马斯‧爱迪生")
TYPES = ("PERSON", "TIME", "NUM", "own type", 'quoted "so" <', "")


@st.composite
def spans(draw: st.DrawFn, length: int, most: int = 4) -> list[tuple[int, int]]:
    """Stretches that do not overlap, none of them empty."""
    if not length:
        return []
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=2 * most)))
    return [(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]


@st.composite
def layered(draw: st.DrawFn, text: str) -> Layers:
    """Noun phrases, entities and mentions over them, and words."""
    phrase_spans = draw(spans(len(text)))
    layers: Layers = {}
    if phrase_spans:
        layers["np"] = Layer(spans=tuple(phrase_spans), source="brcc")
    entities = {span: draw(st.none() | st.sampled_from(TYPES)) for span in phrase_spans}
    typed = {span: type for span, type in entities.items() if type is not None}
    if typed:
        columns = {"type": tuple(typed.values())}
        layers["ne"] = Layer(spans=tuple(typed), source="brcc", columns=columns)
    numbers = st.none() | st.integers(0, 30)
    references = {span: (draw(numbers), draw(numbers)) for span in phrase_spans}
    references = {span: both for span, both in references.items() if both != (None, None)}
    if references:
        ids, refs = zip(*references.values(), strict=True)
        columns = {"id": ids, "ref": refs}
        layers["mention"] = Layer(spans=tuple(references), source="brcc", columns=columns)
    return layers


@st.composite
def annotated(draw: st.DrawFn, language: str, *, passage: bool) -> WritableText:
    """What the notation holds of a random text's layers, and of any answer sentences."""
    text = draw(texts)
    answers = [
        AnswerSentence(number, start, end)
        for number in range(1, 4)
        for start, end in (draw(spans(len(text), 2)) if passage else [])
    ]
    return annotated_from(text, draw(layered(text)), tuple(answers), language=language)


@pytest.mark.parametrize("brackets", [False, True])
@pytest.mark.parametrize("passage", [True, False])
@pytest.mark.parametrize("language", ["en", "zh"])
@given(data=st.data())
def test_writing_and_reading_give_everything_back(
    data: st.DataObject, language: str, passage: bool, brackets: bool
) -> None:
    text = data.draw(annotated(language, passage=passage)).annotated
    written = write(text, language=language, passage=passage, brackets=brackets)
    again, faults = read(written, language=language, passage=passage, brackets=brackets)
    assert faults == ()
    assert again.text == text.text
    assert again.answers == text.answers
    if brackets:
        assert spans_of(again) == spans_of(text)
    else:
        assert again.phrases == text.phrases
        assert write(again, language=language, passage=passage) == written
        assert paper_layers(again, segmented=False) == paper_layers(text, segmented=False)
        assert key_layers(again) == key_layers(text)
        assert quotes_in(written, "NP") == [text.text[start:end] for start, end in spans_of(text)]


def spans_of(text: AnnotatedText) -> list[tuple[int, int]]:
    return [(phrase.start, phrase.end) for phrase in text.phrases]


def quotes_in(written: str, name: str) -> list[str]:
    """What stands inside the elements as written, without further tags: by another way."""
    quotes = re.findall(rf"<{name}\b[^>]*>(.*?)</{name}>", written, re.DOTALL)
    bare = [re.sub(r"</?(?:NP|ANSQ)[^>]*>", "", part) for part in quotes]
    refs = re.compile(r"&#(\d+);|&(lt|amp);")
    return [
        refs.sub(
            lambda part: chr(int(part[1])) if part[1] else {"lt": "<", "amp": "&"}[part[2]], part
        )
        for part in bare
    ]


def tellable(words: list[str]) -> bool:
    """Between two … no space could be seen: it would be one of the text."""
    return "…………" not in "".join(words)


@given(data=st.data())
def test_marked_words_come_back(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(WORDS)).filter(tellable))
    text = "".join(words)
    ends = [len("".join(words[: at + 1])) for at in range(len(words))]
    spans = tuple(zip([0, *ends], ends, strict=False))
    bounds = data.draw(st.lists(st.sampled_from([0, *ends]), unique=True).map(sorted))
    phrases = tuple(zip(bounds[::2], bounds[1::2], strict=False))
    layers = {"token": Layer(spans=spans), "np": Layer(spans=phrases)}
    taken = annotated_from(text, layers, language="zh")
    written = write(taken.annotated, language="zh", spaced=True)
    again, faults = read(written, language="zh")
    assert (again.text, faults, spans_of(again)) == (text, (), list(phrases))
    assert taken.lost == []
    assert again.words == spans
