"""Baselines: answers worked by hand, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from readmark.comprehension import baselines
from readmark.core.kinds import kind_named
from readmark.core.records import Passage, Question, Unit
from readmark.core.sitting import Row
from readmark.core.test import Header, in_memory
from readmark.sitting.candidates import CANDIDATES
from strategies import texts

TRAM = (
    "Dr. Holm keeps bees on the roof. The last tram leaves Mill Street at 10.30 p.m. every day! "
    "Ida, who is late, always misses the tram.\n\nNobody else takes it."
)
MILL = "码头上停着七条木船。老周问：“谁在补网？”磨坊的水车靠北边的小河转动！\n二〇二〇年，水车坏了"


def answer(name: str, text: str, question: str, *, language: str) -> Row:
    """A reader's row for a question on a text."""
    item = Question(id="0", text=question)
    record = Passage(id="p", text=text, questions=(item,))
    _, reader = CANDIDATES.build(name)
    reader.prepare(kind_named("comprehension"), language)
    [row] = reader.answer([Unit(item.id, "p", record, item)])
    return row


def span_of(quote: str, text: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        (TRAM, "en", "Dr. Holm keeps bees on the roof."),
        ("  \n No end here ", "en", "No end here"),
        ("One. Two.", "en", "One."),
        (MILL, "zh", "码头上停着七条木船。"),
        ("\u3000\u3000老周说：“走吧！”说完就走了。", "zh", "老周说：“走吧！”"),
        ("没有标点", "zh", "没有标点"),
        ("😀😀 gone. Then.", "en", "😀😀 gone."),
    ],
)
def test_lead_answers_with_the_first_sentence(text: str, language: str, first: str) -> None:
    row = answer("lead", text, "Why?", language=language)
    assert row.text == first
    assert (row.start, row.end) == row.sentence == span_of(first, text)
    assert (row.score, row.error) == (None, None)


@pytest.mark.parametrize("name", ["lead", "longest_overlap", "closest_option"])
def test_a_passage_is_split_into_sentences_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many questions there are on it: a long one would take most of the time."""
    texts_split: list[str] = []
    sentences = baselines.sentences

    def counting(text: str, language: str) -> list[tuple[int, int]]:
        texts_split.append(text)
        return sentences(text, language)

    monkeypatch.setattr(baselines, "sentences", counting)
    text = f"The kiln of {name} was fired at noon. The clay came from the river."
    questions = tuple(
        Question(id=f"q{number}", text="What was fired?", options=("clay", "the kiln"))
        for number in range(20)
    )
    record = Passage(id="p", text=text, questions=questions)
    readmark.sit(in_memory(Header(language="en"), [record]), name)
    assert texts_split == [text]


@pytest.mark.parametrize("candidate", ["lead", "longest_overlap"])
@pytest.mark.parametrize("text", ["", " \n\t\u3000"])
def test_an_empty_passage_gets_an_empty_answer(candidate: str, text: str) -> None:
    assert answer(candidate, text, "Why?", language="en") == Row(id="0", answer="")


@pytest.mark.parametrize(
    ("question", "quote", "shared", "score"),
    [
        # the, last, tram, leave(s): "leave" is not "leaves"
        (
            "When does the last tram leave?",
            "The last tram leaves Mill Street at 10.30 p.m. every day!",
            ["last", "the", "tram"],
            3 / 6,
        ),
        ("Who misses the tram?", "Ida, who is late, always misses the tram.", None, 4 / 4),
        ("WHAT DOES DR. HOLM KEEP?", "Dr. Holm keeps bees on the roof.", ["dr", "holm"], 2 / 5),
        # a tie of one: the first
        ("The end?", "Dr. Holm keeps bees on the roof.", ["the"], 1 / 2),
        # distinct words count once
        ("it it it takes", "Nobody else takes it.", ["it", "takes"], 2 / 2),
        # nothing is shared: the first sentence, and no score
        ("Warum?", "Dr. Holm keeps bees on the roof.", [], 0.0),
        ("", "Dr. Holm keeps bees on the roof.", [], 0.0),
    ],
)
def test_longest_overlap_in_english(
    question: str, quote: str, shared: list[str] | None, score: float
) -> None:
    row = answer("longest_overlap", TRAM, question, language="en")
    assert row.text == quote
    assert (row.start, row.end) == row.sentence == span_of(quote, TRAM)
    assert row.score == pytest.approx(score)
    if shared is not None:
        assert row.evidence == {"shared": shared}


@pytest.mark.parametrize(
    ("question", "quote", "shared", "score"),
    [
        # 水车靠什么转动: 水 车 靠 转 动 of 7
        ("水车靠什么转动？", "磨坊的水车靠北边的小河转动！", "动水车转靠", 5 / 7),
        ("谁补网？", "老周问：“谁在补网？”", "网补谁", 3 / 3),
        ("二〇二〇年怎么了", "二〇二〇年，水车坏了", "〇二了年", 4 / 6),
        ("Why?", "码头上停着七条木船。", "", 0.0),
    ],
)
def test_longest_overlap_in_chinese(question: str, quote: str, shared: str, score: float) -> None:
    row = answer("longest_overlap", MILL, question, language="zh")
    assert row.text == quote
    assert (row.start, row.end) == row.sentence == span_of(quote, MILL)
    assert row.evidence == {"shared": sorted(shared)}
    assert row.score == pytest.approx(score)


@given(text=texts, question=texts, language=st.sampled_from(["en", "zh"]))
def test_offsets_point_at_the_answer(text: str, question: str, language: str) -> None:
    for candidate in ("lead", "longest_overlap"):
        row = answer(candidate, text, question, language=language)
        assert row.error is None
        if row.start is not None:
            assert text[row.start : row.end] == row.text == row.text.strip() != ""
            assert row.sentence == (row.start, row.end)
        else:
            assert not text.strip()
        assert row.score is None or 0 <= row.score <= 1
