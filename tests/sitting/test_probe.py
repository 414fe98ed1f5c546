"""`sit --plan --probe N`: the first units predict what the rest takes; nothing is asked twice."""

import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import readmark
from llm_endpoint import Body, Endpoint, Says
from llm_papers import says
from made import asked, comprehension, passage
from readmark.core.errors import DataError
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.sitting.plan import ProbeTimes, duration, plan, read_probe
from understudies import standing

Run = Callable[..., subprocess.CompletedProcess[str]]
UNITS = 60


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.jsonl"
    passages = (passage(f"p{at}", asked(f"q{at}", "kettle")) for at in range(UNITS))
    readmark.save(comprehension(*passages, language="en"), path)
    return path


def known(path: Path, **more: float | None) -> ProbeTimes:
    """A probe of round numbers in its place next to the sitting."""
    measured: dict[str, float | None] = {"cost": None, "spread": 0.1, "megabytes": 100.0, **more}
    probe = {"candidate": "lead", "units": 20, "seconds": 0.5, "startup": 3.0, "bytes": 1000.0}
    Path(f"{path}.probe.json").write_text(json.dumps({**probe, **measured}), "utf-8")
    found = read_probe(path, "lead")
    assert found is not None
    return found


def test_a_forecast_by_hand(paper: Path, tmp_path: Path) -> None:
    """60 units of 0.5 s by two workers that take 3 s to start; an hour of one costs 7.2."""
    out = tmp_path / "out.jsonl"
    known(out, cost=0.01)
    forecast = plan(paper, "lead", out, workers=2, hour_price=7.2).forecast
    assert forecast is not None
    assert forecast.seconds == pytest.approx(3 + 60 * 0.5 / 2)
    assert (forecast.low, forecast.high) == pytest.approx((18 - 3, 18 + 3))
    assert forecast.worker_hours == pytest.approx((2 * 3 + 60 * 0.5) / 3600)
    assert forecast.cost == pytest.approx(60 * 0.01 + 36 / 3600 * 7.2)
    assert (forecast.megabytes, forecast.bytes) == (200, 60_000)
    assert not out.exists()
    assert plan(paper, "longest_overlap", out).forecast is None  # another candidate's


def test_answers_of_a_probe_are_kept_and_asked_once(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    command = ("sit", str(paper), "-r", "lead", "-o", "out.jsonl")
    before = readmark_cli(*command, "--plan", cwd=tmp_path)
    assert before.stdout == "lead would sit 60 units: 60 to answer\nnothing was asked\n"
    assert not (tmp_path / "out.jsonl").exists()
    probed = readmark_cli(*command, "--plan", "--probe", "25", "--hour-price", "2", cwd=tmp_path)
    assert probed.returncode == 0, probed.stderr
    first, second, third, last = probed.stdout.splitlines()
    assert first == "lead would sit 60 units: 35 to answer, 25 answered already"
    assert "on 1 worker, 0.00 worker hours" in second
    assert third.startswith("memory about ")
    assert "; cost about 0.00" in third
    assert last == "25 answers of the probe added to out.jsonl"
    again = readmark_cli(*command, "--plan", cwd=tmp_path)
    assert again.stdout.splitlines()[-1] == "nothing was asked"
    assert len(again.stdout.splitlines()) == 4
    done = readmark_cli(*command, "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["progress"]["before"] == 25
    assert document["plan"]["units"] == 35
    assert document["plan"]["seconds"] > 0
    assert document["plan"]["planned_seconds"] > 0
    rows = standing(tmp_path / "out.jsonl")[1]
    assert [row["id"] for row in rows] == [f"q{at}" for at in range(UNITS)]
    whole = readmark_cli(*command[:-1], "whole.jsonl", cwd=tmp_path)
    assert "took" not in whole.stderr  # no probe, so there is no plan to compare with
    headers = [
        (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()[0] for name in ("out", "whole")
    ]
    assert headers[0] == headers[1]


class AllAtOnce:
    """Answers everything in one batch, after 20 ms for each."""

    def prepare(self, kind: Kind, language: str) -> None: ...

    def signature(self) -> dict[str, str]:
        return {}

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        batch = list(units)
        time.sleep(0.02 * len(batch))
        yield from (Row(id=unit.id, text="kettle") for unit in batch)


def test_answers_that_come_together_took_what_the_batch_took(paper: Path, tmp_path: Path) -> None:
    plan(paper, AllAtOnce(), tmp_path / "out.jsonl", probe=10)
    probe = json.loads((tmp_path / "out.jsonl.probe.json").read_text("utf-8"))
    assert probe["seconds"] >= 0.02
    assert probe["spread"] is None


def test_a_second_probe_takes_the_units_that_follow(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert plan(paper, "lead", out, probe=10).asked == 10
    assert plan(paper, "lead", out, probe=10).answered == 20
    assert plan(paper, "lead", out, probe=100).left == 0
    assert plan(paper, "lead", out, probe=100).asked == 0


def test_money_of_requests_is_measured(paper: Path, tmp_path: Path) -> None:
    """Ten tokens in and five out at 1 and 2 a million: 0.00002 a unit."""
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 1\noutput = 2\n", "utf-8")

    def reply(body: Body) -> Says:
        return Says(says("kettle"), usage={"prompt_tokens": 10, "completion_tokens": 5})

    with Endpoint(reply) as endpoint:
        name = f"llm(model=m,base_url={endpoint.url})"
        traffic = readmark.Traffic(prices=str(prices))
        planned = plan(paper, name, tmp_path / "out.jsonl", probe=20, traffic=traffic)
        asked_of = len(endpoint.asked)
    assert planned.forecast is not None
    assert planned.forecast.cost == pytest.approx(40 * 0.00002)
    assert planned.asked == 20
    assert asked_of in (20, 21)  # with a look at what the service takes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--probe", "10"], "--probe and --hour-price go with --plan"),
        (["--plan", "--probe", "10"], "a probe's answers are kept: name the sitting"),
        (["--plan", "--probe", "3", "-o", "out.jsonl"], "--probe 3 is too few units to measure"),
        (["--plan", "--hour-price", "-1"], "--hour-price a number from 0"),
        (
            ["--plan", "--workers", "2", "-r", "llm(model=m,base_url=http://127.0.0.1:9)"],
            "asks many at once by itself: use --parallel, not --workers",
        ),
    ],
)
def test_a_probe_that_cannot_be(
    paper: Path, tmp_path: Path, readmark_cli: Run, options: list[str], message: str
) -> None:
    if "-o" not in options and "--plan" not in options:
        options = [*options, "-o", "out.jsonl"]
    done = readmark_cli("sit", str(paper), "-r", "lead", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_a_spoilt_file_of_a_probe(paper: Path, tmp_path: Path) -> None:
    Path(tmp_path / "out.jsonl.probe.json").write_text("{}", "utf-8")
    with pytest.raises(DataError, match="not a probe of a sitting") as wrong:
        plan(paper, "lead", tmp_path / "out.jsonl")
    assert wrong.value.file == tmp_path / "out.jsonl.probe.json"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.44, "0.4 s"), (59.6, "59.6 s"), (187, "3:07 min"), (7800, "2:10:00 h")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words
