"""What a judge gets: a page to read with the instructions, and a sheet to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from readmark.core.csv_text import Cell
from readmark.core.errors import DataError
from readmark.core.folders import writing_folder
from readmark.core.test import Test
from readmark.formats.sheets import sheet_bytes
from readmark.readability.panels.rounds import EXPERT, PLAN, PanelJudge, PanelPlan

DEFINITION = (
    "a subjective judgment of how easily a reader can extract the information the writer or "
    "speaker intended to convey"
)
"""What readability is, in the words of the document."""
COLUMNS = ("judge", "round", "place", "id", "text", "stars", "rank", "seconds", "version")
CRITERIA = "criteria"
"""The column that only experts have."""
SHEET, PAGE = "{}.csv", "{}.html"
_WORDS = {"en": {"round": "Round {} of {}"}, "zh": {"round": "第 {} 轮，共 {} 轮"}}
_ITEM = re.compile(r"^- ", re.MULTILINE)

Filled = Mapping[str, str]
"""What is already in a row, by column."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A round as the page shows it: its number for this judge, and its passages."""

    turn: int
    passages: Sequence[tuple[str, str]]


def write_plan(test: Test, plan: PanelPlan, folder: str | Path) -> list[str]:
    """Write the plan, and a page and a sheet for every judge; the files."""
    texts = texts_by_code(test, plan)
    written: list[str] = []
    with writing_folder(folder) as write:

        def put(name: str, content: str | bytes) -> None:
            write(name, content)
            written.append(name)

        put(PLAN, msgspec.json.format(msgspec.json.encode(plan)).decode() + "\n")
        for judge in plan.judges:
            put(SHEET.format(judge.name), sheet(plan, judge, texts))
            put(PAGE.format(judge.name), page(plan, judge, texts))
    return written


def files_of(plan: PanelPlan) -> list[str]:
    """What the files of a plan are called."""
    made = [shape.format(judge.name) for judge in plan.judges for shape in (SHEET, PAGE)]
    return [PLAN, *made]


def write_remaining(
    test: Test,
    plan: PanelPlan,
    filled: Mapping[str, Mapping[str, Filled]],
    folder: str | Path,
) -> list[str]:
    """Write pages and sheets of the rounds that judges have not finished; the judges.

    ``filled`` has what a judge gave already, by judge and passage; rounds that are complete go.
    """
    texts = texts_by_code(test, plan)
    late = [judge for judge in plan.judges if unfinished(judge, filled.get(judge.name, {}))]
    with writing_folder(folder) as write:
        for judge in late:
            mine = filled.get(judge.name, {})
            turns = unfinished(judge, mine)
            write(SHEET.format(judge.name), sheet(plan, judge, texts, filled=mine, turns=turns))
            write(PAGE.format(judge.name), page(plan, judge, texts, turns=turns))
    return [panel_judge.name for panel_judge in late]


def unfinished(judge: PanelJudge, filled: Mapping[str, Filled]) -> list[int]:
    """The turns in which a passage has no stars yet, or no rank; one alone needs none."""
    return [
        turn
        for turn, round_ in enumerate(judge.rounds, 1)
        if any(
            not filled.get(code, {}).get(name)
            for code in round_.passages
            for name in ("stars", "rank")[: len(round_.passages)]
        )
    ]


def texts_by_code(test: Test, plan: PanelPlan) -> dict[str, str]:
    """The texts of a plan's passages."""
    codes = {passage.id: passage.code for passage in plan.passages}
    texts = {codes[record.id]: record.text for record in test.records() if record.id in codes}
    for planned in plan.passages:
        if planned.code not in texts:
            raise DataError(f"has no passage {planned.id!r}, which the plan has", file=test.file)
    return texts


def sheet(
    plan: PanelPlan,
    judge: PanelJudge,
    texts: Mapping[str, str],
    *,
    filled: Mapping[str, Filled] | None = None,
    turns: Sequence[int] | None = None,
) -> bytes:
    """A judge's rows, to fill in with a spreadsheet."""
    columns = (*COLUMNS, CRITERIA) if judge.panel == EXPERT else COLUMNS
    made = _rows(plan, judge, texts, filled or {}, turns)
    rows = ([row.get(name) for name in columns] for row in made)
    return b"".join(sheet_bytes(SHEET.format(judge.name), columns, rows))


def _rows(
    plan: PanelPlan,
    judge: PanelJudge,
    texts: Mapping[str, str],
    filled: Mapping[str, Filled],
    turns: Sequence[int] | None,
) -> Iterator[dict[str, Cell]]:
    versions = {passage.code: passage.version for passage in plan.passages}
    for turn, round_ in enumerate(judge.rounds, 1):
        if turns is not None and turn not in turns:
            continue
        for place, code in enumerate(round_.passages, 1):
            yield {
                "judge": judge.name,
                "round": turn,
                "place": place,
                "id": code,
                "text": texts[code],
                "version": versions[code],
                **filled.get(code, {}),
            }


def page(
    plan: PanelPlan,
    judge: PanelJudge,
    texts: Mapping[str, str],
    *,
    turns: Sequence[int] | None = None,
) -> str:
    """The instructions and a judge's passages, round by round, for any browser."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.readability.panels", "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = lambda text: text.split("`")
    first, *items = _ITEM.split(instructions(judge, plan.language))
    heading, _, introduction = first.partition("\n")
    last, _, closing = items[-1].partition("\n\n")
    shown = [
        _Turn(turn, [(code, texts[code]) for code in round_.passages])
        for turn, round_ in enumerate(judge.rounds, 1)
        if turns is None or turn in turns
    ]
    return environment.get_template("sheet.html").render(
        judge=judge.name,
        language=plan.language,
        words=_WORDS[_spoken(plan.language)],
        heading=heading.removeprefix("# "),
        introduction=introduction.strip(),
        items=[*(item.strip() for item in items[:-1]), last.strip()],
        closing=closing.strip(),
        rounds=shown,
        turns=len(judge.rounds),
    )


def instructions(judge: PanelJudge, language: str) -> str:
    """What to do, in the language of the test; experts also say what they went by."""
    data = files("readmark.readability.panels").joinpath("data")
    spoken = _spoken(language)
    criteria = data.joinpath(f"criteria.{spoken}.md").read_text("utf-8")
    text = data.joinpath(f"instructions.{spoken}.md").read_text("utf-8")
    return text.format(
        definition=DEFINITION,
        criteria=criteria if judge.panel == EXPERT else "",
        sheet=SHEET.format(judge.name),
    )


def _spoken(language: str) -> str:
    return "zh" if language == "zh" else "en"
