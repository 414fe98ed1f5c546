"""The page of derivations: passages marked where they are quoted, nothing taken for markup."""

from __future__ import annotations

from readmark.core.spans import Excerpt
from readmark.tasks.derivation_page import derivation_page
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.graphs import Statement, Support
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.terms import Literal, Name

TEXT = "<b>Otters</b> won & Herons lost."
RULE = parse_rules(
    '(:rule r :comment "<i>why</i>" :if (?a p ?b) (?b mrq:notEqualTo 3) :if-not (?a q ?c) '
    ":then (?a q ?b))"
).rules[0]


def leaf(*spans: tuple[int, int]) -> Derivation:
    excerpts = tuple(Excerpt("<doc>", start, end, TEXT[start:end]) for start, end in spans)
    return Derivation("g", Statement(Name("a"), Name("p"), Literal("<x>")), 0.5, Support(excerpts))


def body(page: str) -> str:
    return page[page.index("<body>") :]


def test_overlapping_excerpts_keep_their_places() -> None:
    page = body(derivation_page([leaf((3, 9), (0, 13), (5, 20))], {"<doc>": TEXT}))
    assert (
        '<a id="e1-1"></a><mark>&lt;b&gt;</mark><a id="e1-2"></a><mark>Ot</mark>'
        '<a id="e1-3"></a><mark>ters</mark><mark>&lt;/b&gt;</mark><mark> won &amp; </mark>'
    ) in page
    assert "<b>" not in page
    assert "<h3>&lt;doc&gt;</h3>" in page


def test_rules_conditions_and_denials_are_shown() -> None:
    below = leaf((3, 9))
    tree = Derivation(
        "g",
        Statement(Name("a"), Name("q"), Literal("<x>")),
        0.5,
        rule=RULE,
        antecedents=(below, below),
        computed=RULE.builtins,
        denied=RULE.negative,
    )
    page = body(derivation_page([tree], {}))
    assert "by r, a default" in page
    assert "<q>&lt;i&gt;why&lt;/i&gt;</q>" in page
    assert '<li class="held"><code>(?b mrq:notEqualTo 3)</code>' in page
    assert '<li class="denied"><code>(?a q ?c)</code>' in page
    assert page.count("<ul>") == page.count("</ul>")
    assert page.count("<li") == page.count("</li>")
    assert "No passage" in page


def test_a_deep_tree_needs_no_deep_stack() -> None:
    tree = leaf()
    for number in range(3000):
        statement = Statement(Name(f"n{number}"), Name("p"), Name("x"))
        tree = Derivation("g", statement, rule=RULE, antecedents=(tree,))
    assert derivation_page([tree], {}).count("<li>") == 3001


def test_nothing() -> None:
    assert "Nothing holds." in derivation_page([], {})
