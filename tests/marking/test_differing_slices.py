"""Which sorts of question stand out: against a loop over the same draws, and on chance alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.marking.differing_slices import LEAST_CLUSTERS
from readmark.statistics.draws import picks

DRAWS = 400
PASSAGES = 40


def made_test(types: int = 4, seed: int = 1) -> tuple[readmark.Test, np.random.Generator]:
    """Forty passages of two questions each, with a type that has nothing to do with the answers."""
    random = np.random.default_rng(seed)
    records = [
        passage(
            f"p{number:02}",
            *(
                asked(f"p{number:02}-{which}", "kettle", type=f"t{random.integers(types)}")
                for which in range(2)
            ),
            text="The kettle is red.",
        )
        for number in range(PASSAGES)
    ]
    return comprehension(*records), random


def marked(test: readmark.Test, answers: dict[str, str], **more: Any) -> readmark.Marks:
    return readmark.mark(test, answers, metrics="em", draws=DRAWS, **more)


def test_what_stands_out_is_what_a_loop_finds() -> None:
    test, random = made_test()
    units = list(test.units())
    hard = {unit.id for unit in units if unit.key.type == "t0"}
    answers = {
        unit.id: "kettle" if random.random() < (0.2 if unit.id in hard else 0.8) else "stove"
        for unit in units
    }
    differing = marked(test, answers).slices.differing
    assert differing is not None

    right = np.array([answers[unit.id] == "kettle" for unit in units], dtype=float)
    groups = np.repeat(np.arange(PASSAGES), 2)
    fields: dict[tuple[str, str], np.ndarray] = {}
    for value in sorted({unit.key.type for unit in units}):
        fields["type", value] = np.array([unit.key.type == value for unit in units])
    draws = np.concatenate(list(picks(1, DRAWS, PASSAGES)))
    deviations, found = [], {}
    for name, inside in fields.items():
        difference = right[inside].mean() - right[~inside].mean()
        of_draws = []
        for drawn in draws:
            rows = np.concatenate([np.flatnonzero(groups == one) for one in drawn])
            chosen = inside[rows]
            of_draws.append(right[rows][chosen].mean() - right[rows][~chosen].mean())
        error = float(np.std(of_draws, ddof=1))
        deviations.append(np.abs(np.array(of_draws) - difference) / error)
        found[name] = (difference, error)
    reach = np.sort(np.max(deviations, axis=0))[int(np.ceil(0.95 * DRAWS)) - 1]
    assert differing.looked_at == len(found) == 4
    expected = {name for name, (gap, error) in found.items() if abs(gap) > reach * error}
    assert {(part.field, part.value) for part in differing.slices} == expected
    [first] = [part for part in differing.slices if part.value == "t0"]
    gap, error = found["type", "t0"]
    assert (first.difference, first.low, first.high) == pytest.approx(
        (100 * gap, 100 * (gap - reach * error), 100 * (gap + reach * error))
    )
    assert first.score - first.rest == pytest.approx(first.difference)
    assert first.units == len(hard)


def test_chance_alone_seldom_stands_out() -> None:
    """Of sixty tests without any difference, one in twenty may have a slice that stands out."""
    false = 0
    for seed in range(60):
        test, random = made_test(seed=seed)
        answers = {unit.id: str(random.choice(["kettle", "stove"])) for unit in test.units()}
        differing = marked(test, answers).slices.differing
        assert differing is not None
        false += bool(differing.slices)
    assert false <= 8


def test_few_passages_say_nothing() -> None:
    records = [
        passage(f"p{number}", asked(f"q{number}", "kettle", type="a" if number % 2 else "b"))
        for number in range(2 * LEAST_CLUSTERS - 1)
    ]
    test = comprehension(*records)
    assert marked(test, {"q0": "kettle"}).slices.differing is None


def test_it_is_printed_and_in_the_document() -> None:
    test, _ = made_test()
    answers = {
        unit.id: "stove" if unit.key.type == "t0" and unit.id != "p00-0" else "kettle"
        for unit in test.units()
    }
    answers[next(unit.id for unit in test.units() if unit.key.type == "t1")] = "stove"
    marks = marked(test, answers)
    assert "stands out: type t0: em " in str(marks)
    assert "intervals allow for 4 slices looked at" in str(marks)
    document = json.loads(json.dumps(marks.as_json()))["differing"]
    assert (document["metric"], document["looked_at"]) == ("em", 4)
    assert document["slices"][0]["value"] == "t0"
    assert marked(test, answers, classes=False).slices.differing is None


def test_the_report_names_what_stands_out(tmp_path: Path) -> None:
    test, _ = made_test()
    answers = {
        unit.id: "stove" if unit.key.type == "t0" and unit.id != "p00-0" else "kettle"
        for unit in test.units()
    }
    answers[next(unit.id for unit in test.units() if unit.key.type == "t1")] = "stove"
    readmark.report(test, answers, path=tmp_path / "r.html", metrics="em")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "stands out where" in page
    assert "最突出" in page
