"""Which marksheets stand together, under which names, and by which fields."""

from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.marking import Marksheet
from readmark.reporting.page.sections import main_metric, portable_name, sections_of
from readmark.reporting.page.sliced_fields import fields_to_slice, values_to_filter
from sheets import FEW, GOOD, POOR, harbour, sheet, sitting, two_sheets


def read(*files: Path) -> list[Any]:
    return sections_of([Marksheet.read(str(file)) for file in files])


def test_one_test_is_one_section_whatever_its_name(tmp_path: Path) -> None:
    one = sheet(tmp_path, harbour(), sitting("one", GOOD))
    two = sheet(tmp_path, harbour(name="another name"), sitting("two", POOR))
    [section] = read(one, two)
    assert [candidate.name for candidate in section.candidates] == ["one", "two"]
    assert section.test.name == "harbour"
    assert not section.has_other_key


def test_another_paper_is_another_section(tmp_path: Path) -> None:
    other = comprehension(passage("p", asked("q", "kettle")), passage("r", asked("s", "boat")))
    one = sheet(tmp_path, harbour(), sitting("one", GOOD))
    two = sheet(tmp_path, other, sitting("two", {"q": "kettle"}))
    sections = read(one, two)
    assert [section.number for section in sections] == [1, 2]
    assert not any(section.has_other_key for section in sections)


def test_another_key_of_one_paper_is_another_section_with_a_warning(tmp_path: Path) -> None:
    test = harbour()
    first = next(iter(test.records()))
    assert first.questions[0].key is not None
    one = sheet(tmp_path, test, sitting("one", GOOD))
    text = one.read_text().replace(test.facts.key, "0" * 32)
    two = tmp_path / "two.jsonl"
    two.write_text(text)
    sections = read(one, two)
    assert [section.has_other_key for section in sections] == [True, True]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({}, {"name": "fjord"}, ["harbour", "fjord"]),
        ({"split": "dev"}, {"split": "test"}, ["harbour (dev)", "harbour (test)"]),
        ({}, {"language": "zh"}, ["harbour (en)", "harbour (zh)"]),
        ({"split": "dev"}, {"split": "dev", "language": "zh"}, ["harbour (en)", "harbour (zh)"]),
    ],
)
def test_tests_of_one_name_are_told_apart(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], names: list[str]
) -> None:
    """By splits, else by language, where these differ."""
    files = []
    for index, options in enumerate((first, second)):
        header = {"name": "harbour", "language": "en", **options}
        split = header.pop("split", None)
        text = f"Harbour number {index}."
        test = comprehension(passage("p", asked("q", "kettle"), text=text, split=split), **header)
        files.append(sheet(tmp_path, test, sitting(f"reader {index}", {"q": "kettle"})))
    assert [str(section.test_name) for section in read(*files)] == names


def test_papers_of_one_name_and_language_are_told_apart_by_fingerprints(tmp_path: Path) -> None:
    tests = [
        comprehension(passage("p", asked("q", "kettle"), text=text), name="harbour")
        for text in ("One harbour.", "Another harbour.")
    ]
    files = [
        sheet(tmp_path, test, sitting(f"reader {index}", {"q": "kettle"}))
        for index, test in enumerate(tests)
    ]
    names = [str(section.test_name) for section in read(*files)]
    assert names == [f"harbour ({test.facts.paper[:6]})" for test in tests]


def test_candidates_of_one_name_are_numbered(tmp_path: Path) -> None:
    one = sheet(tmp_path, harbour(), sitting("reader", GOOD), name="one")
    two = sheet(tmp_path, harbour(), sitting("reader", POOR), name="two")
    [section] = read(one, two)
    assert [candidate.name for candidate in section.candidates] == ["reader", "reader (2)"]


def test_candidates_that_sat_a_part_are_labelled_with_it(tmp_path: Path) -> None:
    test = harbour()
    files = [
        sheet(tmp_path, test, sitting("reader", GOOD, **header), name=name)
        for name, header in {
            "whole": {},
            "six": {"limit": 6},
            "blind": {"without": "question"},
            "both": {"limit": 1000, "without": "passage"},
            "some": {"covers": ("mill-1", "mill-2")},
            "again": {"limit": 6},
        }.items()
    ]
    [section] = read(*files)
    labels = [candidate.label for candidate in section.candidates]
    assert [(label.en, label.zh) for label in labels] == [
        ("reader", "reader"),
        ("reader, first 6", "reader（前 6 题）"),
        ("reader, without question", "reader（不给题目）"),
        ("reader, first 1,000, without passage", "reader（前 1,000 题、不给篇章）"),
        ("reader, 2 chosen", "reader（选定 2 题）"),
        ("reader, first 6 (2)", "reader（前 6 题） (2)"),
    ]
    assert [candidate.name for candidate in section.candidates] == [label.en for label in labels]


def test_fields_are_those_of_the_fullest_marksheet(tmp_path: Path) -> None:
    passages = [
        passage(f"p{n}", *(asked(f"q{n}-{m}", "kettle", type=f"t{m}-{n // 4}") for m in range(5)))
        for n in range(16)
    ]
    test = comprehension(*passages)
    few = sheet(tmp_path, test, sitting("few", {}, limit=40))
    every = sheet(tmp_path, test, sitting("every", {}))
    assert fields_to_slice([Marksheet.read(str(few))]).shown == ["type"]
    assert fields_to_slice([Marksheet.read(str(few)), Marksheet.read(str(every))]).shown == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("bow(nef=true)", "bow(nef=true)"),
        ("hf(model=Deep/Reader)", "hf(model=Deep/Reader)"),
        ("keyed(file=/data/of/mine/given.json)", "keyed(file=given.json)"),
        ('keyed(file="C:\\\\mine\\\\given.json",n=2)', "keyed(file=given.json,n=2)"),
        ("my system, v2", "my system, v2"),
    ],
)
def test_names_without_the_folders_of_a_machine(name: str, shown: str) -> None:
    assert portable_name(name) == shown


def test_people_are_no_candidates(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    readmark.people(harbour(), settings=FEW, marksheet=path)
    [section] = read(path, *two_sheets(tmp_path))
    assert [candidate.name for candidate in section.candidates] == ["poor", "good"]
    assert [people.name for people in section.people] == ["people.jsonl"]


def test_units_are_those_of_every_marksheet(tmp_path: Path) -> None:
    one = sheet(tmp_path, harbour(), sitting("one", GOOD, covers=("mill-1", "mill-2")))
    two = sheet(tmp_path, harbour(), sitting("two", POOR, limit=3))
    [section] = read(one, two)
    assert list(section.units()) == ["mill-1", "mill-2", "fox-1", "fox-2"]
    assert set(section.records()) == {"fox", "mill"}


def test_fields_asked_for_come_first_then_those_that_tell_units_apart(tmp_path: Path) -> None:
    plain = Marksheet.read(str(sheet(tmp_path, harbour(), sitting("one", GOOD))))
    by_title = sheet(tmp_path, harbour(), sitting("two", GOOD), by=["title"])
    # a title names its passage, so it has no interval; unanswerable is the same everywhere
    assert fields_to_slice([plain]).shown == ["level", "genre"]
    assert fields_to_slice([Marksheet.read(str(by_title))]).shown == ["title", "level", "genre"]


def test_fields_with_many_values_are_no_slices(tmp_path: Path) -> None:
    passages = [
        passage(f"p{n}", asked(f"q{n}", "kettle", difficulty=f"d{n % 13}", type=f"t{n % 12}"))
        for n in range(52)
    ]
    file = sheet(tmp_path, comprehension(*passages), sitting("one", {"q1": "kettle"}))
    assert fields_to_slice([Marksheet.read(str(file))]).shown == ["type"]


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        ([("a",), ("b",), ("a", "b"), ("a",)], ["a", "b"]),
        ([("a",), ("a",)], []),
        ([("a",), ("b",), ("c",)], ["a", "b", "c"]),
        ([(f"v{n}",) for n in range(12)], [f"v{n}" for n in range(12)]),
        ([(f"v{n}",) for n in range(13)], []),
        ([(f"v{n % 13}",) for n in range(26)], [f"v{n}" for n in range(13)]),
        ([(f"v{n % 61}",) for n in range(500)], []),
    ],
)
def test_what_can_be_filtered_by(labels: list[tuple[str, ...]], values: list[str]) -> None:
    assert values_to_filter(labels) == values


@pytest.mark.parametrize(
    ("metrics", "main"),
    [
        (["em", "f1"], "f1"),
        (["em", "f1(profile=zh)"], "f1(profile=zh)"),
        (["contains", "em"], "contains"),
    ],
)
def test_main_metric(metrics: list[str], main: str) -> None:
    assert main_metric(kind_named("comprehension"), metrics) == main


def test_a_report_of_nothing() -> None:
    with pytest.raises(UsageError, match="at least one marksheet"):
        sections_of([])
