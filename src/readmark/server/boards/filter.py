"""Which submissions a board shows, from the fields of a query string."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlencode

from readmark.core.errors import UsageError
from readmark.server.boards.stored import BoardSubmission

Shown = Literal["systems", "teams", "all"]
Model = Literal["", "single", "ensemble"]
Phases = Literal["", "practice", "formal", "late"]
Baselines = Literal["", "no", "only"]
HISTORY = "history"
_DAY = 86_400.0
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class BoardFilter:
    """Which submissions a board shows, how they are grouped, and by which column they are sorted.

    The fields are those of a query string. Ranks are always those of the whole board.
    """

    show: Shown = "systems"
    """The best submission of each system, of each team, or all of them."""
    model: Model = ""
    phase: Phases = ""
    baselines: Baselines = ""
    team: str = ""
    since: str = ""
    until: str = ""
    """Days of arrival (UTC), both included."""
    sort: str = ""
    """Another column, as METRIC or METRIC@SPLIT; by default the board's own order."""
    table: str = ""
    """The field of the slices to show, or ``history``; by default the whole splits."""

    def selects(self, entry: BoardSubmission) -> bool:
        """Whether a submission is shown."""
        is_baseline = entry.origin == "baseline"
        first = _day(self.since, "since") if self.since else 0.0
        last = _day(self.until, "until") + _DAY if self.until else float("inf")
        return (
            (not self.model or entry.is_ensemble == (self.model == "ensemble"))
            and (not self.phase or entry.phase == self.phase)
            and (not self.baselines or is_baseline == (self.baselines == "only"))
            and self.team in ("", entry.team)
            and first <= entry.received < last
        )

    def query(self, **changed: str) -> str:
        """The query string of this filter with some fields changed; empty for the default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)} | changed
        not_default = {
            field.name: values[field.name]
            for field in fields(self)
            if values[field.name] != field.default
        }
        return f"?{urlencode(not_default)}" if not_default else ""


def _day(text: str, name: str) -> float:
    try:
        if _DATE.fullmatch(text):
            return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        pass
    raise UsageError(f"{name} is {text[:20]!r}, expected a day such as 2026-12-01")
