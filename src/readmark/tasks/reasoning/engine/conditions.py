"""Built-ins as SQL over operands: tests give a condition, computations a new operand."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.store import (
    DATES,
    EPOCH,
    FALSE,
    LITERALS,
    TRUE,
    ZERO,
    Store,
    ground,
)
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.parser import needs
from readmark.tasks.reasoning.rules.values import (
    MEANINGS,
    ORDERED,
    SMALLEST,
    Builtin,
    Condition,
    builtins_of,
    patterns_of,
    write_condition,
)
from readmark.tasks.reasoning.terms import (
    Literal,
    Name,
    Term,
    Variable,
    ZonedDate,
    canonical,
    is_zoned,
    universal,
    written,
)

# A term of a built-in as SQL: its code, and its value as a number, a text or a moment.


NONE = "NULL"
_ZONE = "(Z|[+-][0-9]{2}:[0-9]{2})$"
"""How a canonical text ends that has a zone."""


@dataclass(frozen=True, slots=True)
class Operand:
    """SQL expressions; each of number, text and moment is NULL where the term has none."""

    code: str
    whole: str
    """A BIGINT, NULL unless the term is an integer that fits."""
    number: str
    text: str
    moment: str
    """A TIMESTAMP: a date's midnight or a time; in UTC where it has a zone."""
    kind: str
    """For other literals, their kind; NULL where the code itself shows it."""
    only_whole: bool = False
    """Whether the term, if a number at all, is an integer that fits."""
    large: str = ""
    """A HUGEINT where the term is any integer; empty where none can be too large for a BIGINT."""

    day: str = NONE
    """A TIMESTAMP: the midnight of a date or time as its own zone has it."""
    zoned: str = NONE
    """Whether the moment has a zone; the word NULL where it can only be a date without one."""

    @property
    def integer(self) -> str:
        """A HUGEINT, NULL unless the term is an integer."""
        return self.large or f"({self.whole})::HUGEINT"


def stored(code: str, look_up: Callable[[], str] | None, kinds: set[str]) -> Operand:
    """A variable's operand; look_up gives the alias of its joined row of ``literals``."""
    whole = f"CASE WHEN {code} < {DATES} THEN {code} - ({ZERO}) END"
    day = (
        f"CASE WHEN {code} >= {DATES} AND {code} < 0 "
        f"THEN TIMESTAMP '1970-01-01' + to_days(({code} - ({EPOCH}))::INTEGER) END"
    )
    if look_up is None or not kinds:
        return Operand(code, whole, f"({whole})::DOUBLE", NONE, day, NONE, True, day=day)
    row = look_up()
    numeric, timed = bool(kinds & {"float", "int"}), bool(kinds & {"date", "datetime"})
    number = f"({whole})::DOUBLE"
    return Operand(
        code,
        whole,
        f"COALESCE({number}, {row}.number)" if numeric else number,
        f"CASE WHEN starts_with({row}.kind, 'str') THEN {row}.text END"
        if any(kind.startswith("str") for kind in kinds)
        else NONE,
        f"COALESCE({day}, {row}.moment)" if timed else day,
        f"{row}.kind",
        not numeric,
        f"COALESCE(({whole})::HUGEINT, CASE WHEN {row}.kind = 'int' THEN {row}.text::HUGEINT END)"
        if "int" in kinds
        else "",
        f"COALESCE({day}, CASE WHEN {_timed(row)} THEN {row}.text[:10]::TIMESTAMP END)"
        if timed
        else day,
        f"CASE WHEN {day} IS NOT NULL THEN false WHEN {_timed(row)} "
        f"THEN regexp_matches({row}.text, '{_ZONE}') END"
        if timed
        else NONE,
    )


def _timed(row: str) -> str:
    return f"{row}.kind IN ('date', 'datetime')"


def constant(term: Name | Literal, code: int) -> Operand:
    """A term that the rule itself names."""
    whole = number = text = moment = kind = day = zoned = NONE
    only_whole, large = True, ""
    if isinstance(term, Literal):
        value = term.value
        if isinstance(value, bool):
            pass
        elif isinstance(value, int):
            if code < DATES:
                whole = f"{value}::BIGINT"
            else:
                only_whole, kind, large = False, "'int'", f"{value}::HUGEINT"
            number = f"{value}::DOUBLE"
        elif isinstance(value, float):
            only_whole, kind = False, "'float'"
            number = NONE if value != value else f"'{value!r}'::DOUBLE"
        elif isinstance(value, str):
            text, kind = quoted(value), quoted(term.kind)
        else:
            moment, day = f"TIMESTAMP '{universal(value)}'", f"DATE '{canonical(value)[:10]}'"
            if isinstance(value, datetime.datetime | ZonedDate):
                kind, zoned = quoted(term.kind), str(is_zoned(value)).lower()
    return Operand(str(code), whole, number, text, moment, kind, only_whole, large, day, zoned)


def computed_whole(whole: str) -> Operand:
    """The result of arithmetic on integers."""
    return Operand(f"integer_code({whole})", whole, f"({whole})::DOUBLE", NONE, NONE, NONE, True)


def computed_number(whole: str, number: str) -> Operand:
    """A result that is an integer where all its terms are, and a real number elsewhere."""
    number = f"NULLIF({number}, 'NaN'::DOUBLE)"
    either = f"COALESCE(({whole})::DOUBLE, {number})"
    code = (
        f"CASE WHEN ({whole}) IS NOT NULL THEN integer_code({whole}) ELSE float_code({number}) END"
    )
    kind = f"CASE WHEN ({whole}) IS NULL AND ({number}) IS NOT NULL THEN 'float' END"
    return Operand(code, whole, either, NONE, NONE, kind)


def computed_text(text: str) -> Operand:
    """A string that a built-in makes."""
    return Operand(f"literal_code('str', {text})", NONE, NONE, text, NONE, "'str'")


def has_kind(one: Operand, kind: str) -> str:
    """The condition that the term is of a kind that rules can ask for."""
    code = one.code
    whole = f"({code} < {DATES} OR {one.kind} = 'int')" if one.kind != NONE else f"{code} < {DATES}"
    tests = {
        "name": f"{code} >= 0 AND {code} < {LITERALS}",
        "integer": whole,
        "count": f"({one.number}) >= 0 AND {whole}",
        "number": f"({one.number}) IS NOT NULL",
        "boolean": f"{code} IN ({FALSE}, {TRUE})",
        "date": f"({code} >= {DATES} AND {code} < 0)"
        + (f" OR {one.kind} = 'date'" if one.kind != NONE else ""),
        "string": f"starts_with({one.kind}::VARCHAR, 'str')",
        "time": f"{one.kind} = 'datetime'",
    }
    return f"COALESCE({tests[kind]}, false)"


def quoted(text: str) -> str:
    """A string as an SQL literal."""
    return "'" + text.replace("'", "''").replace("\0", "") + "'"


LONGEST_TEXT = 1 << 20
"""Bytes of a text that a rule may make: one that doubles a text is stopped in twenty rounds."""

_ORDER = {
    "mrq:lessThan": "<",
    "mrq:lessThanOrEqualTo": "<=",
    "mrq:greaterThan": ">",
    "mrq:greaterThanOrEqualTo": ">=",
}
_MOMENTS = {"mrq:before": "<", "mrq:after": ">"}
_TEXTS = {
    "mrq:contains": "contains({0}, {1})",
    "mrq:startsWith": "starts_with({0}, {1})",
    "mrq:endsWith": "ends_with({0}, {1})",
    "mrq:matches": "regexp_matches({0}, {1})",
    "mrq:sameLetters": "{0} = {1}",
}


def holds(name: str, terms: Sequence[Operand], kind: str = "") -> str:
    """The condition of a built-in that computes nothing; never NULL."""
    if name in ("mrq:hasKind", "mrq:lacksKind"):
        found = has_kind(terms[0], kind)
        return found if name == "mrq:hasKind" else f"NOT {found}"
    first, second = terms
    if name in _ORDER:
        return _ordered(first, second, _ORDER[name])
    if name == "mrq:equalTo":
        return _equal(first, second)
    if name == "mrq:notEqualTo":
        return f"NOT {_equal(first, second)}"
    if name in _MOMENTS:
        return f"COALESCE({_moment_order(first, second)} {_MOMENTS[name]} 0, false)"
    if NONE in (first.text, second.text):
        return "false"
    texts = [first.text, second.text]
    if name == "mrq:sameLetters":
        texts = [_folded(text) for text in texts]
    made = _TEXTS[name].format(*texts)
    if name == "mrq:matches" and not second.text.startswith("'"):
        made = f"TRY({made})"  # The data's own expressions may be malformed: they match nothing.
    return f"COALESCE({made}, false)"


@cache
def _folds() -> str:
    """The characters that case folding turns into others than lower case does, as an SQL map."""
    every = (chr(index) for index in range(0x80, 0x11_0000) if not 0xD800 <= index < 0xE000)
    pairs = [(one, one.casefold()) for one in every if one.casefold() != one.lower()]
    return "MAP {" + ", ".join(f"{quoted(a)}: {quoted(b)}" for a, b in pairs) + "}"


def _folded(text: str) -> str:
    """A text with its case folded ("The Unicode Standard", section 3.13): "ß" as "SS"."""
    parts = f"list_transform(string_split({text}, ''), lambda c: COALESCE({_folds()}[c], lower(c)))"
    plain = f"regexp_full_match({text}, '[\\x00-\\x7F]*')"
    return f"CASE WHEN {plain} THEN lower({text}) ELSE array_to_string({parts}, '') END"


def compute(name: str, terms: Sequence[Operand]) -> tuple[Operand, str]:
    """The result of a built-in that computes, and the condition that it has one."""
    if name in _WHOLES:
        return _arithmetic(name, terms)
    if name == "mrq:quotient":
        numbers = [term.number for term in terms]
        result = computed_number("NULL::BIGINT", f"({numbers[0]}) / NULLIF({numbers[1]}, 0)")
        return result, f"({result.number}) IS NOT NULL"
    if name in ("mrq:lowerCase", "mrq:upperCase", "mrq:concatenation"):
        texts = [term.text for term in terms]
        if NONE in texts:
            return computed_text("NULL::VARCHAR"), "false"
        if name == "mrq:concatenation":
            return computed_text(f"({' || '.join(texts)})"), _can_join(texts)
        text = f"{'lower' if name == 'mrq:lowerCase' else 'upper'}({texts[0]})"
        return computed_text(text), f"{text} IS NOT NULL"
    whole = _PARTS[name](terms)
    return computed_whole(whole), f"({whole}) IS NOT NULL"


def _can_join(texts: Sequence[str]) -> str:
    """The condition that each is a text; too long a result is an error before it takes memory."""
    length = " + ".join(f"strlen({text})" for text in texts)
    message = f"a text that it makes is longer than {LONGEST_TEXT:,} bytes"
    known = " AND ".join(f"{text} IS NOT NULL" for text in dict.fromkeys(texts))
    refused = f"error({quoted(message)})::BOOLEAN"
    return f"CASE WHEN {length} > {LONGEST_TEXT} THEN {refused} ELSE {known} END"


def _ordered(first: Operand, second: Operand, sign: str) -> str:
    """Numbers, strings or moments; whole numbers and dates by their codes, which are exact."""
    whole = f"({first.code} {sign} {second.code} AND {_alike(first.code, second.code)})"
    timed = NONE not in (first.moment, second.moment) and (first.zoned, second.zoned) != (
        NONE,
        NONE,
    )
    if first.only_whole and second.only_whole and NONE in (first.kind, second.kind) and not timed:
        return whole
    parts = []
    if first.only_whole and second.only_whole:
        parts = [whole] if first.whole != NONE and second.whole != NONE else []
    else:
        parts.append(f"{_number_order(first, second)} {sign} 0")
    if NONE not in (first.text, second.text):
        parts.append(f"({first.text}) {sign} ({second.text})")
    parts.append(f"{_moment_order(first, second)} {sign} 0")
    return "(" + " OR ".join(f"COALESCE({part}, false)" for part in parts) + ")"


def _alike(first: str, second: str) -> str:
    return f"(({first} < {DATES} AND {second} < {DATES}) OR ({_date(first)} AND {_date(second)}))"


def _date(code: str) -> str:
    return f"({code} >= {DATES} AND {code} < 0)"


def _equal(first: Operand, second: Operand) -> str:
    parts = [f"{first.code} = {second.code}"]
    if not (first.only_whole and second.only_whole):
        parts.append(f"COALESCE({_number_order(first, second)} = 0, false)")
    if NONE not in (first.zoned, second.zoned):  # Without zones, equal ones have the same code.
        zoned = f"({first.zoned}) AND ({second.zoned}) AND {first.kind} = {second.kind}"
        parts.append(f"COALESCE({zoned} AND ({first.moment}) = ({second.moment}), false)")
    return f"({' OR '.join(parts)})"


def _number_order(first: Operand, second: Operand) -> str:
    """Below 0, 0 or above 0 as the first number is to the second; integers are never rounded."""
    terms = (
        part
        for operand in (first, second)
        for part in (operand.integer, f"({operand.number})::DOUBLE")
    )
    return f"number_order({', '.join(terms)})"


def _moment_order(first: Operand, second: Operand) -> str:
    """Below 0, 0 or above 0 as the first is before, at or after the second; NULL: undetermined."""
    if first.zoned == second.zoned == NONE:
        return f"real_order(({first.moment})::TIMESTAMP, ({second.moment})::TIMESTAMP)"
    terms = (
        part
        for operand in (first, second)
        for part in (
            f"({operand.moment})::TIMESTAMP",
            "false" if operand.zoned == NONE else operand.zoned,
        )
    )
    return f"moment_order({', '.join(terms)})"


def _days_between(first: Operand, second: Operand) -> str:
    """Counted in UTC where both have a zone; nothing where only one has."""
    days = f"date_diff('day', ({first.moment})::TIMESTAMP, ({second.moment})::TIMESTAMP)"
    if first.zoned == second.zoned == NONE:
        return days
    zones = [
        "false" if operand.zoned == NONE else f"({operand.zoned})" for operand in (first, second)
    ]
    return f"CASE WHEN {' = '.join(zones)} THEN {days} END"


def _arithmetic(name: str, terms: Sequence[Operand]) -> tuple[Operand, str]:
    large = any(term.large for term in terms)
    wholes = [f"({term.integer if large else term.whole})" for term in terms]
    whole = _WHOLES[name](wholes)
    guard = " AND ".join(f"{whole} IS NOT NULL" for whole in wholes)
    if all(term.only_whole for term in terms):
        return computed_whole(whole), f"{guard} AND ({whole}) IS NOT NULL"
    number = _NUMBERS[name]([f"({term.number})" for term in terms])
    exact = f"CASE WHEN {guard} THEN {whole} END"
    real = f"CASE WHEN NOT ({guard}) THEN {number} END"
    result = computed_number(exact, real)
    return result, f"({result.number}) IS NOT NULL"


_Maker = Callable[[Sequence[str]], str]

_SAME: dict[str, _Maker] = {
    "mrq:sum": lambda terms: f"({' + '.join(terms)})",
    "mrq:difference": lambda terms: f"({terms[0]} - {terms[1]})",
    "mrq:product": lambda terms: f"({' * '.join(terms)})",
    "mrq:absolute": lambda terms: f"abs({terms[0]})",
}


def _extreme(function: str, terms: Sequence[str]) -> str:
    """DuckDB's least and greatest skip NULLs, which would let a name pass for a number."""
    known = " AND ".join(f"{term} IS NOT NULL" for term in terms)
    return f"(CASE WHEN {known} THEN {function}({', '.join(terms)}) END)"


_EXTREMES: dict[str, _Maker] = {
    "mrq:minimum": lambda terms: _extreme("least", terms),
    "mrq:maximum": lambda terms: _extreme("greatest", terms),
}
_WHOLES: Mapping[str, _Maker] = {
    **_SAME,
    **_EXTREMES,
    "mrq:integerQuotient": lambda terms: (
        f"(CASE WHEN {terms[1]} <> 0 THEN ({terms[0]} - "
        f"((({terms[0]} % {terms[1]}) + {terms[1]}) % {terms[1]})) // {terms[1]} END)"
    ),
    "mrq:remainder": lambda terms: (
        f"(CASE WHEN {terms[1]} <> 0 THEN "
        f"(({terms[0]} % {terms[1]}) + {terms[1]}) % {terms[1]} END)"
    ),
}
_NUMBERS: Mapping[str, _Maker] = {
    **_SAME,
    **_EXTREMES,
    "mrq:integerQuotient": lambda terms: f"floor({terms[0]} / NULLIF({terms[1]}, 0))",
    "mrq:remainder": lambda terms: (
        f"({terms[0]} - {terms[1]} * floor({terms[0]} / NULLIF({terms[1]}, 0)))"
    ),
}
_PARTS: Mapping[str, Callable[[Sequence[Operand]], str]] = {
    "mrq:lengthOf": lambda terms: f"length({terms[0].text}::VARCHAR)",
    "mrq:yearOf": lambda terms: f"year(({terms[0].day})::TIMESTAMP)",
    "mrq:monthOf": lambda terms: f"month(({terms[0].day})::TIMESTAMP)",
    "mrq:dayOf": lambda terms: f"day(({terms[0].day})::TIMESTAMP)",
    "mrq:daysBetween": lambda terms: _days_between(terms[0], terms[1]),
}


# Conditions compiled to one SELECT; the order in which they are written does not matter.


LONGEST_SQL = 1 << 15
"""Characters of one computation. Each step repeats those before it."""


class Body:
    """A compiled conjunction: its tables, joins and conditions, and the code of each variable."""

    def __init__(self, store: Store, *, outer: Body | None = None, prefix: str = "a") -> None:
        self._store = store
        self._outer = outer
        self._prefix = prefix
        self._sources: list[str] = []
        self._joined: dict[str, str] = {}
        self._where: list[str] = []
        self._rows: dict[str, str] = {}
        self._results: dict[Variable, Operand] = dict(outer._results) if outer else {}
        self.codes: dict[Variable, str] = dict(outer.codes) if outer else {}
        """The SQL expression of each variable's code."""
        self.graph: str | None = outer.graph if outer else None
        """The SQL expression of the graph."""
        self.atoms: list[Pattern] = []
        """The patterns in the order of their tables."""
        self.computed: list[Operand] = []
        """Results that may be literals that no table holds yet."""

    def add(
        self, conditions: Iterable[Condition], settled: Collection[Pattern] = frozenset()
    ) -> None:
        """Compiles the conditions; the settled ones see no default's conclusion."""
        ordered = sorted(conditions, key=write_condition)
        builtins = builtins_of(ordered)
        counted = {
            term: builtin
            for builtin in builtins
            if builtin.name == SMALLEST
            for term in builtin.arguments
        }
        for pattern in patterns_of(ordered):
            if pattern.object not in counted:
                self._atom(pattern, settled=pattern in settled)
            elif pattern.object == counted[pattern.object].arguments[0]:
                self._smallest(pattern, counted[pattern.object].arguments)
        if self.graph is None:
            self._sources.append("(SELECT id AS g FROM graphs) AS every")
            self.graph = "every.g"
        self._builtins([builtin for builtin in builtins if builtin.name != SMALLEST])

    def deny(self, group: Sequence[Condition], settled: Collection[Pattern]) -> None:
        """Adds the condition that no choice of the group's own variables fulfils it."""
        inner = Body(self._store, outer=self, prefix=f"n{len(self._where)}_")
        inner.add(group, settled)
        if inner._sources:
            where = inner.conditions()
            self._where.append(f"NOT EXISTS (SELECT 1 FROM {inner.tables(where)}{where})")
        else:
            self._where.append(f"NOT ({' AND '.join(inner._where) or 'true'})")

    def tables(self, used: str) -> str:
        """What follows FROM: the patterns' tables, and those literals that the SQL uses."""
        joined = [join for alias, join in self._joined.items() if f"{alias}." in used]
        return " ".join([" CROSS JOIN ".join(self._sources), *joined])

    def aliases(self) -> list[str]:
        """The aliases of the patterns' tables."""
        return [f"{self._prefix}{index}" for index in range(len(self.atoms))]

    def conditions(self, rounds: Mapping[int, str] | None = None) -> str:
        """The WHERE clause, with what limits single atoms to certain rounds."""
        limits = [f"{self._prefix}{at}.round {limit}" for at, limit in (rounds or {}).items()]
        every = self._where + limits
        return f" WHERE {' AND '.join(every)}" if every else ""

    def _atom(self, pattern: Pattern, *, settled: bool) -> None:
        alias = f"{self._prefix}{len(self._sources)}"
        if isinstance(pattern.predicate, Name):
            self._sources.append(f"{self._store.table(pattern.predicate.text)} AS {alias}")
        else:
            self._store.table("type")  # So that there is a table even where nothing is asserted.
            self._sources.append(f"({every_statement(self._store)}) AS {alias}")
            self._match(pattern.predicate, f"{alias}.p")
        self.atoms.append(pattern)
        if self.graph is None:
            self.graph = f"{alias}.g"
        else:
            self._where.append(f"{alias}.g = {self.graph}")
        if settled:
            self._where.append(f"NOT {alias}.assumed")
        self._match(pattern.subject, f"{alias}.s")
        self._match(pattern.object, f"{alias}.o")

    def _smallest(self, pattern: Pattern, values: Sequence[Term]) -> None:
        """The first values of each subject that has so many, found without comparing pairs."""
        alias = f"{self._prefix}{len(self._sources)}"
        table = self._store.table(pattern.property_name)
        columns = ", ".join(f"least[{index}] AS o{index}" for index in range(1, len(values) + 1))
        self._sources.append(
            f"(SELECT g, s, {columns} FROM (SELECT g, s, min(o, {len(values)}) AS least "
            f"FROM {table} GROUP BY g, s HAVING count(*) >= {len(values)})) AS {alias}"
        )
        if self.graph is None:
            self.graph = f"{alias}.g"
        else:
            self._where.append(f"{alias}.g = {self.graph}")
        self._match(pattern.subject, f"{alias}.s")
        for index, term in enumerate(values, 1):
            self._match(term, f"{alias}.o{index}")

    def _match(self, term: Term, column: str) -> None:
        if not isinstance(term, Variable):
            self._where.append(f"{column} = {self._store.code(term)}")
        elif term in self.codes:
            self._where.append(f"{column} = {self.codes[term]}")
        else:
            self.codes[term] = column

    def _builtins(self, builtins: Sequence[Builtin]) -> None:
        for (
            builtin
        ) in builtins:  # Constants first: they may bring kinds that variables must look up.
            for term in builtin.arguments:
                if not isinstance(term, Variable) and not builtin.name.endswith("Kind"):
                    self._store.code(term)
        waiting = list(builtins)
        while waiting:
            ready = [
                builtin for builtin in waiting if all(each in self.codes for each in needs(builtin))
            ]
            for builtin in ready:
                self._builtin(builtin)
            waiting = [builtin for builtin in waiting if builtin not in ready]

    def _builtin(self, builtin: Builtin) -> None:
        terms = builtin.arguments
        if builtin.name == ORDERED:
            codes = [self._operand(term).code for term in terms]
            self._where.extend(f"{low} < {high}" for low, high in pairwise(codes))
        elif builtin.name.endswith("Kind"):
            self._where.append(holds(builtin.name, [self._operand(terms[0])], written(terms[1])))
        elif not MEANINGS[builtin.name].computes:
            self._where.append(holds(builtin.name, [self._operand(term) for term in terms]))
        else:
            result, exists = compute(builtin.name, [self._operand(term) for term in terms[1:]])
            first = terms[0]
            if max(map(len, (result.code, result.text, result.number))) > LONGEST_SQL:
                raise DataError(
                    f"{written(first)} is computed from computed values in too many steps; "
                    "split the conditions over several rules"
                )
            self._where.append(exists)
            if isinstance(first, Variable) and first not in self.codes:
                self.codes[first] = result.code
                self._results[first] = result
                if result.kind != NONE:
                    self.computed.append(result)
            else:
                self._where.append(holds("mrq:equalTo", [result, self._operand(first)]))

    def _operand(self, term: Term) -> Operand:
        if not isinstance(term, Variable):
            return constant(ground(term), self._store.code(term))
        if term in self._results:
            return self._results[term]
        code = self.codes[term]
        return stored(code, lambda: self._look_up(code), self._store.kinds)

    def _look_up(self, column: str) -> str:
        """The alias of the row of ``literals`` behind a column, joined in where that is from."""
        if self._outer is not None and column in self._outer.codes.values():
            return self._outer._look_up(column)
        if column not in self._rows:
            alias = self._rows[column] = f"{self._prefix}l{len(self._rows)}"
            self._joined[alias] = f"LEFT JOIN literals AS {alias} ON {alias}.id = {column}"
        return self._rows[column]


def every_statement(store: Store) -> str:
    """A SELECT over the tables of all properties, with the property's code as p."""
    parts = [
        f"SELECT {store.code(Name(predicate))}::BIGINT AS p, * FROM {table}"
        for predicate, table in store.tables.items()
    ]
    return " UNION ALL ".join(parts)
