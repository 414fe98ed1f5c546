"""Marks: slices, intervals, coverage, and what counts when answers are missing."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import convert
from scipy.stats import norm

import readmark
from made import asked, comprehension, passage, sat, shared_out
from oracles.resampled import drawn_statistics, mean, percentiles, quantile
from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.registry import Entry
from readmark.corpus.sitting import Row, Rows, Sitting, SittingHeader
from readmark.corpus.test import Test
from readmark.corpus.values import Passage
from readmark.marking.marks import Mark
from readmark.marking.metrics import METRICS
from readmark.marking.settings import Settings

FEW = Settings(draws=200)
LEVELS = {
    "1": (1639, 1987, 82.5),
    "2": (404, 506, 79.8),
    "3": (979, 1349, 72.6),
    "4": (124, 193, 64.2),
}


def spread(mark: Mark) -> tuple[float | None, float | None, float | None]:
    return mark.score, mark.low, mark.high


def test_levels_of_smart() -> None:
    """The figures of SMART's table: four levels, and the mean over questions, not over levels."""
    questions, answers = [], {}
    for level, (right, units, _) in LEVELS.items():
        for at in range(units):
            questions.append(asked(f"{level}.{at}", "kettle", level=int(level)))
            answers[f"{level}.{at}"] = "kettle" if at < right else "boat"
    passages = [passage(f"p{at}", *questions[at::300]) for at in range(300)]
    found = readmark.mark(comprehension(*passages), sat(answers), by=["level"], settings=FEW)
    by = found.by["level"]
    assert list(by) == list(LEVELS)
    assert {level: one.units for level, one in by.items()} == {
        level: units for level, (_, units, _) in LEVELS.items()
    }
    for level, (right, units, shown) in LEVELS.items():
        assert by[level].marks["em"].score == pytest.approx(100 * right / units, abs=1e-9)
        assert round(by[level].marks["em"].score or 0, 1) == shown
    assert found.units == 4035
    assert round(found["em"].score or 0, 1) == 78.0
    assert found["em"].score == pytest.approx(100 * 3146 / 4035, abs=1e-9)


MANY_FIELDS = comprehension(
    passage(
        "p1",
        asked("a", "kettle", level=10, type="when", key_fields={"skill": ["dates", "sums"]}),
        asked("b", "kettle", level=9, key_fields={"skill": "dates"}, fields={"turned": True}),
        genre="news",
        fields={"mood": "passage's"},
    ),
    passage(
        "p2",
        asked(
            "c",
            "kettle",
            level="-1.5",
            key_fields={"skill": ["sums", "sums"], "mood": "key's"},
            fields={"mood": "question's"},
        ),
        asked("d", "kettle", fields={"genre": "letter", "mood": "question's"}),
        genre="tale",
        split="dev",
    ),
)
ALL_RIGHT = sat(dict.fromkeys("abcd", "kettle"))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("level", {"-1.5": 1, "9": 1, "10": 1, "-": 1}),  # numbers by size, absent last
        ("skill", {"dates": 2, "sums": 2, "-": 1}),  # a list puts a unit in each slice, once
        ("type", {"when": 1, "-": 3}),
        ("genre", {"letter": 1, "news": 2, "tale": 1}),  # the question's before the passage's
        ("mood", {"key's": 1, "passage's": 2, "question's": 1}),  # the key's before both
        ("split", {"dev": 2, "-": 2}),
        ("turned", {"true": 1, "-": 3}),
        ("unanswerable", {"false": 4}),
        ("nowhere", {"-": 4}),
    ],
)
def test_slices(field: str, expected: dict[str, int]) -> None:
    found = readmark.mark(MANY_FIELDS, ALL_RIGHT, by=[field], settings=FEW)
    assert {label: one.units for label, one in found.by[field].items()} == expected
    assert list(found.by[field]) == list(expected)
    assert json.loads(json.dumps(found.as_json()))["by"][field].keys() == expected.keys()


def test_several_fields_keep_their_order() -> None:
    found = readmark.mark(MANY_FIELDS, ALL_RIGHT, by=["type", "level"], settings=FEW)
    assert list(found.by) == ["type", "level"]


def test_words_that_python_takes_for_numbers_keep_their_place() -> None:
    labels = ["nan", "2", "inf", "1", "zebra", "3"]
    for order in (labels, labels[::-1]):
        test = comprehension(
            passage("p", *(asked(f"q{at}", "kettle", level=one) for at, one in enumerate(order)))
        )
        found = readmark.mark(test, sat({}), by=["level"], settings=FEW)
        assert list(found.by["level"]) == ["1", "2", "3", "inf", "nan", "zebra"]


units = st.lists(
    st.tuples(st.sampled_from(["p1", "p2", "p3", "p4"]), st.integers(0, 1), st.integers(1, 3)),
    min_size=2,
    max_size=25,
)


@settings(max_examples=40)
@given(units=units)
def test_a_slice_is_a_test_of_its_units(units: list[tuple[str, int, int]]) -> None:
    """Score and interval of a slice are those of a test that has nothing else."""

    def made(chosen: list[tuple[int, tuple[str, int, int]]]) -> Test:
        groups: dict[str, list[Any]] = {}
        for at, (group, _, level) in chosen:
            groups.setdefault(group, []).append(asked(f"q{at}", "kettle pot", level=level))
        return comprehension(*(passage(id, *found) for id, found in groups.items()))

    answers = {f"q{at}": "kettle pot" if v else "pot" for at, (_, v, _) in enumerate(units)}
    whole = readmark.mark(made(list(enumerate(units))), sat(answers), by=["level"], settings=FEW)
    for label, part in whole.by["level"].items():
        chosen = [(at, one) for at, one in enumerate(units) if str(one[2]) == label]
        alone = readmark.mark(made(chosen), sat(answers), settings=FEW)
        assert part.units == alone.units
        for name in ("em", "f1"):
            assert spread(part.marks[name]) == spread(alone[name])
            assert part.marks[name].signature == alone[name].signature


VALUES = [("p3", 1), ("p1", 0), ("p2", 1), ("p1", 1), ("p3", 1), ("p2", 0), ("p4", 1), ("p1", 0)]


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_interval_by_a_plain_loop(seed: int, confidence: float) -> None:
    """Whole passages are drawn, numbered by their ids' order, and questions weigh alike."""
    test, sitting = shared_out(VALUES)
    clusters: dict[str, list[float]] = {}
    for group, value in VALUES:
        clusters.setdefault(group, []).append(value)
    values = drawn_statistics([clusters], mean, seed=seed, draws=300)
    chosen = Settings(seed=seed, draws=300, confidence=confidence)
    found = readmark.mark(test, sitting, settings=chosen)
    low, high = percentiles(values, confidence)
    assert spread(found["em"]) == pytest.approx((62.5, 100 * low, 100 * high), abs=1e-9)
    assert spread(found["f1"]) == spread(found["em"])


def test_bca_by_its_formula() -> None:
    """Efron's bias and acceleration, worked here from the draws and the jackknife."""
    test, sitting = shared_out([*VALUES, ("p5", 1), ("p5", 1), ("p6", 1), ("p7", 0)])
    clusters: dict[str, list[float]] = {}
    for group, value in [*VALUES, ("p5", 1), ("p5", 1), ("p6", 1), ("p7", 0)]:
        clusters.setdefault(group, []).append(value)
    values = sorted(drawn_statistics([clusters], mean, draws=500))
    observed = mean([value for one in clusters.values() for value in one])
    share = sum((value < observed) + (value == observed) / 2 for value in values) / len(values)
    bias = norm.ppf(share)
    left = [mean([v for n, one in clusters.items() if n != name for v in one]) for name in clusters]
    away = [mean(left) - one for one in left]
    acceleration = sum(a**3 for a in away) / (6 * sum(a**2 for a in away) ** 1.5)

    def end(nominal: float) -> float:
        z = bias + norm.ppf(nominal)
        return quantile(values, norm.cdf(bias + z / (1 - acceleration * z)))

    found = readmark.mark(test, sitting, settings=Settings(draws=500, interval="bca"))["em"]
    expected = (100 * observed, 100 * end(0.025), 100 * end(0.975))
    assert spread(found) == pytest.approx(expected, abs=1e-6)
    percentile = readmark.mark(test, sitting, settings=Settings(draws=500))["em"]
    assert found.score == percentile.score
    assert (found.low, found.high) != (percentile.low, percentile.high)
    assert "interval:bca" in found.signature


def test_interval_is_not_forced_to_be_symmetric() -> None:
    test, sitting = shared_out([(f"p{at}", at > 0) for at in range(20)])
    found = readmark.mark(test, sitting)["em"]
    assert found.score == 95
    assert found.high == 100  # never over what a mark can be
    assert found.low is not None
    assert found.low <= 85


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
@example(seed=0)
def test_no_order_matters(seed: int) -> None:
    """Records, questions and the sitting's rows in any order give the same marks to the bit."""
    test, sitting = shared_out(VALUES)
    expected = readmark.mark(test, sitting, settings=FEW)
    source = random.Random(seed)
    records = list(test.records())
    source.shuffle(records)
    shuffled = [
        passage(one.id, *source.sample(one.questions, len(one.questions)), text=one.text)
        for one in records
    ]
    answers = {id: sitting.of(id)[0].text for id in sitting}
    rows = sat(dict(source.sample(list(answers.items()), len(answers))))
    found = readmark.mark(comprehension(*shuffled), rows, settings=FEW)
    assert found.marks == expected.marks
    assert found.per_unit() == expected.per_unit()
    assert found.test == expected.test


def test_seed_and_draws_decide_the_interval() -> None:
    test, sitting = shared_out([(f"p{at % 9}", at % 3 > 0) for at in range(40)])
    ends = {
        spread(readmark.mark(test, sitting, settings=Settings(seed=seed, draws=draws))["em"])
        for seed, draws in ((1, 200), (2, 200), (1, 201))
    }
    assert len(ends) == 3
    assert len({one[0] for one in ends}) == 1


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_one_cluster_has_a_score_and_no_interval(how: str) -> None:
    test, sitting = shared_out([("p", 1), ("p", 0), ("p", 1), ("p", 1)])
    found = readmark.mark(test, sitting, by=["level"], settings=Settings(interval=how))
    assert spread(found["em"]) == (75, None, None)
    assert spread(found.by["level"]["-"].marks["em"]) == (75, None, None)
    assert found.as_json()["marks"]["em"]["low"] is None


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_clusters_all_alike_have_an_interval_of_no_width(how: str) -> None:
    test, sitting = shared_out([("p1", 1), ("p2", 1), ("p3", 1)])
    found = readmark.mark(test, sitting, settings=Settings(interval=how))
    assert spread(found["em"]) == (100, 100, 100)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"seed": -1}, "seed -1 is negative"),
        ({"draws": 0}, "1 or more"),
        ({"trials": 0}, "1 or more"),
        ({"confidence": 1.0}, "confidence 1.0"),
        ({"confidence": 95}, "confidence 95"),
        ({"confidence": float("nan")}, "confidence nan"),
        ({"interval": "normal"}, "percentile|bca"),
    ],
)
def test_bad_settings(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**chosen)
    assert message in str(caught.value)


THREE = comprehension(
    passage("p1", asked("a", "kettle"), asked("b", "coat")), passage("p2", asked("c", "boats"))
)


def test_unanswered_units_count_as_wrong_and_are_named() -> None:
    found = readmark.mark(THREE, sat({"c": "boats"}))
    assert found["em"].score == pytest.approx(100 / 3)
    assert list(found.unanswered) == ["a", "b"]
    assert (found.units, found.answered, list(found.errors)) == (3, 1, [])
    assert found.per_unit()["a"] == {"em": 0, "f1": 0}


def test_empty_text_is_an_answer() -> None:
    found = readmark.mark(THREE, sat({"a": "", "b": "coat", "c": " "}))
    assert list(found.unanswered) == []
    assert (found.answered, found["em"].score) == (3, pytest.approx(100 / 3))


def test_errors_are_counted_apart() -> None:
    found = readmark.mark(THREE, sat({"a": None, "b": "coat"}))
    assert (list(found.errors), list(found.unanswered), found.answered) == (["a"], ["c"], 1)
    assert found["em"].score == pytest.approx(100 / 3)
    document = found.as_json()
    assert (document["errors"], document["unanswered"], document["answered"]) == (["a"], ["c"], 1)


def test_repeats_are_averaged() -> None:
    answers = {"a": ("kettle", "pot", "kettle", "kettle"), "b": ("coat", None), "c": "boats"}
    found = readmark.mark(THREE, sat(answers))
    # an error on one of two repeats is wrong there, and the unit is listed
    assert found.per_unit() == {
        "a": {"em": 0.75, "f1": 0.75},
        "b": {"em": 0.5, "f1": 0.5},
        "c": {"em": 1, "f1": 1},
    }
    assert found["em"].score == 75
    assert list(found.errors) == ["b"]


def test_the_last_row_of_an_id_and_repeat_wins(tmp_path: Path) -> None:
    """A journal that was resumed: the error was tried again, the second repeat came later."""
    rows: list[dict[str, Any]] = [
        {"readmark": 1, "file": "sitting", "candidate": "journal"},
        {"id": "a", "error": "timed out", "attempt": 1},
        {"id": "b", "text": "coat"},
        {"id": "a", "text": "kettle", "attempt": 2},
        {"id": "b", "text": "boat", "repeat": 1},
        {"id": "b", "text": "hat"},
        {"id": "b", "text": "coat", "repeat": 1},
    ]
    file = tmp_path / "journal.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = readmark.mark(THREE, file)
    assert list(found.errors) == []
    assert [found.per_unit()[id]["em"] for id in "abc"] == [1, 0.5, 0]


def test_what_is_missing_of_repeats_is_named() -> None:
    whole = ("kettle", "kettle", "kettle")
    answers = {"a": whole, "b": ("coat", "coat"), "c": ("boats", None)}
    found = readmark.mark(THREE, sat(answers, repeats=3), metrics="em")
    # b lacks its third; c has an error in its second and lacks its third
    assert (list(found.errors), list(found.unanswered), found.answered) == (["c"], ["b"], 1)
    assert (found.missing, found.not_sat) == ({2: ["b", "c"]}, [])
    assert found.repeats["em"].scores == pytest.approx([100, 200 / 3, 100 / 3])
    assert found.notes == [
        "<memory>: answers are missing and count as wrong: 2 (b in repeat 3, c in repeat 3)"
    ]


def test_a_repeat_that_was_not_sat_has_no_mark() -> None:
    answers = {"a": ("kettle", "pot"), "b": ("coat", "coat"), "c": ("boat", "boat")}
    found = readmark.mark(THREE, sat(answers, repeats=3), metrics="em")
    assert found.not_sat == [2]
    assert found.repeats["em"].scores == [pytest.approx(200 / 3), pytest.approx(100 / 3), None]
    # of 66.7 and 33.3 alone: their distance over the root of two
    assert found.repeats["em"].deviation == pytest.approx(100 / 3 / 2**0.5)
    assert found["em"].score == pytest.approx(100 * 3 / 9)
    assert list(found.unanswered) == ["a", "b", "c"]
    assert (found.answered, found.missing) == (0, {})


def test_rows_of_repeats_that_the_header_does_not_tell_of() -> None:
    answers = {"a": ("kettle", "pot", "kettle"), "b": ("coat", "coat", None), "c": ("boat", "boat")}
    found = readmark.mark(THREE, sat(answers, repeats=2), metrics="em")
    assert found.per_unit()["a"]["em"] == 0.5
    assert (list(found.errors), found.unanswered, found.answered) == ([], [], 3)
    [said] = found.notes
    assert said.endswith("rows of repeats beyond the 2 of its header were left out: 2 (a, b)")


def test_repeats_of_thirds_stay_on_the_grid() -> None:
    found = readmark.mark(THREE, sat({"a": ("kettle", "pot", "pot")}))
    value = found.per_unit()["a"]["em"]
    assert value == pytest.approx(1 / 3, abs=2**-31)
    assert (value or 0) * 2**30 == round((value or 0) * 2**30)


@pytest.mark.parametrize(
    ("header", "ids", "words"),
    [
        ({"limit": 2}, ["a", "b"], "the first 2 units"),
        ({"limit": 99}, ["a", "b", "c"], "the first 99 units"),
        ({"covers": ("c", "a")}, ["a", "c"], "2 chosen units"),
        ({"without": "passage"}, ["a", "b", "c"], "without the passage"),
        ({"limit": 1, "without": "question"}, ["a"], "the first 1 units, without the question"),
        ({}, ["a", "b", "c"], None),
    ],
)
def test_marks_cover_what_was_to_be_sat(
    header: dict[str, Any], ids: list[str], words: str | None
) -> None:
    found = readmark.mark(THREE, sat({"a": "kettle"}, **header))
    assert list(found.ids) == ids
    assert list(found.unanswered) == [id for id in ids if id != "a"]
    assert found["em"].score == pytest.approx(100 / len(ids))
    assert found.covers == found.as_json()["covers"] == words


def test_answers_outside_the_coverage_are_no_strangers() -> None:
    found = readmark.mark(THREE, sat({"a": "kettle", "c": "boats", "zz": "x"}, limit=1))
    assert found["em"].score == 100
    assert list(found.unknown) == ["zz"]


@pytest.mark.parametrize("header", [{"covers": ("zz",)}, {"covers": ()}, {"limit": 0}])
def test_covering_nothing_is_an_error(header: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="no unit is covered"):
        readmark.mark(THREE, sat({"a": "kettle"}, **header))


def test_units_without_a_key_are_left_out_and_counted() -> None:
    test = comprehension(
        passage("p1", asked("a", "kettle"), asked("b", key=False), asked("c")), passage("p2")
    )
    found = readmark.mark(test, sat({"a": "kettle", "b": "x", "c": "y"}))
    assert (found.units, found.unkeyed, found["em"].score) == (1, 2, 100)
    assert list(found.unknown) == list(found.unanswered) == []
    assert any("2 units have no key" in note for note in found.notes)
    assert list(found.per_unit()) == ["a"]


def test_a_test_without_any_key_is_an_error() -> None:
    with pytest.raises(DataError, match="no unit has a key"):
        readmark.mark(THREE.paper(), sat({"a": "kettle"}))


def test_unknown_ids() -> None:
    sitting = sat({"a": "kettle", "zz": "x", "yy": "y"})
    found = readmark.mark(THREE, sitting)
    assert list(found.unknown) == ["zz", "yy"]
    assert found.as_json()["unknown"] == 2
    assert any("2 (zz, yy)" in note for note in found.notes)
    with pytest.raises(DataError, match=r"does not have: 2 \(zz, yy\)"):
        readmark.mark(THREE, sitting, strict=True)
    assert readmark.mark(THREE, sat({"a": "kettle"}), strict=True).units == 3


def test_a_sitting_of_another_paper_is_refused() -> None:
    bound = sat({"a": "kettle"}, paper=THREE.facts.paper)
    assert readmark.mark(THREE, bound).units == 3
    for people in ([], [bound]):
        with pytest.raises(DataError, match="another paper"):
            readmark.mark(shared_out(VALUES)[0], bound if not people else sat({}), people=people)


def test_offsets_that_point_elsewhere_are_noted_and_the_text_trusted() -> None:
    moved = {
        "text": "The made passage has boats.",
        "id": "p1",
        "questions": [
            {
                "id": "a",
                "text": "What has it?",
                "key": {"answers": [{"text": "boats", "start": 3}]},
            }
        ],
    }
    found = readmark.mark(comprehension(convert(moved, Passage)), sat({"a": "boats"}))
    assert found["em"].score == 100
    assert any("offsets of 1 (a)" in note for note in found.notes)


def test_a_metric_that_is_no_function_of_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals and slices from the units' own rows; no number for a unit alone."""
    middle = Entry("made:Middle", "the median length", ("comprehension",))
    entries = {**METRICS.entries, "middle": middle}
    monkeypatch.setitem(METRICS.__dict__, "entries", entries)
    lengths = {"p1": [3, 9, 4], "p2": [7, 1], "p3": [2, 2, 8, 5]}
    records = [
        passage(name, *(asked(f"{name}.{at}", "x", level=at) for at in range(len(found))))
        for name, found in lengths.items()
    ]
    answers = {
        f"{name}.{at}": "x" * size
        for name, found in lengths.items()
        for at, size in enumerate(found)
    }
    chosen = Settings(draws=200, interval="bca")
    found = readmark.mark(
        comprehension(*records),
        sat(answers),
        metrics=["middle", "em"],
        by=["level"],
        settings=chosen,
    )
    low, high = percentiles(drawn_statistics([lengths], median, draws=200))
    assert spread(found["middle"]) == pytest.approx((4, low, high))
    assert "interval:percentile" in found["middle"].signature  # BCa is for functions of sums
    assert "interval:bca" in found["em"].signature
    assert found.by["level"]["3"].marks["middle"].score == 5
    assert found.per_unit()["p1.0"] == {"middle": None, "em": 0}
    assert found.as_json()["per_unit"]["p1.0"]["middle"] is None


def test_hash_seed_does_not_matter(tmp_path: Any, readmark_cli: Callable[..., Any]) -> None:
    test, sitting = shared_out([(f"p{at % 7}", at % 3 > 0) for at in range(30)])
    readmark.save(test, tmp_path / "test.jsonl")
    answers = {id: sitting.of(id)[0].text for id in sitting}
    (tmp_path / "reader.json").write_text(json.dumps(answers), encoding="utf-8")
    command = ("mark", tmp_path / "test.jsonl", tmp_path / "reader.json", "--json")
    runs = {
        readmark_cli(*command, env={"PYTHONHASHSEED": seed}).stdout for seed in ("0", "1", "4242")
    }
    assert len(runs) == 1
    assert json.loads(runs.pop())["marks"]["em"]["score"] == pytest.approx(200 / 3)


def test_answers_whose_offsets_are_astray_are_named_and_their_text_trusted() -> None:
    asks = [asked(id, "kettle") for id in ("q1", "q2")]
    test = comprehension(passage("p", *asks, text="a kettle"))
    rows: Rows = {
        "q1": Row(id="q1", text="kettle", start=2, end=8),
        "q2": Row(id="q2", text="kettle", start=90, end=96),
    }
    found = readmark.mark(test, Sitting(SittingHeader(candidate="reader"), rows), settings=FEW)
    assert found["em"].score == 100
    assert [note for note in found.notes if "offsets of 1 (q2)" in note]
