"""`sit --plan --probe N`: the first units predict what the rest takes; nothing is asked twice."""

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import readmark
from llm_endpoint import Body, Endpoint, Says
from llm_papers import configure, says
from made import asked, comprehension, passage
from misbehaving_candidates import standing
from readmark.core.errors import DataError
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.core.spent import Spent
from readmark.hooks import Kind
from readmark.sitting.cluster import Cluster
from readmark.sitting.forecast import ProbeTimes, duration, read_probe
from readmark.sitting.outcome import plan_outcome
from readmark.sitting.planning import plan

Run = Callable[..., subprocess.CompletedProcess[str]]
UNITS = 60


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.jsonl"
    passages = (passage(f"p{number}", asked(f"q{number}", "kettle")) for number in range(UNITS))
    readmark.save(comprehension(*passages, language="en"), path)
    return path


def write_probe(path: Path, **more: float | None) -> ProbeTimes:
    """A probe of round numbers in its place next to the sitting."""
    measured: dict[str, float | None] = {"cost": None, "spread": 0.1, "megabytes": 100.0, **more}
    probe = {"candidate": "lead", "units": 20, "seconds": 0.5, "startup": 3.0, "bytes": 1000.0}
    Path(f"{path}.probe.json").write_text(json.dumps({**probe, **measured}), "utf-8")
    times = read_probe(path, "lead")
    assert times is not None
    return times


def test_a_forecast_by_hand(paper: Path, tmp_path: Path) -> None:
    """60 units of 0.5 s by two workers that take 3 s to start; an hour of one costs 7.2."""
    out = tmp_path / "out.jsonl"
    write_probe(out, cost=0.01)
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
    price = ("--set", "ray.hour_price=2")
    probed = readmark_cli(*price, *command, "--plan", "--probe", "25", cwd=tmp_path)
    assert probed.returncode == 0, probed.stderr
    first, second, third, last = probed.stdout.splitlines()
    assert first == "lead would sit 60 units: 35 to answer, 25 answered already"
    assert re.search(r"on 1 worker, \d+\.\d s of worker time$", second)
    assert third.startswith("memory about ")
    assert "; cost about 0.00" in third
    assert last == "25 answers of the probe added to out.jsonl"
    again = readmark_cli(*command, "--plan", cwd=tmp_path)
    assert again.stdout.splitlines()[-1] == "nothing was asked"
    assert len(again.stdout.splitlines()) == 4
    assert "; cost about 0.00" in again.stdout  # the price is kept too
    done = readmark_cli(*command, "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["progress"]["before"] == 25
    assert document["plan"]["units"] == 35
    assert document["plan"]["seconds"] > 0
    assert document["plan"]["planned_seconds"] > 0
    rows = standing(tmp_path / "out.jsonl")[1]
    assert [row["id"] for row in rows] == [f"q{number}" for number in range(UNITS)]
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
        yield from (Row(id=unit.id, answer="kettle") for unit in batch)


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


def test_a_probe_resumes_a_run_that_was_cut_off(paper: Path, tmp_path: Path) -> None:
    """Whatever its limit, and also where none was set: the rows that follow are added."""
    for name, limit in (("all", None), ("some", 50)):
        out = tmp_path / f"{name}.jsonl"
        readmark.sit(paper, "lead", out, limit=limit)
        whole = out.read_bytes().splitlines(keepends=True)
        out.write_bytes(b"".join(whole[:21]))
        planned = plan(paper, "lead", out, limit=limit, probe=10)
        assert (planned.answered, planned.asked) == (30, 10)
        readmark.sit(paper, "lead", out, limit=limit)
        assert [row["id"] for row in standing(out)[1]] == [
            json.loads(line)["id"] for line in whole[1:]
        ]


def test_after_a_probe_any_limit_can_be_sat(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    plan(paper, "lead", out, probe=10)
    assert readmark.sit(paper, "lead", out, limit=30).progress.answered == 20
    assert plan(paper, "lead", out, probe=10).answered == 40
    assert readmark.sit(paper, "lead", out).progress.answered == 20


def test_repeats_are_not_asked_by_a_probe(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    planned = plan(paper, "lead", out, repeats=3, probe=50)
    assert (planned.units, planned.answered, planned.asked) == (180, 50, 50)
    assert plan(paper, "lead", out, repeats=3, probe=50).answered == 100
    assert {row.get("repeat", 0) for row in standing(out)[1][:60]} == {0}


def test_the_bytes_of_rows_without_the_header(paper: Path, tmp_path: Path) -> None:
    """With a limit it lists every id."""
    out = tmp_path / "out.jsonl"
    plan(paper, "lead", out, limit=59, probe=20)
    probe = read_probe(out, "lead")
    rows = out.read_bytes().splitlines(keepends=True)[1:]
    assert probe is not None
    assert probe.bytes == pytest.approx(sum(map(len, rows)) / 20, abs=0.1)


class Slow:
    """Takes a moment to load, then answers in batches; every unit with an odd number fails."""

    def __init__(self, load: float = 0.0, batch: int = 1, is_failing: bool = False) -> None:
        self.load, self.batch, self.is_failing = load, batch, is_failing
        self.is_loaded = False

    def prepare(self, kind: Kind, language: str) -> None:
        time.sleep(0 if self.is_loaded else self.load)
        self.is_loaded = True

    def signature(self) -> dict[str, str]:
        return {}

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for batch in batched(units, self.batch):
            time.sleep(0.01 * len(batch))
            for unit in batch:
                if self.is_failing and int(unit.id[1:]) % 2:
                    yield Row(id=unit.id, error="no")
                else:
                    yield Row(id=unit.id, answer="kettle")


def batched(units: Iterable[Unit], size: int) -> Iterator[list[Unit]]:
    waiting = iter(units)
    while batch := list(islice(waiting, size)):
        yield batch


def test_loading_is_starting_up(paper: Path, tmp_path: Path) -> None:
    """Half a second, which nobody may have spent before the clock runs."""
    plan(paper, Slow(load=0.5), tmp_path / "out.jsonl", probe=20)
    probe = read_probe(tmp_path / "out.jsonl", "Slow")
    assert probe is not None
    assert probe.startup >= 0.4


@pytest.mark.parametrize("batch", [1, 8, 16, 20, 32])
def test_units_of_a_batch_count_together(paper: Path, tmp_path: Path, batch: int) -> None:
    """10 ms a unit, whichever rows come at once."""
    plan(paper, Slow(batch=batch), tmp_path / "out.jsonl", probe=40)
    probe = read_probe(tmp_path / "out.jsonl", "Slow")
    assert probe is not None
    assert probe.seconds >= 0.01
    assert (probe.spread is None) == (batch > 1)


def test_errors_of_a_probe(paper: Path, tmp_path: Path) -> None:
    planned = plan(paper, Slow(is_failing=True), tmp_path / "out.jsonl", probe=20)
    assert (planned.asked, planned.errors, planned.answered, planned.failed) == (20, 10, 10, 10)
    assert planned.forecast is not None
    assert planned.notes == (f"{tmp_path / 'out.jsonl'}: 10 errors: no",)
    assert "10 answers of the probe added to" in str(planned)
    assert str(planned).rstrip().endswith(", 10 errors")
    failing = plan(paper, lambda unit: 1 // 0, tmp_path / "other.jsonl", probe=20)
    assert failing.forecast is None
    assert failing.notes[-1].endswith("most units of the probe failed: nothing was measured")
    silent = plan(paper, lambda unit: None, tmp_path / "silent.jsonl", probe=20)
    assert (silent.asked, silent.unanswered) == (20, 20)
    assert silent.notes[-1].endswith("only 0 answers came: nothing was measured")


def test_how_far_off_a_run_of_workers_was(paper: Path, tmp_path: Path) -> None:
    """60 units of 0.5 s by the two workers that there were, which take 3 s to start."""
    out = tmp_path / "out.jsonl"
    sat = readmark.sit(paper, "lead", out, workers=2)
    write_probe(out)
    compared = plan_outcome(out, sat, 27.0)
    assert compared is not None
    assert compared.planned_seconds == pytest.approx(3 + 60 * 0.5 / 2)
    assert compared.words == "60 units took 27.0 s, planned 18.0 s (+50%)"
    write_probe(out, cost=0.01)  # a request, of which one may be about several units
    paid = replace(sat, spent=Spent(asked=10, priced=10, cost=0.2))
    compared = plan_outcome(out, paid, 17.99)
    assert compared is not None
    assert compared.words.endswith("(+0%); cost 0.2000, planned 0.1000 (+100%)")
    write_probe(out, hour_price=7.2)  # two workers of 27 s; planned are 3 s each, and 30 s
    compared = plan_outcome(out, sat, 27.0)
    assert compared is not None
    assert compared.words.endswith("; cost 0.1080, planned 0.0720 (+50%)")
    write_probe(out, hour_price=7.2, cost=0.01)
    compared = plan_outcome(out, paid, 27.0)
    assert compared is not None
    assert (compared.cost, compared.planned_cost) == pytest.approx((0.308, 0.172))


def test_a_probe_for_workers_is_sat_by_one(paper: Path, tmp_path: Path) -> None:
    """A process of its own, the start of which counts."""
    resource = pytest.importorskip("resource", reason="counts child processes")
    processes = []
    for workers in (1, 2):
        out = tmp_path / f"{workers}.jsonl"
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        plan(paper, "lead", out, probe=20, workers=workers)
        processes.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime > children)
    assert processes == [False, True]


def test_a_plan_for_gpus_asks_no_driver_for_the_device(paper: Path, tmp_path: Path) -> None:
    """Nodes with a GPU say what it is; the driver has none and plans nevertheless."""
    out = tmp_path / "out.jsonl"
    readmark.sit(paper, "lead", out, limit=20)
    out.write_text(out.read_text("utf-8").replace('"signature":{', '"signature":{"device":"gpu",'))
    planned = plan(paper, "lead", out, engine=Cluster(gpus=1), workers=2)
    assert (planned.answered, planned.left) == (20, 40)
    with pytest.raises(DataError, match="another candidate's signature"):
        plan(paper, "lead", out)


def test_money_of_requests_is_measured(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten tokens in and five out at 1 and 2 a million: 0.00002 a unit."""
    monkeypatch.chdir(tmp_path)

    def reply(body: Body) -> Says:
        return Says(says("kettle"), usage={"prompt_tokens": 10, "completion_tokens": 5})

    with Endpoint(reply) as endpoint:
        configure(tmp_path, endpoint.url, price="{ input = 1, output = 2 }")
        planned = plan(paper, "m", tmp_path / "out.jsonl", probe=20)
        requests = len(endpoint.asked)
    assert planned.forecast is not None
    assert planned.forecast.cost == pytest.approx(40 * 0.00002)
    assert planned.asked == 20
    assert planned.estimate is not None  # by what was measured, not by rules of thumb
    assert (planned.estimate.input, planned.estimate.output) == (400, 200)
    assert planned.estimate.cost == pytest.approx(planned.forecast.cost)
    assert requests in (20, 21)  # one may find out what the service takes
    (tmp_path / "out.jsonl").unlink()
    (tmp_path / "out.jsonl.probe.json").unlink()
    again = plan(paper, "m", tmp_path / "out.jsonl", probe=20)
    assert again.forecast is None
    assert "20 answers came from the cache: nothing was measured" in again.notes[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--probe", "10"], "--probe goes with --plan"),
        (["--plan", "--probe", "10"], "a probe's answers are kept: name the sitting"),
        (["--plan", "--probe", "3", "-o", "out.jsonl"], "--probe 3 is too few units to measure"),
        (["--plan", "--probe", "0", "-o", "out.jsonl"], "--probe 0 is too few units to measure"),
        (["--plan", "--probe", "10", "-o", "-"], "a probe's answers are kept: name the sitting"),
        (["--plan", "--workers", "0"], "--workers 0 is less than 1"),
        (
            ["--plan", "--workers", "2", "-r", "llm(model=m,base_url=http://127.0.0.1:9)"],
            "sends requests in parallel itself: use --parallel, not --workers",
        ),
        (
            [
                "--plan",
                "--probe",
                "10",
                "-o",
                "out.jsonl",
                "--workers",
                "2",
                "-r",
                "llm(model=m,base_url=http://127.0.0.1:9)",
            ],
            "sends requests in parallel itself: use --parallel, not --workers",
        ),
    ],
)
def test_a_probe_that_cannot_be_sat(
    paper: Path, tmp_path: Path, readmark_cli: Run, options: list[str], message: str
) -> None:
    if "-o" not in options and "--plan" not in options:
        options = [*options, "-o", "out.jsonl"]
    if "-r" not in options:
        options = ["-r", "lead", *options]
    done = readmark_cli("sit", str(paper), *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_a_damaged_file_of_a_probe(paper: Path, tmp_path: Path) -> None:
    Path(tmp_path / "out.jsonl.probe.json").write_text("{}", "utf-8")
    with pytest.raises(DataError, match="not a probe of a sitting") as wrong:
        plan(paper, "lead", tmp_path / "out.jsonl")
    assert wrong.value.file == tmp_path / "out.jsonl.probe.json"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.44, "0.4 s"),
        (59.6, "59.6 s"),
        (59.97, "1:00 min"),
        (187, "3:07 min"),
        (7800, "2:10:00 h"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words
