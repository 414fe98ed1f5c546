"""Marks as statements by their categories, and statements as marks again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    MarkAttribute,
    StatementTemplate,
    filled,
    holes_of,
)
from readmark.tasks.categories.marks import Mark, MarkedText
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Namespaces,
    Pattern,
    Statement,
    Support,
    statement_of,
    write_triple,
)
from readmark.tasks.reasoning.ontology import FRACTIONS, literal_fits
from readmark.tasks.reasoning.terms import Literal, Name, Term, term_of, value_json, written
from readmark.text.folding import NUMERALS, number_of

# Values: what an annotator gives, or what the marked words say.


_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_COUNTS = {word: value for value, word in enumerate(_ONES)} | {
    ten + (f"-{_ONES[one]}" if one else ""): 10 * at + one
    for at, ten in enumerate(_TENS, 2)
    for one in range(10)
}
_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]}|[.])?" for month in _MONTHS)
_INTEGER = re.compile(
    rf"(?<![\w.,-])-?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?![\w]|[.,]\d)"
    rf"|\b(?:{'|'.join(sorted(_COUNTS, key=len, reverse=True))})\b"
    rf"|[{NUMERALS}]+",
    re.IGNORECASE,
)
_REAL = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")
_DATE = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{_MONTH}),?\s+(?P<year>\d{{4}})"
    rf"|(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{{4}})"
    r"|(?P<year3>\d{4})\s*年\s*(?P<month3>\d{1,2})\s*月\s*(?P<day3>\d{1,2})\s*日",
    re.IGNORECASE,
)


def value_of(attribute: MarkAttribute, value: Any) -> Name | Literal:
    """The term that an annotator's value is; ValueError says what is wrong."""
    choices = [str(choice) for choice in attribute.choices]
    if choices and str(value) not in choices:
        raise ValueError(f"{value!r} is none of the choices; {did_you_mean(str(value), choices)}")
    if attribute.type == "string":
        return Literal(str(value))
    spelt = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else str(value)
    term = term_of(spelt or " ") if (spelt or "").strip() else Literal("")
    if isinstance(term, Name | Literal) and fits(attribute, term):
        return term
    raise ValueError(f"{value!r} is no {attribute.type}")


def fits(attribute: MarkAttribute, term: Name | Literal) -> bool:
    """Whether a term can be the value of an attribute."""
    kinds = {"integer": "integer", "number": FRACTIONS[0], "boolean": "boolean", "date": "date"}
    choices = {str(choice) for choice in attribute.choices}
    if attribute.type == "name":
        return isinstance(term, Name) and (not choices or term.text in choices)
    if not isinstance(term, Literal) or (choices and term.lexical not in choices):
        return False
    return literal_fits(term, kinds.get(attribute.type, "string")) and not term.language


def value_in_words(attribute: MarkAttribute, words: str) -> tuple[Literal, Offsets] | None:
    """The only value that words say, and where in them; None where they say none, or several."""
    if attribute.type == "string":
        return Literal(words), (0, len(words))
    readers = {"integer": (_INTEGER, _integer), "number": (_REAL, _real), "date": (_DATE, _date)}
    if attribute.type not in readers:
        return None
    pattern, read = readers[attribute.type]
    found = [(value, match.span()) for match in pattern.finditer(words) if (value := read(match))]
    if len(found) != 1 or not fits(attribute, found[0][0]):
        return None
    return found[0]


def _integer(match: re.Match[str]) -> Literal | None:
    text = match[0].lower()
    if text in _COUNTS:
        return Literal(_COUNTS[text])
    number = number_of(text.replace(",", ""))
    return Literal(int(number)) if number is not None and number == int(number) else None


def _real(match: re.Match[str]) -> Literal:
    text = match[0].replace(",", "")
    return Literal(float(text) if "." in text else int(text))


def _date(match: re.Match[str]) -> Literal | None:
    parts = {name.rstrip("23"): value for name, value in match.groupdict().items() if value}
    text = parts.get("iso", "")
    if not text:
        month = parts["month"].lower()[:3]
        number = int(month) if month.isdecimal() else [one[:3] for one in _MONTHS].index(month) + 1
        text = f"{parts['year']}-{number:02d}-{int(parts['day']):02d}"
    try:
        term = term_of(text)
    except ValueError:
        return None
    return term if isinstance(term, Literal) else None


# Marks -> statements.


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
    found: list[Asserted] = []
    names = namespaces or Namespaces()
    for annotator in dict.fromkeys(mark.annotator for mark in marked.marks):
        own = [mark for mark in marked.marks if mark.annotator == annotator]
        found += _Mapping(replace(marked, marks=tuple(own)), categories, names).statements()
    return found


class _Mapping:
    """The marks of one annotator."""

    def __init__(self, marked: MarkedText, categories: Categories, namespaces: Namespaces) -> None:
        self._marked, self._categories, self._namespaces = marked, categories, namespaces
        order = sorted(marked.marks, key=lambda mark: (mark.fragments, mark.id))
        self._marks = {mark.id: mark for mark in order}
        self._numbers: dict[str, int] = {}
        counts: dict[str, int] = defaultdict(int)
        for mark in order:
            counts[mark.category] += 1
            self._numbers[mark.id] = counts[mark.category]
        self._entities = self._named()

    def statements(self) -> list[Asserted]:
        worded: list[Asserted] = []
        implied: dict[Statement, Asserted] = {}
        for mark in self._marks.values():
            own = list(self._of_mark(mark, implied))
            if not own:
                category = self._categories.categories[mark.category]
                needed = ", ".join((*category.relations, *category.attributes))
                self._fail(mark, f"{mark.category} yields no statement without one of {needed}")
            worded += own
        said = {asserted.statement for asserted in worded}
        return worded + [one for statement, one in implied.items() if statement not in said]

    def same_without(self, mark: Mark, shorter: Mark, name: str) -> bool:
        """Whether a placeholder stands for the same where the mark does not give its value."""
        category = self._categories.categories[mark.category]
        attribute = category.attributes.get(name)
        if attribute is not None and attribute.type == "flag":
            return False
        return self._filling(mark, category, name) == self._filling(shorter, category, name)

    def _of_mark(self, mark: Mark, implied: dict[Statement, Asserted]) -> Iterator[Asserted]:
        category = self._categories.categories[mark.category]
        self._require_known(mark, category)
        words = mark.excerpts(self._marked.id, self._marked.text)
        chance = self._chance(mark)
        for template in category.templates:
            if template.flag is not None and mark.values.get(template.flag) in (None, False):
                continue
            parts = self._parts(mark, category, template, None)
            if parts is None:
                if template.flag is not None:
                    self._fail(mark, f"{template.flag} is ticked: {template.text} needs more")
                continue
            support = Support(words, *(part.excerpts for part in parts))
            yield self._asserted(parts, mark, support, chance)
            for hole in template.holes:
                self._imply(mark, category, hole, implied)

    def _imply(
        self, mark: Mark, category: Category, name: str, implied: dict[Statement, Asserted]
    ) -> None:
        """The statements of an object, and of the objects that those use."""
        waiting, seen = [name], {name}
        while waiting:
            name = waiting.pop(0)
            own = self._filling(mark, category, name) if name in self._categories.objects else None
            if own is None or not own.implied:
                continue
            for template in self._categories.objects[name].templates:
                parts = self._parts(mark, category, template, own)
                if parts is None:
                    continue
                bare = [_without_words(part) for part in parts]
                asserted = self._asserted(bare, mark, Support(), 1.0)
                implied.setdefault(asserted.statement, asserted)
                waiting += [hole for hole in template.holes if hole not in seen and hole != ID]
                seen.update(template.holes)

    def _asserted(
        self, parts: Sequence[Filling], mark: Mark, support: Support, chance: float
    ) -> Asserted:
        terms = [
            self._namespaces.canonical(part.term) if isinstance(part.term, Name) else part.term
            for part in parts
        ]
        statement = statement_of(Pattern(*terms))
        return Asserted(self._marked.id, statement, support, chance, mark.annotator)

    def _parts(
        self, mark: Mark, category: Category, template: StatementTemplate, own: Filling | None
    ) -> list[Filling] | None:
        """A filling for each term; None where the mark lacks something that is optional."""
        found = []
        for term in template.terms:
            if not isinstance(term, Hole):
                found.append(Filling(_constant(term)))
                continue
            is_own = term.name == ID and own is not None
            part = own if is_own else self._filling(mark, category, term.name)
            if part is None:
                return None
            found.append(part)
        return found

    def _filling(self, mark: Mark, category: Category, name: str) -> Filling | None:
        """What a placeholder stands for; None where it is optional and not given."""
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
        self._fail(mark, f"{mark.category} needs a relation {name} to a mark of {to}")

    def _object(self, mark: Mark, category: Category, name: str) -> Filling | None:
        values = self._own_values(mark)
        template = self._categories.objects[name].id
        for hole in holes_of(template):
            if hole not in values:
                part = self._filling(mark, category, hole)
                if part is None:
                    return None
                values[hole] = _as_name(written(part.term).strip('"'))
        return Filling(self._name(mark, name, filled(template, values)), implied=True)

    def _own_values(self, mark: Mark) -> dict[str, str]:
        return {NUMBER: str(self._numbers[mark.id]), WORDS: _as_name(self._words(mark))}

    def _value(self, mark: Mark, name: str, attribute: MarkAttribute) -> Filling | None:
        spoken = None
        if attribute.words:
            whole = mark.excerpts(self._marked.id, self._marked.text)
            for excerpt in whole:
                if (said := value_in_words(attribute, excerpt.quote)) is not None:
                    spoken = said[0], _within(excerpt, said[1])
                    break
        given = mark.values.get(name, None if spoken else attribute.default)
        if given is None:
            if spoken is not None:
                return Filling(spoken[0], (spoken[1],))
            if attribute.optional:
                return None
            why = f": “{self._words(mark)}” does not say one" if attribute.words else ""
            self._fail(mark, f"{mark.category} needs a value of {name}{why}")
        try:
            term = value_of(attribute, given)
        except ValueError as wrong:
            self._fail(mark, f"{name}: {wrong}")
        return Filling(term, (spoken[1],) if spoken is not None and spoken[0] == term else ())

    def _name(self, mark: Mark, what: str, value: Any) -> Name:
        try:
            term = term_of(str(value)) if str(value).strip() else None
        except ValueError as wrong:
            self._fail(mark, f"{what}: {wrong}")
        if isinstance(term, Name) and not re.search(r"\s", term.text):
            return term
        self._fail(mark, f"{what} is {value!r}, expected a name such as Game-1")

    def _chance(self, mark: Mark) -> float:
        value = mark.values.get(PROBABILITY, 1.0)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1:
            return float(value)
        self._fail(mark, f"{PROBABILITY} is {value!r}, expected a number above 0 and up to 1")

    def _words(self, mark: Mark) -> str:
        return " ".join(self._marked.text[slice(*span)] for span in mark.fragments)

    def _require_known(self, mark: Mark, category: Category) -> None:
        objects = self._categories.objects
        known = [*category.attributes, *category.relations, *objects, ENTITY, PROBABILITY, NOTE]
        for name in (*mark.values, *mark.links):
            if name not in known or (name in mark.links and name not in category.relations):
                hint = did_you_mean(name, known)
                what = "relation" if name in mark.links else "attribute"
                self._fail(mark, f"{mark.category} has no {what} {name!r}; {hint}")
        for name, target in mark.links.items():
            to = category.relations[name].targets
            if target not in self._marks:
                self._fail(mark, f"{name} leads to {target}, a mark of another annotator")
            if self._marks[target].category not in to:
                found = f"{target}, a {self._marks[target].category}"
                self._fail(mark, f"{name} leads to {found}, expected {' or '.join(to)}")

    def _named(self) -> dict[str, str]:
        """The entity of each mark: marks that are joined, or that share a name, are of one."""
        parent = {id: id for id in self._marks}

        def root(id: str) -> str:
            while parent[id] != id:
                id = parent[id]
            return id

        for mark in self._marks.values():
            for other in mark.same:
                if other not in parent:
                    self._fail(mark, f"{SAME} leads to {other}, a mark of another annotator")
                first, second = sorted((root(mark.id), root(other)), key=list(parent).index)
                parent[second] = first
        names: dict[str, str] = {}
        for mark in self._marks.values():
            if ENTITY not in mark.values:
                continue
            name = self._name(mark, ENTITY, mark.values[ENTITY]).text
            if names.setdefault(root(mark.id), name) != name:
                other = names[root(mark.id)]
                self._fail(mark, f"is called {name}, and a mark of the same entity {other}")
        counts: dict[str, int] = defaultdict(int)
        taken = set(names.values())
        for mark in self._marks.values():
            if root(mark.id) not in names:
                names[root(mark.id)] = name = self._new_name(mark, counts, taken)
                taken.add(name)
        return {id: names[root(id)] for id in self._marks}

    def _new_name(self, mark: Mark, counts: dict[str, int], taken: set[str]) -> str:
        template = self._categories.categories[mark.category].id
        values = self._own_values(mark)
        while True:
            counts[template] += 1
            name = filled(template, {**values, NUMBER: str(counts[template])})
            if name not in taken or f"{{{NUMBER}}}" not in template:
                return self._name(mark, "the id", name).text

    def _fail(self, mark: Mark, message: str) -> Any:
        self._marked.fail(mark, message)


def _without_words(part: Filling) -> Filling:
    """The same without words: nothing in the text says an implied statement."""
    return part._replace(excerpts=())


def _within(excerpt: Excerpt, span: Offsets) -> Excerpt:
    start, end = span
    quote = excerpt.quote[start:end]
    return Excerpt(excerpt.document, excerpt.start + start, excerpt.start + end, quote)


def _constant(term: Term) -> Name | Literal:
    assert isinstance(term, Name | Literal)
    return term


def _as_name(words: str) -> str:
    return re.sub(r"[^\w.-]+", "-", words).strip("-.") or "x"


# Statements -> marks.


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
Bindings = dict[str, Filling]


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
    marks: list[Mark] = []
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


def _without(marks: Sequence[Mark], id: str) -> tuple[Mark, ...]:
    """The marks but one, and no line to that."""
    return tuple(
        replace(mark, links={name: to for name, to in mark.links.items() if to != id})
        for mark in marks
        if mark.id != id
    )


def _shortened(
    marked: MarkedText, categories: Categories, namespaces: Namespaces
) -> Iterator[Mark]:
    """The marks without values that their words, defaults or objects give anyway."""
    mappings = {
        annotator: _Mapping(
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

    def marks(self, annotator: str | None) -> list[Mark]:
        """Marks, those of the categories that state most first; each explains something new."""
        ranked = sorted(
            self._categories.categories.values(), key=lambda one: -len(self._always(one))
        )
        found: list[tuple[Mark, Category, Bindings]] = []
        for (words, chance), group in self._groups.items():
            fragments = tuple((excerpt.start, excerpt.end) for excerpt in words)
            unexplained = set(range(len(group)))
            for category in ranked:
                for bindings, used, flags in self._matches(category, group):
                    if not used & unexplained:
                        continue
                    unexplained -= used
                    values: dict[str, Any] = dict.fromkeys(flags, True)
                    if chance != 1:
                        values[PROBABILITY] = chance
                    who = f"{annotator}-{len(found)}"
                    mark = Mark(who, category.name, fragments, values, annotator=annotator)
                    found.append((mark, category, bindings))
        return self._linked(found)

    def _always(self, category: Category) -> list[StatementTemplate]:
        return [one for one in category.templates if self._categories.always(category, one)]

    def _matches(
        self, category: Category, group: Sequence[Asserted]
    ) -> Iterator[tuple[Bindings, set[int], list[str]]]:
        """Every way in which statements of the same words are those of one mark."""
        always = self._always(category)
        single = [[one] for one in category.templates if one not in always and not one.flag]
        flagged: dict[str, list[StatementTemplate]] = {
            one.flag: [] for one in category.templates if one.flag
        }
        for template in category.templates:
            if template.flag:
                flagged[template.flag].append(template)
        starts: Iterable[tuple[Bindings, set[int], list[str]]]
        if always:
            starts = [(bound, used, []) for bound, used in self._join(category, always, group, {})]
        else:
            starts = [({}, set(), [])]
        for bindings, used, flags in starts:
            for templates in (*single, *flagged.values()):
                for more, also in self._join(category, templates, group, bindings):
                    bindings, used = more, used | also
                    flags = [*flags, *(one.flag for one in templates[:1] if one.flag)]
                    break
            if used:
                yield self._with_objects(category, bindings), used, flags

    def _with_objects(self, category: Category, bindings: Bindings) -> Bindings:
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
        bindings: Bindings,
    ) -> Iterator[tuple[Bindings, set[int]]]:
        if not templates:
            yield bindings, set()
            return
        for index, asserted in enumerate(group):
            bound = self._unified(category, templates[0], asserted, bindings)
            if bound is not None:
                for whole, used in self._join(category, templates[1:], group, bound):
                    yield whole, used | {index}

    def _unified(
        self, category: Category, template: StatementTemplate, one: Asserted, bindings: Bindings
    ) -> Bindings | None:
        statement, support = one.statement, one.support
        terms = (statement.subject, statement.predicate, statement.object)
        words = (support.subject, support.predicate, support.object)
        found = dict(bindings)
        for wanted, term, excerpts in zip(template.terms, terms, words, strict=True):
            if not isinstance(wanted, Hole):
                if self._canonical(_constant(wanted)) != term:
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

    def _linked(self, found: Sequence[tuple[Mark, Category, Bindings]]) -> list[Mark]:
        """The marks with their entities, values and lines to each other."""
        at: dict[tuple[str, tuple[Offsets, ...]], list[Mark]] = defaultdict(list)
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
