"""The runner: hands a candidate the paper, never the key, and journals every answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack, overload

import msgspec

from readmark.core.progress import Tell
from readmark.core.record_members import text_of
from readmark.core.settings import settings_of
from readmark.core.sitting import Sitting
from readmark.core.traffic import one_purse
from readmark.formats.inputs import TestInput, as_test
from readmark.hooks import hook
from readmark.sitting.candidates import CandidateInput, declared
from readmark.sitting.engines import open_engine
from readmark.sitting.journal import MemoryJournal, open_journal
from readmark.sitting.keyed import earlier_notes
from readmark.sitting.preparation import prepare_sitting
from readmark.sitting.remarks import Remarks
from readmark.sitting.requests import Ask
from readmark.sitting.results import RunProgress, SatResult, Watch
from readmark.sitting.settings import SitFields, SitSettings


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

    ``workers`` is the number of processes that have the candidate, 1 by default. ``engine="ray"``
    starts them on a Ray cluster, by default as many as fit; a `Cluster` says on which.

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
    tell = tell or (lambda message: None)
    test = as_test(test)
    ready = prepare_sitting(test, candidate, path, settings)
    remarks = Remarks()
    with contextlib.ExitStack() as stack:
        # Before the journal: a candidate on a cluster's GPUs has its signature only there.
        engine = stack.enter_context(
            open_engine(ready, settings, on_unscored=remarks.unscored.add, tell=tell)
        )
        started = time.monotonic()
        journal = stack.enter_context(open_journal(path, engine.header, parts=test.parts))
        state = journal.state
        ready.run.spent = state.spent
        place = "<memory>" if path is None else path
        opening = [f"{place}: {line}" for line in ready.opening]
        if ready.earlier is not None:
            opening += earlier_notes(ready.earlier, test, ready.coverage)
        for message in opening if state.repaired is None else (state.repaired, *opening):
            tell(message)
        total = ready.coverage.units * settings.repeats
        before = state.restrict_to(
            (id, repeat) for id in ready.coverage.ids(test) for repeat in range(settings.repeats)
        )

        checks_offsets = not ready.hides_passages

        def progress() -> RunProgress:
            seconds = time.monotonic() - started
            return RunProgress(total, before, remarks.answered, remarks.errors, seconds)

        def hand_out(repeat: int) -> Iterator[Ask]:
            for file, ask in ready.papers(state, repeat):
                journal.expect(file, ask.wanted)
                if checks_offsets:
                    remarks.offsets.expect(text_of(ask.record), ask.wanted)
                yield ask

        for repeat in range(settings.repeats):
            asks = ready.transformed(hand_out(repeat), repeat)
            with contextlib.closing(engine.answer(asks, repeat)) as rows:
                for row in ready.restored(rows):
                    attempt = state.failed.get((row.id, repeat), 0) + 1
                    journal.write(msgspec.structs.replace(row, repeat=repeat, attempt=attempt))
                    remarks.add(row)
                    if watch is not None:
                        watch(progress())

        closing = [*remarks.answer_lines()]
        for transform in ready.transforms:
            closing += hook(transform, "closing_notes", tuple)()
        closing += [*remarks.error_lines(), *declared(ready.candidate, "closing_notes", list)()]
        notes = (*opening, *(f"{place}: {line}" for line in closing))
        if isinstance(journal, MemoryJournal):
            return Sitting(engine.header, journal.rows, notes=notes)
        failed = len(state.failed)
        return SatResult(
            progress(),
            ready.name,
            state.repaired,
            errors=failed,
            unanswered=total - before - remarks.answered - failed + remarks.silent,
            refused=remarks.refused.count,
            notes=notes,
            spent=remarks.spent.with_overhead(ready.run.overhead),
            path=str(path),
            workers=engine.workers,
        )
