"""What a sitting would take: `readmark sit --plan`, which asks nothing unless a probe is wanted.

A probe sits the first units for real. Its answers are in the journal like any others, so that
nothing is asked twice, and what they took is in a file next to it: after the run, the summary says
how far off the plan was.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.display import Result, counted
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes, read_lines, writing
from readmark.core.records import Unit
from readmark.core.traffic import Estimate, Traffic
from readmark.formats.registry import TestInput, as_test
from readmark.hooks import PaperTransform
from readmark.sitting.candidates import CandidateInput, begin_repeat, declared
from readmark.sitting.journal import Done, journal_files, look_into
from readmark.sitting.preparation import prepare_sitting
from readmark.sitting.requests import wanted_units
from readmark.sitting.runner import Progress, SatResult, sit
from readmark.sitting.transforms import build_transforms, chosen_test, named_transforms

WARM_UP = 5
"""First units of a probe that count as starting up: models are loaded and caches filled."""
BLOCKS = 9
_T = 2.306
"""Student's t at 95% for as many blocks."""


class ProbeTimes(msgspec.Struct, frozen=True):
    """What the first units took, measured by one worker."""

    candidate: str
    units: int
    seconds: float
    """Seconds a unit, after starting up."""
    spread: float | None
    """Half the width of its 95% interval, from the means of consecutive blocks of units."""
    startup: float
    """Seconds before units came at that rate."""
    megabytes: float | None
    """Peak memory of the process."""
    bytes: float
    """Bytes a unit in the journal."""
    cost: float | None = None
    """Money a unit, where every row has a price."""

    def hours(self, units: int) -> float:
        """Hours of one worker for so many units."""
        return (self.startup + units * self.seconds) / 3600


@dataclass(frozen=True)
class Forecast:
    """What is left to answer takes on so many workers, as a probe predicts it."""

    workers: int
    seconds: float
    low: float | None
    high: float | None
    worker_hours: float
    megabytes: float | None
    """Memory of all workers."""
    bytes: float
    """What the journal grows by."""
    cost: float | None
    """Requests by their prices, and worker hours by theirs, where there are any."""

    @property
    def words(self) -> Iterator[str]:
        """A line on time, and one on everything else."""
        on = counted(self.workers, "worker")
        span = ""
        if self.low is not None and self.high is not None:
            span = f" ({duration(self.low)} to {duration(self.high)})"
        yield f"about {duration(self.seconds)}{span} on {on}, {self.worker_hours:.2f} worker hours"
        memory = "" if self.megabytes is None else f"memory about {self.megabytes:,.0f} MB; "
        money = "" if self.cost is None else f"; cost about {self.cost:.4f}"
        yield f"{memory}the sitting grows by {self.bytes / 1e6:,.1f} MB{money}"


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 3:07 min, 2:10:00 h."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02}:{rest:02} h"


@dataclass(frozen=True, repr=False)
class SittingPlan(Result):
    """How many units a run would answer, and what its requests would take."""

    candidate: str
    units: int
    """Units of the whole sitting, each as often as it is repeated."""
    answered: int
    """Units that the sitting has already."""
    failed: int
    """Error rows, which would be tried again."""
    estimate: Estimate | None = None
    """None for a candidate that sends no requests."""
    path: str = ""
    forecast: Forecast | None = None
    """None where nothing was measured by a probe."""
    asked: int = 0
    """Units that were asked just now, by the probe."""

    @property
    def left(self) -> int:
        """Units that the run would answer."""
        return self.units - self.answered

    def as_json(self) -> dict[str, Any]:
        """The document that ``sit --plan --json`` prints."""
        document = asdict(self)
        return {"sitting": document.pop("path") or None, **document, "left": self.left}

    def show(self, console: Console) -> None:
        """Print what is left to answer, and what that would take."""
        parts = [f"{self.left:,} to answer"]
        parts += [f"{self.answered:,} answered already"] if self.answered else []
        parts += [f"{counted(self.failed, 'error')} to try again"] if self.failed else []
        units = counted(self.units, "unit")
        console.print(f"{self.candidate} would sit {units}: {', '.join(parts)}", soft_wrap=True)
        if self.estimate is not None:
            console.print(self.estimate.words, soft_wrap=True)
        for words in self.forecast.words if self.forecast is not None else ():
            console.print(words, soft_wrap=True)
        asked = f"{counted(self.asked, 'answer')} of the probe added to {self.path}"
        console.print(asked if self.asked else "nothing was asked", soft_wrap=True)


def plan(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None = None,
    *,
    limit: int | None = None,
    repeats: int = 1,
    without: str | None = None,
    cross: str | None = None,
    questions: TestInput | None = None,
    rewrite: str | None = None,
    shuffle_options: int | None = None,
    transforms: Sequence[str | PaperTransform] = (),
    traffic: Traffic | None = None,
    workers: int = 1,
    probe: int = 0,
    hour_price: float | None = None,
) -> SittingPlan:
    """Estimate what ``sit`` with the same arguments would take; nothing is asked or written.

    Tokens are rules of thumb, corrected by the replies of the same candidate that are cached.
    With ``probe`` the first so many units that are left are sat into ``path``, and time, memory and
    money of the rest are predicted from what they took; later plans of the sitting use it again.
    ``hour_price`` is the price of an hour of one worker.
    """
    if workers < 1 or not (hour_price is None or 0 <= hour_price < float("inf")):
        raise UsageError("`workers` is 1 or more, and `hour_price` a number from 0")
    if probe:
        how = {**locals()}
        for name in ("probe", "hour_price", "workers"):
            del how[name]
        return _probed(how, probe, workers, hour_price)
    asked = build_transforms(
        [
            *named_transforms(
                without=without,
                cross=cross,
                questions=questions,
                rewrite=rewrite,
                shuffle_options=shuffle_options,
            ),
            *transforms,
        ]
    )
    test = as_test(chosen_test(test, asked))
    ready = prepare_sitting(
        test,
        candidate,
        path,
        limit=limit,
        repeats=repeats,
        transforms=asked,
        traffic=traffic,
        probe=False,
    )
    done = Done()
    if path is not None:
        done = look_into(Path(path), ready.header, answer=test.kind.answer)
    answered = done.keep((id, index) for id in ready.part.ids(test) for index in range(repeats))
    of_units = declared(ready.candidate, "estimate", None)
    if of_units is not None and workers > 1:
        raise UsageError(f"{ready.name} asks many at once by itself: use `parallel`, not `workers`")
    estimate: Estimate | None = None
    for repeat in range(repeats) if of_units is not None else ():
        begin_repeat(ready.name, ready.candidate, repeat)

        def left(repeat: int = repeat) -> Iterator[Unit]:
            for ask in ready.asks(done, repeat):
                yield from wanted_units(test.kind, ask)

        part: Estimate = of_units(left())
        estimate = part if estimate is None else estimate.plus(part)
    planned = SittingPlan(
        candidate=ready.name,
        units=ready.part.units * repeats,
        answered=answered,
        failed=len(done.failed),
        estimate=estimate,
        path="" if path is None else str(path),
    )
    measured = None if path is None else read_probe(path, ready.name)
    if measured is None or not planned.left:
        return planned
    return _with(planned, measured, workers, hour_price)


def _with(
    planned: SittingPlan, probe: ProbeTimes, workers: int, hour_price: float | None
) -> SittingPlan:
    left = planned.left
    seconds = probe.startup + left * probe.seconds / workers
    spread = None if probe.spread is None else left * probe.spread / workers
    hours = probe.hours(left) + (workers - 1) * probe.startup / 3600
    money = [] if hour_price is None else [hours * hour_price]
    money += [] if probe.cost is None else [left * probe.cost]
    forecast = Forecast(
        workers=workers,
        seconds=seconds,
        low=None if spread is None else max(probe.startup, seconds - spread),
        high=None if spread is None else seconds + spread,
        worker_hours=hours,
        megabytes=None if probe.megabytes is None else probe.megabytes * workers,
        bytes=left * probe.bytes,
        cost=sum(money) if money else None,
    )
    return replace(planned, forecast=forecast)


# The probe: the first units that are left, sat for real and timed.


def _probed(how: dict[str, Any], units: int, workers: int, hour_price: float | None) -> SittingPlan:
    path = how["path"]
    if path is None:
        raise UsageError("a probe's answers are kept: name the sitting that they belong to")
    if units <= WARM_UP:
        raise UsageError(f"`probe` {units} is too few units to measure: take {WARM_UP + 1} or more")
    before = plan(**how)
    first = -(-before.answered // how["repeats"]) + units
    limit = how["limit"]
    small = before.left <= units or (limit is not None and limit <= first)
    size = _size(path)
    times: list[float] = []

    def watch(progress: Progress) -> None:
        times.append(progress.seconds)

    started = time.monotonic()
    sat = sit(**{**how, "limit": limit if small else first, "watch": watch})
    whole = time.monotonic() - started
    if len(times) > WARM_UP:
        grown = (_size(path) - size) / len(times)
        probe = _measured(sat, times, whole, grown, together=_came_together(path, times[-1]))
        with writing(_place(path)) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(probe)) + b"\n")
    planned = plan(**how, workers=workers, hour_price=hour_price)
    return replace(planned, asked=len(times))


def _came_together(path: str | Path, seconds: float) -> bool:
    """Whether all units were answered as one batch: the last was waited for from the start."""
    latest = max(journal_files(path), key=lambda file: file.stat().st_mtime_ns)
    *_, (_, last) = read_lines(latest)
    return float(msgspec.json.decode(last).get("seconds") or 0.0) > seconds / 2


def _measured(
    sat: SatResult, times: Sequence[float], whole: float, size: float, *, together: bool
) -> ProbeTimes:
    """What the rows took that came at these times; of rows that came together, all of it."""
    warm = times[WARM_UP - 1 :]
    count = len(warm) - 1
    seconds = (warm[-1] - warm[0]) / count
    edges = [warm[count * index // BLOCKS] for index in range(BLOCKS + 1)]
    spread = None
    if count >= 2 * BLOCKS:
        sizes = [count * (index + 1) // BLOCKS - count * index // BLOCKS for index in range(BLOCKS)]
        means = [
            (later - earlier) / own
            for earlier, later, own in zip(edges, edges[1:], sizes, strict=False)
        ]
        spread = _T * statistics.stdev(means) / BLOCKS**0.5
    if together:
        seconds, spread = times[-1] / len(times), None
    spent = sat.spent
    priced = spent.asked > 0 and spent.priced == spent.asked
    return ProbeTimes(
        candidate=sat.candidate,
        units=len(times),
        seconds=seconds,
        spread=spread,
        startup=max(0.0, whole - len(times) * seconds),
        megabytes=_peak(),
        bytes=size,
        cost=spent.cost / len(times) if priced else None,
    )


def _peak() -> float | None:
    """Peak memory of this process in megabytes; not every system says."""
    try:
        import resource
    except ImportError:
        return None
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def _size(path: str | Path) -> int:
    return sum(file.stat().st_size for file in journal_files(path) if file.exists())


def _place(path: str | Path) -> Path:
    """Where a probe is kept: next to the sitting."""
    return Path(f"{Path(path)}.probe.json")  # a folder's name may end with a slash


def read_probe(path: str | Path, candidate: str) -> ProbeTimes | None:
    """What the probe of a sitting measured; None where there was none, or of another candidate."""
    place = _place(path)
    if not place.is_file():
        return None
    try:
        probe = msgspec.json.decode(read_bytes(place), type=ProbeTimes)
    except msgspec.MsgspecError as error:
        raise DataError(f"not a probe of a sitting ({error}); delete it", file=place) from None
    return probe if probe.candidate == candidate else None


# After the run: how far off the plan was.


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run took, and what the probe of its sitting had predicted for as many units."""

    units: int
    seconds: float
    planned_seconds: float
    cost: float | None
    planned_cost: float | None

    @property
    def words(self) -> str:
        """One line."""
        off = self.seconds / self.planned_seconds - 1
        parts = [
            f"{counted(self.units, 'unit')} took {duration(self.seconds)}, "
            f"planned {duration(self.planned_seconds)} ({off:+.0%})"
        ]
        if self.cost is not None and self.planned_cost:
            off = self.cost / self.planned_cost - 1
            parts.append(f"cost {self.cost:.4f}, planned {self.planned_cost:.4f} ({off:+.0%})")
        return "; ".join(parts)


def outcome(
    path: str | Path, sat: SatResult, seconds: float, *, workers: int = 1
) -> Outcome | None:
    """How far off the plan was of a run that took so many seconds, loading the candidate included.

    None for a sitting without a probe, or a run of nothing.
    """
    units = sat.progress.answered + sat.progress.errors
    probe = read_probe(path, sat.candidate)
    if probe is None or not units:
        return None
    planned = units * probe.seconds / workers
    spent = sat.spent
    priced = probe.cost is not None and spent.asked > 0 and spent.priced == spent.asked
    return Outcome(
        units=units,
        seconds=seconds,
        planned_seconds=planned + probe.startup,
        cost=spent.cost if priced else None,
        planned_cost=None if probe.cost is None else units * probe.cost,
    )
