"""Sheets that judges filled in: every row read, and placed in the plan where it belongs.

Rows that cannot be used are findings with what they said; none is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from readmark.corpus.errors import DataError
from readmark.setting.panels import PANELS
from readmark.setting.panels.criteria import items
from readmark.setting.panels.filled_rows import FilledRow, filled_rows
from readmark.setting.panels.findings import Finding
from readmark.setting.panels.given_numbers import number, spelt, wanted
from readmark.setting.panels.planning import Judge, Plan, Planned
from readmark.setting.panels.sheets import CRITERIA

_NUMBERED = ("stars", "rank", "seconds")
_SHOWN = 200
"""Characters that are told of a row in which nothing stands where it should."""


@dataclass(frozen=True, slots=True)
class Rated:
    """What a judge said of a passage, and where that stands."""

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
class Returned:
    """What came back: ratings by judge and passage, experts' criteria by round, and findings."""

    rated: dict[str, dict[str, Rated]] = field(default_factory=dict)
    criteria: dict[str, dict[int, str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    rows: int = 0


def read_ratings(plan: Plan, files: Iterable[str], *, real: bool = False) -> Returned:
    """Every row of some files; the later row on a passage stands where two of a judge differ."""
    found = Returned()
    known = {one.id: one for one in plan.passages} | plan.by_code
    for file in files:
        empty = True
        for row in filled_rows(file, plan.paper):
            empty = False
            found.rows += 1
            _take(plan, known, found, row, real=real)
        if empty:
            raise DataError("the file is empty, expected ratings", file=file)
    return found


def _take(
    plan: Plan, known: Mapping[str, Planned], found: Returned, row: FilledRow, *, real: bool
) -> None:
    """Put a row in its place; ``known`` has passages by their names on sheets, and by their ids."""

    def tell(code: str, message: str, *, judge: str, panel: str = "", id: str = "") -> None:
        found.findings.append(Finding(code, message, judge, panel, id, row.file, row.line))

    given = any(row.said(name) for name in _NUMBERED)
    some = given or bool(row.said(CRITERIA))
    name = row.judge
    judge = plan.judge(name)
    passage = known.get(row.said("id"))
    if judge is None:
        if some or passage is None:  # another's sheet that is blank says nothing
            said = f"the plan has no judge {name!r}: the row {_words(row)} was left out"
            tell("unknown_judge", said, judge=name, id=row.said("id"))
        return
    _require_panel(judge, row)
    if passage is None:
        said = f"the plan has no passage {row.said('id')!r}: {_words(row)} was left out"
        tell("unknown_passage", said, judge=judge.name, panel=judge.panel, id=row.said("id"))
        return
    code, id, expected = passage.code, passage.id, passage.version
    version = row.said("version")
    about = {"judge": judge.name, "panel": judge.panel, "id": id}
    if some and version and version != expected:
        said = f"was rated on another text ({version}, the plan has {expected}): {_words(row)}"
        tell("changed_text", f"{said} was left out", **about)
        return
    if row.said(CRITERIA):
        _take_criteria(found, judge, code, row)
    if not given:
        return
    numbers = _numbers(row, len(_round(judge, code)), real, tell, about)
    rank = numbers.get("rank")
    made = Rated(
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
    mine = found.rated.setdefault(judge.name, {})
    before = mine.get(code)
    if before is not None:
        if _differ(before, made):
            tell("differing_rows", f"{_both(before, made)}; the later stands", **about)
        made = _filled_up(made, before)
    mine[code] = made


def _take_criteria(found: Returned, judge: Judge, code: str, row: FilledRow) -> None:
    number = next(one.number for one in judge.rounds if code in one.passages)
    mine = found.criteria.setdefault(judge.name, {})
    before, said = mine.get(number, ""), row.said(CRITERIA)
    if not (items(said) or {said: said}).keys() <= items(before).keys():
        mine[number] = f"{before}; {said}" if before else said


def _numbers(
    row: FilledRow, most: int, real: bool, tell: Any, about: Mapping[str, str]
) -> dict[str, float]:
    """The numbers of a row that can be used; each that cannot is told."""
    found: dict[str, float] = {}
    for name in _NUMBERED:
        said = row.said(name)
        if not said:
            continue
        value = number(said, name)
        wrong = wanted(name, value, most, real)
        if wrong is None and value is not None:
            found[name] = value
        else:
            tell("out_of_range", f"{name} {said!r}, expected {wrong}", **about)
    return found


def _require_panel(judge: Judge, row: FilledRow) -> None:
    said = row.said("panel").lower()
    if said in PANELS and said != judge.panel:
        raise DataError(
            f"{judge.name!r} is an {said}".replace("an novice", "a novice")
            + f" here and in the plan {judge.panel}: a judge is in one panel",
            file=row.file,
            where=row.line,
        )


def _round(judge: Judge, code: str) -> tuple[str, ...]:
    return next(one.passages for one in judge.rounds if code in one.passages)


def _differ(before: Rated, after: Rated) -> bool:
    return any(
        a is not None and b is not None and a != b
        for a, b in ((getattr(before, one), getattr(after, one)) for one in _NUMBERED)
    )


def _filled_up(after: Rated, before: Rated) -> Rated:
    """The later row, with what only the earlier has."""
    missing = {name: getattr(before, name) for name in _NUMBERED if getattr(after, name) is None}
    return replace(after, **missing)


def _both(before: Rated, after: Rated) -> str:
    changed = (
        f"{name} {spelt(getattr(before, name))} ({before.file}:{before.line}) and "
        f"{spelt(getattr(after, name))}"
        for name in _NUMBERED
        if getattr(before, name) is not None
        and getattr(after, name) is not None
        and getattr(before, name) != getattr(after, name)
    )
    return ", ".join(changed)


def _words(row: FilledRow) -> str:
    """What a row says of a passage; of one that says nothing, all that stands in it."""
    given = [f"{name} {row.said(name)}" for name in (*_NUMBERED, CRITERIA) if row.said(name)]
    if given:
        return ", ".join(given)
    told = ", ".join(f"{name} {said}" for name in row.cells if name and (said := row.said(name)))
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]} …"


def filled_cells(returned: Returned) -> dict[str, dict[str, dict[str, str]]]:
    """What judges gave so far, by judge and passage, as it goes back on a sheet."""
    return {
        judge: {code: dict(_cells(one)) for code, one in mine.items()}
        for judge, mine in returned.rated.items()
    }


def _cells(one: Rated) -> Iterator[tuple[str, str]]:
    for name in _NUMBERED:
        value = getattr(one, name)
        if value is not None:
            yield name, spelt(value)
