"""`llm`: budgets of tokens, what was counted, and what it cost."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from llm_endpoint import Answer, Body, Endpoint, Misdeed, Says, completion
from llm_papers import BUNDLE, configure, says, sit_paper

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.server
def test_a_budget_holds_with_many_under_way_and_a_greedy_tokenizer(tmp_path: Path) -> None:
    """A token a byte is the most that there can be."""

    def reply(body: Body) -> Answer:
        size = len(json.dumps(body["messages"], ensure_ascii=False).encode())
        return Says(says("A"), usage={"prompt_tokens": size, "completion_tokens": 20})

    with Endpoint(reply, delay=0.02) as endpoint:
        test = BUNDLE / "reading.zh.jsonl"
        rows = sit_paper(
            test, endpoint, tmp_path / "s.jsonl", "max_tokens=50", parallel=64,
            max_tokens_total=40_000,
        )  # fmt: skip
    used = sum(row.usage["input"] + row.usage["output"] for row in rows.values() if not row.error)
    assert 20_000 < used <= 40_000


def test_what_nobody_counted_is_told(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    """Replies without usage have no numbers; those that came too late count against the budget."""

    def bare(body: Body) -> Answer:
        made = json.loads(completion(says("Tom"), body))
        del made["usage"]
        return Misdeed(200, json.dumps(made).encode())

    with Endpoint(bare) as endpoint:
        configure(tmp_path, endpoint.url)
        done = readmark_cli("sit", str(paper), "-r", "m", "-o", "s.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0 input tokens, 0 output, 3 requests not counted" in done.stderr
    assert "cost" not in done.stderr
    with Endpoint(lambda body: Misdeed(200, b"{}", wait=0.5)) as endpoint:
        rows = sit_paper(
            paper, endpoint, tmp_path / "b.jsonl", "max_tokens=50",
            timeout=0.1, attempts=50, parallel=1, max_tokens_total=10_000,
        )  # fmt: skip
        words = "not asked: one more request may exceed the total limit of 10,000 tokens"
        assert rows["q1"].error == words
        assert len(endpoint.asked) < 12


@pytest.mark.server
def test_a_budget_stops_and_a_later_run_goes_on(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(lambda body: Says(says("Tom"), usage={"prompt_tokens": 1500})) as endpoint:
        rows = sit_paper(paper, endpoint, out, "max_tokens=50", parallel=1, max_tokens_total=1600)
        assert [row.error is None for row in rows.values()] == [True, False, False]
        assert "may exceed the total limit of 1,600 tokens" in rows["q2"].error
        rows = sit_paper(paper, endpoint, out, "max_tokens=50")
        assert [row.error for row in rows.values()] == [None] * 3
        assert len(endpoint.asked) == 3


def test_cost_is_counted(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 10}
    with Endpoint(lambda body: Says(says("Tom"), usage=usage)) as endpoint:
        configure(tmp_path, endpoint.url)
        done = readmark_cli("sit", str(paper), "-r", "m", "-o", "s.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    spent = json.loads(done.stdout)["spent"]
    assert (spent["asked"], spent["input"], spent["output"]) == (3, 3000, 30)
    assert spent["cost"] == pytest.approx(0.06)
