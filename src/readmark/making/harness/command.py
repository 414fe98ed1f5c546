"""``readmark harness``: tests as tasks of evaluation harnesses, and their logs as sittings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, OUTPUT_FOLDER
from readmark.core.binding import paper_members, part_sat
from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import Answer, Offsets, Unit
from readmark.core.sitting import PackedRows, Row, Sitting
from readmark.core.source import Source
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.harness_logs.inspect_ai import INSPECT_LOG
from readmark.formats.harness_logs.lm_eval import LmEvalLog
from readmark.formats.harness_logs.lm_eval_runs import LmEvalRun
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.making.harness.tasks import Draw, Exported, exported, no_targets, write_task
from readmark.text.answers.places import answer_places
from readmark.text.answers.sentences import passage_sentences


@click.group("harness", cls=options.CheckedGroup)
def harness_command() -> None:
    """Export a test to an evaluation harness; import the harness's log as a sitting.

    `readmark mark TEST LOG` marks such a log directly; an import also locates the answers.
    """


@harness_command.command("export", short_help="Write a test as a task of a harness.")
@click.argument("test")
@click.option(
    "--to",
    "harness",
    required=True,
    type=click.Choice(["lm-eval", "inspect"]),
    help="Target harness: lm-evaluation-harness or Inspect AI.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Folder to write; it must not exist.",
    type=OUTPUT_FOLDER,
)
@click.option(
    "--prompt",
    metavar="FILE",
    help="File with a custom prompt  [default: the built-in prompt]",
)
@click.option(
    "--max-tokens", type=int, default=256, help="Maximum tokens per reply, including reasoning"
)
@click.option(
    "--shots",
    type=int,
    metavar="N",
    help="Number of worked examples before each question  [default: none]",
)
@click.option(
    "--shots-from",
    metavar="TEST2",
    help="Test to take the examples from; its passages must differ from TEST's.",
)
@options.seed_option
@click.option("--with-keys", is_flag=True, help="Also write the keys of hidden splits.")
@options.split_option
@options.from_option
@options.json_option
def export_command(
    test: str,
    harness: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **task: Any,
) -> None:
    """Write a TEST as a task of a harness, with its prompts and a page with the two commands.

    The harness prints its own scores; Readmark marks the same answers from the harness's log.
    Keys of hidden splits are omitted, so the harness counts those questions as wrong. Examples
    come from the train split of TEST2, or from all of it if it has no splits.
    """
    source = open_test(test, format=from_format, split=split)
    done = export_task(source, output, harness, **task)
    if as_json:
        options.print_result(done, as_json=True)
    else:
        options.notify(done.notes)


@dataclass(frozen=True, slots=True)
class ExportedTask(Result):
    """A task that was written."""

    output: str
    task: Exported
    files: list[str]

    def as_json(self) -> dict[str, Any]:
        task = self.task
        return {
            "output": self.output,
            "task": task.name,
            "paper": task.paper,
            "questions": len(task.questions),
            "options": task.choosing,
            "without_target": task.withheld,
            "shots": [example["id"] for example in task.examples],
            "files": self.files,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and how many questions have no target."""
        task = self.task
        questions = counted(len(task.questions), "question")
        written = f"{self.output} written: task {task.name}, {questions}"
        if not task.withheld:
            return (written,)
        return (f"{no_targets(task.withheld)}: the harness counts that as wrong", written)

    def show(self, console: Console) -> None:
        for line in self.notes:
            console.print(line)


def export_task(
    test: Test,
    output: str | Path,
    harness: str,
    *,
    prompt: str | None = None,
    max_tokens: int = 256,
    shots: int | None = None,
    shots_from: str | Path | None = None,
    seed: int = 1,
    with_keys: bool = False,
) -> ExportedTask:
    """Write a test as a task of a harness: ``lm-eval`` or ``inspect``.

    ``shots`` examples from the test ``shots_from`` come before each question, drawn by ``seed``.
    """
    if (shots is None) != (shots_from is None):
        raise UsageError("--shots N and --shots-from TEST2 go together")
    require_distinct_files([output], [test.file, prompt, shots_from])
    drawn = None
    if shots is not None and shots_from is not None:
        source, _ = without_hidden(open_test(shots_from), "for examples")
        drawn = Draw(source, shots, seed)
    task = exported(test, prompt=prompt or "", with_keys=with_keys, shots=drawn)
    return ExportedTask(str(output), task, write_task(task, output, harness, max_tokens=max_tokens))


@harness_command.command("import", short_help="Write a harness's log as a sitting of a test.")
@click.argument("log")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="SITTING", help="Sitting to write.", type=OUTPUT_FILE
)
@click.option(
    "--filter",
    "filter_name",
    metavar="NAME",
    help="Name of the lm-eval filter whose responses are imported  [default: the first in the log]",
)
@click.option("--raw", is_flag=True, help="Import the raw responses, before any filter.")
@options.split_option
@options.from_option
@options.json_option
def import_command(
    log: str,
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **responses: Any,
) -> None:
    """Write the LOG of a harness as a sitting of TEST, with answers located in their passages.

    LOG is a samples_*.jsonl of lm-evaluation-harness, or an .eval or .json of Inspect AI. A log
    of another version of the test is refused.
    """
    source = open_test(test, format=from_format, split=split)
    done = import_log(log, source, output, **responses)
    if as_json:
        options.print_result(done, as_json=True)
    else:
        options.notify((*done.notes, f"{output} written: {done}"))


@dataclass(frozen=True, slots=True)
class Imported(Result):
    """What was imported: answers, those located in their passage, errors, what was left out."""

    candidate: str
    answers: int
    placed: int
    errors: int
    unknown: tuple[str, ...]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.candidate}, {counted(self.answers, 'answer')} ({self.placed} placed), "
            f"{counted(self.errors, 'error')}"
        )

    def show(self, console: Console) -> None:
        console.print(str(self))


def import_log(
    log: str | Path,
    test: Test,
    target: str | Path,
    *,
    filter_name: str | None = None,
    raw: bool = False,
) -> Imported:
    """Write a harness's log as a sitting of a test; one of another paper is refused."""
    require_distinct_files([target], [log, test.file, LmEvalRun.beside(Path(log)).file])
    sitting = _read(Source(log), test, filter_name or "", raw)
    try:
        test = part_sat(test, [sitting])
    except DataError:
        raise DataError(
            f"is a log of another version of the test (paper {sitting.header.paper}, {test.file} "
            f"is {test.facts.paper})",
            file=log,
        ) from None
    rows = PackedRows()
    units: dict[str, None] = {}
    answers = placed = errors = 0
    for unit, row in _placed(test, sitting):
        units[unit.id] = None
        answers += row.error is None
        errors += row.error is not None
        placed += row.start is not None
        before = rows.get(unit.id, ())
        rows[unit.id] = (*(before if isinstance(before, tuple) else (before,)), row)
    unknown = tuple(id for id in sitting if id not in units)
    if not units:
        raise DataError(f"answers no question of {test.file}", file=log)
    header = msgspec.structs.replace(sitting.header, **paper_members(test))
    NATIVE_SITTING.write_sitting(replace(sitting, header=header, rows=rows), Path(target))
    left = (
        [f"{log}: {listed_ids(unknown)} are not in {test.file} and were left out"]
        if unknown
        else []
    )
    notes = (*sitting.notes, *left)
    return Imported(sitting.candidate, answers, placed, errors, unknown, notes)


def _read(source: Source, test: Test, filter_name: str, raw: bool) -> Sitting:
    lm_eval = LmEvalLog(filter=filter_name, raw=raw)
    if lm_eval.recognises(source):
        return lm_eval.read_sitting(source, test.kind)
    if filter_name or raw:
        raise UsageError(f"{source.file}: --filter and --raw are for lm-evaluation-harness's logs")
    if INSPECT_LOG.recognises(source):
        return INSPECT_LOG.read_sitting(source, test.kind)
    names = "samples_*.jsonl of lm-evaluation-harness, .eval or .json of Inspect AI"
    raise DataError(f"is not a log of a known format ({names})", file=source.file)


def _placed(test: Test, sitting: Sitting) -> Iterator[tuple[Unit, Row]]:
    """The rows of the test's units, in its order, with where their words occur if in one place."""
    for record in test.records():
        sentences = None
        for unit in test.kind.units(record):
            for row in sitting.of(unit.id):
                words = row.text
                places: Sequence[Offsets] = ()
                if test.kind.name == "comprehension" and not unit.item.options and words:
                    places = answer_places(record.text, Answer(text=words))
                # Of words that occur twice, nobody knows which place is meant.
                if len(places) == 1 and record.text[slice(*places[0])] == row.text:
                    start, end = places[0]
                    sentences = sentences or list(passage_sentences(record, test.language))
                    held = next((one for one in sentences if one[0] <= start < one[1]), None)
                    row = msgspec.structs.replace(row, start=start, end=end, sentence=held)
                yield unit, row
