"""Answers set against the gold's, against all ways of pairing them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.alignment import align
from readmark.tasks.mention_classes import class_similarity
from readmark.tasks.records import Solution

Mentions = dict[str, tuple[str, ...]]


def said(mentions: Mentions | None = None, **values: str | int | float | bool) -> Solution:
    return Solution(values=dict(values), mentions=mentions or {})


JETS: Mentions = {"Jets": ("the Jets", "New York", "they")}


@pytest.mark.parametrize(
    ("ours", "theirs", "pairs"),
    [
        ([], [], []),
        ([said(n=5)], [], []),
        ([said(n=5)], [said(n=5)], [(0, 0, 1.0)]),
        ([said(n=5)], [said(n="5")], [(0, 0, 1.0)]),
        ([said(n=5.0)], [said(n=5)], [(0, 0, 1.0)]),
        ([said(n=True)], [said(n="true")], [(0, 0, 1.0)]),
        ([said(n=True)], [said(n=1)], []),
        ([said(n='"5"')], [said(n=5)], []),
        ([said(g="G", n=5), said(g="H", n=4)], [said(g="H", n=4), said(g="G", n=6)], [(1, 0, 1.0)]),
        # one to one
        ([said(n=5), said(n=5)], [said(n=5)], [(0, 0, 1.0)]),
        # the gold's variables count, and no others
        ([said(n=5, m=1)], [said(n=5)], [(0, 0, 1.0)]),
        ([said(n=5)], [said(n=5, m=1)], []),
        # equal names are the same, whatever the mentions
        ([said({"Jets": ("Gang Green",)}, t="Jets")], [said(JETS, t="Jets")], [(0, 0, 1.0)]),
        # 2 of 2 and 3 mentions: 2 * 2 / 5
        ([said({"T1": ("they", "the  JETS")}, t="T1")], [said(JETS, t="Jets")], [(0, 0, 0.8)]),
        ([said({"T1": ("Bills",)}, t="T1")], [said(JETS, t="Jets")], []),
        ([said(t="T1")], [said(JETS, t="Jets")], []),
        ([said(t="_:x")], [said(JETS, t="Jets")], []),
        # articles do not matter: 1 of 1 and 1
        ([said({"x": ("the impeller",)}, p="x")], [said({"I": ("impeller",)}, p="I")], [(0, 0, 1)]),
        ([said({"x": ("Otters",)}, t="x")], [said({"O": ("The Otters",)}, t="O")], [(0, 0, 1)]),
        # one that is described, not named, is told by its other values
        (
            [said(r="_:x", n=5), said(r="_:y", n=6)],
            [said({"A": ("was repaired",)}, r="A", n=6), said({"B": ("It",)}, r="B", n=5)],
            [(0, 1, 1.0), (1, 0, 1.0)],
        ),
        # nothing tells a nameless entity from one that no text names
        ([said(g="_:x", n=5)], [said(g="Game-1", n=5)], [(0, 0, 1.0)]),
        (
            [said(g="_:x", n=5), said(g="_:x", n=6)],
            [said(g="A", n=5), said(g="B", n=6)],
            [(0, 0, 1.0)],
        ),
        (
            [said(g="_:x", n=5), said(g="_:y", n=6)],
            [said(g="A", n=5), said(g="B", n=6)],
            [(0, 0, 1.0), (1, 1, 1.0)],
        ),
        # which game is which is told by what is said of them
        (
            [said(g="_:x", n=6), said(g="_:y", n=5)],
            [said(g="A", n=5), said(g="B", n=6)],
            [(0, 1, 1.0), (1, 0, 1.0)],
        ),
        # a name that both use is not given away to a likeness
        (
            [said({"X": ("they", "New York", "the Jets")}, t="X"), said(t="Jets")],
            [said(JETS, t="Jets")],
            [(1, 0, 1.0)],
        ),
        # the product of 1 and 2 * 1 / 4
        (
            [said({"a": ("one",), "b": ("two",)}, x="a", y="b")],
            [said({"A": ("one",), "B": ("two", "deux", "zwei")}, x="A", y="B")],
            [(0, 0, 0.5)],
        ),
        # numbers by value
        ([said(n="0.10"), said(n="2.50")], [said(n=2.5), said(n=0.1)], [(0, 1, 1.0), (1, 0, 1.0)]),
        # the same word in another coding or script
        (
            [said({"x": ("cafe\u0301",)}, t="x"), said({"y": ("紐約",)}, t="y")],
            [said({"X": ("caf\u00e9",)}, t="X"), said({"Y": ("纽约",)}, t="Y")],
            [(0, 0, 1.0), (1, 1, 1.0)],
        ),
        # an answer with more than is asked leaves the one that it alone can have
        (
            [said(n=5, m=1), said(n=5)],
            [said(n=5), said(n=5, m=1)],
            [(0, 1, 1.0), (1, 0, 1.0)],
        ),
        # a name that begins with a digit is no number
        (
            [said({"x": ("Niners",)}, t="x")],
            [said({"49ers": ("niners",)}, t="49ers")],
            [(0, 0, 1.0)],
        ),
    ],
)
def test_pairs(
    ours: list[Solution], theirs: list[Solution], pairs: list[tuple[int, int, float]]
) -> None:
    found = sorted(align(ours, theirs))
    assert [one[:2] for one in found] == [one[:2] for one in pairs]
    assert [one.credit for one in found] == pytest.approx([one[2] for one in pairs])


@pytest.mark.parametrize(("credit", "expected"), [("partial", 0.8), ("any", 1.0), ("none", None)])
def test_the_credit_of_mentions(credit: str, expected: float | None) -> None:
    found = align(
        [said({"T1": ("they", "the Jets")}, t="T1")], [said(JETS, t="Jets")], credit=credit
    )
    assert [one.credit for one in found] == ([] if expected is None else [pytest.approx(expected)])


WORDS = ("a", "b", "c")


@given(st.data())
def test_answers_of_one_entity_each_are_paired_as_well_as_can_be(data: st.DataObject) -> None:
    """Where every answer is one entity, all one-to-one pairings can be tried."""

    def answers(prefix: str) -> list[Solution]:
        classes = data.draw(st.lists(st.sets(st.sampled_from(WORDS)), max_size=4))
        return [
            said({f"{prefix}{at}": tuple(sorted(words))}, t=f"{prefix}{at}")
            for at, words in enumerate(classes)
        ]

    ours, theirs = answers("x"), answers("y")

    def alike(a: Solution, b: Solution) -> float:
        one, other = (set(next(iter(each.mentions.values()))) for each in (a, b))
        return 2 * len(one & other) / (len(one) + len(other)) if one & other else 0.0

    few, many = sorted((ours, theirs), key=len)
    best = max(
        sum(alike(few[at], many[to]) for at, to in enumerate(chosen))
        for chosen in itertools.permutations(range(len(many)), len(few))
    )
    pairs = align(ours, theirs)
    assert sum(pair.credit for pair in pairs) == pytest.approx(best)
    answered, matched = {pair.answer for pair in pairs}, {pair.gold for pair in pairs}
    assert len(answered) == len(matched) == len(pairs)
    reverse = align(theirs, ours)
    assert sum(pair.credit for pair in reverse) == pytest.approx(best)


S = {"s0": ("c",), "s2": ("c", "f", "e")}
G = {"g0": ("b", "c"), "g1": ("f",), "g2": ("e", "c", "b")}


def of(classes: Mentions, x: str, y: str, n: int) -> Solution:
    return said({x: classes[x], y: classes[y]}, x=x, y=y, n=n)


def test_entities_that_the_best_answers_need() -> None:
    """s2 as g1 is 2 / 4, s0 as g0 is 2 / 3: the product is 1 / 3."""
    ours = [of(S, "s2", "s0", 2), of(S, "s0", "s2", 2)]
    theirs = [
        of(G, "g1", "g0", 2), of(G, "g2", "g2", 2), of(G, "g0", "g2", 1), of(G, "g0", "g0", 1),
    ]  # fmt: skip
    [pair] = align(ours, theirs)
    assert pair == (0, 0, pytest.approx(1 / 3))


@given(st.data())
def test_answers_of_several_entities_are_paired_as_well_as_can_be(data: st.DataObject) -> None:
    """Every way in which entities may stand for one another is tried."""

    def side(prefix: str) -> tuple[Mentions, list[Solution]]:
        words = st.sets(st.sampled_from("abcd"), min_size=1, max_size=3)
        classes = {
            f"{prefix}{at}": tuple(sorted(each))
            for at, each in enumerate(data.draw(st.lists(words, min_size=1, max_size=3)))
        }
        one = st.tuples(
            st.sampled_from(sorted(classes)), st.sampled_from(sorted(classes)), st.integers(1, 2)
        )
        drawn = data.draw(st.lists(one, min_size=1, max_size=4, unique=True))
        return classes, [of(classes, *each) for each in drawn]

    (our_words, ours), (their_words, theirs) = side("s"), side("g")

    def alike(a: str, b: str | None) -> float:
        if b is None:
            return 0.0
        one, other = set(our_words[a]), set(their_words[b])
        return 2 * len(one & other) / (len(one) + len(other))

    best = 0.0
    names = [*their_words, *[None] * len(our_words)]
    wanted = {tuple(each.values.values()) for each in theirs}
    for chosen in set(itertools.permutations(names, len(our_words))):
        stands = dict(zip(our_words, chosen, strict=True))
        credit = 0.0
        for each in ours:
            x, y, n = each.values.values()
            if (stands[str(x)], stands[str(y)], n) in wanted:
                credit += alike(str(x), stands[str(x)]) * alike(str(y), stands[str(y)])
        best = max(best, credit)
    found = align(ours, theirs)
    assert sum(one.credit for one in found) == pytest.approx(best)


def test_answers_that_share_no_value_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 200 nameless games with a team is looked at once, and not beside 200 others."""
    compared = []

    def counted(a: frozenset[str], b: frozenset[str], credit: str) -> float:
        compared.append((a, b))
        return class_similarity(a, b, credit)

    monkeypatch.setattr("readmark.tasks.alignment.class_similarity", counted)
    theirs = [said({f"T{at}": (f"team {at}", "it")}, g=f"G{at}", t=f"T{at}") for at in range(200)]
    ours = [said({f"X{at}": (f"team {at}",)}, g=f"_:{at}", t=f"X{at}") for at in range(200)]
    assert sum(one.credit for one in align(ours, theirs)) == pytest.approx(200 * 2 / 3)
    assert len(compared) == 200
