"""Error classes: a table worked by hand, and real systems against the official scorer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.comprehension.error_classes import ErrorClasses
from readmark.core.records import Answer, Layer
from readmark.core.sitting import FAILED
from readmark.core.test import Test
from wrong_answers import FEW, mill

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAPER = "冰点周刊的主编李大同写了这封信。信在2006年发表，共有三千字。读者很多。"


def paper() -> Test:
    """Chinese, by CMRC 2018's rules."""
    return comprehension(
        passage("信", asked("谁", "李大同"), asked("何时", "2006年"), text=PAPER), language="zh"
    )


def class_of(test: Test, id: str, answer: Any) -> str:
    sorter = ErrorClasses.of(test)
    assert sorter is not None
    unit = next(candidate for candidate in test.units() if candidate.id == id)
    given_answer = Answer(text=answer) if isinstance(answer, str) else answer
    return sorter.class_of(unit, test.kind.references(unit), given_answer)


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("who", "Ada Marlow", "correct"),
        ("who", "the Ada Marlow.", "correct"),  # as EM normalises
        ("who", "Editor Ada Marlow", "boundary"),
        ("who", "Marlow", "boundary"),
        ("who", "the mill", "right_sentence"),
        ("who", "Ben Hale", "wrong_sentence"),
        ("who", "1890", "wrong_type"),
        ("who", "five years", "wrong_type"),
        ("who", "a painter", "unplaced"),
        ("who", "it was Ada Marlow herself", "boundary"),  # not in the passage, but holds the key
        ("who", "", "no_answer"),
        ("who", " ", "no_answer"),
        ("who", None, "no_answer"),
        ("who", FAILED, "error"),
        ("when", "the mill", "wrong_type"),
        ("when", "five years", "wrong_sentence"),  # both are times
        ("when", "in 1890", "boundary"),
        ("never", "", "correct"),
        ("never", "the mill", "false_answer"),
        ("never", None, "no_answer"),
        ("own", "the wheel", "unplaced"),  # the key stands nowhere
        ("own", "water power of old", "boundary"),
        ("marked", "the wheel", "right_sentence"),
        ("marked", "Ben Hale", "wrong_sentence"),
        ("what", Answer(text="the", start=25), "wrong_sentence"),
        ("what", Answer(text="the wheel", start=92), "right_sentence"),
        ("what", Answer(text="rather wet", sentence=(75, 133)), "right_sentence"),
    ],
)
def test_english(id: str, answer: Any, name: str) -> None:
    assert class_of(mill(), id, answer) == name


def test_without_offsets_the_place_that_fits_counts() -> None:
    test = comprehension(passage("p", asked("a", "The fox"), text="A fox sat. The fox ran."))
    test = comprehension(*test.records(), language="en", profile="cmrc2018")
    assert class_of(test, "a", "fox") == "boundary"
    assert class_of(test, "a", Answer(text="fox", start=15)) == "boundary"
    assert class_of(test, "a", Answer(text="fox", start=2)) == "wrong_sentence"


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("谁", "李大同", "correct"),
        ("谁", "“李大同”", "correct"),
        ("谁", "主编李大同", "boundary"),  # SMART's own example
        ("谁", "冰点周刊", "right_sentence"),
        ("谁", "读者", "wrong_sentence"),
        ("谁", "2006年", "wrong_type"),
        ("何时", "三千字", "wrong_type"),
        ("何时", "李大同", "wrong_type"),
        ("何时", "信在２００６年", "boundary"),  # but for width
        ("何时", "不知道", "wrong_type"),
    ],
)
def test_chinese(id: str, answer: str, name: str) -> None:
    assert class_of(paper(), id, answer) == name


@pytest.mark.parametrize("offsets", [False, True])
@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("谁", "编李大同写", "boundary"),
        ("面积", "1.60", "boundary"),
        ("面积", "积1.6", "boundary"),
        ("模式", "BO", "boundary"),
        ("模式", "。面积1.6", "wrong_type"),
        ("谁", "采用BO", "wrong_sentence"),
        ("模式", "李大同采用BO", "boundary"),
    ],
)
def test_an_edge_amid_a_word_is_a_wrong_edge(
    id: str, answer: str, name: str, offsets: bool
) -> None:
    """A place tells the same class whether the answer comes with its offsets or without."""
    text = "主编李大同写信。面积1.601平方公里。李大同采用BOT模式。"
    test = comprehension(
        passage(
            "信",
            asked("谁", "主编李大同"),
            asked("面积", "1.601平方公里"),
            asked("模式", "BOT模式"),
            text=text,
        ),
        language="zh",
    )
    start = text.index(answer)
    given_answer = Answer(text=answer, start=start, end=start + len(answer)) if offsets else answer
    assert class_of(test, id, given_answer) == name


def test_a_layer_of_entities_goes_before_the_rules() -> None:
    layer = Layer(spans=((7, 17), (43, 51)), columns={"type": ("PERSON", "ORGANIZATION")})
    test = mill()
    [record] = test.records()
    marked = comprehension(
        msgspec.structs.replace(record, layers={"ne": layer}), language="en", profile="squad2"
    )
    assert class_of(test, "who", "Ben Hale") == "wrong_sentence"
    assert class_of(marked, "who", "Ben Hale") == "wrong_type"


def test_other_kinds_have_none() -> None:
    from readmark.core.kinds import KINDS
    from readmark.marking.kind_extras import ClassesErrors

    having = [name for name, kind in KINDS.working() if isinstance(kind, ClassesErrors)]
    assert having == ["comprehension"]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "of_it"),
    [
        ("match-lstm_with_ans-ptr", "10.2 of 11.2"),
        ("logistic_regression_baseline", "10.4 of 11.9"),
    ],
)
def test_what_is_correct_is_what_the_official_scorer_says(
    name: str, of_it: str, shared: Path
) -> None:
    """Two real systems: the classes of 738 questions, and the official EM and F1 of each.

    The documentation tells what boundary makes of both gaps.
    """
    gold = json.loads((shared / "golden" / f"xquad_en.{name}.expected.json").read_text("utf-8"))
    predictions = shared / "data" / "squad_predictions" / f"{name}.json"
    marks = readmark.mark(shared / "data" / "xquad" / "en.json", predictions, settings=FEW)
    assert marks.classes is not None
    assert marks.classes.each is not None
    assert marks.classes.machine is not None
    per_question = gold["per_question"]
    for id, error_class in marks.classes.each.items():
        em, f1 = per_question[id]
        assert (error_class == "correct") == (em == 1.0), id
        if error_class == "no_answer":
            assert f1 == 0.0, id
    whole = marks.classes.machine
    assert sum(whole.counts.values()) == whole.units == len(per_question)
    boundary = [id for id, error_class in marks.classes.each.items() if error_class == "boundary"]
    official = 100 * sum(per_question[id][1] for id in boundary) / len(per_question)
    assert whole.boundary_gap == pytest.approx(official, abs=1e-3)
    assert f"{whole.boundary_gap:.1f} of {whole.gap:.1f}" == of_it
    assert of_it in (DOCS.parent / "benchmarks" / "marking.md").read_text("utf-8")


@pytest.mark.golden
def test_whatever_overlaps_the_key_is_of_class_boundary(shared: Path) -> None:
    """CMRC 2018's trial, recounted by plain search: answer and key wherever their words stand."""
    test = shared / "data" / "cmrc2018" / "trial.json"
    predictions = shared / "golden" / "cmrc2018_trial.predictions.json"
    marks = readmark.mark(test, predictions, settings=FEW)
    assert marks.classes is not None
    assert marks.classes.each is not None
    answers = json.loads(predictions.read_text("utf-8"))
    recounted: dict[str, str] = {}
    articles = json.loads(test.read_text("utf-8"))["data"]
    for record in (item for article in articles for item in article["paragraphs"]):
        text = record["context"]
        for question in record["qas"]:
            places = found_in(text, answers.get(question["id"], ""))
            keys = {at for item in question["answers"] for at in found_in(text, item["text"])}
            placed = "boundary" if places & keys else "other"
            recounted[question["id"]] = placed if places else "nowhere"
    each = marks.classes.each
    wrong = {id for id, name in each.items() if name not in ("correct", "no_answer")}
    assert {recounted[id] for id in wrong} == {"boundary", "other"}
    assert {id for id in wrong if recounted[id] == "boundary"} == {
        id for id, name in each.items() if name == "boundary"
    }
    assert "unplaced" not in each.values()
    assert len(each) == 1002


def found_in(text: str, words: str) -> set[int]:
    """The places of every sign of the words, wherever they stand."""
    words = words.strip()
    starts = range(len(text) - len(words) + 1) if words else ()
    return {
        at
        for start in starts
        if text.startswith(words, start)
        for at in range(start, start + len(words))
    }
