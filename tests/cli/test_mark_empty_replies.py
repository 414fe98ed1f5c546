"""``readmark mark`` on replies in which nothing was said: they are not an answer that is none."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import NO_ANSWER_REASONS

Run = Callable[..., subprocess.CompletedProcess[str]]
COUNTING = ("em", "f1", "average", "contains")
METRICS = (*COUNTING, "precision", "recall", "autsent")
"""The last three count no question without an answer, whatever is said to it."""


@pytest.fixture
def mark(tmp_path: Path, readmark_cli: Run) -> Callable[..., Any]:
    """Marks rows of a test with an unanswerable question, ``none``, and one that has an answer."""
    test = comprehension(
        passage("p", asked("none", unanswerable=True), asked("some", "kettle")), language="en"
    )
    readmark.save(test, tmp_path / "test.jsonl")

    def run(*rows: dict[str, Any], **header: Any) -> Any:
        first = {"readmark": 1, "file": "sitting", "candidate": "llm", **header}
        text = "".join(json.dumps(one) + "\n" for one in (first, *rows))
        (tmp_path / "s.jsonl").write_text(text, encoding="utf-8")
        wanted = [part for name in METRICS for part in ("-m", name)]
        done = readmark_cli("mark", "test.jsonl", "s.jsonl", "--json", *wanted, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("reason", sorted(NO_ANSWER_REASONS))
def test_it_counts_as_no_row_does(mark: Callable[..., Any], reason: str) -> None:
    right = {"id": "some", "text": "kettle"}
    found = mark({"id": "none", "text": "", "evidence": {"reason": reason}}, right)
    assert (found["answered"], found["unanswered"]) == (1, ["none"])
    assert found["per_unit"]["none"] == dict.fromkeys(METRICS) | dict.fromkeys(COUNTING, 0.0)
    assert found["error_classes"]["machine"]["all"]["counts"]["no_answer"] == 1
    without = mark(right)
    assert all(found[name] == without[name] for name in ("marks", "per_unit", "error_classes"))


@pytest.mark.parametrize(
    "evidence", [None, {"shape": "json"}, {"reason": "the passage does not tell"}, ["empty"]]
)
def test_an_empty_text_says_that_there_is_no_answer(
    mark: Callable[..., Any], evidence: Any
) -> None:
    found = mark({"id": "none", "text": "", "evidence": evidence}, {"id": "some", "text": ""})
    assert (found["answered"], found["unanswered"]) == (2, [])
    assert (found["per_unit"]["none"]["em"], found["per_unit"]["some"]["em"]) == (1, 0)


def test_what_was_cut_off_in_its_answer_is_one(mark: Callable[..., Any]) -> None:
    found = mark({"id": "some", "text": "kettle", "evidence": {"reason": "cut off"}})
    assert found["unanswered"] == ["none"]
    assert found["per_unit"]["some"]["em"] == 1


def test_a_repeat_in_which_nothing_was_said(mark: Callable[..., Any]) -> None:
    refused = {"id": "none", "text": "", "repeat": 1, "evidence": {"reason": "refused"}}
    some = [{"id": "some", "text": "kettle", "repeat": at} for at in (0, 1)]
    found = mark({"id": "none", "text": "", "repeat": 0}, refused, *some, repeats=2)
    assert found["unanswered"] == ["none"]
    assert found["per_unit"]["none"]["em"] == 0.5
