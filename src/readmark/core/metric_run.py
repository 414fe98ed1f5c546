"""What a metric is given: an answer with all that it is marked by, and the run around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from readmark.core.records import Unit
from readmark.core.traffic import Traffic


class Case(NamedTuple):
    """What a metric's ``statistics`` takes."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    answer: Any | None
    people: Sequence[Any] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRun:
    """The run that a metric marks in."""

    name: str
    """What the metric is called in it."""
    leads: bool = False
    """Whether its mark is the main one, which leads tables and plots."""
    traffic: Traffic | None = None
    """The limits of requests, where the user set some."""
    watch: Callable[[str, int, int], None] | None = None
    """Called as replies come: with what they are, how many came, and how many there will be."""
