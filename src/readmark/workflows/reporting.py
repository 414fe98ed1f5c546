"""Writing a report: marksheets become one self-contained HTML page, and nothing is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.corpus.files import writing
from readmark.corpus.outputs import same_file

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Report:
    """What was written: where, how large, and what is on it."""

    path: str
    size: int
    """Bytes."""
    tests: Sequence[str]
    candidates: int
    units: int


def write_report(
    marksheets: Sequence[str | Path] | str | Path,
    path: str | Path,
    *,
    language: str | None = None,
    title: str | None = None,
) -> Report:
    """Write one HTML page from marksheets alone.

    Marksheets of one test (paper and key alike) stand side by side, the first as what the others
    are compared with; every other test has a section of its own.
    """
    from readmark.reporting.html.page import page
    from readmark.reporting.html.sections import put_together
    from readmark.reporting.html.sheets import read_sheet
    from readmark.workflows.report_splits import split_tables

    files = [marksheets] if isinstance(marksheets, (str, Path)) else list(marksheets)
    if language not in (None, *LANGUAGES):
        raise UsageError(f"language {language!r} is not one of {'|'.join(LANGUAGES)}")
    _distinct(files, path)
    sections = put_together([read_sheet(str(file)) for file in files])
    tables = split_tables(sections)
    made = page(
        sections, language=language, title=title, output=Path(path).name, tables=tables
    ).encode()
    with writing(path) as stream:
        stream.write(made)
    return Report(
        path=str(path),
        size=len(made),
        tests=[section.test.name for section in sections],
        candidates=sum(len(section.candidates) for section in sections),
        units=sum(len(section.units()) for section in sections),
    )


def _distinct(files: Sequence[str | Path], path: str | Path) -> None:
    """A marksheet is given once, and the page does not take the place of one."""
    for at, file in enumerate(files):
        if same_file(path, file):
            raise UsageError(f"{path} is a marksheet of the report: write the page elsewhere")
        if any(same_file(file, other) for other in files[:at]):
            raise UsageError(f"{file} is given twice")
