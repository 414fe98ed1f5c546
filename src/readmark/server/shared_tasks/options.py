"""What an organiser decides about a shared task: splits, metrics, phases, limits, the ladder.

A shared task is a project whose configuration names the work ``shared_task``; its ``[options]``
are read here. The platform of CMRC 2018 (section 4.2 of "A Span-Extraction Dataset for Chinese
Machine Reading Comprehension") has the public and hidden splits, and the order of the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec

from readmark.core.records import Value
from readmark.works import Configuration

NAME = "shared_task"
PhaseName = Literal["practice", "formal", "late"]
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Phase(Value, frozen=True):
    """When a phase is: days or moments in ISO 8601, UTC unless they say otherwise."""

    begins: str = ""
    ends: str = ""

    @property
    def first(self) -> float:
        """The moment from which on it is open."""
        return _moment(self.begins).timestamp() if self.begins else float("-inf")

    @property
    def last(self) -> float:
        """The moment from which on it is closed; a day counts to its end."""
        if not self.ends:
            return float("inf")
        end = _moment(self.ends)
        whole_day = bool(_DAY.fullmatch(self.ends))
        return (end + timedelta(days=1) if whole_day else end).timestamp()

    def has(self, moment: float) -> bool:
        """Whether it is open at a moment."""
        return self.first <= moment < self.last


class SharedTaskOptions(Value, frozen=True):
    """The options of a shared task."""

    visibility: Literal["public", "members"] = "public"
    """Who sees the page and the board: anybody, or members only."""
    registration: Literal["invited", "open"] = "invited"
    """Whether teams need an invitation."""
    licence: str = ""
    """The licence that the page shows; by default the test's own."""
    hidden: tuple[str, ...] | None = None
    """Splits whose key nobody sees; by default those that the test's header names."""
    metrics: tuple[str, ...] = ()
    """The columns; by default the kind's."""
    order_by: str = ""
    """The metric of the order; by default the mean of EM and F1, else the kind's main metric."""
    order_split: str = ""
    """The split of the order; by default ``test``, else the first hidden one, else the first."""
    by: tuple[str, ...] | None = None
    """Fields of the tables of slices; by default level, type and what else the test has."""
    smallest_slice: int = 20
    """Units that a slice of a hidden split needs before its marks are shown."""
    practice: Phase | None = None
    """While it lasts, public splits are marked."""
    formal: Phase | None = None
    """While it lasts, all splits are marked. Without any phase this is always so."""
    late: bool = False
    """Whether submissions after the formal phase are marked; the board shows them as late."""
    per_day: int = 10
    """Submissions of a team in a day (UTC)."""
    per_phase: int = 0
    """Submissions of a team in a phase; 0 for any number."""
    ladder: bool = True
    """Whether marks of hidden splits are shown only if they improve by more than the noise."""
    alpha: float = 0.05
    """The significance level of ties."""

    @property
    def phases(self) -> dict[str, Phase]:
        """The phases that have dates, by name and in their order."""
        phases = {"practice": self.practice, "formal": self.formal}
        return {name: phase for name, phase in phases.items() if phase is not None}

    def phase(self, moment: float) -> PhaseName | None:
        """The phase at a moment; None where nothing is accepted."""
        if self.practice is None and self.formal is None:
            return "formal"
        if self.formal is not None and self.formal.has(moment):
            return "formal"
        if self.practice is not None and self.practice.has(moment):
            return "practice"
        if self.late and self.formal is not None and moment >= self.formal.last:
            return "late"
        return None

    def closed_words(self, moment: float) -> str:
        """Why nothing is accepted now."""
        coming = [
            (phase.first, name, phase.begins)
            for name, phase in self.phases.items()
            if phase.first > moment
        ]
        if coming:
            _, name, begins = min(coming)
            return f"the {name} phase begins on {begins}: nothing is accepted before"
        return "the task is over: nothing more is accepted"

    def hidden_splits(self, about: Mapping[str, Any]) -> tuple[str, ...]:
        """The splits whose key nobody sees, of a test that ``about`` describes."""
        return tuple(about["hidden"] if self.hidden is None else self.hidden)

    def main_split(self, about: Mapping[str, Any]) -> str:
        """The split that orders the board."""
        splits, hidden = about["all_splits"], self.hidden_splits(about)
        if self.order_split:
            return self.order_split
        return "test" if "test" in splits else next(iter((*hidden, *splits)))

    def are_hidden_papers_out(self, moment: float) -> bool:
        """Whether the papers of hidden splits may be read: from the formal phase on.

        A task without phases is always in its formal phase. A formal phase that has not begun
        keeps the papers back, whether or not there is a practice phase before it.
        """
        if self.formal is None:
            return self.practice is None
        return moment >= self.formal.first


def options_of(configuration: Configuration) -> SharedTaskOptions:
    """The options of a configuration that has been checked."""
    return msgspec.convert(configuration.options, SharedTaskOptions)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def option_faults(options: SharedTaskOptions) -> Iterator[tuple[tuple[str, ...], str]]:
    """What no task can have: the path of a member, and a message."""
    for name, phase in options.phases.items():
        for member, text in (("begins", phase.begins), ("ends", phase.ends)):
            try:
                if text:
                    _ = Phase(**{member: text}).first, Phase(**{member: text}).last
            except (ValueError, OverflowError):
                message = (
                    f"{member} is {text!r}, expected a day or a moment such as 2026-12-01T12:00Z"
                )
                yield ("options", name, member), message
                return
        if phase.first >= phase.last:
            yield ("options", name), f"the {name} phase ends before it begins"
    if not 1 <= options.per_day <= 1000:
        yield ("options", "per_day"), f"per_day is {options.per_day}, expected 1 to 1000"
    if not 0 <= options.per_phase <= 100_000:
        yield ("options", "per_phase"), f"per_phase is {options.per_phase}, expected 0 to 100000"
    if not 0 < options.alpha < 1:
        yield ("options", "alpha"), f"alpha is {options.alpha:g}, expected a share above 0, below 1"
    if options.smallest_slice < 2:
        message = f"smallest_slice is {options.smallest_slice}: a slice of one unit shows its mark"
        yield ("options", "smallest_slice"), message
