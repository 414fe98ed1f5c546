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
        found = (*_HOLE.findall(self.id), *(hole for one in self.templates for hole in one.holes))
        return tuple(dict.fromkeys(hole for hole in found if hole not in (ID, self.name)))


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
        names = (name for one in self.categories.values() for name in one.relations)
        return {SAME: SAME, **{name.lower(): name for name in names}}

    def required(self, category: Category, name: str) -> bool:
        """Whether every mark of a category has something for a placeholder."""
        if name in category.attributes:
            return category.attributes[name].required
        if name in self.objects:
            own = (hole for hole in self.objects[name].holes if hole not in (NUMBER, WORDS))
            return all(self.required(category, hole) for hole in own)
        return name not in category.relations or not category.relations[name].optional

    def always(self, category: Category, template: StatementTemplate) -> bool:
        """Whether every mark of a category yields a statement of this template."""
        return template.flag is None and all(
            self.required(category, name) for name in template.holes
        )


def read_categories(text: str, file: str, report: ReportProblem = fail) -> Categories | None:
    """The categories in a TOML file; None when anything in it was reported."""
    try:
        said = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as wrong:
        place = _TOML_PLACE.search(str(wrong))
        where = f"{place[1]}:{place[2]}" if place else "1"
        report(Problem(file, where, "toml", _TOML_PLACE.sub("", str(wrong))))
        return None
    except RecursionError:
        report(Problem(file, 1, "toml", "nested too deep"))
        return None
    except msgspec.ValidationError as wrong:
        report(Problem(file, _line_of_fault(text, str(wrong)), "schema", in_words(wrong)))
        return None
    reader = _Reader(text, file, report)
    found = reader.categories(said)
    return None if reader.faulty else found


def categories_of(
    tables: Mapping[str, Any], file: str, report: ReportProblem = fail
) -> Categories | None:
    """The categories of tables that were read already; None when anything was reported."""
    try:
        said = msgspec.convert(tables, _File)
    except msgspec.ValidationError as wrong:
        report(Problem(file, 1, "schema", in_words(wrong)))
        return None
    reader = _Reader("", file, report)
    found = reader.categories(said)
    return None if reader.faulty else found


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
    def __init__(self, text: str, file: str, report: ReportProblem) -> None:
        self._lines, self._file, self._report = text.split("\n"), file, report
        self.faulty = False

    def categories(self, said: _File) -> Categories:
        objects = {name: self._object(name, one) for name, one in said.object.items()}
        found = {name: self._category(name, one) for name, one in said.category.items()}
        if not found:
            self._fault(1, "no_category", "declares no categories: a table [category.NAME] each")
        whole = Categories(found, objects, self._file)
        for name, one in objects.items():
            if _names_itself(objects, name):
                fault = f"the id of the object {name} is made of itself"
                self._fault(one.line, "placeholder", fault)
            for hole in one.holes:
                if hole not in (NUMBER, WORDS, *objects) and not any(
                    hole in (*category.attributes, *category.relations)
                    for category in found.values()
                ):
                    message = f"the object {name} has {{{hole}}}, which no category has"
                    self._fault(one.line, "placeholder", message)
        shortcuts: dict[str, str] = {}
        for name, category in found.items():
            self._require_sound(category, whole)
            if category.shortcut and shortcuts.setdefault(category.shortcut, name) != name:
                fault = f"the shortcut {category.shortcut!r} of {name} is that of"
                line = self._line("category", name, "shortcut")
                self._fault(line, "shortcut", f"{fault} {shortcuts[category.shortcut]} too")
        return whole

    def _object(self, name: str, said: _Object) -> UnmentionedObject:
        line = self._line("object", name)
        if name in RESERVED or not _NAME.fullmatch(name):
            self._fault(line, "name", f"{name!r} cannot be the name of an object")
        templates = tuple(self._templates("object", name, said.statements))
        return UnmentionedObject(name, said.id, templates, line)

    def _category(self, name: str, said: _Category) -> Category:
        line = self._line("category", name)
        if not is_plain(name):
            message = f"{name!r} cannot be a category: it is no word, or names a layer"
            self._fault(line, "name", message)
        if said.colour and not _COLOUR.fullmatch(said.colour):
            fault = f"the colour of {name} is {said.colour!r}, expected one such as #4477aa"
            self._fault(self._line("category", name, "colour"), "schema", fault)
        if len(said.shortcut) > 1:
            fault = f"the shortcut of {name} is {said.shortcut!r}, expected one character"
            self._fault(self._line("category", name, "shortcut"), "schema", fault)
        attributes = {each: self._attribute(name, each, of) for each, of in said.attributes.items()}
        relations = {
            each: MarkRelation(to=of) if isinstance(of, str) else of
            for each, of in said.relations.items()
        }
        for each in (*attributes, *relations):
            if each in RESERVED or not _NAME.fullmatch(each):
                at = self._line("category", name, each)
                self._fault(at, "name", f"{name}: {each!r} cannot be an attribute or a relation")
        for each in attributes.keys() & relations.keys():
            at = self._line("category", name, each)
            self._fault(at, "name", f"{name}: {each} is both an attribute and a relation")
        templates = [*self._templates("category", name, said.statements)]
        for flag, texts in said.when.items():
            if flag not in attributes or attributes[flag].type != "flag":
                at = self._line("category", name, "when")
                message = f"{name}: when.{flag} needs an attribute {flag} of the type flag"
                self._fault(at, "placeholder", message)
            templates += self._templates("category", name, texts, flag)
        return Category(
            name=name,
            id=said.id or f"{name}-{{{NUMBER}}}",
            attributes=attributes,
            relations=relations,
            templates=tuple(templates),
            label=said.label,
            shortcut=said.shortcut,
            colour=said.colour,
            guideline=said.guideline,
            line=line,
        )

    def _attribute(self, category: str, name: str, said: MarkAttribute | str) -> MarkAttribute:
        if not isinstance(said, str):
            return said
        try:
            return msgspec.convert({"type": said}, MarkAttribute)
        except msgspec.ValidationError as wrong:
            line = self._line("category", category, name)
            self._fault(line, "schema", f"{category}: {name}: {in_words(wrong)}")
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
            except DataError as wrong:
                self._fault(line, "graph", f"{name}: {text}: {wrong.message}")

    def _require_sound(self, category: Category, whole: Categories) -> None:
        """Placeholders, targets and the statements of a category."""
        name = category.name
        if not category.templates:
            self._fault(category.line, "no_statement", f"the category {name} yields no statement")
        for relation, of in category.relations.items():
            for target in of.targets:
                if target not in whole.categories:
                    hint = did_you_mean(target, whole.categories)
                    line = self._line("category", name, relation)
                    fault = f"{name}: {relation} leads to {target}, which is no category; {hint}"
                    self._fault(line, "unknown_category", fault)
        known = (ID, *category.attributes, *category.relations, *whole.objects)
        for hole in _HOLE.findall(category.id):
            if hole not in (NUMBER, WORDS):
                line = self._line("category", name, "id")
                message = f"{name}: {{{hole}}} in the id, expected {{n}} or {{words}}"
                self._fault(line, "placeholder", message)
        for template in category.templates:
            for hole in template.holes:
                where = f"{name}: {template.text}"
                needed = known if hole not in whole.objects else (*known, NUMBER, WORDS)
                self._require_known(where, template.line, (hole,), needed)
                lacking = _lacking(hole, category, whole) if hole not in category.relations else ()
                for other in lacking:
                    message = f"{where}: {{{hole}}} needs {{{other}}}, which {name} does not have"
                    self._fault(template.line, "placeholder", message)
                attribute = category.attributes.get(hole)
                if attribute is not None and attribute.type == "flag":
                    message = f"{where}: {hole} is a flag; write the statement under when.{hole}"
                    self._fault(template.line, "placeholder", message)

    def _require_known(
        self, where: str, line: int, names: Sequence[str], known: Mapping[str, Any] | Sequence[str]
    ) -> None:
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known)
                message = f"{where}: there is no {{{name}}}; {hint}"
                self._fault(line, "placeholder", message)

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
        self.faulty = True
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
    waiting, seen = [name], set[str]()
    while waiting:
        for hole in holes_of(objects[waiting.pop()].id):
            if hole in (name, ID):
                return True
            if hole in objects and hole not in seen:
                seen.add(hole)
                waiting.append(hole)
    return False


def _lacking(name: str, category: Category, whole: Categories) -> Iterator[str]:
    """What an object needs and the category does not have."""
    waiting, seen = [name], {name}
    while waiting:
        for hole in whole.objects[one].holes if (one := waiting.pop()) in whole.objects else ():
            if hole in seen or hole in (NUMBER, WORDS):
                continue
            seen.add(hole)
            if hole in category.attributes or hole in category.relations:
                continue
            if hole in whole.objects:
                waiting.append(hole)
            else:
                yield hole


def filled(template: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders filled in."""
    return _HOLE.sub(lambda found: values[found[1]], template)


def holes_of(template: str) -> list[str]:
    """The placeholders in a name."""
    return _HOLE.findall(template)
