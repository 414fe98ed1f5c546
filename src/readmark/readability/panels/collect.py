"""``readmark panel collect``: sheets in, a rated test and the novices' sittings out."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core import numbers
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files, same_file
from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import json_line
from readmark.core.new_folders import making_folder
from readmark.core.numbers import and_more, first_ids
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.core.writing import writing
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import Rating, RatingKey
from readmark.readability.panels.checks import PanelsAgreement, agreement, check
from readmark.readability.panels.class_tables import by_row_option
from readmark.readability.panels.judge_sheets import (
    files_of,
    texts_by_code,
    unfinished,
    write_remaining,
)
from readmark.readability.panels.ratings import (
    CODES,
    Criterion,
    JudgeRating,
    RatingFinding,
    ReturnedRatings,
    count_criteria,
    filled_cells,
    read_ratings,
)
from readmark.readability.panels.rounds import (
    EXPERT,
    PanelJudge,
    PanelPlan,
    plan_file,
    read_plan,
    version_of,
)
from readmark.readability.panels.simulation import SYNTHETIC, SYNTHETIC_NAME
from readmark.statistics.agreement.value import Resampling


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
    seed: int,
    draws: int,
    confidence: float,
    split: str | None,
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
        test, plan, ratings, resampling=resampling, format=from_format, split=split, **settings
    )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


def collect_files(
    test: str,
    plan: str,
    ratings: Sequence[str],
    *,
    output: str | None = None,
    novices: str | None = None,
    report: str | None = None,
    remaining: str | None = None,
    real: bool = False,
    by_row: bool = False,
    fastest: float | None = None,
    resampling: Resampling | None = None,
    format: str | None = None,
    split: str | None = None,
) -> Collected:
    """Read and check the judges' sheets; write whatever is named.

    ``output`` is the test with the experts' ratings, ``novices`` a folder of sittings, ``report``
    the findings, ``remaining`` a folder of sheets for unfinished rounds. ``real`` accepts stars
    that are no whole numbers; ``by_row`` says that a row of a table is a judge's; ``fastest`` is
    the most words a minute that are believed.
    """

    if fastest is not None and not fastest > 0:
        raise UsageError(f"words a minute are more than 0, not {fastest:g}")
    for index, path in enumerate(ratings):
        if any(same_file(path, other) for other in ratings[:index]):
            raise UsageError(f"{path} is named twice")
    made = read_plan(plan)
    folder = plan_file(plan).parent
    handed_out = [folder / name for name in files_of(made)]
    require_distinct_files(
        [output, novices, report, remaining], [test, plan, folder, *handed_out, *ratings]
    )
    source = open_test(test, format=format, split=split)
    returned = read_ratings(made, ratings, real=real, by_row=by_row)
    done = collect(source, made, returned, fastest=fastest, resampling=resampling)
    if output is not None and not any(record.key is not None for record in done.test.records()):
        raise DataError(
            "no expert rated any passage, so there is no key to write; leave out --output, and "
            "compare raters with `readmark panel mark`",
            file=test,
        )
    filled = filled_cells(returned)
    late = [judge.name for judge in made.judges if unfinished(judge, filled.get(judge.name, {}))]
    with contextlib.ExitStack() as stack:
        if novices is not None:
            sittings = stack.enter_context(making_folder(novices))
            for sitting in done.novices:
                NATIVE_SITTING.write_sitting(sitting, sittings / Path(sitting.file).name)
        if remaining is not None:
            write_remaining(source, made, filled, remaining)
        if report is not None:
            stream = stack.enter_context(writing(report))
            for finding in done.findings:
                stream.write(json_line(asdict(finding)))
        if output is not None:
            save_test(done.test, output)
    written = {"output": output, "novices_folder": novices, "report": report}
    return replace(done, written=written, remaining=remaining, unfinished=tuple(late))


# Ratings put where they belong: experts' into the key, each novice's into a sitting.


_SHOWN = 3
"""Findings that are shown of each code; the report has them all."""
_SHOWN_RATERS, _SHOWN_CRITERIA = 5, 15


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
            findings = f"{len(self.findings)} findings"
            rated = any(judge.panel == EXPERT for judge in self.agreement.judges.values())
            key = (
                "the experts' ratings are its key"
                if rated
                else "no expert rated: its key is as it was"
            )
            notes.append(f"{output}: {findings}; {key}")
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
            stars = [numbers.mark(value, 5) for value in (judge.mean, judge.deviation)]
            alike = [
                numbers.mark(agreement.value, 1)
                for agreement in (judge.with_panel, judge.with_experts)
            ]
            table.add_row(name, judge.panel, f"{judge.rated:,}", *stars, *alike)
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
        for panel, judges, _, one in rows:
            interval = numbers.interval(one.low, one.high, 1)
            value = numbers.mark(one.value, 1)
            table.add_row(panel, judges, one.measure, value, interval, f"{one.n:,}")
        console.print(table)
        for _, _, label, one in rows:
            if one.reason is not None:
                console.print(f"{label}: {one.reason}", style="dim")


def collect(
    test: Test,
    plan: PanelPlan,
    returned: ReturnedRatings,
    *,
    fastest: float | None = None,
    resampling: Resampling | None = None,
) -> Collected:
    """What the judges said, in its place; the plan must be of this paper."""
    _require_paper(test, plan)
    texts = texts_by_code(test, plan)
    findings = (*returned.findings, *check(plan, returned.rated, texts, fastest=fastest))
    return Collected(
        test=_rated(test, plan, returned),
        novices=tuple(
            _sitting(plan, judge, mine)
            for judge in plan.judges
            if judge.panel != EXPERT and (mine := returned.rated.get(judge.name))
        ),
        findings=findings,
        agreement=agreement(plan, returned.rated, resampling=resampling),
        criteria=tuple(count_criteria(returned.criteria)),
        rows=returned.rows,
        expected=len(plan.passages) * len(plan.judges),
        rated=sum(
            rating.stars is not None for mine in returned.rated.values() for rating in mine.values()
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


def _rated(test: Test, plan: PanelPlan, returned: ReturnedRatings) -> Test:
    experts = [judge for judge in plan.judges if judge.panel == EXPERT]
    by_id: dict[str, list[Rating]] = {}
    for judge in experts:
        for judge_rating in returned.rated.get(judge.name, {}).values():
            if judge_rating.stars is not None:
                rating = Rating(
                    rating=judge_rating.stars,
                    annotator=judge.name,
                    rank=judge_rating.rank,
                    round=_place(judge, judge_rating.code)["round"],
                    seconds=judge_rating.seconds,
                )
                by_id.setdefault(judge_rating.id, []).append(rating)
    if not by_id:
        return test
    _require_unrated(test)
    records = []
    for record in test.records():
        if ratings := by_id.get(record.id):
            key = msgspec.structs.replace(record.key or RatingKey(), ratings=tuple(ratings))
            record = msgspec.structs.replace(record, key=key)
        records.append(record)
    about = {
        "seed": plan.seed,
        "round": plan.size,
        "experts": [expert.name for expert in experts],
        "criteria": [
            {
                "annotator": expert,
                "round": number,
                "turn": _turn(plan, expert, number),
                "text": text,
            }
            for expert, rounds in returned.criteria.items()
            for number, text in sorted(rounds.items())
        ],
    }
    return in_memory(_header(test.header, about), records, file=test.file)


def _require_unrated(test: Test) -> None:
    """Experts of two panels are not mixed: the gold would be neither's."""
    rated = {
        rating.annotator or "somebody": None
        for record in test.records()
        if record.key is not None
        for rating in record.key.ratings
    }
    if rated:
        raise DataError(
            f"has ratings already, by {first_ids(list(rated), _SHOWN_RATERS)}: "
            "collect into a test without ratings",
            file=test.file,
        )


def _header(header: Header, about: Mapping[str, Any]) -> Header:
    """The header with the panel in it; that ratings are made up is no longer true."""
    fields = dict(header.fields)
    name = header.name
    if fields.pop(SYNTHETIC, False):
        fields.pop("note", None)
        name = name.removesuffix(SYNTHETIC_NAME) if name else name
    return msgspec.structs.replace(header, name=name, fields={**fields, "panel": about})


def _turn(plan: PanelPlan, name: str, number: int) -> int | None:
    """The number of a round on the judge's own sheet."""
    judge = plan.judge(name)
    rounds = [round_.number for round_ in judge.rounds] if judge is not None else []
    return rounds.index(number) + 1 if number in rounds else None


def _sitting(plan: PanelPlan, judge: PanelJudge, mine: Mapping[str, JudgeRating]) -> Sitting:
    rows = {
        rating.id: Row(
            id=rating.id,
            answer=rating.stars,
            seconds=rating.seconds,
            evidence={
                **_place(judge, rating.code),
                **({} if rating.rank is None else {"rank": rating.rank}),
            },
        )
        for rating in mine.values()
        if rating.stars is not None
    }
    header = SittingHeader(
        kind="readability",
        paper=plan.paper,
        candidate=judge.name,
        signature={"panel": judge.panel},
        fields={"panel": judge.panel, "seed": plan.seed, "round": plan.size},
    )
    return Sitting(header, rows, f"{judge.name}.jsonl")


def _place(judge: PanelJudge, code: str) -> dict[str, Any]:
    """The round by its number in the plan and on the judge's sheet, and the place in it."""
    return next(
        {"round": round_.number, "turn": turn, "place": round_.passages.index(code) + 1}
        for turn, round_ in enumerate(judge.rounds, 1)
        if code in round_.passages
    )
