"""How results look in a notebook: their tables and lines as HTML.

The front end's own colours are inherited and styles stand in the elements, so that a light theme,
a dark one and a viewer that removes style sheets all show the same.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich.style import Style
from rich.text import Text

from readmark.core.blocks import BlockConsole

_RULE = "1px solid color-mix(in srgb, currentColor 35%, transparent)"
_CELL = "padding:.25em .75em;vertical-align:top;border:0;background:none"
_STYLES = (
    ("bold", "font-weight:600"),
    ("dim", "opacity:.7"),
    ("underline", "text-decoration:underline"),
    ("reverse", "outline:1px solid currentColor;border-radius:2px"),
)


def html_console() -> BlockConsole:
    """A console that collects HTML."""
    return BlockConsole(html_table, html_line)


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """A table: the first columns hold words, the others numbers, aligned to the right."""
    head = "".join(_cell("th", text, index >= words) for index, text in enumerate(heads))
    body = "".join(
        f"<tr>{''.join(_cell('td', text, index >= words) for index, text in enumerate(row))}</tr>"
        for row in rows
    )
    # A wide table scrolls by itself instead of widening the page.
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;border:0;'
        'margin:.5em 0;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(tag: str, text: str, is_number: bool) -> str:
    style = f"{_CELL};text-align:{'right' if is_number else 'left'}"
    if tag == "th":
        style += f";border-bottom:{_RULE}"
    if is_number:
        style += ";white-space:nowrap"
    first, *more = text.split("\n")
    # What stands below a mark is its interval; below a word it is the rest of a broken name.
    dim = "opacity:.7;font-size:90%" if is_number else ""
    below = (f'<br><span style="{dim}">{html.escape(line)}</span>' for line in more)
    return f'<{tag} style="{style}">{html.escape(first)}{"".join(below)}</{tag}>'


def html_line(line: str | Text, *, is_dim: bool) -> str:
    """A paragraph; a terminal's bold, dimmed, underlined and reversed parts are marked in it."""
    text = line if isinstance(line, Text) else Text(line)
    if not text.plain.strip():
        return ""
    dim = ";opacity:.7;font-size:90%" if is_dim else ""
    return f'<p style="margin:.5em 0;white-space:pre-wrap{dim}">{_styled(text)}</p>'


def _styled(text: Text) -> str:
    parts = []
    edges = {0, len(text.plain), *(end for span in text.spans for end in (span.start, span.end))}
    ends = sorted(edge for edge in edges if edge <= len(text.plain))
    for start, end in pairwise(ends):
        styles = [span.style for span in text.spans if span.start <= start and end <= span.end]
        style = Style.combine(Style.parse(str(each)) for each in (text.style, *styles))
        css = ";".join(css for name, css in _STYLES if getattr(style, name))
        written = html.escape(text.plain[start:end])
        parts.append(f'<span style="{css}">{written}</span>' if css else written)
    return "".join(parts)
