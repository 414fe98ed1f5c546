"""Who may ask over a network, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from readmark.corpus.errors import UsageError
from readmark.sitting.candidates import Candidate, declared

if TYPE_CHECKING:
    from readmark.models.llm.traffic import Traffic


def let_out(
    name: str,
    candidate: Candidate,
    traffic: Traffic | None,
    journal: Path,
    workers: int,
    unit_timeout: float | None,
) -> None:
    """Tell a candidate that asks over a network how it may; to any other that means nothing."""
    take = declared(candidate, "take_traffic", None)
    if take is None:
        if traffic is not None:
            raise UsageError(f"{name} asks nobody over a network: there is no traffic to bound")
        return
    if workers > 1:
        raise UsageError(f"{name} asks many at once by itself: --parallel N, not --workers")
    if unit_timeout is not None:
        raise UsageError(f"{name} limits its requests by itself: --timeout, not --unit-timeout")
    from readmark.models.llm.traffic import Traffic

    take(traffic or Traffic(), journal)
