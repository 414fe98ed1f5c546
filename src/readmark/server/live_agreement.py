"""How far people agree on a project's finished items now, and the figures that lead.

Agreement is that of ``readmark set agree`` on the files that the project's work writes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.core.version import __version__
from readmark.making import AgreementComparison, AgreementReport, agreement_of_files, measure_name
from readmark.server.exported_files import without_folder
from readmark.server.project_work import work_of_project
from readmark.server.result_cache import ByState, ResultState
from readmark.server.views import work_named
from readmark.statistics.agreement.value import Agreement
from readmark.works import PEOPLE

NOT_YET = "agreement needs finished items of two people"
MEAN = ", mean of pairs"
"""How the name of a measure ends that is a mean of each two people's figures."""


@dataclass(frozen=True)
class LiveAgreement:
    """Agreement on finished items up to an event, by language if there are two; or why none."""

    event: int
    version: int
    reports: Mapping[str, AgreementReport]
    problem: str = ""

    def signature(self, report: AgreementReport) -> str:
        """One line that says what decided the figures."""
        parts = {
            "agree": "+".join(comparison.what for comparison in report.comparisons),
            "interval": "percentile",
            "draws": report.draws,
            "confidence": report.level,
            "seed": report.seed,
            "event": self.event,
            "configuration": self.version,
            "readmark": __version__,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def as_json(self) -> dict[str, Any]:
        """The documents of ``set agree --json``, each with its signature."""
        reports = [
            {"side": side or None, "signature": self.signature(report), **report.as_json()}
            for side, report in self.reports.items()
        ]
        about = {"event": self.event, "configuration": self.version}
        return {**about, "problem": self.problem or None, "reports": reports}


def live_agreement(session: Session, project_id: str, *, is_patient: bool = False) -> LiveAgreement:
    """How far people agree on the items that they have finished; computed once per event."""
    return _CACHE.find(session, project_id, is_patient=is_patient)


def _compute(session: Session, project_id: str, state: ResultState) -> LiveAgreement:
    event, version = state.event, state.version
    project = work_of_project(session, project_id).finished()
    if len(project.people) < 2:
        return LiveAgreement(event, version, {}, NOT_YET)
    with tempfile.TemporaryDirectory(prefix="readmark-agree-") as folder:
        try:
            work_named(project.configuration.project.work).write(project, Path(folder))
            files = sorted(str(path) for path in (Path(folder) / PEOPLE).glob("*"))
            if len(files) < 2:
                return LiveAgreement(event, version, {}, NOT_YET)
            reports = agreement_of_files(files, project.configuration.project.agree)
        except ReadmarkError as error:
            return LiveAgreement(event, version, {}, without_folder(str(error), folder))
    return LiveAgreement(event, version, reports)


_CACHE = ByState(_compute)


@dataclass(frozen=True)
class AgreementHeadline:
    """The figure that stands for a comparison: the first that is corrected for chance."""

    what: str
    side: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    units: int
    signature: str

    @property
    def name(self) -> str:
        """The measure as it is shown."""
        return measure_name(self.measure.removesuffix(MEAN))

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of each two people's figures."""
        return self.measure.endswith(MEAN)


def headlines_of(live: LiveAgreement) -> tuple[AgreementHeadline, ...]:
    """A figure for everything that is compared."""
    return tuple(
        AgreementHeadline(
            what=comparison.what,
            side=side,
            measure=figure.measure,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
            units=comparison.units,
            signature=live.signature(report),
        )
        for side, report in live.reports.items()
        for comparison, figure in _leading_figures(report)
    )


def _leading_figures(report: AgreementReport) -> Iterator[tuple[AgreementComparison, Agreement]]:
    """Each comparison with its figure: if possible one corrected for chance, and a defined one."""
    for comparison in report.comparisons:
        figures = [*comparison.figures, *_figures_of_pairs(comparison)]
        corrected = [figure for figure in figures if figure.measure.removesuffix(MEAN) != "percent"]
        defined = [figure for figure in corrected if figure.value is not None]
        if candidates := defined or corrected or figures:
            yield comparison, candidates[0]


def _figures_of_pairs(comparison: AgreementComparison) -> Iterator[Agreement]:
    """The figures of the only pair, or the means of several, which have no interval."""
    if len(comparison.pairs) == 1:
        yield from comparison.pairs[0].figures
        return
    for figures in zip(*(pair.figures for pair in comparison.pairs), strict=False):
        values = [figure.value for figure in figures if figure.value is not None]
        if values:
            yield Agreement(
                measure=f"{figures[0].measure}{MEAN}",
                value=fmean(values),
                n=sum(figure.n for figure in figures),
            )
