"""Machines compared with raters, the average one and each: as JSON and in a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    Result,
    counted,
    headline,
    plain_table,
    print_signatures,
)
from readmark.marking import MarkSettings
from readmark.readability.panels.equivalence import PeerVerdict
from readmark.readability.panels.peer_claims import peer_claim
from readmark.statistics.equivalence import (
    ALPHA,
    POWER,
    UNDECIDED,
    Equivalence,
    clusters_needed,
)


@dataclass(frozen=True, slots=True)
class MachineLine:
    """One machine on the passages that it sat, by metric."""

    candidate: str
    passages: int
    verdicts: Mapping[str, PeerVerdict]


@dataclass(frozen=True, slots=True)
class PeerTables(Result):
    """What ``panel mark`` shows without experts; the sentences are about the first metric."""

    test: str
    passages: int
    raters: Sequence[str]
    reference: str
    margin: float
    settings: MarkSettings
    machines: Sequence[MachineLine]
    signatures: Mapping[str, str]
    failed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids with error rows, by machine."""
    notes: Sequence[str] = ()

    @property
    def claims(self) -> list[str]:
        """The verdict on each machine in words, by the first metric."""
        return [
            peer_claim(line.candidate, next(iter(line.verdicts.values()))) for line in self.machines
        ]

    def as_json(self) -> dict[str, Any]:
        """The document of ``panel mark --json``; a difference above 0 favours the machine."""
        return {
            "test": self.test,
            "passages": self.passages,
            "raters": list(self.raters),
            "reference": self.reference,
            "margin": self.margin,
            "alpha": ALPHA,
            "power": POWER,
            "confidence": self.settings.confidence,
            "draws": self.settings.draws,
            "seed": self.settings.seed,
            "signatures": dict(self.signatures),
            "machines": {
                line.candidate: {
                    "passages": line.passages,
                    "metrics": {
                        name: _verdict_json(verdict) for name, verdict in line.verdicts.items()
                    },
                }
                for line in self.machines
            },
            "claims": self.claims,
            "errors": {name: list(ids) for name, ids in self.failed.items()},
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """A row per machine and metric."""
        return [
            {"candidate": line.candidate, "metric": name, **_verdict_json(verdict, each=False)}
            for line in self.machines
            for name, verdict in line.verdicts.items()
        ]

    def show(self, console: Console) -> None:
        """A table per machine, then its verdict in words."""
        self._show(console, full=False)

    def show_full(self, console: Console) -> None:
        """Also each rater, and the signatures."""
        self._show(console, full=True)

    def _show(self, console: Console, *, full: bool) -> None:
        size = f": {counted(self.passages, 'passage')}, {counted(len(self.raters), 'rater')}"
        console.print(headline("raters", " of ", self.test, size))
        for line in self.machines:
            _print_machine(console, line)
            if full:
                for verdict in line.verdicts.values():
                    _print_each(console, verdict)
        for claim in self.claims:
            console.print(claim)
        console.print(
            f"each rater in turn is left out; rater and machine against the {self.reference} of "
            "the others, score_difference as distance in stars (less is better); difference: "
            f"above 0 the machine is better; margin {self.margin:g}",
            style="dim",
        )
        if full:
            print_signatures(console, self.signatures)


def _verdict_json(verdict: PeerVerdict, *, each: bool = True) -> dict[str, Any]:
    low, high = verdict.interval
    test = verdict.test
    document: dict[str, Any] = {
        "machine": numbers.finite(verdict.shown(verdict.machine)),
        "raters": numbers.finite(verdict.shown(verdict.raters)),
        "lower_is_better": verdict.is_distance,
        "difference": None if test is None else test.difference,
        "low": low,
        "high": high,
        "rank": verdict.rank,
        "of": len(verdict.counted) + 1,
        "tied": sum(peer.place == 0 for peer in verdict.counted),
        **_test_json(test),
        "verdict": verdict.verdict,
        "passages_needed": None if test is None else clusters_needed(test),
    }
    if each:
        document["each"] = {
            peer.rater: {
                "passages": peer.passages,
                "rater": numbers.finite(verdict.shown(peer.rater_figure)),
                "machine": numbers.finite(verdict.shown(peer.machine_figure)),
                "difference": None if peer.test is None else peer.test.difference,
                **_test_json(peer.test),
                **({"why": peer.why} if peer.why else {}),
            }
            for peer in verdict.each
        }
    return document


def _test_json(test: Equivalence | None) -> dict[str, Any]:
    return {
        "standard_error": test and test.error,
        "p": test and test.p,
        "p_lower": test and test.p_lower,
        "p_upper": test and test.p_upper,
        "p_different": test and test.p_different,
        "not_worse": test and test.not_worse,
        "verdict": test.verdict if test else UNDECIDED,
    }


def _print_machine(console: Console, line: MachineLine) -> None:
    table = plain_table(line.candidate, "machine", "raters", "difference", "rank", "verdict")
    for name, verdict in line.verdicts.items():
        table.add_row(
            name,
            _three(verdict.shown(verdict.machine)),
            _three(verdict.shown(verdict.raters)),
            _difference(verdict),
            f"{verdict.rank} of {len(verdict.counted) + 1}" if verdict.rank else ABSENT,
            verdict.verdict,
        )
    console.print(table)


def _print_each(console: Console, verdict: PeerVerdict) -> None:
    """The machine compared with each rater; how many passages only where that differs."""
    with_passages = len({peer.passages for peer in verdict.each}) > 1
    columns = ("rater", "machine", "difference", "p", "verdict")
    table = plain_table(verdict.metric, *(["passages"] if with_passages else []), *columns)
    for peer in verdict.each:
        table.add_row(
            peer.rater,
            *([f"{peer.passages:,}"] if with_passages else []),
            _three(verdict.shown(peer.rater_figure)),
            _three(verdict.shown(peer.machine_figure)),
            _signed(peer.test.difference) if peer.test else ABSENT,
            numbers.p_value(peer.test.p if peer.test else None),
            peer.test.verdict if peer.test else UNDECIDED,
        )
    console.print(table)


def _difference(verdict: PeerVerdict) -> Text:
    """The difference from the average rater, and its interval below it."""
    if verdict.test is None:
        return Text(ABSENT)
    return Text(f"{_signed(verdict.test.difference)}\n").append(
        numbers.interval(*verdict.interval, 1, signed=True), "dim"
    )


def _three(value: float) -> str:
    return numbers.mark(None if math.isnan(value) else value, 1)


def _signed(value: float) -> str:
    return numbers.mark(value, 1, signed=True)
