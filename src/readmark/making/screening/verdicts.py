"""The verdict on every passage: the checks, people's decisions over them, and near-duplicates.

The test is read as a stream, once for the checks and once for each file with its passages, except
that retained passages of a native file wait in a temporary file, as their findings do.
Near-duplicates are sought last, among what is kept otherwise: a passage is no copy of one that was
thrown away. That is done twice where people decided: among what the rules keep, for the rules'
verdict, and among what people leave, for the last word.
"""

from __future__ import annotations

import shutil
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import compress, count
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from readmark.core.errors import DataError
from readmark.core.problems import ReportProblem
from readmark.core.progress import WatchCount
from readmark.core.records import Passage
from readmark.core.test import Placed, Test
from readmark.core.writing import writing
from readmark.formats.passage_decisions import Decision, Decisions, Verdict, majority
from readmark.making.screening.checks import NEAR_DUPLICATES
from readmark.making.screening.config import Config, Settings
from readmark.making.screening.copies import CopyPool
from readmark.making.screening.examination import BatchFindings, examine_test
from readmark.making.screening.findings import CheckFinding
from readmark.making.screening.report import (
    By,
    CheckTally,
    ReportHeader,
    Screening,
    ScreeningRow,
)
from readmark.making.screening.report_rows import not_compared, row_of, with_copy
from readmark.making.screening.retained_lines import RetainedLines
from readmark.making.screening.votes import Votes
from readmark.sitting import Cluster
from readmark.text.sketches import Sketcher


class _PeoplesDecision(NamedTuple):
    """People's decisions on a passage, and the checks that would discard it."""

    id: str
    decisions: tuple[Decision, ...]
    failed: tuple[str, ...]


class Verdicts:
    """The verdicts on passages by position: a byte each in memory, and rows on disk."""

    def __init__(
        self,
        test: Test,
        config: Config,
        decisions: Decisions,
        rows: tuple[IO[bytes], IO[bytes]],
        lines: RetainedLines | None,
        files: ExitStack,
    ) -> None:
        self.test = test
        self.settings: Settings = config.of(test.language, file=test.file)
        self.result = Screening(language=test.language)
        self._config = config
        self._decisions = decisions
        self._rows, self._alternatives = rows
        self._lines = lines
        self._sketcher: Sketcher | None = None
        self._by_rules: CopyPool | None = None
        """What the rules keep."""
        self._by_people: CopyPool | None = None
        """What people keep, and of the rest what the rules keep; None where nobody decided."""
        self.kept = bytearray()
        self._decided: dict[int, _PeoplesDecision] = {}
        self._failures: Counter[tuple[str, ...]] = Counter()
        """How many passages these checks would discard, copies not counted yet."""
        self._questions = array("l")
        self._rules_copies: dict[int, CheckFinding] = {}
        """Copies among what the rules alone would keep."""
        self._copies: dict[int, CheckFinding] = {}
        """Copies among what is kept by rules and people."""
        people = decisions.people
        self._votes = Votes(people)
        self._has_decisions = bool(people)
        if thresholds := self.settings.get(NEAR_DUPLICATES):
            self._sketcher = Sketcher(thresholds["resemblance"], int(thresholds["shingle"]))
            self._by_rules = files.enter_context(CopyPool(self._sketcher))
            if people:
                self._by_people = files.enter_context(CopyPool(self._sketcher))
        for name, thresholds in self.settings.items():
            self.result.checks[name] = CheckTally(_threshold(thresholds))

    def examine(self, workers: int, engine: str | Cluster, progress: WatchCount | None) -> None:
        """Every passage through the checks; their findings wait on disk."""
        stream = examine_test(
            self.test, self._config, sketcher=self._sketcher, workers=workers, engine=engine
        )
        for records, batch_findings in stream:
            start = len(self.kept)
            kept = [not failed for failed in batch_findings.failed]
            self.kept.extend(kept)
            self._failures.update(batch_findings.failed)
            self._questions.extend(len(record.questions) for record in records)
            self._rows.write(batch_findings.rows)
            self._alternatives.write(batch_findings.alternatives)
            if self._by_rules is not None:
                self._by_rules.extend(
                    compress(count(start), kept), compress(batch_findings.sketches, kept)
                )
            if self._has_decisions:
                self._take_decisions(start, records, batch_findings)
            if self._lines is not None:
                self._lines.extend(records, self.kept[start:])
            if progress is not None:
                progress(len(self.kept), self.test.facts.records)
        if not self.kept:
            raise DataError("the test has no records", file=self.test.file)

    def _take_decisions(
        self, start: int, records: Sequence[Passage], findings: BatchFindings
    ) -> None:
        """People's decisions on the passages of a batch."""
        batch = zip(records, findings.failed, findings.sketches, strict=True)
        for index, (record, failed, sketch) in enumerate(batch, start):
            decisions = self._decisions.on(record.id, record.text)
            if decisions:
                self._decided[index] = _PeoplesDecision(record.id, decisions, failed)
                self.kept[index] = majority(decisions) != "discard"
            if self._by_people is not None and self.kept[index]:
                self._by_people.add(index, sketch, by_people=bool(decisions))

    def find_copies(self) -> None:
        """Discard near-duplicates among what is kept so far: the later of two."""
        if self._by_rules is not None:
            self._rules_copies = self._copies = self._by_rules.copies(self.test)
        if self._by_people is not None:
            self._copies = self._by_people.copies(self.test)
        for index in self._copies:
            self.kept[index] = index in self._decided  # what people keep stays

    def decide(self) -> None:
        """Count the last word on every passage."""
        result = self.result
        result.passages, result.kept = len(self.kept), self.kept.count(1)
        result.discarded = result.passages - result.kept
        result.questions_kept = sum(compress(self._questions, self.kept))
        result.questions_discarded = sum(self._questions) - result.questions_kept
        # What is compared has failed no other check.
        self._failures[NEAR_DUPLICATES,] += len(self._rules_copies)
        for failed, passages in self._failures.items():
            for name in failed if passages else ():
                tally = result.checks.setdefault(name, CheckTally(None))
                tally.discarded += passages
                tally.alone += passages * (len(failed) == 1)
        for index, decided in self._decided.items():
            failed = _with_copies(index, decided.failed, self._rules_copies)
            verdict = majority(decided.decisions)
            self._votes.add("discard" if failed else "keep", verdict, decided.decisions)
            result.overruled += verdict is not None and (verdict == "keep") == bool(failed)
            if verdict is None:
                result.undecided.append(decided.id)
        result.people = self._votes.counts()
        result.agreement = self._votes.agreement()

    def part(self, verdict: Verdict) -> Test:
        """The test with the passages of one verdict."""
        is_kept = verdict == "keep"

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, (place, record) in enumerate(self.test.stream(report)):
                if bool(self.kept[index]) == is_kept:
                    yield place, record

        fields = {**self.test.header.fields, "screening": self._header_field(verdict)}
        header = msgspec.structs.replace(self.test.header, fields=fields)
        return replace(self.test, header=header, stream=stream)

    def _header_field(self, verdict: Verdict) -> dict[str, Any]:
        """What a part's header says of the screening."""
        result = self.result
        field: dict[str, Any] = {
            "part": "kept" if verdict == "keep" else "discarded",
            "passages": result.passages,
            "kept": result.kept,
            "discarded": result.discarded,
            "config": self.settings,
        }
        if self._config.document is not None:
            field["profile"] = self._config.document
        if result.people:
            field |= {"people": result.people, "undecided": len(result.undecided)}
        if (before := self.test.header.fields.get("screening")) is not None:
            field["before"] = before
        return field

    def write_report(self, path: str | Path) -> None:
        """A header, then a line for every passage."""
        with writing(path) as stream:
            header = ReportHeader(
                source=self.test.header.name or Path(self.test.file).name,
                language=self.result.language,
                config=self.settings,
                passages=self.result.passages,
                kept=self.result.kept,
                discarded=self.result.discarded,
            )
            # Members with their default are left out, and a file must say what it is.
            required = {"readmark": header.readmark, "file": header.file}
            stream.write(msgspec.json.encode({**required, **msgspec.to_builtins(header)}) + b"\n")
            changed = self._decided.keys() | self._copies.keys() | self._rules_copies.keys()
            if not changed:
                self._rows.seek(0)
                shutil.copyfileobj(self._rows, stream)
                return
            self._rows.seek(0)
            self._alternatives.seek(0)
            stored = zip(self._rows, self._alternatives, strict=True)
            for index, (line, alternative) in enumerate(stored):
                if index in changed:
                    row = self._final_row(index, row_of(line, alternative))
                    line = msgspec.json.encode(row) + b"\n"
                stream.write(line)

    def _final_row(self, index: int, row: ScreeningRow) -> ScreeningRow:
        kept = bool(self.kept[index])
        decided = self._decided.get(index)
        failed = _with_copies(index, row.reasons, self._rules_copies)
        by, reasons = self._last_word(index, row)
        checks = row.checks
        copy = self._copies.get(index) or self._rules_copies.get(index)
        if self._sketcher is not None and (copy or (row.reasons and not kept)):
            # For any other passage the check says already that it resembles none.
            checks = with_copy(checks, copy or not_compared(self._sketcher.threshold))
        return msgspec.structs.replace(
            row,
            verdict="keep" if kept else "discard",
            by=by,
            reasons=reasons,
            rules="discard" if failed else "keep",
            checks=checks,
            people=decided.decisions if decided is not None else (),
            quote=None if kept else row.quote,
        )

    def _last_word(self, index: int, row: ScreeningRow) -> tuple[By, tuple[str, ...]]:
        """Who decided, and why."""
        if decided := self._decided.get(index):
            verdict = majority(decided.decisions)
            reasons = tuple(
                f"{decision.person}: {decision.reason or decision.decision}"
                for decision in decided.decisions
                if verdict in (None, decision.decision)
            )
            return "tie" if verdict is None else "people", reasons
        copy = self._rules_copies.get(index)
        if self.kept[index] and copy is not None:
            return "people", (f"{NEAR_DUPLICATES} {copy.note}, which is discarded",)
        is_copy_by_people = index in self._copies and copy is None
        failed = _with_copies(index, row.reasons, self._copies)
        return "people" if is_copy_by_people else "rules", failed


def _with_copies(
    index: int, failed: tuple[str, ...], copies: Mapping[int, CheckFinding]
) -> tuple[str, ...]:
    """The checks that discard a passage, including that on near-duplicates."""
    return (*failed, NEAR_DUPLICATES) if index in copies else failed


def _threshold(settings: Mapping[str, float]) -> float | list[float]:
    """What the table of checks shows as a check's threshold."""
    if "least" in settings:
        return [settings["least"], settings["most"]]
    return settings["most"] if "most" in settings else settings["resemblance"]
