"""The Python API: few lines, plain values, types as they are said to be."""

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.marking import (
    Comparison,
    Comparisons,
    Mark,
    Marks,
    MarkSettings,
    PeopleComparison,
    PeopleMarks,
    Slice,
)
from readmark.marking.people_comparison import ComparedWithPeople

TEST = comprehension(
    passage("p1", asked("a", "copper kettle", "kettle", level=1), asked("b", "coat", level=2)),
    passage("p2", asked("c", "seven boats", "boats", level=1)),
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A native test, and predictions of two systems and one person, as a user would have them."""
    readmark.save(TEST, tmp_path / "test.jsonl")
    made = {
        "old": {"a": "kettle", "b": "boat"},
        "new": {"a": "kettle", "b": "coat", "c": "boats"},
        "ann": {"a": "kettle", "b": "coat", "c": "oars"},
    }
    for name, answers in made.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return {one.stem: one for one in tmp_path.iterdir()}


def test_a_few_lines(files: dict[str, Path]) -> None:
    test = readmark.load(files["test"])
    marks = readmark.mark(test, files["new"], by=["level"])
    found = readmark.compare(test, files["old"], files["new"])
    people = readmark.people(test)
    assert isinstance(test, Test)
    assert isinstance(marks, Marks)
    assert isinstance(people, PeopleMarks)
    assert isinstance(marks["em"], Mark)
    assert isinstance(marks.by["level"]["1"], Slice)
    assert isinstance(marks.people, ComparedWithPeople)
    assert isinstance(marks.people.marks["f1"], PeopleComparison)
    assert [type(one) for one in found] == [Comparison]
    assert isinstance(people.marks["f1"], Mark)
    for number in (marks["em"].score, marks["em"].low, found[0].p, people.marks["f1"].score):
        assert type(number) is float  # no numpy scalar slips out
    assert type(found[0].discordant) is int
    assert marks["em"].score == 100
    assert found[0].difference == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize("give", [str, Path, readmark.load])
def test_tests_and_sittings_by_path_or_value(files: dict[str, Path], give: Any) -> None:
    expected = readmark.mark(TEST, sat({"a": "kettle", "b": "coat", "c": "boats"}))
    by_path = readmark.mark(give(files["test"]), str(files["new"]))
    assert by_path.marks == expected.marks
    assert by_path.test == expected.test
    assert by_path.candidate == "new"
    mixed = readmark.compare(give(files["test"]), files["old"], sat({"b": "coat"}, candidate="x"))
    assert (mixed[0].a, mixed[0].b) == ("old", "x")
    panel = readmark.people(give(files["test"]), files["ann"], sat({}, candidate="nobody"))
    scores = {person: own.marks["em"].score for person, own in panel.each.items()}
    assert scores == {"ann": pytest.approx(200 / 3), "nobody": 0}


def test_load_and_save_take_a_format(files: dict[str, Path], tmp_path: Path) -> None:
    target = tmp_path / "squad.json"
    lost = readmark.save(readmark.load(files["test"], format="native"), target, format="squad")
    assert all(isinstance(line, str) for line in lost)
    assert any("level" in line for line in lost)
    again = readmark.load(target, format="squad")
    new = files["new"]
    assert readmark.mark(again, new)["f1"].score == readmark.mark(TEST, new)["f1"].score
    for bad in (readmark.load, lambda path, format: readmark.save(TEST, path, format=format)):
        with pytest.raises(UsageError, match="did you mean squad"):
            bad(target, format="sqaud")


def test_signatures_are_typed() -> None:
    """What the documentation promises: every argument and result has a type."""
    returns = {
        "load": Test,
        "save": list[str],
        "mark": Marks,
        "compare": Comparisons,
        "people": PeopleMarks,
    }
    for name, result in returns.items():
        function = getattr(readmark, name)
        hints = get_type_hints(function)
        assert hints["return"] == result
        assert set(inspect.signature(function).parameters) <= set(hints)
        options = list(inspect.signature(function).parameters.values())[2:]
        assert not [
            option.name
            for option in options
            if option.kind is option.POSITIONAL_OR_KEYWORD and option.name != "settings"
        ], f"an option of {name} is positional"


def test_the_package_lists_what_it_has() -> None:
    assert set(readmark.__all__) >= {"load", "mark", "compare", "people", "save", "__version__"}
    for name in readmark.__all__:
        assert getattr(readmark, name) is not None
    with pytest.raises(AttributeError, match="'readmark' has no attribute 'marc'"):
        _ = readmark.marc


@pytest.mark.process
def test_importing_the_package_costs_nothing() -> None:
    code = "import readmark, sys; print([m for m in ('numpy', 'nltk', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_results_are_frozen() -> None:
    marks = readmark.mark(TEST, sat({"a": "kettle"}), settings=MarkSettings(draws=10))
    for value, name in ((marks, "units"), (marks["em"], "score"), (marks.people, "units")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_marks_as_json_hold_no_surprises() -> None:
    """The document is plain: it goes through json without loss, and null stands for undefined."""
    marks = readmark.mark(TEST, sat({"a": "kettle"}), by=["level"], settings=MarkSettings(draws=10))
    document = marks.as_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["per_unit"]["b"] == {"em": 0, "f1": 0}
    expected = {"score": 0, "low": None, "high": None, "clusters": 1}
    assert document["by"]["level"]["2"]["em"] == expected
    assert "per_unit" not in marks.as_json(units=False)


def test_marking_does_not_depend_on_what_was_marked_before() -> None:
    """Caches of prepared answers never change a mark."""
    sitting = sat({"a": "a copper kettle", "b": "coat", "c": "boats"})
    fresh = readmark.mark(TEST, sitting).as_json()
    readmark.mark(TEST, sitting, metrics=["f1(profile=smart)", "em(profile=zh)", "contains"])
    assert readmark.mark(TEST, sitting).as_json() == fresh


def test_settings_reach_every_number() -> None:
    chosen = MarkSettings(seed=5, draws=50, trials=60, confidence=0.5)
    sitting, other = sat({"a": "kettle"}), sat({"b": "coat"}, candidate="other")
    said = [
        readmark.mark(TEST, sitting, settings=chosen)["em"].signature,
        readmark.compare(TEST, sitting, other, settings=chosen)[0].signature,
        readmark.people(TEST, settings=chosen).marks["em"].signature,
    ]
    for one in said:
        assert "confidence:0.5|draws:50|seed:5|" in one
    assert "trials:60" in said[1]


def test_nothing_is_written_unless_asked(files: dict[str, Path]) -> None:
    folder = files["test"].parent
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    readmark.mark(files["test"], files["new"], people=[files["ann"]])
    readmark.compare(files["test"], files["old"], files["new"])
    readmark.people(files["test"])
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_errors_are_the_projects_own(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        readmark.load(tmp_path / "nowhere.json")
    with pytest.raises(DataError, match="no such file"):
        readmark.mark(files["test"], tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="unknown metric"):
        readmark.mark(files["test"], files["new"], metrics=["bleurt"])
    with pytest.raises(DataError, match="looks like a Readmark test"):
        readmark.mark(files["test"], files["test"])
