"""The reading tasks that ship: sound, as their sources say, and read as well as before."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from readmark.core.test import Test
from readmark.formats.inputs import load
from readmark.marking import mark
from readmark.sitting.runner import sit
from readmark.tasks.checks import check_task
from readmark.tasks.package import open_package

pytestmark = pytest.mark.reasoning

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "src" / "readmark" / "bundle"
SOURCES = ROOT / "benchmarks" / "lives"
LANGUAGES = ("en", "zh")

# facts and inferences of the test split by patterns, a little below what they reach
FLOORS = {"en": (62, 54), "zh": (53, 57)}


def test_of_split(language: str) -> Test:
    return load(BUNDLE / f"task.{language}.zip", split="test")


test_of_split.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_finds_nothing(language: str) -> None:
    package = open_package(BUNDLE / f"task.{language}.zip")
    assert [str(problem) for problem in check_task(package)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_zip_has_the_sources(language: str) -> None:
    with zipfile.ZipFile(BUNDLE / f"task.{language}.zip") as packed:
        held = {name: packed.read(name) for name in packed.namelist()}
    sources = {
        path.relative_to(SOURCES / language).as_posix(): path.read_bytes()
        for path in (SOURCES / language).rglob("*")
        if path.is_file() and path.name != "task.toml" and not path.name.startswith("answers.")
    }
    assert {name: held.get(name) for name in sources} == sources
    domain = ROOT / "src" / "readmark" / "tasks" / "domains" / "lives"
    for path in domain.iterdir():
        if path.name not in sources:
            assert held[path.name] == path.read_bytes(), path.name


def test_there_is_enough_of_it() -> None:
    for language, least in (("en", (21, 21)), ("zh", (11, 11))):
        folder = SOURCES / language / "documents"
        counts = [len(list((folder / split).iterdir())) for split in ("train", "test")]
        assert all(count >= wanted for count, wanted in zip(counts, least, strict=True))
        for path in folder.rglob("*.txt"):
            text = path.read_text("utf-8")
            size = len(text) if language == "zh" else len(text.split())
            low, high = (100, 300) if language == "zh" else (60, 180)
            assert low <= size <= high, path.name
    sizes = [path.stat().st_size for path in BUNDLE.rglob("*") if "task." in str(path)]
    assert sum(sizes) < 400_000


def test_queries_are_the_same_in_both_languages() -> None:
    domain = ROOT / "src" / "readmark" / "tasks" / "domains" / "lives"
    questions = domain.joinpath("ontology.ttl").read_text("utf-8")
    rows = [
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in (domain / "queries.jsonl", SOURCES / "zh" / "queries.jsonl")
    ]
    for english, chinese in zip(*rows, strict=True):
        assert {**english, "text": None} == {**chinese, "text": None}
        if "property" in english:
            assert f'"{english["text"]}" , "{chinese["text"]}"@zh' in questions


def test_names_of_people_differ_between_the_halves() -> None:
    """Nobody of the test half can be learnt from the train half, but for a name dropped once."""
    for language in LANGUAGES:
        named = [
            {
                name
                for path in (SOURCES / language / "annotations" / split).iterdir()
                for name in re.findall(r'fullName "([^"]+)"', path.read_text("utf-8"))
            }
            for split in ("train", "test")
        ]
        assert len(named[0] & named[1]) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_patterns_read_as_well_as_before(language: str, tmp_path: Path) -> None:
    test = test_of_split(language)
    scores: dict[str, Any] = {}
    people = sorted((BUNDLE / f"task.{language}.people").iterdir())
    for candidate in ("patterns", "patterns(reason=false)"):
        sitting = tmp_path / f"{candidate}.jsonl"
        sit(test, candidate, sitting)
        marks = mark(test, sitting, people=people)
        scores[candidate] = [marks[name].score for name in ("facts", "inferences")]
        assert marks.people is not None
        assert marks.people.marks["facts"].people > 85
    stated, inferred = FLOORS[language]
    assert scores["patterns"][0] >= stated
    assert scores["patterns"][1] >= inferred
    assert scores["patterns"][0] >= scores["patterns(reason=false)"][0]
    assert scores["patterns(reason=false)"][1] < 10
