"""Ratings that judges gave back: every row of the files read, and placed in the plan.

Rows that cannot be used are findings that quote them; none is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from readmark.core.errors import DataError
from readmark.readability.panels.criteria import criteria_in
from readmark.readability.panels.filled_rows import FilledRow, filled_rows
from readmark.readability.panels.findings import RatingFinding
from readmark.readability.panels.judge_sheets import CRITERIA
from readmark.readability.panels.rounds import (
    EXPERT,
    PANELS,
    PanelJudge,
    PanelPlan,
    PlannedPassage,
)
from readmark.readability.panels.written_numbers import expected_number, number, number_text

_NUMBERED = ("stars", "rank", "seconds")
_MOST_CHARACTERS = 200
"""How much of a row is quoted in which nothing is where it should be."""


@dataclass(frozen=True, slots=True)
class JudgeRating:
    """A judge's rating of a passage, and its place in the file."""

    judge: str
    panel: str
    code: str
    id: str
    stars: float | None
    rank: int | None
    seconds: float | None
    file: str
    line: int


@dataclass(slots=True)
class ReturnedRatings:
    """What came back: ratings by judge and code, experts' criteria by round, and findings."""

    rated: dict[str, dict[str, JudgeRating]] = field(default_factory=dict)
    criteria: dict[str, dict[int, str]] = field(default_factory=dict)
    findings: list[RatingFinding] = field(default_factory=list)
    rows: int = 0

    def report(
        self, code: str, message: str, row: FilledRow, judge: PanelJudge | None = None, id: str = ""
    ) -> None:
        """Add a finding on a row, by the judge of the plan or by the name that the row has."""
        name, panel = (row.judge, "") if judge is None else (judge.name, judge.panel)
        self.findings.append(RatingFinding(code, message, name, panel, id, row.file, row.line))


def read_ratings(
    plan: PanelPlan, files: Iterable[str], *, real: bool = False, by_row: bool = False
) -> ReturnedRatings:
    """Every row of the files; where two rows of a judge on a passage differ, the later counts.

    In a table of several judges a row is a passage, or a judge's with ``by_row``.
    """
    returned = ReturnedRatings()
    passages = {passage.id: passage for passage in plan.passages} | plan.by_code
    for file in files:
        rows_before = returned.rows
        for row in filled_rows(file, plan.paper, passages, by_row=by_row):
            returned.rows += 1
            _add_row(returned, row, plan, passages, real=real)
        if returned.rows == rows_before:
            raise DataError("the file is empty, expected ratings", file=file)
    return returned


def _add_row(
    returned: ReturnedRatings,
    row: FilledRow,
    plan: PanelPlan,
    passages: Mapping[str, PlannedPassage],
    *,
    real: bool,
) -> None:
    """Add what a row has, or a finding why it cannot be used.

    ``passages`` has them by their codes on sheets and by their ids.
    """
    is_filled = any(row.cell(name) for name in (*_NUMBERED, CRITERIA))
    judge = plan.judge(row.judge)
    passage = passages.get(row.cell("id"))
    if judge is None:
        if is_filled or passage is None:  # the blank sheet of somebody else says nothing
            message = f"the plan has no judge {row.judge!r}: {_quote(row)} was left out"
            returned.report("unknown_judge", message, row, id=row.cell("id"))
        return
    _require_panel(judge, row)
    if passage is None:
        message = f"the plan has no passage {row.cell('id')!r}: {_quote(row)} was left out"
        returned.report("unknown_passage", message, row, judge, row.cell("id"))
        return
    version = row.cell("version")
    if is_filled and version and version != passage.version:
        message = (
            f"was rated on another text ({version}, the plan has {passage.version}): "
            f"{_quote(row)} was left out"
        )
        returned.report("changed_text", message, row, judge, passage.id)
        return
    round_ = next(round_ for round_ in judge.rounds if passage.code in round_.passages)
    if text := row.cell(CRITERIA):
        rounds = returned.criteria.setdefault(judge.name, {})
        rounds[round_.number] = _joined(rounds.get(round_.number, ""), text)
    if any(row.cell(name) for name in _NUMBERED):
        numbers, faults = _numbers(row, len(round_.passages), real=real)
        for fault in faults:
            returned.report("out_of_range", fault, row, judge, passage.id)
        _add_rating(returned, row, judge, passage, numbers)


def _add_rating(
    returned: ReturnedRatings,
    row: FilledRow,
    judge: PanelJudge,
    passage: PlannedPassage,
    numbers: Mapping[str, float],
) -> None:
    """Add a rating; a later one replaces an earlier one, with what only the earlier has."""
    rank = numbers.get("rank")
    rating = JudgeRating(
        judge=judge.name,
        panel=judge.panel,
        code=passage.code,
        id=passage.id,
        stars=numbers.get("stars"),
        rank=None if rank is None else int(rank),
        seconds=numbers.get("seconds"),
        file=row.file,
        line=row.line,
    )
    ratings = returned.rated.setdefault(judge.name, {})
    earlier = ratings.get(passage.code)
    if earlier is not None:
        if differences := _differences(earlier, rating):
            message = f"{differences}; the later one counts"
            returned.report("differing_rows", message, row, judge, passage.id)
        gaps = [name for name in _NUMBERED if getattr(rating, name) is None]
        rating = replace(rating, **{name: getattr(earlier, name) for name in gaps})
    ratings[passage.code] = rating


def _joined(before: str, text: str) -> str:
    """The criteria of a round, of which sheets may repeat what is known."""
    if (criteria_in(text) or {text: text}).keys() <= criteria_in(before).keys():
        return before
    return f"{before}; {text}" if before else text


def _numbers(row: FilledRow, last_rank: int, *, real: bool) -> tuple[dict[str, float], list[str]]:
    """The numbers of a row that can be used, and what is wrong with the others."""
    numbers: dict[str, float] = {}
    faults: list[str] = []
    for name in _NUMBERED:
        text = row.cell(name)
        if not text:
            continue
        value = number(text, name)
        expected = expected_number(name, value, last_rank, real)
        if expected is None and value is not None:
            numbers[name] = value
        else:
            faults.append(f"{name} {text!r}, expected {expected}")
    return numbers, faults


def _require_panel(judge: PanelJudge, row: FilledRow) -> None:
    panel = row.cell("panel").lower()
    if panel in PANELS and panel != judge.panel:
        article = "an" if panel == EXPERT else "a"
        raise DataError(
            f"{judge.name!r} is {article} {panel} here and in the plan {judge.panel}: "
            "a judge is in one panel",
            file=row.file,
            where=row.line,
        )


def _differences(earlier: JudgeRating, later: JudgeRating) -> str:
    changes: list[str] = []
    for name in _NUMBERED:
        before, after = getattr(earlier, name), getattr(later, name)
        if before is not None and after is not None and before != after:
            place = f"{earlier.file}:{earlier.line}"
            changes.append(f"{name} {number_text(before)} ({place}) and {number_text(after)}")
    return ", ".join(changes)


def _quote(row: FilledRow) -> str:
    """The ratings in a row; all its cells where there are none."""
    ratings = [f"{name} {row.cell(name)}" for name in (*_NUMBERED, CRITERIA) if row.cell(name)]
    if ratings:
        return ", ".join(ratings)
    cells = ", ".join(f"{name} {text}" for name in row.cells if name and (text := row.cell(name)))
    return cells if len(cells) <= _MOST_CHARACTERS else f"{cells[:_MOST_CHARACTERS]} …"


def filled_cells(returned: ReturnedRatings) -> dict[str, dict[str, dict[str, str]]]:
    """What judges gave so far, by judge, code and column, as it goes back on a sheet."""
    return {
        judge: {
            code: {
                name: number_text(value)
                for name in _NUMBERED
                if (value := getattr(rating, name)) is not None
            }
            for code, rating in ratings.items()
        }
        for judge, ratings in returned.rated.items()
    }
