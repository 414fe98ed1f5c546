"""The comparison with other tools: its cases are true, its ratios and its page are right."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
PEERS = BENCHMARKS / "peers"
INSTALLED = {"strings": ["rapidfuzz"], "labels": ["nltk", "krippendorff"]}
"""Peers that the tests' environment has."""
AREAS = ["answers", "strings", "labels", "texts"]


@pytest.fixture(scope="module")
def peers() -> Iterator[ModuleType]:
    """``benchmarks/peers/run.py``; its modules are forgotten afterwards."""
    path, modules = list(sys.path), dict(sys.modules)
    sys.path[:0] = [str(PEERS), str(BENCHMARKS)]
    for name in [file.stem for folder in (PEERS, BENCHMARKS) for file in folder.glob("*.py")]:
        sys.modules.pop(name, None)
    yield importlib.import_module("run")
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(BENCHMARKS)):
            del sys.modules[name]
    sys.modules.update({name: modules[name] for name in modules.keys() - sys.modules.keys()})


def measured(peers: ModuleType, area: str) -> Any:
    """The cases of an area by Readmark and the peers that are here."""
    processes = importlib.import_module("processes")
    tools = importlib.import_module(area).TOOLS
    here = ["readmark", *INSTALLED.get(area, [])]
    tasks = peers.case_tasks(area)
    results = {
        name: processes.work(area, name, tasks) if name in here else processes.Result(missing="-")
        for name in tools
    }
    assert not [name for name in here if results[name].missing]
    return peers.Measured(area, tasks, results)


@pytest.mark.parametrize("area", AREAS)
def test_cases_are_as_claimed(peers: ModuleType, area: str) -> None:
    assert peers.verdicts(area)
    assert peers.wrong_claims(measured(peers, area)) == []


def test_a_wrong_claim_is_named(peers: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(peers, "strings")
    cases = peers.verdicts("strings")
    case = next(case for case in cases if "rapidfuzz" in case["peers"])
    case["theirs"] = {"jaro_winkler": 0.9}
    monkeypatch.setattr(peers, "verdicts", lambda area: cases)
    (problem,) = peers.wrong_claims(found)
    assert problem.startswith(f"{case['name']}: rapidfuzz gives")


def test_cases_are_complete_and_on_the_page(peers: ModuleType) -> None:
    page = (PEERS / "README.md").read_text("utf-8")
    for case in peers.verdicts():
        tools = importlib.import_module(case["area"]).TOOLS
        assert set(case["peers"]) <= tools.keys() - {"readmark"}, case["name"]
        assert case["ours"] != case["theirs"], case["name"]
        assert f"**{case['name']}**" in page
        assert case["why"] in page, f"run benchmarks/peers/run.py: {case['name']} has changed"
        re.compile(case.get("pattern", ""))


def test_a_tool_that_is_not_installed_is_skipped(peers: ModuleType) -> None:
    task = {"name": "pair", "items": [["lamp", "lamps"]]}
    missing = peers.first_found("strings", "textdistance", [task], [])
    assert missing.missing == "no environment was given"
    there = peers.first_found("strings", "rapidfuzz", [task], [sys.executable])
    values = {name: column[0] for name, column in there.values["pair"].items()}
    assert values == pytest.approx({"levenshtein": 0.8, "jaro": 14 / 15, "jaro_winkler": 0.96})
    assert there.imported > 0
    assert 1 < there.memory < 1000


@pytest.mark.reasoning
def test_rules_derive_the_same_by_nemo(peers: ModuleType) -> None:
    processes = importlib.import_module("processes")
    task = {"name": "games", "items": [20], "warm": []}
    ours, theirs = (processes.work("rules", name, [task]) for name in ("readmark", "nemo"))
    assert ours.values == theirs.values
    assert ours.values["games"]["statements"][0] > 200


def test_ratios_and_differences(peers: ModuleType) -> None:
    page, processes = importlib.import_module("page"), importlib.import_module("processes")
    ours = processes.Result(
        "1", "A", 1.0, 50.0, {"t": {"jaro": 2.0, "dice": 5.0}}, {"t": {"jaro": [0.5, 1.0]}}
    )
    theirs = processes.Result(
        "2", "B", 3.0, 100.0, {"t": {"jaro": 6.0, "qgrams": 9.0}}, {"t": {"jaro": [0.5, 0.9]}}
    )
    assert page.common(ours.seconds, theirs.seconds) == (2.0, 6.0)  # dice and qgrams are not common
    tasks = [{"name": "t", "items": [["a", "b"], ["c", "c"]]}]
    found = peers.Measured("strings", tasks, {"readmark": ours, "rapidfuzz": theirs})
    assert "| rapidfuzz | 2 | B | 3.0 | 3.0 | 2.0 |" in page.costs(found)
    assert "| `jaro` | 3.0; 1 of 2 |" in page.by_measure(found)
    assert peers.differing(ours.values["t"], theirs.values["t"], 0.2) == []
    assert not peers.same(None, 0.0, 1.0)
    least = peers.least(
        ours, processes.Result("1", "A", 0.5, 60.0, {"t": {"jaro": 3.0, "dice": 1.0}})
    )
    assert (least.imported, least.memory, least.seconds) == (
        0.5,
        50.0,
        {"t": {"jaro": 2.0, "dice": 1.0}},
    )
