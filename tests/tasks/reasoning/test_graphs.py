"""Terms and the parenthesised notation: what is read, written, and refused with its place."""

import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import (
    Pattern,
    Statement,
    Support,
    read_graph,
    read_placed,
    read_statements,
    write_graph,
    write_triple,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, term_of, written

G, N = Variable("G"), Variable("N")


def test_the_query_of_the_document_is_read() -> None:
    assert read_graph("((?G type NFLGame)\n(?G numberOfPeriods ?N))") == [
        Pattern(G, Name("type"), Name("NFLGame")),
        Pattern(G, Name("numberOfPeriods"), N),
    ]


def test_its_statements_are_read_and_written() -> None:
    text = "((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))"
    statements = read_statements(text)
    assert statements == [
        Statement(Name("Game-1"), Name("type"), Name("NFLGame")),
        Statement(Name("Game-1"), Name("hasOvertimePlay"), Literal(True)),
    ]
    assert write_graph(statements) == text


@pytest.mark.parametrize(
    ("token", "term"),
    [
        ("Game-1", Name("Game-1")),
        ("nfl:gameDate", Name("nfl:gameDate")),
        ("<http://example.org/a#b>", Name("http://example.org/a#b")),
        ("<a\\u0020b>", Name("a b")),
        ("?G", G),
        ("true", Literal(True)),
        ("5", Literal(5)),
        ("-5", Literal(-5)),
        ("5.0", Literal(5.0)),
        ("1e3", Literal(1000.0)),
        ("INF", Literal(math.inf)),
        ('"5"', Literal("5")),
        ('"a \\"b\\" \\u00e9"', Literal('a "b" é')),
        ("2009-11-08", Literal(datetime.date(2009, 11, 8))),
        ("2009-11-08T13:00:00", Literal(datetime.datetime(2009, 11, 8, 13))),
        ('"chat"@fr', Literal("chat", "fr")),
        ("49ers", Name("49ers")),
        ("3rd-quarter", Name("3rd-quarter")),
    ],
)
def test_tokens_are_terms(token: str, term: Term) -> None:
    assert term_of(token) == term
    assert term_of(written(term)) == term


def test_literals_are_equal_by_type_and_value() -> None:
    assert Literal(True) != Literal(1)
    assert Literal(5) != Literal(5.0)
    assert Literal("5") != Literal(5)
    assert Literal(math.nan) == Literal(math.nan)
    assert len({Literal(1), Literal(True), Literal(1.0), Literal("1")}) == 4
    assert Literal(datetime.date(2009, 1, 1)) != Literal(datetime.datetime(2009, 1, 1))
    assert sorted([Literal("b"), Literal(2), Literal("a")]) == [
        Literal(2),
        Literal("a"),
        Literal("b"),
    ]


terms: st.SearchStrategy[Term] = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1).map(Name),
    st.from_regex(r"[A-Za-z0-9_.-]+", fullmatch=True).map(Variable),
    st.one_of(
        st.booleans(),
        st.integers(1 - 2**126, 2**126 - 1),
        st.floats(),
        st.text(st.characters(codec="utf-8")),
        st.dates(),
        st.datetimes(),
    ).map(Literal),
)


@given(st.lists(st.builds(Pattern, terms, terms, terms), min_size=1))
def test_any_graph_is_read_back_as_it_was_written(patterns: list[Pattern]) -> None:
    assert read_graph(write_graph(patterns)) == patterns


def test_a_lone_triple_is_a_graph_of_one() -> None:
    [pattern] = read_graph("(Game-1 numberOfPeriods 5)")
    assert write_triple(pattern) == "(Game-1 numberOfPeriods 5)"


def test_an_empty_graph_holds_nothing() -> None:
    assert read_graph("()") == []
    assert write_graph([]) == "()"


def test_comments_and_lines() -> None:
    text = "; what was read\n((Game-1 type NFLGame) ; the game\n\n (Game-1\n numberOfPeriods 5))"
    assert [line for line, _ in read_placed(text)] == [2, 4]


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("", "1:1", "expected a graph, found nothing"),
        ("  ; only words", "1:15", "found nothing"),
        ("((a b c)", "1:1", "'(' is never closed"),
        ("((a b c)\n (d e", "2:2", "'(' is never closed"),
        ("(a b c))", "1:8", "a graph ends before ')'"),
        (")", "1:1", "')' without '('"),
        ("a b c", "1:1", "expected '(', found 'a'"),
        ("((a b c) d)", "1:10", "expected '(', found 'd'"),
        ("((a b))", "1:2", "three terms, this one 2"),
        ("((a b c d))", "1:2", "three terms, this one 4"),
        ("((a b (c)))", "1:7", "three terms, not a list"),
        ("(((a b c)))", "1:3", "three terms, not a list"),
        ('((a b "c))', "1:7", "a string is never closed"),
        ('((a b "\\x"))', "1:7", "is no string"),
        ("((a b 2009-13-01))", "1:7", "is no value"),
        ("((a b 2009-11-15T13))", "1:7", "is no value"),
        ("((a b 2009-11-15T13:00:00.1234567))", "1:7", "only microseconds are kept"),
        ("((a b 1e400))", "1:7", "beyond the greatest number"),
        (f"((a b {2**126}))", "1:7", "integers are below 2 to the power of 126"),
        ('((a b "\\ud800"))', "1:7", "half of a surrogate pair is no character"),
        ("((a b <x\\ud800>))", "1:7", "half of a surrogate pair is no character"),
        ("((a :if c))", "1:5", ":if belongs to rules"),
        ("((a b <c d>))", "1:7", "unexpected '<'"),
        ("((a b c))\n(d e f)", "2:1", "a graph ends before '('"),
    ],
)
def test_what_is_no_graph_is_told_with_its_place(text: str, where: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        read_graph(text, file="g.graph")
    assert str(caught.value).startswith(f"g.graph:{where}: ")
    assert words in caught.value.message


@pytest.mark.parametrize("text", ["(?G type Game)", "(a ?p c)", "(a b ?c)", '("a" b c)', "(a 5 c)"])
def test_a_statement_has_names_and_no_variable(text: str) -> None:
    with pytest.raises(DataError, match="is no statement"):
        read_statements(text)


def test_a_huge_number_is_refused_in_few_words() -> None:
    with pytest.raises(DataError) as caught:
        read_graph(f"(a b {'9' * 10_000})")
    assert len(str(caught.value)) < 200


def test_support_is_true_when_there_is_any() -> None:
    assert not Support()
    assert Support(predicate=((),))  # type: ignore[arg-type]
