"""Rule files: what they say, where they are wrong, and that they can be written again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import Pattern, write_graph
from readmark.tasks.reasoning.rules.parser import parse_query, parse_rules
from readmark.tasks.reasoning.rules.values import Builtin, Rule, Theory, write_condition
from readmark.tasks.reasoning.terms import Literal, Name, Variable, written
from reasoning_files import OVERTIME


def test_table_3() -> None:
    theory = parse_rules(OVERTIME, "nfl.dsrs")
    first, second = theory.rules
    g = Variable("g")
    assert theory.name == "NFLScoringTheory"
    assert first.positive == (Pattern(g, Name("hasOvertimePlay"), Literal(True)),)
    assert first.negative == ((Pattern(g, Name("numberOfPeriods"), Variable("n")),),)
    assert first.head == (Pattern(g, Name("numberOfPeriods"), Literal(5)),)
    assert (first.contradicts, first.line, first.assumes) == (None, 3, True)
    assert second.contradicts == "NFLScoringTheory"
    assert second.builtins == (Builtin("mrq:lessThanOrEqualTo", (Variable("N"), Literal(4))),)
    assert len(second.positive) == 2
    assert not second.assumes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(:if (?a p ?b) :then (?a q ?c))", "f:1:28: rule-1: ?c is used only in :then"),
        (
            "(:if (?a p ?b) :then (?a q ?b)",
            "f:1:31: expected '(', ')', :if, :if-not, :then, found the end",
        ),
        (
            "(:if (?a p ?b)\n (?c mrq:lessThan 4) :then (?a q ?b))",
            "f:2:3: rule-1: ?c has no value when mrq:lessThan needs it",
        ),
        (
            "(:if (?a p ?b) :if-not (?a q ?c) (?d mrq:lessThan ?c) :then (?a r 1))",
            "f:1:35: rule-1: ?d has no value when mrq:lessThan needs it",
        ),
        (
            "(:if (?a p ?b) (?b mrq:lessThan ?c) :then (?a q ?b))",
            "f:1:33: rule-1: ?c has no value when mrq:lessThan needs it",
        ),
        (
            "(:if (?a p ?b) (?n mrq:sum ?b ?m) (?m mrq:sum ?b ?z) :then (?a q ?n))",
            "f:1:50: rule-1: ?z has no value when mrq:sum needs it",
        ),
        (
            "(:if (?a p ?b) (?n mrq:sum ?b ?m) (?m mrq:sum ?b ?n) :then (?a q ?n))",
            "f:1:31: rule-1: ?m has no value when mrq:sum needs it",
        ),
        ("(:if (?a p) :then (a b c))", "f:1:6: a triple holds three terms, this one 2"),
        (
            "(:if (?a ?p ?c) :then (a b c))",
            "f:1:10: rule-1: ?p is in the place of a property",
        ),
        ("(:if (4 p ?c) :then (a b c))", "f:1:7: rule-1: a literal is no subject"),
        (
            "(:if (?a mrq:less 4) :then (a b c))",
            "f:1:10: rule-1: no built-in is called mrq:less: did you mean mrq:lessThan?",
        ),
        (
            "(:if (?a p ?b) (?b mrq:lessThan 4 5) :then (a b c))",
            "f:1:20: rule-1: mrq:lessThan takes 2 terms, not 3",
        ),
        ('(:then (a b "c))', "f:1:13: a string is never closed"),
        ("(:iffy (a b c))", "f:1:2: expected :if, :if-not, :then, found ':iffy'"),
        ("(:if (a b c))", "f:1: a rule needs :then"),
        ("(:if (a b c) :if (a b d) :then (a b e))", "f:1:14: :if a second time"),
        ("(:probability 2 :then (a b c))", "f:1:15: a probability is above 0 and at most 1, not 2"),
        (
            "(:probability true :then (a b c))",
            "f:1:15: a probability is above 0 and at most 1, not true",
        ),
        ("foo", "f:1:1: expected '(', found 'foo'"),
        (
            '(:if (?a p ?b)\n (?b mrq:matches "[") :then (?a q ?b))',
            'f:2:18: rule-1: "[" is no expression: missing ]: [',
        ),
        ("(:theory A)\n (:theory B)", "f:2:2: a second :theory; the first is on line 1"),
        ("(:then (a mrq:sum 3 4))", "f:1:11: a built-in cannot be concluded"),
        (
            "(:if (?a p ?b) :then (?b contradicts T) (a b c))",
            "f:1:26: rule-1: a contradiction is a rule's only conclusion",
        ),
        (
            "(:if (?a contradicts ?b) :then (a b c))",
            "f:1:10: rule-1: contradicts can only be concluded",
        ),
        (
            "(:rule a :then (a b c))\n(:rule a :then (a b c))",
            "f:2: a is already the rule of line 1",
        ),
        (
            "(:if (?a p 2009-13-01) :then (a b c))",
            "f:1:12: 2009-13-01 is no value: month must be in 1..12",
        ),
        (
            "(:if (?a p ?b) (?b mrq:hasKind colour) :then (a b c))",
            "f:1:32: rule-1: mrq:hasKind knows the kinds name, string, number, integer, count, "
            "boolean, date, time",
        ),
    ],
)
def test_errors_have_a_place(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_rules(text, "f")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "(:if (?a p ?b) :if-not (?a q ?b) :then (?a r ?b))(:if (?a r ?b) :then (?a q ?b))",
            "rule-1 concludes r; rule-2 needs r; rule-2 concludes q; rule-1 denies q",
        ),
        (
            "(:if (?a p ?b) :if-not (?a q ?b) :then (?a r ?b))"
            "(:if (?a p ?b) :if-not (?a r ?b) :then (?a q ?b))",
            "rule-1 concludes r; rule-2 denies r; rule-2 concludes q; rule-1 denies q",
        ),
        (
            "(:if (?x p ?y) :if-not (?x q ?z) :then (?x q 1))"
            "(:if (?x q ?z) (?z r ?w) :then (?x q ?w))",
            "rule-1 concludes q; rule-2 needs q; rule-2 concludes q; rule-1 denies q",
        ),
        (
            "(:if (?x type A) :if-not (?x type B) :then (?x type C))"
            "(:if (?x type C) :then (?x type B))",
            "rule-1 concludes type C; rule-2 needs type C; rule-2 concludes type B; "
            "rule-1 denies type B",
        ),
    ],
)
def test_cyclic_negation_is_rejected_with_its_cycle(text: str, steps: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_rules(text, "f")
    assert str(caught.value) == f"f:1: the rules cannot be stratified: {steps}"


def test_classes_are_told_apart() -> None:
    theory = parse_rules("(:if (?x type A) :if-not (?x type B) :then (?x type C))")
    assert not theory.rules[0].assumes


def test_a_default_denies_any_other_value() -> None:
    (rule,) = parse_rules(
        "(:default :if (?other p ?y) :if-not (?other q ?z) :then (?other q 1) (?other r ?y))"
    ).rules
    assert [write_graph(group) for group in rule.groups()] == [
        "((?other q ?z))",
        "((?other r ?other2))",
    ]
    assert rule.assumes


def test_a_query_may_compute_and_leave_the_property_open() -> None:
    query = parse_query("((?s ?p ?n) (?m mrq:sum ?n 1 2))")
    assert query[1] == Builtin("mrq:sum", (Variable("m"), Variable("n"), Literal(1), Literal(2)))
    assert len(parse_query("(a b ?c)")) == 1
    with pytest.raises(DataError, match="q:1:1: a query holds a triple or more"):
        parse_query("()", "q")
    with pytest.raises(DataError, match="q:2:1: \\?m has no value when mrq:lessThan needs it"):
        parse_query("((?s p ?n) (\n?m mrq:lessThan 2))", "q")


WORDS = st.text("abcXYZ019-_.:é中", min_size=1, max_size=6)
NAMES = st.one_of(WORDS.filter(lambda text: not text.startswith("mrq:")), st.text(max_size=5)).map(
    Name
)
LITERALS = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.dates(),
    st.datetimes(),
).map(Literal)
VARIABLES = st.sampled_from([Variable("x"), Variable("y"), Variable("long-name.2")])
PATTERNS = st.builds(
    Pattern,
    st.one_of(NAMES, VARIABLES),
    NAMES.filter(lambda name: name != Name("contradicts")),
    st.one_of(NAMES, LITERALS, VARIABLES),
)


@st.composite
def theories(draw: st.DrawFn) -> Theory:
    rules = []
    for number in range(draw(st.integers(0, 3))):
        # Every variable has a value, and what is concluded is read and denied nowhere.
        every = tuple(
            Pattern(variable, Name("has"), variable)
            for variable in (Variable("x"), Variable("y"), Variable("long-name.2"))
        )
        positive = every + tuple(draw(st.lists(PATTERNS, max_size=3)))
        negative = tuple(
            tuple(group)
            for group in draw(st.lists(st.lists(PATTERNS, min_size=1, max_size=2), max_size=2))
        )
        head = tuple(
            Pattern(pattern.subject, Name("concluded by all"), pattern.object)
            for pattern in draw(st.lists(PATTERNS, min_size=1, max_size=2))
        )
        rules.append(
            Rule(
                f"rule {number}",
                positive,
                negative,
                (Builtin("mrq:sum", (Variable("x"), Variable("y"), draw(LITERALS))),),
                head,
                probability=draw(st.sampled_from([1.0, 0.25])),
                comment=draw(st.text(max_size=10)),
            )
        )
    return Theory(draw(NAMES).text, tuple(rules))


def format_rules(theory: Theory) -> str:
    """The theory as a rule file: one condition a line."""
    return "\n\n".join([f"(:theory {written(Name(theory.name))})", *map(_formatted, theory.rules)])


def _formatted(rule: Rule) -> str:
    parts = [f":rule {written(Name(rule.name))}"]
    parts += [f":comment {json.dumps(rule.comment, ensure_ascii=False)}"] if rule.comment else []
    parts += [f":probability {written(Literal(rule.probability))}"] if rule.probability != 1 else []
    sections = [(":if", (*rule.positive, *rule.builtins))]
    sections += [*((":if-not", group) for group in rule.negative), (":then", rule.head)]
    parts += [f"{word} " + "\n  ".join(map(write_condition, group)) for word, group in sections]
    return "(" + "\n ".join(parts) + ")"


@given(theories())
def test_what_is_formatted_parses_back(theory: Theory) -> None:
    assert parse_rules(format_rules(theory)) == theory
