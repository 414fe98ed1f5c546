"""What a probe measured of a sitting, and a forecast of what the other units take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.numbers import decimal


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


def probe_file(path: str | Path) -> Path:
    """Where the times of a probe are kept: next to the sitting."""
    return Path(f"{Path(path)}.probe.json")  # Path drops the slash after a folder's name


def read_probe(path: str | Path, candidate: str) -> ProbeTimes | None:
    """What the probe of a sitting measured; None without one, or if it is another candidate's."""
    file = probe_file(path)
    if not file.is_file():
        return None
    try:
        probe = msgspec.json.decode(read_bytes(file), type=ProbeTimes)
    except msgspec.MsgspecError as error:
        raise DataError(f"not a probe of a sitting ({error}); delete it", file=file) from None
    return probe if probe.candidate == candidate else None


@dataclass(frozen=True)
class Forecast:
    """What the units that are left take on so many workers."""

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
        workers = counted(self.workers, "worker")
        span = ""
        if self.low is not None and self.high is not None:
            span = f" ({duration(self.low)} to {duration(self.high)})"
        work = duration(3600 * self.worker_hours)
        yield f"about {duration(self.seconds)}{span} on {workers}, {work} of worker time"
        memory = "" if self.megabytes is None else f"memory about {self.megabytes:,.0f} MB; "
        money = "" if self.cost is None else f"; cost about {decimal(self.cost, 4)}"
        size = f"{self.bytes / 1e6:,.1f} MB" if self.bytes >= 1e5 else f"{self.bytes / 1e3:.1f} kB"
        yield f"{memory}the sitting grows by {size}{money}"


def forecast(
    probe: ProbeTimes, units: int, *, requests: int, workers: int, hour_price: float | None
) -> Forecast:
    """What so many units take, of which ``requests`` are not in a cache."""
    seconds = probe.startup + units * probe.seconds / workers
    spread = None if probe.spread is None else units * probe.spread / workers
    hours = probe.hours(units, workers)
    price = probe.hour_price if hour_price is None else hour_price
    costs = [] if price is None else [hours * price]
    costs += [] if probe.cost is None else [requests * probe.cost]
    return Forecast(
        workers=workers,
        seconds=seconds,
        low=None if spread is None else max(probe.startup, seconds - spread),
        high=None if spread is None else seconds + spread,
        worker_hours=hours,
        megabytes=None if probe.megabytes is None else probe.megabytes * workers,
        bytes=units * probe.bytes,
        cost=sum(costs) if costs else None,
    )


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 3:07 min, 2:10:00 h."""
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02}:{rest:02} h"
