"""Sheets that judges filled in: every row read, and placed in the plan where it belongs.

Rows that cannot be used are findings with what they said; none is passed over in silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from readmark.core.errors import DataError
from readmark.readability.panels.filled_rows import FilledRow, filled_rows
from readmark.readability.panels.judge_sheets import CRITERIA
from readmark.readability.panels.rounds import PANELS, PanelJudge, PanelPlan, PlannedPassage
from readmark.readability.panels.written_numbers import expected_number, number, number_text

# Experts' criteria: an open list in their own words, counted as written.


_SEPARATORS = re.compile(r"[;\n；]+|(?:^|\s)[-*•]\s+")
_AROUND = " \t.,:·-–—，。：、'\"“”"


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion, how often it was named (once a round and expert at most), and by whom."""

    text: str
    times: int
    experts: tuple[str, ...]


def count_criteria(criteria: Mapping[str, Mapping[int, str]]) -> list[Criterion]:
    """Criteria by how often they were named; spelling in case and white space does not count."""
    times: Counter[str] = Counter()
    said: dict[str, str] = {}
    by: dict[str, dict[str, None]] = {}
    for expert, rounds in criteria.items():
        for text in rounds.values():
            for key, one in items(text).items():
                said.setdefault(key, one)
                times[key] += 1
                by.setdefault(key, {})[expert] = None
    order = sorted(times, key=lambda key: (-times[key], key))
    return [Criterion(said[key], times[key], tuple(by[key])) for key in order]


def items(text: str) -> dict[str, str]:
    """The criteria that a text lists, as written, by the form they are compared in."""
    plain = (" ".join(part.split()).strip(_AROUND) for part in _SEPARATORS.split(text))
    return {criterion.casefold(): criterion for criterion in plain if criterion}


# Findings on ratings: a code, a message, and the judge.


CODES = {
    "missing": "passages without a rating",
    "half_round": "rounds that a judge began and did not finish; what is there is kept",
    "out_of_range": "stars, ranks or seconds that are no such number; that number was left out",
    "rank_missing": "rounds that are rated and not put in order, or not wholly",
    "rank_tied": "ranks that a judge gave twice in a round",
    "rank_contradicts": "pairs of a round where fewer stars have the better rank",
    "straight_line": "rounds in which all stars are the same, or ranks follow the sheet",
    "too_fast": "passages rated faster than they can be read",
    "differing_rows": "passages that a judge rated twice, differently",
    "unknown_passage": "ratings of passages that the plan does not have",
    "unknown_judge": "ratings by judges that the plan does not have",
    "changed_text": "ratings of another text than the plan's",
    "no_expert": "passages that no expert rated: they have no gold",
    "one_expert": "passages that one expert rated: the gold is one person's opinion",
    "no_novice": "passages that no novice rated",
    "one_novice": "passages that one novice rated: they do not tell how people differ",
}
"""Every code with its one line."""


@dataclass(frozen=True, slots=True)
class RatingFinding:
    """Something that people should know of; where it can be, the place in a file."""

    code: str
    message: str
    judge: str = ""
    panel: str = ""
    id: str = ""
    file: str = ""
    line: int = 0
    round: int | None = None
    """The round by its number in the plan, which all judges share."""
    turn: int | None = None
    """The same round by its number on the judge's sheet, which messages use."""


_NUMBERED = ("stars", "rank", "seconds")
_SHOWN = 200
"""Characters shown of a row in which nothing is where it should be."""


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
    """What came back: ratings by judge and passage, experts' criteria by round, and findings."""

    rated: dict[str, dict[str, JudgeRating]] = field(default_factory=dict)
    criteria: dict[str, dict[int, str]] = field(default_factory=dict)
    findings: list[RatingFinding] = field(default_factory=list)
    rows: int = 0


def read_ratings(
    plan: PanelPlan, files: Iterable[str], *, real: bool = False, by_row: bool = False
) -> ReturnedRatings:
    """Every row of the files; where two rows of a judge on a passage differ, the later counts.

    In a table of several judges a row is a passage, or a judge's with ``by_row``.
    """
    ratings = ReturnedRatings()
    known = {passage.id: passage for passage in plan.passages} | plan.by_code
    for file in files:
        empty = True
        for row in filled_rows(file, plan.paper, known, by_row=by_row):
            empty = False
            ratings.rows += 1
            _take(plan, known, ratings, row, real=real)
        if empty:
            raise DataError("the file is empty, expected ratings", file=file)
    return ratings


def _take(
    plan: PanelPlan,
    known: Mapping[str, PlannedPassage],
    ratings: ReturnedRatings,
    row: FilledRow,
    *,
    real: bool,
) -> None:
    """Put a row in its place; ``known`` has passages by their names on sheets, and by their ids."""

    def report(code: str, message: str, *, judge: str, panel: str = "", id: str = "") -> None:
        ratings.findings.append(RatingFinding(code, message, judge, panel, id, row.file, row.line))

    given = any(row.cell(name) for name in _NUMBERED)
    filled = given or bool(row.cell(CRITERIA))
    name = row.judge
    judge = plan.judge(name)
    passage = known.get(row.cell("id"))
    if judge is None:
        if filled or passage is None:  # another's sheet that is blank says nothing
            problem = f"the plan has no judge {name!r}: {_words(row)} was left out"
            report("unknown_judge", problem, judge=name, id=row.cell("id"))
        return
    _require_panel(judge, row)
    if passage is None:
        problem = f"the plan has no passage {row.cell('id')!r}: {_words(row)} was left out"
        report("unknown_passage", problem, judge=judge.name, panel=judge.panel, id=row.cell("id"))
        return
    code, id, expected = passage.code, passage.id, passage.version
    version = row.cell("version")
    about = {"judge": judge.name, "panel": judge.panel, "id": id}
    if filled and version and version != expected:
        problem = f"was rated on another text ({version}, the plan has {expected}): {_words(row)}"
        report("changed_text", f"{problem} was left out", **about)
        return
    if row.cell(CRITERIA):
        _take_criteria(ratings, judge, code, row)
    if not given:
        return
    numbers = _numbers(
        row,
        len(next(round_.passages for round_ in judge.rounds if code in round_.passages)),
        real,
        report,
        about,
    )
    rank = numbers.get("rank")
    made = JudgeRating(
        judge=judge.name,
        panel=judge.panel,
        code=code,
        id=id,
        stars=numbers.get("stars"),
        rank=None if rank is None else int(rank),
        seconds=numbers.get("seconds"),
        file=row.file,
        line=row.line,
    )
    mine = ratings.rated.setdefault(judge.name, {})
    before = mine.get(code)
    if before is not None:
        if differences := _differences(before, made):
            report("differing_rows", f"{differences}; the later one counts", **about)
        # The later row, with what only the earlier has.
        missing = {one: getattr(before, one) for one in _NUMBERED if getattr(made, one) is None}
        made = replace(made, **missing)
    mine[code] = made


def _take_criteria(ratings: ReturnedRatings, judge: PanelJudge, code: str, row: FilledRow) -> None:
    number = next(round_.number for round_ in judge.rounds if code in round_.passages)
    mine = ratings.criteria.setdefault(judge.name, {})
    before, text = mine.get(number, ""), row.cell(CRITERIA)
    if not (items(text) or {text: text}).keys() <= items(before).keys():
        mine[number] = f"{before}; {text}" if before else text


def _numbers(
    row: FilledRow, most: int, real: bool, report: Any, about: Mapping[str, str]
) -> dict[str, float]:
    """The numbers of a row that can be used; each that cannot is reported."""
    found: dict[str, float] = {}
    for name in _NUMBERED:
        text = row.cell(name)
        if not text:
            continue
        value = number(text, name)
        wrong = expected_number(name, value, most, real)
        if wrong is None and value is not None:
            found[name] = value
        else:
            report("out_of_range", f"{name} {text!r}, expected {wrong}", **about)
    return found


def _require_panel(judge: PanelJudge, row: FilledRow) -> None:
    text = row.cell("panel").lower()
    if text in PANELS and text != judge.panel:
        raise DataError(
            f"{judge.name!r} is an {text}".replace("an novice", "a novice")
            + f" here and in the plan {judge.panel}: a judge is in one panel",
            file=row.file,
            where=row.line,
        )


def _differences(before: JudgeRating, after: JudgeRating) -> str:
    changed = (
        f"{name} {number_text(getattr(before, name))} ({before.file}:{before.line}) and "
        f"{number_text(getattr(after, name))}"
        for name in _NUMBERED
        if getattr(before, name) is not None
        and getattr(after, name) is not None
        and getattr(before, name) != getattr(after, name)
    )
    return ", ".join(changed)


def _words(row: FilledRow) -> str:
    """The ratings in a row; for a row without any, all its cells."""
    given = [f"{name} {row.cell(name)}" for name in (*_NUMBERED, CRITERIA) if row.cell(name)]
    if given:
        return ", ".join(given)
    cells = ", ".join(f"{name} {text}" for name in row.cells if name and (text := row.cell(name)))
    return cells if len(cells) <= _SHOWN else f"{cells[:_SHOWN]} …"


def filled_cells(returned: ReturnedRatings) -> dict[str, dict[str, dict[str, str]]]:
    """What judges gave so far, by judge and passage, as it goes back on a sheet."""
    return {
        judge: {
            code: {
                name: number_text(value)
                for name in _NUMBERED
                if (value := getattr(rating, name)) is not None
            }
            for code, rating in mine.items()
        }
        for judge, mine in returned.rated.items()
    }
