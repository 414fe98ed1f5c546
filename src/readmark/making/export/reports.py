"""What the card reports of a test: screening and agreement, and people's figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, read_bytes, read_head, read_json
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import read_header, read_records
from readmark.core.marksheet import AUTHORS
from readmark.core.numbers import first_ids
from readmark.core.problems import fail
from readmark.core.record_members import split_of
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput
from readmark.formats.tables.columns import SPLIT
from readmark.making.export.about import PublishedPart
from readmark.making.screening.report import ReportHeader, ScreeningRow
from readmark.marking import MarkSettings, PeopleMarks, people
from readmark.statistics.interval_methods import suitable_method

# Which questions and passages an agreement report covers, and whether some are hidden.


Covers = Literal["published", "hidden", "unknown"]
"""Published splits alone; hidden ones too; or the report does not list all that it is of."""


@dataclass(frozen=True, slots=True)
class ReportCoverage:
    """What a report is known to cover."""

    covers: Covers
    units: int
    """Questions and passages that the report names."""
    hidden: int
    """Those among them that are of hidden splits."""
    strange: int
    """Those among them that the test does not have."""
    why: str = ""
    """What shows that hidden splits are covered."""


@dataclass(slots=True)
class _Ids:
    """The ids of a test's records and units, by whether they are hidden."""

    shown: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    records: int = 0
    units: int = 0
    """How many are shown."""


def coverage_of(
    test: Test, comparisons: Iterable[Mapping[str, Any]], path: str | Path, hidden: Sequence[str]
) -> ReportCoverage:
    """Compare what a report names with the test; one that names nothing of it is refused."""
    comparisons = list(comparisons)
    ids = _ids(test, hidden)
    # All that a report lists, else what it singles out.
    named = {
        id
        for comparison in comparisons
        for member in ("ids", "disagreed", "partial")
        for id in comparison.get(member) or ()
    }
    strange = len(named - ids.shown - ids.hidden)
    if named and strange == len(named):
        first = first_ids(sorted(named))
        message = f"is of another test: nothing that it names ({first}) is in {test.file}"
        raise DataError(message, file=path)
    unseen = named & ids.hidden
    covers: Covers = "unknown"
    why = ""
    if unseen:
        covers, why = "hidden", f"it names {first_ids(sorted(unseen))}"
    elif not hidden or all("ids" in comparison for comparison in comparisons):
        covers = "published"
    elif why := next(filter(None, (_excess(comparison, ids) for comparison in comparisons)), ""):
        covers = "hidden"
    return ReportCoverage(covers, len(named), len(unseen), strange, why)


def _excess(comparison: Mapping[str, Any], ids: _Ids) -> str:
    """More than what is published cannot be of that alone."""
    noun = str(comparison["unit"])
    units = int(comparison["units"]) + len(comparison.get("partial") or ())
    most = {"question": ids.units, "passage": ids.records}.get(noun, len(ids.shown))
    return f"it is of {units} {noun}s, published: {most}" if units > most else ""


def _ids(test: Test, hidden: Sequence[str]) -> _Ids:
    ids = _Ids()
    for record in test.records():
        unseen = split_of(record) in hidden
        own = [unit.id for unit in test.kind.units(record)]
        (ids.hidden if unseen else ids.shown).update((record.id, *own))
        if not unseen:
            ids.records += 1
            ids.units += len(own)
    ids.shown -= ids.hidden
    return ids


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
    reach = second = None
    if agreement is not None:
        report, second = _agreement_on(test, agreement)
        agreed = tuple(_agreed(report, agreement))
        reach = coverage_of(test, report["what"].values(), agreement, hidden)
        if reach.covers == "hidden" and not covers_hidden:
            raise UsageError(
                f"{agreement} covers hidden splits and reveals their labels ({reach.why}): "
                "make it of what is published (convert --public), or give --agreement-covers-hidden"
            )
    first = None if screening is None else read_bytes(screening, whole=True)
    screened = _screened(test, screening) if screening is not None else None
    return Reports(first, second, screened, agreed, reach)


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
            "is not an agreement report: expected what `set agree -o` writes", file=path
        ) from None


# People's figure on what is published.


@dataclass(frozen=True, slots=True)
class PeopleFigure:
    """People's marks, without anybody's name."""

    marks: PeopleMarks
    people: int
    """How many people the marks are of; answers per unit where nobody is named."""
    named: bool
    authors: bool
    """Whether the test's authors wrote the references, so that nobody was studied."""

    def as_json(self) -> dict[str, Any]:
        """What `people --json` prints, but for the names and the classes of wrong answers."""
        document = self.marks.as_json()
        named = ("test", "each", "error_classes")
        shown = {name: value for name, value in document.items() if name not in named}
        return {"people": self.people, "named": self.named, "authors": self.authors, **shown}


def people_figure(
    test: Test, parts: Sequence[PublishedPart], sittings: Sequence[SittingInput]
) -> PeopleFigure | None:
    """How well people do on what is published: by their sittings, else by the key's annotators.

    None where no sittings are given and no unit has answers of two people.
    """
    if not sittings and not (test.kind.people_from_key and test.facts.several):
        return None
    keyed = [part for part in parts if not part.hidden]
    fewest = min((part.records for part in keyed), default=0)
    settings = MarkSettings(interval=suitable_method(fewest))
    marks = people(test, *sittings, by=[SPLIT] if len(keyed) > 1 else [], settings=settings)
    authors = test.header.fields.get("people") == AUTHORS and not sittings
    named = bool(sittings) or not all(name.startswith("answer ") for name in marks.each)
    return PeopleFigure(marks, len(marks.each), named, authors)
