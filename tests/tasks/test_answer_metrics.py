"""Marks of answers to queries: facts and inferences apart, partial credit, judgements, people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from readmark.core.errors import UsageError
from readmark.core.records import Unit
from readmark.core.spans import Excerpt
from readmark.hooks import Metric
from readmark.marking.metrics import METRICS
from readmark.tasks.alignment import align
from readmark.tasks.kind import TASK
from readmark.tasks.records import Document, Query, QueryKey, Solution, Solutions

FACT = Solution(values={"g": "G1", "n": 5}, inferred=False)
GUESS = Solution(values={"g": "G1", "n": 4})
INFERRED = Solution(values={"g": "G2", "n": 6}, inferred=True)


def unit(
    *gold: Solution,
    rejected: tuple[Solution, ...] = (),
    beyond: tuple[Solution, ...] = (),
    annotation: str = "complete",
    variables: list[str] | None = None,
) -> Unit:
    key = QueryKey(solutions=gold, rejected=rejected, out_of_bounds=beyond, annotation=annotation)
    fields = {} if variables is None else {"variables": variables}
    query = Query(id="q", graph="((?g periods ?n))", fields=fields, key=key)
    document = Document(text="A game of five periods.", id="d", queries=(query,))
    return next(iter(TASK.units(document)))


def vector(name: str, one: Unit, *said: Solution, answered: bool = True) -> tuple[float, ...]:
    metric: Any = METRICS.build(name)[1]
    answer = Solutions(solutions=said) if answered else None
    return tuple(metric.statistics(one, TASK.references(one), answer))


def mark(name: str, *vectors: tuple[float, ...]) -> float:
    metric: Metric = METRICS.build(name)[1]
    return float(metric.aggregate(np.array(vectors).sum(axis=0)))


@pytest.mark.parametrize(
    ("said", "facts", "inferences", "answers"),
    [
        ((), (0, 0, 1, 0), (0, 0, 1, 0), (0, 0, 2, 0)),
        ((FACT,), (1, 1, 1, 0), (0, 0, 1, 0), (1, 1, 2, 0)),
        ((FACT, INFERRED), (1, 1, 1, 0), (1, 1, 1, 0), (2, 2, 2, 0)),
        # right answers are of the gold's sort, whatever they claim
        ((Solution(values=FACT.values, inferred=True),), (1, 1, 1, 0), (0, 0, 1, 0), (1, 1, 2, 0)),
        # and one that is not in the gold is no inference because it claims to be one
        ((GUESS,), (0, 1, 1, 1), (0, 0, 1, 0), (0, 1, 2, 1)),
        ((Solution(values=GUESS.values, inferred=True),), (0, 1, 1, 1), (0, 0, 1, 0), (0, 1, 2, 1)),
        # said twice is said once
        ((FACT, FACT, GUESS, GUESS), (1, 2, 1, 1), (0, 0, 1, 0), (1, 2, 2, 1)),
    ],
)
def test_vectors(
    said: tuple[Solution, ...],
    facts: tuple[float, ...],
    inferences: tuple[float, ...],
    answers: tuple[float, ...],
) -> None:
    """(credit, said, wanted, not judged)."""
    one = unit(FACT, INFERRED)
    assert vector("facts", one, *said) == facts
    assert vector("inferences", one, *said) == inferences
    assert vector("answers", one, *said) == answers


def test_an_unanswered_query_finds_nothing() -> None:
    one = unit(FACT, INFERRED)
    assert vector("answers", one, answered=False) == (0, 0, 2, 0)
    assert vector("provenance", one, answered=False) == (0, 0)
    assert vector("unjudged", one, answered=False) == (0, 0)


def test_what_needs_several_pieces_of_text_is_an_inference() -> None:
    def read(*places: tuple[int, int]) -> Solution:
        excerpts = tuple(Excerpt("d", start, end, "x") for start, end in places)
        return Solution(values=GUESS.values, excerpts=excerpts)

    for gold in (read((0, 6)), read((0, 6), (4, 9))):
        assert vector("facts", unit(gold), GUESS) == (1, 1, 1, 0)
        assert vector("inferences", unit(gold), GUESS) == (0, 0, 0, 0)
    several = unit(read((0, 6), (8, 9)))
    assert vector("facts", several, GUESS) == (0, 0, 0, 0)
    assert vector("inferences", several, GUESS) == (1, 1, 1, 0)


@pytest.mark.parametrize(
    ("annotation", "name", "expected"),
    [
        ("complete", "answers", (1, 2, 1, 1)),
        ("incomplete", "answers", (1, 1, 1, 1)),
        ("query-driven", "answers", (1, 1, 1, 1)),
        ("incomplete", "answers(unjudged=wrong)", (1, 2, 1, 1)),
        ("complete", "answers(unjudged=left_out)", (1, 1, 1, 1)),
    ],
)
def test_what_nobody_judged(annotation: str, name: str, expected: tuple[float, ...]) -> None:
    assert vector(name, unit(FACT, annotation=annotation), FACT, GUESS) == expected


def test_what_was_judged_besides_the_gold() -> None:
    wrong = unit(FACT, rejected=(GUESS,), annotation="incomplete")
    assert vector("answers", wrong, FACT, GUESS) == (1, 2, 1, 0)
    beyond = unit(FACT, beyond=(GUESS,))
    assert vector("answers", beyond, FACT, GUESS) == (1, 1, 1, 0)
    assert vector("unjudged", wrong, FACT, GUESS) == (0, 2)
    assert vector("unjudged", unit(FACT), FACT, GUESS) == (1, 2)
    metric: Any = METRICS.build("answers")[1]
    rows = np.array([vector("answers", unit(FACT), GUESS), vector("answers", wrong, FACT)])
    assert [metric.report(some).provisional for some in (rows, rows[1:])] == [1, 0]


def test_only_the_variables_asked_for_make_the_answer() -> None:
    """What ties a score to its game has no name that a reader could know."""

    def score(name: str, points: int) -> Solution:
        return Solution(values={"s": name, "t": "Jets", "n": points})

    one = unit(score("S1", 7), variables=["t", "n"])
    assert vector("answers", one, score("mine", 7)) == (1, 1, 1, 0)
    assert vector("answers", one, score("mine", 7), score("yours", 7)) == (1, 1, 1, 0)
    assert vector("answers", unit(score("S1", 7)), score("mine", 7)) == (0, 1, 1, 1)


def test_partial_credit_for_mentions() -> None:
    gold = Solution(values={"t": "Jets"}, mentions={"Jets": ("the Jets", "they", "New York")})
    ours = Solution(values={"t": "T1"}, mentions={"T1": ("The Jets",)})
    assert vector("answers", unit(gold), ours) == (pytest.approx(0.5), 1, 1, 0)
    assert vector("answers(mentions=any)", unit(gold), ours) == (1, 1, 1, 0)
    assert vector("answers(mentions=none)", unit(gold), ours) == (0, 1, 1, 1)


def test_an_answer_that_was_rejected_is_wrong_though_it_resembles_the_gold() -> None:
    gold = Solution(values={"t": "Jets"}, mentions={"Jets": ("the Jets", "New York")})
    giants = Solution(values={"t": "Giants"}, mentions={"Giants": ("New York",)})
    assert vector("answers", unit(gold), giants)[0] > 0
    assert vector("answers", unit(gold, rejected=(giants,)), giants) == (0, 1, 1, 0)
    assert vector("answers", unit(gold, beyond=(giants,)), giants) == (0, 0, 1, 0)


def test_measures_over_all_queries() -> None:
    """3 right of 4 said and 6 wanted."""
    vectors = [(2.0, 2.0, 3.0, 0.0), (1.0, 2.0, 3.0, 1.0), (0.0, 0.0, 0.0, 0.0)]
    assert mark("facts(measure=precision)", *vectors) == pytest.approx(3 / 4)
    assert mark("facts(measure=recall)", *vectors) == pytest.approx(3 / 6)
    assert mark("facts", *vectors) == pytest.approx(2 * 3 / (4 + 6))
    p, r = 3 / 4, 3 / 6
    for beta in (0.5, 2.0, 3.0):
        expected = (1 + beta**2) * p * r / (beta**2 * p + r)
        assert mark(f"facts(beta={beta:g})", *vectors) == pytest.approx(expected)
    assert np.isnan(mark("facts", vectors[2]))
    assert mark("facts", (0.0, 3.0, 0.0, 0.0)) == 0
    assert mark("facts", (0.0, 0.0, 3.0, 0.0)) == 0
    assert np.isnan(mark("facts(measure=precision)", (0.0, 0.0, 3.0, 0.0)))


def test_provenance() -> None:
    def read(start: int, end: int, n: int = 5) -> Solution:
        quote = "A game of five periods."[start:end]
        return Solution(values={"n": n}, excerpts=(Excerpt("d", start, end, quote),))

    bare = Solution(values={"n": 5})
    assert vector("provenance", unit(read(0, 4)), read(2, 6)) == (0.5, 1)
    assert vector("provenance", unit(read(0, 4)), bare) == (0, 1)
    assert vector("provenance", unit(bare), read(0, 4)) == (0, 0)
    assert vector("provenance", unit(read(0, 4)), read(0, 4, 6)) == (0, 0)


@pytest.mark.parametrize(
    ("excerpt", "credit"),
    [
        (Excerpt("d", 2, 6, "game"), 1.0),
        (Excerpt("d", 2, 6, "GAME"), 0.0),
        (Excerpt("d", 0, 6, "A name"), 0.0),
        (Excerpt("d", -5, 10_000_000, "game"), 0.0),
        (Excerpt("d", 6, 2, "game"), 0.0),
        (Excerpt("elsewhere", 2, 6, "game"), 0.0),
    ],
)
def test_an_excerpt_that_does_not_stand_there_gives_no_credit(
    excerpt: Excerpt, credit: float
) -> None:
    gold = Solution(values={"n": 5}, excerpts=(Excerpt("d", 2, 6, "game"),))
    ours = Solution(values={"n": 5}, excerpts=(excerpt,))
    assert vector("provenance", unit(gold), ours) == (credit, 1)


def test_names_that_stand_for_one_iri_are_one_entity() -> None:
    space = "http://example.org/"
    key = QueryKey(solutions=(Solution(values={"t": "Jets"}, inferred=False),))
    query = Query(id="q", graph="((?g winner ?t))", key=key)
    fields = {"namespaces": {"": space, "nfl": space}}
    document = Document(text="The Jets won.", id="d", queries=(query,), fields=fields)
    one = next(iter(TASK.units(document)))
    for name in ("Jets", f"<{space}Jets>", "nfl:Jets"):
        assert vector("answers", one, Solution(values={"t": name})) == (1, 1, 1, 0)
    both = [Solution(values={"t": name}) for name in ("nfl:Jets", f"<{space}Jets>")]
    assert vector("answers", one, *both) == (1, 1, 1, 0)
    assert vector("answers", one, Solution(values={"t": "<http://else.org/Jets>"}))[0] == 0


def test_numbers_go_by_their_value() -> None:
    one = unit(FACT)
    whole, broken = (Solution(values={"g": "G1", "n": n}) for n in (5, 5.0))
    assert vector("answers", one, whole, broken) == (1, 1, 1, 0)


@pytest.mark.parametrize(
    "name",
    ["facts(beta=0)", "facts(measure=g)", "facts(mentions=all)", "answers(unjudged=right)"],
)
def test_bad_parameters(name: str) -> None:
    with pytest.raises(UsageError):
        METRICS.build(name)


def test_several_metrics_judge_an_answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    aligned = []

    def counted(*args: Any, **options: Any) -> Any:
        aligned.append(args)
        return align(*args, **options)

    monkeypatch.setattr("readmark.tasks.judgement.align", counted)
    one = unit(FACT, INFERRED)
    references, answer = TASK.references(one), Solutions(solutions=(FACT, GUESS))
    first: Any = METRICS.build("facts")[1]
    first.statistics(one, references, answer)
    once = len(aligned)
    for name in ("inferences", "answers", "provenance", "unjudged"):
        metric: Any = METRICS.build(name)[1]
        metric.statistics(one, references, answer)
    assert len(aligned) == once > 0
