"""The runner: hands a candidate the paper, never the key, and journals every answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.sitting import Row, SittingHeader
from readmark.corpus.test import Test
from readmark.corpus.version import __version__
from readmark.sitting.asking import Ask, answers
from readmark.sitting.candidates import build_candidate, make_ready
from readmark.sitting.gold import with_gold
from readmark.sitting.journal import open_journal
from readmark.sitting.resuming import Done
from readmark.sitting.workers import Crew

Watch = Callable[["Progress"], None]


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
        """Seconds left at this rate."""
        still = self.total - self.before - self.answered - self.errors
        return still / self.rate if self.rate > 0 else None


@dataclass(frozen=True, slots=True)
class SatResult:
    """What a run of a sitting did."""

    progress: Progress
    candidate: str
    repaired: str | None
    errors: int
    """Error rows that stand."""
    unanswered: int
    """Units that the candidate gave no row for."""


def sit(
    test: Test,
    candidate: str,
    path: str | Path,
    *,
    workers: int = 1,
    limit: int | None = None,
    repeats: int = 1,
    without: str | None = None,
    watch: Watch | None = None,
) -> SatResult:
    """Let a candidate sit a test; an existing journal is gone on with, errors are tried again."""
    _sound(test, workers, limit, repeats, without)
    name, built = build_candidate(candidate, test)
    signature = make_ready(name, built, test.kind, test.language)
    bound = getattr(built, "paper", None)
    if bound not in (None, test.facts.paper):
        raise DataError(
            f"{name} answers another paper ({bound}); this one is {test.facts.paper}",
            file=test.file,
        )
    needs = frozenset(getattr(built, "needs", ()))
    gold = {"gold": ", ".join(sorted(needs))} if needs else {}
    total, covers = _coverage(test, limit)
    header = SittingHeader(
        kind=test.kind.name,
        paper=test.facts.paper,
        candidate=name,
        signature={**signature, **gold, "readmark": __version__},
        repeats=repeats,
        limit=limit if covers is not None else None,
        without=without,
        covers=covers,
    )

    def ask_all(asks: Iterable[Ask]) -> Iterator[Row]:
        if workers == 1:
            return answers(built, test.kind, asks)
        return Crew(name, test.kind.name, test.language, workers).answer(asks)

    started = time.monotonic()
    answered = errors = 0
    with open_journal(path, header) as journal:
        before = len(journal.done.answered)

        def seen() -> Progress:
            seconds = time.monotonic() - started
            return Progress(total * repeats, before, answered, errors, seconds)

        for repeat in range(repeats):
            asks = _asks(test, needs, journal.done, repeat, without, covers)
            for row in ask_all(asks):
                attempt = journal.done.failed.get((row.id, repeat), 0) + 1
                journal.write(msgspec.structs.replace(row, repeat=repeat, attempt=attempt))
                answered += row.error is None
                errors += row.error is not None
                if watch is not None:
                    watch(seen())
        failed = len(journal.done.failed)
        unanswered = total * repeats - before - answered - failed
        return SatResult(seen(), name, journal.done.repaired, failed, unanswered)


def _sound(test: Test, workers: int, limit: int | None, repeats: int, without: str | None) -> None:
    for name, value in (("--workers", workers), ("--repeats", repeats), ("--limit", limit)):
        if value is not None and value < 1:
            raise UsageError(f"{name} {value} is less than 1")
    if without is not None and without not in test.kind.parts:
        known = ", ".join(test.kind.parts)
        hint = did_you_mean(without, test.kind.parts)
        raise UsageError(f"a {test.kind.name} test has no {without} to leave out ({known}); {hint}")


def _coverage(test: Test, limit: int | None) -> tuple[int, tuple[str, ...] | None]:
    """How many units are to be answered, and which when they are not all."""
    if limit is None or limit >= test.facts.units:
        return test.facts.units, None
    covers = []
    for unit in test.units():
        covers.append(unit.id)
        if len(covers) == limit:
            break
    return limit, tuple(covers)


def _asks(
    test: Test,
    needs: frozenset[str],
    done: Done,
    repeat: int,
    without: str | None,
    covers: Sequence[str] | None,
) -> Iterator[Ask]:
    """Every record with units still to answer, stripped of its key."""
    kind = test.kind
    chosen = None if covers is None else frozenset(covers)
    for record in test.records():
        wanted = tuple(
            unit.id
            for unit in kind.units(record)
            if (chosen is None or unit.id in chosen) and (unit.id, repeat) not in done.answered
        )
        if not wanted:
            continue
        paper = with_gold(kind.paper(record), record, needs)
        yield Ask(paper if without is None else kind.leave_out(paper, without), wanted)
