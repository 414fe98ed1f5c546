"""Marks: slices, intervals, and what decides them."""

import json
import random
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import readmark
from installed import Lazy
from made import asked, comprehension, passage, sat, shared_out
from oracles.resampled import drawn_statistics, mean, percentiles, quantile
from readmark.core.errors import UsageError
from readmark.core.registry import Entry
from readmark.core.test import Test
from readmark.marking.marks import Mark
from readmark.marking.metrics import METRICS
from readmark.marking.settings import MarkSettings

NORM = Lazy("scipy.stats")

FEW = MarkSettings(draws=200)
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
    chosen = MarkSettings(seed=seed, draws=300, confidence=confidence)
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
    bias = NORM.norm.ppf(share)
    left = [mean([v for n, one in clusters.items() if n != name for v in one]) for name in clusters]
    away = [mean(left) - one for one in left]
    acceleration = sum(a**3 for a in away) / (6 * sum(a**2 for a in away) ** 1.5)

    def end(nominal: float) -> float:
        z = bias + NORM.norm.ppf(nominal)
        return quantile(values, NORM.norm.cdf(bias + z / (1 - acceleration * z)))

    found = readmark.mark(test, sitting, settings=MarkSettings(draws=500, interval="bca"))["em"]
    expected = (100 * observed, 100 * end(0.025), 100 * end(0.975))
    assert spread(found) == pytest.approx(expected, abs=1e-6)
    percentile = readmark.mark(test, sitting, settings=MarkSettings(draws=500))["em"]
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
        spread(readmark.mark(test, sitting, settings=MarkSettings(seed=seed, draws=draws))["em"])
        for seed, draws in ((1, 200), (2, 200), (1, 201))
    }
    assert len(ends) == 3
    assert len({one[0] for one in ends}) == 1


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_one_cluster_has_a_score_and_no_interval(how: str) -> None:
    test, sitting = shared_out([("p", 1), ("p", 0), ("p", 1), ("p", 1)])
    found = readmark.mark(test, sitting, by=["level"], settings=MarkSettings(interval=how))
    assert spread(found["em"]) == (75, None, None)
    assert spread(found.by["level"]["-"].marks["em"]) == (75, None, None)
    assert found.as_json()["marks"]["em"]["low"] is None


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_clusters_all_alike_have_an_interval_of_no_width(how: str) -> None:
    test, sitting = shared_out([("p1", 1), ("p2", 1), ("p3", 1)])
    found = readmark.mark(test, sitting, settings=MarkSettings(interval=how))
    assert spread(found["em"]) == (100, 100, 100)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"seed": -1}, "`seed` -1 is negative"),
        ({"draws": 0}, "`draws` 0 is not from 1 to 1,000,000"),
        ({"trials": 0}, "`trials` 0 is not from 1 to 1,000,000"),
        ({"confidence": 1.0}, "`confidence` 1.0"),
        ({"confidence": 95}, "`confidence` 95"),
        ({"confidence": float("nan")}, "`confidence` nan"),
        ({"interval": "normal"}, "percentile|bca"),
    ],
)
def test_bad_settings(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        MarkSettings(**chosen)
    assert message in str(caught.value)


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
    chosen = MarkSettings(draws=200, interval="bca")
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
