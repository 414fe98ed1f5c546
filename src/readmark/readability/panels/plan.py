"""``readmark panel plan``: rounds for every judge, and what each of them gets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.csv_text import SheetCell
from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.new_folders import writing_folder
from readmark.core.numbers import decimal
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.formats.sheets import sheet_bytes
from readmark.readability.panels.rounds import EXPERT, PLAN, ROUND, PanelJudge, PanelPlan, make_plan

MOST = 1000
"""Judges of a panel that are numbered rather than named."""


@click.command("plan")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="FOLDER", help="Folder to write.", type=OUTPUT_FOLDER
)
@click.option(
    "--experts",
    default="3",
    metavar="N",
    help="Number of experts, or their names separated by commas",
)
@click.option(
    "--novices",
    default="5",
    metavar="N",
    help="Number of novices, or their names separated by commas",
)
@click.option("--round", "size", type=int, default=10, help="Passages per round")
@click.option(
    "--even",
    is_flag=True,
    help="Make round sizes differ by at most one, instead of having a smaller last round.",
)
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
def plan_command(
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Plan the rounds of a readability panel on TEST and write the judges' material.

    Every judge rates every passage once. The rounds are the same for all judges and balanced by
    genre and topic; their order, and the order of passages in them, differs for each judge.
    FOLDER gets plan.json and, for every judge, a page to read and a sheet to fill in. Pass the
    completed sheets to panel collect.
    """
    result = plan(test, output, format=from_format, split=split, **settings)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


@dataclass(frozen=True, slots=True)
class PlannedPanel(Result):
    """A plan, and the files that it was written to."""

    output: str
    plan: PanelPlan
    files: tuple[str, ...]
    doubts: tuple[str, ...]
    """What a panel of these judges cannot show."""
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Judges, rounds and balance; the plan itself last."""
        made = self.plan
        return {
            "output": self.output,
            "paper": made.paper,
            "seed": made.seed,
            "passages": len(made.passages),
            "rounds": [len(codes) for codes in made.rounds],
            "experts": [judge.name for judge in made.judges if judge.panel == EXPERT],
            "novices": [judge.name for judge in made.judges if judge.panel != EXPERT],
            "balance": made.balance,
            "doubts": self.doubts,
            "files": self.files,
            "plan": made,
        }

    def show(self, console: Console) -> None:
        """Judges and rounds, and what rounds have of every genre and topic."""
        made = self.plan
        experts = sum(judge.panel == EXPERT for judge in made.judges)
        sizes = Counter(len(codes) for codes in made.rounds)
        rounds = ", ".join(
            f"{counted(times, 'round')} of {size}"
            for size, times in sorted(sizes.items(), reverse=True)
        )
        console.print(
            f"{counted(len(made.passages), 'passage')} in {rounds}; {counted(experts, 'expert')}, "
            f"{counted(len(made.judges) - experts, 'novice')}, seed {made.seed}"
        )
        for name in ("genre", "topic"):
            label = {passage.code: getattr(passage, name) for passage in made.passages}
            table = plain_table(name, "passages", "fewest in a round", "most")
            for value, count in sorted(Counter(label.values()).items()):
                each = [sum(label[code] == value for code in codes) for codes in made.rounds]
                table.add_row(value, f"{count:,}", str(min(each)), str(max(each)))
            console.print(table)
        console.print(
            "furthest from its share of a round, in passages: "
            f"genre {decimal(made.balance.genre)}, "
            f"topic {decimal(made.balance.topic)} (always less than {made.balance.below})"
        )


def plan(
    test: str,
    folder: str,
    *,
    experts: str,
    novices: str,
    size: int = ROUND,
    even: bool = False,
    seed: int = 1,
    format: str | None = None,
    split: str | None = None,
) -> PlannedPanel:
    """Plan the rounds and write them; a panel is a number of judges, or their names."""
    source = open_test(test, format=format, split=split)
    made = make_plan(
        source,
        experts=_judge_names(experts, "e"),
        novices=_judge_names(novices, "n"),
        size=size,
        even=even,
        seed=seed,
    )
    files = tuple(write_plan(source, made, folder))
    doubts = tuple(_doubts(made))
    notes = [*doubts]
    if len(made.rounds[-1]) * 2 < size and not even:
        notes.append("the last round is smaller and is ranked as well: see --even")
    written = counted(len(files), "file")
    notes.append(f"{folder}: {written} written; when filled in: readmark panel collect")
    return PlannedPanel(folder, made, files, doubts, tuple(notes))


def _judge_names(text: str, letter: str) -> list[str]:
    """``3`` as e1, e2, e3; else names with commas between them."""
    if re.fullmatch(r"\s*-?\d+\s*", text):
        count = int(text)
        if not 0 <= count <= MOST:
            raise UsageError(f"{count} judges, expected 0 to {MOST}")
        return [f"{letter}{number}" for number in range(1, count + 1)]
    return [name.strip() for name in text.split(",") if name.strip()]


def _doubts(made: PanelPlan) -> list[str]:
    experts = sum(judge.panel == EXPERT for judge in made.judges)
    novices = len(made.judges) - experts
    doubts = []
    if experts < 2:
        doubts.append(
            "one expert: the gold is one person's opinion" if experts else "no expert: no gold"
        )
    if novices < 2:
        few = "one novice is" if novices else "no novice is"
        doubts.append(f"{few} not enough to tell how people differ")
    return doubts


# What a judge gets: a page to read with the instructions, and a sheet to fill in.


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

FilledRow = Mapping[str, str]
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

        put(PLAN, plan_text(plan))
        for judge in plan.judges:
            put(SHEET.format(judge.name), sheet(plan, judge, texts))
            put(PAGE.format(judge.name), page(plan, judge, texts))
    return written


def plan_text(plan: PanelPlan) -> str:
    """A plan as its file has it."""
    return msgspec.json.format(msgspec.json.encode(plan)).decode() + "\n"


def files_of(plan: PanelPlan) -> list[str]:
    """What the files of a plan are called."""
    made = [shape.format(judge.name) for judge in plan.judges for shape in (SHEET, PAGE)]
    return [PLAN, *made]


def write_remaining(
    test: Test,
    plan: PanelPlan,
    filled: Mapping[str, Mapping[str, FilledRow]],
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


def unfinished(judge: PanelJudge, filled: Mapping[str, FilledRow]) -> list[int]:
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
    filled: Mapping[str, FilledRow] | None = None,
    turns: Sequence[int] | None = None,
    more: Sequence[str] = (),
) -> bytes:
    """A judge's rows, to fill in with a spreadsheet; ``more`` are further columns at the end."""
    columns = (*COLUMNS, *((CRITERIA,) if judge.panel == EXPERT else ()), *more)
    made = _rows(plan, judge, texts, filled or {}, turns)
    rows = ([row.get(name) for name in columns] for row in made)
    return b"".join(sheet_bytes(SHEET.format(judge.name), columns, rows))


def _rows(
    plan: PanelPlan,
    judge: PanelJudge,
    texts: Mapping[str, str],
    filled: Mapping[str, FilledRow],
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
