"""The page: every section with its parts, put into the templates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from markupsafe import Markup

from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError
from readmark.core.registry import Registry
from readmark.core.unvalidated import unvalidated
from readmark.core.version import __version__
from readmark.hooks import ReportSection
from readmark.reporting.page.bilingual import Bilingual, Text, joined
from readmark.reporting.page.cautions import cautions
from readmark.reporting.page.commands import Signed, commands, report_command, signatures
from readmark.reporting.page.coverage import shared_part
from readmark.reporting.page.differences import disagreements
from readmark.reporting.page.headlines import Headline, headlines
from readmark.reporting.page.isolation import Isolated
from readmark.reporting.page.layout import Part
from readmark.reporting.page.metric_names import metric_words, signing
from readmark.reporting.page.next_steps import NextStep, next_steps
from readmark.reporting.page.overview import overview
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.summary import bracket_note, sentences, size_words
from readmark.reporting.page.units import UnitBlocks, unit_blocks
from readmark.reporting.page.verdict import leading_pair, verdict_sentence
from readmark.reporting.page.words import note_words, phrase, strings
from readmark.reporting.standings import Standings

if TYPE_CHECKING:
    from jinja2 import Template

_SCRIPT_WORDS = (
    "page",
    "browser",
    "verdict",
    "label",
    "field",
    "slices",
    "evidence",
    "cue",
    "error_class",
    "table_tools",
)
_SEAM = re.compile(r"(?<=[_=])|(?<=,)(?=[^\d\s])|(?<=\w)(?=\()")
"""Between the parts of a name such as llm(model=a_b,style=none)."""
LONG = 12
"""A table of more rows is folded."""
STYLES = ("page.css", "plots.css", "beside.css", "browser.css", "narrow.css", "print.css")
SCRIPTS = (
    "language.js",
    "inflate.js",
    "places.js",
    "search.js",
    "passage.js",
    "detail.js",
    "browser.js",
    "tables.js",
    "pictures.js",
    "page.js",
)
SECTIONS = Registry("report section", "readmark.report_sections")
"""The sections of a page in order, plug-ins' last; one with nothing to show gives None."""


@dataclass(frozen=True, slots=True)
class View:
    """A section as the template sees it."""

    section: Section
    name: str
    data: SectionData
    size: Text
    verdict: Bilingual
    headlines: Sequence[Headline]
    disagreements: Sequence[Bilingual]
    next_steps: Sequence[NextStep]
    sentences: Sequence[Bilingual]
    brackets: Bilingual
    warnings: Sequence[Text]
    parts: Sequence[Part]
    signatures: Sequence[Signed]
    commands: Sequence[str]
    blocks: UnitBlocks


def _part(name: str, make: ReportSection, data: SectionData) -> Part | None:
    """A section's part; a plug-in that fails, or returns something else, is named."""
    package = SECTIONS.entry(name).package
    try:
        part = make(data)
        if part is not None and not isinstance(part, Part):
            raise TypeError(f"it returned {type(part).__name__}, expected readmark.Part")
    except Exception as error:
        if package == "readmark":
            raise
        failed = f"report section {name} of package {package} failed: {error_line(error)}"
        raise ReadmarkError(failed) from error
    return part


def view_of(section: Section, table: Standings | None = None) -> View:
    """Everything that is said and shown of a section, and its splits where it has several."""
    data = SectionData.of(section, table)
    compared, people = data.compared, data.people
    parts = [_part(name, make, data) for name, make in SECTIONS.working()]
    units = section.units()
    size = size_words(section, len(units), len({unit.group for unit in units.values()}))
    sat = [candidate.sheet for candidate in section.candidates]
    pair = leading_pair(section, compared)
    return View(
        section=section,
        name=str(section.test_name),
        data=data,
        verdict=verdict_sentence(data, pair),
        headlines=headlines(data),
        disagreements=disagreements(section, compared, section.main),
        next_steps=next_steps(data, pair),
        size=joined([size, shared_part(sat) or ""], en="", zh=""),
        sentences=sentences(section, compared, people),
        brackets=bracket_note(section),
        warnings=cautions(section),
        parts=[part for part in parts if part is not None],
        signatures=signatures(section, compared),
        commands=commands(section, compared),
        blocks=unit_blocks(section),
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
    names = list(dict.fromkeys(section.test.name for section in sections))
    sheets = [sheet for section in sections for sheet in section.sheets]
    unsure = frozenset().union(*(unvalidated(sheet.header.metrics) for sheet in sheets))
    with signing(unsure):
        views = [view_of(section, (tables or {}).get(section.number)) for section in sections]
        return _template().render(
            language=language or page_language(sections),
            title=title or ", ".join(names),
            views=views,
            overview=overview([view.data for view in views]),
            long=LONG,
            report_command=report_command(sections, output),
            version=__version__,
            style=Markup("\n").join(Markup(asset(name)) for name in STYLES),
            script=Markup("\n").join(Markup(asset(name)) for name in SCRIPTS),
            theme=Markup(asset("theme.js")),
            words=Markup(_inline_json(_script_words())),
            next_id=itertools.count(1).__next__,
        )


@cache
def _template() -> Template:
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
    )
    return environment.get_template("page.html")


def breakable(signature: str) -> Markup:
    """A signature that may be broken after each of its parts."""
    return Markup("|<wbr>").join(signature.split("|"))


def softened(text: Text) -> Text:
    """A name of one's own that may be broken between its parts, as long ones must be."""
    if isinstance(text, Bilingual):
        return Bilingual(_softened(text.en), _softened(text.zh))
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
    groups = strings()
    values = [group for group in groups if group.startswith("value_")]
    return {group: groups[group] for group in (*_SCRIPT_WORDS, *values)}


def _inline_json(value: Any) -> str:
    """JSON that is safe in a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
