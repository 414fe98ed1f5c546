"""The marking cases that ship: a clone with nothing beside it proves the official marks too."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from oracles import official
from readmark.comprehension.profiles import PROFILES, profile

LINES = (files("readmark") / "bundle" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    rules = profile(case["profile"])
    references = rules.references(case["answers"])
    answer = case["prediction"]
    assert max(rules.em(reference, answer) for reference in references) == case["em"]
    assert round(max(rules.f1(reference, answer) for reference in references), 6) == case["f1"]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["profile"] in official.EM],
    ids=lambda case: case["id"],
)
def test_case_by_the_oracle(case: dict[str, Any]) -> None:
    em, f1 = official.best(case["profile"], case["answers"], case["prediction"])
    assert [em, round(f1, 6)] == [case["em"], case["f1"]]


def test_cases_are_well_formed() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 80
    counts = Counter(case["profile"] for case in CASES)
    assert set(counts) == set(PROFILES)
    assert min(counts.values()) >= 14
    keys = ["id", "profile", "answers", "prediction", "em", "f1", "why"]
    assert all(list(case) == keys and case["why"] for case in CASES)
