"""Marksheets for the tests of the report: a few passages, candidates of every sort."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=200, trials=400)
EMOJI = "The 🦊 and the 👩‍🚀 met at dusk. The fox wore a red scarf, the pilot a grey coat."


def harbour(**header: Any) -> Test:
    """Four passages, eight questions; levels, a genre, three people, emoji before the spans."""
    return comprehension(
        passage(
            "fox",
            asked(
                "fox-1", ("ann", "a red scarf"), ("ben", "red scarf"), level=1, text="What scarf?"
            ),
            asked("fox-2", ("ann", "at dusk"), ("ben", "dusk"), level=2, text="When?"),
            text=EMOJI,
            genre="tale",
            title="Fox",
        ),
        passage(
            "mill",
            asked(
                "mill-1", ("ann", "the river"), ("ben", "a river"), level=1, text="What drives it?"
            ),
            asked("mill-2", ("ann", "three"), ("ben", "three men"), level=2, text="How many?"),
            text="The mill is driven by the river. Three men work there.",
            genre="report",
            title="Mill",
        ),
        passage(
            "bees",
            asked("bees-1", ("ann", "thirty"), ("ben", "thirty hives"), level=1, text="How many?"),
            asked("bees-2", ("ann", "June"), ("ben", "in June"), level=2, text="When?"),
            text="Thirty hives stand on the hill; the honey is taken in June.",
            genre="report",
            title="Bees",
        ),
        passage(
            "dock",
            asked("dock-1", ("ann", "seven boats"), level=1, text="What lies there?"),
            asked("dock-2", ("ann", "nets"), ("ben", "the nets"), level=2, text="What is mended?"),
            text="Seven boats lie at the dock while the nets are mended.",
            genre="tale",
            title="Dock",
        ),
        **{"name": "harbour", "language": "en", "licence": "CC0-1.0", **header},
    )


GOOD = {
    "fox-1": "a red scarf",
    "fox-2": "dusk",
    "mill-1": "river",
    "mill-2": "three men",
    "bees-1": "thirty hives",
    "bees-2": "June",
    "dock-1": "boats",
    "dock-2": "nets",
}
POOR = {"fox-1": "the red coat", "fox-2": "at dusk", "mill-1": "three", "bees-1": "thirty"}


Said = str | Row | tuple[Row, ...]


def sitting(name: str, answers: Mapping[str, Said], **header: Any) -> Sitting:
    """A sitting of texts, or of whole rows, several for repeats."""
    rows: Rows = {
        id: Row(id=id, answer=said) if isinstance(said, str) else said
        for id, said in answers.items()
    }
    return Sitting(SittingHeader(candidate=name, **header), rows)


def sheet(folder: Path, test: Test, sat: Sitting, **options: Any) -> Path:
    """A marksheet in a folder, named after its candidate."""
    path = folder / f"{options.pop('name', sat.candidate)}.jsonl"
    readmark.mark(test, sat, **{"settings": FEW, "marksheet": path, **options})
    return path


def two_sheets(folder: Path) -> list[Path]:
    """A poor candidate, and a good one beside it."""
    test = harbour()
    return [
        sheet(folder, test, sitting("poor", POOR), by=["level"]),
        sheet(folder, test, sitting("good", GOOD), by=["level"]),
    ]
