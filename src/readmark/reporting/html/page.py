"""The page: every section with its parts, put into the templates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import msgspec
from markupsafe import Markup

from readmark.corpus.version import __version__
from readmark.reporting.html.block import unit_block
from readmark.reporting.html.comparing import Compared, compare_all
from readmark.reporting.html.layout import Part
from readmark.reporting.html.parts.beside import beside
from readmark.reporting.html.parts.by_level import by_level
from readmark.reporting.html.parts.by_split import Ranked, by_split
from readmark.reporting.html.parts.derivations import derivations
from readmark.reporting.html.parts.errors import errors
from readmark.reporting.html.parts.overall import overall
from readmark.reporting.html.parts.panel import panel
from readmark.reporting.html.parts.positions import positions
from readmark.reporting.html.parts.sliced import sliced
from readmark.reporting.html.parts.spent import spent
from readmark.reporting.html.parts.spread import repeated, spread, trusted
from readmark.reporting.html.reproduce import Signed, commands, report_command, signatures
from readmark.reporting.html.sections import Section
from readmark.reporting.html.slices import WithPeople
from readmark.reporting.html.summary import bracket_note, sentences, size_words, warnings
from readmark.reporting.html.whose import say_whose
from readmark.reporting.html.words import Both, Isolated, Text, metric_words, say, table

_IN_SCRIPT = ("page", "browser", "verdict", "label", "field", "slices")
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


@dataclass(frozen=True, slots=True)
class Shown:
    """What the parts of a section are made from."""

    section: Section
    compared: Compared
    people: Sequence[WithPeople]
    table: Ranked | None = None
    """Its splits, where it has several."""

    @classmethod
    def of(cls, section: Section, table: Ranked | None = None) -> Shown:
        """A section with its comparisons."""
        people = [WithPeople(one) for one in section.candidates]
        return cls(section, compare_all(section), people, table)


PARTS: Mapping[str, Callable[[Shown], Part | None]] = {
    "marks": lambda one: overall(one.section, one.compared),
    "slices": lambda one: sliced(one.section),
    "people": lambda one: beside(one.section, one.people),
    "splits": lambda one: by_split(one.section, one.table),
    "levels": lambda one: by_level(one.section, one.people),
    "errors": lambda one: errors(one.section),
    "positions": lambda one: positions(one.section),
    "spent": lambda one: spent(one.section),
    "panel": lambda one: panel(one.section),
    "derivations": lambda one: derivations(one.section),
    "spread": lambda one: spread(one.section),
    "certainty": lambda one: trusted(one.section),
    "repeats": lambda one: repeated(one.section),
}
"""Every part of a section in the order of the page; one with nothing to show is None."""
ON_REQUEST = frozenset(("panel", "derivations"))
"""Parts that are shown where a metric names them as its ``plot``."""


def wanted_parts(section: Section) -> set[str]:
    """The parts that a section may show."""
    plots = {
        getattr(rules.metric, "plot", None)
        for candidate in section.candidates
        for rules in candidate.metrics.values()
    }
    return {name for name in PARTS if name not in ON_REQUEST or name in plots}


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


def view(section: Section, table: Ranked | None = None) -> View:
    """Everything that is said and shown of a section, and its splits where it has several."""
    shown = Shown.of(section, table)
    compared, people = shown.compared, shown.people
    parts = [part(shown) for name, part in PARTS.items() if name in wanted_parts(section)]
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
    tables: Mapping[int, Ranked] | None = None,
) -> str:
    """The whole page; the language is the tests' own unless it is named.

    ``tables`` are those of splits, by the number of the section that they stand in.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.reporting.html", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        say=say,
        say_whose=say_whose,
        metric_words=metric_words,
        svg=Markup,
        breakable=breakable,
        softened=softened,
        next_id=itertools.count(1).__next__,
    )
    names = list(dict.fromkeys(section.test.name for section in sections))
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
    return "zh" if all(one.test.language == "zh" for one in sections) else "en"


def asset(name: str) -> str:
    """A style sheet or script of the page."""
    return files("readmark.reporting.html").joinpath("assets", name).read_text("utf-8")


def _script_words() -> dict[str, Any]:
    """The strings that the page's script needs."""
    return {group: table()[group] for group in _IN_SCRIPT}


def _inline_json(value: Any) -> str:
    """JSON that may stand in a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
