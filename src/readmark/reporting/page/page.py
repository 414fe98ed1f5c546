"""The page: every section with its parts, put into the templates."""

from __future__ import annotations

import base64
import gzip
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

import msgspec
from markupsafe import Markup

from readmark.core.errors import ReadmarkError
from readmark.core.marksheet import MarkedUnit, unvalidated
from readmark.core.registry import Registry
from readmark.core.version import __version__
from readmark.hooks import ReportSection, hook
from readmark.marking.tally import labels_of
from readmark.reporting.figures.canvas import series
from readmark.reporting.page.answers import shown_gold, shown_row
from readmark.reporting.page.commands import Signed, commands, report_command, signatures
from readmark.reporting.page.comparisons import SectionData
from readmark.reporting.page.layout import Part
from readmark.reporting.page.sections import Section, values_to_filter
from readmark.reporting.page.sheets import Recorded, people_phrase
from readmark.reporting.page.summary import bracket_note, sentences, size_words, warnings
from readmark.reporting.page.words import (
    Both,
    Isolated,
    Text,
    metric_words,
    note_words,
    phrase,
    signing,
    table,
)
from readmark.reporting.standings import Standings

# What became of a unit: right, partly right, wrong, unanswered, an error, or not sat at all.


_CLOSE = 1e-6  # vectors lie on a grid, so that 1/3 + 2/3 may come a little short of 1


class UnitVerdict(StrEnum):
    """A letter each, as the page's data has them."""

    RIGHT = "r"
    PARTLY = "p"
    WRONG = "w"
    UNANSWERED = "u"
    ERROR = "e"
    ANSWERED = "a"
    """Answered, by a metric that has no mark for a single unit."""
    NOT_SAT = "n"


def verdict(unit: MarkedUnit, value: float | None, metric: Recorded | None) -> UnitVerdict:
    """The verdict on a unit, by the main metric's mark of it alone."""
    if any(row.error is not None for row in unit.answers):
        return UnitVerdict.ERROR
    if not any(row.answered for row in unit.answers):
        return UnitVerdict.UNANSWERED
    if value is None or metric is None:
        return UnitVerdict.ANSWERED
    if abs(value - metric.best) <= _CLOSE:
        return UnitVerdict.RIGHT
    return UnitVerdict.WRONG if abs(value - metric.worst) <= _CLOSE else UnitVerdict.PARTLY


# The units of a section as one compressed block, inflated in the page when it is opened.


_DIGITS = 4


def unit_block(section: Section) -> str:
    """JSON, gzipped and in base64: nothing of it can end a script element or run."""
    data = msgspec.json.encode(unit_data(section))
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def unit_data(section: Section) -> dict[str, Any]:
    """Records once, then one row per unit with every candidate's answers and marks."""
    records = section.records()
    at = {id: number for number, id in enumerate(records)}
    units = section.units()
    verdicts = _verdicts(section)
    return {
        "test": section.test.name,
        "language": section.test.language,
        "candidates": [_sides(candidate.label) for candidate in section.candidates],
        "looks": [[series(n).colour, series(n).sign] for n in range(len(section.candidates))],
        "metrics": [_sides(metric_words(metric)) for metric in section.metrics],
        "scales": [section.scale(metric) for metric in section.metrics],
        "main": list(section.metrics).index(section.main),
        "filters": _filters(section, list(units.values())),
        "records": [
            [[labelled.label, labelled.text] for labelled in shown] for shown in records.values()
        ],
        "recordIds": list(records),
        "units": [
            {
                "id": unit.id,
                "r": at.get(unit.group, -1),
                "s": [[labelled.label, labelled.text] for labelled in unit.shown],
                "f": unit.fields,
                "g": [[shown_gold(one) for one in person] for person in unit.gold],
                "a": [_answered(verdicts[n].get(unit.id)) for n in range(len(verdicts))],
            }
            for unit in units.values()
        ],
    }


Answered = tuple[MarkedUnit, UnitVerdict, list[float | None]]


def _sides(text: Text) -> list[str]:
    return [str(text.en), str(text.zh)] if isinstance(text, Both) else [text, text]


def _verdicts(section: Section) -> list[dict[str, Answered]]:
    """For every candidate, the units marked: verdict and every metric's value."""
    found = []
    for candidate in section.candidates:
        columns = [candidate.values(metric) for metric in section.metrics]
        main = list(section.metrics).index(section.main)
        rules = candidate.metrics.get(section.main)
        found.append(
            {
                unit.id: (unit, verdict(unit, row[main], rules), list(row))
                for unit, row in zip(candidate.sheet.units, zip(*columns, strict=True), strict=True)
            }
        )
    return found


def _answered(one: Answered | None) -> dict[str, Any]:
    if one is None:
        return {"v": UnitVerdict.NOT_SAT}
    unit, unit_verdict, values = one
    return {
        "v": unit_verdict,
        "m": [None if value is None else round(value, _DIGITS) for value in values],
        "a": [shown_row(row) for row in unit.answers],
    }


def _filters(section: Section, units: list[MarkedUnit]) -> list[list[Any]]:
    """Fields to choose units by, with their values; those of the slices come first."""
    names = dict.fromkeys([*section.fields, *(name for unit in units for name in unit.fields)])
    found: list[list[Any]] = []
    for name in names:
        values = values_to_filter([labels_of(unit.fields.get(name)) for unit in units])
        if values:
            found.append([name, sorted(values, key=_in_order)])
    return found


def _in_order(label: str) -> tuple[bool, float, str]:
    try:
        return False, float(label), label
    except ValueError:
        return True, 0.0, label


_IN_SCRIPT = ("page", "browser", "verdict", "label", "field", "slices", "evidence", "cue")
_SEAM = re.compile(r"(?<=[_=])|(?<=,)(?=[^\d\s])|(?<=\w)(?=\()")
"""Between the parts of a name such as llm(model=a_b,style=none)."""
STYLES = ("page.css", "plots.css", "beside.css", "browser.css", "narrow.css", "print.css")
SCRIPTS = (
    "language.js",
    "inflate.js",
    "places.js",
    "search.js",
    "passage.js",
    "detail.js",
    "browser.js",
    "page.js",
)
SECTIONS = Registry("report section", "readmark.report_sections")
"""The sections of a page in order, plug-ins' last; one with nothing to show gives None."""
ON_REQUEST = frozenset(("panel", "derivations"))
"""Sections that are shown where a metric names them as its ``plot``."""


def wanted_sections(section: Section) -> set[str]:
    """The sections that a test's part of the page may show."""
    plots = {
        hook(rules.metric, "plot", None)
        for candidate in section.candidates
        for rules in candidate.metrics.values()
    }
    return {name for name in SECTIONS if name not in ON_REQUEST or name in plots}


@dataclass(frozen=True, slots=True)
class View:
    """A section as the template sees it."""

    section: Section
    size: Text
    sentences: Sequence[Both]
    brackets: Both
    warnings: Sequence[Text]
    parts: Sequence[Part]
    signatures: Sequence[Signed]
    commands: Sequence[str]
    block: str


def _part(name: str, make: ReportSection, shown: SectionData) -> Part | None:
    """A section's part; a plug-in that fails, or returns something else, is named."""
    package = SECTIONS.entry(name).package
    try:
        part = make(shown)
        if part is not None and not isinstance(part, Part):
            raise TypeError(f"it returned {type(part).__name__}, expected readmark.Part")
    except Exception as error:
        if package == "readmark":
            raise
        raise ReadmarkError(f"report section {name} of package {package}: {error}") from error
    return part


def view(section: Section, table: Standings | None = None) -> View:
    """Everything that is said and shown of a section, and its splits where it has several."""
    shown = SectionData.of(section, table)
    compared, people = shown.compared, shown.people
    wanted = wanted_sections(section)
    parts = [_part(name, make, shown) for name, make in SECTIONS.working() if name in wanted]
    units = section.units()
    return View(
        section=section,
        size=size_words(section, len(units), len({unit.group for unit in units.values()})),
        sentences=sentences(section, compared, people),
        brackets=bracket_note(section),
        warnings=warnings(section),
        parts=[part for part in parts if part is not None],
        signatures=signatures(section, compared, people),
        commands=commands(section, compared),
        block=unit_block(section),
    )


def page(
    sections: Sequence[Section],
    *,
    language: str | None,
    title: str | None,
    output: str,
    tables: Mapping[int, Standings] | None = None,
) -> str:
    """The whole page; the language is the tests' own unless it is named.

    ``tables`` are those of splits, by the number of the section that they stand in.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.reporting.page", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        phrase=phrase,
        people_phrase=people_phrase,
        metric_words=metric_words,
        note_words=note_words,
        svg=Markup,
        breakable=breakable,
        softened=softened,
        next_id=itertools.count(1).__next__,
    )
    names = list(dict.fromkeys(section.test.name for section in sections))
    sheets = [sheet for section in sections for sheet in section.sheets]
    unsure = frozenset().union(*(unvalidated(sheet.header.metrics) for sheet in sheets))
    with signing(unsure):
        return environment.get_template("page.html").render(
            language=language or page_language(sections),
            title=title or ", ".join(names),
            views=[view(section, (tables or {}).get(section.number)) for section in sections],
            report_command=report_command(sections, output),
            version=__version__,
            style=Markup("\n").join(Markup(asset(name)) for name in STYLES),
            script=Markup("\n").join(Markup(asset(name)) for name in SCRIPTS),
            words=Markup(_inline_json(_script_words())),
        )


def breakable(signature: str) -> Markup:
    """A signature that may be broken after each of its parts."""
    return Markup("|<wbr>").join(signature.split("|"))


def softened(text: Text) -> Text:
    """A name of one's own that may be broken between its parts, as long ones must be."""
    if isinstance(text, Both):
        return Both(_softened(text.en), _softened(text.zh))
    return _softened(text)


def _softened(text: str) -> str:
    if isinstance(text, Markup):
        return text
    name = isinstance(text, Isolated)
    soft = Markup("<wbr>").join(_SEAM.split(text))
    return Markup("<bdi>{}</bdi>").format(soft) if name else soft


def page_language(sections: Sequence[Section]) -> str:
    """Chinese where every test is; English otherwise."""
    return "zh" if all(section.test.language == "zh" for section in sections) else "en"


def asset(name: str) -> str:
    """A style sheet or script of the page."""
    return files("readmark.reporting.page").joinpath("assets", name).read_text("utf-8")


def _script_words() -> dict[str, Any]:
    """The strings that the page's script needs."""
    groups = table()
    values = [group for group in groups if group.startswith("value_")]
    return {group: groups[group] for group in (*_IN_SCRIPT, *values)}


def _inline_json(value: Any) -> str:
    """JSON that is safe in a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
