"""Marks as statements, by their categories."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from readmark.core.errors import DataError, did_you_mean
from readmark.core.records import Offsets
from readmark.core.spans import Excerpt
from readmark.tasks.categories.definitions import (
    ENTITY,
    ID,
    NOTE,
    NUMBER,
    PROBABILITY,
    SAME,
    WORDS,
    Categories,
    Category,
    Hole,
    StatementTemplate,
    filled,
    holes_of,
)
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.categories.values import value_in_words, value_of
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Statement, Support, statement_of
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Literal, Name, Term, term_of, written
from readmark.works import MarkAttribute


class Filling(NamedTuple):
    """What a placeholder stands for, and the words for it."""

    term: Name | Literal
    excerpts: tuple[Excerpt, ...] = ()
    implied: bool = False
    """Whether it is an object that no words name, so that its own statements are needed."""


def statements_of(
    marked: MarkedText, categories: Categories, namespaces: Namespaces | None = None
) -> list[Asserted]:
    """The statements that the marks on a document yield, in the order of the text.

    Statements about objects that no words name come once, after those that use them.
    """
    statements: list[Asserted] = []
    names = namespaces or Namespaces()
    for of_annotator in _by_annotator(marked):
        statements += CategoryMapping(of_annotator, categories, names).statements()
    return statements


def broken_marks(
    marked: MarkedText, categories: Categories, namespaces: Namespaces | None = None
) -> dict[str, DataError]:
    """The marks that `statements_of` would refuse, by id, each with the reason.

    A mark that cannot do without a broken one is broken too.
    """
    errors: dict[str, DataError] = {}
    names = namespaces or Namespaces()
    for of_annotator in _by_annotator(marked):
        CategoryMapping(of_annotator, categories, names, errors).test()
    return errors


def _by_annotator(marked: MarkedText) -> Iterator[MarkedText]:
    """The text with the marks of each annotator."""
    for annotator in dict.fromkeys(mark.annotator for mark in marked.marks):
        marks = tuple(mark for mark in marked.marks if mark.annotator == annotator)
        yield replace(marked, marks=marks)


class CategoryMapping:
    """The marks of one annotator. The first broken one raises, unless ``errors`` collects them."""

    def __init__(
        self,
        marked: MarkedText,
        categories: Categories,
        namespaces: Namespaces,
        errors: dict[str, DataError] | None = None,
    ) -> None:
        self._marked, self._categories, self._namespaces = marked, categories, namespaces
        self._errors = errors
        order = sorted(marked.marks, key=lambda mark: (mark.fragments, mark.id))
        self._marks = {mark.id: mark for mark in order}
        self._numbers: dict[str, int] = {}
        counts: dict[str, int] = defaultdict(int)
        for mark in order:
            counts[mark.category] += 1
            self._numbers[mark.id] = counts[mark.category]
        self._entities = self._named()
        self._filled: tuple[TextMark | None, dict[str, Filling | None]] = (None, {})
        """The placeholders of the last mark."""

    def statements(self) -> list[Asserted]:
        worded: list[Asserted] = []
        implied: dict[Statement, Asserted] = {}
        for mark in self._marks.values():
            worded += self._of_mark(mark, implied)
        stated = {asserted.statement for asserted in worded}
        return worded + [implied[statement] for statement in implied if statement not in stated]

    def same_without(self, mark: TextMark, shorter: TextMark, name: str) -> bool:
        """Whether a placeholder stands for the same where the mark does not give its value."""
        category = self._categories.categories[mark.category]
        attribute = category.attributes.get(name)
        if attribute is not None and attribute.type == "flag":
            return False
        return self._filling(mark, category, name) == self._filling(shorter, category, name)

    def test(self) -> None:
        """Collect what is wrong with each mark, and with those that need a broken one."""
        assert self._errors is not None
        linking: dict[str, list[TextMark]] = defaultdict(list)
        for mark in self._marks.values():
            for target in mark.links.values():
                linking[target].append(mark)
            self._test_mark(mark)
        broken = [id for id in self._marks if id in self._errors]
        while broken:
            for mark in linking[broken.pop()]:
                if mark.id in self._errors:
                    continue
                links = {
                    name: target
                    for name, target in mark.links.items()
                    if target not in self._errors
                }
                self._test_mark(replace(mark, links=links))
                if mark.id in self._errors:
                    broken.append(mark.id)

    def _test_mark(self, mark: TextMark) -> None:
        try:
            self._of_mark(mark, {})
        except DataError as error:
            self._note(mark, error)

    def _note(self, mark: TextMark, error: DataError) -> None:
        """Raise what is wrong with a mark, or collect it."""
        if self._errors is None:
            raise error
        self._errors.setdefault(mark.id, error)

    def _of_mark(self, mark: TextMark, implied: dict[Statement, Asserted]) -> list[Asserted]:
        statements = list(self._stated(mark, implied))
        if not statements:
            category = self._categories.categories[mark.category]
            needed = ", ".join((*category.relations, *category.attributes))
            raise self._wrong(mark, f"{mark.category} yields no statement without one of {needed}")
        return statements

    def _stated(self, mark: TextMark, implied: dict[Statement, Asserted]) -> Iterator[Asserted]:
        category = self._categories.categories[mark.category]
        self._require_known(mark, category)
        words = mark.excerpts(self._marked.id, self._marked.text)
        chance = self._chance(mark)
        seen: set[str] = set()
        # A flag with nothing to state is a mistake, as a mark is.
        unstated: dict[str, str] = {}
        stated: set[str] = set()
        for template in category.templates:
            if template.flag is not None and mark.values.get(template.flag) in (None, False):
                continue
            parts = self._parts(mark, category, template, None)
            if parts is None:
                if template.flag is not None:
                    unstated.setdefault(template.flag, template.text)
                continue
            if template.flag is not None:
                stated.add(template.flag)
            support = Support(words, *(part.excerpts for part in parts))
            yield self._asserted(parts, mark, support, chance)
            for hole in template.holes:
                self._imply(mark, category, hole, implied, seen)
        for flag, text in unstated.items():
            if flag not in stated:
                raise self._wrong(mark, f"{flag} is ticked: {text} needs more")

    def _imply(
        self,
        mark: TextMark,
        category: Category,
        name: str,
        implied: dict[Statement, Asserted],
        seen: set[str],
    ) -> None:
        """The statements of an object, and of the objects that those use, but for those seen."""
        holes = [name] if name not in seen else []
        seen.add(name)
        while holes:
            name = holes.pop(0)
            if name not in self._categories.objects:
                continue
            object_ = self._filling(mark, category, name)
            if object_ is None or not object_.implied:
                continue
            for template in self._categories.objects[name].templates:
                parts = self._parts(mark, category, template, object_)
                if parts is None:
                    continue
                # Nothing in the text says an implied statement, so it has no words.
                asserted = self._asserted(parts, mark, Support(), 1.0)
                implied.setdefault(asserted.statement, asserted)
                holes += [hole for hole in template.holes if hole not in seen and hole != ID]
                seen.update(template.holes)

    def _asserted(
        self, parts: Sequence[Filling], mark: TextMark, support: Support, chance: float
    ) -> Asserted:
        terms = [
            self._namespaces.canonical(part.term) if isinstance(part.term, Name) else part.term
            for part in parts
        ]
        statement = statement_of(Pattern(*terms))
        return Asserted(self._marked.id, statement, support, chance, mark.annotator)

    def _parts(
        self,
        mark: TextMark,
        category: Category,
        template: StatementTemplate,
        object_: Filling | None,
    ) -> list[Filling] | None:
        """A filling for each term; None where the mark lacks something that is optional.

        In statements about an object, ``{id}`` is the object and not the mark.
        """
        parts = []
        for term in template.terms:
            if not isinstance(term, Hole):
                parts.append(Filling(constant(term)))
                continue
            is_object = term.name == ID and object_ is not None
            part = object_ if is_object else self._filling(mark, category, term.name)
            if part is None:
                return None
            parts.append(part)
        return parts

    def _filling(self, mark: TextMark, category: Category, name: str) -> Filling | None:
        """What a placeholder stands for; None where it is optional and not given."""
        if self._filled[0] is not mark:
            self._filled = mark, {}
        filled = self._filled[1]
        if name not in filled:
            filled[name] = self._new_filling(mark, category, name)
        return filled[name]

    def _new_filling(self, mark: TextMark, category: Category, name: str) -> Filling | None:
        if name == ID:
            excerpts = mark.excerpts(self._marked.id, self._marked.text)
            return Filling(Name(self._entities[mark.id]), excerpts)
        if name in category.attributes:
            return self._value(mark, name, category.attributes[name])
        if name in mark.links:
            target = self._marks[mark.links[name]]
            excerpts = target.excerpts(self._marked.id, self._marked.text)
            return Filling(Name(self._entities[target.id]), excerpts)
        is_object = name in self._categories.objects
        if name in mark.values:
            return Filling(self._name(mark, name, mark.values[name]), implied=is_object)
        if is_object:
            return self._object(mark, category, name)
        if category.relations[name].optional:
            return None
        to = " or ".join(category.relations[name].targets)
        raise self._wrong(mark, f"{mark.category} needs a relation {name} to a mark of {to}")

    def _object(self, mark: TextMark, category: Category, name: str) -> Filling | None:
        values = self._own_values(mark)
        template = self._categories.objects[name].id
        for hole in holes_of(template):
            if hole not in values:
                part = self._filling(mark, category, hole)
                if part is None:
                    return None
                values[hole] = _as_name(written(part.term).strip('"'))
        return Filling(self._name(mark, name, filled(template, values)), implied=True)

    def _own_values(self, mark: TextMark) -> dict[str, str]:
        return {NUMBER: str(self._numbers[mark.id]), WORDS: _as_name(self._words(mark))}

    def _value(self, mark: TextMark, name: str, attribute: MarkAttribute) -> Filling | None:
        """The value of an attribute: the annotator's, else that of the words, else the default."""
        in_words = self._value_in_words(mark, attribute) if attribute.words else None
        value = mark.values.get(name, None if in_words else attribute.default)
        if value is None:
            if in_words is not None or attribute.optional:
                return in_words
            reason = f": “{self._words(mark)}” does not say one" if attribute.words else ""
            raise self._wrong(mark, f"{mark.category} needs a value of {name}{reason}")
        try:
            term = value_of(attribute, value)
        except ValueError as error:
            raise self._wrong(mark, f"{name}: {error}") from None
        if in_words is not None and in_words.term == term:
            return Filling(term, in_words.excerpts)
        return Filling(term)

    def _value_in_words(self, mark: TextMark, attribute: MarkAttribute) -> Filling | None:
        """The value that the marked words say, with the words for it."""
        for excerpt in mark.excerpts(self._marked.id, self._marked.text):
            value = value_in_words(attribute, excerpt.quote)
            if value is not None:
                term, span = value
                return Filling(term, (_within(excerpt, span),))
        return None

    def _name(self, mark: TextMark, what: str, value: Any) -> Name:
        try:
            term = term_of(str(value)) if str(value).strip() else None
        except ValueError as error:
            raise self._wrong(mark, f"{what}: {error}") from None
        if isinstance(term, Name) and not re.search(r"\s", term.text):
            return term
        raise self._wrong(mark, f"{what} is {value!r}, expected a name such as Game-1")

    def _chance(self, mark: TextMark) -> float:
        value = mark.values.get(PROBABILITY, 1.0)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1:
            return float(value)
        raise self._wrong(
            mark, f"{PROBABILITY} is {value!r}, expected a number above 0 and up to 1"
        )

    def _words(self, mark: TextMark) -> str:
        return " ".join(self._marked.text[slice(*span)] for span in mark.fragments)

    def _require_known(self, mark: TextMark, category: Category) -> None:
        objects = self._categories.objects
        known = [*category.attributes, *category.relations, *objects, ENTITY, PROBABILITY, NOTE]
        for name in (*mark.values, *mark.links):
            if name not in known or (name in mark.links and name not in category.relations):
                hint = did_you_mean(name, known)
                what = "relation" if name in mark.links else "attribute"
                raise self._wrong(mark, f"{mark.category} has no {what} {name!r}; {hint}")
        for name, target in mark.links.items():
            if target not in self._marks:
                raise self._wrong(mark, f"{name} leads to {target}, a mark of another annotator")
            targets, actual = category.relations[name].targets, self._marks[target].category
            if actual not in targets:
                expected = " or ".join(targets)
                message = f"{name} leads to {target}, a {actual}, expected {expected}"
                raise self._wrong(mark, message)

    def _named(self) -> dict[str, str]:
        """The entity of each mark: marks that are joined, or that share a name, are of one."""
        parent = {id: id for id in self._marks}
        places = {id: place for place, id in enumerate(self._marks)}

        def root(id: str) -> str:
            while parent[id] != id:
                parent[id] = id = parent[parent[id]]  # chains of thousands become short
            return id

        for mark in self._marks.values():
            for other in mark.same:
                if other not in parent:
                    message = f"{SAME} leads to {other}, a mark of another annotator"
                    self._note(mark, self._wrong(mark, message))
                    continue
                first, second = sorted((root(mark.id), root(other)), key=places.__getitem__)
                parent[second] = first
        names: dict[str, str] = {}
        for mark in self._marks.values():
            if ENTITY not in mark.values:
                continue
            try:
                name = self._name(mark, ENTITY, mark.values[ENTITY]).text
            except DataError as error:
                self._note(mark, error)
                continue
            if names.setdefault(root(mark.id), name) != name:
                message = f"is called {name}, and a mark of the same entity {names[root(mark.id)]}"
                self._note(mark, self._wrong(mark, message))
        counts: dict[str, int] = defaultdict(int)
        taken = set(names.values())
        for mark in self._marks.values():
            if root(mark.id) not in names:
                try:
                    name = self._new_name(mark, counts, taken)
                except DataError as error:
                    self._note(mark, error)
                    name = mark.id
                names[root(mark.id)] = name
                taken.add(name)
        return {id: names[root(id)] for id in self._marks}

    def _new_name(self, mark: TextMark, counts: dict[str, int], taken: set[str]) -> str:
        template = self._categories.categories[mark.category].id
        values = self._own_values(mark)
        while True:
            counts[template] += 1
            name = filled(template, {**values, NUMBER: str(counts[template])})
            if name not in taken or f"{{{NUMBER}}}" not in template:
                return self._name(mark, "the id", name).text

    def _wrong(self, mark: TextMark, message: str) -> DataError:
        return self._marked.wrong(mark, message)


def _within(excerpt: Excerpt, span: Offsets) -> Excerpt:
    start, end = span
    quote = excerpt.quote[start:end]
    return Excerpt(excerpt.document, excerpt.start + start, excerpt.start + end, quote)


def constant(term: Term) -> Name | Literal:
    assert isinstance(term, Name | Literal)
    return term


def _as_name(words: str) -> str:
    return re.sub(r"[^\w.-]+", "-", words).strip("-.") or "x"
