"""What sections of the report are written with: the kinds of test use it, and plug-ins may.

A section gets `SectionData` and returns a `Part` of tables and figures (all on the door of
`readmark.reporting`). Its sentences are in English and Chinese: `phrase` takes them from the page's
table of strings, and `mark`, `interval` and `share` write numbers. Each candidate has a `Look`,
which its dots and lines on a `Canvas` share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.reporting.figures.canvas import COLOURS, WIDTH, Canvas, nice, ticks
    from readmark.reporting.figures.curves import CostPoint, cost_plot
    from readmark.reporting.figures.looks import PEOPLE, Look
    from readmark.reporting.page.answers import json_words
    from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
    from readmark.reporting.page.comparisons import WithPeople
    from readmark.reporting.page.isolation import isolated
    from readmark.reporting.page.layout import Cell, SideBySide, words_cell
    from readmark.reporting.page.metric_names import metric_words
    from readmark.reporting.page.nouns import counted, noun
    from readmark.reporting.page.numbers import interval, mark, share
    from readmark.reporting.page.sections import MarkedCandidate, Section
    from readmark.reporting.page.words import listed, named, phrase, phrase_html, value_words

__all__ = [
    "COLOURS",
    "PEOPLE",
    "WIDTH",
    "Bilingual",
    "Canvas",
    "Cell",
    "CostPoint",
    "Look",
    "MarkedCandidate",
    "Section",
    "SideBySide",
    "Text",
    "WithPeople",
    "clauses",
    "cost_plot",
    "counted",
    "interval",
    "isolated",
    "joined",
    "json_words",
    "listed",
    "mark",
    "metric_words",
    "named",
    "nice",
    "noun",
    "phrase",
    "phrase_html",
    "share",
    "ticks",
    "value_words",
    "words_cell",
]

__getattr__ = door(
    __name__,
    {
        "figures.canvas": "COLOURS WIDTH Canvas nice ticks",
        "figures.curves": "CostPoint cost_plot",
        "figures.looks": "Look PEOPLE",
        "page.answers": "json_words",
        "page.bilingual": "Bilingual Text clauses joined",
        "page.comparisons": "WithPeople",
        "page.isolation": "isolated",
        "page.layout": "Cell SideBySide words_cell",
        "page.metric_names": "metric_words",
        "page.nouns": "counted noun",
        "page.numbers": "interval mark share",
        "page.sections": "MarkedCandidate Section",
        "page.words": "listed named phrase phrase_html value_words",
    },
    room="readmark.reporting",
)
