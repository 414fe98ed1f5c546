"""A harness's log as a sitting, with its answers located in their passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from rich.console import Console

from readmark.core.binding import paper_members, part_sat
from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import Answer, Offsets, Unit
from readmark.core.sitting import PackedRows, Row, Sitting
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.harness_logs.inspect_ai import INSPECT_LOG
from readmark.formats.harness_logs.lm_eval import LmEvalLog
from readmark.formats.harness_logs.lm_eval_runs import LmEvalRun
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.text.answers.places import answer_places
from readmark.text.answers.sentences import passage_sentences


@dataclass(frozen=True, slots=True)
class ImportedLog(Result):
    """Counts of answers, of those located in their passage, and of errors; ids left out."""

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
) -> ImportedLog:
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
    for unit, row in _located_rows(test, sitting):
        units[unit.id] = None
        answers += row.error is None
        errors += row.error is not None
        placed += row.start is not None
        # A unit that was asked several times has a row for each reply.
        before = rows.get(unit.id, ())
        rows[unit.id] = (*(before if isinstance(before, tuple) else (before,)), row)
    unknown = tuple(id for id in sitting if id not in units)
    if not units:
        raise DataError(f"answers no question of {test.file}", file=log)
    header = msgspec.structs.replace(sitting.header, **paper_members(test))
    NATIVE_SITTING.write_sitting(replace(sitting, header=header, rows=rows), Path(target))
    notes = sitting.notes
    if unknown:
        notes = (*notes, f"{log}: {listed_ids(unknown)} are not in {test.file} and were left out")
    return ImportedLog(sitting.candidate, answers, placed, errors, unknown, notes)


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


def _located_rows(test: Test, sitting: Sitting) -> Iterator[tuple[Unit, Row]]:
    """The rows of the test's units, in its order, with the place of words that occur once."""
    for record in test.records():
        sentences = None
        for unit in test.kind.units(record):
            for row in sitting.of(unit.id):
                words = row.text
                places: Sequence[Offsets] = ()
                if test.kind.name == "comprehension" and not unit.item.options and words:
                    places = answer_places(record.text, Answer(text=words))
                # Where words occur twice, nobody knows which place is meant.
                if len(places) == 1 and record.text[slice(*places[0])] == row.text:
                    start, end = places[0]
                    sentences = sentences or list(passage_sentences(record, test.language))
                    containing = (span for span in sentences if span[0] <= start < span[1])
                    sentence = next(containing, None)
                    row = msgspec.structs.replace(row, start=start, end=end, sentence=sentence)
                yield unit, row
