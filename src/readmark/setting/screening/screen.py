"""The pass: every passage through the checks, people's decisions over them, and what is kept.

The test is read as a stream, once for the checks and once for each file that is written; what was
found waits in a temporary file. Near-duplicates are sought last, among what is kept otherwise: a
passage is no copy of one that was thrown away. That is done twice where people decided: among what
the rules keep, for the rules' verdict, and among what people leave, for the last word.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import writing
from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats import save_test
from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Passage
from readmark.measures.sketches import Sketcher
from readmark.setting.screening import Finding, Verdict
from readmark.setting.screening.agreement import Votes
from readmark.setting.screening.checks import NEAR_DUPLICATES
from readmark.setting.screening.config import Config, Settings
from readmark.setting.screening.copies import Pool
from readmark.setting.screening.decisions import Decision, Decisions, majority
from readmark.setting.screening.examining import Examined, examined
from readmark.setting.screening.form import write_form
from readmark.setting.screening.report import (
    By,
    CheckTally,
    ReportHeader,
    Row,
    Screening,
    quote_of,
)
from readmark.setting.screening.together import together

Watch = Callable[[int], None]
"""Is told how many passages have been looked at."""
_NOT_COMPARED = "not compared: discarded already"


def screen(
    test: Test,
    output: str | Path,
    report: str | Path,
    *,
    config: Config,
    decisions: Decisions | None = None,
    discarded: str | Path | None = None,
    form: str | Path | None = None,
    formats: tuple[str, str] = ("native", "native"),
    workers: int = 1,
    watch: Watch | None = None,
) -> Screening:
    """Screen a test: kept passages to ``output``, a line for every passage to ``report``.

    ``formats`` are those of the kept and of the discarded passages. No file is written unless all
    of them are.
    """
    if test.header.kind != "comprehension":
        raise UsageError(f"{test.file} is a {test.header.kind} test; only passages are screened")
    decisions = decisions or Decisions()
    names = [one for one in (output, report, discarded, form) if one is not None]
    with (
        together(names) as places,
        tempfile.TemporaryFile(prefix="readmark-") as rows,
        ExitStack() as pools,
    ):
        place = dict(zip(names, places, strict=True))
        work = _Pass(test, config, decisions, rows, pools)
        work.look(workers, watch)
        decisions.require_all_seen(test.file)
        work.compare()
        work.decide()
        parts: list[tuple[Verdict, str | Path | None]] = [("keep", output), ("discard", discarded)]
        for (verdict, path), format in zip(parts, formats, strict=True):
            if path is not None:
                lost = save_test(work.part(verdict), place[path], format=format)
                work.done.lost += [f"{path}: {format}: {line}" for line in lost]
        if form is not None:
            write_form(place[form], work.judged())
        work.write(place[report])
        return work.done


class _Pass:
    """What is known of every passage, by position: a byte each, and rows on disk."""

    def __init__(
        self,
        test: Test,
        config: Config,
        decisions: Decisions,
        rows: IO[bytes],
        pools: ExitStack,
    ) -> None:
        self.test = test
        self.settings: Settings = config.of(test.language, file=test.file)
        self.done = Screening(language=test.language)
        self._config = config
        self._decisions = decisions
        self._rows = rows
        self._sketcher: Sketcher | None = None
        self._by_rules: Pool | None = None
        """What the rules keep."""
        self._by_people: Pool | None = None
        """What people keep, and of the rest what the rules do; where nobody decided it is none."""
        self._kept = bytearray()
        self._held: set[int] = set()
        """Passages that people keep, whatever the rules say."""
        self._questions = array("l")
        self._rules_copies: dict[int, Finding] = {}
        self._copies: dict[int, Finding] = {}
        """As the rules alone would have it, and as it is."""
        self._votes = Votes(decisions.people)
        if same := self.settings.get(NEAR_DUPLICATES):
            self._sketcher = Sketcher(same["resemblance"], int(same["shingle"]))
            self._by_rules = pools.enter_context(Pool(self._sketcher))
            if decisions.people:
                self._by_people = pools.enter_context(Pool(self._sketcher))
        for name, thresholds in self.settings.items():
            self.done.checks[name] = CheckTally(_threshold(thresholds))

    def look(self, workers: int, watch: Watch | None) -> None:
        """Every passage through the checks; what was found waits on disk."""
        stream = examined(self.test, self._config, sketcher=self._sketcher, workers=workers)
        for at, (record, found) in enumerate(stream):
            people = self._decisions.on(record.id, record.text)
            voted = majority(people)
            kept = (voted or ("keep" if people or not found.failed else "discard")) == "keep"
            self._kept.append(kept)
            if self._by_rules is not None and not found.failed:
                self._by_rules.add(at, found.sketch)
            if self._by_people is not None and kept:
                self._by_people.add(at, found.sketch, held=bool(people))
            if people and kept:
                self._held.add(at)
            self._store(record, people, found)
            if watch is not None:
                watch(at + 1)
        if not self._kept:
            raise DataError("the test has no records", file=self.test.file)

    def _store(self, record: Passage, people: tuple[Decision, ...], found: Examined) -> None:
        self._questions.append(len(record.questions))
        row = Row(
            id=record.id,
            version=text_id(record.text),
            verdict="keep",  # for now
            by="rules",
            rules="discard" if found.failed else "keep",
            reasons=found.failed,
            checks=msgspec.Raw(found.findings),
            people=people,
            article=record.article,
            title=record.title,
            quote=quote_of(record.text),
        )
        self._rows.write(msgspec.json.encode(row) + b"\n")

    def compare(self) -> None:
        """Near-duplicates among what is kept so far: the later of two goes."""
        if self._by_rules is not None:
            self._rules_copies = self._copies = self._by_rules.copies(self.test)
        if self._by_people is not None:
            self._copies = self._by_people.copies(self.test)
        for at in self._copies:
            self._kept[at] = at in self._held

    def decide(self) -> None:
        """The last word on every passage, counted."""
        for at, row in enumerate(self._read()):
            kept = bool(self._kept[at])
            self.done.passages += 1
            self.done.kept += kept
            self.done.discarded += not kept
            self.done.questions_kept += self._questions[at] * kept
            self.done.questions_discarded += self._questions[at] * (not kept)
            failed = self._failed(at, row, self._rules_copies)
            for name in failed:
                tally = self.done.checks.setdefault(name, CheckTally(None))
                tally.discarded += 1
                tally.alone += len(failed) == 1
            if row.people:
                voted = majority(row.people)
                self._votes.add("discard" if failed else "keep", voted, row.people)
                self.done.overruled += voted is not None and (voted == "keep") == bool(failed)
                if voted is None:
                    self.done.undecided.append(row.id)
        self.done.people = self._votes.counts()
        self.done.agreement = self._votes.agreement()

    def part(self, verdict: Verdict) -> Test:
        """The test with the passages of one verdict."""
        wanted = verdict == "keep"

        def stream(report: Report) -> Iterator[Placed]:
            for at, (place, record) in enumerate(self.test.stream(report)):
                if bool(self._kept[at]) == wanted:
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
            for at, row in enumerate(self._read()):
                stream.write(msgspec.json.encode(self._final(at, row)) + b"\n")

    def judged(self) -> Iterator[tuple[Row, str]]:
        """Every passage's row with its text."""
        for at, (row, record) in enumerate(zip(self._read(), self.test.records(), strict=True)):
            yield self._final(at, row), record.text

    def _final(self, at: int, row: Row) -> Row:
        kept = bool(self._kept[at])
        by_rules = self._failed(at, row, self._rules_copies)
        by, reasons = self._last_word(at, row)
        checks = row.checks
        copy = self._copies.get(at) or self._rules_copies.get(at)
        if self._sketcher is not None and (copy or (row.reasons and not kept)):
            # Of any other passage the check says already that it resembles none.
            findings = msgspec.json.decode(checks, type=dict[str, Finding])
            findings[NEAR_DUPLICATES] = copy or self._not_compared()
            checks = msgspec.Raw(msgspec.json.encode(findings))
        return msgspec.structs.replace(
            row,
            verdict="keep" if kept else "discard",
            by=by,
            reasons=reasons,
            rules="discard" if by_rules else "keep",
            checks=checks,
            quote=None if kept else row.quote,
        )

    def _last_word(self, at: int, row: Row) -> tuple[By, tuple[str, ...]]:
        """Who decided, and why."""
        if row.people:
            voted = majority(row.people)
            said = tuple(
                f"{one.person}: {one.reason or one.decision}"
                for one in row.people
                if voted in (None, one.decision)
            )
            return "tie" if voted is None else "people", said
        kept, copy = self._kept[at], self._rules_copies.get(at)
        if kept and copy is not None:
            return "people", (f"{NEAR_DUPLICATES} {copy.note}, which is discarded",)
        only_now = at in self._copies and copy is None
        return "people" if only_now else "rules", self._failed(at, row, self._copies)

    def _failed(self, at: int, row: Row, copies: Mapping[int, Finding]) -> tuple[str, ...]:
        return (*row.reasons, NEAR_DUPLICATES) if at in copies else row.reasons

    def _not_compared(self) -> Finding:
        threshold = self.settings[NEAR_DUPLICATES]["resemblance"]
        return Finding(value=None, threshold=threshold, verdict="keep", note=_NOT_COMPARED)

    def _read(self) -> Iterator[Row]:
        self._rows.seek(0)
        decoder = msgspec.json.Decoder(Row)
        for line in self._rows:
            yield decoder.decode(line)


def _threshold(settings: Mapping[str, float]) -> float | list[float]:
    """What a table of checks shows as a check's threshold."""
    if "least" in settings:
        return [settings["least"], settings["most"]]
    return settings["most"] if "most" in settings else settings["resemblance"]
