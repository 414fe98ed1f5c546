"""``readmark set blind``: who answers what, and the material that each annotator gets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import json_line
from readmark.core.language import primary
from readmark.core.new_folders import writing_folder
from readmark.core.records import Passage, without_key
from readmark.core.splits import select_splits, without_hidden
from readmark.core.test import Test
from readmark.formats.native import header_line
from readmark.formats.registry import open_test
from readmark.formats.returned_work import answered_by, folded_name, require_name, twice
from readmark.formats.sheets import sheet_bytes

PROPOSER = "proposer"
"""The field of a question, key or passage that names who wrote the question."""


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


# Who answers what: every question by as many people as are wanted, nobody's own, loads even.


@dataclass(frozen=True, slots=True)
class BlindPlan:
    """The passages that each annotator answers; a passage's questions stay together."""

    passages: dict[str, tuple[str, ...]]
    questions: dict[str, int]
    """How many questions each annotator has."""
    each: int
    seed: int
    paper: str


def planned(test: Test, annotators: Sequence[str], *, each: int = 2, seed: int = 1) -> BlindPlan:
    """Deal the passages out; the order of the file does not matter.

    Nobody gets a passage of which they proposed or answered a question: they know its key.
    """
    names = _distinct(annotators)
    if each < 1:
        raise UsageError(f"a question is answered by one person or more, not {each}")
    if len(names) < each:
        raise UsageError(
            f"{counted(each, 'person is', 'people are')} to answer every question and "
            f"{counted(len(names), 'is', 'are')} named: "
            "--annotator NAME once a person, or a smaller --each"
        )
    if test.kind.name == "readability":
        raise UsageError(f"{test.file}: is a readability test; `readmark panel plan` hands it out")
    paper = (test.whole or test).facts.paper
    draw = random.Random(seed)
    asked = {
        record.id: (len(record.questions), set(map(folded_name, people_knowing(record))))
        for record in test.records()
        if record.questions
    }
    if not asked:
        raise DataError("the test has no questions", file=test.file)
    order = sorted(asked)
    draw.shuffle(order)
    order.sort(key=lambda id: -asked[id][0])  # large passages first, so that small ones even out
    load = dict.fromkeys(names, 0)
    dealt: dict[str, set[str]] = {name: set() for name in names}
    for id in order:
        count, knowing = asked[id]
        free = [name for name in names if folded_name(name) not in knowing]
        if len(free) < each:
            known = [name for name in names if name not in free]
            raise DataError(
                f"wanted: {counted(each, 'person', 'people')} who do not know its key, and "
                f"{len(free)} of {len(names)} {'is' if len(free) == 1 else 'are'} left: "
                f"{' and '.join(known)} proposed or answered a question of it",
                file=test.file,
                where=id,
            )
        draw.shuffle(free)
        for name in sorted(free, key=lambda one: load[one])[:each]:
            load[name] += count
            dealt[name].add(id)
    return BlindPlan(
        passages={name: tuple(sorted(ids)) for name, ids in dealt.items()},
        questions=load,
        each=each,
        seed=seed,
        paper=paper,
    )


def _distinct(annotators: Sequence[str]) -> list[str]:
    if not annotators:
        raise UsageError("no annotator is named: --annotator NAME, once per person")
    names = [require_name(name.strip(), "annotator", is_file=True) for name in annotators]
    if (pair := twice(names)) is not None:
        raise UsageError(
            f"two annotators are called {pair[0]!r}"
            if pair[0] == pair[1]
            else f"{pair[0]!r} and {pair[1]!r} differ in case alone, and files are called by them"
        )
    return names


def people_knowing(passage: Passage) -> list[str]:
    """Who has seen the key of a question of a passage: who wrote or answered it."""
    answered = (name for question in passage.questions for name in answered_by(question.key))
    return sorted({*proposers(passage), *answered})


def proposers(passage: Passage) -> list[str]:
    """Who wrote the questions of a passage."""
    holders = [passage.fields, *(question.fields for question in passage.questions)]
    holders += [question.key.fields for question in passage.questions if question.key is not None]
    named = (fields.get(PROPOSER) for fields in holders)
    return sorted({name for name in named if isinstance(name, str)})


# The page that an annotator reads: instructions, passages and questions, in any browser.


_WORDS = {
    "en": {"passage": "Passage {} of {}", "sheet": "Questions", "title": "Reading"},
    "zh": {"passage": "第 {} 篇，共 {} 篇", "sheet": "问题", "title": "阅读"},
}
_ITEM = re.compile(r"^- ", re.MULTILINE)


def reading_page(papers: Sequence[Passage], name: str, language: str, guide: str) -> str:
    """The passages that somebody reads, each with its questions under the ids of the sheet."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.making.blind", "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = lambda text: text.split("`")
    first, *items = _ITEM.split(guide)
    heading, _, introduction = first.partition("\n")
    return environment.get_template("page.html").render(
        papers=papers,
        name=name,
        language=language,
        words=_WORDS[_spoken(language)],
        heading=heading.removeprefix("# "),
        introduction=introduction.strip(),
        items=[item.strip() for item in items],
        primary=primary,
    )


def instructions(language: str, *, page: str, sheet: str) -> str:
    """What to do, in the language of the test."""
    data = files("readmark.making.blind").joinpath("data", f"instructions.{_spoken(language)}.md")
    return data.read_text(encoding="utf-8").format(page=page, sheet=sheet)


def _spoken(language: str) -> str:
    return "zh" if language == "zh" else "en"


COLUMNS = ("id", "question", "answer", "start", "note", "annotator", "version")
"""The columns of a sheet; ``version`` is that of the text of the passage that was read."""
PAPER, SHEET, PAGE, PLAN = "{}.paper.jsonl", "{}.answers.csv", "{}.html", "plan.json"


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
        idle = [name for name, ids in self.plan.passages.items() if not ids]
        without = [f"no sheet written, nothing to answer: {', '.join(idle)}"] if idle else []
        count = counted(len(self.files), "file")
        return (*without, f"{self.output}: {count} written; when filled in: readmark set merge")

    def as_json(self) -> dict[str, Any]:
        written = {"output": self.output, "files": self.files, "hidden": self.hidden}
        return {**written, **asdict(self.plan)}

    def show(self, console: Console) -> None:
        """How much each annotator answers."""
        for name, ids in self.plan.passages.items():
            questions = counted(self.plan.questions[name], "question")
            line = f"{name}: {questions} on {counted(len(ids), 'passage')}"
            console.print(line, soft_wrap=True)


def blind_answers(
    test: Test, annotators: Sequence[str], output: str, *, each: int = 2, seed: int = 1
) -> HandedOut:
    """Plan second and third answers, ``each`` people a question, and write the material.

    Hidden splits are handed to nobody, unless the test is one that was selected by its name.
    """
    test.require_kind("comprehension")
    shown, hidden = without_hidden(test, "for annotators")
    plan = planned(shown, annotators, each=each, seed=seed)
    return HandedOut(plan, output, hand_out(shown, plan, output), hidden)


def hand_out(test: Test, plan: BlindPlan, folder: str | Path) -> list[str]:
    """Write each annotator's page, paper, sheet and instructions, and the plan; the files."""
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
            guide = instructions(test.language, page=PAGE.format(name), sheet=SHEET.format(name))
            put(PAGE.format(name), reading_page(records, test.header.name, test.language, guide))
            put(
                PAPER.format(name),
                (header_line(header) + b"".join(map(json_line, records))).decode(),
            )
            sheet = SHEET.format(name)
            put(sheet, b"".join(sheet_bytes(sheet, COLUMNS, _rows(records, name))))
            put(f"{name}.md", guide)
        put(PLAN, msgspec.json.format(msgspec.json.encode(asdict(plan))).decode() + "\n")
    return written


def version_of(text: str) -> str:
    """Which text a passage has; the letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def _papers(test: Test, plan: BlindPlan) -> dict[str, list[Passage]]:
    """Each annotator's passages in the order of the test, which is read once."""
    dealt = {name: set(ids) for name, ids in plan.passages.items()}
    papers: dict[str, list[Passage]] = {name: [] for name in dealt}
    for record in test.records():
        shown = _blind(record)
        for name, ids in dealt.items():
            if record.id in ids:
                papers[name].append(shown)
    return papers


def _blind(record: Passage) -> Passage:
    """A passage without keys, and without the names of those who wrote the questions."""
    shown = without_key(record)
    questions = tuple(
        msgspec.structs.replace(question, fields=_unsigned(question.fields))
        for question in shown.questions
    )
    return msgspec.structs.replace(shown, questions=questions, fields=_unsigned(shown.fields))


def _unsigned(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name != PROPOSER}


def _rows(papers: list[Passage], name: str) -> Iterator[tuple[str, ...]]:
    for record in papers:
        version = version_of(record.text)
        for question in record.questions:
            yield question.id, question.text, "", "", "", name, version
