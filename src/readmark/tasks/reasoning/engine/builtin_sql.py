"""The built-ins of rules as SQL over operands: tests are a condition, computations an operand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from readmark.tasks.reasoning.engine.codes import DATES
from readmark.tasks.reasoning.engine.operands import (
    NONE,
    Operand,
    computed_number,
    computed_text,
    computed_whole,
    has_kind,
    quoted,
)

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
        condition = has_kind(terms[0], kind)
        return condition if name == "mrq:hasKind" else f"NOT {condition}"
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
    condition = _TEXTS[name].format(*texts)
    if name == "mrq:matches" and not second.text.startswith("'"):
        # The parser has tried an expression that a rule names. One of the data may be malformed,
        # and matches nothing then.
        condition = f"TRY({condition})"
    return f"COALESCE({condition}, false)"


@cache
def _folds() -> str:
    """The characters that case folding turns into others than lower case does, as an SQL map."""
    characters = (chr(point) for point in range(0x80, 0x11_0000) if not 0xD800 <= point < 0xE000)
    pairs = (
        f"{quoted(character)}: {quoted(character.casefold())}"
        for character in characters
        if character.casefold() != character.lower()
    )
    return "MAP {" + ", ".join(pairs) + "}"


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
    are_texts = " AND ".join(f"{text} IS NOT NULL" for text in dict.fromkeys(texts))
    error = f"error({quoted(message)})::BOOLEAN"
    return f"CASE WHEN {length} > {LONGEST_TEXT} THEN {error} ELSE {are_texts} END"


def _ordered(first: Operand, second: Operand, sign: str) -> str:
    """Numbers, strings or moments; whole numbers and dates by their codes, which are exact."""
    # Codes of integers lie below those of dates, so the codes of one and the other say nothing.
    integers = f"{first.code} < {DATES} AND {second.code} < {DATES}"
    dates = f"{_is_date(first.code)} AND {_is_date(second.code)}"
    whole = f"({first.code} {sign} {second.code} AND (({integers}) OR ({dates})))"
    both_whole = first.only_whole and second.only_whole
    both_moments = NONE not in (first.moment, second.moment)
    either_zoned = first.zoned != NONE or second.zoned != NONE
    if both_whole and NONE in (first.kind, second.kind) and not (both_moments and either_zoned):
        return whole
    parts = []
    if both_whole:
        parts = [whole] if first.whole != NONE and second.whole != NONE else []
    else:
        parts.append(f"{_number_order(first, second)} {sign} 0")
    if NONE not in (first.text, second.text):
        parts.append(f"({first.text}) {sign} ({second.text})")
    parts.append(f"{_moment_order(first, second)} {sign} 0")
    return "(" + " OR ".join(f"COALESCE({part}, false)" for part in parts) + ")"


def _is_date(code: str) -> str:
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
    """In integers as long as all terms are; a term that may be a real number needs both ways."""
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


_Formula = Callable[[Sequence[str]], str]

_SAME_FOR_BOTH: dict[str, _Formula] = {
    "mrq:sum": lambda terms: f"({' + '.join(terms)})",
    "mrq:difference": lambda terms: f"({terms[0]} - {terms[1]})",
    "mrq:product": lambda terms: f"({' * '.join(terms)})",
    "mrq:absolute": lambda terms: f"abs({terms[0]})",
}


def _extreme(function: str, terms: Sequence[str]) -> str:
    """DuckDB's least and greatest skip NULLs, which would let a name pass for a number."""
    all_numbers = " AND ".join(f"{term} IS NOT NULL" for term in terms)
    return f"(CASE WHEN {all_numbers} THEN {function}({', '.join(terms)}) END)"


_EXTREMES: dict[str, _Formula] = {
    "mrq:minimum": lambda terms: _extreme("least", terms),
    "mrq:maximum": lambda terms: _extreme("greatest", terms),
}
# Quotient and remainder are those of floored division, as in Python: DuckDB's % has the sign of
# the dividend.
_WHOLES: Mapping[str, _Formula] = {
    **_SAME_FOR_BOTH,
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
_NUMBERS: Mapping[str, _Formula] = {
    **_SAME_FOR_BOTH,
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
