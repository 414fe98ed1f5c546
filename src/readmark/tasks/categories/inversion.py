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
Fillings = dict[str, Filling]


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
    for annotator in dict.fromkeys(one.annotator for one, _ in asserted):
        own = [one for one, _ in asserted if one.annotator == annotator]
        marks += _Search(own, categories, names, document).marks(annotator)
    marks.sort(key=lambda mark: (mark.fragments, mark.category))
    renamed = {mark.id: f"T{number}" for number, mark in enumerate(marks, 1)}
    found = tuple(
        replace(
            mark,
            id=renamed[mark.id],
            where=renamed[mark.id],
            links={name: renamed[target] for name, target in mark.links.items()},
        )
        for mark in marks
    )
    marked = MarkedText(document, text, found, file)
    while True:
        try:
            statements_of(marked, categories, names)
            break
        except DataError as wrong:  # what the mark would state is named as lost
            marked = replace(marked, marks=_without(marked.marks, str(wrong.where)))
    marked = replace(marked, marks=tuple(_shortened(marked, categories, names)))
    made = statements_of(marked, categories, names)
    lost, added = _compared(asserted, made)
    return FoundMarks(marked, tuple(lost), tuple(added))


def _without(marks: Sequence[TextMark], id: str) -> tuple[TextMark, ...]:
    """The marks but one, and no line to that."""
    return tuple(
        replace(mark, links={name: to for name, to in mark.links.items() if to != id})
        for mark in marks
        if mark.id != id
    )


def _shortened(
    marked: MarkedText, categories: Categories, namespaces: Namespaces
) -> Iterator[TextMark]:
    """The marks without values that their words, defaults or objects give anyway."""
    mappings = {
        annotator: CategoryMapping(
            replace(marked, marks=tuple(one for one in marked.marks if one.annotator == annotator)),
            categories,
            namespaces,
        )
        for annotator in {mark.annotator for mark in marked.marks}
    }
    for mark in marked.marks:
        for name in list(mark.values):
            if name in (ENTITY, PROBABILITY):
                continue
            less = {other: value for other, value in mark.values.items() if other != name}
            shorter = replace(mark, values=less)
            try:
                same = mappings[mark.annotator].same_without(mark, shorter, name)
            except DataError:  # it is needed
                continue
            mark = shorter if same else mark
        yield mark


def _compared(
    asserted: Sequence[tuple[Asserted, int]], made: Sequence[Asserted]
) -> tuple[Iterator[Lost], list[Asserted]]:
    worded: dict[Any, list[Asserted]] = defaultdict(list)
    stated = {(one.statement, one.annotator) for one in made}
    for one in made:
        worded[_said(one)].append(one)

    def lost() -> Iterator[Lost]:
        for one, line in asserted:
            same = worded.get(_said(one), ())
            if not one.support and (one.statement, one.annotator) in stated:
                if one.probability == 1:
                    continue
                yield Lost(one, line, "no category keeps the probability of")
            elif not same:
                yield Lost(one, line, "no category yields")
            else:
                parts = ("subject", "predicate", "object")
                for part in parts:
                    kept = {each for other in same for each in getattr(other.support, part)}
                    if not set(getattr(one.support, part)) <= kept:
                        yield Lost(one, line, f"no category yields the words of the {part} of")

    before = {(one.statement, one.annotator) for one, _ in asserted}
    added = [one for one in made if (one.statement, one.annotator) not in before]
    return lost(), added


def _said(one: Asserted) -> Any:
    return one.statement, one.support.statement, one.annotator, one.probability


class _Search:
    """The statements of one annotator."""

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
        for one in asserted:
            words = one.support.statement
            if words and all(excerpt.document == document for excerpt in words):
                self._groups[words, one.probability].append(one)

    def marks(self, annotator: str | None) -> list[TextMark]:
        """Marks, those of the categories that state most first; each explains something new."""
        ranked = sorted(
            self._categories.categories.values(), key=lambda one: -len(self._always(one))
        )
        found: list[tuple[TextMark, Category, Fillings]] = []
        for (words, chance), group in self._groups.items():
            fragments = tuple((excerpt.start, excerpt.end) for excerpt in words)
            unexplained = set(range(len(group)))
            for category in ranked:
                for bindings, used, flags in self._matches(category, group, unexplained):
                    unexplained -= used
                    values: dict[str, Any] = dict.fromkeys(flags, True)
                    if chance != 1:
                        values[PROBABILITY] = chance
                    who = f"{annotator}-{len(found)}"
                    mark = TextMark(who, category.name, fragments, values, annotator=annotator)
                    found.append((mark, category, bindings))
        return self._linked(found)

    def _always(self, category: Category) -> list[StatementTemplate]:
        return [one for one in category.templates if self._categories.always(category, one)]

    def _matches(
        self, category: Category, group: Sequence[Asserted], unexplained: set[int]
    ) -> Iterator[tuple[Fillings, set[int], list[str]]]:
        """Ways in which statements of the same words are those of one mark, each with a new one.

        ``unexplained`` shrinks as they are taken; whatever is optional explains something new.
        """
        always = self._always(category)
        optional = [[one] for one in category.templates if one not in always and not one.flag]
        flags = dict.fromkeys(one.flag for one in category.templates if one.flag)
        ticking: list[list[StatementTemplate]] = []
        for ticked_flag in flags:
            own = [one for one in category.templates if one.flag == ticked_flag]
            needed = [one for one in own if self._needs_nothing_optional(category, one)]
            # What a ticked flag states of parts that may be missing comes after what it needs.
            ticking.append(needed or own)
            optional += [ticking[-1], *([one] for one in own if needed and one not in needed)]
        for start, first in self._join(category, always, group, {}):
            while True:
                bindings, used, ticked = start, set(first), []
                for templates in optional:
                    flag = templates[0].flag
                    if flag is not None and flag not in ticked and templates not in ticking:
                        continue
                    found = max(
                        self._join(category, templates, group, bindings),
                        key=lambda match: len(match[1] & unexplained - used),
                        default=None,
                    )
                    if found is not None and found[1] & unexplained - used:
                        bindings, used = found[0], used | found[1]
                        ticked += [flag] if flag is not None and flag not in ticked else []
                if not used & unexplained:
                    break
                yield self._with_objects(category, bindings), used, ticked

    def _needs_nothing_optional(self, category: Category, template: StatementTemplate) -> bool:
        return all(self._categories.required(category, name) for name in template.holes)

    def _with_objects(self, category: Category, bindings: Fillings) -> Fillings:
        """What the statements about objects bind besides."""
        waiting = [name for name in bindings if name in self._categories.objects]
        while waiting:
            name = waiting.pop()
            for template in self._categories.objects[name].templates:
                own = template._replace(
                    terms=tuple(
                        Hole(name) if isinstance(term, Hole) and term.name == ID else term
                        for term in template.terms
                    )
                )
                bound = (
                    self._unified(category, own, asserted, bindings) for asserted in self._asserted
                )
                more = next((found for found in bound if found is not None), bindings)
                new = {
                    each: Filling(filling.term)
                    for each, filling in more.items()
                    if each not in bindings
                }
                waiting += [each for each in new if each in self._categories.objects]
                bindings = {**bindings, **new}
        return bindings

    def _join(
        self,
        category: Category,
        templates: Sequence[StatementTemplate],
        group: Sequence[Asserted],
        bindings: Fillings,
        taken: frozenset[int] = frozenset(),
    ) -> Iterator[tuple[Fillings, set[int]]]:
        """Bindings with a statement for each template, a different one for each."""
        if not templates:
            yield bindings, set()
            return
        for index, asserted in enumerate(group):
            if index in taken:
                continue
            bound = self._unified(category, templates[0], asserted, bindings)
            if bound is not None:
                rest = self._join(category, templates[1:], group, bound, taken | {index})
                for whole, used in rest:
                    yield whole, used | {index}

    def _unified(
        self, category: Category, template: StatementTemplate, one: Asserted, bindings: Fillings
    ) -> Fillings | None:
        statement, support = one.statement, one.support
        terms = (statement.subject, statement.predicate, statement.object)
        words = (support.subject, support.predicate, support.object)
        found = dict(bindings)
        for wanted, term, excerpts in zip(template.terms, terms, words, strict=True):
            if not isinstance(wanted, Hole):
                if self._canonical(constant(wanted)) != term:
                    return None
                continue
            attribute = category.attributes.get(wanted.name)
            if not (fits(attribute, term) if attribute else isinstance(term, Name)):
                return None
            before = found.get(wanted.name)
            if before is not None and before.term != term:
                return None
            if before is None or not before.excerpts:
                found[wanted.name] = Filling(term, excerpts)
        return found

    def _canonical(self, term: Name | Literal) -> Name | Literal:
        return self._namespaces.canonical(term) if isinstance(term, Name) else term

    def _linked(self, found: Sequence[tuple[TextMark, Category, Fillings]]) -> list[TextMark]:
        """The marks with their entities, values and lines to each other."""
        at: dict[tuple[str, tuple[Offsets, ...]], list[TextMark]] = defaultdict(list)
        for mark, _, bindings in found:
            if ID in bindings:
                at[written(bindings[ID].term), mark.fragments].append(mark)
        marks = []
        for mark, category, bindings in found:
            values, links = dict(mark.values), {}
            for name, (term, excerpts, _) in bindings.items():
                fragments = tuple((excerpt.start, excerpt.end) for excerpt in excerpts)
                relation = category.relations.get(name)
                target = next(
                    (
                        other.id
                        for other in at.get((written(term), fragments), ())
                        if relation is not None and other.category in relation.targets
                    ),
                    None,
                )
                if name == ID:
                    values[ENTITY] = written(term)
                elif target is not None:
                    links[name] = target
                else:
                    values[name] = (
                        value_json(term) if name in category.attributes else written(term)
                    )
                    if isinstance(term, Literal) and isinstance(term.value, str):
                        values[name] = term.value
            marks.append(replace(mark, values=values, links=links))
        return marks
