"""The screening and agreement reports that go with a test: read, checked, told on the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import JSON_ERRORS, read_bytes, read_head, read_json
from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats.lines import read_header, read_records
from readmark.corpus.problems import fail
from readmark.corpus.test import Test
from readmark.setting.publishing.reach import Reach, reach_of
from readmark.setting.screening.report import ReportHeader, Row


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
    """What was given, as bytes to attach, and in short."""

    screening: bytes | None = None
    agreement: bytes | None = None
    screened: Screened | None = None
    agreed: tuple[Agreed, ...] = ()
    reach: Reach | None = None
    """What the agreement report tells of."""


def read_reports(
    test: Test,
    *,
    screening: str | Path | None = None,
    agreement: str | Path | None = None,
    hidden: Sequence[str] = (),
    covers_hidden: bool = False,
) -> Reports:
    """Read both; a screening of other texts is refused, and so is the agreement on another test.

    An agreement report that tells of ``hidden`` splits gives their labels away, by its counts if
    not by name: it is refused unless ``covers_hidden``.
    """
    agreed: tuple[Agreed, ...] = ()
    reach = None
    if agreement is not None:
        said = read_json(agreement)
        agreed = tuple(_agreed(said, agreement))
        reach = reach_of(test, said["what"].values(), agreement, hidden)
        if reach.covers == "hidden" and not covers_hidden:
            raise UsageError(
                f"{agreement} tells of hidden splits, whose labels it gives away ({reach.why}): "
                "make it of what is published (convert --public), or say --agreement-covers-hidden"
            )
    return Reports(
        screening=_bytes(screening),
        agreement=_bytes(agreement),
        screened=_screened(test, screening) if screening is not None else None,
        agreed=agreed,
        reach=reach,
    )


def _bytes(path: str | Path | None) -> bytes | None:
    return None if path is None else read_bytes(path, whole=True)


def _screened(test: Test, path: str | Path) -> Screened:
    file = str(path)
    first = read_head(path).lstrip().partition(b"\n")[0]
    try:
        header = msgspec.json.decode(first)
    except JSON_ERRORS:
        header = None
    if not isinstance(header, dict) or header.get("file") != "screening":
        raise DataError("is no screening report: expected what `set screen` writes", file=path)
    about = read_header(file, ReportHeader)
    rows = {row.id: (row.version, row.verdict) for row in _rows(file)}
    reasons: Counter[str] = Counter()
    for row in _rows(file):
        if row.verdict == "discard":
            reasons.update(set(row.reasons))
    unscreened = 0
    against = []
    for record in test.records():
        if record.id not in rows:
            unscreened += 1
            continue
        version, verdict = rows[record.id]
        if version != (found := text_id(record.text)):
            raise DataError(
                f"screened another text of this passage: version {version}, the test's is {found}",
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


def _rows(file: str) -> Iterator[Row]:
    for _, row in read_records(file, Row, fail):
        yield row


def _agreed(report: Any, path: str | Path) -> Iterator[Agreed]:
    try:
        for what, one in report["what"].items():
            yield Agreed(
                what=what,
                unit=str(one["unit"]),
                units=int(one["units"]),
                annotators=len(one["annotators"]),
                figures={name: dict(figure) for name, figure in one["figures"].items()},
            )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(
            "is no agreement report: expected what `set agree -o` writes", file=path
        ) from None
