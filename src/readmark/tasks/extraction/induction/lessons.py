"""The marks of training documents, and what the words in them teach of types.

Statements are inverted to lessons: marks with the words of each role. The words of mentions say
which names there are, what things are called, and which words stand for values.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from readmark.core.records import Offsets
from readmark.tasks.categories.definitions import ENTITY, Categories, Category
from readmark.tasks.categories.inversion import marks_of
from readmark.tasks.extraction.chunks import COMMON_WORDS
from readmark.tasks.extraction.pattern_set import BUILT_IN, NAME
from readmark.tasks.extraction.tokens import number_in, tokens_of
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Literal, Term, written
from readmark.text.analysers.word_tables import table_endings

MOST_LOOSE = 5
"""How many words a slot takes that takes any."""
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
ANY = "Any"
"""What types of slots that take any few words begin with."""
NOTHING = "⟦nothing"
"""Words that no text has, where a table needs some."""


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
                words.setdefault((fragments, plain_text(term)), (excerpt.start, excerpt.end))
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


def with_numbers(
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


def plain_text(term: Term) -> str:
    """A term as lessons have it."""
    return term.lexical if isinstance(term, Literal) else written(term)


def names_entity(category: Category, role: str) -> bool:
    """Whether a role is filled by a thing, not by a value."""
    return role == ENTITY or role in category.relations


@dataclass
class TypeFacts:
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
        """Whether anything says which words are of the type."""
        return bool(self.names or self.listed or self.form)

    def listed_without(self, document: str) -> dict[str, list[str]]:
        """The names that other documents than one have, which is what a new document meets."""
        return {
            entity: known
            for entity, names in self.listed.items()
            if (known := [words for words in names if self.sources[words] - {document}])
        }


class TypeLearner:
    """Learns the type of each category that relations link to, and the words of values."""

    def __init__(
        self, texts: Mapping[str, str], lessons: Sequence[Lesson], categories: Categories
    ) -> None:
        self.texts, self.lessons, self.categories = texts, lessons, categories
        self.types = self._types()
        self.values = self._value_types()

    def _types(self) -> dict[str, TypeFacts]:
        targets = {
            target
            for category in self.categories.categories.values()
            for relation in category.relations.values()
            for target in relation.targets
        }
        found: dict[str, TypeFacts] = {}
        for name, category in self.categories.categories.items():
            if category.id and name in targets and not category.relations:
                type = f"{name}Thing" if name in BUILT_IN else name
                found[name] = TypeFacts(type, name)
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
            if any(map(HAN.search, facts.surfaces)):
                facts.surnames = table_endings("zh", "person", "surnames")
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

    def _named(self, facts: TypeFacts) -> float:
        """Share of the mentions that look like names."""
        surnames = table_endings("zh", "person", "surnames")
        count = 0
        for words in facts.surfaces:
            if HAN.search(words):
                count += 2 <= len(words) <= 4 and words.startswith(surnames)
            else:
                parts = words.split()
                count += all(part[:1].isupper() for part in (parts[0], parts[-1]))
        return count / len(facts.surfaces)

    def _listed(self, facts: TypeFacts) -> dict[str, list[str]]:
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

    def _name_facts(self, facts: TypeFacts, *, first: bool) -> None:
        """Short names, full names, and words that are in no name."""
        spaced = [words for words in facts.surfaces if not HAN.search(words)]
        full: Counter[str] = Counter()
        whole = 0
        for lesson in self.lessons:
            if lesson.category != facts.category:
                continue
            text = self.texts[lesson.document]
            for role in lesson.roles:
                if role.name == ENTITY and role.span is not None:
                    words = text[slice(*role.span)]
                    if " " in words or HAN.search(words):
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

    def _never(self, facts: TypeFacts) -> list[str]:
        """Words and characters that texts have outside names, and not in them."""
        inside: Counter[str] = Counter()
        outside: Counter[str] = Counter()
        marked = {words for known in self._types_words() for words in known}
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
            if word[:1].isupper() and word.lower() not in COMMON_WORDS:
                if not inside[word] and (count > 1 or self._joins_names(word, names)):
                    listed.append(word)
            elif HAN.fullmatch(word) and count > 2 * inside[word] + (1 if inside[word] else 0):
                listed.append(word)
        return listed

    def _types_words(self) -> Iterator[set[str]]:
        """The words of mentions, by document."""
        for lesson in self.lessons:
            text = self.texts[lesson.document]
            yield {
                " ".join(text[slice(*role.span)].split())
                for role in lesson.roles
                if role.span is not None
                and names_entity(self.categories.categories[lesson.category], role.name)
            }

    def _joins_names(self, word: str, names: set[str]) -> bool:
        """Whether a word stands right before a name, as titles do."""
        return any(
            f"{word} {name}" in text
            for text in self.texts.values()
            if word in text
            for name in names
        )

    def _forms(self, facts: TypeFacts, others: Sequence[TypeFacts]) -> None:
        """Forms such as "<office> of {Place}", from the words of mentions."""
        heads: dict[str, set[str]] = defaultdict(set)
        joints: Counter[str] = Counter()
        known = {words for other in others for names in other.listed.values() for words in names}
        slots = " | ".join([*(f"{{{other.name}}}" for other in others), f"{{{NAME}}}"])
        chinese = False
        for words in facts.surfaces:
            if HAN.search(words):
                if len(words) > 3 and any(words.startswith(each) for each in known):
                    heads[words[-2:]] |= facts.sources[words]
                    chinese = True
                continue
            parts = words.split()
            place = next((at for at, part in enumerate(parts) if part[:1].isupper()), None)
            if place is None or place < 2:
                continue
            start = place
            while start and parts[start - 1].lower() in COMMON_WORDS:
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


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)


def escaped(text: str) -> str:
    """Words as a pattern has them."""
    return re.sub(r"([<>{}()\[\]|*+^$/\\~])|\.(?=\.)", lambda match: "\\" + match[0], text)


def type_table(facts: TypeFacts, without: str | None) -> list[str]:
    """A type, and the type of slots that take a few words of any kind."""
    lines = [f"[type.{facts.name}]", f"category = {quoted(facts.category)}"]
    for flag in ("names", "surname"):
        if getattr(facts, flag):
            lines.append(f"{flag} = true")
    if facts.form:
        lines.append("short = true")
    if facts.full:
        lines.append(f"full = {quoted(facts.full)}")
    if facts.surnames:
        lines.append(f"surnames = [{', '.join(map(quoted, facts.surnames))}]")
    if facts.never:
        lines.append(f"never = [{', '.join(map(quoted, facts.never))}]")
    if facts.names and facts.listed:
        listed = facts.listed if without is None else facts.listed_without(without)
        lines.append(f"[type.{facts.name}.entities]")
        for entity, names in (listed or {NOTHING: [NOTHING]}).items():
            lines.append(f"{quoted(entity)} = [{', '.join(map(quoted, names))}]")
    lines += ["", f"[type.{ANY}{facts.name}]", f"category = {quoted(facts.category)}"]
    return [*lines, f"words = {MOST_LOOSE}", ""]


def phrase_tables(facts: TypeFacts, without: str | None) -> list[str]:
    """What things without names are called, by what their words say of them."""
    if facts.names:
        return []
    groups: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for words in sorted(facts.surfaces, key=lambda each: (-len(each), each)):
        if words not in facts.heads and facts.sources[words] - {without}:
            groups[_most(facts.values.get(words))].append(escaped(words))
    by_head: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for head, sources in facts.heads.items():
        if sources - {without}:
            counts: Counter[tuple[tuple[str, str], ...]] = Counter()
            for words, each in facts.values.items():
                if words.startswith(f"{head} ") or words.endswith(head):
                    counts.update(each)
            by_head[_most(counts)].append(escaped(head))
    for template in facts.form:
        for values, heads in by_head.items():
            groups[values].append(template % f"({' | '.join(heads)})")
    lines = []
    for values, finds in sorted(groups.items()) or [((), [NOTHING])]:
        lines += ["[[phrase]]", f"as = {quoted(facts.name)}"]
        lines.append(f"find = [{', '.join(map(quoted, finds))}]")
        if values:
            given = ", ".join(f"{name} = {quoted(value)}" for name, value in values)
            lines.append(f"values = {{ {given} }}")
        lines.append("")
    return lines


def _most(counts: Counter[tuple[tuple[str, str], ...]] | None) -> tuple[tuple[str, str], ...]:
    return max(sorted(counts), key=lambda each: counts[each]) if counts else ()
