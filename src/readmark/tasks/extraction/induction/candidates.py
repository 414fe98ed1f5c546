"""Candidate patterns: the words between and around what fills the roles of a lesson.

Each lesson suggests patterns that have its words exactly, and more and more general ones: with
lists of words that tell of a category, with gaps, and with roles that several things fill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from readmark.tasks.categories.definitions import ENTITY, ID, Categories, Category
from readmark.tasks.extraction.chunks import ChunkedSentence
from readmark.tasks.extraction.induction.lessons import (
    ANY,
    HAN,
    MOST_LOOSE,
    Lesson,
    Role,
    escaped,
)
from readmark.tasks.extraction.induction.lexicon import (
    ALIKE,
    IT,
    STOP,
    STOPS,
    LearntLexicon,
    list_name,
    value_type,
)
from readmark.tasks.extraction.pattern_set import DATE, NAME, NUMBER, YEAR
from readmark.tasks.extraction.tokens import token_texts

MOST_ROLES = 3
NEAR = 8
"""How far from a slot a word that tells of a category may be."""
CONTEXTS = ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (3, 1), (1, 2))
"""How many words of the context, left and right."""
_ARTICLES = frozenset(("a", "an", "the"))
_ALIKE_LIST = {word: name for name, words in ALIKE.items() for word in words}
_SEPARATORS = frozenset((",", "and", "、", "和", "与", "及", "以及"))
_AND = "((, | and | 、 | 和 | 与 | 及)+ {%s})*"


class _Element(NamedTuple):
    """A part of a pattern: a word, a slot, something else that is a chunk, or a sentence's end."""

    kind: str
    text: str
    type: str = ""


@dataclass(frozen=True)
class PatternCandidate:
    """A pattern that is not judged yet, and what its mark has besides its slots."""

    find: str
    category: str
    values: tuple[tuple[str, Any], ...]
    implicit: tuple[str, ...]
    literals: frozenset[str]
    """Words that a sentence must have; a list of words is in angle brackets."""


@dataclass
class CandidateOrigin:
    """How general a candidate is, and the documents that suggest it."""

    family: str
    documents: set[str] = field(default_factory=set)
    example: str = ""


def candidates_of(lexicon: LearntLexicon) -> dict[PatternCandidate, CandidateOrigin]:
    """The patterns that the lessons suggest, and where each is from."""
    return _Generator(lexicon).candidates()


class _Generator:
    """Patterns that the lessons suggest."""

    def __init__(self, lexicon: LearntLexicon) -> None:
        self.lexicon = lexicon
        self.found: dict[PatternCandidate, CandidateOrigin] = {}
        self.of_trigger: dict[str, list[tuple[str, ...]]] = {
            category: sorted(
                (tuple(token_texts(word)) for word in words), key=lambda w: (-len(w), w)
            )
            for category, words in lexicon.triggers.items()
        }

    def candidates(self) -> dict[PatternCandidate, CandidateOrigin]:
        for lesson in self.lexicon.lessons:
            for sentence in self.lexicon.readings[lesson.document].sentences:
                self._in_sentence(lesson, sentence)
        return self.found

    def _in_sentence(self, lesson: Lesson, sentence: ChunkedSentence) -> None:
        lexicon = self.lexicon
        category = lexicon.categories.categories[lesson.category]
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
                if role.name in lexicon.scopes:
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
            if size < len(names) and is_event(category):
                continue  # another mark would be another event
            for subset in combinations(names, size):
                open_roles = tuple(
                    name
                    for name, relation in category.relations.items()
                    if name not in subset and (not relation.optional or name in implicit)
                )
                if any(name not in lexicon.scopes for name in open_roles):
                    continue
                given = {*subset, *open_roles, *(name for name, _ in constants)}
                if not _yields(lexicon.categories, category, given):
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
        lexicon = self.lexicon
        assert role.span is not None
        start, end = role.span
        inside = [
            at for at, item in enumerate(sentence.items) if item.start < end and start < item.end
        ]
        if not inside:
            return None
        first, last = inside[0], inside[-1] + 1
        item = sentence.items[first]
        category = lexicon.categories.categories[lesson.category]
        facts = lexicon.type_of(lesson.category, role.name)
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
                return first, last, f"{ANY}{facts.name}"
            return None
        attribute = category.attributes.get(role.name)
        if attribute is None or last - first != 1:
            return None
        if item.type == value_type(lesson.category, role.name):
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
        text = self.lexicon.texts[lesson.document]
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
            if parts[-1].kind == "slot" and parts[-1].type.startswith(ANY):
                return  # nothing would say where the words end
            if not literals - {f"<{STOP}>"} and lesson.category not in self.lexicon.types:
                return
            candidate = PatternCandidate(
                find, lesson.category, values, implicit, frozenset(map(str.lower, literals))
            )
            origin = self.found.setdefault(candidate, CandidateOrigin(family))
            origin.documents.add(lesson.document)
            origin.example = origin.example or example

        words_name = list_name(lesson.category)
        kinds = len(placed)

        def stopped(end: int) -> bool:
            """Whether a few words of any kind end where other such words would."""
            return elements[end - 1].type.startswith(ANY) and elements[end].text in STOPS

        for left, right in CONTEXTS:
            if first - left < 0 or last + right > len(elements):
                continue
            parts = elements[first - left : last + right]
            add(f"exact {kinds} {left}{right}", [_as_word(part) for part in parts])
            if stopped(last) and right == 1:
                ended = [*parts[:-1], _Element("list", parts[-1].text, STOP)]
                add(f"stop {kinds} {left}", [_as_word(part) for part in ended])
                add(f"stop list {kinds} {left}", [_as_list(part, words_name) for part in ended])
            if any(part.kind == "trigger" for part in parts):
                add(f"list {kinds} {left}{right}", [_as_list(part, words_name) for part in parts])
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
                    gapped.append(_Element("list", elements[high].text, STOP))
                add(
                    f"gap {kinds} {keep} {at < first}{at >= last}",
                    [_as_word(each) for each in gapped],
                )
                add(
                    f"gap list {kinds} {keep} {at < first}{at >= last}",
                    [_as_list(each, words_name) for each in gapped],
                )
        if is_event(self.lexicon.categories.categories[lesson.category]):
            core = _gapped(elements, first, last, set(slots))
            for count in range(1, NEAR):
                if last + count < len(elements):
                    after = [_as_word(each) for each in elements[last : last + count]]
                    add(f"event {kinds} 0{count}", [*core, *after])
                if first - count > 0:
                    before = [_as_word(each) for each in elements[first - count : first]]
                    add(f"event {kinds} {count}0", [*before, *core])
        self._lists(elements, first, last, add, words_name)

    def _lists(
        self,
        elements: Sequence[_Element],
        first: int,
        last: int,
        add: Callable[[str, Sequence[_Element]], None],
        words_name: str,
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
                    add(f"several {left}", [_as_list(each, words_name) for each in parts])

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
                found.append(_Element("slot", IT if name == ENTITY else name, type))
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
                joint = "" if HAN.search(run[0].text) else " "
                found.append(_Element("trigger", joint.join(each.text.lower() for each in run)))
                at += size
                continue
            word = item.text.lower()
            alike = _ALIKE_LIST.get(word)
            found.append(_Element("list", word, alike) if alike else _Element("word", word))
            at += 1
        return [*found, _Element("end", "$")], first, last


def is_event(category: Category) -> bool:
    """Whether every mark is of a new thing, so that two marks of one thing are one too many."""
    named = any(ID in template.holes for template in category.templates)
    return named and bool(category.relations)


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
        if part.kind == "slot" and part.type.startswith(ANY):
            known = part.type.removeprefix(ANY)
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
            text = escaped(part.text)
        before = parts[at - 1] if at else None
        joined = (
            before is not None
            and before.kind == part.kind == "word"
            and HAN.search(before.text)
            and HAN.search(part.text)
        )
        found += text if joined or not found else f" {text}"
    return found
