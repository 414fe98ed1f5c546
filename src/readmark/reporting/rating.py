"""Ratings in a terminal, and one rating explained: in words, and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Protocol

from rich.padding import Padding
from rich.text import Text

from readmark.models.rating.explaining import in_words
from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table


class Passage(Protocol):
    """What is shown of a rated passage."""

    @property
    def file(self) -> str: ...
    @property
    def rating(self) -> float | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def evidence(self) -> Any: ...


def print_ratings(rater: str, placed: Mapping[str, Passage], *, explain: bool = False) -> None:
    """A passage a row; with ``explain`` what moved each rating, below the table."""
    console = make_console()
    rated = sum(one.rating is not None for one in placed.values())
    console.print(f"{counted(rated, 'passage')} rated by {rater}", style="bold", highlight=False)
    table = plain_table("passage", "rating")
    for name, one in placed.items():
        table.add_row(name, ABSENT if one.rating is None else f"{one.rating:.2f}")
    console.print(table)
    console.print("1 is hardest and 5 easiest to read")
    notes = {_note(one) for one in placed.values()} - {None}
    for note in sorted(filter(None, notes)):
        console.print(note)
    for name, one in placed.items():
        if one.reason is not None:
            place = name if name in (one.file, Path(one.file).name) else f"{one.file}: {name}"
            console.print(f"{place}: no rating, {one.reason}", highlight=False)
        elif explain and one.rating is not None:
            console.print(f"\n{name}", style="bold", highlight=False)
            for line in in_words(one.rating, one.evidence or {}):
                console.print(Padding(Text(line), (0, 0, 0, 2)))


def explained_html(rater: str, placed: Mapping[str, Passage]) -> str:
    """One page: every rated passage with its picture and its words."""
    parts = []
    for name, one in placed.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        if one.rating is None:
            parts.append(f"<p>No rating: {escape(one.reason or '')}</p>")
            continue
        told = one.evidence or {}
        parts.append(explained_svg(name, one.rating, told))
        lines = "".join(f"<li>{escape(line)}</li>" for line in in_words(one.rating, told))
        parts.append(f"<ul>{lines}</ul>")
    title = escape(f"Ratings by {rater}")
    return _PAGE.format(title=title, body="\n".join(parts))


def explained_svg(name: str, rating: float, told: Mapping[str, Any]) -> str:
    """The parts of a rating as bars: what makes it easier to the right, harder to the left."""
    bars = _bars(told)
    reach = max([abs(points) for _, points in bars], default=0.0) or 1.0
    height = _TOP + _ROW * len(bars) + 14
    drawn = [
        f'<text x="{_LEFT}" y="18" class="head">{escape(_short(name, 60))}: {rating:.2f}</text>',
        f'<text x="{_AXIS - 8}" y="36" class="side" text-anchor="end">harder</text>',
        f'<text x="{_AXIS + 8}" y="36" class="side">easier</text>',
        f'<line x1="{_AXIS}" y1="40" x2="{_AXIS}" y2="{height - 6}" class="axis"/>',
    ]
    for at, (label, points) in enumerate(bars):
        y = _TOP + at * _ROW
        wide = abs(points) / reach * _REACH
        x = _AXIS if points >= 0 else _AXIS - wide
        sort = "easier" if points >= 0 else "harder"
        beyond, anchor = (x + wide + 4, "start") if points >= 0 else (x - 4, "end")
        drawn += [
            f'<text x="{_LEFT}" y="{y + 12}">{escape(_short(label, 62))}'
            f"<title>{escape(label)}</title></text>",
            f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_ROW - 6}" class="{sort}"/>',
            f'<text x="{beyond:.1f}" y="{y + 12}" text-anchor="{anchor}">{points:+.2f}</text>',
        ]
    about = escape(f"What moved the rating {rating:.2f} of {name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{about}">'
        f"<style>{_STYLE}</style>{''.join(drawn)}</svg>"
    )


_WIDTH, _LEFT, _AXIS, _REACH, _TOP, _ROW = 860, 10, 610, 150, 48, 22
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.head{font:bold 14px sans-serif}.side{fill:#666}"
    ".axis{stroke:#888}.easier{fill:#2a7f62}.harder{fill:#b3472f}"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>body{{font:15px/1.5 sans-serif;max-width:900px;margin:2em auto;padding:0 1em}}
svg{{max-width:100%;height:auto}}</style></head>
<body><h1>{title}</h1><p>1 is hardest and 5 easiest to read.</p>
{body}
</body></html>
"""


def _bars(told: Mapping[str, Any]) -> list[tuple[str, float]]:
    if "groups" not in told:
        return []
    bars = [(group["says"], group["points"]) for group in told["groups"]]
    if "words" in told:
        bars.append(("learned words", told["words"]["points"]))
    if "embedding" in told:
        bars.append(("its embedding", told["embedding"]))
    if abs(told["ends"]) >= 0.01:
        bars.append(("the ends of the scale", told["ends"]))
    return bars


def _note(one: Passage) -> str | None:
    told = one.evidence
    if not isinstance(told, Mapping) or "note" not in told:
        return None
    return f"{told.get('formula', 'the rating')} is {told['note']}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
