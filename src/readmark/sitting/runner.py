"""The runner: hands a candidate the paper, never the key, and journals every answer."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import msgspec
from rich.console import Console

from readmark.core.counts import seconds_left
from readmark.core.display import Result, counted
from readmark.core.sitting import CUT_OFF, REFUSED, Row, Rows, Sitting, Spent
from readmark.core.test import Test
from readmark.core.traffic import Traffic
from readmark.formats.registry import TestInput, as_test
from readmark.hooks import PaperTransform, hook
from readmark.sitting.candidates import (
    CandidateInput,
    begin_repeat,
    declared,
)
from readmark.sitting.cluster import Cluster, as_cluster
from readmark.sitting.coverage import notes
from readmark.sitting.journal import MemoryJournal, PartedJournal, open_journal
from readmark.sitting.messages import Begin
from readmark.sitting.preparation import prepare_sitting
from readmark.sitting.requests import Ask, Noted, Passages, answers
from readmark.sitting.transforms import build_transforms, named_transforms
from readmark.sitting.workers import AHEAD, Crew, Pipes, Pool

_REASONS = 3
"""How many kinds of errors are reported."""

Watch = Callable[["Progress"], None]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Progress:
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

    progress: Progress
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


class SitOptions(TypedDict, total=False):
    """The options of `sit`; all of them may be left out."""

    workers: int | None
    engine: str | Cluster
    unit_timeout: float | None
    limit: int | None
    repeats: int
    without: str | None
    cross: str | None
    questions: TestInput | None
    rewrite: str | None
    shuffle_options: int | None
    transforms: Sequence[str | PaperTransform]
    traffic: Traffic | None
    watch: Watch | None
    tell: Tell | None


@overload
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: None = None,
    **options: Unpack[SitOptions],
) -> Sitting: ...
@overload
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path,
    **options: Unpack[SitOptions],
) -> SatResult: ...
def sit(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None = None,
    *,
    workers: int | None = None,
    engine: str | Cluster = "local",
    unit_timeout: float | None = None,
    limit: int | None = None,
    repeats: int = 1,
    without: str | None = None,
    cross: str | None = None,
    questions: TestInput | None = None,
    rewrite: str | None = None,
    shuffle_options: int | None = None,
    transforms: Sequence[str | PaperTransform] = (),
    traffic: Traffic | None = None,
    watch: Watch | None = None,
    tell: Tell | None = None,
) -> SatResult | Sitting:
    """Let a candidate sit a test.

    ``candidate`` is a name such as ``"span"``, a candidate object, or any function of a unit that
    returns the answer: ``lambda unit: unit.item.text``. ``path`` is the journal to write; if it
    exists, the run resumes. A folder, there or named with a ``/`` at its end, gets a journal for
    each part of a test in parts. Without ``path`` the sitting is kept in memory and returned.

    ``workers`` is how many processes have the candidate, 1 unless given. ``engine="ray"`` starts
    them on a Ray cluster, as many as fit unless given, and a `Cluster` says on which.

    ``cross="en-zh"`` asks the parallel English ``questions`` on the Chinese passages of ``test``.
    ``rewrite="guided"`` asks the questions of a series as that rewriter gives them.
    ``shuffle_options`` is the seed of another order of options, and each repeat has its own.
    ``transforms`` are other paper transforms, such as a plug-in's, by name or as objects.
    ``traffic`` limits the requests of a candidate that uses a network. ``unit_timeout`` is how
    many seconds a candidate may take over a unit, which is an error row after that. ``watch`` is
    called with the progress after each row, ``tell`` with messages before the first.
    """
    asked = build_transforms(
        [
            *named_transforms(
                without=without,
                cross=cross,
                questions=questions,
                rewrite=rewrite,
                shuffle_options=shuffle_options,
            ),
            *transforms,
        ]
    )
    test = as_test(test)
    return _run(
        test,
        candidate,
        path,
        workers=workers,
        cluster=as_cluster(engine),
        unit_timeout=unit_timeout,
        limit=limit,
        repeats=repeats,
        transforms=asked,
        traffic=traffic,
        watch=watch,
        tell=tell,
    )


def _run(
    test: Test,
    candidate: CandidateInput,
    path: str | Path | None,
    *,
    workers: int | None,
    cluster: Cluster | None,
    unit_timeout: float | None,
    watch: Watch | None,
    tell: Tell | None,
    **how: Any,
) -> SatResult | Sitting:
    """Let a candidate sit a test; an existing journal is resumed, and errors are tried again.

    With several workers, a cluster or a ``unit_timeout`` it answers in processes of its own.
    ``tell`` is called before the first answer with what was repaired, and with what is odd about
    answers from a file.
    """
    ready = prepare_sitting(
        test, candidate, path, workers=workers, unit_timeout=unit_timeout, cluster=cluster, **how
    )
    name, built, transforms, header = ready.name, ready.candidate, ready.transforms, ready.header
    earlier, part, repeats = ready.earlier, ready.part, ready.header.repeats
    unscored, refused, passages, spent = Noted(), Noted(), Passages(), Spent()
    wordless, cut_off = defaultdict[str, Noted](Noted), Noted()
    # With something left out, offsets may be of anything.
    noted = (
        None
        if any(hook(transform, "hides_passages", False) for transform in transforms)
        else passages
    )

    answered = errors = 0
    reasons: Counter[str] = Counter()
    place = "<memory>" if path is None else path
    memory: Rows = {}
    with contextlib.ExitStack() as stack:
        begin = Begin(
            sys.path, name, test.kind.name, test.language, materials=dict(ready.materials)
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
                return answers(built, test.kind, asks, on_unscored=unscored.add)
            crew = Crew(
                pool,
                workers or 1,
                repeat=repeat,
                ahead=ahead,
                unit_timeout=unit_timeout,
                on_unscored=unscored.add,
            )
            return stack.enter_context(contextlib.closing(crew.answer(asks)))

        started = time.monotonic()
        journal = (
            MemoryJournal(memory)
            if path is None
            else stack.enter_context(
                open_journal(path, header, answer=test.kind.answer, parts=test.parts)
            )
        )
        expect = journal.expect if isinstance(journal, PartedJournal) else None
        done = journal.done
        declared(built, "resume_budget", lambda spent: None)(done.spent)
        first = [] if done.repaired is None else [done.repaired]
        first += [f"{place}: {line}" for line in ready.opening]
        first += [] if earlier is None else notes(earlier, test, part)
        for said in first:
            if tell is not None:
                tell(said)
        before = done.keep((id, index) for id in part.ids(test) for index in range(repeats))
        total = part.units * repeats

        def seen() -> Progress:
            return Progress(total, before, answered, errors, time.monotonic() - started)

        for repeat in range(repeats):
            rows = ask_all(repeat, ready.asks(done, repeat, noted, expect))
            for transform in reversed(transforms):
                rows = transform.rows(rows)
            for row in rows:
                attempt = done.failed.get((row.id, repeat), 0) + 1
                journal.write(msgspec.structs.replace(row, repeat=repeat, attempt=attempt))
                passages.look(row)
                spent = spent.with_row(row)
                reason = row.no_answer_reason
                if reason == REFUSED:
                    refused.add(row.id)
                elif reason is not None:
                    wordless[reason].add(row.id)
                elif isinstance(row.evidence, dict) and row.evidence.get("reason") == CUT_OFF:
                    cut_off.add(row.id)
                answered += row.error is None
                errors += row.error is not None
                if row.error is not None:
                    reasons[row.error] += 1
                if watch is not None:
                    watch(seen())
        failed, silent = len(done.failed), sum(noted.count for noted in wordless.values())
        remarks = (
            *first[done.repaired is not None :],
            *_closing(place, passages, unscored, refused, wordless, cut_off),
            *(
                f"{place}: {note}"
                for transform in transforms
                for note in hook(transform, "closing_notes", tuple)()
            ),
            *_reasons(place, reasons),
            *(f"{place}: {said}" for said in declared(built, "closing_notes", list)()),
        )
        if path is None:
            return Sitting(header, memory, notes=remarks)
        return SatResult(
            seen(),
            name,
            done.repaired,
            errors=failed,
            unanswered=total - before - answered - failed + silent,
            refused=refused.count,
            notes=remarks,
            spent=spent.with_overhead(declared(built, "overhead", lambda: None)()),
            path=str(path),
            workers=workers or 1,
        )


def _closing(
    path: str | Path,
    passages: Passages,
    unscored: Noted,
    refused: Noted,
    wordless: Mapping[str, Noted],
    cut_off: Noted,
) -> Iterator[str]:
    """What was noticed in the rows of this run."""
    if refused.count:
        yield f"{path}: refusals, counted as unanswered: {refused}"
    for reason, ids in sorted(wordless.items()):
        yield f"{path}: replies without an answer ({reason}), counted as unanswered: {ids}"
    if cut_off.count:
        yield f"{path}: replies cut off before their end: {cut_off}; max_tokens sets their length"
    if passages.astray.count:
        yield (
            f"{path}: offsets of {passages.astray} do not point at their answers; "
            "the answer's text was trusted"
        )
    if unscored.count:
        yield f"{path}: scores that are no finite number were left out: {unscored}"


def _reasons(path: str | Path, reasons: Counter[str]) -> Iterator[str]:
    """Why there are error rows: the commonest reasons."""
    for said, count in reasons.most_common(_REASONS):
        yield f"{path}: {counted(count, 'error')}: {said}"
    if len(reasons) > _REASONS:
        yield f"{path}: and errors of {len(reasons) - _REASONS:,} other sorts"
