"""The file ``patterns.toml``: what an extractor looks for in texts, and the marks that it makes.

docs/patterns.md describes it. Every mistake in a file is reported with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.expressions import (
    LEXER,
    MOST_NESTED,
    PatternNames,
    compile_expression,
)
from readmark.tasks.extraction.pattern_set import (
    BUILT_IN,
    NAME,
    TIMES,
    Chain,
    EntityType,
    Expression,
    MarkPattern,
    PatternSet,
    PhraseRule,
    SlotReference,
)
from readmark.tasks.extraction.pattern_tables import (
    Find,
    PatternFile,
    PatternTable,
    PhraseTable,
    TypeTable,
    texts_of,
)

PATTERNS = "patterns.toml"

_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_REFERENCE = re.compile(
    r"\{(?P<other>other )?(?P<how>after |scope |higher of |lower of )?(?P<slot>[^\W\d]\w*)"
    r"(?: (?P<sign>[+-]|and) (?P<more>\w+))?\}"
)


def read_patterns(
    text: str, file: str, categories: Categories | None = None, report: ReportProblem = fail
) -> PatternSet | None:
    """The patterns in a TOML file; None when anything in it was reported.

    With ``categories`` the marks are held to them.
    """
    try:
        tables = msgspec.convert(tomllib.loads(text), PatternFile)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        where = f"{place[1]}:{place[2]}" if place else "1"
        report(Problem(file, where, "toml", _TOML_PLACE.sub("", str(error))))
        return None
    except RecursionError:
        report(Problem(file, 1, "toml", "nested too deep"))
        return None
    except msgspec.ValidationError as error:
        line = _Lines(text).of_fault(str(error))
        report(Problem(file, line, "schema", in_words(error)))
        return None
    reader = _Reader(text, file, report, tables, categories)
    patterns = reader.patterns()
    return None if reader.is_faulty else patterns


def compiler(text: str) -> Callable[[str], Expression]:
    """What makes expressions of patterns that use the words and types of a file."""
    names = PatternNames(msgspec.convert(tomllib.loads(text), PatternFile))
    return lambda pattern: compile_expression(pattern, names)


class _Lines:
    """Where the tables and texts of a file are."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def of_table(self, table: str) -> int:
        """The line of a table, such as ``type.Team``, or of one within it."""
        parts = r"\s*\.\s*".join(rf"[\"']?{re.escape(part)}[\"']?" for part in table.split("."))
        header = re.compile(rf"\s*\[\s*{parts}\s*[.\]]")
        for number, line in enumerate(self._lines, 1):
            if header.match(line):
                return number
        return 1

    def of_entry(self, table: str, index: int) -> int:
        """The line of a table that occurs several times, such as the third ``[[pattern]]``."""
        headers = [
            number
            for number, line in enumerate(self._lines, 1)
            if "[[" in line and re.match(rf"\s*\[\[\s*{table}\s*\]\]", line)
        ]
        return headers[index] if index < len(headers) else 1

    def of_text(self, first: int, text: str) -> int:
        """The line of a text, from a line on."""
        for number in range(first, len(self._lines) + 1):
            if text in self._lines[number - 1]:
                return number
        return first

    def of_fault(self, fault: str) -> int:
        """The line of the table or member that msgspec's path leads to."""
        path = re.search(r"`\$\.(phrase|pattern)\[(\d+)\]", fault)
        if path is not None:
            return self.of_entry(path[1], int(path[2]))
        words = [word for name in re.findall(r"`([^`]*)`", fault) for word in name.split(".")]
        for word in reversed([word for word in words if _IDENTIFIER.fullmatch(word)]):
            for number, line in enumerate(self._lines, 1):
                if re.search(rf"\b{re.escape(word)}\b", line):
                    return number
        return 1


class _Reader:
    """Checks and compiles the tables of a file."""

    def __init__(
        self,
        text: str,
        file: str,
        report: ReportProblem,
        tables: PatternFile,
        categories: Categories | None,
    ) -> None:
        self._lines, self._file, self._report = _Lines(text), file, report
        self._tables, self._categories = tables, categories
        self._names = PatternNames(tables)
        self.is_faulty = False

    def patterns(self) -> PatternSet:
        tables = self._tables
        if not tables.pattern:
            self._fault(1, "no_pattern", "declares no patterns: a table [[pattern]] each")
        for name in tables.type:
            if name in BUILT_IN:
                line = self._lines.of_table(f"type.{name}")
                self._fault(line, "name", f"{name} is a type that every file has")
        types = {name: self._type(name, table) for name, table in tables.type.items()}
        phrases = [self._phrase(index, table) for index, table in enumerate(tables.phrase)]
        patterns = [self._pattern(index, table) for index, table in enumerate(tables.pattern)]
        for name, chain in tables.chain.items():
            self._check_chain(name, chain)
        return PatternSet(
            types=types,
            phrases=tuple(phrases),
            patterns=tuple(patterns),
            scopes=tables.scope,
            chains=tables.chain,
            ledgers=tables.ledger,
            file=self._file,
        )

    def _type(self, name: str, table: TypeTable) -> EntityType:
        line = self._lines.of_table(f"type.{name}")
        if table.category and self._categories is not None:
            known = self._categories.categories
            if table.category not in known:
                hint = did_you_mean(table.category, known)
                message = f"the type {name} is marked as {table.category}: no such category; {hint}"
                self._fault(line, "unknown_category", message)
        is_named_otherwise = any((table.entities, table.names, table.words, table.surnames))
        if not is_named_otherwise and all(phrase.type != name for phrase in self._tables.phrase):
            message = f"the type {name} has neither entities nor names = true, words or a phrase"
            self._fault(line, "schema", message)
        return EntityType(
            name=name,
            category=table.category,
            entities=table.entities,
            shared=frozenset(table.shared),
            names=table.names,
            never=frozenset(word.lower() for word in table.never),
            titles=self._finds(table.title, line, after=f"{{{NAME}}}") if table.title else (),
            tails=self._finds(table.tail, line, before=f"{{{NAME}}}") if table.tail else (),
            surname=table.surname,
            pronouns=frozenset(word.lower() for word in table.pronouns),
            member=table.member,
            pair=table.pair,
            values=table.values,
            full=table.full,
            short=table.short,
            words=table.words,
            ends=table.ends,
            first=table.first,
            surnames=frozenset(table.surnames),
        )

    def _phrase(self, index: int, table: PhraseTable) -> PhraseRule:
        line = self._lines.of_entry("phrase", index)
        # A phrase may be a thing that has a category, such as a sum of money, and no other type.
        is_taken = table.type in BUILT_IN or (
            table.type in self._tables.type and not self._tables.type[table.type].category
        )
        if is_taken or not _IDENTIFIER.fullmatch(table.type):
            self._fault(line, "name", f"{table.type!r} cannot be the name of a phrase")
        return PhraseRule(
            table.type,
            self._finds(table.find, line),
            table.values,
            table.part or not table.values,
            table.again,
        )

    def _pattern(self, index: int, table: PatternTable) -> MarkPattern:
        line = self._lines.of_entry("pattern", index)
        finds = self._finds(table.find, line)
        name = table.name or f"pattern {index + 1}"
        in_expressions = [slot for find in finds for slot in find.all_slots()]
        slots = {slot.name for slot in in_expressions if slot.name}
        for slot in in_expressions:
            slots |= self._slots_of_phrases(slot.type)
        self._check_pattern(line, name, table, slots)
        return MarkPattern(
            name=name,
            finds=finds,
            mark=table.mark,
            values=_with_references(table.values),
            sets=_with_references(table.set),
            remember=table.remember,
            skip=table.skip,
            hide=table.hide,
            early=table.early,
            about=table.about,
            amend=table.amend,
            where=table.where,
            once=table.once,
            check=table.check,
            final=table.final,
            probability=table.probability,
        )

    def _check_pattern(self, line: int, name: str, table: PatternTable, slots: set[str]) -> None:
        """Report slots, scopes and categories that a pattern names and that there are not."""
        if table.mark and table.amend:
            self._fault(line, "schema", f"{name}: has both mark and amend")
        if table.mark or table.amend:
            for value in table.values.values():
                self._check_reference(line, name, value, slots)
            self._check_mark(line, name, table, slots)
        if table.about and table.about not in slots:
            self._fault(line, "slot", f"{name}: is about {table.about!r}, which is not its slot")
        for scope, value in table.set.items():
            if scope not in self._tables.scope:
                hint = did_you_mean(scope, self._tables.scope)
                message = f"{name}: sets {scope!r}, which is not a scope; {hint}"
                self._fault(line, "scope", message)
            self._check_reference(line, name, value, slots)
        for holder, member in table.remember.items():
            if holder not in slots:
                message = f"{name}: remembers {holder!r}, which is not its slot"
                self._fault(line, "slot", message)
            if member not in slots and member not in self._tables.scope:
                message = f"{name}: remembers {member!r}, which is not its slot"
                self._fault(line, "slot", message)
        for slot in (*table.skip, *table.check):
            if slot not in slots:
                self._fault(line, "slot", f"{name}: names {slot!r}, which is not its slot")
        if table.probability is not None and not 0 < table.probability <= 1:
            message = (
                f"{name}: the probability is {table.probability:g}, expected above 0 and up to 1"
            )
            self._fault(line, "schema", message)

    def _check_mark(self, line: int, name: str, table: PatternTable, slots: set[str]) -> None:
        """Report what a category lacks of a pattern's slots, and the other way round."""
        if self._categories is None:
            return
        mark = table.mark or table.amend
        category = self._categories.categories.get(mark)
        if category is None:
            hint = did_you_mean(mark, self._categories.categories)
            self._fault(line, "unknown_category", f"{name}: {mark!r} is not a category; {hint}")
            return
        members = (*category.attributes, *category.relations)
        used_otherwise = (*table.remember, *table.check, TIMES)
        for slot in (*slots, *table.values):
            if slot not in (*members, *used_otherwise) and not slot.startswith("_"):
                hint = did_you_mean(slot, members)
                message = f"{name}: {mark} has no attribute or relation {slot!r}; {hint}"
                self._fault(line, "slot", message)
        if table.amend:
            return
        filled = {*slots, *table.values, *self._tables.scope}
        filled |= {type.member for type in self._tables.type.values()}
        for attribute, spec in category.attributes.items():
            if spec.required and attribute not in filled and not spec.words:
                message = f"{name}: {mark} needs {attribute}, which no slot or value gives"
                self._fault(line, "slot", message)
        for relation, target in category.relations.items():
            if not target.optional and relation not in filled:
                message = f"{name}: {mark} needs {relation}, which no slot or scope gives"
                self._fault(line, "slot", message)

    def _check_reference(self, line: int, name: str, value: Any, slots: set[str]) -> None:
        """Report a value such as ``{winner + 1}`` of slots or scopes that there are not."""
        match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return
        if match["how"] == "scope ":
            is_known = match["slot"] in self._tables.scope
        else:
            members = {type.member for type in self._tables.type.values() if type.title}
            is_known = match["slot"] in slots or match["slot"] in members
        more = match["more"]
        if not is_known or (more and not more.isdecimal() and more not in slots):
            self._fault(line, "slot", f"{name}: {value} is not a slot or scope")

    def _check_chain(self, name: str, chain: Chain) -> None:
        if self._categories is None:
            return
        line = self._lines.of_table(f"chain.{name}")
        categories = self._categories.categories
        if name not in categories:
            hint = did_you_mean(name, categories)
            message = f"the chain {name} is not called as a category; {hint}"
            self._fault(line, "unknown_category", message)
            return
        members = (*categories[name].attributes, *categories[name].relations)
        for member in (chain.by, chain.after, chain.first, chain.last):
            if member and member not in members:
                hint = did_you_mean(member, members)
                message = f"the chain {name}: no {member!r} in the category; {hint}"
                self._fault(line, "slot", message)

    def _slots_of_phrases(self, type: str) -> set[str]:
        """The slots and values in phrases of a type that is no entity's."""
        slots: set[str] = set()
        if type in self._tables.type:
            return slots
        for phrase in self._tables.phrase:
            if phrase.type == type:
                slots |= set(phrase.values)
                for text in texts_of(phrase.find):
                    slots |= self._slots_in(text, type)
        return slots

    def _slots_in(self, text: str, phrase: str, depth: int = 0) -> set[str]:
        """The slots in a pattern's text, in its lists of words and in its phrases."""
        slots: set[str] = set()
        for match in LEXER.finditer(text):
            if match["slot"]:
                slots.add(match["slot"])
            if match["type"] and match["type"] != phrase:
                slots |= self._slots_of_phrases(match["type"])
            if match["words"] and depth < MOST_NESTED:
                for words in self._tables.words.get(match["words"], ()):
                    slots |= self._slots_in(words, phrase, depth + 1)
        return slots

    def _finds(
        self, find: Find, line: int, *, after: str = "", before: str = ""
    ) -> tuple[Expression, ...]:
        """The expressions of a pattern's texts; those that cannot be read are reported."""
        expressions = []
        for text in texts_of(find):
            try:
                whole = f"{before} {text} {after}".strip()
                expressions.append(compile_expression(whole, self._names))
            except DataError as error:
                place = self._lines.of_text(line, text)
                self._fault(place, "pattern", f"{text}: {error.message}")
            except re.error as error:
                self._fault(self._lines.of_text(line, text), "pattern", f"{text}: {error}")
        return tuple(expressions)

    def _fault(self, line: int, code: str, message: str) -> None:
        self.is_faulty = True
        self._report(Problem(self._file, line, code, message))


def _with_references(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with references in place of texts such as ``{other team}``."""
    with_references = {}
    for name, value in values.items():
        match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        with_references[name] = value if match is None else _reference(match)
    return with_references


def _reference(match: re.Match[str]) -> SlotReference:
    is_sum = match["sign"] in ("+", "-")
    return SlotReference(
        match["slot"],
        other=match["other"] is not None,
        after=match["how"] == "after ",
        scope=match["how"] == "scope ",
        more=(match["sign"] == "-", match["more"]) if is_sum else None,
        against=match["more"] if match["sign"] == "and" else "",
        higher=match["how"] == "higher of ",
    )
