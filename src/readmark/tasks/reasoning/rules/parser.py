"""Rule files and queries as rules and conditions, with the line and column of what is wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.rules.faults import RuleFault, query_faults, rule_faults
from readmark.tasks.reasoning.rules.strata import stratified
from readmark.tasks.reasoning.rules.values import (
    CONTRADICTS,
    Condition,
    Rule,
    Theory,
    builtins_of,
    condition_of,
    patterns_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, term_of, written

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


_TOKENS_IN_WORDS = {
    "LPAR": "'('",
    "RPAR": "')'",
    "$END": "the end",
    "WORD": "a term",
    "STRING": "a string",
    "IF": ":if",
    "IF_NOT": ":if-not",
    "THEN": ":then",
}


@lru_cache(maxsize=16)
def parse_rules(text: str, file: Hashable = None) -> Theory:
    """The theory that a rule file writes; DataError with file, line and column if it cannot."""
    name, theory_line = "Theory", 0
    rules: list[Rule] = []
    lines: dict[str, int] = {}
    for tree in _tree(text, file).children:
        if tree.data == "theory":
            if theory_line:
                message = f"a second :theory; the first is on line {theory_line}"
                raise DataError(message, file=file, where=f"{tree.meta.line}:{tree.meta.column}")
            name, theory_line = _name(tree.children[1], file), tree.meta.line
            continue
        rule = _TreeReader(tree, file).rule(f"rule-{len(rules) + 1}")
        if rule.name in lines:
            message = f"{rule.name} is already the rule of line {lines[rule.name]}"
            raise DataError(message, file=file, where=rule.line)
        lines[rule.name] = rule.line
        rules.append(rule)
    theory = Theory(name, tuple(rules), None if file is None else str(file))
    stratified(theory)  # Raises if a rule depends on its own negation.
    return theory


def parse_query(text: str, file: object = None) -> tuple[Condition, ...]:
    """A query graph: triples with variables, and built-ins with any number of terms."""
    tree = _tree(text, file, "query")
    reader = _TreeReader(tree, file)
    query = tuple(reader.conditions(tree.children, "query"))
    if not query:
        raise DataError("a query holds a triple or more", file=file, where="1:1")
    fault = next(query_faults(query), None)
    if fault is not None:
        raise reader.error(fault)
    return query


@cache
def _grammar() -> Lark:
    require("lark")
    from lark import Lark

    grammar = files("readmark.tasks.reasoning.rules").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", start=["start", "query"], propagate_positions=True)


def _tree(text: str, file: object, start: str = "start") -> Tree[Any]:
    require("lark")
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _grammar().parse(text, start=start)
    except UnexpectedToken as wrong:
        tokens = {_TOKENS_IN_WORDS[name] for name in wrong.expected if name in _TOKENS_IN_WORDS}
        expected = ", ".join(sorted(tokens))
        if wrong.token.type == "$END":
            lines = text.split("\n")
            message = f"expected {expected}, found the end"
            place = f"{len(lines)}:{len(lines[-1]) + 1}"
        else:
            message = f"expected {expected}, found {str(wrong.token)!r}"
            place = f"{wrong.line}:{wrong.column}"
    except UnexpectedCharacters as wrong:
        message = "a string is never closed" if wrong.char == '"' else f"unexpected {wrong.char!r}"
        place = f"{wrong.line}:{wrong.column}"
    raise DataError(message, file=file, where=place)


class _TreeReader:
    """Makes a rule or a query of its tree, and knows the place of every term."""

    def __init__(self, tree: Tree[Any], file: object) -> None:
        self._tree = tree
        self._file = file
        self._places: dict[tuple[str, Term], str] = {}
        """Where a section has a term first."""

    def rule(self, default_name: str) -> Rule:
        settings: dict[str, Any] = {"name": default_name, "line": self._tree.meta.line}
        positive: list[Condition] = []
        negative: list[tuple[Condition, ...]] = []
        head: list[Condition] = []
        seen: set[str] = set()
        for clause in self._tree.children:
            kind, keyword = str(clause.data), clause.children[0]
            if kind in seen:
                raise self._error_at(keyword, f"{keyword} a second time")
            if kind != "negative":  # There may be several :if-not.
                seen.add(kind)
            if kind == "positive":
                positive.extend(self.conditions(clause.children[1:], "if"))
            elif kind == "negative":
                negative.append(tuple(self.conditions(clause.children[1:], "if-not")))
            elif kind == "head":
                head.extend(self.conditions(clause.children[1:], "then"))
            else:
                settings[kind] = self._setting(kind, clause)
        if not head:
            raise DataError("a rule needs :then", file=self._file, where=settings["line"])
        for builtin in builtins_of(head):
            where = self._places.get(("then", Name(builtin.name)))
            raise DataError("a built-in cannot be concluded", file=self._file, where=where)
        conclusions = tuple(patterns_of(head))
        theory = conclusions[0].object if conclusions[0].predicate == CONTRADICTS else None
        rule = Rule(
            positive=tuple(patterns_of(positive)),
            negative=tuple(negative),
            builtins=tuple(builtins_of(positive)),
            head=conclusions,
            contradicts=theory.text if isinstance(theory, Name) else None,
            **settings,
        )
        fault = next(rule_faults(rule), None)
        if fault is not None:
            raise self.error(fault, f"{rule.name}: ")
        return rule

    def conditions(self, trees: list[Any], section: str) -> Iterator[Condition]:
        """The triples and built-ins of a section."""
        for tree in trees:
            tokens = [child.children[0] for child in tree.children]
            terms = [self._term(token, section) for token in tokens]
            try:
                yield condition_of(terms)
            except ValueError as wrong:
                raise self._error_at(tree.meta, str(wrong)) from None

    def _setting(self, kind: str, clause: Tree[Any]) -> object:
        if kind == "default":
            return True
        value: Any = clause.children[1]
        if kind == "name":
            return _name(value, self._file)
        if kind == "comment":
            comment = self._term(value, kind)
            return comment.value if isinstance(comment, Literal) else ""
        token = value.children[0]
        term = self._term(token, kind)
        if isinstance(term, Literal) and not isinstance(term.value, bool):
            probability = term.value
            if isinstance(probability, int | float) and 0 < probability <= 1:
                return float(probability)
        message = f"a probability is above 0 and at most 1, not {written(term)}"
        raise self._error_at(token, message)

    def _term(self, token: Token, section: str) -> Term:
        try:
            term = term_of(str(token))
        except ValueError as wrong:
            raise self._error_at(token, str(wrong)) from None
        self._places.setdefault((section, term), f"{token.line}:{token.column}")
        return term

    def error(self, fault: RuleFault, before: str = "") -> DataError:
        """The error of a rule or query that can be read but not used."""
        where = self._places.get((fault.section, fault.term), self._tree.meta.line)
        return DataError(before + fault.message, file=self._file, where=where)

    def _error_at(self, place: Any, message: str) -> DataError:
        return DataError(message, file=self._file, where=f"{place.line}:{place.column}")


def _name(tree: Tree[Any], file: object) -> str:
    """The name of a rule or theory, a word or a string."""
    token: Any = tree.children[0]
    try:
        term = term_of(str(token))
    except ValueError:
        term = Literal(0)
    if isinstance(term, Name):
        return term.text
    if isinstance(term, Literal) and isinstance(term.value, str):
        return term.value
    where = f"{token.line}:{token.column}"
    raise DataError(f"a name is a word or a string, not {token}", file=file, where=where)
