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
    made = compare_rewrites(people, "rewrites", resampling=Resampling(draws=20))
    return {one.measure: one.value for one in made.figures}


def test_the_documents_pair() -> None:
    # J1 = 6/10 and J2 = 3/11, so (2 · 0.6 + 3/11) / 3 = 0.4909.
    one = person("a", q=("How many of Hindenburg disaster were killed",))
    other = person("b", q=("How many people were killed during the Hindenburg disaster",))
    found = figures(one, other)
    assert found[MEASURE] == pytest.approx((2 * 0.6 + 3 / 11) / 3)
    assert found["percent"] == 0


def test_each_gold_counts_by_the_nearest_of_the_others() -> None:
    one = person("a", q=("Who sang?",))
    other = person("b", q=("Who sang?", "Which tenor danced?"))
    # There 1; back (1 + 0) / 2; the mean of both is 0.75. One gold is equal.
    assert figures(one, other) == {MEASURE: 0.75, "percent": 1}


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
    made = compare_rewrites(people, "rewrites")
    assert (made.units, made.partial) == (1, {"r": ("a", "c")})
    assert [[one.value for one in pair.figures] for pair in made.pairs] == [
        [1, 1],
        [0.5, 0.5],
        [0, 0],
    ]
    # q: 1, 0 and 0 by pairs; r: 1.
    assert made.figures[0].value == pytest.approx((1 / 3 + 1) / 2)
    assert [(one.id, one.texts) for one in made.differing_rewrites] == [
        ("q", (("Who sang?",), ("Who sang?",), ("Where is it?",)))
    ]


def test_the_least_alike_come_first() -> None:
    one = person("a", q=("Who sang well?",), r=("Why?",))
    other = person("b", q=("Who sang?",), r=("When?",))
    made = compare_rewrites([one, other], "rewrites")
    assert [each.id for each in made.differing_rewrites] == ["r", "q"]
    assert made.disagreed == ("q", "r")


def test_nothing_in_common() -> None:
    with pytest.raises(DataError, match="rewrote no question in common"):
        compare_rewrites([person("a", q=("Who?",)), person("b", r=("Who?",))], "rewrites")


def test_chinese_is_cut_into_words() -> None:
    found = figures(person("a", q=("李时珍出生在哪里？",)), person("b", q=("李时珍出生于哪里？",)))
    assert 0 < (found[MEASURE] or 0) < 1


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
    one = native(tmp_path / "ann.jsonl", {"text": FULL}, {"text": SHORT})
    other = tmp_path / "bo.jsonl"
    other.write_text(
        '{"readmark":1,"file":"sitting","candidate":"bo","kind":"series"}\n'
        '{"id":"q","rewrite":"Where was Orla Finch born?"}\n'
    )
    report = agree(open_annotators([one, str(other)]), resampling=Resampling(draws=0))
    (made,) = report.comparisons
    assert (made.what, made.sort, made.annotators) == ("rewrites", "rewrites", ("ann", "bo"))
    (told,) = report.as_json()["what"]["rewrites"]["beside"]
    assert told["asked"] == "When was she born?"
    assert told["rewrites"] == {"ann": (FULL, SHORT), "bo": ("Where was Orla Finch born?",)}
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
    (made,) = agree(open_annotators([path]), ["rewrites"]).comparisons
    assert made.annotators == ("ann", "bo")
    assert made.differing_rewrites == ()
    assert {one.measure: one.value for one in made.figures}["percent"] == 1
