"""Built-ins over every kind of value: tables worked by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import write_triple
from reasoning_files import derived, inferred

# Other literals elsewhere in a graph make the engine look values up.
MIXED = '(other p "text") (other p 0.25) (other p 2000-01-01T00:00:00)'


TESTS = [
    ("4", "lessThanOrEqualTo", "4", True),
    ("5", "lessThanOrEqualTo", "4", False),
    ("-5", "lessThan", "4", True),
    ("4", "greaterThan", "-4", True),
    ("4", "greaterThanOrEqualTo", "4", True),
    ("4", "lessThan", "4.5", True),
    ("4.5", "lessThan", "4", False),
    ("1e300", "greaterThan", "4", True),
    (str(10**30), "greaterThan", "4", True),
    ("9007199254740993", "greaterThan", "9007199254740992", True),
    ("12345678901234567890", "equalTo", "12345678901234567891", False),
    ("12345678901234567890", "equalTo", "12345678901234567890", True),
    ("12345678901234567890", "lessThan", "12345678901234567891", True),
    ("-12345678901234567891", "lessThan", "-12345678901234567890", True),
    ("9007199254740993", "equalTo", "9007199254740992.0", False),
    ("9007199254740993", "greaterThan", "9007199254740992.0", True),
    ("9007199254740992.0", "greaterThanOrEqualTo", "9007199254740993", False),
    ("9007199254740992", "equalTo", "9007199254740992.0", True),
    (str(10**30), "lessThan", "1e31", True),
    ("-4", "greaterThan", "-4.5", True),
    ("4", "lessThan", "INF", True),
    ("4", "lessThan", "-INF", False),
    ("4", "lessThan", "NaN", False),
    ("0.0", "equalTo", "-0.0", True),
    ("5", "equalTo", "5.0", True),
    ("5", "notEqualTo", "5.0", False),
    ("5", "notEqualTo", "6", True),
    ('"5"', "equalTo", "5", False),
    ("true", "equalTo", "1", False),
    ("true", "equalTo", "true", True),
    ("Otters", "equalTo", "Otters", True),
    ("Otters", "notEqualTo", "Herons", True),
    ("Otters", "lessThan", "Zebras", False),
    ('"abc"', "lessThan", '"abd"', True),
    ('"abc"', "lessThan", "5", False),
    ("5", "lessThan", '"abc"', False),
    ("2009-11-15", "lessThan", "2010-01-01", True),
    ("2009-11-15", "before", "2010-01-01", True),
    ("2009-11-15", "after", "2010-01-01", False),
    ("2009-11-15", "lessThan", "5", False),
    ("2009-11-15", "before", "2009-11-15T12:00:00", True),
    ("2009-11-15T12:00:00Z", "before", "2009-11-15T12:30:00+01:00", False),
    ("2009-11-15T12:00:00Z", "after", "2009-11-15T12:30:00+01:00", True),
    ('"overtime win"', "contains", '"time"', True),
    ('"overtime win"', "startsWith", '"over"', True),
    ('"overtime win"', "endsWith", '"win"', True),
    ('"overtime win"', "endsWith", '"over"', False),
    ('"overtime win"', "matches", '"o.e[r]t"', True),
    ('"OverTime"', "sameLetters", '"oVERtIME"', True),
    ('"Straße"', "sameLetters", '"STRASSE"', True),
    ('"ΣΑΣ"', "sameLetters", '"σας"', True),
    ('"É"', "sameLetters", '"é"', True),
    ('"é"', "sameLetters", '"e"', False),
    ("5", "contains", '"5"', False),
    ('"it\'s"', "contains", '"\'"', True),
    ("5", "hasKind", "integer", True),
    ("5", "hasKind", "count", True),
    ("-5", "hasKind", "count", False),
    ("-5", "lacksKind", "count", True),
    ("5.5", "hasKind", "integer", False),
    ("5.5", "hasKind", "number", True),
    (str(10**30), "hasKind", "count", True),
    ("true", "hasKind", "boolean", True),
    ("1", "hasKind", "boolean", False),
    ('"x"', "hasKind", "string", True),
    ("x", "hasKind", "string", False),
    ("x", "hasKind", "name", True),
    ("2009-11-15", "hasKind", "date", True),
    ("2009-11-15", "hasKind", "time", False),
    ("2009-11-15T12:00:00", "hasKind", "time", True),
    ("2009-11-15", "hasKind", "number", False),
]
COMPUTATIONS = [
    ("sum 2 3", "5"),
    ("sum 2 3 4", "9"),
    ("sum 2 0.5", "2.5"),
    ("difference 2 3", "-1"),
    ("product 6 7", "42"),
    ("product 0.5 4", "2.0"),
    ("quotient 1 4", "0.25"),
    ("quotient 4 2", "2.0"),
    ("quotient 4 0", None),
    ("integerQuotient 7 2", "3"),
    ("integerQuotient -7 2", "-4"),
    ("integerQuotient 7 0", None),
    ("integerQuotient 7.5 2", "3.0"),
    ("remainder 7 3", "1"),
    ("remainder -7 3", "2"),
    ("remainder 7 -3", "-2"),
    ("minimum 3 1 2", "1"),
    ("maximum 3 1.5", "3.0"),
    ("maximum 3 name", None),
    ("absolute -3", "3"),
    ("minimum INF 5", "5.0"),
    ("maximum -INF 5", "5.0"),
    ("sum INF -INF", None),
    ("product INF 0", None),
    ("quotient INF INF", None),
    ("remainder INF 2", None),
    ("sum -0.0 0.0", "0.0"),
    ("product -1.0 0.0", "-0.0"),
    ("sum 2 name", None),
    ('sum 2 "3"', None),
    ('lengthOf "né中"', "3"),
    ('lowerCase "AbC"', '"abc"'),
    ('upperCase "AbC"', '"ABC"'),
    ('concatenation "a" "-" "b"', '"a-b"'),
    ('concatenation "a" 5', None),
    ("lengthOf 5", None),
    ("yearOf 2009-11-15", "2009"),
    ("monthOf 2009-11-15T10:00:00", "11"),
    ("dayOf 2009-11-15", "15"),
    ("yearOf 2009", None),
    ("daysBetween 2009-11-15 2009-12-01", "16"),
]


def plain(*terms: str) -> bool:
    """Whether no term must be looked up: integers, dates, truth values and names only."""
    return all(re.fullmatch(r"-?\d{1,17}|\d+-\d+-\d+|(?!INF|NaN)[a-zA-Z]+", term) for term in terms)


EVERY_TEST = [
    *(pytest.param(test, MIXED, id=f"{' '.join(map(str, test))}-mixed") for test in TESTS),
    *(
        pytest.param(test, "", id=f"{' '.join(map(str, test))}-plain")
        for test in TESTS
        if plain(test[0], test[2])
    ),
]
EVERY_COMPUTATION = [
    *(pytest.param(case, MIXED, id=f"{case[0]}-mixed") for case in COMPUTATIONS),
    *(
        pytest.param(case, "", id=f"{case[0]}-plain")
        for case in COMPUTATIONS
        if plain(*case[0].split()) and not case[0].startswith("quotient")
    ),
]


@cache
def together(rules: Sequence[str], graphs: Sequence[str]) -> list[set[str]]:
    """What rule n derives from graph n, all in one inference; rule n concludes under n."""
    with inferred("\n".join(rules), *graphs) as inference:
        assert bool(inference.store.kinds) == any(MIXED in graph for graph in graphs)
        triples: list[set[str]] = [set() for _ in graphs]
        for each in inference.derived():
            number = each.statement.predicate.text.partition("-")[2]
            if each.graph == f"g{number}":
                triples[int(number)].add(write_triple(each.statement).replace(f"-{number} ", " "))
    return triples


@pytest.mark.parametrize(("case", "also"), EVERY_TEST)
def test_tests(case: tuple[str, str, str, bool], also: str) -> None:
    cases = [test for test in TESTS if also or plain(test[0], test[2])]
    constants = tuple(
        f"(:if (a p ?x) (?x mrq:{test} {second}) :then (a holds-{at} true))"
        for at, (_, test, second, _) in enumerate(cases)
    )
    variables = tuple(
        f"(:if (a p ?x) (a q ?y) (?x mrq:{test} ?y) :then (a holds-{at} true))"
        for at, (_, test, _, _) in enumerate(cases)
        if "Kind" not in test
    )
    graphs = tuple(f"((a p {first}) (a q {second}) {also})" for first, _, second, _ in cases)
    expected = {"(a holds true)"} if case[3] else set()
    assert together(constants, graphs)[cases.index(case)] == expected
    if "Kind" not in case[1]:
        assert together(variables, graphs)[cases.index(case)] == expected


@pytest.mark.parametrize(("case", "also"), EVERY_COMPUTATION)
def test_computations(case: tuple[str, str | None], also: str) -> None:
    whole = [case for case in COMPUTATIONS if not case[0].startswith("quotient")]
    cases = COMPUTATIONS if also else [case for case in whole if plain(*case[0].split())]
    constants, variables, graphs = [], [], []
    for at, (computation, _) in enumerate(cases):
        name, *terms = computation.split()
        named = " ".join(f"?x{place}" for place in range(len(terms)))
        reads = " ".join(f"(a q{place} ?x{place})" for place in range(len(terms)))
        triples = " ".join(f"(a q{place} {term})" for place, term in enumerate(terms))
        variables.append(f"(:if {reads} (?r mrq:{name} {named}) :then (a is-{at} ?r))")
        constants.append(f"(:if (a q0 ?x) (?r mrq:{name} {' '.join(terms)}) :then (a is-{at} ?r))")
        graphs.append(f"({triples} {also})")
    result = case[1]
    expected = set() if result is None else {f"(a is {result})"}
    assert together(tuple(variables), tuple(graphs))[cases.index(case)] == expected
    assert together(tuple(constants), tuple(graphs))[cases.index(case)] == expected


@pytest.mark.parametrize(
    ("computation", "result"),
    [
        ("difference 12345678901234567891 12345678901234567890", "1"),
        ("minimum 12345678901234567891 3", "3"),
        ("remainder 12345678901234567891 10", "1"),
        ("integerQuotient -12345678901234567891 12345678901234567890", "-2"),
    ],
)
def test_large_integers_are_computed_with_exactly(computation: str, result: str) -> None:
    name, first, second = computation.split()
    rules = f"(:if (a p ?x) (a q ?y) (?r mrq:{name} ?x ?y) :then (a is ?r))"
    assert derived(rules, f"((a p {first}) (a q {second}))") == {f"(a is {result})"}


def test_a_computed_integer_that_is_too_large_is_told() -> None:
    with pytest.raises(DataError, match=r"rule-1: .*an integer beyond 1152921504606846976"):
        derived("(:if (a p ?x) (?r mrq:sum ?x 1) :then (a is ?r))", "((a p 12345678901234567890))")


def test_a_result_that_is_known_is_compared() -> None:
    rules = "(:if (?g points ?n) (?g half ?h) (?n mrq:product ?h 2) :then (?g even true))"
    assert derived(
        rules, "((a points 6) (a half 3) (b points 6.0) (b half 3) (c points 5) (c half 3))"
    ) == {
        "(a even true)",
        "(b even true)",
    }


def test_results_feed_one_another_in_any_order() -> None:
    rules = """(:if (?z mrq:greaterThan 3.5) (?z mrq:quotient ?y 2) (?y mrq:sum ?x 1) (a p ?x)
     :then (a is ?z))"""
    assert derived(rules, "((a p 7))") == {"(a is 4.0)"}
    assert derived(rules, "((a p 5))") == set()


def test_a_computed_value_is_the_same_term_as_an_asserted_one() -> None:
    rules = """(:if (a p ?x) (?y mrq:quotient ?x 2) :then (a half ?y))
    (:if (a half ?y) (b half ?y) :then (a same b))"""
    assert "(a same b)" in derived(rules, "((a p 5) (b half 2.5))")
    assert "(a same b)" not in derived(rules, "((a p 5) (b half 2.25))")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("NaN", set()),
        ("INF", {"(a big true)"}),
        ("-INF", {"(a small true)"}),
        ("0001-01-01T00:00:00+05:00", set()),
        ('"("', set()),
        ('"b"', {'(a fits "b")'}),
    ],
)
def test_odd_values_are_kept_and_harm_nothing(value: str, expected: set[str]) -> None:
    rules = """(:if (a p ?x) (?x mrq:greaterThan 1) :then (a big true))
    (:if (a p ?x) (?x mrq:lessThan 1) :then (a small true))
    (:if (a p ?x) ("abc" mrq:matches ?x) :then (a fits ?x))
    (:if (a p ?x) :then (a kept ?x))"""
    assert derived(rules, f"((a p {value}))") == expected | {f"(a kept {value})"}


def test_a_malformed_expression_of_a_rule_is_its_fault() -> None:
    rules = '(:rule odd :if (a p ?x) (?x mrq:matches "(") :then (a fits ?x))'
    with pytest.raises(DataError, match=r"^1:41: odd: .*missing \)"):
        inferred(rules, '((a p "x"))')


def test_a_lone_surrogate_is_told_in_one_line() -> None:
    with pytest.raises(DataError, match=r"^1:7: half of a surrogate pair"):
        inferred("", '((a p "\ud800"))')
