"""Rule files read with positions: a Lark grammar, then what every rule must fulfil."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from readmark.core.confinement import connect
from readmark.core.errors import DataError, did_you_mean
from readmark.core.extras import require
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.strata import stratified
from readmark.tasks.reasoning.rules.values import (
    CONTRADICTS,
    KINDS,
    MEANINGS,
    Builtin,
    Condition,
    Rule,
    Theory,
    builtins_of,
    is_builtin,
    patterns_of,
    variables_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, term_of, written

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


_FRIENDLY = {
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
    theory, named = "Theory", 0
    rules: list[Rule] = []
    names: dict[str, int] = {}
    for tree in _tree(text, file).children:
        if tree.data == "theory":
            if named:
                message = f"a second :theory; the first is on line {named}"
                raise DataError(message, file=file, where=f"{tree.meta.line}:{tree.meta.column}")
            theory, named = _name(tree.children[1], file), tree.meta.line
            continue
        rule = _Reading(tree, file).rule(f"rule-{len(rules) + 1}")
        if rule.name in names:
            first = f"{rule.name} is already the rule of line {names[rule.name]}"
            raise DataError(first, file=file, where=rule.line)
        names[rule.name] = rule.line
        rules.append(rule)
    whole = Theory(theory, tuple(rules), None if file is None else str(file))
    stratified(whole)
    return whole


def parse_query(text: str, file: object = None) -> tuple[Condition, ...]:
    """A query graph: triples with variables, and built-ins with any number of terms."""
    tree = _tree(text, file, "query")
    reading = _Reading(tree, file)
    query = tuple(reading.conditions())
    if not query:
        raise DataError("a query holds a triple or more", file=file, where="1:1")
    for fault in query_faults(query):
        raise reading.fault(fault)
    return query


def condition_of(terms: list[Term]) -> Condition:
    """A triple, or a built-in with any number of terms; ValueError says what is wrong."""
    predicate = terms[1] if len(terms) > 1 else None
    if isinstance(predicate, Name) and is_builtin(predicate.text):
        return Builtin(predicate.text, (terms[0], *terms[2:]))
    if len(terms) != 3:
        raise ValueError(f"a triple holds three terms, this one {len(terms)}")
    return Pattern(*terms)


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
        expected = ", ".join(sorted({_FRIENDLY[one] for one in wrong.expected if one in _FRIENDLY}))
        if wrong.token.type == "$END":
            message, place = f"expected {expected}, found the end", _end(text)
        else:
            message = f"expected {expected}, found {str(wrong.token)!r}"
            place = f"{wrong.line}:{wrong.column}"
    except UnexpectedCharacters as wrong:
        message = "a string is never closed" if wrong.char == '"' else f"unexpected {wrong.char!r}"
        place = f"{wrong.line}:{wrong.column}"
    raise DataError(message, file=file, where=place)


def _end(text: str) -> str:
    lines = text.split("\n")
    return f"{len(lines)}:{len(lines[-1]) + 1}"


class _Reading:
    """One rule's tree on its way to a Rule, with the place of every term."""

    def __init__(self, tree: Tree[Any], file: object) -> None:
        self._tree = tree
        self._file = file
        self._places: dict[tuple[str, Term], str] = {}

    def rule(self, unnamed: str) -> Rule:
        parts: dict[str, Any] = {"name": unnamed, "line": self._tree.meta.line}
        positive: list[Condition] = []
        negative: list[tuple[Condition, ...]] = []
        head: list[Condition] = []
        once: set[str] = set()
        for clause in self._tree.children:
            kind, first = str(clause.data), clause.children[0]
            if kind in once:
                raise self._wrong(f"{first} a second time", first)
            if kind == "negative":
                negative.append(tuple(self._conditions(clause.children[1:], "if-not")))
                continue
            once.add(kind)
            if kind == "positive":
                positive.extend(self._conditions(clause.children[1:], "if"))
            elif kind == "head":
                head.extend(self._conditions(clause.children[1:], "then"))
            else:
                parts[kind] = self._setting(kind, clause)
        if not head:
            raise DataError("a rule needs :then", file=self._file, where=parts["line"])
        rule = self._whole(parts, positive, negative, head)
        for fault in faults(rule):
            raise self.fault(fault, f"{rule.name}: ")
        return rule

    def conditions(self) -> Iterator[Condition]:
        """The conditions of a query."""
        return self._conditions(self._tree.children, "query")

    def fault(self, fault: RuleFault, before: str = "") -> DataError:
        """The error of a rule or query that can be read but not used."""
        where = self._places.get((fault.section, fault.term), self._tree.meta.line)
        return DataError(before + fault.message, file=self._file, where=where)

    def _whole(
        self,
        parts: dict[str, Any],
        positive: list[Condition],
        negative: list[tuple[Condition, ...]],
        head: list[Condition],
    ) -> Rule:
        for builtin in builtins_of(head):
            where = self._places.get(("then", Name(builtin.name)))
            raise DataError("a built-in cannot be concluded", file=self._file, where=where)
        conclusions = tuple(patterns_of(head))
        target = conclusions[0].object if conclusions[0].predicate == CONTRADICTS else None
        return Rule(
            positive=tuple(patterns_of(positive)),
            negative=tuple(negative),
            builtins=tuple(builtins_of(positive)),
            head=conclusions,
            contradicts=target.text if isinstance(target, Name) else None,
            **parts,
        )

    def _setting(self, kind: str, clause: Tree[Any]) -> object:
        if kind == "default":
            return True
        value: Any = clause.children[1]
        if kind == "name":
            return _name(value, self._file)
        if kind == "comment":
            comment = self._term(value, kind)
            return comment.value if isinstance(comment, Literal) else ""
        term = self._term(value.children[0], kind)
        if isinstance(term, Literal) and not isinstance(term.value, bool):
            number = term.value
            if isinstance(number, int | float) and 0 < number <= 1:
                return float(number)
        message = f"a probability is above 0 and at most 1, not {written(term)}"
        raise self._wrong(message, value.children[0])

    def _conditions(self, trees: list[Any], section: str) -> Iterator[Condition]:
        for tree in trees:
            tokens = [child.children[0] for child in tree.children]
            try:
                yield condition_of([self._term(token, section) for token in tokens])
            except ValueError as bad:
                raise self._wrong(str(bad), tree.meta) from None

    def _term(self, token: Token, section: str) -> Term:
        try:
            term = term_of(str(token))
        except ValueError as bad:
            raise self._wrong(str(bad), token) from None
        self._places.setdefault((section, term), f"{token.line}:{token.column}")
        return term

    def _wrong(self, message: str, at: Any) -> DataError:
        return DataError(message, file=self._file, where=f"{at.line}:{at.column}")


def _name(tree: Tree[Any], file: object) -> str:
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


# What makes a rule unusable whatever the data: unbound variables, impossible conditions.


class RuleFault(NamedTuple):
    """What is wrong and the section and term to point at."""

    message: str
    section: str
    term: Term


def faults(rule: Rule) -> Iterator[RuleFault]:
    """Everything wrong with one rule, in the order of its sections."""
    yield from _shapes(rule.positive, "if")
    yield from _computations(rule.builtins, "if")
    bound, unbound = bindings([*rule.positive, *rule.builtins])
    yield from _unbound(unbound, bound, "if")
    for group in rule.negative:
        yield from _shapes(patterns_of(group), "if-not")
        yield from _computations(builtins_of(group), "if-not")
        known, waiting = bindings(group, bound)
        yield from _unbound(waiting, known, "if-not")
    yield from _head(rule, bound)


def query_faults(conditions: Sequence[Condition]) -> Iterator[RuleFault]:
    """What makes a query unusable; a variable may stand for a property here."""
    for pattern in patterns_of(conditions):
        if isinstance(pattern.subject, Literal):
            yield RuleFault("a literal is no subject", "query", pattern.subject)
    yield from _computations(builtins_of(conditions), "query")
    bound, waiting = bindings(conditions)
    yield from _unbound(waiting, bound, "query")


def bindings(
    conditions: Iterable[Condition], outer: Iterable[Variable] = ()
) -> tuple[list[Variable], list[Builtin]]:
    """The variables that get a value, in a fixed order, and the built-ins that cannot run."""
    conditions = list(conditions)
    bound = dict.fromkeys([*outer, *variables_of(patterns_of(conditions))])
    waiting = builtins_of(conditions)
    while waiting:
        ready = [builtin for builtin in waiting if all(each in bound for each in needs(builtin))]
        if not ready:
            break
        for builtin in ready:
            bound.update(dict.fromkeys(variables_of([builtin])))
        waiting = [builtin for builtin in waiting if builtin not in ready]
    return list(bound), waiting


def needs(builtin: Builtin) -> list[Variable]:
    """The variables that must have a value before the built-in can run."""
    meaning = MEANINGS.get(builtin.name)
    inputs = builtin.arguments[1:] if meaning and meaning.computes else builtin.arguments
    return [variable for variable in inputs if isinstance(variable, Variable)]


def _shapes(patterns: Sequence[Pattern], section: str) -> Iterator[RuleFault]:
    for pattern in patterns:
        if isinstance(pattern.subject, Literal):
            yield RuleFault("a literal is no subject", section, pattern.subject)
        if not isinstance(pattern.predicate, Name):
            yield RuleFault(
                f"{written(pattern.predicate)} is in the place of a property",
                section,
                pattern.predicate,
            )
        elif pattern.predicate == CONTRADICTS:
            yield RuleFault("contradicts can only be concluded", section, pattern.predicate)


def _computations(builtins: Sequence[Builtin], section: str) -> Iterator[RuleFault]:
    for builtin in builtins:
        meaning = MEANINGS.get(builtin.name)
        term = Name(builtin.name)
        if meaning is None:
            hint = did_you_mean(builtin.name, MEANINGS)
            yield RuleFault(f"no built-in is called {builtin.name}: {hint}", section, term)
            continue
        count = len(builtin.arguments)
        if count < meaning.least or (meaning.most is not None and count > meaning.most):
            wanted = str(meaning.least) if meaning.most else f"{meaning.least} or more"
            yield RuleFault(f"{builtin.name} takes {wanted} terms, not {count}", section, term)
        elif builtin.name in ("mrq:hasKind", "mrq:lacksKind"):
            kind = builtin.arguments[1]
            if not isinstance(kind, Name) or kind.text not in KINDS:
                yield RuleFault(f"{builtin.name} knows the kinds {', '.join(KINDS)}", section, kind)
        elif builtin.name == "mrq:matches":
            expression = builtin.arguments[1]
            wrong = _malformed(expression.value) if isinstance(expression, Literal) else ""
            if wrong:
                message = f"{written(expression)} is no expression: {wrong}"
                yield RuleFault(message, section, expression)


def _malformed(expression: object) -> str:
    """What the database's RE2 says against an expression; empty where it is well formed."""
    require("duckdb")
    import duckdb

    if not isinstance(expression, str):
        return ""
    try:
        with connect() as connection:
            connection.execute("SELECT regexp_matches('', ?)", [expression])
    except duckdb.Error as wrong:
        return str(wrong).splitlines()[0].partition("Error: ")[2]
    return ""


def _unbound(
    waiting: Sequence[Builtin], bound: Sequence[Variable], section: str
) -> Iterator[RuleFault]:
    """What each built-in lacks; first what no other one that waits would have computed."""
    lacking = [
        (builtin, term) for builtin in waiting for term in needs(builtin) if term not in bound
    ]
    computed = {
        builtin.arguments[0] for builtin in waiting if builtin.arguments[0] not in needs(builtin)
    }
    for builtin, variable in sorted(lacking, key=lambda pair: pair[1] in computed):
        yield RuleFault(
            f"{written(variable)} has no value when {builtin.name} needs it", section, variable
        )


def _head(rule: Rule, bound: Sequence[Variable]) -> Iterator[RuleFault]:
    contradictions = [pattern for pattern in rule.head if pattern.predicate == CONTRADICTS]
    if contradictions:
        if len(rule.head) > 1:
            yield RuleFault("a contradiction is a rule's only conclusion", "then", CONTRADICTS)
        if not isinstance(contradictions[0].object, Name):
            yield RuleFault("what is contradicted is a name", "then", contradictions[0].object)
        if rule.default:
            yield RuleFault("a contradiction is no default", "then", CONTRADICTS)
        return
    yield from _shapes(rule.head, "then")
    known = set(bound)
    for pattern in rule.head:
        if isinstance(pattern.predicate, Name) and is_builtin(pattern.predicate.text):
            yield RuleFault("a built-in cannot be concluded", "then", pattern.predicate)
        for variable in variables_of([pattern]):
            if variable not in known:
                yield RuleFault(f"{written(variable)} is used only in :then", "then", variable)
