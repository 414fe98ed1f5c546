"""A stored board as it is read: rows chosen by filters; JSON, Markdown and CSV; history.

The layout is that of CMRC 2018's Table 2: a row for each system, people first, and a group of
columns for each split. Tables of slices are laid out like SMART's tables 2 and 3, turned round.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec

from readmark.core import numbers
from readmark.core.csv_text import Cell, csv_text
from readmark.core.display import ABSENT, markdown_table
from readmark.core.errors import UsageError
from readmark.core.numbers import p_value
from readmark.core.records import in_order
from readmark.core.seen import SeenPassages
from readmark.marking.people import PEOPLE
from readmark.server.boards.board import StoredBoard
from readmark.server.boards.release import REASONS
from readmark.server.hidden_marks import SIDES

Shown = Literal["systems", "teams", "all"]
Model = Literal["", "single", "ensemble"]
Phases = Literal["", "practice", "formal", "late"]
Baselines = Literal["", "no", "only"]
WHOLE = "all"
"""What a test without splits is called in files."""
HISTORY = "history"
HEADS = {"em": "EM", "f1": "F1"}
_DAY = 86_400.0
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class BoardFilter:
    """Which submissions a board shows, how they are grouped, and by which column they are sorted.

    The fields are those of a query string. Ranks are always those of the whole board.
    """

    show: Shown = "systems"
    """The best submission of each system, of each team, or all of them."""
    model: Model = ""
    phase: Phases = ""
    baselines: Baselines = ""
    team: str = ""
    since: str = ""
    until: str = ""
    """Days of arrival (UTC), both included."""
    sort: str = ""
    """Another column, as METRIC or METRIC@SPLIT; by default the board's own order."""
    table: str = ""
    """The field of the slices to show, or ``history``; by default the whole splits."""

    def selects(self, entry: Mapping[str, Any]) -> bool:
        """Whether a submission is shown."""
        is_baseline, received = entry["origin"] == "baseline", float(entry["received"])
        first = _day(self.since, "since") if self.since else 0.0
        last = _day(self.until, "until") + _DAY if self.until else float("inf")
        return (
            (not self.model or bool(entry["is_ensemble"]) == (self.model == "ensemble"))
            and (not self.phase or str(entry["phase"]) == self.phase)
            and (not self.baselines or is_baseline == (self.baselines == "only"))
            and self.team in ("", entry["team"])
            and first <= received < last
        )

    def query(self, **changed: str) -> str:
        """The query string of this filter with some fields changed; empty for the default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)} | changed
        own = {
            field.name: values[field.name]
            for field in fields(self)
            if values[field.name] != field.default
        }
        return f"?{urlencode(own)}" if own else ""


def _day(text: str, name: str) -> float:
    try:
        if _DATE.fullmatch(text):
            return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        pass
    raise UsageError(f"{name} is {text[:20]!r}, expected a day such as 2026-12-01")


@dataclass(frozen=True)
class BoardRow:
    """A submission on the board."""

    entry: Mapping[str, Any]
    rank: tuple[int, int] | None
    """The first and last rank that it may have; None if it is not its system's best."""
    next: Mapping[str, Any] | None
    """The comparison of the next row of the whole board with this one."""
    submissions: int
    """How many submissions of the system were marked."""
    by: Mapping[str, Any]
    """Slices by split."""

    def mark(self, split: str, metric: str) -> Mapping[str, Any] | None:
        """A released mark."""
        part = self.entry["splits"].get(split)
        marks = None if part is None else part["marks"]
        return None if marks is None else marks.get(metric)

    def withheld(self, split: str) -> str:
        """Why the marks of a split that was sat are not shown: a code of `REASONS`."""
        part = self.entry["splits"].get(split)
        return "" if part is None or part["marks"] is not None else part["withheld"]

    def seen(self, split: str) -> SeenPassages | None:
        """How many passages of a split the system learnt from, where it did."""
        seen = self.entry["splits"].get(split, {}).get("seen")
        return None if seen is None else msgspec.convert(seen, SeenPassages)

    def slice(self, split: str, field: str, value: str) -> Mapping[str, Any] | None:
        """The released marks of a slice."""
        parts: Mapping[str, Any] = self.by.get(split, {}).get(field, {})
        return parts.get(value)

    def as_json(self, field: str) -> dict[str, Any]:
        """The row as a program reads it, with the slices of one field."""
        splits = {}
        for name, part in self.entry["splits"].items():
            reason = {"reason": REASONS[part["withheld"]]} if part["marks"] is None else {}
            splits[name] = {**part, **reason, "by": self._slices(name, field)}
        return {
            **self.entry,
            "splits": splits,
            "submissions": self.submissions,
            "rank": self.rank,
            "next": self.next,
        }

    def _slices(self, split: str, field: str) -> dict[str, Any]:
        by = self.by.get(split, {})
        return {field: by[field]} if field in by else {}


@dataclass(frozen=True)
class BoardView:
    """The rows that a filter selects of a board, in order."""

    board: StoredBoard
    filter: BoardFilter
    rows: Sequence[BoardRow]

    @property
    def content(self) -> Mapping[str, Any]:
        """The stored board."""
        return self.board.content

    @property
    def splits(self) -> list[Mapping[str, Any]]:
        """The splits that anybody has marks on, or has sat."""
        people = self.content["people"]
        sat = {name for row in self.rows for name in row.entry["splits"]}
        sat.update(people["splits"] if people else ())
        return [split for split in self.content["splits"] if split["name"] in sat]

    @property
    def metrics(self) -> list[Mapping[str, Any]]:
        """The columns under each split."""
        return list(self.content["metrics"])

    @property
    def people(self) -> BoardRow | None:
        """People's row."""
        people = self.content["people"]
        if people is None:
            return None
        by = {name: part["by"] for name, part in people["splits"].items()}
        return BoardRow({"splits": people["splits"]}, None, None, 0, by)

    @property
    def teams(self) -> list[str]:
        """The teams of the whole board, by name."""
        return sorted({entry["team"] for entry in self.content["submissions"] if entry["team"]})

    @property
    def fields(self) -> list[str]:
        """The fields that there are slices of."""
        return list(self.content["fields"])

    def values(self, split: str, field: str) -> list[tuple[str, int]]:
        """The slices of a split that anybody has marks of, with their units."""
        rows = [*([self.people] if self.people else []), *self.rows]
        units: dict[str, int] = {}
        for row in rows:
            for value, part in row.by.get(split, {}).get(field, {}).items():
                units[value] = max(units.get(value, 0), part["units"])
        return [(value, units[value]) for value in sorted(units, key=in_order)]

    @property
    def has_seen(self) -> bool:
        """Whether any system that is shown learnt from the split that decides the order."""
        return any(row.seen(self.content["order"]["split"]) is not None for row in self.rows)

    def history(self) -> list[Mapping[str, Any]]:
        """Submissions of teams with a mark of the order, as they came; and the best so far."""
        order = self.content["order"]
        better: Callable[[Iterable[float]], float] = min if order["lower_is_better"] else max
        best: float | None = None
        points: list[Mapping[str, Any]] = []
        for entry in sorted(self.content["submissions"], key=lambda entry: entry["number"]):
            part = entry["splits"].get(order["split"], {})
            marks = part.get("marks") or {}
            score = marks.get(order["metric"], {}).get("score")
            if score is None or entry["origin"] == "baseline" or part.get("seen"):
                continue
            is_best = best is None or (score != best and better((score, best)) == score)
            best = score if best is None else better((score, best))
            points.append({"entry": entry, "score": score, "best": best, "is_best": is_best})
        return points

    # Files.

    def as_json(self, task: str) -> dict[str, Any]:
        """The document of the API."""
        content = self.content
        shown = (
            "kind",
            "metrics",
            "order",
            "alpha",
            "ladder",
            "smallest_slice",
            "splits",
            "fields",
        )
        history = [
            {
                "submission": point["entry"]["submission"],
                "received": point["entry"]["received"],
                **{name: point[name] for name in ("score", "best", "is_best")},
            }
            for point in self.history()
        ]
        return {
            "task": task,
            "version": self.board.number,
            "created": self.board.created,
            "address": f"/tasks/{task}/board/{self.board.number}",
            **{name: content[name] for name in shown},
            "people": None if self.people is None else self._people(),
            "rows": [row.as_json(self.filter.table) for row in self.rows],
            "history": history,
        }

    def _people(self) -> dict[str, Any]:
        chosen = self.filter.table
        splits = {
            name: {**part, "by": {chosen: part["by"][chosen]} if chosen in part["by"] else {}}
            for name, part in self.content["people"]["splits"].items()
        }
        return {"splits": splits}

    def as_markdown(self) -> str:
        """A pipe table in CMRC's layout, or of a field's slices; what is not there is a dash."""
        heads = ["rank", "system", "team", *(head for head, *_ in self._columns()), "p (next row)"]
        rows = []
        if self.people is not None:
            name = f"{' and '.join(self.people_words)}{self._methods()}"
            rows.append(["", name, "", *self._figures(self.people), ""])
        for row in self.rows:
            compared = row.next
            rows.append(
                [
                    rank_words(row.rank),
                    f"{row.entry['system']} ({model_words(row.entry)})",
                    row.entry["team"] or "",
                    *self._figures(row),
                    "" if compared is None else p_value(compared["p"]),
                ]
            )
        seen = [
            f"{row.entry['system']}: {split['name'] or WHOLE}: {words.words}"
            for row in self.rows
            for split in self.splits
            if (words := row.seen(split["name"])) is not None
        ]
        return markdown_table(heads, rows, words=3) + "".join(f"\n{line}\n" for line in seen)

    def as_csv(self) -> str:
        """Commas and every digit; what is not there is left empty."""
        heads = ["rank_first", "rank_last", "system", "team", "model", "origin", "phase"]
        heads += ["number", "received", "submissions"]
        for head, *_ in self._columns():
            heads += [head, f"{head} low", f"{head} high"]
        rows: list[list[Cell]] = []
        if self.people is not None:
            name = f"{' and '.join(self.people_words)}{self._methods()}"
            own: list[Cell] = [None, None, name, *[None] * 7]
            rows.append([*own, *self._numbers(self.people), None])
        for row in self.rows:
            entry = row.entry
            received = datetime.fromtimestamp(entry["received"], UTC)
            own = [*(row.rank or (None, None)), entry["system"], entry["team"]]
            own += [model_words(entry), entry["origin"], entry["phase"], entry["number"]]
            own += [received.strftime("%Y-%m-%dT%H:%M:%SZ"), row.submissions]
            p = None if row.next is None else row.next["p"]
            rows.append([*own, *self._numbers(row), p])
        return csv_text([*heads, "p next row"], rows)

    def _columns(self) -> Iterator[tuple[str, str, str, str]]:
        """The heads of the columns, with their splits, metrics and slices."""
        field = self.filter.table if self.filter.table in self.fields else ""
        for split in self.splits:
            slices = [value for value, _ in self.values(split["name"], field)] if field else [""]
            for value in slices:
                place = f"{split['name'] or WHOLE} {field} {value} " if field else ""
                for metric in self.metrics:
                    name = HEADS.get(metric["name"], metric["name"])
                    head = f"{place or (split['name'] or WHOLE) + ' '}{name}"
                    yield head, split["name"], metric["name"], value

    def _mark(self, row: BoardRow, split: str, metric: str, value: str) -> Mapping[str, Any] | None:
        if not value:
            return row.mark(split, metric)
        part = row.slice(split, self.filter.table, value)
        return None if part is None else part["marks"].get(metric)

    def _figures(self, row: BoardRow) -> list[str]:
        scales = {metric["name"]: metric["scale"] for metric in self.metrics}
        marks = [(self._mark(row, *place), place[1]) for _, *place in self._columns()]
        return [
            ABSENT if mark is None else numbers.mark(mark["score"], scales[metric])
            for mark, metric in marks
        ]

    def _numbers(self, row: BoardRow) -> Iterator[Cell]:
        for _, *place in self._columns():
            mark = self._mark(row, *place)
            yield from (None if mark is None else mark[side] for side in SIDES)

    @property
    def people_words(self) -> list[str]:
        """What the row above the systems is of: people, references, or both in several splits."""
        people = self.content["people"]["splits"].values()
        return list(dict.fromkeys(part.get("who", PEOPLE) for part in people))

    def _methods(self) -> str:
        people = self.content["people"]["splits"].values()
        methods = dict.fromkeys(part["method"] for part in people)
        return f" ({', '.join(methods)})"


def view_board(board: StoredBoard, chosen: BoardFilter | None = None) -> BoardView:
    """The rows of a board that a filter selects."""
    chosen = chosen or BoardFilter()
    known = {row["submission"]: row for row in board.content["rows"]}
    seen: set[Any] = set()
    rows = []
    for entry in board.content["submissions"]:
        if not chosen.selects(entry) or (key := _group(chosen, entry)) in seen:
            continue
        seen.add(key)
        row = known.get(entry["submission"], {"rank": None, "next": None, "by": {}})
        rank = None if row["rank"] is None else (row["rank"][0], row["rank"][1])
        count = row.get("submissions") or sum(
            _system(other) == _system(entry) for other in board.content["submissions"]
        )
        rows.append(BoardRow(entry, rank, row["next"], count, row["by"]))
    return BoardView(board, chosen, _sorted(board, rows, chosen.sort))


def _system(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry["team"], entry["system"], entry["is_ensemble"]


def _group(chosen: BoardFilter, entry: Mapping[str, Any]) -> Any:
    """What has one row."""
    if chosen.show == "all":
        return entry["submission"]
    if chosen.show == "teams" and entry["team"] is not None:
        return entry["team"]
    return _system(entry)


def _sorted(board: StoredBoard, rows: Sequence[BoardRow], column: str) -> list[BoardRow]:
    """The rows by another column, those without a mark there last; equal ones as they were."""
    if not column:
        return list(rows)
    metric, _, split = column.partition("@")
    metrics = [known["name"] for known in board.content["metrics"]]
    splits = [known["name"] for known in board.content["splits"]]
    if metric not in metrics or split not in splits:
        raise UsageError(f"there is no column {column[:60]!r}: expected METRIC@SPLIT")
    lower = next(known for known in board.content["metrics"] if known["name"] == metric)
    sign = 1.0 if lower["lower_is_better"] else -1.0

    def place(row: BoardRow) -> tuple[bool, float]:
        score = (row.mark(split, metric) or {}).get("score")
        return score is None, 0.0 if score is None else sign * score

    return sorted(rows, key=place)


def rank_words(rank: tuple[int, int] | None) -> str:
    """A rank, or the ranks that a tie shares."""
    if rank is None:
        return ABSENT
    first, last = rank
    return str(first) if first == last else f"{first}–{last}"


def model_words(entry: Mapping[str, Any]) -> str:
    """How CMRC's table names the two sorts of systems."""
    return "ensemble" if entry["is_ensemble"] else "single model"


# History as a plot.


@dataclass(frozen=True)
class HistoryPlot:
    """Places of a plot in pixels; the template draws it, as pages have no inline styles."""

    width: int
    height: int
    dots: Sequence[tuple[float, float]]
    path: str
    """The best mark so far, in steps."""
    ticks: Sequence[tuple[float, str]]
    """Heights of the rules, with their numbers."""
    first: float
    last: float
    """The moments at both ends."""
    people: float | None
    """The height of people's mark."""


def _round_values(low: float, high: float) -> list[tuple[float, str]]:
    """Two to five round numbers within a range, with how they are written."""
    size = math.floor(math.log10((high - low) / 2))
    for factor in (1, 2, 5, 10):
        step = factor * 10.0**size
        numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(numbers) <= 5:
            break
    digits = max(0, -size)
    return [(number * step, f"{number * step:.{digits}f}") for number in numbers]


def history_plot(view: BoardView, *, width: int = 720, height: int = 240) -> HistoryPlot | None:
    """The history of a board; None before there are two submissions."""
    points, order = view.history(), view.content["order"]
    if len(points) < 2:
        return None
    left, right, top, foot = 48, width - 12, 12, height - 12
    own = view.people.mark(order["split"], order["metric"]) if view.people else None
    people = None if own is None or own["score"] is None else float(own["score"])
    scale = next(each["scale"] for each in view.metrics if each["name"] == order["metric"])
    values = [float(point["score"]) for point in points] + ([] if people is None else [people])
    low, high = min(values), max(values)
    spare = (high - low or scale) * 0.08
    low, high = low - spare, high + spare
    moments = [float(point["entry"]["received"]) for point in points]
    first, last = min(moments), max(moments)

    def across(moment: float) -> float:
        return round(left + (right - left) * (moment - first) / ((last - first) or 1.0), 1)

    def up(value: float) -> float:
        return round(foot - (foot - top) * (value - low) / (high - low), 1)

    path = f"M {across(moments[0])} {up(points[0]['best'])}"
    for moment, point in zip(moments[1:], points[1:], strict=True):
        path += f" H {across(moment)} V {up(point['best'])}"
    return HistoryPlot(
        width,
        height,
        [(across(m), up(point["score"])) for m, point in zip(moments, points, strict=True)],
        f"{path} H {right}",
        [(up(value), text) for value, text in _round_values(low, high)],
        first,
        last,
        None if people is None else up(people),
    )
