"""Quantities and priors as a domain declares them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.tasks.decompositions.scheme import Play, read_scheme

TEXT = """
total = "points"
facts = ["bonus <= 2"]
[quantity.big]
worth = 5
kinds = ["throw"]
one = "big one"
many = "big ones"
[quantity.bonus]
worth = 1
follows = "big"
[quantity.small]
worth = 2
kinds = ["throw"]
[prior.plays]
chances = [0.5, 0.25]
tail = 0.5
[prior.shares]
big = 0.3
small = 0.6
[prior.following.big]
bonus = 0.25
"""


def test_plays_counts_and_words() -> None:
    scheme = read_scheme(TEXT)
    assert scheme.plays == (
        Play("big", None, 5),
        Play("big", "bonus", 6),
        Play("small", None, 2),
    )
    assert scheme.unfollowed == {0}
    assert scheme.counts((1, 2, 3)) == {"big": 3, "bonus": 2, "small": 3}
    assert scheme.allows({"big": 3, "bonus": 2, "small": 0})
    assert not scheme.allows({"big": 3, "bonus": 3, "small": 0})
    assert scheme.named("throw") == {"big", "small"}
    assert scheme.named("bonus") == {"bonus"}
    assert scheme.words({"big": 1, "small": 0}) == "1 big one"
    assert scheme.words({"small": 2}) == "2 small"
    with pytest.raises(UsageError, match="nothing is called 'thro'"):
        scheme.named("thro")


def test_chances_are_exact() -> None:
    prior = read_scheme(TEXT).prior
    assert prior.shares == {"big": Fraction(1, 3), "small": Fraction(2, 3)}
    assert prior.play("big", "bonus") == Fraction(1, 12)
    assert prior.play("big", None) == Fraction(1, 4)
    assert [prior.numbers.chance(n) for n in range(4)] == [
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 8),
        Fraction(1, 16),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("worth = 5", "worth = 0", "quantity.big.worth is 0"),
        ("worth = 5", "worth = true", "quantity.big.worth is True"),
        ('follows = "big"', 'follows = "huge"', "follows 'huge'"),
        ('follows = "big"', 'follows = "bonus"', "follows 'bonus'"),
        ("bonus <= 2", "bonos <= 2", "no quantity 'bonos'"),
        ("[prior.plays]", "[prior.play]", "prior.plays has chances"),
        ("tail = 0.5", "tail = 1", "prior.plays has chances"),
        ("small = 0.6", "smal = 0.6", "prior.shares has a chance each for big, small"),
        ("small = 0.6", "small = -0.6", "between 0 and 1"),
        ("bonus = 0.25", "bonus = 1.25", "between 0 and 1"),
        ("[quantity.big]", "[quantity.big", "Expected"),
        ("worth = 5", f"worth = {'[' * 9000}", "nested too deep"),
        ('one = "big one"', 'uno = "big one"', "quantity.big holds"),
    ],
)
def test_a_bad_declaration_is_refused_with_its_file(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(DataError, match=said) as caught:
        read_scheme(TEXT.replace(old, new), "quantities.toml")
    assert caught.value.file == "quantities.toml"
