"""The bag-of-words readers on the document's worked examples and on passages worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from made import asked, comprehension, passage
from readmark.core.errors import UsageError
from readmark.core.records import Layer, Offsets, RecordKey
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.sitting.runner import sit


def spans(text: str, *quotes: str) -> tuple[Offsets, ...]:
    """Where quotes stand, one after the other."""
    places, at = [], 0
    for quote in quotes:
        at = text.index(quote, at)
        places.append((at, at + len(quote)))
        at += len(quote)
    return tuple(places)


def said(test: Test, candidate: str, folder: Path) -> dict[str, Row]:
    path = folder / "sitting.jsonl"
    path.unlink(missing_ok=True)
    sit(test, candidate, path)
    sitting = open_sitting(path, test.kind)
    rows = {unit.id: sitting.of(unit.id)[0] for unit in test.units()}
    assert all(row.error is None for row in rows.values()), rows
    for unit in test.units():
        row = rows[unit.id]
        assert row.sentence is not None
        assert unit.record.text[slice(*row.sentence)] == row.text
    return rows


def one(text: str, question: str, *, language: str = "en", **more: Any) -> Test:
    return comprehension(
        passage("p", asked("q", "x", text=question), text=text, **more), language=language
    )


def test_a_tie_goes_to_the_first_sentence(tmp_path: Path) -> None:
    text = "A new machine has been made. The machine is called a typewriter."
    row = said(one(text, "What is the new machine called?"), "bow", tmp_path)["q"]
    assert row.text == "A new machine has been made."
    assert row.evidence == {"shared": ["machine", "new"]}
    assert row.score == pytest.approx(2 / 4)


def test_nothing_shared_is_the_first_sentence(tmp_path: Path) -> None:
    row = said(one("Owls sleep. Foxes bark.", "Why?"), "bow", tmp_path)["q"]
    assert (row.text, row.score) == ("Owls sleep.", 0.0)


EDISON = "Thomas Edison was a man of few words. He wasted no time."
EDISON_ZH = "托马斯是个沉默寡言的人。他从不浪费时间。"


def annotated(text: str, name: str, pronoun: str) -> dict[str, Any]:
    both = spans(text, name, pronoun)
    mentions = Layer(spans=both, columns={"id": (1, None), "ref": (None, 1)})
    return {
        "layers": {"np": Layer(spans=both)},
        "key": RecordKey(layers={"mention": mentions}),
    }


def test_gold_antecedents_are_read_for_pronouns(tmp_path: Path) -> None:
    test = one(EDISON, "Did Thomas Edison waste time?", **annotated(EDISON, "Thomas Edison", "He"))
    assert said(test, "bow", tmp_path)["q"].text.startswith("Thomas")
    row = said(test, "bow(pr=gold)", tmp_path)["q"]
    assert row.text == "He wasted no time."
    assert row.evidence == {"shared": ["edison", "thomas", "time", "waste"]}


def test_gold_antecedents_in_chinese(tmp_path: Path) -> None:
    test = one(
        EDISON_ZH, "托马斯浪费时间吗？", language="zh", **annotated(EDISON_ZH, "托马斯", "他")
    )
    row = said(test, "bow(pr=gold)", tmp_path)["q"]
    assert row.text == "他从不浪费时间。"


@pytest.mark.parametrize(
    ("candidate", "layer"),
    [("bow(pr=gold)", "mention"), ("bow(seg=gold)", "token"), ("bow(nef=true,ne=gold)", "ne")],
)
def test_gold_that_is_not_there_is_told_before_the_first_unit(
    candidate: str, layer: str, tmp_path: Path
) -> None:
    path = tmp_path / "sitting.jsonl"
    with pytest.raises(UsageError, match=f"does not have: layer {layer}"):
        sit(one(EDISON, "Did Thomas Edison waste time?"), candidate, path)
    assert not path.exists()


def test_entities_without_types_are_told(tmp_path: Path) -> None:
    layers = {"ne": Layer(spans=((0, 13),))}
    test = one(EDISON, "Who wasted no time?", layers=layers)
    codes = [code for _, code, _ in test.kind.findings(next(test.records()))]
    assert "layer" in codes
    path = tmp_path / "sitting.jsonl"
    assert sit(test, "bow(nef=true,ne=gold)", path).errors == 1
    assert "does not say its types" in (open_sitting(path, test.kind).of("q")[0].error or "")


def test_with_nothing_shared_the_type_still_decides(tmp_path: Path) -> None:
    text = "Nobody came. Peter Hall won."
    layers = {"ne": Layer(spans=((13, 23),), columns={"type": ("PERSON",)})}
    test = one(text, "Who zzz?", layers=layers)
    for way in ("filter", "ties"):
        row = said(test, f"bow(nef=true,ne=gold,nef_as={way})", tmp_path)["q"]
        assert row.text == "Peter Hall won."


def filtered(**more: Any) -> Test:
    text = "The new club opened on a rainy day. Anna Li runs it. The new club costs a lot."
    layers = {
        "np": Layer(spans=spans(text, "The new club", "a rainy day", "Anna Li")),
        "ne": Layer(
            spans=spans(text, "a rainy day", "Anna Li"), columns={"type": ("TIME", "PERSON")}
        ),
    }
    questions = (
        asked("who", "x", text="Who runs the new club?"),
        asked("when", "x", text="When did the new club open?"),
        asked("what", "x", text="What costs a lot?"),
        asked("whom", "x", text="Who opened the new club?"),
    )
    return comprehension(passage("p", *questions, text=text, layers=layers), language="en")


def test_entities_filter_before_overlap_or_break_ties(tmp_path: Path) -> None:
    plain = said(filtered(), "bow", tmp_path)
    assert plain["who"].text.startswith("The new club opened")  # two shared words, first of equals
    strict = said(filtered(), "bow(nef=true,ne=gold)", tmp_path)
    assert strict["who"].text == "Anna Li runs it."
    assert strict["who"].evidence == {
        "shared": ["run"],
        "wanted": "PERSON",
        "phrase": {"text": "Anna Li", "start": 36, "end": 43, "type": "PERSON"},
    }
    assert strict["what"].text == "The new club costs a lot."
    # No sentence with a person shares a word: all of them stand again.
    assert strict["whom"].text == "The new club opened on a rainy day."
    ties = said(filtered(), "bow(nef=true,ne=gold,nef_as=ties)", tmp_path)
    assert ties["who"].text.startswith("The new club opened")
    assert ties["when"].evidence["phrase"]["text"] == "a rainy day"  # type: ignore[index]


def test_gold_words_decide_what_is_shared(tmp_path: Path) -> None:
    text = "轩芝丝输了。芝丝是丝。"
    words = spans(text, "轩芝丝", "输", "了", "。", "芝丝", "是", "丝", "。")
    test = one(text, "轩芝丝是谁？", language="zh", layers={"token": Layer(spans=words)})
    row = said(test, "bow(seg=gold)", tmp_path)["q"]
    assert row.evidence is not None
    assert row.evidence["shared"] == ["轩芝丝"]


def test_title_and_dateline_may_be_left_out(tmp_path: Path) -> None:
    text = "Old club closes\nMay 3\nMembers wept. The club was old."
    parts = {"title": [0, 15], "dateline": [16, 21], "story": [22, len(text)]}
    test = one(text, "Which old club closes?", fields={"parts": parts})
    assert said(test, "bow", tmp_path)["q"].text == "Old club closes"
    assert said(test, "bow(parts=story)", tmp_path)["q"].text == "The club was old."
