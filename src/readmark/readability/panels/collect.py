"""``readmark panel collect``: sheets in, a rated test and the novices' sittings out."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core import numbers
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files, same_file
from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import json_line
from readmark.core.new_folders import making_folder
from readmark.core.numbers import and_more
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.panels.checks import check
from readmark.readability.panels.class_tables import by_row_option
from readmark.readability.panels.criteria import Criterion, count_criteria
from readmark.readability.panels.findings import CODES, RatingFinding
from readmark.readability.panels.judge_sheets import (
    files_of,
    texts_by_code,
    unfinished,
    write_remaining,
)
from readmark.readability.panels.panel_agreement import PanelsAgreement, agreement
from readmark.readability.panels.panel_key import novice_sitting, with_experts_key
from readmark.readability.panels.ratings import ReturnedRatings, filled_cells, read_ratings
from readmark.readability.panels.rounds import (
    EXPERT,
    NOVICE,
    PanelPlan,
    plan_file,
    read_plan,
    version_of,
)
from readmark.statistics.agreement.value import Resampling

_SHOWN = 3
"""Findings of each code in the terminal; the report has them all."""
_SHOWN_CRITERIA = 15


@click.command("collect")
@click.argument("test")
@click.argument("plan")
@click.argument("ratings", nargs=-1, required=True, metavar="RATINGS...")
@click.option(
    "-o",
    "--output",
    metavar="RATED",
    help="Test to write: TEST with the experts' ratings as its key.",
    type=OUTPUT_FILE,
)
@click.option(
    "--novices", metavar="FOLDER", help="Folder to write the novices' sittings to, one per novice."
)
@click.option(
    "--report",
    metavar="FILE",
    help="Write every finding to this file, as JSON Lines.",
    type=OUTPUT_FILE,
)
@click.option(
    "--remaining",
    metavar="FOLDER",
    help="Folder to write sheets to, for rounds that are not finished.",
)
@click.option(
    "--real", is_flag=True, help="Accept any number from 1 to 5 as stars, not only whole ones."
)
@click.option(
    "--fastest",
    type=float,
    metavar="N",
    help="Words per minute above which a reading time is flagged as too short  "
    "[default: 600 words in English, 1200 characters in Chinese]",
)
@by_row_option
@options.seed_option
@options.draws_option
@options.confidence_option
@options.split_option
@options.from_option
@options.json_option
def collect_command(
    test: str,
    plan: str,
    ratings: tuple[str, ...],
    output: str | None,
    novices: str | None,
    report: str | None,
    remaining: str | None,
    seed: int,
    draws: int,
    confidence: float,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Collect the RATINGS of a panel from the judges' sheets: CSV, TSV, XLSX or JSON Lines.

    One table may have all judges: a row per passage and a column per judge.

    PLAN is plan.json or its folder. Missing and unusual ratings are reported, and nothing is
    dropped silently: ranks that contradict stars, identical ratings throughout and very fast
    reading are kept. Several files of the same judge are combined. Agreement is printed within
    each panel and between them.
    """
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    resampling = Resampling(seed=seed, draws=draws, level=confidence)
    result = collect_files(
        test,
        plan,
        ratings,
        output=output,
        novices=novices,
        report=report,
        remaining=remaining,
        settings=CollectSettings(resampling=resampling, format=from_format, **settings),
    )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectSettings:
    """How sheets are read and checked."""

    real: bool = False
    """Whether stars may be fractions."""
    by_row: bool = False
    """Whether a row of a table with several judges is a judge's."""
    fastest: float | None = None
    """The most words a minute that are believed; by default those of the test's language."""
    resampling: Resampling | None = None
    """For the intervals of agreement."""
    format: str | None = None
    split: str | None = None
    """Of the test."""


def collect_files(
    test: str,
    plan: str,
    ratings: Sequence[str],
    *,
    output: str | None = None,
    novices: str | None = None,
    report: str | None = None,
    remaining: str | None = None,
    settings: CollectSettings | None = None,
) -> Collected:
    """Read and check the judges' sheets; write whatever is named.

    ``output`` is the test with the experts' ratings, ``novices`` a folder of sittings, ``report``
    the findings, ``remaining`` a folder of sheets for unfinished rounds.
    """
    settings = settings or CollectSettings()
    if settings.fastest is not None and not settings.fastest > 0:
        raise UsageError(f"fastest {settings.fastest:g} is not above 0 words a minute")
    for index, path in enumerate(ratings):
        if any(same_file(path, other) for other in ratings[:index]):
            raise UsageError(f"{path} is named twice")
    panel_plan = read_plan(plan)
    folder = plan_file(plan).parent
    handed_out = [folder / name for name in files_of(panel_plan)]
    require_distinct_files(
        [output, novices, report, remaining], [test, plan, folder, *handed_out, *ratings]
    )
    source = open_test(test, format=settings.format, split=settings.split)
    returned = read_ratings(panel_plan, ratings, real=settings.real, by_row=settings.by_row)
    collected = collect(
        source,
        panel_plan,
        returned,
        fastest=settings.fastest,
        resampling=settings.resampling,
    )
    has_key = any(record.key is not None for record in collected.test.records())
    if output is not None and not has_key:
        raise DataError(
            "no expert rated any passage, so there is no key to write; leave out --output, and "
            "compare raters with `readmark panel mark`",
            file=test,
        )
    filled = filled_cells(returned)
    late = tuple(
        judge.name for judge in panel_plan.judges if unfinished(judge, filled.get(judge.name, {}))
    )
    # The folder of sittings and the report take their names only after everything was written.
    with contextlib.ExitStack() as stack:
        if novices is not None:
            sittings = stack.enter_context(making_folder(novices))
            for sitting in collected.novices:
                NATIVE_SITTING.write_sitting(sitting, sittings / Path(sitting.file).name)
        if remaining is not None:
            write_remaining(source, panel_plan, filled, remaining)
        if report is not None:
            stream = stack.enter_context(writing(report))
            for finding in collected.findings:
                stream.write(json_line(asdict(finding)))
        if output is not None:
            save_test(collected.test, output)
    written = {"output": output, "novices_folder": novices, "report": report}
    return replace(collected, written=written, remaining=remaining, unfinished=late)


@dataclass(frozen=True, slots=True)
class Collected(Result):
    """A test with its experts' ratings, the novices' sittings, and every finding."""

    test: Test
    novices: tuple[Sitting, ...]
    findings: tuple[RatingFinding, ...]
    agreement: PanelsAgreement
    criteria: tuple[Criterion, ...]
    rows: int
    expected: int
    """Ratings that the plan asks for."""
    rated: int
    """Ratings that there are."""
    written: Mapping[str, str | None] = field(default_factory=dict)
    """The files that were written: output, novices_folder, report."""
    remaining: str | None = None
    """The folder with sheets for rounds that are not finished."""
    unfinished: tuple[str, ...] = ()
    """The judges who have not finished."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and who still has to rate."""
        notes = []
        if (output := self.written.get("output")) is not None:
            if self.agreement.panels[EXPERT].judges:
                key = "the experts' ratings are its key"
            else:
                key = "no expert rated: its key is as it was"
            notes.append(f"{output}: {counted(len(self.findings), 'finding')}; {key}")
        if self.remaining is not None:
            late = ", ".join(self.unfinished) or "nobody"
            notes.append(f"{self.remaining}: what is left for {late}")
        return tuple(notes)

    def as_json(self) -> dict[str, Any]:
        """Files, counts, findings, agreement and criteria."""
        return {
            **self.written,
            "unfinished": self.unfinished,
            "rows": self.rows,
            "rated": self.rated,
            "expected": self.expected,
            "novices": [sitting.candidate for sitting in self.novices],
            "counts": dict(Counter(finding.code for finding in self.findings)),
            "findings": [asdict(finding) for finding in self.findings],
            "agreement": asdict(self.agreement),
            "criteria": [asdict(criterion) for criterion in self.criteria],
        }

    def show(self, console: Console) -> None:
        """Judges, findings, agreement, criteria."""
        rated = f"{self.rated:,} of {self.expected:,} ratings are present"
        console.print(f"{counted(self.rows, 'row')} read: {rated}")
        table = plain_table("judge", "panel", "rated", "mean", "sd", "with panel", "with experts")
        for name, judge in self.agreement.judges.items():
            table.add_row(
                name,
                judge.panel,
                f"{judge.rated:,}",
                numbers.mark(judge.mean, 5),
                numbers.mark(judge.deviation, 5),
                numbers.mark(judge.with_panel.value, 1),
                numbers.mark(judge.with_experts.value, 1),
            )
        console.print(table)
        console.print(
            "with panel, with experts: correlation with the mean of the others", style="dim"
        )
        for code, what in CODES.items():
            findings = [finding for finding in self.findings if finding.code == code]
            if findings:
                console.print(f"{code}: {len(findings):,} – {what}", highlight=False)
            for finding in findings[:_SHOWN]:
                who = f"{finding.judge}: " if finding.judge else ""
                where = f"{finding.file}:{finding.line}: " if finding.file else ""
                console.print(f"  {where}{who}{finding.message}", markup=False, highlight=False)
            if len(findings) > _SHOWN:
                console.print(f"  {and_more(len(findings) - _SHOWN)}")
        self._show_agreement(console)
        if self.criteria:
            criteria = plain_table("criterion", "times", "experts")
            for criterion in self.criteria[:_SHOWN_CRITERIA]:
                experts = ", ".join(criterion.experts)
                criteria.add_row(criterion.text, str(criterion.times), experts)
            console.print(criteria)
        if len(self.criteria) > _SHOWN_CRITERIA:
            console.print(and_more(len(self.criteria) - _SHOWN_CRITERIA, "--json has them all"))

    def _show_agreement(self, console: Console) -> None:
        table = plain_table("agreement", "judges", "measure", "value", "interval", "n")
        rows = [
            (panel, str(len(within.judges)), f"{panel} {measure.measure}", measure)
            for panel, within in self.agreement.panels.items()
            if within.judges
            for measure in within.measures
        ]
        if all(within.judges for within in self.agreement.panels.values()):
            rows.append(("expert – novice", "means", "expert – novice", self.agreement.between))
        for panel, judges, _, figure in rows:
            interval = numbers.interval(figure.low, figure.high, 1)
            value = numbers.mark(figure.value, 1)
            table.add_row(panel, judges, figure.measure, value, interval, f"{figure.n:,}")
        console.print(table)
        for _, _, label, figure in rows:
            if figure.reason is not None:
                console.print(f"{label}: {figure.reason}", style="dim")


def collect(
    test: Test,
    plan: PanelPlan,
    returned: ReturnedRatings,
    *,
    fastest: float | None = None,
    resampling: Resampling | None = None,
) -> Collected:
    """The rated test, novices' sittings, findings and agreement; the plan must be the test's."""
    _require_paper(test, plan)
    texts = texts_by_code(test, plan)
    return Collected(
        test=with_experts_key(test, plan, returned),
        novices=tuple(
            novice_sitting(plan, judge, ratings)
            for judge in plan.judges
            if judge.panel == NOVICE and (ratings := returned.rated.get(judge.name))
        ),
        findings=(*returned.findings, *check(plan, returned.rated, texts, fastest=fastest)),
        agreement=agreement(plan, returned.rated, resampling=resampling),
        criteria=tuple(count_criteria(returned.criteria)),
        rows=returned.rows,
        expected=len(plan.passages) * len(plan.judges),
        rated=sum(
            rating.stars is not None
            for ratings in returned.rated.values()
            for rating in ratings.values()
        ),
    )


def _require_paper(test: Test, plan: PanelPlan) -> None:
    test.require_kind("readability")
    if test.facts.paper == plan.paper:
        return
    versions = {passage.id: passage.version for passage in plan.passages}
    for record in test.records():
        if record.id in versions and version_of(record.text) != versions[record.id]:
            raise DataError(
                "the text of the passage is not the one that the plan was made for",
                file=test.file,
                where=record.id,
            )
    raise DataError("has other passages than the plan was made for", file=test.file)
