"""What a judge gets: a page with the instructions and the passages, and a sheet to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from readmark.core.csv_text import SheetCell
from readmark.core.errors import DataError
from readmark.core.new_folders import writing_folder
from readmark.core.test import Test
from readmark.formats.sheets import sheet_bytes
from readmark.readability.panels.rounds import EXPERT, PLAN, PanelJudge, PanelPlan

DEFINITION = (
    "a subjective judgment of how easily a reader can extract the information the writer or "
    "speaker intended to convey"
)
"""What readability is, in the words of the DARPA Machine Reading evaluation (section 2)."""
COLUMNS = ("judge", "round", "place", "id", "text", "stars", "rank", "seconds", "version")
CRITERIA = "criteria"
"""The column of experts alone: after each round they state what they went by (section 2.1)."""
SHEET, PAGE = "{}.csv", "{}.html"
_ROUND_HEADINGS = {"en": "Round {} of {}", "zh": "第 {} 轮，共 {} 轮"}
_ITEM = re.compile(r"^- ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _PageRound:
    """A round as a page shows it: its number for this judge, and codes and texts of passages."""

    turn: int
    passages: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Instructions:
    """The parts of the instructions."""

    heading: str
    introduction: str
    items: Sequence[str]
    closing: str

    @classmethod
    def parse(cls, markdown: str) -> _Instructions:
        """The parts of Markdown with a heading, a paragraph, a list and another paragraph."""
        first, *items = _ITEM.split(markdown)
        heading, _, introduction = first.partition("\n")
        *others, last = items
        last, _, closing = last.partition("\n\n")
        return cls(
            heading.removeprefix("# "),
            introduction.strip(),
            [item.strip() for item in (*others, last)],
            closing.strip(),
        )


def write_plan(test: Test, plan: PanelPlan, folder: str | Path) -> list[str]:
    """Write the plan, and a page and a sheet for every judge; return the names of the files."""
    texts = texts_by_code(test, plan)
    with writing_folder(folder) as write:
        write(PLAN, plan_text(plan))
        for judge in plan.judges:
            write(SHEET.format(judge.name), sheet(plan, judge, texts))
            write(PAGE.format(judge.name), page(plan, judge, texts))
    return files_of(plan)


def plan_text(plan: PanelPlan) -> str:
    """The content of a plan's file."""
    return msgspec.json.format(msgspec.json.encode(plan)).decode() + "\n"


def files_of(plan: PanelPlan) -> list[str]:
    """The names of a plan's files: the plan, and each judge's sheet and page."""
    return [PLAN, *(shape.format(judge.name) for judge in plan.judges for shape in (SHEET, PAGE))]


def write_remaining(
    test: Test,
    plan: PanelPlan,
    filled: Mapping[str, Mapping[str, Mapping[str, str]]],
    folder: str | Path,
) -> list[str]:
    """Write pages and sheets of the rounds that are not finished; return the judges' names.

    ``filled`` has the cells that judges have filled in, by judge, code and column. The new sheets
    have them too.
    """
    texts = texts_by_code(test, plan)
    late: list[str] = []
    with writing_folder(folder) as write:
        for judge in plan.judges:
            rows = filled.get(judge.name, {})
            if turns := unfinished(judge, rows):
                late.append(judge.name)
                write(SHEET.format(judge.name), sheet(plan, judge, texts, filled=rows, turns=turns))
                write(PAGE.format(judge.name), page(plan, judge, texts, turns=turns))
    return late


def unfinished(judge: PanelJudge, filled: Mapping[str, Mapping[str, str]]) -> list[int]:
    """The turns in which a passage has no stars or no rank; a single passage needs no rank."""
    turns: list[int] = []
    for turn, round_ in enumerate(judge.rounds, 1):
        required = ("stars", "rank") if len(round_.passages) > 1 else ("stars",)
        rows = [filled.get(code, {}) for code in round_.passages]
        if any(not row.get(column) for row in rows for column in required):
            turns.append(turn)
    return turns


def texts_by_code(test: Test, plan: PanelPlan) -> dict[str, str]:
    """The texts of a plan's passages, by the codes on the sheets."""
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
    filled: Mapping[str, Mapping[str, str]] | None = None,
    turns: Sequence[int] | None = None,
    more: Sequence[str] = (),
) -> bytes:
    """A judge's rows, to fill in with a spreadsheet; ``more`` are further columns at the end.

    Without ``turns`` it has all rounds; ``filled`` are cells that are filled in already.
    """
    columns = (*COLUMNS, *((CRITERIA,) if judge.panel == EXPERT else ()), *more)
    cells = _rows(plan, judge, texts, filled or {}, turns)
    rows = ([row.get(column) for column in columns] for row in cells)
    return b"".join(sheet_bytes(SHEET.format(judge.name), columns, rows))


def _rows(
    plan: PanelPlan,
    judge: PanelJudge,
    texts: Mapping[str, str],
    filled: Mapping[str, Mapping[str, str]],
    turns: Sequence[int] | None,
) -> Iterator[dict[str, SheetCell]]:
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
    # Every second part of a text with backticks is code.
    environment.filters["code_parts"] = lambda text: text.split("`")
    rounds = [
        _PageRound(turn, [(code, texts[code]) for code in round_.passages])
        for turn, round_ in enumerate(judge.rounds, 1)
        if turns is None or turn in turns
    ]
    return environment.get_template("sheet.html").render(
        judge=judge.name,
        language=plan.language,
        instructions=_Instructions.parse(instructions(judge, plan.language)),
        round_heading=_ROUND_HEADINGS[_spoken(plan.language)],
        rounds=rounds,
        turns=len(judge.rounds),
    )


def instructions(judge: PanelJudge, language: str) -> str:
    """What to do, in the language of the test; experts are also asked for their criteria."""
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
