"""The pass: every passage through the checks, people's decisions over them, and what is kept.

The test is read as a stream, once for the checks and once for each file with its passages, but for
kept ones in a native file: these wait in a temporary file, as what was found does. Near-duplicates
are sought last, among what is kept otherwise: a passage is no copy of one that was thrown away.
That is done twice where people decided: among what the rules keep, for the rules' verdict, and
among what people leave, for the last word.
"""

from __future__ import annotations

import shutil
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import compress, count
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.core.outputs import writing_together
from readmark.core.problems import ReportProblem
from readmark.core.progress import WatchCount
from readmark.core.records import Passage
from readmark.core.streams import is_standard
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.native import header_line
from readmark.formats.passage_decisions import Decision, Decisions, Verdict, majority, write_form
from readmark.formats.registry import format_for, save_test
from readmark.making.screening.checks import (
    NEAR_DUPLICATES,
    Config,
    Settings,
    is_file,
    load_config,
)
from readmark.making.screening.examination import (
    BatchFindings,
    CopyPool,
    examined,
    not_compared,
    row_of,
    with_copy,
)
from readmark.making.screening.passages import CheckFinding
from readmark.making.screening.report import (
    By,
    CheckTally,
    ReportHeader,
    Screening,
    ScreeningRow,
    Votes,
)
from readmark.sitting import Cluster
from readmark.text.sketches import Sketcher

# Kept passages as lines of a native file, which wait for its header: that one counts them.


_BLOCK = 1 << 18


class RetainedLines:
    """The lines of what is kept so far, on disk; what is found to be a copy later is left out."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115
            prefix="readmark-", dir=folder, buffering=_BLOCK
        )
        self._taken = bytearray()

    def __enter__(self) -> RetainedLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def extend(self, records: Iterable[Passage], verdicts: Sequence[int]) -> None:
        """Take the next passages, of which some are kept."""
        self._file.writelines(map(json_line, compress(records, verdicts)))
        self._taken.extend(verdicts)

    def write(self, path: str | Path, header: Header, verdicts: bytearray) -> None:
        """Write the test; ``verdicts`` has 1 for each passage that is finally kept, by position."""
        with writing(path) as stream:
            stream.write(header_line(header))
            self._file.seek(0)
            if verdicts == self._taken:
                shutil.copyfileobj(self._file, stream, _BLOCK)
            else:
                stream.writelines(compress(self._file, compress(verdicts, self._taken)))


def screen(
    test: Test,
    output: str | Path,
    report: str | Path | None = None,
    *,
    profile: str | Path | None = None,
    decisions: Sequence[str | Path] = (),
    discarded: str | Path | None = None,
    form: str | Path | None = None,
    format: str | None = None,
    workers: int = 1,
    engine: str | Cluster = "local",
    progress: WatchCount | None = None,
) -> Screening:
    """Screen a test: retained passages to ``output``, a line for every passage to ``report``.

    ``profile`` applies the checks of one document, cmrc or smart, and no other; a TOML file changes
    these, or the built-in ones. ``decisions`` are files of people's decisions, and ``format`` is
    that of the retained and ``discarded`` passages, by default from their suffixes.
    ``engine`` is where the checks run: ``workers`` of this machine, or a Ray cluster.
    The report goes next to the output, unless that is standard output.
    No file is written unless all of them are.
    """
    if report is None and not is_standard(output):
        report = default_report(output)
    require_distinct_files(
        [output, report, discarded, form],
        [test.file, *decisions, profile if is_file(profile) else None],
    )
    checks = load_config(profile)
    formats = [
        format or (format_for(Path(path), test) if path is not None else "native")
        for path in (output, discarded)
    ]
    test.require_kind("comprehension")
    decided = Decisions(decisions)
    names = [path for path in (output, report, discarded, form) if path is not None]
    with (
        writing_together(names) as places,
        tempfile.TemporaryFile(prefix="readmark-") as rows,
        tempfile.TemporaryFile(prefix="readmark-") as alternatives,
        ExitStack() as files,
    ):
        place = dict(zip(names, places, strict=True))
        lines: RetainedLines | None = None
        if formats[0] == "native":
            own = place[output]  # next to the output, but for a device
            folder = own.parent if own != Path(output) else None
            lines = files.enter_context(RetainedLines(folder))
        work = _Pass(test, checks, decided, (rows, alternatives), lines, files)
        work.done.output, work.done.format = str(output), formats[0]
        work.done.report, work.done.discarded_file, work.done.form = report, discarded, form
        work.look(workers, engine, progress)
        decided.require_all_seen(test.file)
        work.compare()
        work.decide()
        parts: list[tuple[Verdict, str | Path | None]] = [("keep", output), ("discard", discarded)]
        for (verdict, path), written in zip(parts, formats, strict=True):
            if verdict == "keep" and lines is not None:
                lines.write(place[output], work.part(verdict).header, work.kept)
            elif path is not None:
                lost = save_test(work.part(verdict), place[path], format=written)
                work.done.lost += [f"{path}: {written}: {line}" for line in lost]
        if form is not None:
            write_form(place[form], ((record.id, record.text) for record in test.records()))
        if report is not None:
            work.write(place[report])
        return work.done


def default_report(output: str | Path) -> str:
    """Where the report goes by default: next to the output."""
    path = Path(output)
    name = path.name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return str(path.with_name(f"{name}.screening.jsonl"))


class _Decided(NamedTuple):
    """What people said of a passage, and the checks that would discard it."""

    id: str
    people: tuple[Decision, ...]
    failed: tuple[str, ...]


class _Pass:
    """What is known of every passage, by position: a byte each, and rows on disk."""

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
        self.done = Screening(language=test.language)
        self._config = config
        self._decisions = decisions
        self._rows, self._alternatives = rows
        self._lines = lines
        self._sketcher: Sketcher | None = None
        self._by_rules: CopyPool | None = None
        """What the rules keep."""
        self._by_people: CopyPool | None = None
        """What people keep, and of the rest what the rules do; where nobody decided it is none."""
        self.kept = bytearray()
        self._decided: dict[int, _Decided] = {}
        self._failures: Counter[tuple[str, ...]] = Counter()
        """How many passages these checks would discard, copies not counted yet."""
        self._questions = array("l")
        self._rules_copies: dict[int, CheckFinding] = {}
        self._copies: dict[int, CheckFinding] = {}
        """As the rules alone would have it, and as it is."""
        self._votes = Votes(people := decisions.people)
        self._deciding = bool(people)
        if same := self.settings.get(NEAR_DUPLICATES):
            self._sketcher = Sketcher(same["resemblance"], int(same["shingle"]))
            self._by_rules = files.enter_context(CopyPool(self._sketcher))
            if people:
                self._by_people = files.enter_context(CopyPool(self._sketcher))
        for name, thresholds in self.settings.items():
            self.done.checks[name] = CheckTally(_threshold(thresholds))

    def look(self, workers: int, engine: str | Cluster, progress: WatchCount | None) -> None:
        """Every passage through the checks; what was found waits on disk."""
        stream = examined(
            self.test, self._config, sketcher=self._sketcher, workers=workers, engine=engine
        )
        for records, batch_findings in stream:
            at = len(self.kept)
            kept = [not failed for failed in batch_findings.failed]
            self.kept.extend(kept)
            self._failures.update(batch_findings.failed)
            self._questions.extend(len(record.questions) for record in records)
            self._rows.write(batch_findings.rows)
            self._alternatives.write(batch_findings.alternatives)
            if self._by_rules is not None:
                self._by_rules.extend(
                    compress(count(at), kept), compress(batch_findings.sketches, kept)
                )
            if self._deciding:
                self._take_decisions(at, records, batch_findings)
            if self._lines is not None:
                self._lines.extend(records, self.kept[at:])
            if progress is not None:
                progress(len(self.kept), self.test.facts.records)
        if not self.kept:
            raise DataError("the test has no records", file=self.test.file)

    def _take_decisions(self, start: int, records: Sequence[Passage], found: BatchFindings) -> None:
        """What people decided on the passages of a batch."""
        batch = zip(records, found.failed, found.sketches, strict=True)
        for index, (record, failed, sketch) in enumerate(batch, start):
            if people := self._decisions.on(record.id, record.text):
                self._decided[index] = _Decided(record.id, people, failed)
                self.kept[index] = majority(people) != "discard"
            if self._by_people is not None and self.kept[index]:
                self._by_people.add(index, sketch, by_people=bool(people))

    def compare(self) -> None:
        """Near-duplicates among what is kept so far: the later of two goes."""
        if self._by_rules is not None:
            self._rules_copies = self._copies = self._by_rules.copies(self.test)
        if self._by_people is not None:
            self._copies = self._by_people.copies(self.test)
        for at in self._copies:
            self.kept[at] = at in self._decided  # what people keep stays

    def decide(self) -> None:
        """The last word on every passage, counted."""
        done = self.done
        done.passages, done.kept = len(self.kept), self.kept.count(1)
        done.discarded = done.passages - done.kept
        done.questions_kept = sum(compress(self._questions, self.kept))
        done.questions_discarded = sum(self._questions) - done.questions_kept
        # What is compared has failed no other check.
        self._failures[NEAR_DUPLICATES,] += len(self._rules_copies)
        for failed, passages in self._failures.items():
            for name in failed if passages else ():
                tally = done.checks.setdefault(name, CheckTally(None))
                tally.discarded += passages
                tally.alone += passages * (len(failed) == 1)
        for at, heard in self._decided.items():
            by_rules = _failed(at, heard.failed, self._rules_copies)
            voted = majority(heard.people)
            self._votes.add("discard" if by_rules else "keep", voted, heard.people)
            done.overruled += voted is not None and (voted == "keep") == bool(by_rules)
            if voted is None:
                done.undecided.append(heard.id)
        done.people = self._votes.counts()
        done.agreement = self._votes.agreement()

    def part(self, verdict: Verdict) -> Test:
        """The test with the passages of one verdict."""
        wanted = verdict == "keep"

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, (place, record) in enumerate(self.test.stream(report)):
                if bool(self.kept[index]) == wanted:
                    yield place, record

        fields = {**self.test.header.fields, "screening": self._about(verdict)}
        header = msgspec.structs.replace(self.test.header, fields=fields)
        return replace(self.test, header=header, stream=stream)

    def _about(self, verdict: Verdict) -> dict[str, Any]:
        """What a part's header says of the screening."""
        done = self.done
        about: dict[str, Any] = {
            "part": "kept" if verdict == "keep" else "discarded",
            "passages": done.passages,
            "kept": done.kept,
            "discarded": done.discarded,
            "config": self.settings,
        }
        if self._config.document is not None:
            about["profile"] = self._config.document
        if done.people:
            about |= {"people": done.people, "undecided": len(done.undecided)}
        if (before := self.test.header.fields.get("screening")) is not None:
            about["before"] = before
        return about

    def write(self, path: str | Path) -> None:
        """The report."""
        with writing(path) as stream:
            header = ReportHeader(
                source=self.test.header.name or Path(self.test.file).name,
                language=self.done.language,
                config=self.settings,
                passages=self.done.passages,
                kept=self.done.kept,
                discarded=self.done.discarded,
            )
            told = {"readmark": header.readmark, "file": header.file}
            stream.write(msgspec.json.encode({**told, **msgspec.to_builtins(header)}) + b"\n")
            changed = self._decided.keys() | self._copies.keys() | self._rules_copies.keys()
            if not changed:
                self._rows.seek(0)
                shutil.copyfileobj(self._rows, stream)
                return
            for index, (line, alternative) in enumerate(self._read()):
                if index in changed:
                    line = (
                        msgspec.json.encode(self._final(index, row_of(line, alternative))) + b"\n"
                    )
                stream.write(line)

    def _final(self, at: int, row: ScreeningRow) -> ScreeningRow:
        kept = bool(self.kept[at])
        heard = self._decided.get(at)
        by_rules = _failed(at, row.reasons, self._rules_copies)
        by, reasons = self._last_word(at, row)
        checks = row.checks
        copy = self._copies.get(at) or self._rules_copies.get(at)
        if self._sketcher is not None and (copy or (row.reasons and not kept)):
            # Of any other passage the check says already that it resembles none.
            checks = with_copy(checks, copy or not_compared(self._sketcher.threshold))
        return msgspec.structs.replace(
            row,
            verdict="keep" if kept else "discard",
            by=by,
            reasons=reasons,
            rules="discard" if by_rules else "keep",
            checks=checks,
            people=heard.people if heard is not None else (),
            quote=None if kept else row.quote,
        )

    def _last_word(self, at: int, row: ScreeningRow) -> tuple[By, tuple[str, ...]]:
        """Who decided, and why."""
        if heard := self._decided.get(at):
            voted = majority(heard.people)
            said = tuple(
                f"{person.person}: {person.reason or person.decision}"
                for person in heard.people
                if voted in (None, person.decision)
            )
            return "tie" if voted is None else "people", said
        kept, copy = self.kept[at], self._rules_copies.get(at)
        if kept and copy is not None:
            return "people", (f"{NEAR_DUPLICATES} {copy.note}, which is discarded",)
        only_now = at in self._copies and copy is None
        return "people" if only_now else "rules", _failed(at, row.reasons, self._copies)

    def _read(self) -> Iterator[tuple[bytes, bytes]]:
        self._rows.seek(0)
        self._alternatives.seek(0)
        yield from zip(self._rows, self._alternatives, strict=True)


def _failed(
    at: int, failed: tuple[str, ...], copies: Mapping[int, CheckFinding]
) -> tuple[str, ...]:
    """The checks that discard a passage, with that on copies."""
    return (*failed, NEAR_DUPLICATES) if at in copies else failed


def _threshold(settings: Mapping[str, float]) -> float | list[float]:
    """What a table of checks shows as a check's threshold."""
    if "least" in settings:
        return [settings["least"], settings["most"]]
    return settings["most"] if "most" in settings else settings["resemblance"]
