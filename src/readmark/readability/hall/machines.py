"""Machines beside the judges of a panel of the hall, compared as by ``panel mark``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readmark.core.errors import ReadmarkError
from readmark.core.numbers import decimal
from readmark.core.sitting import Sitting
from readmark.formats.registry import open_sitting
from readmark.marking import MarkSettings
from readmark.readability.hall.results import PanelResults
from readmark.readability.panels.novice_comparison import compare_with_novices
from readmark.readability.panels.novice_tables import PanelTables
from readmark.readability.panels.peer_comparison import compare_with_peers
from readmark.readability.panels.peer_tables import PeerTables
from readmark.sitting import CANDIDATES, sit


def own_raters(language: str) -> list[str]:
    """Readmark's raters for a language; those that need a service or a file are not among them."""
    names: list[str] = []
    for name in CANDIDATES:
        entry = CANDIDATES.entry(name)
        if entry.kinds == ("readability",):
            names.append(name)
            if language == "en":  # variants are other formulas, which Chinese does not have
                names += entry.variants
    return names


def rater_sitting(results: PanelResults, rater: str) -> Sitting:
    """A rater of Readmark on the passages of a panel; it never sees the key."""
    return replace(sit(results.collected.test, rater), file=f"{rater}.jsonl")


@dataclass(frozen=True)
class MachineComparison:
    """Machines against the novices by the experts' gold, and as one of the raters without it."""

    mark: PanelTables | None = None
    raters: PeerTables | None = None
    problems: tuple[str, ...] = ()
    """Why one of the two is missing, or what a machine could not rate."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The documents of ``panel mark --json``, with experts and without."""
        return {
            "mark": self.mark.as_json() if self.mark is not None else None,
            "raters": self.raters.as_json() if self.raters is not None else None,
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    @property
    def verdicts(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """The verdict on each machine as one of the raters: its name, what to say, the figures."""
        if self.raters is None:
            return []
        verdicts: list[tuple[str, str, Mapping[str, Any]]] = []
        for line in self.raters.machines:
            verdict = next(iter(line.verdicts.values()))
            places = [peer.place for peer in verdict.counted]
            figures = {
                "machine": decimal(verdict.shown(verdict.machine)),
                "raters": decimal(verdict.shown(verdict.raters)),
                "margin": f"{self.raters.margin:g}",
                "ahead": places.count(-1),
                "count": len(places),
            }
            verdicts.append((line.candidate, verdict.verdict.replace(" ", "_"), figures))
        return verdicts


def compare_machines(
    results: PanelResults, machines: Sequence[Sitting], files: Sequence[Path] = ()
) -> MachineComparison:
    """Compare machines, by their sittings of the passages, with the judges of a panel.

    A file that is not a sitting of the passages is one of the problems.
    """
    test, novices = results.collected.test, list(results.collected.novices)
    machines, problems = list(machines), []
    for path in files:
        try:
            machines.append(replace(open_sitting(path, test.kind), file=path.name))
        except ReadmarkError as error:
            problems.append(str(error).replace(f"{path.parent}/", ""))
    mark: PanelTables | None = None
    peers: PeerTables | None = None
    if machines and results.has_gold:
        try:
            mark = compare_with_novices(test, machines, novices)
        except ReadmarkError as error:
            problems.append(str(error))
    if machines:
        try:
            peers = compare_with_peers(test, machines, novices, settings=MarkSettings())
        except ReadmarkError as error:
            problems.append(str(error))
    notes = [note for tables in (mark, peers) if tables is not None for note in tables.notes]
    return MachineComparison(mark, peers, tuple(problems), tuple(dict.fromkeys(notes)))
