"""The runner: hands a candidate the paper, never the key, and journals every answer."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Unpack, overload

import msgspec
from rich.console import Console

from readmark.core.counts import seconds_left
from readmark.core.display import Result, counted
from readmark.core.progress import Tell
from readmark.core.settings import settings_of
from readmark.core.sitting import CUT_OFF, REFUSED, Row, Rows, Sitting
from readmark.core.spent import Spent
from readmark.core.traffic import one_purse
from readmark.formats.registry import TestInput, as_test
from readmark.hooks import hook
from readmark.sitting.candidates import (
    CandidateInput,
    begin_repeat,
    declared,
)
from readmark.sitting.cluster import as_cluster
from readmark.sitting.coverage import notes
from readmark.sitting.journal import MemoryJournal, PartedJournal, open_journal
from readmark.sitting.messages import Begin
from readmark.sitting.preparation import prepare_sitting
from readmark.sitting.requests import Ask, Passages, UnitCount, answers
from readmark.sitting.settings import SitFields, SitSettings
from readmark.sitting.transforms import build_transforms
from readmark.sitting.workers import AHEAD, Crew, Pipes, Pool

_REASONS = 3
"""How many kinds of errors are reported."""

Watch = Callable[["RunProgress"], None]


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a sitting is; ``before`` were answered in an earlier run."""

    total: int
    before: int
    answered: int
    errors: int
    seconds: float

    @property
    def rate(self) -> float:
        """Units a second in this run."""
        return (self.answered + self.errors) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left at this rate; None while that is too early to say."""
        done = self.answered + self.errors
        return seconds_left(done, self.total - self.before - done, self.rate)


@dataclass(frozen=True, repr=False)
class SatResult(Result):
    """What a run did that wrote a journal; `mark` takes it as it takes the journal's path."""

    progress: RunProgress
    candidate: str
    repaired: str | None
    errors: int
    """Error rows that remain."""
    unanswered: int
    """Units that the candidate gave no row for, or a reply without an answer."""
    refused: int = 0
    """Rows of this run in which a language model declined to answer."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, one per line."""
    spent: Spent = field(default_factory=Spent)
    """Tokens and money of this run, where the candidate counts them."""
    path: str = ""
    """The journal."""
    workers: int = 1
    """How many had the candidate."""

    def __fspath__(self) -> str:
        return self.path

    def as_json(self) -> dict[str, Any]:
        """The document that ``sit --json`` prints."""
        document = asdict(self)
        return {"sitting": document.pop("path"), **document, "spent": self.spent.as_json()}

    def show(self, console: Console) -> None:
        """Print who sat how many units, and what it took."""
        progress = self.progress
        without = self.errors + self.unanswered + self.refused
        parts = [f"{progress.total - progress.before - without:,} answered"]
        parts += [f"{self.refused:,} refused"] if self.refused else []
        parts += [f"{progress.before:,} before"] if progress.before else []
        parts += [counted(self.errors, "error")] if self.errors else []
        parts += [f"{self.unanswered:,} without an answer"] if self.unanswered else []
        units = counted(progress.total, "unit")
        said = f"{self.path}: {self.candidate} sat {units}: {', '.join(parts)}"
        console.print(said, soft_wrap=True)
        if self.spent.words:
            console.print(f"{self.path}: {self.spent.words}", soft_wrap=True)


@dataclass
class Remarks:
    """What is noticed in the rows of a run, for the notes at its end."""

    answered: int = 0
    errors: int = 0
    spent: Spent = field(default_factory=Spent)
    passages: Passages = field(default_factory=Passages)
    unscored: UnitCount = field(default_factory=UnitCount)
    refused: UnitCount = field(default_factory=UnitCount)
    cut_off: UnitCount = field(default_factory=UnitCount)
    without_answer: defaultdict[str, UnitCount] = field(
        default_factory=lambda: defaultdict(UnitCount)
    )
    """Replies without an answer, by what they gave as the reason."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Errors, by what they say."""

    def add(self, row: Row) -> None:
        """Take in the next row."""
        self.passages.look(row)
        self.spent = self.spent.with_row(row)
        if row.error is not None:
            self.errors += 1
            self.reasons[row.error] += 1
        else:
            self.answered += 1
        reason = row.no_answer_reason
        if reason == REFUSED:
            self.refused.add(row.id)
        elif reason is not None:
            self.without_answer[reason].add(row.id)
        elif isinstance(row.evidence, dict) and row.evidence.get("reason") == CUT_OFF:
            self.cut_off.add(row.id)

    def answers_lines(self) -> Iterator[str]:
        """What there is to know of the answers."""
        if self.refused.count:
            yield f"refusals, counted as unanswered: {self.refused}"
        for reason, ids in sorted(self.without_answer.items()):
            yield f"replies without an answer ({reason}), counted as unanswered: {ids}"
        if self.cut_off.count:
            yield f"replies cut off before their end: {self.cut_off}; max_tokens sets their length"
        if self.passages.astray.count:
            yield (
                f"offsets of {self.passages.astray} do not point at their answers; "
                "the answer's text was trusted"
            )
        if self.unscored.count:
            yield f"scores that are no finite number were left out: {self.unscored}"

    def error_lines(self) -> Iterator[str]:
        """Why there are error rows: the commonest reasons."""
        for reason, count in self.reasons.most_common(_REASONS):
            yield f"{counted(count, 'error')}: {reason}"
        if len(self.reasons) > _REASONS:
            yield f"and errors of {len(self.reasons) - _REASONS:,} other sorts"


@overload
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: None = None,
    settings: SitSettings | None = None,
    *,
    watch: Watch | None = None,
    tell: Tell | None = None,
    **fields: Unpack[SitFields],
) -> Sitting: ...
@overload
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path,
    settings: SitSettings | None = None,
    *,
    watch: Watch | None = None,
    tell: Tell | None = None,
    **fields: Unpack[SitFields],
) -> SatResult: ...
@one_purse()
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None = None,
    settings: SitSettings | None = None,
    *,
    watch: Watch | None = None,
    tell: Tell | None = None,
    **fields: Unpack[SitFields],
) -> SatResult | Sitting:
    """Let a candidate sit a test.

    ``candidate`` is a name such as ``"span"``, a candidate object, or any function of a unit that
    returns the answer: ``lambda unit: unit.item.text``. ``path`` is the journal to write; if it
    exists, the run resumes, and errors are tried again. A folder, there or named with a ``/`` at
    its end, gets a journal for each part of a test in parts. Without ``path`` the sitting is kept
    in memory and returned.

    ``settings`` say how; keyword arguments name its fields and win over it:

    ``workers`` is how many processes have the candidate, 1 unless given. ``engine="ray"`` starts
    them on a Ray cluster, as many as fit unless given, and a `Cluster` says on which.

    ``cross="en-zh"`` asks the parallel English ``questions`` on the Chinese passages of ``test``.
    ``rewrite="guided"`` asks the questions of a series as that rewriter gives them.
    ``shuffle_options`` is the seed of another order of options, and each repeat has its own.
    ``transforms`` are other paper transforms, such as a plug-in's, by name or as objects.
    ``traffic`` limits the requests of a candidate that uses a network. ``unit_timeout`` is how
    many seconds a candidate may take over a unit, which is an error row after that. ``name`` is
    what the candidate is called in tables.

    ``watch`` is called with the progress after each row, ``tell`` with messages before the first:
    what was repaired, and what is odd about answers from a file.
    """
    settings = settings_of(SitSettings, settings, fields)
    transforms = build_transforms(settings)
    test = as_test(test)
    cluster, repeats = as_cluster(settings.engine), settings.repeats
    workers, unit_timeout = settings.workers, settings.unit_timeout
    ready = prepare_sitting(test, candidate, path, settings, transforms=transforms)
    name, built, header, part = ready.name, ready.candidate, ready.header, ready.part
    remarks = Remarks()
    # With something left out, offsets may be of anything.
    has_offsets = not any(hook(transform, "hides_passages", False) for transform in transforms)
    passages = remarks.passages if has_offsets else None
    place = "<memory>" if path is None else path
    memory: Rows = {}
    with contextlib.ExitStack() as stack:
        begin = Begin(
            sys.path,
            name,
            test.kind.name,
            test.language,
            materials=dict(ready.run.materials),
            languages=ready.run.languages,
        )
        ahead = AHEAD
        if cluster is not None:
            connection = stack.enter_context(cluster.connect(tell or (lambda message: None)))
            room = connection.room()
            workers, ahead = workers or room, cluster.batch
            header = connection.checked(header, begin)
            begin = msgspec.structs.replace(begin, signature=header.signature)

        open_line = Pipes.open if cluster is None else connection.open_line
        pool = Pool(partial(open_line, begin))
        stack.callback(pool.end)

        def ask_all(repeat: int, asks: Iterable[Ask]) -> Iterator[Row]:
            if cluster is None and (workers or 1) == 1 and unit_timeout is None:
                begin_repeat(name, built, repeat)
                return answers(built, test.kind, asks, on_unscored=remarks.unscored.add)
            crew = Crew(
                pool,
                workers or 1,
                repeat=repeat,
                ahead=ahead,
                unit_timeout=unit_timeout,
                on_unscored=remarks.unscored.add,
            )
            return stack.enter_context(contextlib.closing(crew.answer(asks)))

        started = time.monotonic()
        journal = (
            MemoryJournal(memory)
            if path is None
            else stack.enter_context(open_journal(path, header, parts=test.parts))
        )
        expect = journal.expect if isinstance(journal, PartedJournal) else None
        done = journal.done
        ready.run.spent = done.spent
        opening = [f"{place}: {line}" for line in ready.opening]
        opening += [] if ready.earlier is None else notes(ready.earlier, test, part)
        for message in opening if done.repaired is None else (done.repaired, *opening):
            if tell is not None:
                tell(message)
        before = done.keep((id, index) for id in part.ids(test) for index in range(repeats))
        total = part.units * repeats

        def progress() -> RunProgress:
            seconds = time.monotonic() - started
            return RunProgress(total, before, remarks.answered, remarks.errors, seconds)

        for repeat in range(repeats):
            rows = ask_all(repeat, ready.asks(done, repeat, passages, expect))
            for transform in reversed(transforms):
                rows = transform.rows(rows)
            for row in rows:
                attempt = done.failed.get((row.id, repeat), 0) + 1
                journal.write(msgspec.structs.replace(row, repeat=repeat, attempt=attempt))
                remarks.add(row)
                if watch is not None:
                    watch(progress())
        closing = [
            *remarks.answers_lines(),
            *(note for one in transforms for note in hook(one, "closing_notes", tuple)()),
            *remarks.error_lines(),
            *declared(built, "closing_notes", list)(),
        ]
        lines = (*opening, *(f"{place}: {line}" for line in closing))
        if path is None:
            return Sitting(header, memory, notes=lines)
        failed = len(done.failed)
        silent = sum(ids.count for ids in remarks.without_answer.values())
        return SatResult(
            progress(),
            name,
            done.repaired,
            errors=failed,
            unanswered=total - before - remarks.answered - failed + silent,
            refused=remarks.refused.count,
            notes=lines,
            spent=remarks.spent.with_overhead(ready.run.overhead),
            path=str(path),
            workers=workers or 1,
        )
