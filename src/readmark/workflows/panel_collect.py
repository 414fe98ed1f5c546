"""Ratings of a panel collected: sheets in, a rated test and novices' sittings out."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import writing
from readmark.corpus.folders import making_folder
from readmark.corpus.formats import open_test, save_test
from readmark.corpus.formats.lines import line
from readmark.corpus.formats.sittings import NATIVE_SITTING
from readmark.corpus.outputs import require_apart, same_file
from readmark.measures.agreement import Resampling
from readmark.setting.panels.collecting import Collected
from readmark.setting.panels.collecting import collect as collected
from readmark.setting.panels.planning import plan_file, read_plan
from readmark.setting.panels.ratings import filled_cells, read_ratings
from readmark.setting.panels.sheets import files_of, unfinished, write_remaining


def collect(
    test: str,
    plan: str,
    ratings: Sequence[str],
    *,
    output: str | None = None,
    novices: str | None = None,
    report: str | None = None,
    remaining: str | None = None,
    real: bool = False,
    fastest: float | None = None,
    resampling: Resampling | None = None,
    format: str | None = None,
) -> tuple[Collected, list[str]]:
    """Read, check and write whatever is named; also who has not finished."""
    if fastest is not None and not fastest > 0:
        raise UsageError(f"words a minute are more than 0, not {fastest:g}")
    for at, one in enumerate(ratings):
        if any(same_file(one, other) for other in ratings[:at]):
            raise UsageError(f"{one} is named twice")
    made = read_plan(plan)
    folder = plan_file(plan).parent
    handed_out = [folder / name for name in files_of(made)]
    require_apart([output, novices, report, remaining], [test, plan, folder, *handed_out, *ratings])
    source = open_test(test, format=format)
    returned = read_ratings(made, ratings, real=real)
    done = collected(source, made, returned, fastest=fastest, resampling=resampling)
    if output is not None and not any(one.key is not None for one in done.test.records()):
        raise DataError("no expert rated any passage: there is nothing to mark by", file=test)
    filled = filled_cells(returned)
    late = [one.name for one in made.judges if unfinished(one, filled.get(one.name, {}))]
    with contextlib.ExitStack() as stack:
        if novices is not None:
            folder = stack.enter_context(making_folder(novices))
            for sitting in done.novices:
                NATIVE_SITTING.write_sitting(sitting, folder / Path(sitting.file).name)
        if remaining is not None:
            write_remaining(source, made, filled, remaining)
        if report is not None:
            stream = stack.enter_context(writing(report))
            for finding in done.findings:
                stream.write(line(asdict(finding)))
        if output is not None:
            save_test(done.test, output)
    return done, late


def as_json(done: Collected) -> dict[str, Any]:
    """What ``readmark panel collect --json`` prints."""
    return {
        "rows": done.rows,
        "rated": done.rated,
        "expected": done.expected,
        "novices": [one.candidate for one in done.novices],
        "counts": dict(Counter(one.code for one in done.findings)),
        "findings": [asdict(one) for one in done.findings],
        "agreement": asdict(done.agreement),
        "criteria": [asdict(one) for one in done.criteria],
    }
