"""Writing a report: one self-contained HTML page of marksheets, or of a test and its sittings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.binding import part_notes, part_sat
from readmark.core.display import Result
from readmark.core.distinct_files import same_file
from readmark.core.errors import UsageError
from readmark.core.marksheet import is_marksheet
from readmark.core.writing import writing
from readmark.formats.inputs import SittingInput, TestInput, as_sitting, as_test
from readmark.marking import Marksheet, derived_fields, mark, usual_fields

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, repr=False)
class Report(Result):
    """What was written: where, how large, and what is on it."""

    path: str
    size: int
    """Bytes."""
    tests: Sequence[str]
    candidates: int
    units: int
    notes: Sequence[str] = ()
    """What marking had to say, where sittings were marked first."""

    def as_json(self) -> dict[str, Any]:
        """The document that ``report --json`` prints."""
        return {name: value for name, value in asdict(self).items() if name != "notes" or value}

    def show(self, console: Console) -> None:
        """Print what was written and where."""
        console.print(f"report of {', '.join(self.tests)} written to {self.path}", soft_wrap=True)


def report(
    first: TestInput,
    *others: SittingInput,
    path: str | Path,
    language: str | None = None,
    title: str | None = None,
    metrics: Sequence[str] = (),
    by: Sequence[str] = (),
    people: Sequence[SittingInput] = (),
    split: str | None = None,
) -> Report:
    """Write one HTML page: of marksheets, or of a test and sittings of it.

    ``report("a.marks.jsonl", "b.marks.jsonl", path="report.html")`` marks nothing: marksheets of
    one test (paper and key alike) are shown side by side, each compared with the first, and every
    other test has its own section. ``report(test, a, b, path="report.html")`` marks the sittings
    first, by ``metrics`` (the kind's own by default), broken down ``by`` fields (by default level,
    type and the computed fields whose slices are large enough to mean something), with
    ``people``'s sittings for comparison. ``language`` is that in which the page opens.
    """
    if language not in (None, *LANGUAGES):
        raise UsageError(f"language {language!r} is not one of {'|'.join(LANGUAGES)}")
    if is_marksheet(first) or not others:
        if split is not None:
            raise UsageError("`split` is for a test and its sittings, not for marksheets")
        if metrics or by or people:
            raise UsageError(
                "`metrics`, `by` and `people` are for sittings: marksheets have theirs"
            )
        files = [_file(sheet) for sheet in (first, *others)]
        return report_marksheets(files, path, language=language, title=title)
    _require_distinct([file for file in (first, *others) if isinstance(file, (str, Path))], path)
    whole = as_test(first) if split is None else as_test(first).split(split)
    sittings = [as_sitting(sitting, whole.kind) for sitting in others]
    test = part_sat(whole, sittings)
    fields = list(by) or usual_fields(test)
    computed = [] if by else [name for name in derived_fields(test) if name not in fields]
    notes = [*part_notes(whole, test, sittings)]
    with tempfile.TemporaryDirectory() as folder:
        sheets = [str(Path(folder) / name) for name in _sheet_names(others)]
        for sitting, sheet in zip(sittings, sheets, strict=True):
            marked = mark(
                test,
                sitting,
                metrics=metrics,
                by=[*fields, *computed],
                people=people,
                marksheet=sheet,
            )
            notes += marked.notes
        written = report_marksheets(
            sheets, path, language=language, title=title, optional=frozenset(computed)
        )
        return replace(written, notes=list(dict.fromkeys(notes)))


def _sheet_names(sittings: Sequence[SittingInput]) -> list[str]:
    """The marksheets that a page of sittings is made from, named after their files."""
    stems = [
        Path(sitting).name.partition(".")[0] if isinstance(sitting, (str, Path)) else "sitting"
        for sitting in sittings
    ]
    return [
        f"{stem}{f'-{stems[:index].count(stem) + 1}' if stem in stems[:index] else ''}.marks.jsonl"
        for index, stem in enumerate(stems)
    ]


def _file(sheet: object) -> str:
    if isinstance(sheet, (str, os.PathLike)):
        return os.fspath(sheet)
    raise UsageError("a report takes marksheet files, or a test and at least one sitting")


def report_marksheets(
    files: Sequence[str],
    path: str | Path,
    *,
    language: str | None = None,
    title: str | None = None,
    optional: frozenset[str] = frozenset(),
) -> Report:
    """The page of marksheets; ``optional`` fields are shown where their slices are large."""
    # Imported late, so that a wrong argument is refused at once.
    from readmark.reporting.page.page import page
    from readmark.reporting.page.sections import sections_of
    from readmark.reporting.split_tables import split_tables

    _require_distinct(files, path)
    sections = sections_of([Marksheet.read(file) for file in files], optional=optional)
    html = page(
        sections,
        language=language,
        title=title,
        output=Path(path).name,
        tables=split_tables(sections),
    )
    content = html.encode()
    with writing(path) as stream:
        stream.write(content)
    return Report(
        path=str(path),
        size=len(content),
        tests=[section.test.name for section in sections],
        candidates=sum(len(section.candidates) for section in sections),
        units=sum(len(section.units()) for section in sections),
    )


def _require_distinct(files: Sequence[str | Path], path: str | Path) -> None:
    """Refuse a file that is given twice, and a page that would take the place of one."""
    for index, file in enumerate(files):
        if same_file(path, file):
            what = "a marksheet" if is_marksheet(file) else "an input"
            raise UsageError(f"{path} is {what} of the report: write the page elsewhere")
        if any(same_file(file, earlier) for earlier in files[:index]):
            raise UsageError(f"{file} is given twice")
