"""A probe: the first units that are left are sat for real and timed, to predict the rest.

The answers are in the journal like any others, so that nothing is asked twice. What they took is
in a file next to it.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.configuration import configuration
from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.files import read_lines
from readmark.core.parsed_names import parse_name
from readmark.core.progress import Tell
from readmark.core.sitting import Row
from readmark.core.spent import Spent
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.inputs import TestInput
from readmark.hooks import PaperTransform
from readmark.sitting.candidates import CANDIDATES, CandidateInput
from readmark.sitting.cluster import as_cluster
from readmark.sitting.forecast import ProbeTimes, probe_file
from readmark.sitting.journal_paths import is_stream, journal_files
from readmark.sitting.preparation import traffic_for
from readmark.sitting.requests import Ask
from readmark.sitting.resuming import recorded_header
from readmark.sitting.runner import sit
from readmark.sitting.settings import PlanSettings

WARM_UP = 5
"""First units of a probe that count as starting up: models are loaded and caches filled."""
NO_TIMEOUT = 1e6
"""Seconds that no unit takes: a probe for several workers is sat by one, which has to start."""
BLOCKS = 9
_T = 2.306
"""Student's t at 95% for the mean of so many blocks, which has eight degrees of freedom."""


@dataclass(frozen=True, slots=True)
class ProbeRun:
    """What the sitting of a probe asked and got."""

    asked: int
    errors: int
    unanswered: int
    notes: tuple[str, ...]


def run_probe(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None,
    settings: PlanSettings,
    *,
    tell: Tell | None,
) -> ProbeRun:
    """Sit the first ``settings.probe`` units that are left, and write down what they took."""
    units = settings.probe
    assert units is not None
    if path is None or is_stream(path):
        raise UsageError("a probe's answers are kept: name the sitting that they belong to")
    if units <= WARM_UP:
        raise UsageError(f"`probe` {units} is too few units to measure: take {WARM_UP + 1} or more")
    cluster = as_cluster(settings.engine)
    unit_timeout = settings.unit_timeout
    if (settings.workers or 1) > 1 and isinstance(candidate, str):
        # Refused before anything is paid for: the plan that follows would be refused too.
        cls = CANDIDATES.load(parse_name(candidate).base)
        traffic_for(candidate, cls, None, "workers", None)
        unit_timeout = unit_timeout or NO_TIMEOUT
    first = FirstUnits(units)
    size = _size_of_rows(path)
    started = time.monotonic()
    sat = sit(
        test,
        candidate,
        path,
        replace(
            settings,
            transforms=(*settings.transforms, first),
            limit=_limit(path, settings.limit, units),
            unit_timeout=unit_timeout,
            workers=None if cluster is None else 1,
        ),
        tell=tell,
    )
    seconds = time.monotonic() - started
    rows, errors = len(first.arrived), sat.progress.errors
    notes = [*filter(None, [sat.repaired]), *sat.notes]
    if first.spent.cached:
        not_measured = f"{counted(first.spent.cached, 'answer')} came from the cache"
    elif 2 * errors > rows:
        not_measured = "most units of the probe failed"
    elif rows <= WARM_UP:
        not_measured = f"only {counted(rows, 'answer')} came"
    else:
        not_measured = ""
        in_worker = unit_timeout is not None
        probe = _times(
            sat.candidate,
            first,
            seconds=seconds,
            bytes=(_size_of_rows(path) - size) / rows,
            megabytes=_peak_megabytes(in_worker=in_worker) if cluster is None else None,
            hour_price=hour_price(settings),
        )
        with writing(probe_file(path)) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(probe)) + b"\n")
    if not_measured and first.asked:
        notes.append(f"{path}: {not_measured}: nothing was measured")
    return ProbeRun(first.asked, errors, first.asked - rows, tuple(notes))


def hour_price(settings: PlanSettings) -> float | None:
    """The price of an hour of one worker: the settings', else that of readmark.toml."""
    return configuration().ray.hour_price if settings.hour_price is None else settings.hour_price


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
        """It fits every test."""

    def header(self) -> Mapping[str, Any]:
        return {}  # the sitting is that of the whole test

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
            moment = time.monotonic()
            self.arrived.append(moment)
            self.taken.append(moment - (row.seconds or 0.0))
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
            began = min(self.taken)
            if len(ends) > 1 or arrived[-1] - self.taken[-1] > (arrived[-1] - began) / 2:
                return (arrived[-1] - began) / count, None
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


def _limit(path: str | Path, limit: int | None, units: int) -> int | None:
    """The limit of a probe's sitting, so that it can still be resumed with any larger one."""
    recorded = recorded_header(Path(path))
    before = 0 if recorded is None else recorded.limit
    return limit if before is None else min(before + units, limit or before + units)


def _times(
    candidate: str,
    first: FirstUnits,
    *,
    seconds: float,
    bytes: float,
    megabytes: float | None,
    hour_price: float | None,
) -> ProbeTimes:
    a_unit, spread = first.pace()
    spent, units = first.spent, len(first.arrived)
    has_tokens = spent.asked > 0 and not spent.uncounted
    return ProbeTimes(
        candidate=candidate,
        units=units,
        seconds=a_unit,
        spread=spread,
        startup=max(0.0, seconds - units * a_unit),
        bytes=bytes,
        megabytes=megabytes,
        cost=spent.cost / spent.asked if 0 < spent.asked == spent.priced else None,
        input=spent.input / spent.asked if has_tokens else None,
        output=spent.output / spent.asked if has_tokens else None,
        hour_price=hour_price,
    )


def _peak_megabytes(*, in_worker: bool) -> float | None:
    """Peak memory of this process, or of its worker; not every system tells."""
    try:
        import resource
    except ImportError:
        return None
    who = resource.RUSAGE_CHILDREN if in_worker else resource.RUSAGE_SELF
    peak = resource.getrusage(who).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def _size_of_rows(path: str | Path) -> int:
    """Bytes of a journal without its header, which may list many ids."""
    return sum(
        file.stat().st_size - len(next(read_lines(file), (0, b""))[1])
        for file in journal_files(path)
        if file.exists()
    )
