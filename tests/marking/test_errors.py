"""Error classes: a table worked by hand, who is counted how, and that every answer has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, comprehension, passage, sat
from readmark.corpus.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.corpus.sitting import Row, Rows, Sitting, SittingHeader
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Layer
from readmark.marking.errors import CLASSES, FAILED, ErrorClasses
from readmark.marking.settings import Settings

FEW = Settings(draws=20)
DOCS = Path(__file__).resolve().parents[2] / "docs"
MILL = (
    "Editor Ada Marlow opened the mill in 1890. Ben Hale ran it for five years. "
    "The river drives the wheel, and the wheel turns the stone."
)
PAPER = "冰点周刊的主编李大同写了这封信。信在2006年发表，共有三千字。读者很多。"


def mill(**header: Any) -> Test:
    """English: spans, an unanswerable question, a publisher's key, marked sentences."""
    return comprehension(
        passage(
            "mill",
            asked("who", "Ada Marlow", level=1),
            asked("when", "1890", level=1),
            asked("what", "The river", level=2),
            asked("never", unanswerable=True, level=2),
            asked("own", published=["water power"], level=2),
            asked("marked", published=["water power"], sentences=((75, 133),), level=2),
            text=MILL,
        ),
        **{"language": "en", "profile": "squad2", **header},
    )


def paper() -> Test:
    """Chinese, by CMRC 2018's rules."""
    return comprehension(
        passage("信", asked("谁", "李大同"), asked("何时", "2006年"), text=PAPER), language="zh"
    )


def class_of(test: Test, id: str, answer: Any) -> str:
    sorter = ErrorClasses.of(test)
    assert sorter is not None
    unit = next(one for one in test.units() if one.id == id)
    said = Answer(text=answer) if isinstance(answer, str) else answer
    return sorter.class_of(unit, test.kind.references(unit), said)


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
    said = Answer(text=answer, start=start, end=start + len(answer)) if offsets else answer
    assert class_of(test, id, said) == name


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
    from readmark.corpus.test import Header, in_memory

    assert ErrorClasses.of(in_memory(Header(kind="readability", name="r"), ())) is None


def test_counts_gap_and_what_boundary_puts_into_it() -> None:
    """EM 2/4; F1: Marlow for Ada Marlow 2/3, the wheel for the river (articles go) 0."""
    answers = {"who": "Marlow", "when": "1890", "what": "the wheel", "never": ""}
    test = mill()
    chosen = sat(answers, covers=tuple(answers))
    marks = readmark.mark(test, chosen, by=["level"], metrics=["em", "f1"], settings=FEW)
    errors = marks.classes
    assert errors is not None
    assert errors.machine is not None
    assert errors.people is errors.beside is errors.method is None
    whole = errors.machine.all
    assert whole.units == 4
    assert {name: count for name, count in whole.counts.items() if count} == {
        "correct": 2,
        "boundary": 1,
        "right_sentence": 1,
    }
    assert whole.gap == pytest.approx(100 * (2 / 3) / 4, abs=1e-6)
    assert whole.boundary_gap == pytest.approx(whole.gap, abs=1e-6)
    levels = errors.machine.by["level"]
    assert [
        (one.units, one.counts["correct"], one.counts["boundary"]) for one in levels.values()
    ] == [
        (2, 1, 1),
        (2, 1, 0),
    ]
    assert levels["1"].gap == pytest.approx(100 / 3, abs=1e-6)
    assert errors.each == {
        "who": "boundary",
        "when": "correct",
        "what": "right_sentence",
        "never": "correct",
    }
    told = marks.as_json()["error_classes"]
    assert told["machine"]["by"]["level"]["2"]["counts"]["right_sentence"] == 1
    assert told["per_unit"]["who"] == "boundary"
    assert "per_unit" not in marks.as_json(units=False)["error_classes"]
    assert marks.as_json()["errors"] == []  # the contract's: ids of error rows


def test_the_gap_is_absent_where_em_and_f1_were_not_both_marked() -> None:
    marks = readmark.mark(mill(), sat({"who": "Marlow"}), metrics=["em"], settings=FEW)
    assert marks.classes is not None
    assert marks.classes.machine is not None
    assert marks.classes.machine.all.gap is None
    assert marks.classes.machine.all.boundary_gap == pytest.approx(100 * (2 / 3) / 6, abs=1e-6)


def test_error_rows_and_repeats() -> None:
    """Two repeats: an error and a right answer are half of each; a missing row is no answer."""
    test = comprehension(
        passage("p", asked("a", "kettle"), asked("b", "kettle"), asked("c", "kettle")),
        language="en",
    )
    answers: dict[str, Any] = {"a": (None, "kettle"), "b": ("a kettle", "a coat"), "c": None}
    marks = readmark.mark(test, sat(answers, repeats=2), settings=FEW)
    assert marks.classes is not None
    assert marks.classes.machine is not None
    counts = marks.classes.machine.all.counts
    assert {name: count for name, count in counts.items() if count} == {
        "correct": 1,
        "right_sentence": 0.5,
        "no_answer": 0.5,
        "error": 1,
    }
    assert marks.classes.each == {"a": None, "b": None, "c": None}


PEOPLE = comprehension(
    passage(
        "mill",
        asked("who", ("a", "Ada Marlow"), ("b", "Ada Marlow"), ("c", "Editor Ada Marlow")),
        asked("when", ("a", "1890"), ("b", "the mill"), ("c", "1890")),
        asked("alone", "The river"),
        text=MILL,
    ),
    language="en",
    profile="squad",
)


def test_people_by_leave_one_out() -> None:
    """who: a and b find each other, c misses the edge. when: b's against 1890 is of wrong type."""
    found = readmark.people(PEOPLE, settings=FEW)
    assert found.classes is not None
    assert found.classes.machine is None
    assert found.classes.people is not None
    counts = found.classes.people.all
    assert counts.units == 2
    assert {name: count for name, count in counts.counts.items() if count} == pytest.approx(
        {"correct": 4 / 3, "boundary": 1 / 3, "wrong_type": 1 / 3}, abs=1e-5
    )


def test_the_machine_beside_people_faces_the_same_sets() -> None:
    """1890 is right against {b, c}, {a, c}, {a, b}; Editor Ada Marlow only where c stays."""
    answers = {"who": "Editor Ada Marlow", "when": "1890", "alone": "The river"}
    errors = readmark.mark(PEOPLE, sat(answers), settings=FEW).classes
    assert errors is not None
    assert errors.machine is not None
    assert errors.beside is not None
    assert errors.method == "leave-one-out"
    assert errors.machine.all.counts["correct"] == 3
    assert errors.beside.all.units == 2
    assert errors.beside.all.counts["correct"] == pytest.approx(2 / 3 + 1, abs=1e-5)
    assert errors.beside.all.counts["boundary"] == pytest.approx(1 / 3, abs=1e-5)


def test_a_panel_is_counted_by_its_members() -> None:
    """Ben sat two of three: counts are means over the two people, of 3 and 2 units."""
    panel = [
        sat({"who": "Editor Ada Marlow", "when": "1890", "what": ""}, candidate="ann"),
        sat({"who": "Ada Marlow", "when": "1890"}, candidate="ben", covers=("who", "when")),
    ]
    test = comprehension(
        passage(
            "mill",
            asked("who", "Ada Marlow"),
            asked("when", "1890"),
            asked("what", "The river"),
            text=MILL,
        ),
        language="en",
        profile="squad",
    )
    errors = readmark.mark(test, sat({"who": "Ada Marlow"}), people=panel, settings=FEW).classes
    assert errors is not None
    assert errors.people is not None
    assert errors.beside is None
    assert errors.method == "panel"
    assert errors.people.all.units == 2.5
    assert {name: count for name, count in errors.people.all.counts.items() if count} == {
        "correct": 1.5,
        "boundary": 0.5,
        "no_answer": 0.5,
    }


def test_the_marksheet_holds_the_vectors(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    marks = readmark.mark(mill(), sat({"who": "Marlow"}), settings=FEW, marksheet=file)
    header = read_marksheet_header(str(file))
    assert header.classes is not None
    assert marks.classes is not None
    assert header.classes.names == CLASSES
    assert header.classes.signature == marks.classes.signature
    units = [row for row in read_marksheet_rows(str(file)) if isinstance(row, MarkedUnit)]
    assert units[0].classes is not None
    assert units[0].classes.own is not None
    assert units[0].classes.own[:2] == (0.0, 1.0)
    assert units[0].classes.own[-1] == pytest.approx(2 / 3, abs=1e-6)


def test_classes_can_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    answers = sat({"who": "Marlow"})
    marks = readmark.mark(mill(), answers, settings=FEW, marksheet=file, classes=False)
    assert marks.classes is None
    assert "error_classes" not in marks.as_json()
    assert read_marksheet_header(str(file)).classes is None


words = st.sampled_from(
    ["", "Ada Marlow", "Marlow", "the mill", "1890", "five years", "a badger", "The river drives"]
)
said = st.one_of(words, st.none(), st.text(max_size=12))


@given(
    answers=st.dictionaries(
        st.sampled_from(["who", "when", "what", "never", "own", "marked"]),
        st.tuples(said, said),
        max_size=6,
    ),
    repeats=st.sampled_from([1, 2]),
)
def test_classes_sum_to_units_and_correct_is_em(
    answers: dict[str, tuple[str | None, str | None]], repeats: int
) -> None:
    rows: Rows = {}
    for id, several in answers.items():
        rows[id] = tuple(
            Row(id=id, repeat=at, error="late") if one is None else Row(id=id, repeat=at, text=one)
            for at, one in enumerate(several[:repeats])
        )
    sitting = Sitting(SittingHeader(candidate="reader", repeats=repeats), rows)
    marks = readmark.mark(mill(), sitting, metrics=["em"], by=["level"], settings=Settings(draws=2))
    errors = marks.classes
    assert errors is not None
    assert errors.machine is not None
    whole = errors.machine.all
    assert sum(whole.counts.values()) == pytest.approx(whole.units, abs=1e-4)
    assert whole.units == marks.units == 6
    score = marks["em"].score
    assert score is not None
    assert whole.counts["correct"] == pytest.approx(score * 6 / 100, abs=1e-4)
    for name in CLASSES:
        parts = [one.counts[name] for one in errors.machine.by["level"].values()]
        assert sum(parts) == pytest.approx(whole.counts[name], abs=1e-4)


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
    for id, found in marks.classes.each.items():
        em, f1 = per_question[id]
        assert (found == "correct") == (em == 1.0), id
        if found == "no_answer":
            assert f1 == 0.0, id
    whole = marks.classes.machine.all
    assert sum(whole.counts.values()) == whole.units == len(per_question)
    boundary = [id for id, found in marks.classes.each.items() if found == "boundary"]
    official = 100 * sum(per_question[id][1] for id in boundary) / len(per_question)
    assert whole.boundary_gap == pytest.approx(official, abs=1e-3)
    assert f"{whole.boundary_gap:.1f} of {whole.gap:.1f}" == of_it
    assert of_it in (DOCS / "errors.md").read_text("utf-8")


@pytest.mark.golden
def test_whatever_overlaps_the_key_is_of_class_boundary(shared: Path) -> None:
    """CMRC 2018's trial, recounted by plain search: answer and key wherever their words stand."""
    test = shared / "data" / "cmrc2018" / "trial.json"
    predictions = shared / "golden" / "cmrc2018_trial.predictions.json"
    marks = readmark.mark(test, predictions, settings=FEW)
    assert marks.classes is not None
    assert marks.classes.each is not None
    said = json.loads(predictions.read_text("utf-8"))
    recounted: dict[str, str] = {}
    articles = json.loads(test.read_text("utf-8"))["data"]
    for record in (one for article in articles for one in article["paragraphs"]):
        text = record["context"]
        for question in record["qas"]:
            given = found_in(text, said.get(question["id"], ""))
            keys = {at for one in question["answers"] for at in found_in(text, one["text"])}
            placed = "boundary" if given & keys else "other"
            recounted[question["id"]] = placed if given else "nowhere"
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
        at for one in starts if text.startswith(words, one) for at in range(one, one + len(words))
    }
