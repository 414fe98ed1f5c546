"""What an annotator gets: passages and questions without any key, a sheet, instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import msgspec

from readmark.corpus.fingerprint import text_id
from readmark.corpus.folders import writing_folder
from readmark.corpus.formats.lines import line
from readmark.corpus.formats.native import header_line
from readmark.corpus.rows import sheet_bytes
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, without_key
from readmark.setting.blind.planning import PROPOSER, Plan
from readmark.setting.blind.reading_page import instructions, reading_page

COLUMNS = ("id", "question", "answer", "start", "note", "annotator", "version")
"""The columns of a sheet; ``version`` tells which text of the passage was read."""
PAPER, SHEET, PAGE, PLAN = "{}.paper.jsonl", "{}.answers.csv", "{}.html", "plan.json"


def hand_out(test: Test, plan: Plan, folder: str | Path) -> list[str]:
    """Write each annotator's page, paper, sheet and instructions, and the plan; the files."""
    papers = _papers(test, plan)
    header = msgspec.structs.replace(test.header, hidden=(), fields={})
    written: list[str] = []
    with writing_folder(folder) as write:

        def put(name: str, content: str | bytes) -> None:
            write(name, content)
            written.append(name)

        for name, records in papers.items():
            told = instructions(test.language, page=PAGE.format(name), sheet=SHEET.format(name))
            put(PAGE.format(name), reading_page(records, test.header.name, test.language, told))
            put(PAPER.format(name), (header_line(header) + b"".join(map(line, records))).decode())
            sheet = SHEET.format(name)
            put(sheet, b"".join(sheet_bytes(sheet, COLUMNS, _rows(records, name))))
            put(f"{name}.md", told)
        put(PLAN, msgspec.json.format(msgspec.json.encode(asdict(plan))).decode() + "\n")
    return written


def version_of(text: str) -> str:
    """Which text a passage has; the letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def _papers(test: Test, plan: Plan) -> dict[str, list[Passage]]:
    """Each annotator's passages in the order of the test, which is read once."""
    people: dict[str, list[str]] = {}
    for name, ids in plan.passages.items():
        for id in ids:
            people.setdefault(id, []).append(name)
    papers: dict[str, list[Passage]] = {name: [] for name in plan.passages}
    for record in test.records():
        readers = people.get(record.id)
        if readers is not None:
            shown = _blind(record)
            for name in readers:
                papers[name].append(shown)
    return papers


def _blind(record: Passage) -> Passage:
    """A passage without keys, and without the names of those who wrote the questions."""
    shown = without_key(record)
    questions = tuple(
        msgspec.structs.replace(one, fields=_unsigned(one.fields)) for one in shown.questions
    )
    return msgspec.structs.replace(shown, questions=questions, fields=_unsigned(shown.fields))


def _unsigned(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name != PROPOSER}


def _rows(papers: list[Passage], name: str) -> Iterator[tuple[str, ...]]:
    for record in papers:
        version = version_of(record.text)
        for question in record.questions:
            yield question.id, question.text, "", "", "", name, version
