"""What an annotator gets: the passages and questions without any key, a sheet, instructions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import msgspec

from readmark.corpus.fingerprint import text_id
from readmark.corpus.folders import writing_folder
from readmark.corpus.formats.lines import line
from readmark.corpus.formats.native import header_line
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, without_key
from readmark.setting.blind.planning import PROPOSER, Plan

COLUMNS = ("id", "question", "answer", "start", "note", "version")
"""The columns of a sheet; ``version`` tells which text of the passage was read."""
PAPER, SHEET = "{}.paper.jsonl", "{}.answers.csv"


def hand_out(test: Test, plan: Plan, folder: str | Path) -> list[str]:
    """Write each annotator's paper, sheet and instructions, and the plan; the files written."""
    written: list[str] = []
    with writing_folder(folder) as write:

        def put(name: str, text: str) -> None:
            write(name, text)
            written.append(name)

        for name, ids in plan.passages.items():
            papers = [_blind(record) for record in test.records() if record.id in ids]
            header = msgspec.structs.replace(test.header, hidden=(), fields={})
            put(PAPER.format(name), (header_line(header) + b"".join(map(line, papers))).decode())
            # Spreadsheets take a file for UTF-8 only when it begins with this mark.
            put(SHEET.format(name), "\ufeff" + _sheet(papers))
            put(f"{name}.md", _instructions(test.language, name))
        put("plan.json", msgspec.json.format(msgspec.json.encode(asdict(plan))).decode() + "\n")
    return written


def _blind(record: Passage) -> Passage:
    """A passage without keys, and without the names of those who wrote the questions."""
    shown = without_key(record)
    questions = tuple(
        msgspec.structs.replace(one, fields=_unsigned(one.fields)) for one in shown.questions
    )
    return msgspec.structs.replace(shown, questions=questions, fields=_unsigned(shown.fields))


def _unsigned(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name != PROPOSER}


def _sheet(papers: list[Passage]) -> str:
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(papers))
    return lines.getvalue()


def _rows(papers: list[Passage]) -> Iterator[tuple[str, ...]]:
    for record in papers:
        version = text_id(record.text)
        for question in record.questions:
            yield question.id, question.text, "", "", "", version


def _instructions(language: str, name: str) -> str:
    spoken = "zh" if language == "zh" else "en"
    data = files("readmark.setting.blind").joinpath("data", f"instructions.{spoken}.md")
    text = data.read_text(encoding="utf-8")
    return text.format(paper=PAPER.format(name), sheet=SHEET.format(name))
