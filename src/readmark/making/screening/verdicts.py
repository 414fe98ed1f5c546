"""The verdict on every passage: the checks, people's decisions over them, and near-duplicates.

The test is read as a stream: once for the checks, and once for each file that its passages are
written to. Only the retained passages of a native file wait in a temporary file, as findings do.

Near-duplicates are sought last, among passages that nothing else discards: a passage is no copy of
one that was thrown away. Where people decided this is done twice: among what the rules keep, for
the rules' verdict, and among what rules and people keep, for the final one.
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
    """People's decisions on a passage, with its id and the checks that would discard it."""

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
        """Passages that the rules keep."""
        self._by_people: CopyPool | None = None
        """Passages that people keep, and of the rest those that the rules keep; None if nobody
        decided anything."""
        self.is_kept = bytearray()
        """1 for each passage that is kept, 0 for each that is discarded, by position."""
        self._decided: dict[int, _PeoplesDecision] = {}
        self._failures: Counter[tuple[str, ...]] = Counter()
        """How many passages these checks would discard, copies not counted yet."""
        self._questions = array("l")
        self._rules_copies: dict[int, CheckFinding] = {}
        """Copies among what the rules alone would keep."""
        self._copies: dict[int, CheckFinding] = {}
        """Copies among what rules and people keep."""
        self._votes = Votes(decisions.people)
        self._has_decisions = bool(decisions.people)
        if thresholds := self.settings.get(NEAR_DUPLICATES):
            self._sketcher = Sketcher(thresholds["resemblance"], int(thresholds["shingle"]))
            self._by_rules = files.enter_context(CopyPool(self._sketcher))
            if self._has_decisions:
                self._by_people = files.enter_context(CopyPool(self._sketcher))
        for name, thresholds in self.settings.items():
            self.result.checks[name] = CheckTally(_threshold(thresholds))

    def examine(self, workers: int, engine: str | Cluster, progress: WatchCount | None) -> None:
        """Check every passage, and write the rows of the report, which are final only later."""
        stream = examine_test(
            self.test, self._config, sketcher=self._sketcher, workers=workers, engine=engine
        )
        for records, batch_findings in stream:
            start = len(self.is_kept)
            is_passed = [not failed for failed in batch_findings.failed]
            self.is_kept.extend(is_passed)
            self._failures.update(batch_findings.failed)
            self._questions.extend(len(record.questions) for record in records)
            self._rows.write(batch_findings.rows)
            self._alternatives.write(batch_findings.alternatives)
            if self._by_rules is not None:
                self._by_rules.extend(
                    compress(count(start), is_passed), compress(batch_findings.sketches, is_passed)
                )
            if self._has_decisions:
                self._take_decisions(start, records, batch_findings)
            if self._lines is not None:
                self._lines.extend(records, self.is_kept[start:])
            if progress is not None:
                progress(len(self.is_kept), self.test.facts.records)
        if not self.is_kept:
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
                self.is_kept[index] = majority(decisions) != "discard"
            if self._by_people is not None and self.is_kept[index]:
                self._by_people.add(index, sketch, by_people=bool(decisions))

    def find_copies(self) -> None:
        """Discard the later of two near-duplicates among the passages that are kept so far."""
        if self._by_rules is not None:
            self._rules_copies = self._copies = self._by_rules.copies(self.test)
        if self._by_people is not None:
            self._copies = self._by_people.copies(self.test)
        for index in self._copies:
            # Of what people decided on, only what they keep is in the pool, and it stays.
            self.is_kept[index] = index in self._decided

    def decide(self) -> None:
        """Count the final verdicts."""
        result = self.result
        result.passages, result.kept = len(self.is_kept), self.is_kept.count(1)
        result.discarded = result.passages - result.kept
        result.questions_kept = sum(compress(self._questions, self.is_kept))
        result.questions_discarded = sum(self._questions) - result.questions_kept
        # Only passages that fail no other check are compared.
        self._failures[NEAR_DUPLICATES,] += len(self._rules_copies)
        for failed, passages in self._failures.items():
            for name in failed if passages else ():
                tally = result.checks.setdefault(name, CheckTally(None))
                tally.discarded += passages
                tally.alone += passages * (len(failed) == 1)
        for index, decided in self._decided.items():
            failed = _with_copies(index, decided.failed, self._rules_copies)
            rules_verdict: Verdict = "discard" if failed else "keep"
            verdict = majority(decided.decisions)
            self._votes.add(rules_verdict, verdict, decided.decisions)
            if verdict is None:
                result.undecided.append(decided.id)
            elif verdict != rules_verdict:
                result.overruled += 1
        result.people = self._votes.counts()
        result.agreement = self._votes.agreement()

    def part(self, verdict: Verdict) -> Test:
        """The test with the passages of one verdict."""

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, (place, record) in enumerate(self.test.stream(report)):
                if bool(self.is_kept[index]) == (verdict == "keep"):
                    yield place, record

        fields = {**self.test.header.fields, "screening": self._header_field(verdict)}
        header = msgspec.structs.replace(self.test.header, fields=fields)
        return replace(self.test, header=header, stream=stream)

    def _header_field(self, verdict: Verdict) -> dict[str, Any]:
        """The member ``screening`` of the header of a part."""
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
        if (earlier := self.test.header.fields.get("screening")) is not None:
            field["before"] = earlier
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
            # msgspec leaves out members that have their default; a file must say what it is.
            required = {"readmark": header.readmark, "file": header.file}
            stream.write(msgspec.json.encode({**required, **msgspec.to_builtins(header)}) + b"\n")
            changed = self._decided.keys() | self._copies.keys() | self._rules_copies.keys()
            self._rows.seek(0)
            if not changed:
                shutil.copyfileobj(self._rows, stream)
                return
            self._alternatives.seek(0)
            stored = zip(self._rows, self._alternatives, strict=True)
            for index, (line, alternative) in enumerate(stored):
                if index in changed:
                    row = self._final_row(index, row_of(line, alternative))
                    line = msgspec.json.encode(row) + b"\n"
                stream.write(line)

    def _final_row(self, index: int, row: ScreeningRow) -> ScreeningRow:
        """A row of the report with what people decided and the copies that were found."""
        is_kept = bool(self.is_kept[index])
        decided = self._decided.get(index)
        failed = _with_copies(index, row.reasons, self._rules_copies)
        by, reasons = self._who_and_why(index, row)
        checks = row.checks
        copy = self._copies.get(index) or self._rules_copies.get(index)
        if self._sketcher is not None and (copy or (row.reasons and not is_kept)):
            # The row of any other passage says already that it resembles none.
            checks = with_copy(checks, copy or not_compared(self._sketcher.threshold))
        return msgspec.structs.replace(
            row,
            verdict="keep" if is_kept else "discard",
            by=by,
            reasons=reasons,
            rules="discard" if failed else "keep",
            checks=checks,
            people=decided.decisions if decided is not None else (),
            quote=None if is_kept else row.quote,
        )

    def _who_and_why(self, index: int, row: ScreeningRow) -> tuple[By, tuple[str, ...]]:
        """Who decided on a passage, and for which reasons."""
        if decided := self._decided.get(index):
            verdict = majority(decided.decisions)
            reasons = tuple(
                f"{decision.person}: {decision.reason or decision.decision}"
                for decision in decided.decisions
                if verdict in (None, decision.decision)
            )
            return "tie" if verdict is None else "people", reasons
        copy = self._rules_copies.get(index)
        if self.is_kept[index] and copy is not None:
            return "people", (f"{NEAR_DUPLICATES} {copy.note}, which is discarded",)
        failed = _with_copies(index, row.reasons, self._copies)
        # The rules alone find no copy here: it is one of a passage that only people keep.
        is_copy_by_people = index in self._copies and copy is None
        return "people" if is_copy_by_people else "rules", failed


def _with_copies(
    index: int, failed: tuple[str, ...], copies: Mapping[int, CheckFinding]
) -> tuple[str, ...]:
    """The checks that discard a passage, the one on near-duplicates included."""
    return (*failed, NEAR_DUPLICATES) if index in copies else failed


def _threshold(settings: Mapping[str, float]) -> float | list[float]:
    """A check's threshold as the table of checks shows it: a bound, or the lower and upper one."""
    if "least" in settings:
        return [settings["least"], settings["most"]]
    return settings["most"] if "most" in settings else settings["resemblance"]
