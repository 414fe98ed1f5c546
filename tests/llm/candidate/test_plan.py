"""`sit --plan` with `llm`: tokens and cost before anything is asked; limits on a run and on all."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from llm_endpoint import Answer, Body, Endpoint, Misdeed, Says
from llm_papers import configure, says, sit_by_name, sit_paper
from readmark.llm.estimate import about_tokens
from readmark.sitting.planning import plan

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("four", 1), ("a longer one", 3), ("风筝", 2), ("Tom 说", 2)]
)
def test_tokens_by_rule_of_thumb(text: str, tokens: float) -> None:
    assert about_tokens(text) == tokens


def test_a_plan_asks_nothing_and_makes_no_file(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Endpoint(lambda body: says("Tom"), probed=True) as endpoint:
        configure(tmp_path, endpoint.url)
        before = sorted(tmp_path.iterdir())
        planned = plan(str(paper), "m(max_tokens=100)", tmp_path / "s.jsonl")
        assert (endpoint.probes, endpoint.asked) == ([], [])
    assert sorted(tmp_path.iterdir()) == before
    estimate = planned.estimate
    assert estimate is not None
    assert (planned.left, estimate.requests, estimate.cached) == (3, 3, 0)
    assert (estimate.output, estimate.most_output) == (180, 300)
    assert estimate.cost == pytest.approx((10 * estimate.input + 1000 * 180) / 1e6)
    assert estimate.most_cost == pytest.approx((10 * estimate.input + 1000 * 300) / 1e6)


def test_replies_in_the_cache_correct_the_estimate(paper: Path, tmp_path: Path) -> None:
    """A tokenizer that needs a token a byte, and replies of 7 tokens."""

    def reply(body: Body) -> Answer:
        size = sum(len(each["content"]) for each in body["messages"])
        return Says(says("Tom"), usage={"prompt_tokens": size, "completion_tokens": 7})

    with Endpoint(reply) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        out = tmp_path / "s.jsonl"
        first = plan(str(paper), name, out).estimate
        readmark.sit(str(paper), name, out, limit=2)
        then = plan(str(paper), name, out).estimate
        out.unlink()
        again = plan(str(paper), name, out).estimate
        asked = len(endpoint.asked)
        readmark.sit(str(paper), name, out)
        real = endpoint.asked[-1]
    assert first is not None
    assert then is not None
    assert again is not None
    assert asked == 2
    assert (then.requests, then.cached) == (1, 0)  # the journal has the others
    assert (again.requests, again.cached, again.output) == (1, 2, 7)
    size = sum(len(each["content"]) for each in real["messages"])
    assert 0.9 * size < again.input < 1.1 * size
    assert first.input < 0.5 * 3 * size


def test_the_line_of_a_plan(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    configure(tmp_path, "http://127.0.0.1:9/v1")
    done = readmark_cli("sit", str(paper), "-r", "m", "--plan", "--repeats", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.endswith("would sit 6 units: 6 to answer")
    assert second.startswith("6 requests; about 1,")
    assert " input tokens, 360 output (at most 6,144); cost about 0.3" in second
    assert " USD, at most 6.1" in second
    assert third == "nothing was asked"


# Limits: of one run, or of all.


def spending(body: Body) -> Answer:
    return Says(says("Tom"), usage={"prompt_tokens": 1000, "completion_tokens": 10})


def test_a_limit_on_a_run_begins_anew_and_one_on_the_total_does_not(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply costs 0.02; the most that the next may cost is about 0.02 for the prompt's bytes."""
    monkeypatch.chdir(tmp_path)

    def answered(out: Path, **limits: float) -> int:
        rows = sit_by_name(paper, "m(max_tokens=10)", out, parallel=1, cache="", **limits)
        return sum(row.error is None for row in rows.values())

    with Endpoint(spending) as endpoint:
        configure(tmp_path, endpoint.url)
        run, total = tmp_path / "run.jsonl", tmp_path / "total.jsonl"
        assert [answered(run, max_cost=0.04) for _ in range(3)] == [1, 2, 3]
        assert [answered(total, max_cost_total=0.04) for _ in range(3)] == [1, 1, 1]
        assert answered(total, max_cost_total=0.08) == 3


def test_what_stopped_a_run_is_stated_with_what_was_spent(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    with Endpoint(spending) as endpoint:
        configure(tmp_path, endpoint.url)
        done = readmark_cli(
            "sit", str(paper), "-r", "m(max_tokens=10)", "-o", "s.jsonl",
            "--max-cost", "0.04", "--parallel", "1", cwd=tmp_path,
        )  # fmt: skip
    assert done.returncode == 1
    assert "2 errors: not asked: one more request may exceed the limit of 0.04 USD" in done.stderr
    assert "stopped by the limit of 0.04 USD: 0.02 spent in this run, and one more" in done.stderr
    assert "1,000 input tokens, 10 output, cost 0.0200" in done.stderr


def test_attempts_that_brought_nothing_are_counted(paper: Path, tmp_path: Path) -> None:
    """Each attempt is answered without a message, and says what it took."""
    nothing = json.dumps({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 1}})
    with Endpoint(lambda body: Misdeed(200, nothing.encode())) as endpoint:
        out = tmp_path / "s.jsonl"
        rows = sit_paper(paper, endpoint, out, attempts=2, cache="")
        assert all(row.usage == {"input": 100, "output": 2, "attempts": 2} for row in rows.values())
        rows = sit_paper(paper, endpoint, out, attempts=2, cache="", max_tokens_total=2000)
        assert all("may exceed the total limit" in row.error for row in rows.values())
