"""How a test is sat: the options of `sit` and `plan` as settings objects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from readmark.core.errors import UsageError
from readmark.core.processes import MOST_WORKERS
from readmark.core.settings import setting
from readmark.core.sitting import MOST_REPEATS
from readmark.core.traffic import Traffic

if TYPE_CHECKING:
    from readmark.formats.inputs import TestInput
    from readmark.hooks import PaperTransform
    from readmark.sitting.cluster import Cluster

ENGINES = ("local", "ray")


@dataclass(frozen=True, slots=True, kw_only=True)
class SitSettings:
    """How a candidate sits a test. What is set here and decides an answer is in the sitting."""

    name: str | None = setting(
        None, "Name of the candidate in tables", takes=str, default_words="CANDIDATE"
    )
    limit: int | None = setting(
        None, "Ask only the first units; more can follow later", takes=int, default_words="all"
    )
    repeats: int = setting(1, "Number of times to ask each unit, up to 1,000")
    without: str | None = setting(
        None, "Part to leave out, passage or question, to find shortcuts", takes=str
    )
    cross: str | None = setting(
        None, "Ask in one language about passages in another, such as en-zh", takes=str
    )
    questions: TestInput | None = setting(None, "Parallel test to ask with `cross`", takes=str)
    rewrite: str | None = setting(None, "Rewrite the questions of a series first", takes=str)
    shuffle_options: int | None = setting(
        None, "Shuffle the options of each question, differently in each repeat", takes=int
    )
    transforms: Sequence[str | PaperTransform] = setting(
        (), "Another transform of the paper, such as a plug-in's (repeatable)", takes=list
    )
    unit_timeout: float | None = setting(
        None, "Seconds allowed for each unit", takes=float, default_words="no limit"
    )
    workers: int | None = setting(
        None, "Worker processes", takes=int, default_words="1; on Ray as many as fit"
    )
    engine: str | Cluster = setting("local", "Where workers run: on this machine or on Ray")
    traffic: Traffic | None = setting(
        None, "Limits of the requests of a candidate that uses a network", takes=Traffic
    )

    def __post_init__(self) -> None:
        for name, most in (("workers", MOST_WORKERS), ("repeats", MOST_REPEATS), ("limit", None)):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"`{name}` {value} is less than 1")
            if value is not None and most is not None and value > most:
                raise UsageError(f"`{name}` {value} is more than {most:,}")
        if self.unit_timeout is not None and not 0 < self.unit_timeout < math.inf:
            raise UsageError(
                f"`unit_timeout` {self.unit_timeout:g} is not a number of seconds above 0"
            )
        if isinstance(self.engine, str) and self.engine not in ENGINES:
            raise UsageError(f"unknown `engine` {self.engine!r}: {' or '.join(ENGINES)}")
        if self.questions is not None and self.cross is None:
            raise UsageError("`questions` is for `cross`, which names the two languages")
        if self.name is not None and not (self.name.strip() and self.name.isprintable()):
            raise UsageError(f"`name` {self.name!r} is not a name of printable characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings(SitSettings):
    """How a sitting is planned: as it would be sat, and how much of it is sat to measure."""

    probe: int | None = setting(
        None, "Sit N units now, to predict the time and cost of the rest", takes=int
    )
    hour_price: float | None = setting(None, "Price of an hour of one worker", takes=float)

    def __post_init__(self) -> None:
        SitSettings.__post_init__(self)  # slots: the dataclass is another class than super() knows
        if self.hour_price is not None and not 0 <= self.hour_price < math.inf:
            raise UsageError(f"`hour_price` {self.hour_price:g} is not a number from 0")


class SitFields(TypedDict, total=False):
    """The fields of `SitSettings` as keyword arguments."""

    name: str | None
    limit: int | None
    repeats: int
    without: str | None
    cross: str | None
    questions: TestInput | None
    rewrite: str | None
    shuffle_options: int | None
    transforms: Sequence[str | PaperTransform]
    unit_timeout: float | None
    workers: int | None
    engine: str | Cluster
    traffic: Traffic | None


class PlanFields(SitFields, total=False):
    """The fields of `PlanSettings` as keyword arguments."""

    probe: int | None
    hour_price: float | None
