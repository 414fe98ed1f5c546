"""What the card reports of how a test was made: screening, and agreement of annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, read_bytes, read_head, read_json
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import read_header, read_records
from readmark.core.problems import fail
from readmark.core.test import Test
from readmark.making.export.report_coverage import ReportCoverage, coverage_of
from readmark.making.screening.report import ReportHeader, ScreeningRow


@dataclass(frozen=True, slots=True)
class Screened:
    """A screening in numbers, and how far it is of the passages that are published."""

    source: str
    passages: int
    kept: int
    discarded: int
    reasons: Mapping[str, int]
    """Discarded passages by reason; one may have several."""
    unscreened: int
    """Published passages that the report does not have."""
    against: tuple[str, ...]
    """Published passages that the report discards."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """One sort of work that people agreed on, with its figures over all annotators."""

    what: str
    unit: str
    units: int
    annotators: int
    figures: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Reports:
    """The reports, as bytes to publish and in numbers for the card."""

    screening: bytes | None = None
    agreement: bytes | None = None
    screened: Screened | None = None
    agreed: tuple[Agreed, ...] = ()
    reach: ReportCoverage | None = None
    """What the agreement report covers."""


def read_reports(
    test: Test,
    *,
    screening: str | Path | None = None,
    agreement: str | Path | None = None,
    hidden: Sequence[str] = (),
    covers_hidden: bool = False,
) -> Reports:
    """Read both; a screening of other texts is refused, and so is the agreement on another test.

    An agreement report on ``hidden`` splits reveals their labels, by its counts if
    not by name: it is refused unless ``covers_hidden``.
    """
    agreed: tuple[Agreed, ...] = ()
    reach = agreement_bytes = None
    if agreement is not None:
        report, agreement_bytes = _agreement_on(test, agreement)
        agreed = tuple(_agreed(report, agreement))
        reach = coverage_of(test, report["what"].values(), agreement, hidden)
        if reach.covers == "hidden" and not covers_hidden:
            raise UsageError(
                f"{agreement} covers hidden splits and reveals their labels ({reach.why}): "
                "make it of what is published (convert --public), or give --agreement-covers-hidden"
            )
    screening_bytes = screened = None
    if screening is not None:
        screening_bytes = read_bytes(screening, whole=True)
        screened = _screened(test, screening)
    return Reports(screening_bytes, agreement_bytes, screened, agreed, reach)


def _agreement_on(test: Test, path: str | Path) -> tuple[Any, bytes]:
    """The report on a test's language, and the file to publish: a report may be on several."""
    report = read_json(path)
    languages = report.get("languages") if isinstance(report, dict) else None
    if not isinstance(languages, dict):
        return report, read_bytes(path, whole=True)
    if test.language not in languages:
        raise DataError(f"has no agreement on a test in {test.language!r}", file=path)
    part = languages[test.language]
    return part, msgspec.json.format(msgspec.json.encode(part)) + b"\n"


def _screened(test: Test, path: str | Path) -> Screened:
    file = str(path)
    first = read_head(path).lstrip().partition(b"\n")[0]
    try:
        header = msgspec.json.decode(first)
    except JSON_ERRORS:
        header = None
    if not isinstance(header, dict) or header.get("file") != "screening":
        raise DataError("is not a screening report: expected what `set screen` writes", file=path)
    about = read_header(file, ReportHeader)
    rows: dict[str, tuple[str, str]] = {}
    reasons: Counter[str] = Counter()
    for _, row in read_records(file, ScreeningRow, fail):
        rows[row.id] = row.version, row.verdict
        if row.verdict == "discard":
            reasons.update(set(row.reasons))
    unscreened = 0
    against = []
    for record in test.records():
        if record.id not in rows:
            unscreened += 1
            continue
        version, verdict = rows[record.id]
        if version != (expected := text_id(record.text)):
            raise DataError(
                f"screened another text of this passage: version {version}, the test's is "
                f"{expected}",
                file=path,
                where=record.id,
            )
        if verdict == "discard":
            against.append(record.id)
    return Screened(
        source=about.source,
        passages=about.passages,
        kept=about.kept,
        discarded=about.discarded,
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        unscreened=unscreened,
        against=tuple(against),
    )


def _agreed(report: Any, path: str | Path) -> Iterator[Agreed]:
    try:
        for what, comparison in report["what"].items():
            yield Agreed(
                what=what,
                unit=str(comparison["unit"]),
                units=int(comparison["units"]),
                annotators=len(comparison["annotators"]),
                figures={name: dict(figure) for name, figure in comparison["figures"].items()},
            )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(
            "is not an agreement report: expected what `set agree -o` writes", file=path
        ) from None
