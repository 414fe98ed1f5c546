"""One spelling for names that stand for one IRI."""

from __future__ import annotations

import pytest

from readmark.tasks.names import respell, spell
from readmark.tasks.records import Solution

NFL = "urn:readmark:nfl-scoring#"
SPACES = {"": NFL, "nfl": NFL, "ex": "http://example.org/"}


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("Falcons", "Falcons"),
        (f"<{NFL}Falcons>", "Falcons"),
        ("nfl:Falcons", "Falcons"),
        ("<nfl:Falcons>", "Falcons"),
        ("<Falcons>", "Falcons"),
        ("<http://example.org/Jets>", "ex:Jets"),
        ("ex:Jets", "ex:Jets"),
        ("<http://example.net/Jets>", "<http://example.net/Jets>"),
        ("other:Jets", "other:Jets"),
        # what a bare word would not be read as stays in brackets
        (f"<{NFL}5>", "<5>"),
        ("<true>", "<true>"),
        (f"<{NFL}New%20York>", "<New\\U00000020York>"),
        ("<New\\U00000020York>", "<New\\U00000020York>"),
        # no entities
        ("5", "5"),
        ("true", "true"),
        ('"nfl:Falcons"', '"nfl:Falcons"'),
        ("2009-11-08", "2009-11-08"),
        ("_:game", "_:game"),
    ],
)
def test_names_of_one_iri_have_one_token(token: str, expected: str) -> None:
    prefixes = tuple((name, iri) for name, iri in SPACES.items() if name)
    assert spell(token, NFL, prefixes) == expected


def test_an_answer_is_respelt_with_its_mentions() -> None:
    one = Solution(
        values={"t": f"<{NFL}Falcons>", "u": "nfl:Jets", "n": 5},
        mentions={f"<{NFL}Falcons>": ("Atlanta", "they"), "Falcons": ("they", "the Falcons")},
    )
    assert respell(one, SPACES) == Solution(
        values={"t": "Falcons", "u": "Jets", "n": 5},
        mentions={"Falcons": ("Atlanta", "they", "the Falcons")},
    )
    assert respell(one, {}) is one
