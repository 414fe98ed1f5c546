"""N-Quads inside the database: the same store as through the RDF parser, the same faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine import quads
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.quads import infer_quads
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rules.values import Theory

NAMES = Namespaces({"ex": "http://example.org/"})
DOC = "<urn:readmark:document:d1>"
OWN = "urn:readmark:names#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
XSD = "http://www.w3.org/2001/XMLSchema#"
USUAL = f"""<{OWN}Game-1> {TYPE} <{OWN}Game> {DOC} .
<{OWN}Game-1> <http://example.org/points> "20"^^<{XSD}integer> {DOC} .
<{OWN}Game-1> <http://example.org/points> "20"^^<{XSD}integer> {DOC} .
<{OWN}Game-1> <http://example.org/points> "20.5"^^<{XSD}double> {DOC} .
<{OWN}Game-1> <http://example.org/date> "2009-11-15"^^<{XSD}date> <http://example.org/d2> .

# a remark
<{OWN}type> <{OWN}label> "word" .
<{OWN}a%20b> <{OWN}label> "\\"q\\u00e9" {DOC} .
"""
SPACED = f'<{OWN}Game-1> <{OWN}label> "two words" {DOC} .\n'
BLANK = f"_:b1 <{OWN}label> _:b2 {DOC} .\n"


HUGE = f'<{OWN}Game-1> <{OWN}label> "{"long" * 1_000_000}" {DOC} .\n'


def statements(inference: Inference) -> set[tuple[str, object]]:
    with inference:
        return {(derived.graph, derived.statement) for derived in inference.statements()}


def read(tmp_path: Path, text: str) -> set[tuple[str, object]]:
    file = tmp_path / "games.nq"
    file.write_text(text, "utf-8")
    return statements(infer_quads(file, Theory("T"), namespaces=NAMES))


def read_parsed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> set[tuple[str, object]]:
    """What a file holds when every line goes through the RDF parser."""

    def refuse(store: Store, file: Path) -> None:
        raise quads._Unusual

    with monkeypatch.context() as patch:
        patch.setattr(quads, "_split", refuse)
        return read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    ["", HUGE, USUAL, USUAL + SPACED, USUAL + BLANK, USUAL.replace("\n", "\r\n"), "# only\n"],
)
def test_both_ways_read_the_same(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = read(tmp_path, text)
    assert contents == read_parsed(monkeypatch, tmp_path, text)
    assert bool(contents) == ("Game-1" in text)


def test_usual_lines_take_the_fast_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the slow way")

    monkeypatch.setattr(quads, "_parsed", refuse)
    contents = read(tmp_path, USUAL)
    assert {graph for graph, _ in contents} == {"d1", "ex:d2", "games"}
    assert len(contents) == 6


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"<{OWN}a> <{OWN}b> nonsense {DOC} .", "games.nq:2:"),
        (f'"5" <{OWN}b> <{OWN}c> {DOC} .', "games.nq:2:"),
        (f"<{OWN}a> <{OWN}b> <relative> {DOC} .", "games.nq:2:"),
        (f'<{OWN}a> <{OWN}b> "x"^^<{XSD}integer> {DOC} .', "games.nq:2: 'x' is no xsd:integer"),
        (f"<{OWN}a> <{OWN}b> <{OWN}c> {DOC}", "games.nq:3:1: "),
    ],
)
def test_faults_have_their_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, f"<{OWN}a> <{OWN}b> <{OWN}c> {DOC} .\n{line}\n")
    assert message in str(caught.value)
