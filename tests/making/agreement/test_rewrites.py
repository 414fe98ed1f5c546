"""Rewrites of two people: figures worked by hand, several golds, files of every sort."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.display import make_console
from readmark.core.errors import DataError
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotators import open_annotators
from readmark.making.agreement.rewrites import MEASURE, compare_rewrites
from readmark.statistics.agreement.value import Resampling


def person(name: str, **golds: tuple[str, ...]) -> Annotator:
    return Annotator(name, f"{name}.jsonl", rewrites=golds)


def figures(*people: Annotator) -> dict[str, float | None]:
    comparison = compare_rewrites(people, "rewrites", resampling=Resampling(draws=20))
    return {figure.measure: figure.value for figure in comparison.figures}


def test_the_documents_pair() -> None:
    # J1 = 6/10 and J2 = 3/11, so (2 · 0.6 + 3/11) / 3 = 0.4909.
    first = person("a", q=("How many of Hindenburg disaster were killed",))
    second = person("b", q=("How many people were killed during the Hindenburg disaster",))
    values = figures(first, second)
    assert values[MEASURE] == pytest.approx((2 * 0.6 + 3 / 11) / 3)
    assert values["percent"] == 0


def test_each_gold_counts_by_the_nearest_of_the_others() -> None:
    first = person("a", q=("Who sang?",))
    second = person("b", q=("Who sang?", "Which tenor danced?"))
    # There 1; back (1 + 0) / 2; the mean of both is 0.75. One gold is equal.
    assert figures(first, second) == {MEASURE: 0.75, "percent": 1}


def test_case_and_punctuation_do_not_matter() -> None:
    assert figures(person("a", q=("Who sang?",)), person("b", q=("who sang",))) == {
        MEASURE: 1,
        "percent": 1,
    }


def test_three_people_and_partial_work() -> None:
    people = [
        person("a", q=("Who sang?",), r=("Why?",)),
        person("b", q=("Who sang?",)),
        person("c", q=("Where is it?",), r=("Why?",)),
    ]
    comparison = compare_rewrites(people, "rewrites")
    assert (comparison.units, comparison.partial) == (1, {"r": ("a", "c")})
    assert [[item.value for item in pair.figures] for pair in comparison.pairs] == [
        [1, 1],
        [0.5, 0.5],
        [0, 0],
    ]
    # q: 1, 0 and 0 by pairs; r: 1.
    assert comparison.figures[0].value == pytest.approx((1 / 3 + 1) / 2)
    assert [(item.id, item.texts) for item in comparison.differing_rewrites] == [
        ("q", (("Who sang?",), ("Who sang?",), ("Where is it?",)))
    ]


def test_the_least_alike_come_first() -> None:
    first = person("a", q=("Who sang well?",), r=("Why?",))
    second = person("b", q=("Who sang?",), r=("When?",))
    comparison = compare_rewrites([first, second], "rewrites")
    assert [each.id for each in comparison.differing_rewrites] == ["r", "q"]
    assert comparison.disagreed == ("q", "r")


def test_nothing_in_common() -> None:
    with pytest.raises(DataError, match="rewrote no question in common"):
        compare_rewrites([person("a", q=("Who?",)), person("b", r=("Who?",))], "rewrites")


def test_chinese_is_cut_into_words() -> None:
    values = figures(person("a", q=("李时珍出生在哪里？",)), person("b", q=("李时珍出生于哪里？",)))
    assert 0 < (values[MEASURE] or 0) < 1


def native(path: Path, *golds: dict[str, Any]) -> str:
    question = {"id": "q", "text": "When was she born?", "key": {"rewrites": list(golds)}}
    lines = [
        {"readmark": 1, "kind": "series", "language": "en"},
        {"id": "s", "target": "Orla Finch", "questions": [question]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


FULL, SHORT = "When was Orla Finch born?", "When was Finch born?"


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = native(tmp_path / "ann.jsonl", {"text": FULL}, {"text": SHORT})
    second = tmp_path / "bo.jsonl"
    second.write_text(
        '{"readmark":1,"file":"sitting","candidate":"bo","kind":"series"}\n'
        '{"id":"q","rewrite":"Where was Orla Finch born?"}\n'
    )
    report = agree(open_annotators([first, str(second)]), resampling=Resampling(draws=0))
    (comparison,) = report.comparisons
    assert (comparison.what, comparison.sort, comparison.annotators) == (
        "rewrites",
        "rewrites",
        ("ann", "bo"),
    )
    (differing,) = report.as_json()["what"]["rewrites"]["beside"]
    assert differing["asked"] == "When was she born?"
    assert differing["rewrites"] == {"ann": (FULL, SHORT), "bo": ("Where was Orla Finch born?",)}
    report.show(make_console())
    printed = capsys.readouterr().out
    assert "When was she born?" in printed
    assert f"  ann  {FULL}\n       {SHORT}\n  bo   Where was" in printed


def test_two_people_in_one_key(tmp_path: Path) -> None:
    path = native(
        tmp_path / "both.jsonl",
        {"text": FULL, "annotator": "ann"},
        {"text": SHORT, "annotator": "bo"},
        {"text": FULL, "annotator": "bo"},
    )
    (comparison,) = agree(open_annotators([path]), ["rewrites"]).comparisons
    assert comparison.annotators == ("ann", "bo")
    assert comparison.differing_rewrites == ()
    assert {figure.measure: figure.value for figure in comparison.figures}["percent"] == 1
