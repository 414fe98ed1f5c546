"""The page: what was measured, as tables, and the cases on which tools differ."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from run import AREAS, CASES, Measured, differing, same, verdict_file, verdicts


def written(measured: Sequence[Measured], when: str) -> str:
    """The page as Markdown."""
    parts = [verdict_file()["head"].format(when=when)]
    missing = [
        f"{each.tool(name).title} ({result.missing})"
        for each in measured
        for name, result in each.results.items()
        if result.missing
    ]
    if missing:
        parts.append(f"Not installed in this run: {'; '.join(missing)}.\n")
    for each in measured:
        parts.append(f"## {AREAS[each.area]}\n\n{_note(each)}\n")
        parts.append(costs(each))
        parts.append(VALUES[each.area](each))
        parts.append(cases(each))
    return "\n".join(part for part in parts if part)


def _note(each: Measured) -> str:
    module = importlib.import_module(each.area)
    known = {"units": getattr(module, "UNITS", 0), "games": getattr(module, "GAMES", 0)}
    note: str = verdict_file()["notes"][each.area]
    return note.format(**known).strip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def costs(each: Measured) -> str:
    """Versions, licences, and what a tool takes as ratios to Readmark."""
    ours = each.ours
    rows = []
    for name, result in each.there.items():
        mine, theirs = common(ours.seconds, result.seconds)
        whole = (result.imported + theirs) / (ours.imported + mine)
        rows.append(
            [
                each.tool(name).title,
                result.version,
                result.licence,
                ratio(theirs, mine),
                f"{whole:.1f}",
                ratio(result.memory, ours.memory),
            ]
        )
    head = ["tool", "version", "licence", "time", "time with import", "memory"]
    absolute = (
        f"Readmark took {1000 * ours.total():,.0f} ms, {1000 * ours.imported:,.0f} ms to import, "
        f"and {ours.memory:,.0f} MB.\n"
    )
    return f"{table(head, rows)}\n{absolute}"


def common(ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[float, float]:
    """Seconds of the steps that both took."""
    both = [
        (task, step)
        for task, steps in theirs.items()
        for step in steps
        if step in ours.get(task, {})
    ]
    return sum(ours[task][step] for task, step in both), sum(
        theirs[task][step] for task, step in both
    )


def ratio(theirs: float, ours: float) -> str:
    """With two significant digits."""
    value = theirs / ours if ours else 0.0
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


# Values, area by area.


def _tasks(each: Measured) -> list[dict[str, Any]]:
    return [task for task in each.tasks if not task["name"].startswith(CASES)]


def answers(each: Measured) -> str:
    """Marks by task and tool, and how many questions differ."""
    names = [name for name in each.there if name != "readmark_mark"]
    rows, explained = [], []
    for task in _tasks(each):
        ours = each.ours.values[task["name"]]
        cells = [task["name"], _official(ours, task)]
        for name in names:
            values = each.results[name].values[task["name"]]
            places = differing(ours, values, each.tool(name).tolerance) if values else []
            cells.append(_marks(values, places if name != "readmark" else None))
            if places and "invented" not in task["name"]:
                explained.append(
                    [task["name"], each.tool(name).title, *_why(each, name, task, places)]
                )
        rows.append(cells)
    head = ["answers", "official", *(each.tool(name).title.partition(":")[0] for name in names)]
    return (
        f"EM and F1; in brackets the questions that differ from Readmark.\n\n{table(head, rows)}\n"
        "What the differing questions have, by the cases below (the first that fits):\n\n"
        f"{table(['answers', 'tool', 'differ', 'cases'], explained)}"
    )


def _marks(values: dict[str, Any], places: list[int] | None) -> str:
    if not values:
        return "–"
    em, f1 = (100 * fmean(values[name]) for name in ("em", "f1"))
    return f"{em:.2f}, {f1:.2f}" + (f" ({len(places)})" if places is not None else "")


def _official(ours: dict[str, Any], task: dict[str, Any]) -> str:
    if "official" not in task:
        return "–"
    return _marks(task["official"], differing(ours, task["official"], 1e-6))


def _why(each: Measured, name: str, task: dict[str, Any], places: list[int]) -> tuple[str, str]:
    text_of = importlib.import_module(each.area).text_of
    counts: dict[str, int] = {}
    for place in places:
        text = text_of(task["items"][place])
        fitting = (
            case["name"]
            for case in verdicts(each.area)
            if name in case["peers"] and "pattern" in case and re.search(case["pattern"], text)
        )
        case = next(fitting, "other")
        counts[case] = counts.get(case, 0) + 1
    listed = ", ".join(f"{case} {count}" for case, count in counts.items())
    return f"{len(places)} of {len(task['items'])}", listed


def by_measure(each: Measured) -> str:
    """A row for each measure: time as a ratio, and how many items differ."""
    measures = list(
        dict.fromkeys(name for task in _tasks(each) for name in each.ours.values[task["name"]])
    )
    names = [name for name in each.there if name != "readmark"]
    rows = []
    for measure in measures:
        cells = [f"`{measure}`"]
        for name in names:
            cells.append(_cell(each, name, measure))
        rows.append(cells)
    return "Time, and the items that differ.\n\n" + table(
        ["measure", *(each.tool(name).title.partition(",")[0] for name in names)], rows
    )


def _cell(each: Measured, name: str, measure: str) -> str:
    mine = theirs = 0.0
    differ = count = 0
    for task in _tasks(each):
        values = each.results[name].values[task["name"]].get(measure)
        if values is None:
            continue
        own = each.ours.values[task["name"]][measure]
        tolerance = each.tool(name).tolerance
        count += len(values)
        differ += sum(not same(a, b, tolerance) for a, b in zip(own, values, strict=True))
        mine += each.ours.seconds[task["name"]][measure]
        theirs += each.results[name].seconds[task["name"]][measure]
    return f"{ratio(theirs, mine)}; {differ} of {count:,}" if count else "–"


def formulas(each: Measured) -> str:
    """Means of each formula by set, and how far apart the values of a text are."""
    names = [name for name in each.there if name != "readmark"]
    rows = []
    for task in _tasks(each):
        for name in names:
            theirs, ours = (each.results[tool].values[task["name"]] for tool in (name, "readmark"))
            rows.append(
                [
                    task["name"],
                    *(_two(ours[column], values) for column, values in theirs.items()),
                ]
            )
    columns = list(each.ours.values[_tasks(each)[0]["name"]])
    head = ["texts", *(f"`{column}`" for column in columns)]
    return f"Readmark's mean, textstat's, and the mean distance.\n\n{table(head, rows)}"


def _two(ours: Sequence[float], theirs: Sequence[float]) -> str:
    apart = fmean(abs(own - other) for own, other in zip(ours, theirs, strict=True))
    return f"{fmean(ours):.1f}, {fmean(theirs):.1f}, {apart:.1f}"


def statements(each: Measured) -> str:
    """How many statements there are after the rules, by tool."""
    rows = [
        [
            each.tool(name).title,
            *(f"{result.values[task['name']]['statements'][0]:,.0f}" for task in _tasks(each)),
        ]
        for name, result in each.there.items()
    ]
    return table(["tool", *(f"statements, {task['name']}" for task in _tasks(each))], rows)


VALUES = {
    "answers": answers,
    "strings": by_measure,
    "labels": by_measure,
    "texts": formulas,
    "rules": statements,
}


# Cases.


def cases(each: Measured) -> str:
    """The verdicts of an area."""
    rows = [
        [
            f"**{case['name']}**",
            ", ".join(each.tool(name).package for name in case["peers"]),
            _example(case),
            _claim(case["ours"]),
            _claim(case["theirs"]),
            case["right"],
            case["why"],
        ]
        for case in verdicts(each.area)
    ]
    head = ["case", "peers", "example", "Readmark", "peers give", "right", "why"]
    return f"### Cases: {AREAS[each.area].lower()}\n\n{table(head, rows)}" if rows else ""


def _example(case: dict[str, Any]) -> str:
    if case["area"] == "answers":
        wanted = " or ".join(f"`{text}`" for text in case["references"]) or "(no answer)"
        answer = f"`{case['answer']}`" if case["answer"] else "(nothing)"
        return f"{wanted}; answered {answer}"
    if case["area"] == "strings":
        return f"`{case['measure']}`: `{case['a']}`, `{case['b']}`"
    if case["area"] == "labels":
        rows = " / ".join(" ".join(str(label or "–") for label in row) for row in case["panel"])
        return f"`{case['measure']}`: {rows}"
    return f"`{case['measure']}`: {case['text']}"


def _claim(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
