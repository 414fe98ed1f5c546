"""Random stratified programs and data: the derived set is Nemo's, by hash."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

import pytest

from installed import require
from oracles.nemo_rules import nemo_derives
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Statement
from readmark.tasks.reasoning.rules.values import Builtin, Rule, Theory
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable

require("nmo_python")

EDGES = ("e0", "e1", "e2")
DERIVED = ("d0", "d1", "d2", "d3", "d4")
X, Y, Z = map(Variable, "xyz")


def made_data(draw: random.Random) -> list[Asserted]:
    entities = [Name(f"n{number}") for number in range(draw.randint(3, 9))]
    stated = {}
    for graph in ("g0", "g1"):
        for _ in range(draw.randint(8, 30)):
            edge = Name(draw.choice(EDGES))
            stated[graph, Statement(draw.choice(entities), edge, draw.choice(entities))] = None
        for entity in entities:
            if draw.random() < 0.7:
                stated[graph, Statement(entity, Name("v"), Literal(draw.randint(-3, 6)))] = None
    return [Asserted(graph, statement) for graph, statement in stated]


def made_rule(draw: random.Random, name: str, level: int, place: int) -> Rule:
    """A rule that concludes a property of a level: reads up to it, denies only below it."""

    def term() -> Term:
        return draw.choice([X, X, Y, Y, Z, Name("n0")])

    readable = EDGES + DERIVED[: level + 1]
    deniable = EDGES + DERIVED[:level]
    positive = [Pattern(X, Name(draw.choice(EDGES)), Y)]
    for _ in range(draw.randint(0, 2)):
        positive.append(Pattern(term(), Name(draw.choice(readable)), term()))
    builtins = []
    head: Term = draw.choice([X, Y, Name("n1")])
    if draw.random() < 0.3:
        n, m = Variable("n"), Variable("m")
        positive += [Pattern(X, Name("v"), n), Pattern(Y, Name("v"), m)]
        sign = draw.choice(["lessThan", "lessThanOrEqualTo", "greaterThan", "notEqualTo"])
        builtins.append(Builtin(f"mrq:{sign}", (n, draw.choice([m, Literal(2)]))))
        if draw.random() < 0.5 and level == len(DERIVED) - 1:
            builtins.append(Builtin("mrq:sum", (Variable("total"), n, m)))
            head = Variable("total")
    negative = []
    for _ in range(draw.choice([0, 0, 1, 2])):
        inner = draw.choice([Y, Variable("w"), Name("n1")])
        negative.append((Pattern(X, Name(draw.choice(deniable)), inner),))
    return Rule(
        f"rule{place}",
        tuple(positive),
        tuple(negative),
        tuple(builtins),
        (Pattern(draw.choice([X, Y]), Name(DERIVED[level]), head),),
    )


def digest(rows: Iterable[tuple[str, ...]]) -> str:
    return hashlib.sha256(repr(sorted(rows)).encode()).hexdigest()


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("provenance", [True, False])
def test_random_programs(seed: int, provenance: bool) -> None:
    draw = random.Random(seed)
    data = made_data(draw)
    rules = [
        made_rule(draw, name, level, 3 * level + number)
        for level, name in enumerate(DERIVED)
        for number in range(draw.randint(1, 3))
    ]
    draw.shuffle(rules)
    with infer(data, Theory("Random", tuple(rules)), provenance=provenance) as inference:
        ours = {
            (
                each.graph,
                each.statement.predicate.text,
                each.statement.subject.text,
                _text(each.statement),
            )
            for each in inference.statements()
        }
    theirs = nemo_derives(rules, data)
    assert digest(ours) == digest(theirs), (ours - theirs, theirs - ours)


def _text(statement: Statement) -> str:
    value = statement.object
    return value.text if isinstance(value, Name) else value.lexical
