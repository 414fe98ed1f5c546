"""Screening a test: the passages that are kept, and why each was kept or discarded.

No file is written unless all of them are.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from readmark.core.distinct_files import require_distinct_files
from readmark.core.outputs import writing_together
from readmark.core.progress import WatchCount
from readmark.core.streams import is_standard
from readmark.core.test import Test
from readmark.formats.passage_decisions import Decisions, Verdict, write_form
from readmark.formats.registry import format_for, save_test
from readmark.making.screening.config import is_file, load_config
from readmark.making.screening.report import Screening
from readmark.making.screening.retained_lines import RetainedLines
from readmark.making.screening.verdicts import Verdicts
from readmark.sitting import Cluster


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
    """
    if report is None and not is_standard(output):
        report = default_report(output)
    require_distinct_files(
        [output, report, discarded, form],
        [test.file, *decisions, profile if is_file(profile) else None],
    )
    config = load_config(profile)
    formats = [
        format or (format_for(Path(path), test) if path is not None else "native")
        for path in (output, discarded)
    ]
    test.require_kind("comprehension")
    peoples_decisions = Decisions(decisions)
    names = [path for path in (output, report, discarded, form) if path is not None]
    with (
        writing_together(names) as places,
        tempfile.TemporaryFile(prefix="readmark-") as rows,
        tempfile.TemporaryFile(prefix="readmark-") as alternatives,
        ExitStack() as files,
    ):
        temporary = dict(zip(names, places, strict=True))
        lines: RetainedLines | None = None
        if formats[0] == "native":
            path = temporary[output]  # beside the output, unless that is a device
            folder = path.parent if path != Path(output) else None
            lines = files.enter_context(RetainedLines(folder))
        verdicts = Verdicts(test, config, peoples_decisions, (rows, alternatives), lines, files)
        verdicts.examine(workers, engine, progress)
        peoples_decisions.require_all_seen(test.file)
        verdicts.find_copies()
        verdicts.decide()
        result = verdicts.result
        result.output, result.format = str(output), formats[0]
        result.report, result.discarded_file, result.form = report, discarded, form
        parts: list[tuple[Verdict, str | Path | None]] = [("keep", output), ("discard", discarded)]
        for (verdict, file), part_format in zip(parts, formats, strict=True):
            if verdict == "keep" and lines is not None:
                lines.write(temporary[output], verdicts.part(verdict).header, verdicts.is_kept)
            elif file is not None:
                lost = save_test(verdicts.part(verdict), temporary[file], format=part_format)
                result.lost += [f"{file}: {part_format}: {line}" for line in lost]
        if form is not None:
            write_form(temporary[form], ((record.id, record.text) for record in test.records()))
        if report is not None:
            verdicts.write_report(temporary[report])
        return result


def default_report(output: str | Path) -> str:
    """Where the report goes by default: next to the output."""
    path = Path(output)
    name = path.name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return str(path.with_name(f"{name}.screening.jsonl"))
