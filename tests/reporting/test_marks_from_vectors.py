"""What the page makes of vectors is what marking makes of texts."""

from pathlib import Path

import pytest

import readmark
from made import Middle
from readmark.core.errors import DataError
from readmark.core.registry import Entry
from readmark.core.signatures import metric_rules
from readmark.marking import Marksheet
from readmark.marking.metrics import METRICS
from readmark.reporting.page.comparisons import WithPeople, compare_all
from readmark.reporting.page.sections import Section, sections_of
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets


def section_of(*files: Path) -> Section:
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    return section


def test_slices_nobody_asked_for_are_those_that_marking_gives(tmp_path: Path) -> None:
    test = harbour()
    asked = readmark.mark(test, sitting("good", GOOD), by=["genre"], settings=FEW)
    [candidate] = section_of(sheet(tmp_path, test, sitting("good", GOOD))).candidates
    slices = candidate.sheet.slices("genre")
    assert {label: part.units for label, part in slices.items()} == {"report": 4, "tale": 4}
    for label, part in slices.items():
        for name, mark in asked.by["genre"][label].marks.items():
            assert part.marks[name] == mark


def test_slices_that_were_asked_for_are_taken_as_told(tmp_path: Path) -> None:
    told = sheet(tmp_path, harbour(), sitting("good", GOOD), by=["level"])
    plain = sheet(tmp_path, harbour(), sitting("good", GOOD), name="plain")
    [with_level] = section_of(told).candidates
    [without] = section_of(plain).candidates
    for label, part in with_level.sheet.slices("level").items():
        made = without.sheet.slices("level")[label]
        assert part.units == made.units
        for name, mark in part.marks.items():
            assert mark.in_slice() == made.marks[name].in_slice()


@pytest.mark.parametrize("panel", [False, True])
def test_people_by_slice_are_those_that_marking_gives(tmp_path: Path, panel: bool) -> None:
    test = harbour()
    people = [sitting("ida", GOOD), sitting("per", POOR)] if panel else []
    asked = readmark.mark(test, sitting("good", GOOD), by=["genre"], people=people, settings=FEW)
    [candidate] = section_of(sheet(tmp_path, test, sitting("good", GOOD), people=people)).candidates
    beside = WithPeople(candidate)
    assert asked.people is not None
    assert (beside.method, beside.units) == (asked.people.method, asked.people.units)
    assert beside.slices("genre") == asked.people.by["genre"]


def test_comparison_is_that_of_the_sittings_signature_included(tmp_path: Path) -> None:
    test = harbour()
    third = sitting("third", {**GOOD, "fox-1": "coat"})
    asked = readmark.compare(
        test, sitting("poor", POOR), sitting("good", GOOD), third, metrics="f1", settings=FEW
    )
    section = section_of(*two_sheets(tmp_path), sheet(tmp_path, test, third))
    assert list(compare_all(section).by_metric["f1"]) == list(asked)


def test_identical_candidates_have_p_1(tmp_path: Path) -> None:
    one = sheet(tmp_path, harbour(), sitting("one", GOOD))
    two = sheet(tmp_path, harbour(), sitting("two", GOOD))
    found = compare_all(section_of(one, two))
    assert [one.p for several in found.by_metric.values() for one in several] == [1.0, 1.0]


def test_marks_by_other_rules_are_not_compared(tmp_path: Path) -> None:
    one = sheet(tmp_path, harbour(), sitting("one", GOOD), metrics=["f1"])
    two = sheet(tmp_path, harbour(), sitting("two", POOR), metrics=["f1"])
    two.write_text(two.read_text().replace("match:bag", "match:other"))
    found = compare_all(section_of(one, two))
    assert found.by_metric == {}
    assert list(found.refused) == [("f1", "two", "rules")]


def test_candidates_without_a_common_unit_are_not_compared(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", GOOD, covers=("fox-1", "mill-1")))
    two = sheet(tmp_path, test, sitting("two", POOR, covers=("fox-2", "mill-2")))
    found = compare_all(section_of(one, two))
    assert {reason for _, _, reason in found.refused} == {"units"}


def test_candidates_are_compared_on_the_units_they_share(tmp_path: Path) -> None:
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", GOOD))
    two = sheet(tmp_path, test, sitting("two", POOR, limit=4))
    [found] = compare_all(section_of(one, two)).by_metric["f1"]
    assert (found.units, found.clusters) == (4, 2)


def test_rules_are_what_the_metric_decides() -> None:
    said = "metric:f1|profile:squad|tokens:words|clusters:passage|draws:200|seed:1|readmark:0.1.0"
    assert metric_rules(said) == {"profile": "squad", "tokens": "words"}


def test_a_metric_that_is_not_here_is_left_to_what_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = sheet(tmp_path, harbour(), sitting("good", GOOD))
    file.write_text(file.read_text().replace('"em"', '"gone"').replace("metric:em", "metric:gone"))
    found = Marksheet.read(str(file))
    assert list(found.metrics) == ["f1"]
    [candidate] = section_of(file).candidates
    assert candidate.values("gone") == [None] * 8
    assert found.recorded.marks["gone"].score is not None


def test_a_metric_that_is_no_function_of_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = Entry(f"{Middle.__module__}:Middle", kinds=("comprehension",))
    monkeypatch.setitem(METRICS.builtin, "middle", entry)  # type: ignore[arg-type]
    test = harbour()
    one = sheet(tmp_path, test, sitting("one", GOOD), metrics=["middle"])
    two = sheet(tmp_path, test, sitting("two", POOR), metrics=["middle"])
    section = section_of(one, two)
    [found] = compare_all(section).by_metric["middle"]
    assert (found.score_a, found.score_b) == (5.0, 2.5)
    assert section.candidates[0].values("middle") == [None] * 8


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            '"vectors":{"em":[0.0,1.0]',
            '"vectors":{"em":[0.0]',
            "jsonl:3: unit fox-1: the vector of em has 1",
        ),
        ('"vectors":{"em":[0.0,1.0],"f1"', '"vectors":{"f2"', "has no vector of em"),
        ('"machine":[0.0,1.0]', '"machine":[0.0,1.0,2.0]', "vector of em has 3 numbers"),
    ],
)
def test_vectors_that_are_no_vectors(tmp_path: Path, old: str, new: str, told: str) -> None:
    file = sheet(tmp_path, harbour(), sitting("poor", POOR))
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(DataError, match=told):
        section_of(file)
