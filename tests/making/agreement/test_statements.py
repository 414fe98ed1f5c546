"""Agreement on statements, entities and relations, worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.core.spans import Excerpt
from readmark.tasks.annotator_graphs import DocumentGraph, GraphOverlap, aligned, overlap
from readmark.tasks.new_task import new_task
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.statement_notation import read_statements_file
from readmark.tasks.reasoning.terms import Name

TEXT = "The Otters beat the Herons 20-17. They hosted them."
IDA = """\
"Otters" -> (Otters="Otters" type Team)
"They" -> (Otters="They" type Team)
"Herons" -> (Herons="Herons" type Team)
"beat" -> (Game-1 winner Otters="Otters") (Game-1 loser Herons="Herons")
"20" -> (S1 points 20) (S1 of Otters="Otters")
-> (Game-1 type Game) (S1 type Score) (Game-1 score S1)
"""
BO = """\
"The Otters" -> (A="The Otters" type Team)
"Herons" -> (B="Herons" type Club)
"beat the Herons" -> (G winner A="Otters") (G loser B)
"hosted" -> (G home A="They")
"20-17" -> (X points 17) (X of A)
-> (G type Game) (X type Score) (G score X)
"""


def asserted(text: str) -> list[Asserted]:
    statements = read_statements_file(text, {"d": TEXT}, file="f", document="d")
    return [placed.asserted for placed in statements]


def graphs(a: str = IDA, b: str = BO) -> tuple[DocumentGraph, DocumentGraph]:
    return DocumentGraph(asserted(a)), DocumentGraph(asserted(b))


def test_entities_are_the_same_when_their_words_overlap() -> None:
    """Teams by their words; the game and the score have none, and share what is stated of them."""
    pairs = aligned(*graphs())
    assert {entity.text: other.text for entity, other in pairs.items()} == {
        "Otters": "A",
        "Herons": "B",
        "Game-1": "G",
        "S1": "X",
    }


def test_words_come_before_names() -> None:
    """Each calls the other's Otters Herons: what they marked decides."""
    swapped = IDA.replace("Otters=", "X=").replace("Herons=", "Otters=").replace("X=", "Herons=")
    pairs = aligned(*graphs(IDA, swapped))
    assert pairs[Name("Otters")] == Name("Herons")
    assert pairs[Name("Herons")] == Name("Otters")


@pytest.mark.parametrize(
    ("what", "a", "b", "expected"),
    [
        # Ida: 2 types of teams, winner, loser, points, of, 2 types, score = 9. Bo: those, and home.
        # Both: Otters' type, winner, loser, of, 2 types, score; not Herons' type, nor the points.
        # Words overlap in all of these.
        ("statements", IDA, BO, GraphOverlap(9, 10, 7, 7)),
        # Between entities: winner, loser, of, score; Bo has home besides.
        ("relations", IDA, BO, GraphOverlap(4, 5, 4, 4)),
        # Four each; the Herons are of another class.
        ("entities", IDA, BO, GraphOverlap(4, 4, 3, 4)),
        ("statements", IDA, IDA, GraphOverlap(9, 9, 9, 9)),
        # The same statements from other words: only what has no words, or the same, overlaps.
        (
            "relations",
            IDA,
            IDA.replace('"beat" ->', '"hosted" ->'),
            GraphOverlap(4, 4, 4, 2),
        ),
        # Marks of one entity that do not overlap: two entities, and nothing stated in common.
        (
            "entities",
            '"Otters" -> (O="Otters" type Team)',
            '"They" -> (O="They" type Team)',
            GraphOverlap(1, 1, 0, 0),
        ),
        (
            "relations",
            '"Otters" -> (O type Team)',
            '"Otters" -> (P type Team)',
            GraphOverlap(0, 0, 0, 0),
        ),
    ],
)
def test_counts_of_a_document(what: str, a: str, b: str, expected: GraphOverlap) -> None:
    assert overlap(*graphs(a, b), what) == expected
    assert overlap(*graphs(b, a), what) == expected._replace(a=expected.b, b=expected.a)


def test_an_entity_is_one_to_one() -> None:
    """Both of Bo's entities overlap Ida's one: the one that shares more characters is it."""
    first = '"The Otters beat" -> (O="The Otters beat" type Team)'
    two = '"The"#1 -> (P="The"#1 type Team)\n"Otters" -> (Q="Otters" type Team)'
    assert aligned(*graphs(first, two)) == {Name("O"): Name("Q")}
    assert DocumentGraph(asserted(first)).mentions[Name("O")] == {
        Excerpt("d", 0, 15, "The Otters beat")
    }


def test_annotators_of_a_task(tmp_path: Path, readmark_cli: Callable[..., Any]) -> None:
    """F1 = 2 · both / (all of both): 2 · 4 / (5 + 5) of the statements on delia."""
    task = tmp_path / "storms"
    new_task(task)
    delia = task / "annotations" / "train" / "delia.statements"
    other = """annotator: you
"Hurricane Delia" -> (D type Hurricane)
"struck" -> (D struck Port-Alba="Port Alba")
"Port Alba" -> (Port-Alba type Place)
"3 September 2019" -> (D landfallDate 2019-09-03)
"winds of 190 km/h" -> (D windSpeed 90)
"""
    (delia.parent / "you").mkdir()
    (delia.parent / "you" / "delia.statements").write_text(other, encoding="utf-8")
    done = readmark_cli("set", "agree", task, "--json")
    assert done.returncode == 0, done.stderr
    what = json.loads(done.stdout)["what"]
    assert list(what) == ["statements", "entities", "relations"]
    statements = what["statements"]
    assert (statements["units"], statements["partial"]) == (1, {"egon": ["me"]})
    assert statements["pairs"][0]["figures"]["f1"]["value"] == pytest.approx(0.8)
    assert statements["pairs"][0]["figures"]["f1"]["n"] == 10
    assert what["relations"]["pairs"][0]["figures"]["f1"]["value"] == 1.0
    assert statements["notes"] == [
        "kappa does not apply: what nobody stated cannot be counted",
        "me has 5 statements, you 5, both 4",
    ]
    alone = readmark_cli("set", "agree", task, "--what", "statements,levels")
    assert (alone.returncode, "no annotator has 'levels'" in alone.stderr) == (2, True)
