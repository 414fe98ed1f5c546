"""The file ``categories.toml``: what annotators mark, and the statements that it yields.

"The formal assertions of the ontology must be recast into annotation categories that more closely
capture the patterns found naturally occurring text" ("The DARPA Machine Reading Program", section
3.2.2). The same file describes an annotation tool: labels, shortcuts, colours and guidelines.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Value
from readmark.formats.brat.labels import is_plain
from readmark.tasks.reasoning.graphs import Pattern, read_graph
from readmark.tasks.reasoning.terms import Name, Term, Variable
from readmark.works import MarkAttribute, MarkRelation, Text

CATEGORIES = "categories.toml"
ID, NUMBER, WORDS = "id", "n", "words"
ENTITY, SAME, PROBABILITY, NOTE = "entity", "same", "probability", "note"
RESERVED = (ID, NUMBER, WORDS, ENTITY, SAME, PROBABILITY, NOTE, "type", "mark", "fragments")
"""Names that no attribute, relation or object has: every mark has these, or files do."""

_HOLE = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"[^\W\d]\w*")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class _Object(Value, frozen=True):
    id: str
    statements: tuple[str, ...]


class _Category(Value, frozen=True):
    label: Text = ""
    shortcut: str = ""
    colour: str = ""
    guideline: Text = ""
    id: str = ""
    attributes: dict[str, MarkAttribute | str] = {}
    relations: dict[str, MarkRelation | str] = {}
    statements: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}


class _File(Value, frozen=True):
    category: dict[str, _Category]
    object: dict[str, _Object] = {}


class Hole(NamedTuple):
    """A placeholder in a statement, such as ``{team}``."""

    name: str


class StatementTemplate(NamedTuple):
    """A statement with placeholders; with a flag it is stated only where a mark has the flag."""

    terms: tuple[Term | Hole, ...]
    text: str
    line: int
    flag: str | None = None

    @property
    def holes(self) -> tuple[str, ...]:
        """The placeholders' names."""
        return tuple(term.name for term in self.terms if isinstance(term, Hole))


@dataclass(frozen=True)
class UnmentionedObject:
    """An object that no words name, such as a game: it is there when a statement uses it."""

    name: str
    id: str
    templates: tuple[StatementTemplate, ...]
    line: int = 1

    @property
    def holes(self) -> tuple[str, ...]:
        """The placeholders of its name and statements, itself left out."""
        in_templates = (hole for template in self.templates for hole in template.holes)
        holes = dict.fromkeys((*_HOLE.findall(self.id), *in_templates))
        return tuple(hole for hole in holes if hole not in (ID, self.name))


@dataclass(frozen=True)
class Category:
    """What an annotator can mark, and what is stated by it."""

    name: str
    id: str
    """The name of a new entity: ``Team-{n}`` counts, ``{words}`` takes the words."""
    attributes: Mapping[str, MarkAttribute]
    relations: Mapping[str, MarkRelation]
    templates: tuple[StatementTemplate, ...]
    label: Text = ""
    shortcut: str = ""
    colour: str = ""
    guideline: Text = ""
    line: int = 1


@dataclass(frozen=True)
class Categories:
    """The categories and unmentioned objects of a domain."""

    categories: Mapping[str, Category]
    objects: Mapping[str, UnmentionedObject]
    file: str = ""

    @cached_property
    def relation_names(self) -> dict[str, str]:
        """Every relation by its name in lower case, as annotation tools may spell it."""
        names = (name for category in self.categories.values() for name in category.relations)
        return {SAME: SAME, **{name.lower(): name for name in names}}

    def required(self, category: Category, name: str) -> bool:
        """Whether every mark of a category has something for a placeholder."""
        if name in category.attributes:
            return category.attributes[name].required
        if name in self.objects:
            holes = (hole for hole in self.objects[name].holes if hole not in (NUMBER, WORDS))
            return all(self.required(category, hole) for hole in holes)
        return name not in category.relations or not category.relations[name].optional

    def always(self, category: Category, template: StatementTemplate) -> bool:
        """Whether every mark of a category yields a statement of this template."""
        return template.flag is None and all(
            self.required(category, name) for name in template.holes
        )


def read_categories(text: str, file: str, report: ReportProblem = fail) -> Categories | None:
    """The categories in a TOML file; None when anything in it was reported."""
    try:
        tables = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        where = f"{place[1]}:{place[2]}" if place else "1"
        report(Problem(file, where, "toml", _TOML_PLACE.sub("", str(error))))
        return None
    except RecursionError:
        report(Problem(file, 1, "toml", "nested too deep"))
        return None
    except msgspec.ValidationError as error:
        report(Problem(file, _line_of_fault(text, str(error)), "schema", in_words(error)))
        return None
    reader = _Reader(text, file, report)
    categories = reader.categories(tables)
    return None if reader.is_faulty else categories


def categories_of(
    tables: Mapping[str, Any], file: str, report: ReportProblem = fail
) -> Categories | None:
    """The categories of tables that were read already; None when anything was reported."""
    try:
        checked = msgspec.convert(tables, _File)
    except msgspec.ValidationError as error:
        report(Problem(file, 1, "schema", in_words(error)))
        return None
    reader = _Reader("", file, report)
    categories = reader.categories(checked)
    return None if reader.is_faulty else categories


def _line_of_fault(text: str, fault: str) -> int:
    """The line of the last name that a path of msgspec has, as far as the text has it."""
    names = re.findall(r"`([^`]*)`", fault)
    words = [word for name in names for word in re.findall(r"[^\W\d]\w*", name)]
    lines = text.split("\n")
    for word in reversed(words):
        for number, line in enumerate(lines, 1):
            if word not in ("object", "category") and re.search(rf"\b{re.escape(word)}\b", line):
                return number
    return 1


class _Reader:
    """Makes categories of tables; every mistake is reported with its line."""

    def __init__(self, text: str, file: str, report: ReportProblem) -> None:
        self._lines, self._file, self._report = text.split("\n"), file, report
        self.is_faulty = False

    def categories(self, tables: _File) -> Categories:
        objects = {name: self._object(name, table) for name, table in tables.object.items()}
        categories = {name: self._category(name, table) for name, table in tables.category.items()}
        if not categories:
            self._fault(1, "no_category", "declares no categories: a table [category.NAME] each")
        names = {
            name
            for category in categories.values()
            for name in (*category.attributes, *category.relations)
        }
        for name, object_ in objects.items():
            if _names_itself(objects, name):
                message = f"the id of the object {name} is made of itself"
                self._fault(object_.line, "placeholder", message)
            for hole in object_.holes:
                if hole not in (NUMBER, WORDS, *objects) and hole not in names:
                    message = f"the object {name} has {{{hole}}}, which no category has"
                    self._fault(object_.line, "placeholder", message)
        declared = Categories(categories, objects, self._file)
        shortcuts: dict[str, str] = {}
        for name, category in categories.items():
            self._require_sound(category, declared)
            first = shortcuts.setdefault(category.shortcut, name) if category.shortcut else name
            if first != name:
                line = self._line("category", name, "shortcut")
                message = f"the shortcut {category.shortcut!r} of {name} is that of {first} too"
                self._fault(line, "shortcut", message)
        return declared

    def _object(self, name: str, table: _Object) -> UnmentionedObject:
        line = self._line("object", name)
        if name in RESERVED or not _NAME.fullmatch(name):
            self._fault(line, "name", f"{name!r} cannot be the name of an object")
        templates = tuple(self._templates("object", name, table.statements))
        return UnmentionedObject(name, table.id, templates, line)

    def _category(self, name: str, table: _Category) -> Category:
        line = self._line("category", name)
        if not is_plain(name):
            message = f"{name!r} cannot be a category: it is not a word, or names a layer"
            self._fault(line, "name", message)
        if table.colour and not _COLOUR.fullmatch(table.colour):
            message = f"the colour of {name} is {table.colour!r}, expected one such as #4477aa"
            self._fault(self._line("category", name, "colour"), "schema", message)
        if len(table.shortcut) > 1:
            message = f"the shortcut of {name} is {table.shortcut!r}, expected one character"
            self._fault(self._line("category", name, "shortcut"), "schema", message)
        attributes = {
            member: self._attribute(name, member, spec) for member, spec in table.attributes.items()
        }
        relations = {
            member: MarkRelation(to=spec) if isinstance(spec, str) else spec
            for member, spec in table.relations.items()
        }
        for member in (*attributes, *relations):
            if member in RESERVED or not _NAME.fullmatch(member):
                message = f"{name}: {member!r} cannot be an attribute or a relation"
                self._fault(self._line("category", name, member), "name", message)
        for member in attributes.keys() & relations.keys():
            message = f"{name}: {member} is both an attribute and a relation"
            self._fault(self._line("category", name, member), "name", message)
        templates = [*self._templates("category", name, table.statements)]
        for flag, texts in table.when.items():
            if flag not in attributes or attributes[flag].type != "flag":
                message = f"{name}: when.{flag} needs an attribute {flag} of the type flag"
                self._fault(self._line("category", name, "when"), "placeholder", message)
            templates += self._templates("category", name, texts, flag)
        return Category(
            name=name,
            id=table.id or f"{name}-{{{NUMBER}}}",
            attributes=attributes,
            relations=relations,
            templates=tuple(templates),
            label=table.label,
            shortcut=table.shortcut,
            colour=table.colour,
            guideline=table.guideline,
            line=line,
        )

    def _attribute(self, category: str, name: str, spec: MarkAttribute | str) -> MarkAttribute:
        """An attribute; one that says only its type may be written as the type."""
        if not isinstance(spec, str):
            return spec
        try:
            return msgspec.convert({"type": spec}, MarkAttribute)
        except msgspec.ValidationError as error:
            line = self._line("category", category, name)
            self._fault(line, "schema", f"{category}: {name}: {in_words(error)}")
            return MarkAttribute()

    def _templates(
        self, table: str, name: str, texts: Sequence[str], flag: str | None = None
    ) -> Iterator[StatementTemplate]:
        for text in texts:
            line = self._line(table, name, text)
            try:
                patterns = read_graph(text)
                if len(patterns) != 1:
                    raise DataError(f"{len(patterns)} statements in one string, expected one")
                yield StatementTemplate(_terms(patterns[0]), text, line, flag)
            except DataError as error:
                self._fault(line, "graph", f"{name}: {text}: {error.message}")

    def _require_sound(self, category: Category, declared: Categories) -> None:
        """Report placeholders and targets that there are not, and a category without statements."""
        name = category.name
        if not category.templates:
            self._fault(category.line, "no_statement", f"the category {name} yields no statement")
        for relation, spec in category.relations.items():
            for target in spec.targets:
                if target not in declared.categories:
                    hint = did_you_mean(target, declared.categories)
                    line = self._line("category", name, relation)
                    message = f"{name}: {relation} leads to {target}, not a category; {hint}"
                    self._fault(line, "unknown_category", message)
        known = (ID, *category.attributes, *category.relations, *declared.objects)
        for hole in _HOLE.findall(category.id):
            if hole not in (NUMBER, WORDS):
                line = self._line("category", name, "id")
                message = f"{name}: {{{hole}}} in the id, expected {{n}} or {{words}}"
                self._fault(line, "placeholder", message)
        for template in category.templates:
            for hole in template.holes:
                where = f"{name}: {template.text}"
                if hole not in known:
                    message = f"{where}: there is no {{{hole}}}; {did_you_mean(hole, known)}"
                    self._fault(template.line, "placeholder", message)
                if hole not in category.relations:
                    for other in _lacking(hole, category, declared):
                        message = (
                            f"{where}: {{{hole}}} needs {{{other}}}, which {name} does not have"
                        )
                        self._fault(template.line, "placeholder", message)
                attribute = category.attributes.get(hole)
                if attribute is not None and attribute.type == "flag":
                    message = f"{where}: {hole} is a flag; write the statement under when.{hole}"
                    self._fault(template.line, "placeholder", message)

    def _line(self, table: str, name: str, within: str = "") -> int:
        """The line of a table, or the first in it that has a text."""
        header = re.compile(rf"\s*\[+\s*{table}\s*\.\s*[\"']?{re.escape(name)}[\"']?\s*[.\]]")
        other = re.compile(r"\s*\[+\s*(?:category|object)\s*\.")
        is_key = within.isidentifier()
        key = re.compile(rf"\b{within}\b\s*[=.\]]" if is_key else re.escape(within))
        first = None
        for number, line in enumerate(self._lines, 1):
            if header.match(line):
                first = first or number
            elif first is not None and other.match(line):
                return first
            if first is not None and within and key.search(line):
                return number
        return first or 1

    def _fault(self, line: int, code: str, message: str) -> None:
        self.is_faulty = True
        self._report(Problem(self._file, line, code, message))


def _terms(pattern: Pattern) -> tuple[Term | Hole, ...]:
    return _term(pattern.subject), _term(pattern.predicate), _term(pattern.object)


def _term(term: Term) -> Term | Hole:
    if isinstance(term, Variable):
        raise DataError(f"?{term.text} is a variable; a placeholder is {{{term.text}}}")
    if isinstance(term, Name):
        if match := _HOLE.fullmatch(term.text):
            return Hole(match[1])
        if "{" in term.text or "}" in term.text:
            raise DataError(f"{term.text} mixes a name and a placeholder; declare an [object.NAME]")
    return term


def _names_itself(objects: Mapping[str, UnmentionedObject], name: str) -> bool:
    """Whether the id of an object is made of itself, maybe by way of other objects."""
    unread, seen = [name], set[str]()
    while unread:
        for hole in holes_of(objects[unread.pop()].id):
            if hole in (name, ID):
                return True
            if hole in objects and hole not in seen:
                seen.add(hole)
                unread.append(hole)
    return False


def _lacking(name: str, category: Category, declared: Categories) -> Iterator[str]:
    """What an object needs and the category does not have."""
    unread, seen = [name] if name in declared.objects else [], {name}
    while unread:
        for hole in declared.objects[unread.pop()].holes:
            if hole in seen or hole in (NUMBER, WORDS):
                continue
            seen.add(hole)
            if hole in category.attributes or hole in category.relations:
                continue
            if hole in declared.objects:
                unread.append(hole)
            else:
                yield hole


def filled(template: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders filled in."""
    return _HOLE.sub(lambda hole: values[hole[1]], template)


def holes_of(template: str) -> list[str]:
    """The placeholders in a name."""
    return _HOLE.findall(template)
