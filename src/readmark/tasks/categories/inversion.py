"""Statements as marks: each mark yields, by its category, statements of the same words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.core.spans import Excerpt
from readmark.tasks.categories.definitions import (
    ENTITY,
    ID,
    PROBABILITY,
    Categories,
    Category,
    Hole,
    StatementTemplate,
)
from readmark.tasks.categories.mapping import CategoryMapping, Filling, constant, statements_of
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.categories.values import fits
from readmark.tasks.reasoning.graphs import Asserted, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Literal, Name, value_json, written


class Lost(NamedTuple):
    """Something in a statement that no mark yields."""

    asserted: Asserted
    line: int
    what: str

    @property
    def text(self) -> str:
        """What is lost, in words."""
        return f"{self.what} {write_triple(self.asserted.statement)}"


@dataclass(frozen=True)
class FoundMarks:
    """The marks that yield the statements of a document, and what they do not yield."""

    marked: MarkedText
    lost: tuple[Lost, ...]
    added: tuple[Asserted, ...]
    """Statements that the marks imply, and that were not there."""


_Group = tuple[tuple[Excerpt, ...], float]
"""The words that statements were read from, and how surely."""
Fillings = dict[str, Filling]
"""What placeholders of a category stand for."""


class _Match(NamedTuple):
    """Statements that are those of one mark: what they bind, which they are, and ticked flags."""

    bindings: Fillings
    used: set[int]
    flags: Sequence[str] = ()


class _NewMark(NamedTuple):
    """A mark without lines to others, and what its statements bind."""

    mark: TextMark
    category: Category
    bindings: Fillings


def marks_of(
    asserted: Sequence[tuple[Asserted, int]],
    categories: Categories,
    *,
    document: str,
    text: str,
    namespaces: Namespaces | None = None,
    file: str = "",
) -> FoundMarks:
    """Marks that yield these statements of one document, which come with their lines.

    The marks are mapped forward again: whatever they do not yield is named.
    """
    names = namespaces or Namespaces()
    marks: list[TextMark] = []
    for annotator in dict.fromkeys(statement.annotator for statement, _ in asserted):
        of_annotator = [statement for statement, _ in asserted if statement.annotator == annotator]
        marks += _Search(of_annotator, categories, names, document).marks(annotator)
    marks.sort(key=lambda mark: (mark.fragments, mark.category))
    new_ids = {mark.id: f"T{number}" for number, mark in enumerate(marks, 1)}
    renamed = tuple(
        replace(
            mark,
            id=new_ids[mark.id],
            where=new_ids[mark.id],
            links={name: new_ids[target] for name, target in mark.links.items()},
        )
        for mark in marks
    )
    marked = MarkedText(document, text, renamed, file)
    while True:
        try:
            statements_of(marked, categories, names)
            break
        except DataError as error:  # what the mark would state is named as lost
            marked = replace(marked, marks=_without(marked.marks, str(error.where)))
    marked = replace(marked, marks=tuple(_shortened(marked, categories, names)))
    yielded = statements_of(marked, categories, names)
    statements = {(statement.statement, statement.annotator) for statement, _ in asserted}
    added = (each for each in yielded if (each.statement, each.annotator) not in statements)
    return FoundMarks(marked, tuple(_lost(asserted, yielded)), tuple(added))


def _without(marks: Sequence[TextMark], id: str) -> tuple[TextMark, ...]:
    """The marks but one, and no line to that."""
    return tuple(
        replace(mark, links={name: target for name, target in mark.links.items() if target != id})
        for mark in marks
        if mark.id != id
    )


def _shortened(
    marked: MarkedText, categories: Categories, namespaces: Namespaces
) -> Iterator[TextMark]:
    """The marks without values that their words, defaults or objects give anyway."""
    mappings = {}
    for annotator in {mark.annotator for mark in marked.marks}:
        marks = tuple(mark for mark in marked.marks if mark.annotator == annotator)
        of_annotator = replace(marked, marks=marks)
        mappings[annotator] = CategoryMapping(of_annotator, categories, namespaces)
    for mark in marked.marks:
        for name in list(mark.values):
            if name in (ENTITY, PROBABILITY):
                continue
            others = {other: value for other, value in mark.values.items() if other != name}
            shorter = replace(mark, values=others)
            try:
                is_same = mappings[mark.annotator].same_without(mark, shorter, name)
            except DataError:  # it is needed
                continue
            mark = shorter if is_same else mark
        yield mark


def _lost(asserted: Sequence[tuple[Asserted, int]], yielded: Sequence[Asserted]) -> Iterator[Lost]:
    """What of statements the marks do not yield."""
    stated = {(each.statement, each.annotator) for each in yielded}
    by_words: dict[Any, list[Asserted]] = defaultdict(list)
    for each in yielded:
        by_words[_in_words(each)].append(each)
    for original, line in asserted:
        same = by_words.get(_in_words(original), ())
        if not original.support and (original.statement, original.annotator) in stated:
            if original.probability != 1:
                yield Lost(original, line, "no category keeps the probability of")
        elif not same:
            yield Lost(original, line, "no category yields")
        else:
            for part in ("subject", "predicate", "object"):
                excerpts = {excerpt for each in same for excerpt in getattr(each.support, part)}
                if not set(getattr(original.support, part)) <= excerpts:
                    yield Lost(original, line, f"no category yields the words of the {part} of")


def _in_words(asserted: Asserted) -> Any:
    """A statement with who read it where, and how surely."""
    return asserted.statement, asserted.support.statement, asserted.annotator, asserted.probability


class _Search:
    """Looks for marks that yield the statements of one annotator."""

    def __init__(
        self,
        asserted: Sequence[Asserted],
        categories: Categories,
        namespaces: Namespaces,
        document: str,
    ) -> None:
        self._categories, self._namespaces = categories, namespaces
        self._asserted = asserted
        self._groups: dict[_Group, list[Asserted]] = defaultdict(list)
        for statement in asserted:
            words = statement.support.statement
            if words and all(excerpt.document == document for excerpt in words):
                self._groups[words, statement.probability].append(statement)

    def marks(self, annotator: str | None) -> list[TextMark]:
        """Marks, those of the categories that state most first; each explains something new."""
        categories = sorted(
            self._categories.categories.values(), key=lambda category: -len(self._always(category))
        )
        new_marks: list[_NewMark] = []
        for (words, chance), group in self._groups.items():
            fragments = tuple((excerpt.start, excerpt.end) for excerpt in words)
            unexplained = set(range(len(group)))
            for category in categories:
                for match in self._matches(category, group, unexplained):
                    unexplained -= match.used
                    values: dict[str, Any] = dict.fromkeys(match.flags, True)
                    if chance != 1:
                        values[PROBABILITY] = chance
                    id = f"{annotator}-{len(new_marks)}"
                    mark = TextMark(id, category.name, fragments, values, annotator=annotator)
                    new_marks.append(_NewMark(mark, category, match.bindings))
        return _linked(new_marks)

    def _always(self, category: Category) -> list[StatementTemplate]:
        """What every mark of a category states."""
        return [
            template
            for template in category.templates
            if self._categories.always(category, template)
        ]

    def _matches(
        self, category: Category, group: Sequence[Asserted], unexplained: set[int]
    ) -> Iterator[_Match]:
        """Ways in which statements of the same words are those of one mark, each with a new one.

        ``unexplained`` shrinks as they are taken; whatever is optional explains something new.
        """
        always = self._always(category)
        optional, ticking = self._optional(category, always)
        for required in self._join(category, always, group, {}):
            while True:
                bindings, used, flags = required.bindings, set(required.used), list[str]()
                for templates in optional:
                    flag = templates[0].flag
                    if flag is not None and flag not in flags and templates not in ticking:
                        continue
                    best = max(
                        self._join(category, templates, group, bindings),
                        key=lambda match: len(match.used & unexplained - used),
                        default=None,
                    )
                    if best is not None and best.used & unexplained - used:
                        bindings, used = best.bindings, used | best.used
                        if flag is not None and flag not in flags:
                            flags.append(flag)
                if not used & unexplained:
                    break
                yield _Match(self._with_objects(category, bindings), used, flags)

    def _optional(
        self, category: Category, always: Sequence[StatementTemplate]
    ) -> tuple[list[list[StatementTemplate]], list[list[StatementTemplate]]]:
        """What a mark may state besides, in groups that go together, and those that tick a flag."""
        optional = [
            [template]
            for template in category.templates
            if template not in always and not template.flag
        ]
        ticking: list[list[StatementTemplate]] = []
        for flag in dict.fromkeys(each.flag for each in category.templates if each.flag):
            of_flag = [each for each in category.templates if each.flag == flag]
            needed = [each for each in of_flag if self._needs_nothing_optional(category, each)]
            # What a ticked flag states of parts that may be missing comes after what it needs.
            ticking.append(needed or of_flag)
            others = [[each] for each in of_flag if each not in needed] if needed else []
            optional += [ticking[-1], *others]
        return optional, ticking

    def _needs_nothing_optional(self, category: Category, template: StatementTemplate) -> bool:
        return all(self._categories.required(category, name) for name in template.holes)

    def _with_objects(self, category: Category, bindings: Fillings) -> Fillings:
        """What the statements about objects bind besides."""
        objects = [name for name in bindings if name in self._categories.objects]
        while objects:
            name = objects.pop()
            for template in self._categories.objects[name].templates:
                about_object = template._replace(
                    terms=tuple(
                        Hole(name) if isinstance(term, Hole) and term.name == ID else term
                        for term in template.terms
                    )
                )
                bound = (
                    self._unified(category, about_object, statement, bindings)
                    for statement in self._asserted
                )
                first = next((fillings for fillings in bound if fillings is not None), bindings)
                new = {
                    hole: Filling(filling.term)
                    for hole, filling in first.items()
                    if hole not in bindings
                }
                objects += [hole for hole in new if hole in self._categories.objects]
                bindings = {**bindings, **new}
        return bindings

    def _join(
        self,
        category: Category,
        templates: Sequence[StatementTemplate],
        group: Sequence[Asserted],
        bindings: Fillings,
        taken: frozenset[int] = frozenset(),
    ) -> Iterator[_Match]:
        """Bindings with a statement for each template, a different one for each."""
        if not templates:
            yield _Match(bindings, set())
            return
        for index, statement in enumerate(group):
            if index in taken:
                continue
            bound = self._unified(category, templates[0], statement, bindings)
            if bound is not None:
                for rest in self._join(category, templates[1:], group, bound, taken | {index}):
                    yield _Match(rest.bindings, rest.used | {index})

    def _unified(
        self,
        category: Category,
        template: StatementTemplate,
        asserted: Asserted,
        bindings: Fillings,
    ) -> Fillings | None:
        """Bindings with which a template is a statement; None where it cannot be."""
        statement, support = asserted.statement, asserted.support
        terms = (statement.subject, statement.predicate, statement.object)
        words = (support.subject, support.predicate, support.object)
        unified = dict(bindings)
        for expected, term, excerpts in zip(template.terms, terms, words, strict=True):
            if not isinstance(expected, Hole):
                if self._canonical(constant(expected)) != term:
                    return None
                continue
            attribute = category.attributes.get(expected.name)
            if not (fits(attribute, term) if attribute else isinstance(term, Name)):
                return None
            before = unified.get(expected.name)
            if before is not None and before.term != term:
                return None
            if before is None or not before.excerpts:
                unified[expected.name] = Filling(term, excerpts)
        return unified

    def _canonical(self, term: Name | Literal) -> Name | Literal:
        return self._namespaces.canonical(term) if isinstance(term, Name) else term


def _linked(new_marks: Sequence[_NewMark]) -> list[TextMark]:
    """The marks with their entities, values and lines to each other."""
    by_entity: dict[tuple[str, tuple[Offsets, ...]], list[TextMark]] = defaultdict(list)
    for mark, _, bindings in new_marks:
        if ID in bindings:
            by_entity[written(bindings[ID].term), mark.fragments].append(mark)
    marks = []
    for mark, category, bindings in new_marks:
        values, links = dict(mark.values), {}
        for name, (term, excerpts, _) in bindings.items():
            fragments = tuple((excerpt.start, excerpt.end) for excerpt in excerpts)
            relation = category.relations.get(name)
            targets = (
                other.id
                for other in by_entity.get((written(term), fragments), ())
                if relation is not None and other.category in relation.targets
            )
            target = next(targets, None)
            if name == ID:
                values[ENTITY] = written(term)
            elif target is not None:
                links[name] = target
            elif isinstance(term, Literal) and isinstance(term.value, str):
                values[name] = term.value
            elif name in category.attributes:
                values[name] = value_json(term)
            else:
                values[name] = written(term)
        marks.append(replace(mark, values=values, links=links))
    return marks
