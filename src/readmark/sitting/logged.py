"""Answers that were taken elsewhere, as a sitting of a test: bound to its paper, and placed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats.harness_logs.inspect_ai import INSPECT_LOG
from readmark.corpus.formats.harness_logs.lm_eval import LmEvalLog
from readmark.corpus.formats.harness_logs.lm_eval_results import Run
from readmark.corpus.formats.sittings import NATIVE_SITTING
from readmark.corpus.outputs import require_apart
from readmark.corpus.sitting import PackedRows, Row, Sitting
from readmark.corpus.source import Source
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Unit
from readmark.sitting.noted import some
from readmark.text.answer_places import answer_places
from readmark.text.answer_sentences import passage_sentences


@dataclass(frozen=True, slots=True)
class Imported:
    """What came over: answers, those that stand in their passage, errors, what was left out."""

    candidate: str
    answers: int
    placed: int
    errors: int
    unknown: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def words(self) -> str:
        """The counts in a line."""
        return f"{self.answers} answers ({self.placed} placed), {self.errors} errors"

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {name: getattr(self, name) for name in self.__slots__}


def import_log(
    log: str | Path, test: Test, target: str | Path, *, filter_name: str = "", raw: bool = False
) -> Imported:
    """Write a harness's log as a sitting of a test; one of another paper is refused."""
    require_apart([target], [log, test.file, Run.beside(Path(log)).file])
    sitting = _read(Source(log), test, filter_name, raw)
    paper = sitting.header.paper
    if paper not in (None, test.facts.paper):
        raise DataError(
            f"is a log of another version of the test (paper {paper}, {test.file} is "
            f"{test.facts.paper})",
            file=log,
        )
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
    header = msgspec.structs.replace(sitting.header, paper=test.facts.paper)
    NATIVE_SITTING.write_sitting(replace(sitting, header=header, rows=rows), Path(target))
    left = [f"{log}: {some(unknown)} are not in {test.file} and were left out"] if unknown else []
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
    raise DataError(f"is no log that is known ({names})", file=source.file)


def _placed(test: Test, sitting: Sitting) -> Iterator[tuple[Unit, Row]]:
    """The rows of the test's units, in its order, with where their words stand if in one place."""
    for record in test.records():
        sentences = None
        for unit in test.kind.units(record):
            for row in sitting.of(unit.id):
                if test.kind.name != "comprehension" or unit.item.options or not row.words("text"):
                    yield unit, row
                    continue
                places = answer_places(record.text, Answer(text=row.words("text")))
                # Words that stand there twice were said of nobody knows which of the two.
                if len(places) != 1 or record.text[slice(*places[0])] != row.text:
                    yield unit, row
                    continue
                at = places[0]
                sentences = sentences or list(passage_sentences(record, test.language))
                held = next((one for one in sentences if one[0] <= at[0] < one[1]), None)
                yield (
                    unit,
                    msgspec.structs.replace(row, start=at[0], end=at[1], sentence=held),
                )
