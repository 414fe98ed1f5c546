"""Patterns learnt from annotated documents, in the notation of ``patterns.toml``.

The statements of each training document are inverted to marks. Marked mentions teach the types:
which names there are, which words things are called by, what their words say of them. Marks of
events teach patterns: the words between and around what fills the slots, exactly and more and more
generally. Each pattern is tried on all training documents by the engine; what it finds in documents
that it was not made from says how sure it is. Patterns are chosen greedily by what they add.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.files import writing
from readmark.core.records import Offsets
from readmark.tasks.categories.definitions import (
    ENTITY,
    ID,
    Categories,
    Category,
    Hole,
)
from readmark.tasks.categories.inversion import marks_of
from readmark.tasks.extraction.engine import (
    _COMMON,
    ChunkedSentence,
    PatternReader,
    TextChunk,
    _Reading,
    _rows,
)
from readmark.tasks.extraction.engine import Match as EngineMatch
from readmark.tasks.extraction.extractor import Materials, shown_files
from readmark.tasks.extraction.notation import (
    BUILT_IN,
    DATE,
    NAME,
    NUMBER,
    PATTERNS,
    YEAR,
    Expression,
    MarkPattern,
    compiler,
    read_patterns,
)
from readmark.tasks.extraction.tokens import number_in, token_texts, tokens_of
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted, Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Literal, Name, Term, written
from readmark.tasks.task_folder import open_task
from readmark.text.analysers.registry import endings

if TYPE_CHECKING:
    from rich.console import Console

VERSION = 1
"""Of what is learnt from the same documents."""
LEAST = 0.4
"""The probability below which a pattern is not kept."""
AGAIN = 0.6
"""What a statement counts that a pattern finds already."""
MOST_PATTERNS = 4
"""How many patterns may find one statement."""
COST = 0.5
"""What a wrong find costs."""
MOST_LOOSE = 5
"""How many words a slot takes that takes any."""
LEAST_GAIN = 0.2
"""What a pattern has to add."""
TRUST = 2.0
"""How many finds the experience with patterns of the same family counts for."""
TRIGGER = 0.5
"""Share of a word's sentences that must be marked so that it tells of a category."""
MOST_ROLES = 3
NEAR = 8
"""How far from a slot a word that tells of a category may be."""
CONTEXTS = ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (3, 1), (1, 2))
"""How many words of the context, left and right."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_ARTICLES = frozenset(("a", "an", "the"))
_ALIKE = {"he": ("he", "she"), "his": ("his", "her"), "ta": ("他", "她")}
"""Words that patterns take for each other."""
_STOP = "stop"
_STOPS = (
    *(",", ".", ";", ")", "at", "in", "on", "and", "after", "from", "for", "to", "when", "while"),
    *("，", "。", "；", "、", "）", "在", "于", "和", "并", "去", "逝", "的"),
)
"""Words that end a few words of any kind."""
_ALIKE_LIST = {word: name for name, words in _ALIKE.items() for word in words}
_SEPARATORS = frozenset((",", "and", "、", "和", "与", "及", "以及"))
_AND = "((, | and | 、 | 和 | 与 | 及)+ {%s})*"
_STRATEGIES = ("first", "opening", "last")
"""Who is meant where nobody is named: the first of the document, of a sentence, or the last."""

_ANY = "Any"
"""What types of slots that take any few words begin with."""
_IT = "_it"
"""The slot of the entity that a pattern is about."""
_EVENT = "event"
_NOTHING = "⟦nothing"
_DUMMY = ("[[pattern]]", f'find = "{_NOTHING}"', "hide = true")
"""A file needs a pattern."""

Key = tuple[Any, ...]
"""A statement of a document, with placeholders for objects that no words name."""


class Role(NamedTuple):
    """What fills an attribute or relation of a mark, and where its words are."""

    name: str
    value: str
    span: Offsets | None


@dataclass(frozen=True)
class Lesson:
    """A mark of a training document."""

    document: str
    category: str
    roles: tuple[Role, ...]
    fragments: tuple[Offsets, ...]

    def span(self, name: str) -> Offsets | None:
        """Where the words of a role are."""
        return next((role.span for role in self.roles if role.name == name), None)

    def value(self, name: str) -> str | None:
        """What fills a role."""
        return next((role.value for role in self.roles if role.name == name), None)


@dataclass(frozen=True)
class LearntPattern:
    """A pattern and what it found in the training documents."""

    find: str
    category: str
    values: tuple[tuple[str, Any], ...]
    probability: float
    right: int
    wrong: int
    example: str
    documents: int = 0
    """How many documents it is made from."""


@dataclass(frozen=True)
class Learnt:
    """All that was learnt: the text of a ``patterns.toml``, and figures."""

    text: str
    patterns: tuple[LearntPattern, ...]
    documents: int
    lessons: int
    covered: int
    statements: int


@dataclass(frozen=True, repr=False)
class Induction(Result):
    """Learnt patterns that were written to a file."""

    learnt: Learnt
    path: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Where they are, and what each finds in the training documents."""
        learnt = self.learnt
        return {
            "path": self.path,
            "documents": learnt.documents,
            "marks": learnt.lessons,
            "statements": learnt.statements,
            "found": learnt.covered,
            "patterns": [
                {
                    "find": one.find,
                    "category": one.category,
                    "values": dict(one.values),
                    "probability": one.probability,
                    "right": one.right,
                    "wrong": one.wrong,
                    "documents": one.documents,
                    "example": one.example,
                }
                for one in learnt.patterns
            ],
        }

    def show(self, console: Console) -> None:
        """What was learnt from what, in a line."""
        learnt = self.learnt
        console.print(
            Text(
                f"{self.path}: {counted(len(learnt.patterns), 'pattern')} learnt from "
                f"{counted(learnt.documents, 'document')}; they find {learnt.covered} of "
                f"{counted(learnt.statements, 'statement')} there"
            ),
            soft_wrap=True,
        )


def induce_file(task: str, output: str) -> Induction:
    """Learn patterns from the annotated train split of a task, and write them."""
    package = open_task(task)
    learnt = learn_from(Materials(shown_files(package)))
    with writing(output) as stream:
        stream.write(f"{learnt.text}\n".encode())
    return Induction(learnt, output)


def learn_from(materials: Materials) -> Learnt:
    """Learn from what an extractor may see of a task."""
    training = list(materials.training())
    symmetric: frozenset[str] = frozenset()
    if any(asserted for _, _, asserted in training):
        symmetric = symmetric_in(training, materials.theory, materials.ontology)
    return induce(training, materials.categories, materials.namespaces, symmetric=symmetric)


TrainingDocument = tuple[str, str, Sequence[Asserted]]


def induce(
    training: Iterable[TrainingDocument],
    categories: Categories | None,
    namespaces: Namespaces | None = None,
    *,
    symmetric: frozenset[str] = frozenset(),
) -> Learnt:
    """Learn patterns from documents with their statements; ``symmetric`` are predicates."""
    documents = [(id, text, list(asserted)) for id, text, asserted in training]
    if categories is None:
        raise UsageError("learning patterns needs a task with categories.toml")
    if not documents:
        raise UsageError("learning patterns needs documents of the split train, and there are none")
    annotated = [each for each in documents if each[2]]
    if not annotated:
        raise UsageError("learning patterns needs annotation of the train split; there is none")
    lessons: list[Lesson] = []
    for id, text, asserted in annotated:
        lessons += lessons_of(id, text, asserted, categories, namespaces)
    texts = {id: text for id, text, _ in annotated}
    lessons = _with_numbers(lessons, texts, categories)
    if not lessons:
        raise UsageError("no statement of the train split fits a category of categories.toml")
    return _Learner(texts, lessons, categories, symmetric).learnt()


def lessons_of(
    id: str,
    text: str,
    asserted: Sequence[Asserted],
    categories: Categories,
    namespaces: Namespaces | None = None,
) -> list[Lesson]:
    """The marks that yield a document's statements, with the words of each role."""
    numbered = [(one, number) for number, one in enumerate(asserted, 1)]
    found = marks_of(numbered, categories, document=id, text=text, namespaces=namespaces)
    words: dict[tuple[tuple[Offsets, ...], str], Offsets] = {}
    for one in asserted:
        fragments = tuple((each.start, each.end) for each in one.support.statement)
        statement, support = one.statement, one.support
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.object, support.object),
        ):
            for excerpt in excerpts[:1]:
                words.setdefault((fragments, _plain(term)), (excerpt.start, excerpt.end))
    marks = {mark.id: mark for mark in found.marked.marks}
    lessons = []
    for mark in marks.values():
        category = categories.categories[mark.category]
        roles: list[Role] = []
        if category.id and ENTITY in mark.values:
            roles.append(Role(ENTITY, str(mark.values[ENTITY]), mark.fragments[0]))
        for name, value in mark.values.items():
            if name in category.attributes or name in category.relations:
                plain = str(value).lower() if isinstance(value, bool) else str(value)
                roles.append(Role(name, plain, words.get((mark.fragments, plain))))
        for name, target in mark.links.items():
            entity = str(marks[target].values.get(ENTITY, ""))
            span = words.get((mark.fragments, entity), marks[target].fragments[0])
            roles.append(Role(name, entity, span))
        lessons.append(Lesson(id, mark.category, tuple(roles), mark.fragments))
    return lessons


def _with_numbers(
    lessons: Sequence[Lesson], texts: Mapping[str, str], categories: Categories
) -> list[Lesson]:
    """Lessons with the words of numbers that annotators only type, where they are there once."""
    marked = {(one.category, role.name) for one in lessons for role in one.roles if role.span}

    def placed(lesson: Lesson, role: Role) -> Role:
        attribute = categories.categories[lesson.category].attributes.get(role.name)
        if attribute is None or attribute.type not in ("integer", "number"):
            return role
        if (lesson.category, role.name) in marked:
            return role
        found = [
            (start + token.start, start + token.end)
            for start, end in lesson.fragments
            for token in tokens_of(texts[lesson.document][start:end])
            if str(number_in(token)) == role.value
        ]
        return role._replace(span=found[0]) if len(found) == 1 else role

    return [
        replace(lesson, roles=tuple(placed(lesson, role) for role in lesson.roles))
        for lesson in lessons
    ]


def _plain(term: Term) -> str:
    return term.lexical if isinstance(term, Literal) else written(term)


# --- Types: what things are called ---------------------------------------------------------------


@dataclass
class _TypeFacts:
    """What the mentions of a category teach."""

    name: str
    category: str
    surfaces: Counter[str] = field(default_factory=Counter)
    entities: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    names: bool = False
    surname: bool = False
    full: str = ""
    listed: dict[str, list[str]] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Words -> the documents that have them."""
    heads: dict[str, set[str]] = field(default_factory=dict)
    form: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    surnames: tuple[str, ...] = ()
    values: dict[str, Counter[tuple[tuple[str, str], ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """Words -> what is marked of what they name, such as the sort of an office."""

    @property
    def is_found(self) -> bool:
        return bool(self.names or self.listed or self.form)

    def listed_without(self, document: str) -> dict[str, list[str]]:
        """The names that other documents than one have, which is what a new document meets."""
        return {
            entity: known
            for entity, names in self.listed.items()
            if (known := [words for words in names if self.sources[words] - {document}])
        }


class _Learner:
    def __init__(
        self,
        texts: Mapping[str, str],
        lessons: Sequence[Lesson],
        categories: Categories,
        symmetric: frozenset[str],
    ) -> None:
        self.texts, self.lessons, self.categories = texts, lessons, categories
        self.symmetric = symmetric
        self.of_document: dict[str, list[Lesson]] = defaultdict(list)
        for lesson in lessons:
            self.of_document[lesson.document].append(lesson)
        self.entity_words: dict[str, dict[str, str]] = defaultdict(dict)
        """Document -> words in lower case -> the entity that they name."""
        self.entity_spans: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        """Document -> where entities of which category are named."""
        for lesson in lessons:
            text = texts[lesson.document]
            for role in lesson.roles:
                if role.name == ENTITY and role.span is not None:
                    named = (*role.span, lesson.category, role.value)
                    self.entity_spans[lesson.document].append(named)
                if role.span is not None and self._is_entity(lesson.category, role.name):
                    words = " ".join(text[slice(*role.span)].lower().split())
                    self.entity_words[lesson.document].setdefault(words, role.value)
        self.types = self._types()
        self.values = self._value_types()
        self.triggers: dict[str, list[str]] = {}
        self.scopes: dict[str, str] = {}
        self._read()
        self._choose_scopes()
        self._find_triggers()

    def _is_entity(self, category: str, role: str) -> bool:
        return role == ENTITY or role in self.categories.categories[category].relations

    # Types.

    def _types(self) -> dict[str, _TypeFacts]:
        targets = {
            target
            for category in self.categories.categories.values()
            for relation in category.relations.values()
            for target in relation.targets
        }
        found: dict[str, _TypeFacts] = {}
        for name, category in self.categories.categories.items():
            if category.id and name in targets and not category.relations:
                type = f"{name}Thing" if name in BUILT_IN else name
                found[name] = _TypeFacts(type, name)
        for lesson in self.lessons:
            category = self.categories.categories[lesson.category]
            for role in lesson.roles:
                if role.span is None:
                    continue
                if role.name == ENTITY:
                    targets_of: tuple[str, ...] = (lesson.category,)
                elif role.name in category.relations:
                    targets_of = category.relations[role.name].targets
                else:
                    continue
                words = " ".join(self.texts[lesson.document][slice(*role.span)].split())
                for target in targets_of[:1]:
                    if target in found:
                        facts = found[target]
                        facts.entities[role.value][words] += 1
                        facts.sources[words].add(lesson.document)
        for facts in found.values():
            for counts in facts.entities.values():
                facts.surfaces.update(dict.fromkeys(counts, 1))
        named = [facts for facts in found.values() if facts.surfaces and self._named(facts) >= 0.6]
        named.sort(key=lambda facts: -sum(facts.surfaces.values()))
        for facts in named:
            facts.names = True
            if any(map(_HAN.search, facts.surfaces)):
                facts.surnames = endings("zh", "person", "surnames")
        for facts in found.values():
            if facts not in named[:1]:
                facts.listed = self._listed(facts)
        for facts in named:
            self._name_facts(facts, first=facts is named[0])
        for lesson in self.lessons:
            if lesson.category in found and (mention := lesson.span(ENTITY)) is not None:
                words = " ".join(self.texts[lesson.document][slice(*mention)].split())
                attributes = self.categories.categories[lesson.category].attributes
                said = tuple(
                    sorted(
                        (role.name, role.value)
                        for role in lesson.roles
                        if role.name in attributes
                        and (attributes[role.name].choices or attributes[role.name].type == "name")
                    )
                )
                found[lesson.category].values[words][said] += 1
        places = [facts for facts in found.values() if facts.listed]
        for facts in found.values():
            if facts.surfaces and not facts.names:
                self._forms(facts, [other for other in places if other is not facts])
        return found

    def _named(self, facts: _TypeFacts) -> float:
        """Share of the mentions that look like names."""
        surnames = endings("zh", "person", "surnames")
        count = 0
        for words in facts.surfaces:
            if _HAN.search(words):
                count += 2 <= len(words) <= 4 and words.startswith(surnames)
            else:
                parts = words.split()
                count += all(part[:1].isupper() for part in (parts[0], parts[-1]))
        return count / len(facts.surfaces)

    def _listed(self, facts: _TypeFacts) -> dict[str, list[str]]:
        """Names by entity; words that name several are nobody's."""
        of_words: dict[str, set[str]] = defaultdict(set)
        for entity, counts in facts.entities.items():
            for words in counts:
                of_words[words].add(entity)
        listed: dict[str, list[str]] = {}
        for entity, counts in sorted(facts.entities.items()):
            own = [words for words in sorted(counts) if of_words[words] == {entity}]
            if own:
                listed[entity] = own
        return listed

    def _name_facts(self, facts: _TypeFacts, *, first: bool) -> None:
        """Short names, full names, and words that are in no name."""
        spaced = [words for words in facts.surfaces if not _HAN.search(words)]
        full: Counter[str] = Counter()
        whole = 0
        for lesson in self.lessons:
            if lesson.category != facts.category:
                continue
            text = self.texts[lesson.document]
            for role in lesson.roles:
                if role.name == ENTITY and role.span is not None:
                    words = text[slice(*role.span)]
                    if " " in words or _HAN.search(words):
                        whole += 1
                        own = (each.name for each in lesson.roles if each.value == words)
                        full.update(name for name in own if name != ENTITY)
        for name, count in full.most_common(1):
            if count >= 0.6 * whole:
                facts.full = name
        if first and spaced:
            facts.surname = any(
                len(counts) > 1 and any(" " not in words for words in counts)
                for counts in facts.entities.values()
            )
        facts.never = self._never(facts) if first else []

    def _never(self, facts: _TypeFacts) -> list[str]:
        """Words and characters that texts have outside names, and not in them."""
        inside: Counter[str] = Counter()
        outside: Counter[str] = Counter()
        marked = {words for known in self.types_words() for words in known}
        names = set(facts.surfaces)
        for text in self.texts.values():
            spans = [
                match.span()
                for words in marked
                if words in text
                for match in re.finditer(re.escape(words), text)
                if words in names
            ]
            for token in tokens_of(text):
                within = any(start <= token.start and token.end <= end for start, end in spans)
                (inside if within else outside)[token.text] += 1
        listed = []
        for word, count in sorted(outside.items()):
            if word[:1].isupper() and word.lower() not in _COMMON:
                if not inside[word] and (count > 1 or self._joins_names(word, names)):
                    listed.append(word)
            elif _HAN.fullmatch(word) and count > 2 * inside[word] + (1 if inside[word] else 0):
                listed.append(word)
        return listed

    def types_words(self) -> Iterator[set[str]]:
        """The words of mentions, by document."""
        for lesson in self.lessons:
            text = self.texts[lesson.document]
            yield {
                " ".join(text[slice(*role.span)].split())
                for role in lesson.roles
                if role.span is not None and self._is_entity(lesson.category, role.name)
            }

    def _joins_names(self, word: str, names: set[str]) -> bool:
        """Whether a word stands right before a name, as titles do."""
        return any(
            f"{word} {name}" in text
            for text in self.texts.values()
            if word in text
            for name in names
        )

    def _forms(self, facts: _TypeFacts, others: Sequence[_TypeFacts]) -> None:
        """Forms such as "<office> of {Place}", from the words of mentions."""
        heads: dict[str, set[str]] = defaultdict(set)
        joints: Counter[str] = Counter()
        known = {words for other in others for names in other.listed.values() for words in names}
        slots = " | ".join([*(f"{{{other.name}}}" for other in others), f"{{{NAME}}}"])
        chinese = False
        for words in facts.surfaces:
            if _HAN.search(words):
                if len(words) > 3 and any(words.startswith(each) for each in known):
                    heads[words[-2:]] |= facts.sources[words]
                    chinese = True
                continue
            parts = words.split()
            place = next((at for at, part in enumerate(parts) if part[:1].isupper()), None)
            if place is None or place < 2:
                continue
            start = place
            while start and parts[start - 1].lower() in _COMMON:
                start -= 1
            if 0 < start < place:
                heads[" ".join(parts[:start])] |= facts.sources[words]
                joints[" ".join(parts[start:place])] += 1
        if sum(map(len, heads.values())) < 2:
            return
        bare = {words for words in facts.surfaces if words in heads}
        for word in bare:
            heads[word] |= facts.sources[word]
        facts.heads = dict(sorted(heads.items()))
        if chinese:
            facts.form.append(f"({slots}) ...6 %s")
        if joints:
            facts.form.append(f"%s ({' | '.join(sorted(joints))}) ({slots})")
        if bare:
            facts.form.append("%s")

    def _value_types(self) -> dict[tuple[str, str], dict[str, list[str]]]:
        """Words that say values of attributes without a number or date, such as quarters."""
        found: dict[tuple[str, str], dict[str, Counter[str]]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        for lesson in self.lessons:
            category = self.categories.categories[lesson.category]
            for role in lesson.roles:
                if role.span is None or role.name not in category.attributes:
                    continue
                words = " ".join(self.texts[lesson.document][slice(*role.span)].lower().split())
                attribute = category.attributes[role.name]
                if attribute.type in ("string", "date") or not re.search(r"[^\W\d]", words):
                    continue
                if attribute.type in ("integer", "number") and len(words.split()) == 1:
                    continue
                found[lesson.category, role.name][words][role.value] += 1
        kept: dict[tuple[str, str], dict[str, list[str]]] = {}
        for key, by_words in found.items():
            values: dict[str, list[str]] = defaultdict(list)
            for words, counts in sorted(by_words.items()):
                value, count = counts.most_common(1)[0]
                if count >= 0.9 * sum(counts.values()):
                    values[value].append(words)
            if sum(map(len, values.values())) > 1:
                kept[key] = dict(sorted(values.items()))
        return kept

    def value_type(self, category: str, role: str) -> str:
        return f"{category}{role[:1].upper()}{role[1:]}"

    def _type_of(self, category: str, role: str) -> _TypeFacts | None:
        if role == ENTITY:
            return self.types.get(category)
        relation = self.categories.categories[category].relations.get(role)
        return self.types.get(relation.targets[0]) if relation is not None else None

    # The training documents as the engine sees them.

    def preamble(self, without: str | None = None) -> list[str]:
        """The tables of words, types and scopes, as lines of TOML.

        ``without`` leaves out the names that only one document has.
        """
        lines: list[str] = []
        phrases: list[str] = []
        lists = {_list_name(name): words for name, words in self.triggers.items() if words}
        chinese = any(map(_HAN.search, self.texts.values()))
        lists |= {
            name: list(words)
            for name, words in _ALIKE.items()
            if chinese or not _HAN.search(words[0])
        }
        lists[_STOP] = list(_STOPS)
        if lists:
            lines.append("[words]")
            for name, words in lists.items():
                entries = ", ".join(_quoted(_escaped(word)) for word in words)
                lines.append(f"{name} = [{entries}]")
            lines.append("")
        for facts in self.types.values():
            if facts.is_found:
                lines += _type_table(facts, without)
        for facts in self.types.values():
            if facts.is_found:
                phrases += _phrase_tables(facts, without)
        for (category, role), values in self.values.items():
            lines += [f"[type.{self.value_type(category, role)}.entities]"]
            for value, words in values.items():
                lines.append(f"{_quoted(value)} = [{', '.join(map(_quoted, words))}]")
            lines.append("")
        for scope, strategy in self.scopes.items():
            lines.append(f"[scope.{scope}]")
            if strategy == "first":
                lines.append("first = true")
            lines.append("")
        return lines + phrases

    def setters(self) -> list[str]:
        """Patterns that set the scopes, as lines of TOML."""
        by_type: dict[tuple[str, str], list[str]] = defaultdict(list)
        for scope, strategy in self.scopes.items():
            facts = self._scope_type(scope)
            if facts is not None:
                by_type[facts.name, strategy].append(scope)
        lines = []
        for (type, strategy), scopes in by_type.items():
            sets = ", ".join(f'{scope} = "{{_it}}"' for scope in scopes)
            find = f"^ ...2 {{_it:{type}}}" if strategy == "opening" else f"{{_it:{type}}}"
            lines += ["[[pattern]]", f"find = {_quoted(find)}", f"set = {{ {sets} }}", ""]
        return lines

    def _scope_type(self, scope: str) -> _TypeFacts | None:
        for category in self.categories.categories.values():
            if scope in category.relations:
                return self.types.get(category.relations[scope].targets[0])
        return None

    def _read(self) -> None:
        self.readings: dict[str, _Reading] = {}
        for id, text in self.texts.items():
            file = "\n".join([*self.preamble(id), *_DUMMY])
            patterns = read_patterns(file, PATTERNS, self.categories)
            assert patterns is not None
            self.readings[id] = _Reading(PatternReader(patterns, self.categories), id, text)
            for sentence in self.readings[id].sentences:
                sentence.render(self.readings[id].chunks)

    def _places(self, id: str, type: _TypeFacts) -> list[tuple[int, bool, str]]:
        """Where things of a type are named, whether at a sentence's beginning, and which."""
        accepted = {type.name, NAME} if type.names else {type.name}
        reading = self.readings[id]
        return [
            (item.start, place < 3, self._entity(id, item, type))
            for sentence in reading.sentences
            for place, item in enumerate(sentence.items)
            if item.type in accepted
        ]

    def _entity(self, id: str, chunk: TextChunk, type: _TypeFacts) -> str:
        """The entity of the annotation that a chunk names, or what the engine calls it."""
        start, end = chunk.span
        for first, last, category, entity in self.entity_spans[id]:
            if category == type.category and first < end and start < last:
                return entity
        reading = self.readings[id]
        known = self.entity_words[id]
        words = " ".join(reading.text[slice(*chunk.span)].lower().split())
        if words in known:
            return known[words]
        spec = reading.patterns.types.get(type.name)
        named = reading.entity(chunk, spec) if spec is not None else None
        return known.get((named or words).replace("-", " ").lower(), named or words)

    def _choose_scopes(self) -> None:
        """For each relation that is often not in the words: who is meant then."""
        implicit: dict[str, list[tuple[Lesson, str]]] = defaultdict(list)
        stated: Counter[str] = Counter()
        of = Counter(lesson.category for lesson in self.lessons)
        given = Counter(
            (lesson.category, role.name) for lesson in self.lessons for role in lesson.roles
        )
        for lesson in self.lessons:
            category = self.categories.categories[lesson.category]
            for name, relation in category.relations.items():
                value = lesson.value(name)
                facts = self.types.get(relation.targets[0])
                if value is None or facts is None or not facts.is_found:
                    continue
                if relation.optional and given[lesson.category, name] < 0.8 * of[lesson.category]:
                    continue
                stated[name] += 1
                role = next(role for role in lesson.roles if role.name == name)
                if role.span is None:
                    implicit[name].append((lesson, value))
        for name, cases in sorted(implicit.items()):
            if len(cases) < 0.1 * stated[name]:
                continue
            facts = self._scope_type(name)
            assert facts is not None
            hits: Counter[str] = Counter()
            for lesson, value in cases:
                places = self._places(lesson.document, facts)
                for strategy in _STRATEGIES:
                    hits[strategy] += _meant(places, strategy, lesson.fragments[0][0]) == value
            best = max(_STRATEGIES, key=lambda strategy: hits[strategy])
            if hits[best] >= 0.3 * len(cases):
                self.scopes[name] = best

    def _find_triggers(self) -> None:
        """Words that tell of a category: most sentences with them are marked so."""
        total: Counter[str] = Counter()
        marked: dict[str, Counter[str]] = defaultdict(Counter)
        sources: dict[tuple[str, str], set[str]] = defaultdict(set)
        for id, reading in self.readings.items():
            roles = [
                role.span
                for lesson in self.of_document[id]
                for role in lesson.roles
                if role.span is not None
            ]
            for sentence in reading.sentences:
                plain = [item for item in sentence.items if not item.type]
                total.update({word for word, _ in _grams(plain)})
                for lesson in self.of_document[id]:
                    category = self.categories.categories[lesson.category]
                    if category.id and not any(r.name != ENTITY for r in lesson.roles):
                        continue
                    inside = [
                        item
                        for item in plain
                        if any(a <= item.start and item.end <= b for a, b in lesson.fragments)
                        and not any(a <= item.start and item.end <= b for a, b in roles)
                    ]
                    for word in {word for word, _ in _grams(inside)}:
                        sources[lesson.category, word].add(f"{id}:{sentence.number}")
        for (name, word), places in sources.items():
            marked[name][word] = len(places)
        for name, counts in sorted(marked.items()):
            words = [
                word
                for word, count in sorted(counts.items())
                if count >= 2
                and count >= TRIGGER * total[word]
                and len({place.rsplit(":", 1)[0] for place in sources[name, word]}) > 1
                and re.search(r"\w", word)
            ]
            # A longer run of characters says what a shorter one in it does.
            self.triggers[name] = [
                word
                for word in words
                if not any(
                    word != other and word in other and counts[other] >= 0.8 * counts[word]
                    for other in words
                )
                or not _HAN.search(word)
            ]

    # Patterns.

    def learnt(self) -> Learnt:
        """Generate, try and choose patterns, and write them down."""
        candidates = _Generator(self).candidates()
        text = "\n".join([*self.preamble(), *_DUMMY])
        judge = _Judge(self, compiler(text, PATTERNS, self.categories))
        tried = judge.tried(candidates)
        chosen = _chosen(tried)
        lines = [
            "# Patterns learnt by readmark task induce: edit them as you like.",
            f"# {len(self.texts)} documents, {len(self.lessons)} marks, {len(chosen)} patterns.",
            "",
            *self.preamble(),
            *self.setters(),
        ]
        covered: set[Key] = set()
        patterns = []
        for trial in chosen:
            covered |= trial.covered
            pattern = trial.pattern()
            patterns.append(pattern)
            lines += _pattern_table(pattern)
        gold = {key for keys in judge.gold.values() for key in keys}
        return Learnt(
            "\n".join(lines),
            tuple(patterns),
            len(self.texts),
            len(self.lessons),
            len(covered),
            len(gold),
        )


def _meant(places: Sequence[tuple[int, bool, str]], strategy: str, at: int) -> str | None:
    if strategy == "first":
        return places[0][2] if places else None
    before = [
        entity for start, opens, entity in places if start <= at and (opens or strategy == "last")
    ]
    return before[-1] if before else None


def _grams(items: Sequence[TextChunk]) -> Iterator[tuple[str, int]]:
    """Words, and runs of up to three Chinese characters."""
    for at, item in enumerate(items):
        text = item.text.lower()
        if not _HAN.fullmatch(text):
            yield text, 1
            continue
        run = text
        yield run, 1
        for size in (2, 3):
            if at + size > len(items):
                break
            following = items[at + size - 1]
            if not _HAN.fullmatch(following.text) or following.start != items[at + size - 2].end:
                break
            run += following.text
            yield run, size


def _list_name(category: str) -> str:
    return f"tells_{category.lower()}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _escaped(text: str) -> str:
    """Words as a pattern has them."""
    return re.sub(r"([<>{}()\[\]|*+^$/\\~])|\.(?=\.)", lambda match: "\\" + match[0], text)


def _toml(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else _quoted(str(value))


def _type_table(facts: _TypeFacts, without: str | None) -> list[str]:
    """A type, and the type of slots that take a few words of any kind."""
    lines = [f"[type.{facts.name}]", f"category = {_quoted(facts.category)}"]
    for flag in ("names", "surname"):
        if getattr(facts, flag):
            lines.append(f"{flag} = true")
    if facts.form:
        lines.append("short = true")
    if facts.full:
        lines.append(f"full = {_quoted(facts.full)}")
    if facts.surnames:
        lines.append(f"surnames = [{', '.join(map(_quoted, facts.surnames))}]")
    if facts.never:
        lines.append(f"never = [{', '.join(map(_quoted, facts.never))}]")
    if facts.names and facts.listed:
        listed = facts.listed if without is None else facts.listed_without(without)
        lines.append(f"[type.{facts.name}.entities]")
        for entity, names in (listed or {_NOTHING: [_NOTHING]}).items():
            lines.append(f"{_quoted(entity)} = [{', '.join(map(_quoted, names))}]")
    lines += ["", f"[type.{_ANY}{facts.name}]", f"category = {_quoted(facts.category)}"]
    return [*lines, f"words = {MOST_LOOSE}", ""]


def _phrase_tables(facts: _TypeFacts, without: str | None) -> list[str]:
    """What things without names are called, by what their words say of them."""
    if facts.names:
        return []
    groups: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for words in sorted(facts.surfaces, key=lambda each: (-len(each), each)):
        if words not in facts.heads and facts.sources[words] - {without}:
            groups[_most(facts.values.get(words))].append(_escaped(words))
    by_head: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for head, sources in facts.heads.items():
        if sources - {without}:
            counts: Counter[tuple[tuple[str, str], ...]] = Counter()
            for words, each in facts.values.items():
                if words.startswith(f"{head} ") or words.endswith(head):
                    counts.update(each)
            by_head[_most(counts)].append(_escaped(head))
    for template in facts.form:
        for values, heads in by_head.items():
            groups[values].append(template % f"({' | '.join(heads)})")
    lines = []
    for values, finds in sorted(groups.items()) or [((), [_NOTHING])]:
        lines += ["[[phrase]]", f"as = {_quoted(facts.name)}"]
        lines.append(f"find = [{', '.join(map(_quoted, finds))}]")
        if values:
            given = ", ".join(f"{name} = {_quoted(value)}" for name, value in values)
            lines.append(f"values = {{ {given} }}")
        lines.append("")
    return lines


def _most(counts: Counter[tuple[tuple[str, str], ...]] | None) -> tuple[tuple[str, str], ...]:
    return max(sorted(counts), key=lambda each: counts[each]) if counts else ()


def _pattern_table(pattern: LearntPattern) -> list[str]:
    example = " ".join(pattern.example.split())
    lines = [
        f"# {pattern.right} right, {pattern.wrong} wrong; "
        f"from {counted(pattern.documents, 'document')}: {example}",
        "[[pattern]]",
        f"find = {_quoted(pattern.find)}",
    ]
    is_about = f"{{{_IT}:" in pattern.find
    lines.append(f'about = "{_IT}"' if is_about else f"mark = {_quoted(pattern.category)}")
    if pattern.values:
        values = ", ".join(f"{name} = {_toml(value)}" for name, value in pattern.values)
        lines.append(f"values = {{ {values} }}")
    if not is_about:
        lines.append(f"probability = {pattern.probability:.2f}")
    return [*lines, ""]


# --- Candidates ----------------------------------------------------------------------------------


class _Element(NamedTuple):
    """A part of a pattern: a word, a slot, something else that is a chunk, or a sentence's end."""

    kind: str
    text: str
    type: str = ""


@dataclass(frozen=True)
class _Candidate:
    find: str
    category: str
    values: tuple[tuple[str, Any], ...]
    implicit: tuple[str, ...]
    literals: frozenset[str]
    """Words that a sentence must have; a list of words is in angle brackets."""


@dataclass
class _Origin:
    family: str
    documents: set[str] = field(default_factory=set)
    example: str = ""


class _Generator:
    """Patterns that the lessons suggest."""

    def __init__(self, learner: _Learner) -> None:
        self.learner = learner
        self.found: dict[_Candidate, _Origin] = {}
        self.of_trigger: dict[str, list[tuple[str, ...]]] = {
            category: sorted(
                (tuple(token_texts(word)) for word in words), key=lambda w: (-len(w), w)
            )
            for category, words in learner.triggers.items()
        }

    def candidates(self) -> dict[_Candidate, _Origin]:
        for lesson in self.learner.lessons:
            for sentence in self.learner.readings[lesson.document].sentences:
                self._in_sentence(lesson, sentence)
        return self.found

    def _in_sentence(self, lesson: Lesson, sentence: ChunkedSentence) -> None:
        learner = self.learner
        category = learner.categories.categories[lesson.category]
        start, end = sentence.items[0].start, sentence.items[-1].end
        if not any(a < end and start < b for a, b in lesson.fragments):
            return
        placed: dict[str, tuple[int, int, str]] = {}
        constants: list[tuple[str, Any]] = []
        implicit: list[str] = []
        for role in lesson.roles:
            where = self._placed(lesson, role, sentence) if role.span is not None else None
            if where is not None:
                placed[role.name] = where
            elif role.name in category.relations:
                if role.name in learner.scopes:
                    implicit.append(role.name)
            elif role.name in category.attributes and role.span is None:
                attribute = category.attributes[role.name]
                if attribute.type in ("name", "flag", "boolean") or attribute.choices:
                    constants.append((role.name, _constant(attribute.type, role.value)))
        names = sorted(placed, key=lambda name: placed[name])
        sizes = range(1, len(names) + 1)
        for size in sizes:
            if size > 2 and size != len(names) and len(names) > MOST_ROLES:
                continue
            if size < len(names) and _is_event(category):
                continue  # another mark would be another event
            for subset in combinations(names, size):
                open_roles = tuple(
                    name
                    for name, relation in category.relations.items()
                    if name not in subset and (not relation.optional or name in implicit)
                )
                if any(name not in learner.scopes for name in open_roles):
                    continue
                given = {*subset, *open_roles, *(name for name, _ in constants)}
                if not _yields(learner.categories, category, given):
                    continue
                if any(
                    attribute.required and name not in given and not attribute.words
                    for name, attribute in category.attributes.items()
                ):
                    continue
                self._of_roles(
                    lesson, sentence, {n: placed[n] for n in subset}, constants, open_roles
                )

    def _placed(
        self, lesson: Lesson, role: Role, sentence: ChunkedSentence
    ) -> tuple[int, int, str] | None:
        """The items that a role's words are, and the type of the slot."""
        learner = self.learner
        assert role.span is not None
        start, end = role.span
        inside = [
            at for at, item in enumerate(sentence.items) if item.start < end and start < item.end
        ]
        if not inside:
            return None
        first, last = inside[0], inside[-1] + 1
        item = sentence.items[first]
        category = learner.categories.categories[lesson.category]
        facts = learner._type_of(lesson.category, role.name)
        if facts is not None:
            if not facts.is_found:
                return None
            is_one = last - first == 1 and item.span == (start, end)
            if is_one and (item.type == facts.name or (item.type == NAME and facts.names)):
                return first, last, facts.name
            if role.name == ENTITY:
                return None
            whole = item.start == start and sentence.items[last - 1].end == end
            plain = not any(each.type for each in sentence.items[first:last])
            if whole and plain and last - first <= MOST_LOOSE:
                return first, last, f"{_ANY}{facts.name}"
            return None
        attribute = category.attributes.get(role.name)
        if attribute is None or last - first != 1:
            return None
        if item.type == learner.value_type(lesson.category, role.name):
            return first, last, item.type
        if item.type in (NUMBER, YEAR, DATE) and str(item.value) == role.value:
            return first, last, item.type
        return None

    def _of_roles(
        self,
        lesson: Lesson,
        sentence: ChunkedSentence,
        placed: Mapping[str, tuple[int, int, str]],
        constants: Sequence[tuple[str, Any]],
        implicit: tuple[str, ...],
    ) -> None:
        elements, first, last = self._elements(lesson, sentence, placed)
        spans = [role.span for role in lesson.roles if role.name in placed and role.span]
        text = self.learner.texts[lesson.document]
        low = min([*(a for a, _ in spans), lesson.fragments[0][0]])
        high = max([*(b for _, b in spans), lesson.fragments[-1][1]])
        example = text[low : min(high, low + 160)]
        values = tuple(constants)

        def add(family: str, parts: Sequence[_Element]) -> None:
            find = _written(parts)
            literals = frozenset(
                word
                for part in parts
                if part.kind in ("word", "trigger", "list")
                for word in ([f"<{part.type}>"] if part.kind == "list" else token_texts(part.text))
            )
            if parts[-1].kind == "slot" and parts[-1].type.startswith(_ANY):
                return  # nothing would say where the words end
            if not literals - {f"<{_STOP}>"} and lesson.category not in self.learner.types:
                return
            candidate = _Candidate(
                find, lesson.category, values, implicit, frozenset(map(str.lower, literals))
            )
            origin = self.found.setdefault(candidate, _Origin(family))
            origin.documents.add(lesson.document)
            origin.example = origin.example or example

        list_name = _list_name(lesson.category)
        kinds = len(placed)

        def stopped(end: int) -> bool:
            """Whether a few words of any kind end where other such words would."""
            return elements[end - 1].type.startswith(_ANY) and elements[end].text in _STOPS

        for left, right in CONTEXTS:
            if first - left < 0 or last + right > len(elements):
                continue
            parts = elements[first - left : last + right]
            add(f"exact {kinds} {left}{right}", [_as_word(part) for part in parts])
            if stopped(last) and right == 1:
                ended = [*parts[:-1], _Element("list", parts[-1].text, _STOP)]
                add(f"stop {kinds} {left}", [_as_word(part) for part in ended])
                add(f"stop list {kinds} {left}", [_as_list(part, list_name) for part in ended])
            if any(part.kind == "trigger" for part in parts):
                add(f"list {kinds} {left}{right}", [_as_list(part, list_name) for part in parts])
        slots = [at for at, part in enumerate(elements) if part.kind == "slot"]
        for at, part in enumerate(elements):
            if part.kind != "trigger" or not first - NEAR <= at < last + NEAR:
                continue
            low, high = min(at, first), max(at + 1, last)
            for keep in (True, False):
                anchors = {at, *slots}
                if keep:
                    anchors |= {
                        each - 1 for each in slots if elements[each - 1].kind in ("word", "list")
                    }
                gapped = _gapped(elements, low, high, anchors)
                if stopped(high):
                    gapped.append(_Element("list", elements[high].text, _STOP))
                add(
                    f"gap {kinds} {keep} {at < first}{at >= last}",
                    [_as_word(each) for each in gapped],
                )
                add(
                    f"gap list {kinds} {keep} {at < first}{at >= last}",
                    [_as_list(each, list_name) for each in gapped],
                )
        if _is_event(self.learner.categories.categories[lesson.category]):
            core = _gapped(elements, first, last, set(slots))
            for count in range(1, NEAR):
                if last + count < len(elements):
                    after = [_as_word(each) for each in elements[last : last + count]]
                    add(f"event {kinds} 0{count}", [*core, *after])
                if first - count > 0:
                    before = [_as_word(each) for each in elements[first - count : first]]
                    add(f"event {kinds} {count}0", [*before, *core])
        self._lists(elements, first, last, add, list_name)

    def _lists(
        self,
        elements: Sequence[_Element],
        first: int,
        last: int,
        add: Callable[[str, Sequence[_Element]], None],
        list_name: str,
    ) -> None:
        """A role that several fill: "their sons, Joseph and Mark"."""
        for at, part in enumerate(elements[first:last], first):
            if part.kind != "slot":
                continue
            end = at + 1
            while (
                end + 1 < len(elements)
                and elements[end].text in _SEPARATORS
                and (
                    elements[end + 1].kind == "chunk"
                    and elements[end + 1].type in (part.type, NAME)
                )
            ):
                end += 2
            if end == at + 1:
                continue
            joined = [
                *elements[:at],
                _Element("several", part.text, part.type),
                *elements[max(end, last) if last == at + 1 else at + 1 :],
            ]
            for left in (0, 1, 2, 3):
                if first - left >= 0:
                    parts = joined[first - left : at + 1 if last == at + 1 else last]
                    add(f"several {left}", [_as_list(each, list_name) for each in parts])

    def _elements(
        self, lesson: Lesson, sentence: ChunkedSentence, placed: Mapping[str, tuple[int, int, str]]
    ) -> tuple[list[_Element], int, int]:
        """The sentence with slots, and where the first slot begins and the last one ends."""
        starts = {where[0]: (name, where[1], where[2]) for name, where in placed.items()}
        found = [_Element("end", "^")]
        triggers = self.of_trigger.get(lesson.category, [])
        first, last, at = -1, -1, 0
        while at < len(sentence.items):
            item = sentence.items[at]
            if at in starts:
                name, end, type = starts[at]
                first = len(found) if first < 0 else first
                found.append(_Element("slot", _IT if name == ENTITY else name, type))
                last, at = len(found), max(end, at + 1)
                continue
            if item.type:
                found.append(_Element("chunk", item.text, item.type))
                at += 1
                continue
            size = next(
                (
                    len(words)
                    for words in triggers
                    if all(
                        at + k < len(sentence.items)
                        and not sentence.items[at + k].type
                        and sentence.items[at + k].text.lower() == word.lower()
                        for k, word in enumerate(words)
                    )
                ),
                0,
            )
            if size:
                run = sentence.items[at : at + size]
                joint = "" if _HAN.search(run[0].text) else " "
                found.append(_Element("trigger", joint.join(each.text.lower() for each in run)))
                at += size
                continue
            word = item.text.lower()
            alike = _ALIKE_LIST.get(word)
            found.append(_Element("list", word, alike) if alike else _Element("word", word))
            at += 1
        return [*found, _Element("end", "$")], first, last


def _is_event(category: Category) -> bool:
    """Whether every mark is of a new thing, so that two marks of one thing are one too many."""
    named = any(ID in template.holes for template in category.templates)
    return named and bool(category.relations)


def _event_keys(lesson: Lesson, roles: Mapping[str, str]) -> Iterator[Key]:
    return ((lesson.document, lesson.category, _EVENT, name) for name in roles if name != ENTITY)


def _constant(type: str, value: str) -> Any:
    return value == "true" if type in ("flag", "boolean") else value


def _yields(categories: Categories, category: Category, given: set[str]) -> bool:
    """Whether a mark with these roles states anything."""
    return any(
        all(hole in given or hole == ID for hole in _needs(categories, template.holes))
        for template in category.templates
        if ENTITY in given or any(hole != ID for hole in template.holes)
    )


def _needs(categories: Categories, holes: Iterable[str]) -> Iterator[str]:
    for hole in holes:
        if hole in categories.objects:
            yield from _needs(categories, categories.objects[hole].holes)
        else:
            yield hole


def _as_word(part: _Element) -> _Element:
    return _Element("word", part.text) if part.kind == "trigger" else part


def _as_list(part: _Element, name: str) -> _Element:
    return _Element("list", part.text, name) if part.kind == "trigger" else part


def _gapped(elements: Sequence[_Element], low: int, high: int, anchors: set[int]) -> list[_Element]:
    """Elements with a gap for whatever is between anchors."""
    found: list[_Element] = []
    skipped: list[_Element] = []
    for at in range(low, high):
        if at in anchors:
            if skipped:
                wide = any(each.kind not in ("word", "trigger", "list") for each in skipped)
                found.append(
                    _Element("gap", f"{'....' if wide else '...'}{max(3, len(skipped) + 1)}")
                )
                skipped = []
            found.append(elements[at])
        else:
            skipped.append(elements[at])
    return found


def _written(parts: Sequence[_Element]) -> str:
    """Elements as the text of a pattern; Chinese characters without blanks."""
    found = ""
    for at, part in enumerate(parts):
        if part.kind == "slot" and part.type.startswith(_ANY):
            known = part.type.removeprefix(_ANY)
            text = f"({{{part.text}:{known}}} | {{{part.text}:{part.type}}})"
        elif part.kind == "slot":
            text = f"{{{part.text}:{part.type}}}"
        elif part.kind == "several":
            slot = f"{part.text}:{part.type}"
            text = f"{{{slot}}} {_AND % slot}"
        elif part.kind == "chunk":
            text = f"{{{part.type}}}"
        elif part.kind == "list":
            text = f"<{part.type}>"
        elif part.kind in ("gap", "end"):
            text = part.text
        elif part.text in _ARTICLES and at + 1 < len(parts) and parts[at + 1].kind == "slot":
            text = f"[{part.text}]"
        else:
            text = _escaped(part.text)
        before = parts[at - 1] if at else None
        joined = (
            before is not None
            and before.kind == part.kind == "word"
            and _HAN.search(before.text)
            and _HAN.search(part.text)
        )
        found += text if joined or not found else f" {text}"
    return found


# --- Trials --------------------------------------------------------------------------------------


@dataclass
class _Trial:
    candidate: _Candidate
    origin: _Origin
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    covered: set[Key] = field(default_factory=set)
    probability: float = 0.0

    def held_out(self) -> tuple[int, int]:
        """Right and wrong in documents that at least one other document suggests it for."""
        right = sum(count for id, count in self.right.items() if self.origin.documents - {id})
        wrong = sum(count for id, count in self.wrong.items() if self.origin.documents - {id})
        return right, wrong

    def pattern(self) -> LearntPattern:
        return LearntPattern(
            self.candidate.find,
            self.candidate.category,
            self.candidate.values,
            round(min(self.probability, 0.99), 2),
            sum(self.right.values()),
            sum(self.wrong.values()),
            self.origin.example,
            len(self.origin.documents),
        )


class _Judge:
    """Tries patterns on the training documents."""

    def __init__(self, learner: _Learner, compile: Callable[[str], Expression]) -> None:
        self.learner, self.compile = learner, compile
        self.index: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.everywhere: set[tuple[str, int]] = set()
        for id, reading in learner.readings.items():
            for sentence in reading.sentences:
                place = (id, sentence.number)
                self.everywhere.add(place)
                for item in sentence.items:
                    if not item.type:
                        self.index[item.text.lower()].add(place)
        for category, words in learner.triggers.items():
            known = f"<{_list_name(category)}>"
            for word in words:
                self.index[known] |= self._with_all(token_texts(word))
        for name, alike in {**_ALIKE, _STOP: _STOPS}.items():
            self.index[f"<{name}>"] = set().union(*(self.index[word] for word in alike))
        self.gold: dict[str, set[Key]] = defaultdict(set)
        self.events: dict[tuple[str, str], list[Lesson]] = defaultdict(list)
        for lesson in learner.lessons:
            roles = {role.name: role.value for role in lesson.roles}
            if _is_event(learner.categories.categories[lesson.category]):
                events = self.events[lesson.document, lesson.category]
                events.append(lesson)
                keys = {(*each, len(events)) for each in _event_keys(lesson, roles)}
                self.gold[lesson.document] |= keys
                continue
            self.gold[lesson.document] |= set(self._keys(lesson.document, lesson.category, roles))
        self._spots = {
            (id, scope): learner._places(id, facts)
            for scope in learner.scopes
            if (facts := learner._scope_type(scope)) is not None
            for id in learner.texts
        }

    def _with_all(self, words: Iterable[str]) -> set[tuple[str, int]]:
        found = [self.index.get(word.lower(), set()) for word in words]
        return set.intersection(*found) if found else set(self.everywhere)

    def tried(self, candidates: Mapping[_Candidate, _Origin]) -> list[_Trial]:
        trials = []
        for candidate, origin in candidates.items():
            trial = _Trial(candidate, origin)
            try:
                expression = self.compile(candidate.find)
            except (DataError, re.error):
                continue
            pattern = MarkPattern("", (expression,), candidate.category)
            for id, number in sorted(self._with_all(candidate.literals)):
                self._try(trial, expression, pattern, id, number)
            if trial.right:
                trials.append(trial)
        by_family: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for trial in trials:
            for side, count in enumerate(trial.held_out()):
                by_family[trial.origin.family][side] += count
        for trial in trials:
            right, wrong = by_family[trial.origin.family]
            own_right, own_wrong = trial.held_out()
            right, wrong = right - own_right, wrong - own_wrong
            prior = (right + 1) / (right + wrong + 2)
            wrong_in_all = sum(trial.wrong.values())
            trial.probability = (own_right + TRUST * prior) / (own_right + wrong_in_all + TRUST)
        return trials

    def _try(
        self,
        trial: _Trial,
        expression: Expression,
        pattern: MarkPattern,
        id: str,
        number: int,
    ) -> None:
        learner, candidate = self.learner, trial.candidate
        reading = learner.readings[id]
        sentence = reading.sentences[number]
        if not expression.may_match(sentence.present):
            return
        at = 0
        while (match := expression.regex.search(sentence.rendering, at)) is not None:
            if match.end() == match.start():
                return
            at = match.end()
            slots, phrases = reading._slots(expression, match, sentence)
            first = sentence.items[sentence.item_at(match.start())]
            last = sentence.items[sentence.item_at(match.end()) - 1]
            found = EngineMatch(pattern, sentence, first.start, last.end, slots, phrases)
            for row in _rows(found):
                self._count(trial, candidate, id, first.start, row)

    def _count(
        self, trial: _Trial, candidate: _Candidate, id: str, start: int, row: Mapping[str, Any]
    ) -> None:
        learner = self.learner
        roles: dict[str, str] = {}
        for slot, chunk in row.items():
            name = ENTITY if slot == _IT else slot
            facts = learner._type_of(candidate.category, name)
            if facts is not None:
                roles[name] = learner._entity(id, chunk, facts)
            elif isinstance(chunk.value, tuple):
                roles[name] = chunk.value[0]
            else:
                roles[name] = str(chunk.value)
        for name, value in candidate.values:
            roles[name] = str(value).lower() if isinstance(value, bool) else str(value)
        for scope in candidate.implicit:
            meant = _meant(self._spots.get((id, scope), ()), learner.scopes[scope], start)
            if meant is None or meant in roles.values():
                return
            roles[scope] = meant
        if _is_event(learner.categories.categories[candidate.category]):
            same = [
                (number, lesson)
                for number, lesson in enumerate(self.events[id, candidate.category], 1)
                if all(lesson.value(name) == value for name, value in roles.items())
            ]
            (trial.right if same else trial.wrong)[id] += 1
            for number, lesson in same:
                trial.covered |= {(*each, number) for each in _event_keys(lesson, roles)}
            return
        keys = set(self._keys(id, candidate.category, roles))
        if not keys:
            return
        known = keys & self.gold[id]
        if len(known) == len(keys):
            trial.right[id] += 1
            trial.covered |= known
        else:
            trial.wrong[id] += 1

    def _keys(self, id: str, category: str, roles: Mapping[str, str]) -> Iterator[Key]:
        """The statements that a mark with these roles yields."""
        learner = self.learner
        spec = learner.categories.categories[category]
        for template in spec.templates:
            if template.flag is not None and roles.get(template.flag) != "true":
                continue
            parts: list[Any] = []
            for term in template.terms:
                part = self._part(spec, term, roles)
                if part is None:
                    break
                parts.append(part)
            else:
                subject, predicate, object = parts
                if predicate in learner.symmetric:
                    yield id, predicate, *sorted((str(subject), str(object)))
                else:
                    yield id, subject, predicate, object

    def _part(self, category: Category, term: Any, roles: Mapping[str, str]) -> Any:
        if not isinstance(term, Hole):
            return _plain(term)
        name = ENTITY if term.name == ID else term.name
        if name in roles:
            return roles[name]
        objects = self.learner.categories.objects
        if name in objects:
            values = [roles.get(hole) for hole in objects[name].holes]
            if any(value is None for value in values):
                return None
            return (name, *sorted(str(value) for value in values))
        attribute = category.attributes.get(name)
        if attribute is not None and attribute.default is not None:
            return str(attribute.default)
        return None


def _chosen(trials: Sequence[_Trial]) -> list[_Trial]:
    """Patterns that add most, one after another, until none adds anything.

    A statement counts less for every pattern that finds it already: another text may have only what
    one of them needs.
    """
    pool = [trial for trial in trials if trial.probability >= LEAST]
    found: Counter[Key] = Counter()
    chosen: list[_Trial] = []

    def order(at: int) -> tuple[float, float, int, str]:
        trial = pool[at]
        new = sum(
            AGAIN ** found[key]
            for key in trial.covered
            if found[key] < (1 if key[2] == _EVENT else MOST_PATTERNS)
        )
        gain = new * trial.probability - COST * sum(trial.wrong.values())
        return -gain, -trial.probability, len(trial.candidate.find), trial.candidate.find

    heap = [(order(at), at) for at in range(len(pool))]
    heapify(heap)
    while heap:
        _, at = heappop(heap)
        now = order(at)
        if now[0] >= -LEAST_GAIN:
            continue
        if heap and now > heap[0][0]:
            heappush(heap, (now, at))
            continue
        chosen.append(pool[at])
        found.update(pool[at].covered)
    return chosen


def symmetric_in(
    training: Iterable[TrainingDocument], theory: Theory, ontology: Ontology | None
) -> frozenset[str]:
    """The predicates that hold both ways wherever the training documents have them."""
    asserted = [one for _, _, several in training for one in several]
    pairs = {
        (one.graph, one.statement.predicate.text, one.statement.subject, one.statement.object)
        for one in asserted
        if isinstance(one.statement.object, Name)
    }
    with infer(asserted, theory, ontology, seconds=SECONDS) as inference:
        known = {
            (
                each.graph,
                each.statement.predicate.text,
                each.statement.subject,
                each.statement.object,
            )
            for each in inference.statements()
        }
    turned: dict[str, bool] = {}
    for graph, predicate, subject, object in pairs:
        both = (graph, predicate, object, subject) in known
        turned[predicate] = turned.get(predicate, True) and both
    return frozenset(predicate for predicate, both in turned.items() if both)
