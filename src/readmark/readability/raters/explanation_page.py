"""A rating explained as a picture, and a page of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from readmark.core.numbers import decimal
from readmark.readability.raters.explanation import in_words

_WIDTH, _LEFT, _TOP = 860, 10, 48
_AXIS, _REACH = 610, 150
"""Where bars begin, and how long the longest is."""
_ROW = 22
_MOST_NAME, _MOST_LABEL = 60, 62
"""Characters that a heading and a label have room for."""
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


def explanation_page(rater: str, passages: Mapping[str, Any]) -> str:
    """A page of all passages, each with its picture and its words, or the reason for no rating."""
    parts = []
    for name, passage in passages.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        if passage.rating is None:
            parts.append(f"<p>No rating: {escape(passage.reason or '')}</p>")
            continue
        details = passage.evidence or {}
        parts.append(explanation_svg(name, passage.rating, details))
        lines = "".join(f"<li>{escape(line)}</li>" for line in in_words(passage.rating, details))
        parts.append(f"<ul>{lines}</ul>")
    return _PAGE.format(title=escape(f"Ratings by {rater}"), body="\n".join(parts))


def explanation_svg(name: str, rating: float, details: Mapping[str, Any]) -> str:
    """The parts of a rating as bars: what makes it easier to the right, harder to the left."""
    bars = _bars(details)
    reach = max([abs(points) for _, points in bars], default=0.0) or 1.0
    height = _TOP + _ROW * len(bars) + 14
    elements = [
        f'<text x="{_LEFT}" y="18" class="head">'
        f"{escape(_short(name, _MOST_NAME))}: {decimal(rating)}</text>",
        f'<text x="{_AXIS - 8}" y="36" class="side" text-anchor="end">harder</text>',
        f'<text x="{_AXIS + 8}" y="36" class="side">easier</text>',
        f'<line x1="{_AXIS}" y1="40" x2="{_AXIS}" y2="{height - 6}" class="axis"/>',
    ]
    for index, (label, points) in enumerate(bars):
        y = _TOP + index * _ROW
        width = abs(points) / reach * _REACH
        side = "easier" if points >= 0 else "harder"
        left = _AXIS if points >= 0 else _AXIS - width
        figure, anchor = (left + width + 4, "start") if points >= 0 else (left - 4, "end")
        elements += [
            f'<text x="{_LEFT}" y="{y + 12}">{escape(_short(label, _MOST_LABEL))}'
            f"<title>{escape(label)}</title></text>",
            f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 6}" '
            f'class="{side}"/>',
            f'<text x="{figure:.1f}" y="{y + 12}" text-anchor="{anchor}">'
            f"{decimal(points, signed=True)}</text>",
        ]
    description = escape(f"What moved the rating {decimal(rating)} of {name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{description}">'
        f"<style>{_STYLE}</style>{''.join(elements)}</svg>"
    )


def _bars(details: Mapping[str, Any]) -> list[tuple[str, float]]:
    if "groups" not in details:
        return []
    bars = [(group["says"], group["points"]) for group in details["groups"]]
    if "words" in details:
        bars.append(("learned words", details["words"]["points"]))
    if "embedding" in details:
        bars.append(("its embedding", details["embedding"]))
    if abs(details["ends"]) >= 0.01:
        bars.append(("the ends of the scale", details["ends"]))
    return bars


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
