"""``readmark set blind``: the material that each annotator gets, written to a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import json_line
from readmark.core.new_folders import writing_folder
from readmark.core.records import Passage, without_key
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Test
from readmark.formats.native import header_line
from readmark.formats.registry import open_test
from readmark.formats.sheets import sheet_bytes
from readmark.making.blind.page import instructions, reading_page
from readmark.making.blind.plan import PROPOSER, BlindPlan, planned

COLUMNS = ("id", "question", "answer", "start", "note", "annotator", "version")
"""The columns of a sheet; ``version`` is that of the text of the passage that was read."""
PAPER, SHEET, PAGE, PLAN = "{}.paper.jsonl", "{}.answers.csv", "{}.html", "plan.json"


@click.command("blind")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="Folder to write.", type=OUTPUT_FOLDER
)
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Name of an annotator (repeatable).",
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=2,
    help="Number of annotators who answer each question",
)
@options.seed_option
@click.option(
    "--split",
    "splits",
    multiple=True,
    metavar="NAME",
    help="Hand out only this split, hidden or not (repeatable)  [default: all but hidden ones]",
)
@options.from_option
@options.json_option
def blind_command(
    test: str,
    output: str,
    annotators: tuple[str, ...],
    splits: tuple[str, ...],
    from_format: str | None,
    as_json: bool,
    **draw: int,
) -> None:
    """Plan second and third answers to a TEST and write the annotators' material.

    Each annotator gets a page to read (HTML, without any key), a sheet to fill in (CSV) and
    instructions; the paper in the same folder is for programs. Passages are distributed evenly,
    so that every question is answered by --each people. Nobody gets a passage for which they
    proposed or answered a question. CMRC 2018 has three answers in its evaluation sets only: choose
    those with --split. Hidden splits are left out unless --split names them. Pass the completed
    sheets to set merge.
    """
    source = select_splits(open_test(test, format=from_format), splits)
    result = blind_answers(source, annotators, output, **draw)
    options.notify(result.hidden)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.closing)


@dataclass(frozen=True)
class HandedOut(Result):
    """The annotators' material that was written."""

    plan: BlindPlan
    output: str
    files: list[str]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not handed out, in words."""

    @property
    def closing(self) -> tuple[str, ...]:
        """Who gets nothing, and what to do next, for people."""
        count = counted(len(self.files), "file")
        next_step = f"{self.output}: {count} written; when filled in: readmark set merge"
        idle = [name for name, ids in self.plan.passages.items() if not ids]
        if not idle:
            return (next_step,)
        return f"no sheet written, nothing to answer: {', '.join(idle)}", next_step

    def as_json(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "files": self.files,
            "hidden": self.hidden,
            **asdict(self.plan),
        }

    def show(self, console: Console) -> None:
        """Print how much each annotator answers."""
        for name, ids in self.plan.passages.items():
            questions = counted(self.plan.questions[name], "question")
            line = f"{name}: {questions} on {counted(len(ids), 'passage')}"
            console.print(line, soft_wrap=True)


def blind_answers(
    test: Test, annotators: Sequence[str], output: str, *, each: int = 2, seed: int = 1
) -> HandedOut:
    """Plan second and third answers, ``each`` people a question, and write the material.

    Hidden splits are handed to nobody, unless ``test`` is such a split, selected by name.
    """
    test.require_kind("comprehension")
    visible, hidden = without_hidden(test, "for annotators")
    plan = planned(visible, annotators, each=each, seed=seed)
    return HandedOut(plan, output, hand_out(visible, plan, output), hidden)


def hand_out(test: Test, plan: BlindPlan, folder: str | Path) -> list[str]:
    """Write each annotator's page, paper, sheet and instructions, and the plan.

    The names of the files are returned.
    """
    papers = _papers(test, plan)
    header = msgspec.structs.replace(test.header, hidden=(), fields={})
    written: list[str] = []
    with writing_folder(folder) as write:

        def put(name: str, content: str | bytes) -> None:
            write(name, content)
            written.append(name)

        for name, records in papers.items():
            if not records:
                continue
            page, sheet = PAGE.format(name), SHEET.format(name)
            guide = instructions(test.language, page=page, sheet=sheet)
            put(page, reading_page(records, test.header.name, test.language, guide))
            paper = header_line(header) + b"".join(map(json_line, records))
            put(PAPER.format(name), paper.decode())
            put(sheet, b"".join(sheet_bytes(sheet, COLUMNS, _rows(records, name))))
            put(f"{name}.md", guide)
        put(PLAN, msgspec.json.format(msgspec.json.encode(asdict(plan))).decode() + "\n")
    return written


def version_of(text: str) -> str:
    """The version of a text; its letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def _papers(test: Test, plan: BlindPlan) -> dict[str, list[Passage]]:
    """Each annotator's passages in the order of the test, which is read once."""
    dealt = {name: set(ids) for name, ids in plan.passages.items()}
    papers: dict[str, list[Passage]] = {name: [] for name in dealt}
    for record in test.records():
        blind = _blind(record)
        for name, ids in dealt.items():
            if record.id in ids:
                papers[name].append(blind)
    return papers


def _blind(record: Passage) -> Passage:
    """A passage without keys, and without the names of those who wrote the questions."""
    keyless = without_key(record)
    questions = tuple(
        msgspec.structs.replace(question, fields=_without_proposer(question.fields))
        for question in keyless.questions
    )
    fields = _without_proposer(keyless.fields)
    return msgspec.structs.replace(keyless, questions=questions, fields=fields)


def _without_proposer(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name != PROPOSER}


def _rows(papers: list[Passage], name: str) -> Iterator[tuple[str, ...]]:
    for record in papers:
        version = version_of(record.text)
        for question in record.questions:
            yield question.id, question.text, "", "", "", name, version
