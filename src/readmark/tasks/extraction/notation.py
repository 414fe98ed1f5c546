"""The file ``patterns.toml``: what an extractor looks for in texts, and the marks that it makes.

A pattern is words, ``<lists of words>`` and ``{slots}`` over what the text holds; docs/patterns.md
describes it. Every pattern becomes a regular expression over a rendering of the text in which each
entity, number and phrase is one token, such as ``⟦Team#3⟧``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Value
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.tokens import COUNTS, token_texts

PATTERNS = "patterns.toml"
NUMBER, YEAR, DATE, NAME, WORDS = "Number", "Year", "Date", "Name", "Words"
USED = "used"
"""What a phrase is rendered as that a pattern has used up."""
TIMES = "times"
"""The slot or value of a phrase that says how many marks it makes."""
BUILT_IN = (NUMBER, YEAR, DATE, NAME, WORDS)
"""Types that every file has: numbers, years, dates, capitalised names, and any few words."""
GAP = 8
"""How many words ``...`` skips at most."""
WIDE_GAP = 30
"""How many words and chunks ``....`` skips at most."""
MOST_WORDS = 6
"""How many words ``{slot:Words}`` takes at most."""

_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_LEXER = re.compile(
    r"(?P<space>\s+)|(?P<gap>\.\.\.\.?\d*)|<(?P<words>[^<>{}]+)>"
    r"|\{(?:(?P<slot>[^\W\d]\w*):)?(?P<type>[^\W\d]\w*)\}"
    r"|(?P<mark>[()\[\]|*+^$/])|(?P<text>(?:\\.|[^\s<>{}()\[\]|*+^$/.\\]|\.(?!\.\.))+)"
)
_REFERENCE = re.compile(
    r"\{(?P<other>other )?(?P<how>after |scope |higher of |lower of )?(?P<slot>[^\W\d]\w*)"
    r"(?: (?P<sign>[+-]|and) (?P<more>\w+))?\}"
)

Find = str | tuple[str, ...]


class _Type(Value, frozen=True):
    category: str = ""
    entities: dict[str, tuple[str, ...]] = {}
    shared: tuple[str, ...] = ()
    names: bool = False
    never: tuple[str, ...] = ()
    title: Find = ()
    tail: Find = ()
    surname: bool = False
    pronouns: tuple[str, ...] = ()
    member: str = ""
    pair: bool = False
    values: dict[str, str | int | float | bool] = {}
    full: str = ""
    short: bool = False
    words: int = 0
    ends: tuple[str, ...] = ()
    first: bool = False
    surnames: tuple[str, ...] = ()


class ScopeRule(Value, frozen=True):
    """A value that later marks inherit."""

    ordered: bool = False
    """Whether values follow each other: where one is passed over, only its sentence is sure."""
    sentence: bool = False
    """Whether the first of a sentence holds from the sentence's beginning."""
    brief: bool = False
    """Whether it ends with its sentence."""
    first: bool = False
    """Whether the first value holds for the whole document."""
    last: int | None = None
    """The last of values in order: what comes after the one before it."""

    def following(self, value: Any) -> int | None:
        """What comes after a value, where that is sure."""
        sure = self.last is not None and value == self.last - 1
        return self.last if sure else None


class Chain(Value, frozen=True):
    """Marks of a category that follow each other, apart for each value of ``by``."""

    by: str
    after: str = ""
    first: str = ""
    last: str = ""


class Ledger(Value, frozen=True):
    """What marks of a category add to the total of each owner, to be held to totals in the text."""

    by: str
    kind: str
    """The attribute that says what a mark is."""
    worth: dict[str, tuple[int, ...]]
    """What each kind may be worth, the likeliest first."""
    told: str = ""
    """An attribute that says it exactly, where the text does."""
    exact: dict[str, int] = {}
    total: str = ""
    """The category of marks with the totals, made where marks do not add up to what is stated."""
    amount: str = ""
    """Its attribute."""
    probability: float | None = None
    ahead: str = ""
    """The relation, such as ``Result.winner``, that says who has the higher total at the end."""
    behind: str = ""
    """The relation that says who has the lower one."""
    whole: str = ""
    """The category of marks that say that all is told: dropped where totals at the end say more."""

    def points(self, values: Mapping[str, Any]) -> tuple[int, ...]:
        """What a mark with these values may be worth, the likeliest first."""
        told = str(values.get(self.told))
        if told in self.exact:
            return (self.exact[told],)
        return self.worth.get(str(values.get(self.kind)), (0,))


class _Phrase(Value, frozen=True, rename={"type": "as"}):
    type: str
    find: Find
    values: dict[str, str | int | float | bool] = {}
    part: bool = False
    again: bool = False


class _Pattern(Value, frozen=True):
    find: Find
    name: str = ""
    mark: str = ""
    values: dict[str, str | int | float | bool] = {}
    set: dict[str, str | int] = {}
    remember: dict[str, str] = {}
    skip: tuple[str, ...] = ()
    hide: bool = False
    early: bool = False
    about: str = ""
    amend: str = ""
    where: dict[str, str | int | float | bool] = {}
    once: bool = False
    check: tuple[str, ...] = ()
    final: bool = False
    probability: float | None = None


class _File(Value, frozen=True):
    words: dict[str, tuple[str, ...]] = {}
    type: dict[str, _Type] = {}
    scope: dict[str, ScopeRule] = {}
    chain: dict[str, Chain] = {}
    ledger: dict[str, Ledger] = {}
    phrase: tuple[_Phrase, ...] = ()
    pattern: tuple[_Pattern, ...] = ()
    training_record: dict[str, Any] = {}
    """What the patterns were learnt from, if a program learnt them."""


class Slot(NamedTuple):
    """A place in an expression that holds a chunk of the text; unnamed ones only have to match."""

    group: str
    name: str
    type: str


@dataclass(frozen=True)
class Expression:
    """A pattern as a regular expression over the rendering of a sentence."""

    regex: re.Pattern[str]
    slots: tuple[Slot, ...]
    repeats: tuple[tuple[str, Expression], ...] = ()
    """Groups of repeated parts, each with the expression of one round."""
    needed: tuple[frozenset[str], ...] = ()
    """Words and types: without one of each set a sentence cannot match."""

    def may_match(self, present: Set[str]) -> bool:
        """Whether a sentence with these words and types could match."""
        return not any(map(present.isdisjoint, self.needed))


@dataclass(frozen=True)
class EntityType:
    """A type of thing that texts name: those of a list, or any capitalised name."""

    name: str
    category: str = ""
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    names: bool = False
    never: frozenset[str] = frozenset()
    titles: tuple[Expression, ...] = ()
    tails: tuple[Expression, ...] = ()
    surname: bool = False
    pronouns: frozenset[str] = frozenset()
    member: str = ""
    pair: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of every mark of such a thing."""
    full: str = ""
    """The attribute that a name of several words is the value of."""
    short: bool = False
    """Whether the beginning or the end of a longer name in the document stands for the same."""
    words: int = 0
    """How many words that no list knows may name one, in a slot."""
    ends: tuple[str, ...] = ()
    """What such words end with."""
    first: bool = False
    """Whether a surname of several people is that of the one named first, else of the last."""
    surnames: frozenset[str] = frozenset()
    """What Chinese names begin with."""


@dataclass(frozen=True)
class PhraseRule:
    """Words that become one chunk of a type, with the slots and values in it."""

    type: str
    finds: tuple[Expression, ...]
    values: Mapping[str, Any]
    part: bool = False
    """Whether it is a part of what another phrase makes, and not a mark of its own."""
    again: bool = False
    """Whether several patterns may take it."""


@dataclass(frozen=True)
class SlotReference:
    """A value that is taken from a slot: its chunk, the other one of a pair, or what comes after.

    A scope that is set ``after`` a value is open until it is set again.
    """

    slot: str
    other: bool = False
    after: bool = False
    scope: bool = False
    """Whether it is the scope of this name and no slot."""
    more: tuple[bool, str] | None = None
    """A number, or the slot of one, that is added to a number or a year, or taken from it."""
    against: str = ""
    """The slot of a number: the value is the higher of the two, or the lower."""
    higher: bool = False


@dataclass(frozen=True)
class MarkPattern:
    """Words that make a mark, set scopes, are remembered, are hidden, or only use up phrases."""

    name: str
    finds: tuple[Expression, ...]
    mark: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)
    remember: Mapping[str, str] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    hide: bool = False
    early: bool = False
    """Whether it is looked for before phrases are joined, except those that name entities."""
    about: str = ""
    """The slot of the entity whose marks get the values."""
    amend: str = ""
    """The category of the mark that the values are added to: the one here, else the last one."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Values that the amended mark has."""
    once: bool = False
    """Whether equal marks are made once."""
    check: tuple[str, ...] = ()
    """Slots with the totals of a ledger so far, in any order."""
    final: bool = False
    """Whether those are the totals at the end, wherever the text states them."""
    probability: float | None = None


@dataclass(frozen=True)
class PatternSet:
    """All of a ``patterns.toml``, compiled."""

    types: Mapping[str, EntityType]
    phrases: tuple[PhraseRule, ...]
    patterns: tuple[MarkPattern, ...]
    scopes: Mapping[str, ScopeRule]
    chains: Mapping[str, Chain]
    ledgers: Mapping[str, Ledger] = field(default_factory=dict)
    file: str = ""

    @property
    def hiding(self) -> tuple[MarkPattern, ...]:
        """The patterns of what is left out, such as another event than the text is about."""
        return tuple(pattern for pattern in self.patterns if pattern.hide)


def read_patterns(
    text: str, file: str, categories: Categories | None = None, report: ReportProblem = fail
) -> PatternSet | None:
    """The patterns in a TOML file; None when anything in it was reported.

    With ``categories`` the marks are held to them.
    """
    try:
        said = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as wrong:
        place = _TOML_PLACE.search(str(wrong))
        at = f"{place[1]}:{place[2]}" if place else "1"
        report(Problem(file, at, "toml", _TOML_PLACE.sub("", str(wrong))))
        return None
    except RecursionError:
        report(Problem(file, 1, "toml", "nested too deep"))
        return None
    except msgspec.ValidationError as wrong:
        where = _line_of_path(text, str(wrong))
        report(Problem(file, where, "schema", in_words(wrong)))
        return None
    reader = _Reader(text, file, report, said, categories)
    found = reader.patterns()
    return None if reader.faulty else found


def compiler(text: str, file: str, categories: Categories | None) -> Callable[[str], Expression]:
    """What makes expressions of patterns that use the words and types of a file."""
    said = msgspec.convert(tomllib.loads(text), _File)
    return _Reader(text, file, fail, said, categories)._expression


def _line_of_path(text: str, fault: str) -> int:
    """The line of the table or member that msgspec's path leads to."""
    path = re.search(r"`\$\.(phrase|pattern)\[(\d+)\]", fault)
    if path is None:
        words = [word for name in re.findall(r"`([^`]*)`", fault) for word in name.split(".")]
        lines = text.split("\n")
        for word in reversed([word for word in words if _IDENTIFIER.fullmatch(word)]):
            for number, line in enumerate(lines, 1):
                if re.search(rf"\b{re.escape(word)}\b", line):
                    return number
        return 1
    return _table_line(text.split("\n"), path[1], int(path[2]))


def _table_line(lines: Sequence[str], table: str, index: int) -> int:
    headers = [
        number
        for number, line in enumerate(lines, 1)
        if "[[" in line and re.match(rf"\s*\[\[\s*{table}\s*\]\]", line)
    ]
    return headers[index] if index < len(headers) else 1


class _Reader:
    """Compiles a file; every mistake is reported with its line."""

    def __init__(
        self,
        text: str,
        file: str,
        report: ReportProblem,
        said: _File,
        categories: Categories | None,
    ) -> None:
        self._lines, self._file, self._report = text.split("\n"), file, report
        self._said, self._categories = said, categories
        self._words: dict[str, str] = {}
        self.faulty = False
        phrases = {phrase.type for phrase in said.phrase}
        self._types = {*BUILT_IN, *said.type, *phrases}
        self._names = frozenset(
            name for name, one in said.type.items() if one.names or one.surnames
        )
        values = [name for name, one in said.type.items() if not one.category]
        self.plain = "|".join(map(re.escape, (USED, NUMBER, YEAR, DATE, *values)))
        """Chunks that a gap passes over as it does over words."""

    def patterns(self) -> PatternSet:
        said = self._said
        if not said.pattern:
            self._fault(1, "no_pattern", "declares no patterns: a table [[pattern]] each")
        for name in said.type:
            if name in BUILT_IN:
                line = self._line(f"type.{name}")
                self._fault(line, "name", f"{name} is a type that every file has")
        types = {name: self._type(name, one) for name, one in said.type.items()}
        phrases = []
        for index, phrase in enumerate(said.phrase):
            line = _table_line(self._lines, "phrase", index)
            is_entity = phrase.type in said.type and said.type[phrase.type].category
            if not _IDENTIFIER.fullmatch(phrase.type) or (
                phrase.type in (*BUILT_IN, *said.type) and not is_entity
            ):
                self._fault(line, "name", f"{phrase.type!r} cannot be the name of a phrase")
            phrases.append(
                PhraseRule(
                    phrase.type,
                    self._finds(phrase.find, line),
                    phrase.values,
                    phrase.part or not phrase.values,
                    phrase.again,
                )
            )
        patterns = tuple(self._pattern(index, one) for index, one in enumerate(said.pattern))
        for name, chain in said.chain.items():
            self._require_chain(name, chain)
        return PatternSet(
            types=types,
            phrases=tuple(phrases),
            patterns=patterns,
            scopes=said.scope,
            chains=said.chain,
            ledgers=said.ledger,
            file=self._file,
        )

    def _type(self, name: str, said: _Type) -> EntityType:
        line = self._line(f"type.{name}")
        known = self._categories.categories if self._categories is not None else {said.category}
        if said.category and said.category not in known:
            hint = did_you_mean(said.category, known)
            message = f"the type {name} is marked as {said.category}, no category; {hint}"
            self._fault(line, "unknown_category", message)
        found = (said.entities, said.names, said.words, said.surnames)
        if not any(found) and all(phrase.type != name for phrase in self._said.phrase):
            message = f"the type {name} has neither entities nor names = true, words or a phrase"
            self._fault(line, "schema", message)
        return EntityType(
            name=name,
            category=said.category,
            entities=said.entities,
            shared=frozenset(said.shared),
            names=said.names,
            never=frozenset(word.lower() for word in said.never),
            titles=self._finds(said.title, line, f"{{{NAME}}}") if said.title else (),
            tails=self._finds(said.tail, line, before=f"{{{NAME}}}") if said.tail else (),
            surname=said.surname,
            pronouns=frozenset(word.lower() for word in said.pronouns),
            member=said.member,
            pair=said.pair,
            values=said.values,
            full=said.full,
            short=said.short,
            words=said.words,
            ends=said.ends,
            first=said.first,
            surnames=frozenset(said.surnames),
        )

    def _pattern(self, index: int, said: _Pattern) -> MarkPattern:
        line = _table_line(self._lines, "pattern", index)
        finds = self._finds(said.find, line)
        name = said.name or f"pattern {index + 1}"
        slots = {slot for find in finds for slot in _slot_names(find)}
        slots |= {
            slot
            for find in finds
            for type in _slot_types(find)
            for slot in self._phrase_slots(type)
        }
        if said.mark and said.amend:
            self._fault(line, "schema", f"{name}: has both mark and amend")
        if said.mark or said.amend:
            self._require_mark(line, name, said, slots)
        if said.about and said.about not in slots:
            self._fault(line, "slot", f"{name}: is about {said.about!r}, which is no slot of it")
        for scope, value in said.set.items():
            if scope not in self._said.scope:
                hint = did_you_mean(scope, self._said.scope)
                self._fault(line, "scope", f"{name}: sets {scope!r}, which is no scope; {hint}")
            self._require_slots(line, name, value, slots)
        for holder, member in said.remember.items():
            for slot in (holder, member):
                if slot not in (slots if slot == holder else {*slots, *self._said.scope}):
                    message = f"{name}: remembers {slot!r}, which is no slot of it"
                    self._fault(line, "slot", message)
        for slot in (*said.skip, *said.check):
            if slot not in slots:
                self._fault(line, "slot", f"{name}: names {slot!r}, which is no slot of it")
        chance = said.probability
        if chance is not None and not 0 < chance <= 1:
            message = f"{name}: the probability is {chance:g}, expected above 0 and up to 1"
            self._fault(line, "schema", message)
        return MarkPattern(
            name=name,
            finds=finds,
            mark=said.mark,
            values=_with_references(said.values),
            sets=_with_references(said.set),
            remember=said.remember,
            skip=said.skip,
            hide=said.hide,
            early=said.early,
            about=said.about,
            amend=said.amend,
            where=said.where,
            once=said.once,
            check=said.check,
            final=said.final,
            probability=chance,
        )

    def _phrase_slots(self, type: str) -> set[str]:
        found: set[str] = set()
        for phrase in self._said.phrase:
            if phrase.type == type and type not in self._said.type:
                found |= set(phrase.values)
                for find in (phrase.find,) if isinstance(phrase.find, str) else phrase.find:
                    found |= self._text_slots(find, type)
        return found

    def _text_slots(self, text: str, phrase: str, depth: int = 0) -> set[str]:
        """The slots in a pattern's text, in its lists of words and in its phrases."""
        found: set[str] = set()
        for match in _LEXER.finditer(text):
            if match["slot"]:
                found.add(match["slot"])
            if match["type"] and match["type"] != phrase:
                found |= self._phrase_slots(match["type"])
            for words in self._said.words.get(match["words"] or "", ()) if depth < 20 else ():
                found |= self._text_slots(words, phrase, depth + 1)
        return found

    def _require_mark(self, line: int, name: str, said: _Pattern, slots: set[str]) -> None:
        for value in said.values.values():
            self._require_slots(line, name, value, slots)
        if self._categories is None:
            return
        mark = said.mark or said.amend
        category = self._categories.categories.get(mark)
        if category is None:
            hint = did_you_mean(mark, self._categories.categories)
            self._fault(line, "unknown_category", f"{name}: {mark!r} is no category; {hint}")
            return
        known = (*category.attributes, *category.relations)
        for slot in (*slots, *said.values):
            named = (*known, *said.remember, *said.check, TIMES)
            if slot not in named and not slot.startswith("_"):
                hint = did_you_mean(slot, known)
                message = f"{name}: {mark} has no attribute or relation {slot!r}; {hint}"
                self._fault(line, "slot", message)
        if said.amend:
            return
        given = {*slots, *said.values, *self._said.scope}
        given |= {one.member for one in self._said.type.values()}
        for attribute, of in category.attributes.items():
            if of.required and attribute not in given and not of.words:
                message = f"{name}: {said.mark} needs {attribute}, which no slot or value gives"
                self._fault(line, "slot", message)
        for relation, target in category.relations.items():
            if not target.optional and relation not in given:
                message = f"{name}: {said.mark} needs {relation}, which no slot or scope gives"
                self._fault(line, "slot", message)

    def _require_slots(self, line: int, name: str, value: Any, slots: set[str]) -> None:
        if isinstance(value, str) and (match := _REFERENCE.fullmatch(value)):
            members = {one.member for one in self._said.type.values() if one.title}
            known = self._said.scope if match["how"] == "scope " else {*slots, *members}
            more = match["more"]
            if match["slot"] not in known or (more and not more.isdecimal() and more not in slots):
                message = f"{name}: {value} is no slot or scope"
                self._fault(line, "slot", message)

    def _require_chain(self, name: str, chain: Chain) -> None:
        line = self._line(f"chain.{name}")
        categories = self._categories.categories if self._categories is not None else None
        if categories is None:
            return
        if name not in categories:
            hint = did_you_mean(name, categories)
            self._fault(line, "unknown_category", f"the chain {name} is no category; {hint}")
            return
        known = (*categories[name].attributes, *categories[name].relations)
        for each in (chain.by, chain.after, chain.first, chain.last):
            if each and each not in known:
                hint = did_you_mean(each, known)
                self._fault(line, "slot", f"the chain {name}: no {each!r} in the category; {hint}")

    # The language of patterns.

    def _finds(
        self, find: Find, line: int, after: str = "", before: str = ""
    ) -> tuple[Expression, ...]:
        found = []
        for text in (find,) if isinstance(find, str) else find:
            try:
                found.append(self._expression(f"{before} {text} {after}".strip()))
            except DataError as wrong:
                self._fault(self._line_of_text(line, text), "pattern", f"{text}: {wrong.message}")
            except re.error as wrong:
                self._fault(self._line_of_text(line, text), "pattern", f"{text}: {wrong}")
        return tuple(found)

    def _expression(self, text: str) -> Expression:
        return _Compiler(self).compile(text)

    def words(self, name: str) -> str:
        """The alternatives of a list of words, in brackets."""
        lists = self._said.words
        if name not in lists:
            raise DataError(f"there is no list of words <{name}>; {did_you_mean(name, lists)}")
        return "(" + " | ".join(lists[name]) + ")"

    def type_pattern(self, type: str) -> str:
        """What a chunk of a type looks like in a rendering."""
        if type not in self._types:
            raise DataError(f"there is no type {{{type}}}; {did_you_mean(type, self._types)}")
        if type == WORDS:
            return rf"(?:[^ ⟦⟧]+ ){{1,{MOST_WORDS}}}?"
        names = "|".join(map(re.escape, self.accepted(type)))
        chunk = rf"⟦(?:{names})#\d+[^⟧ ]*⟧ "
        known = self._said.type.get(type)
        if known is None or not known.words:
            return chunk
        ends = ["".join(f"{re.escape(word)} " for word in _cut(end)) for end in known.ends]
        least = 0 if ends else 1
        return rf"(?:{chunk}|(?:[^ ⟦⟧]+ ){{{least},{known.words}}}?(?:{'|'.join(ends)}))"

    def accepted(self, type: str) -> tuple[str, ...]:
        """The types of chunks that a slot of a type takes."""
        if type == NUMBER:
            return NUMBER, YEAR
        return (type, NAME) if type in self._names else (type,)

    def _line(self, table: str) -> int:
        parts = r"\s*\.\s*".join(rf"[\"']?{re.escape(part)}[\"']?" for part in table.split("."))
        header = re.compile(rf"\s*\[\s*{parts}\s*[.\]]")
        for number, line in enumerate(self._lines, 1):
            if header.match(line):
                return number
        return 1

    def _line_of_text(self, first: int, text: str) -> int:
        for number in range(first, len(self._lines) + 1):
            if text in self._lines[number - 1]:
                return number
        return first

    def _fault(self, line: int, code: str, message: str) -> None:
        self.faulty = True
        self._report(Problem(self._file, line, code, message))


def _cut(words: str) -> list[str]:
    return [word.lower() for word in token_texts(words)]


def _with_references(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in values.items():
        match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        found[name] = (
            SlotReference(
                match["slot"],
                other=match["other"] is not None,
                after=match["how"] == "after ",
                scope=match["how"] == "scope ",
                more=_added(match),
                against=match["more"] if match["sign"] == "and" else "",
                higher=match["how"] == "higher of ",
            )
            if match
            else value
        )
    return found


def _added(match: re.Match[str]) -> tuple[bool, str] | None:
    return (match["sign"] == "-", match["more"]) if match["sign"] in ("+", "-") else None


def _slot_names(expression: Expression) -> Iterator[str]:
    for each in (expression, *(inner for _, inner in expression.repeats)):
        yield from (slot.name for slot in each.slots if slot.name)
        if each is not expression:
            yield from (name for _, inner in each.repeats for name in _slot_names(inner))


def _slot_types(expression: Expression) -> Iterator[str]:
    yield from (slot.type for slot in expression.slots)
    for _, inner in expression.repeats:
        yield from _slot_types(inner)


class _Compiler:
    """One pattern's text as an expression."""

    def __init__(self, reader: _Reader, depth: int = 0) -> None:
        self._reader, self._depth = reader, depth
        self._slots: list[Slot] = []
        self._repeats: list[tuple[str, Expression]] = []
        self._needed: list[frozenset[str]] = []
        self._groups = 0

    def compile(self, text: str) -> Expression:
        tokens = self._lexed(text)
        ahead = [index for index, token in enumerate(tokens) if token[:2] == ("mark", "/")]
        if len(ahead) > 1:
            raise DataError("there is more than one /")
        following = tokens[ahead[0] + 1 :] if ahead else []
        tokens = tokens[: ahead[0]] if ahead else tokens
        source, rest = self._alternatives(tokens, 0)
        if rest < len(tokens):
            raise DataError(f"{tokens[rest][1]!r} without an opening bracket")
        if not source:
            raise DataError("is empty")
        if following:
            after, rest = self._alternatives(following, 0)
            if rest < len(following):
                raise DataError(f"{following[rest][1]!r} without an opening bracket")
            source = f"(?:{source})(?={after})"
        return self._made(source)

    def _made(self, source: str) -> Expression:
        regex = re.compile(rf"(?<![^ ])(?:{source})")
        return Expression(regex, tuple(self._slots), tuple(self._repeats), tuple(self._needed))

    def _lexed(self, text: str) -> list[tuple[str, str, str]]:
        found, at = [], 0
        while at < len(text):
            match = _LEXER.match(text, at)
            if match is None:
                raise DataError(f"unexpected {text[at]!r}")
            kind = match.lastgroup or ""
            if match["type"]:
                found.append(("slot", match["type"], match["slot"] or ""))
            elif kind != "space":
                found.append((kind, match[kind], ""))
            at = match.end()
        return found

    def _alternatives(self, tokens: list[tuple[str, str, str]], at: int) -> tuple[str, int]:
        parts: list[str] = []
        before = len(self._needed)
        choices: list[frozenset[str]] = []
        while True:
            start = len(self._needed)
            part, at = self._sequence(tokens, at)
            parts.append(part)
            choices.append(min(self._needed[start:], key=len, default=frozenset()))
            if at < len(tokens) and tokens[at][:2] == ("mark", "|"):
                at += 1
                continue
            break
        if len(parts) == 1:
            return parts[0], at
        del self._needed[before:]
        if all(choices):
            self._needed.append(frozenset().union(*choices))
        return "(?:" + "|".join(parts) + ")", at

    def _sequence(self, tokens: list[tuple[str, str, str]], at: int) -> tuple[str, int]:
        found: list[str] = []
        while at < len(tokens):
            kind, text, slot = tokens[at]
            if kind == "mark" and text in "|)]":
                break
            if kind == "mark" and text in "([":
                part, at = self._bracketed(tokens, at)
                found.append(part)
                continue
            at += 1
            if kind == "mark" and text in "*+":
                raise DataError(f"{text} follows no bracket")
            if kind == "mark" and text == "/":
                raise DataError("/ is in a bracket")
            if kind == "mark":
                found.append(r"\A" if text == "^" else r"\Z")
            elif kind == "gap":
                wide = text.startswith("....")
                most = int(text.lstrip(".") or (WIDE_GAP if wide else GAP))
                word = "[^ ]+ " if wide else rf"(?:[^ ⟦⟧]+|⟦(?:{self._reader.plain})#[^⟧]*⟧) "
                found.append(rf"(?:{word}){{0,{most}}}?")
            elif kind == "words":
                found.append(self._listed(text.strip()))
            elif kind == "slot":
                found.append(self._slot(text, slot))
            else:
                found.append(self._literal(text))
        return "".join(found), at

    def _bracketed(self, tokens: list[tuple[str, str, str]], at: int) -> tuple[str, int]:
        opening = tokens[at][1]
        closing = ")" if opening == "(" else "]"
        end = _closing(tokens, at)
        if end is None or tokens[end][1] != closing:
            raise DataError(f"{opening!r} is never closed")
        sign = tokens[end + 1][1] if end + 1 < len(tokens) and tokens[end + 1][0] == "mark" else ""
        if opening == "(" and sign in ("*", "+"):
            inner = _Compiler(self._reader, self._depth)
            source, _ = inner._alternatives(tokens[at + 1 : end], 0)
            self._groups += 1
            group = f"r{self._groups}"
            self._repeats.append((group, inner._made(source)))
            plain = re.sub(r"\(\?P<\w+>", "(?:", source)
            return f"(?P<{group}>(?:{plain}){sign})", end + 2
        before = len(self._needed)
        source, _ = self._alternatives(tokens, at + 1)
        if opening == "[":
            del self._needed[before:]
            return f"(?:{source})?", end + 1
        return f"(?:{source})", end + 1

    def _listed(self, name: str) -> str:
        if self._depth > 20:
            raise DataError(f"the list of words <{name}> is made of itself")
        inner = _Compiler(self._reader, self._depth + 1)
        inner._groups = self._groups
        tokens = inner._lexed(self._reader.words(name))
        source, _ = inner._alternatives(tokens, 0)
        self._groups = inner._groups
        self._slots += inner._slots
        self._repeats += inner._repeats
        self._needed += inner._needed
        return source

    def _slot(self, type: str, name: str) -> str:
        pattern = self._reader.type_pattern(type)
        self._groups += 1
        group = f"g{self._groups}"
        self._slots.append(Slot(group, name, type))
        known = self._reader._said.type.get(type)
        if type != WORDS and (known is None or not known.words):
            self._needed.append(frozenset(self._reader.accepted(type)))
        return f"(?P<{group}>{pattern})"

    def _literal(self, text: str) -> str:
        text = re.sub(r"\\(.)", r"\1", text)
        if text.endswith("~"):
            stems = token_texts(text[:-1])
            if len(stems) != 1:
                raise DataError(f"{text}: ~ follows one word")
            return rf"{re.escape(stems[0].lower())}[^ ⟦⟧]* "
        found = []
        for token in token_texts(text):
            token = token.lower()
            if token.isdecimal() or token in COUNTS:
                value = int(token) if token.isdecimal() else COUNTS[token]
                found.append(rf"⟦(?:{NUMBER}|{YEAR})#\d+={value}⟧ ")
                self._needed.append(frozenset((NUMBER, YEAR)))
            else:
                found.append(re.escape(token) + " ")
                self._needed.append(frozenset((token,)))
        return "".join(found)


def _closing(tokens: Sequence[tuple[str, str, str]], at: int) -> int | None:
    depth = 0
    for index in range(at, len(tokens)):
        kind, text, _ = tokens[index]
        if kind == "mark" and text in "([":
            depth += 1
        elif kind == "mark" and text in ")]":
            depth -= 1
            if depth == 0:
                return index
    return None
