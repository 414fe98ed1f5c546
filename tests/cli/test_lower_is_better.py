"""A metric of another package that counts what is wrong: less of it is better, everywhere."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
IDS = [f"q{at:02}" for at in range(20)]
METRIC = '''
from dataclasses import dataclass
from typing import ClassVar

from readmark.hooks import MetricFacts


@dataclass(frozen=True)
class Slips:
    """Share of answers that are no reference."""

    facts: ClassVar = MetricFacts(
        kinds=("comprehension",), scale=100.0, width=2, best=0.0, worst=1.0, quantity="share"
    )

    def statistics(self, unit, references, answer, people=()):
        right = answer is not None and any(answer.text == one.text for r in references for one in r)
        return float(not right), 1.0

    def aggregate(self, sums):
        return sums[..., 0] / sums[..., 1]

    def signature(self):
        return {"units": "mean"}
'''


@pytest.fixture
def run(tmp_path: Path, readmark_cli: Run) -> Run:
    """The command where the metric is installed, in a folder with a test and two sittings."""
    about = tmp_path / "plug" / "readmark_slips.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: readmark-slips\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[readmark.metrics]\nslips = readmark_slips:Slips\n")
    (tmp_path / "plug" / "readmark_slips.py").write_text(METRIC)
    test = comprehension(*(passage(id, asked(id, "kettle")) for id in IDS), name="kitchen")
    readmark.save(test, tmp_path / "t.jsonl")
    (tmp_path / "good.json").write_text(json.dumps(dict.fromkeys(IDS, "kettle")))
    (tmp_path / "poor.json").write_text(json.dumps(dict.fromkeys(IDS[:5], "kettle")))

    def call(*args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = readmark_cli(*args, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "plug")})
        assert done.returncode == status, done.stderr
        return done

    return call


def test_compare(run: Run) -> None:
    compare = ("compare", "t.jsonl", "-m", "slips", "--fail-if-worse")
    worse = run(*compare, "good.json", "poor.json", status=3)
    assert "poor: worse than good" in worse.stdout
    assert "lower is better" in worse.stdout
    assert "significantly worse than good: poor" in worse.stderr
    better = run(*compare, "poor.json", "good.json", status=0)
    assert "good: better than poor" in better.stdout
    (found,) = json.loads(run(*compare, "poor.json", "good.json", "--json").stdout)["comparisons"]
    assert (found["difference"], found["lower_is_better"]) == (-75, True)
    plain = run("compare", "t.jsonl", "good.json", "poor.json", "--json").stdout
    (found,) = json.loads(plain)["comparisons"]
    assert (found["difference"], found["lower_is_better"]) == (-75, False)


def test_no_condition_on_a_metric_where_lower_is_better(run: Run) -> None:
    command = ("mark", "t.jsonl", "good.json", "-m", "slips", "--fail-under", "slips=3")
    assert run(*command, status=2).stderr == (
        "readmark: --fail-under 'slips=3': lower marks are better in slips\n"
    )


def test_report(run: Run, tmp_path: Path) -> None:
    for name in ("good", "poor"):
        run("mark", "t.jsonl", f"{name}.json", "-m", "slips", "-o", f"{name}.jsonl")
    run("report", "poor.jsonl", "good.jsonl", "-o", "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "it is significantly better than <bdi>poor</bdi> (−75.00 slips" in page
    assert "显著优于 <bdi>poor</bdi>" in page
    assert "lower is better" in page
