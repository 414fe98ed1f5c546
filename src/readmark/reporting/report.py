"""Writing a report: marksheets become one self-contained HTML page, and nothing is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.files import same_file, writing
from readmark.reporting.page.sections import Section
from readmark.reporting.standings import LEVEL, METRICS, ORDER, Standings, split_sheet, standings_of

# The tables of splits on a report's page: which of its sections have several splits to show.


def split_tables(sections: Sequence[Section]) -> dict[int, Standings]:
    """Tables by the number of the section that they stand in.

    Tests of one name, and those named after splits (dev, test), are one table, which stands with
    the first of them.
    """
    groups: dict[tuple[str, str | None, str], list[Section]] = {}
    for section in sections:
        if section.candidates and set(METRICS) <= set(section.metrics):
            name = "" if section.test.name in ORDER else section.test.name
            key = section.kind.name, section.test.language, name
            groups.setdefault(key, []).append(section)
    found: dict[int, Standings] = {}
    for several in groups.values():
        table = _table(several)
        if table is not None:
            tables = {several[0].number: table}
        else:
            tables = {one.number: own for one in several if (own := _table([one])) is not None}
        found.update({at: one for at, one in tables.items() if len(one.splits) > 1})
    return found


def _table(sections: Sequence[Section]) -> Standings | None:
    """The table of some sections; None where they cannot stand in one."""
    sheets = [sheet for section in sections for sheet in section.sheets]
    try:
        return standings_of([split_sheet(sheet, LEVEL) for sheet in sheets], metrics=METRICS)
    except ReadmarkError:
        return None


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
    from readmark.reporting.page.page import page
    from readmark.reporting.page.sections import sections_of
    from readmark.reporting.page.sheets import read_sheet

    files = [marksheets] if isinstance(marksheets, (str, Path)) else list(marksheets)
    if language not in (None, *LANGUAGES):
        raise UsageError(f"language {language!r} is not one of {'|'.join(LANGUAGES)}")
    _distinct(files, path)
    sections = sections_of([read_sheet(str(file)) for file in files])
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
