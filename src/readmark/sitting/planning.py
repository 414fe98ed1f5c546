"""What a sitting would take: `readmark sit --plan`, which asks nothing unless a probe is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.progress import Tell
from readmark.core.records import Unit
from readmark.core.settings import settings_of
from readmark.core.traffic import Estimate
from readmark.formats.inputs import TestInput, as_test
from readmark.sitting.candidates import CandidateInput, begin_repeat, declared
from readmark.sitting.cluster import as_cluster
from readmark.sitting.forecast import Forecast, forecast, read_probe
from readmark.sitting.journal_state import JournalState
from readmark.sitting.preparation import Preparation, prepare_sitting
from readmark.sitting.probe import hour_price, run_probe
from readmark.sitting.requests import wanted_units
from readmark.sitting.resuming import look_into
from readmark.sitting.settings import PlanFields, PlanSettings, SitSettings


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
        if self.answered:
            parts.append(f"{self.answered:,} answered already")
        if self.failed:
            parts.append(f"{counted(self.failed, 'error')} to try again")
        units = counted(self.units, "unit")
        console.print(f"{self.candidate} would sit {units}: {', '.join(parts)}", soft_wrap=True)
        if self.estimate is not None:
            console.print(self.estimate.words, soft_wrap=True)
        for words in self.forecast.words if self.forecast is not None else ():
            console.print(words, soft_wrap=True)
        if not self.asked:
            console.print("nothing was asked", soft_wrap=True)
            return
        answers = counted(self.asked - self.errors - self.unanswered, "answer")
        parts = [f"{answers} of the probe added to {self.path}"]
        if self.errors:
            parts.append(counted(self.errors, "error"))
        if self.unanswered:
            parts.append(f"{self.unanswered:,} without an answer")
        console.print(", ".join(parts), soft_wrap=True)


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
    if how.probe is None:
        return _planned(test, candidate, path, how)
    probe = run_probe(test, candidate, path, how, tell=tell)
    return replace(
        _planned(test, candidate, path, how),
        asked=probe.asked,
        errors=probe.errors,
        unanswered=probe.unanswered,
        notes=probe.notes,
    )


def _planned(
    test: TestInput, candidate: CandidateInput, path: str | Path | None, settings: PlanSettings
) -> SittingPlan:
    """The plan of what a sitting has left, by the probe next to it if there is one."""
    test = as_test(test)
    ready = prepare_sitting(test, candidate, path, settings, probe=False)
    state = JournalState()
    if path is not None:
        cluster = as_cluster(settings.engine)
        is_prepared = cluster is None or not cluster.gpus
        state = look_into(Path(path), ready.header, is_prepared=is_prepared)
    repeats = settings.repeats
    answered = state.restrict_to(
        (id, repeat) for id in ready.coverage.ids(test) for repeat in range(repeats)
    )
    planned = SittingPlan(
        candidate=ready.name,
        units=ready.coverage.units * repeats,
        answered=answered,
        failed=len(state.failed),
        estimate=_estimate(ready, state, repeats),
        path="" if path is None else str(path),
    )
    probe = None if path is None else read_probe(path, ready.name)
    if probe is None or not planned.left:
        return planned
    estimate, requests = planned.estimate, planned.left
    if estimate is not None:
        requests = estimate.requests  # the cache has the others
        if probe.input is not None and probe.output is not None:
            estimate = replace(
                estimate,
                input=round(requests * probe.input),
                output=round(requests * probe.output),
                cost=estimate.cost if probe.cost is None else requests * probe.cost,
            )
    prediction = forecast(
        probe,
        planned.left,
        requests=requests,
        workers=settings.workers or 1,
        hour_price=hour_price(settings),
    )
    return replace(planned, estimate=estimate, forecast=prediction)


def _estimate(ready: Preparation, state: JournalState, repeats: int) -> Estimate | None:
    """What the candidate says that its requests would take; None if it sends none."""
    estimate_units = declared(ready.candidate, "estimate", None)
    if estimate_units is None:
        return None
    total: Estimate | None = None
    for repeat in range(repeats):
        begin_repeat(ready.name, ready.candidate, repeat)

        def units(repeat: int = repeat) -> Iterator[Unit]:
            papers = (ask for _, ask in ready.papers(state, repeat))
            for ask in ready.transformed(papers, repeat):
                yield from wanted_units(ready.test.kind, ask)

        part: Estimate = estimate_units(units())
        total = part if total is None else total.plus(part)
    return total
