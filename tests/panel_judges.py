"""A readability test in small, a plan for it, and judges who fill in their sheets."""

import csv
import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from readmark.core.test import Header, Test, in_memory
from readmark.readability.kind import RatedPassage
from readmark.readability.panels.judge_sheets import sheet, texts_by_code
from readmark.readability.panels.rounds import PanelPlan, make_plan

GENRES = ("newswire", "forum", "caption")
TOPICS = ("sports", "health")
WORDS = (
    "the",
    "river",
    "was",
    "near",
    "a",
    "bank",
    "and",
    "they",
    "would",
    "see",
    "what",
    "the",
    "old",
    "man",
    "had",
    "left",
    "there",
)

Row = dict[str, str]
Change = Callable[[list[Row]], None]


def prose(seed: int, length: int = 60) -> str:
    """Some words that read like English to the rules."""
    draw = random.Random(seed)
    return " ".join(draw.choice(WORDS) for _ in range(length)).capitalize() + "."


def passages(count: int = 20) -> list[RatedPassage]:
    """Passages of three genres and two topics."""
    return [
        RatedPassage(
            id=f"{GENRES[index % 3]}-{index}",
            text=prose(index),
            genre=GENRES[index % 3],
            topic=TOPICS[index % 2],
        )
        for index in range(count)
    ]


def panel_test(count: int = 20) -> Test:
    """A test that nobody has rated."""
    header = Header(kind="readability", name="small", language="en")
    return in_memory(header, passages(count))


def plan_of(count: int = 20, **settings: object) -> PanelPlan:
    """A plan for two experts and three novices, or what the settings say."""
    judges: dict[str, object] = {"experts": ["e1", "e2"], "novices": ["n1", "n2", "n3"]}
    return make_plan(panel_test(count), **{**judges, **settings})  # type: ignore[arg-type]


def rows_of(text: str) -> list[Row]:
    """The rows of a sheet."""
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def sheets(test: Test, plan: PanelPlan) -> Iterator[tuple[str, list[Row]]]:
    """Every judge's sheet as it is handed out."""
    texts = texts_by_code(test, plan)
    for judge in plan.judges:
        yield judge.name, rows_of(sheet(plan, judge, texts).decode())


def rate(rows: list[Row], *, shift: int = 0) -> None:
    """Fill in a sheet: stars by the passage's number, ranks that follow them, a fair pace."""
    for row in rows:
        row["stars"] = str(1 + (int(row["id"][1:]) + shift) % 5)
        row["seconds"] = "30"
    for number in {row["round"] for row in rows}:
        round_ = [row for row in rows if row["round"] == number]
        for rank, row in enumerate(sorted(round_, key=lambda row: -int(row["stars"])), 1):
            row["rank"] = str(rank)
        if "criteria" in round_[0]:
            round_[0]["criteria"] = "clear words; grammar"


def written(folder: Path, name: str, rows: list[Row]) -> str:
    """A sheet as a file."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def returned(
    folder: Path, test: Test, plan: PanelPlan, changes: dict[str, Change] | None = None
) -> list[str]:
    """Every judge's sheet filled in, with some changes by judge; the files."""
    files = []
    for index, (name, rows) in enumerate(sheets(test, plan)):
        rate(rows, shift=index % 2)
        if changes and name in changes:
            changes[name](rows)
        files.append(written(folder, name, rows))
    return files
