"""What a sitting would take: `readmark sit --plan`, which asks nothing unless a probe is wanted.

A probe sits the first units for real. Its answers are in the journal like any others, so that
nothing is asked twice, and what they took is in a file next to it: after the run, the summary says
how far off the plan was.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import msgspec
from rich.console import Console

from readmark.core.configuration import configuration
from readmark.core.display import Result, counted
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes, read_lines
from readmark.core.numbers import decimal
from readmark.core.parsed_names import parse_name
from readmark.core.progress import Tell
from readmark.core.records import Unit
from readmark.core.settings import settings_of
from readmark.core.sitting import Row
from readmark.core.spent import Spent
from readmark.core.test import Test
from readmark.core.traffic import Estimate
from readmark.core.writing import writing
from readmark.formats.registry import TestInput, as_test
from readmark.hooks import PaperTransform
from readmark.sitting.candidates import CANDIDATES, CandidateInput, begin_repeat, declared
from readmark.sitting.cluster import as_cluster
from readmark.sitting.journal import Done, is_stream, journal_files, look_into, recorded_header
from readmark.sitting.preparation import prepare_sitting, traffic_for
from readmark.sitting.requests import Ask, wanted_units
from readmark.sitting.runner import SatResult, sit
from readmark.sitting.settings import PlanFields, PlanSettings, SitSettings
from readmark.sitting.transforms import build_transforms

WARM_UP = 5
"""First units of a probe that count as starting up: models are loaded and caches filled."""
NO_TIMEOUT = 1e6
"""Seconds that no unit takes: a probe for several workers is sat by one, which has to start."""
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
    bytes: float
    """Bytes a unit in the journal."""
    megabytes: float | None = None
    """Peak memory of the process; None where it was on another machine."""
    cost: float | None = None
    """Money a request, where every row has a price."""
    input: float | None = None
    """Tokens a request."""
    output: float | None = None
    hour_price: float | None = None
    """The price of an hour of one worker, where one was given."""

    def hours(self, units: int, workers: int) -> float:
        """Hours of all workers for so many units."""
        return (workers * self.startup + units * self.seconds) / 3600


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
        work = duration(3600 * self.worker_hours)
        yield f"about {duration(self.seconds)}{span} on {on}, {work} of worker time"
        memory = "" if self.megabytes is None else f"memory about {self.megabytes:,.0f} MB; "
        money = "" if self.cost is None else f"; cost about {decimal(self.cost, 4)}"
        size = f"{self.bytes / 1e6:,.1f} MB" if self.bytes >= 1e5 else f"{self.bytes / 1e3:.1f} kB"
        yield f"{memory}the sitting grows by {size}{money}"


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 3:07 min, 2:10:00 h."""
    if round(seconds, 1) < 60:
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
    errors: int = 0
    """Error rows among them."""
    unanswered: int = 0
    """Units among them that the candidate gave no row for."""
    notes: tuple[str, ...] = ()
    """What else is to be known of the probe, one per line."""

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
        console.print(self._asked if self.asked else "nothing was asked", soft_wrap=True)

    @property
    def _asked(self) -> str:
        answers = counted(self.asked - self.errors - self.unanswered, "answer")
        parts = [f"{answers} of the probe added to {self.path}"]
        parts += [counted(self.errors, "error")] if self.errors else []
        parts += [f"{self.unanswered:,} without an answer"] if self.unanswered else []
        return ", ".join(parts)


def plan(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None = None,
    settings: SitSettings | None = None,
    *,
    tell: Tell | None = None,
    **fields: Unpack[PlanFields],
) -> SittingPlan:
    """Estimate what ``sit`` with the same arguments would take; nothing is asked or written.

    Tokens are rules of thumb, corrected by the replies of the same candidate that are cached.
    With ``probe`` the first so many units that are left are sat into ``path`` by one worker, and
    time, memory and money of the rest are predicted from what they took; later plans of the sitting
    use it again. ``hour_price`` is the price of an hour of one worker.
    """
    how = settings_of(PlanSettings, settings, fields)
    if how.probe is not None:
        return _probed(test, candidate, path, how, how.probe, tell)
    cluster = as_cluster(how.engine)
    transforms = build_transforms(how)
    test = as_test(test)
    ready = prepare_sitting(test, candidate, path, how, transforms=transforms, probe=False)
    done = Done()
    if path is not None:
        here = cluster is None or not cluster.gpus
        done = look_into(Path(path), ready.header, is_prepared=here)
    answered = done.keep((id, index) for id in ready.part.ids(test) for index in range(how.repeats))
    of_units = declared(ready.candidate, "estimate", None)
    estimate: Estimate | None = None
    for repeat in range(how.repeats) if of_units is not None else ():
        begin_repeat(ready.name, ready.candidate, repeat)

        def left(repeat: int = repeat) -> Iterator[Unit]:
            for ask in ready.asks(done, repeat):
                yield from wanted_units(test.kind, ask)

        part: Estimate = of_units(left())
        estimate = part if estimate is None else estimate.plus(part)
    planned = SittingPlan(
        candidate=ready.name,
        units=ready.part.units * how.repeats,
        answered=answered,
        failed=len(done.failed),
        estimate=estimate,
        path="" if path is None else str(path),
    )
    measured = None if path is None else read_probe(path, ready.name)
    if measured is None or not planned.left:
        return planned
    return _with(planned, measured, how.workers or 1, _hour_price(how))


def _hour_price(settings: PlanSettings) -> float | None:
    """The price of an hour of one worker, from readmark.toml unless it is given."""
    return configuration().ray.hour_price if settings.hour_price is None else settings.hour_price


def _with(
    planned: SittingPlan, probe: ProbeTimes, workers: int, hour_price: float | None
) -> SittingPlan:
    left, estimate = planned.left, planned.estimate
    if estimate is not None and probe.input is not None and probe.output is not None:
        asked = estimate.requests
        cost = estimate.cost if probe.cost is None else asked * probe.cost
        into, out = round(asked * probe.input), round(asked * probe.output)
        estimate = replace(estimate, input=into, output=out, cost=cost)
    seconds = probe.startup + left * probe.seconds / workers
    spread = None if probe.spread is None else left * probe.spread / workers
    hours = probe.hours(left, workers)
    price = probe.hour_price if hour_price is None else hour_price
    money = [] if price is None else [hours * price]
    requests = left if estimate is None else estimate.requests  # a cache has the others
    money += [] if probe.cost is None else [requests * probe.cost]
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
    return replace(planned, estimate=estimate, forecast=forecast)


# The probe: the first units that are left, sat for real and timed.


class FirstUnits:
    """A transform that lets so many units through, and notes when their rows come."""

    def __init__(self, units: int) -> None:
        self.asked = 0
        self.spent = Spent()
        self.arrived: list[float] = []
        self.taken: list[float] = []
        """When the candidate took the unit of each row."""
        self._most = units

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """It fits all."""

    def header(self) -> Mapping[str, Any]:
        """The sitting is that of the whole test."""
        return {}

    signature = header

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """The first papers, the last of them with fewer units."""
        while self.asked < self._most and (ask := next(asks, None)) is not None:
            wanted = ask.wanted[: self._most - self.asked]
            self.asked += len(wanted)
            yield replace(ask, wanted=wanted)

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows as they come."""
        for row in rows:
            now = time.monotonic()
            self.arrived.append(now)
            self.taken.append(now - (row.seconds or 0.0))
            self.spent = self.spent.with_row(row)
            yield row

    def pace(self) -> tuple[float, float | None]:
        """Seconds a unit after starting up, and half the width of the 95% interval.

        Units that are in hand together count together: from the end of a batch to the end of
        another. Where the next is always in hand before a row comes, every row counts. A batch of
        more than half counts from the start.
        """
        arrived, count = self.arrived, len(self.arrived)
        apart = (later >= end for end, later in zip(arrived, self.taken[1:], strict=False))
        ends = [index for index, end in enumerate((*apart, True), 1) if end and index >= WARM_UP]
        if 2 * ends[0] > count:
            begun = min(self.taken)
            if len(ends) > 1 or arrived[-1] - self.taken[-1] > (arrived[-1] - begun) / 2:
                return (arrived[-1] - begun) / count, None
            ends = list(range(WARM_UP, count + 1))
        last = len(ends) - 1
        edges = [ends[last * index // BLOCKS] for index in range(BLOCKS + 1)]

        def mean(first: int, end: int) -> float:
            return (arrived[end - 1] - arrived[first - 1]) / (end - first)

        spread = None
        if last >= 2 * BLOCKS:
            means = [mean(*block) for block in itertools.pairwise(edges)]
            spread = _T * statistics.stdev(means) / BLOCKS**0.5
        return mean(ends[0], ends[-1]), spread


def _probed(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None,
    settings: PlanSettings,
    units: int,
    tell: Tell | None,
) -> SittingPlan:
    if path is None or is_stream(path):
        raise UsageError("a probe's answers are kept: name the sitting that they belong to")
    if units <= WARM_UP:
        raise UsageError(f"`probe` {units} is too few units to measure: take {WARM_UP + 1} or more")
    cluster = as_cluster(settings.engine)
    unit_timeout = settings.unit_timeout
    if (settings.workers or 1) > 1 and isinstance(candidate, str):  # before anything is paid for
        made = CANDIDATES.load(parse_name(candidate).base)
        traffic_for(candidate, made, None, "workers", None)
        unit_timeout = unit_timeout or NO_TIMEOUT
    first, size = FirstUnits(units), _size(path)
    started = time.monotonic()
    first_units = replace(
        settings,
        transforms=(*settings.transforms, first),
        limit=_limit(path, settings.limit, units),
        unit_timeout=unit_timeout,
        workers=None if cluster is None else 1,
    )
    sat = sit(test, candidate, path, first_units, tell=tell)
    whole = time.monotonic() - started
    rows, errors = len(first.arrived), sat.progress.errors
    unmeasured = ""
    if first.spent.cached:
        unmeasured = f"{counted(first.spent.cached, 'answer')} came from the cache"
    elif 2 * errors > rows:
        unmeasured = "most units of the probe failed"
    elif rows <= WARM_UP:
        unmeasured = f"only {counted(rows, 'answer')} came"
    else:
        probe = msgspec.structs.replace(
            _measured(sat.candidate, first, whole, (_size(path) - size) / rows),
            megabytes=None if cluster is not None else _peak(own=unit_timeout is None),
            hour_price=_hour_price(settings),
        )
        with writing(_place(path)) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(probe)) + b"\n")
    planned = plan(test, candidate, path, replace(settings, probe=None), tell=tell)
    notes = [*filter(None, [sat.repaired]), *sat.notes]
    if unmeasured and first.asked:
        notes.append(f"{path}: {unmeasured}: nothing was measured")
    return replace(
        planned,
        asked=first.asked,
        errors=errors,
        unanswered=first.asked - rows,
        notes=tuple(notes),
    )


def _limit(path: str | Path, limit: int | None, units: int) -> int | None:
    """The limit of a probe's sitting, so that it can still be resumed with any larger one."""
    recorded = recorded_header(Path(path))
    before = 0 if recorded is None else recorded.limit
    return limit if before is None else min(before + units, limit or before + units)


def _measured(candidate: str, first: FirstUnits, whole: float, size: float) -> ProbeTimes:
    seconds, spread = first.pace()
    spent, units = first.spent, len(first.arrived)
    is_counted = spent.asked > 0 and not spent.uncounted
    return ProbeTimes(
        candidate=candidate,
        units=units,
        seconds=seconds,
        spread=spread,
        startup=max(0.0, whole - units * seconds),
        bytes=size,
        cost=spent.cost / spent.asked if 0 < spent.asked == spent.priced else None,
        input=spent.input / spent.asked if is_counted else None,
        output=spent.output / spent.asked if is_counted else None,
    )


def _peak(*, own: bool) -> float | None:
    """Peak memory of this process, or of its worker, in megabytes; not every system says."""
    try:
        import resource
    except ImportError:
        return None
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF if own else resource.RUSAGE_CHILDREN).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def _size(path: str | Path) -> int:
    """Bytes of the rows; a header may list many ids."""
    return sum(
        file.stat().st_size - len(next(read_lines(file), (0, b""))[1])
        for file in journal_files(path)
        if file.exists()
    )


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
class PlanOutcome:
    """What a run took, and what the probe of its sitting had predicted for as many units."""

    units: int
    seconds: float
    planned_seconds: float
    cost: float | None
    planned_cost: float | None

    @property
    def words(self) -> str:
        """One line."""
        parts = [
            f"{counted(self.units, 'unit')} took {duration(self.seconds)}, planned "
            f"{duration(self.planned_seconds)} ({_off(self.seconds, self.planned_seconds)})"
        ]
        if self.cost is not None and self.planned_cost:
            off = _off(self.cost, self.planned_cost)
            parts.append(
                f"cost {decimal(self.cost, 4)}, planned {decimal(self.planned_cost, 4)} ({off})"
            )
        return "; ".join(parts)


def _off(real: float, planned: float) -> str:
    return f"{round(real / planned - 1, 2) + 0.0:+.0%}"  # never -0%


def plan_outcome(path: str | Path, sat: SatResult, seconds: float) -> PlanOutcome | None:
    """How far off the plan was of a run that took so many seconds, loading the candidate included.

    None for a sitting without a probe, or a run of nothing.
    """
    units = sat.progress.answered + sat.progress.errors
    probe = read_probe(path, sat.candidate)
    if probe is None or not units:
        return None
    planned = units * probe.seconds / sat.workers
    spent = sat.spent
    money = list[tuple[float, float]]()
    if probe.cost is not None and 0 < spent.asked == spent.priced:
        money.append((spent.cost, spent.asked * probe.cost))
    if probe.hour_price is not None:
        took, hours = sat.workers * seconds / 3600, probe.hours(units, sat.workers)
        money.append((took * probe.hour_price, hours * probe.hour_price))
    return PlanOutcome(
        units=units,
        seconds=seconds,
        planned_seconds=planned + probe.startup,
        cost=sum(real for real, _ in money) if money else None,
        planned_cost=sum(planned for _, planned in money) if money else None,
    )
