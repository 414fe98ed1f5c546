"""A small reading task, written file by file, so that a test can spoil one of them."""

from __future__ import annotations

import json
from pathlib import Path

from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.graphs import Asserted, Statement, Support
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.terms import Literal, Name

SPACE = "http://example.org/league#"
NAMES = Namespaces({}, SPACE)
OTTERS = "The Otters beat the Herons 20-17 in overtime on Sunday."
GULLS = "The Gulls lost at home to the Terns. Nobody scored in the first half."
ONTOLOGY = """\
@prefix : <http://example.org/league#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rm: <urn:readmark:terms#> .

<http://example.org/league> a owl:Ontology ; rdfs:label "League" .
:Event a owl:Class .
:Game a owl:Class ;
    rdfs:subClassOf :Event ,
        [ a owl:Restriction ; owl:onProperty :numberOfPeriods ; owl:maxCardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty :winner ; owl:maxCardinality 1 ] .
:Team a owl:Class ; owl:disjointWith :Event .
:numberOfPeriods a owl:DatatypeProperty ;
    rdfs:domain :Game ; rdfs:range xsd:nonNegativeInteger ; rm:role rm:target .
:hasOvertimePlay a owl:DatatypeProperty ;
    rdfs:domain :Game ; rdfs:range xsd:boolean ; rm:role rm:target .
:winner a owl:ObjectProperty ;
    rdfs:domain :Game ; rdfs:range :Team ; rm:role rm:target .
:playedLongerThan a owl:ObjectProperty ;
    rdfs:domain :Game ; rdfs:range :Game ; rm:role rm:builtin .
"""
RULES = """\
(:theory LeagueTheory)

(:rule overtime
 :if (?g hasOvertimePlay true)
 :if-not (?g numberOfPeriods ?n)
 :then (?g numberOfPeriods 5))

(:rule too-few
 :if (?game numberOfPeriods ?N)
     (?N mrq:lessThanOrEqualTo 4)
     (?game hasOvertimePlay true)
 :then (?inputGraph contradicts LeagueTheory))
"""
QUERIES = [
    {
        "id": "periods",
        "graph": "((?G type Game) (?G numberOfPeriods ?N))",
        "text": "How many periods were played in each game?",
        "property": "numberOfPeriods",
    },
    {
        "id": "winner",
        "graph": "((?G winner ?T))",
        "text": "Who won?",
        "property": "winner",
        "documents": ["otters"],
    },
]
ANSWERS = [
    {
        "document": "otters",
        "query": "periods",
        "values": {"G": "Game-1", "N": 5},
        "inferred": True,
        "excerpts": [{"document": "otters", "start": 36, "end": 44, "quote": "overtime"}],
    },
    {
        "document": "otters",
        "query": "winner",
        "values": {"G": "Game-1", "T": "Otters"},
        "inferred": False,
        "excerpts": [{"document": "otters", "start": 0, "end": 26, "quote": OTTERS[:26]}],
        "mentions": {"Otters": ["The Otters"]},
    },
]


def excerpt(text: str, document: str, quote: str) -> Excerpt:
    """Where a document has the words."""
    start = text.index(quote)
    return Excerpt(document, start, start + len(quote), quote)


def statements() -> list[Asserted]:
    """What was annotated in the first document."""
    words = excerpt(OTTERS, "otters", "in overtime")
    won = excerpt(OTTERS, "otters", "The Otters beat the Herons")
    game, otters = Name("Game-1"), Name("Otters")

    def said(subject: Name, predicate: str, object: Name | Literal, support: Support) -> Asserted:
        statement = Statement(subject, Name(predicate), object)
        return Asserted("otters", statement, support, annotator="ida")

    return [
        said(game, "type", Name("Game"), Support()),
        said(game, "hasOvertimePlay", Literal(True), Support((words,), object=(words,))),
        said(otters, "type", Name("Team"), Support()),
        said(
            game,
            "winner",
            otters,
            Support((won,), object=(excerpt(OTTERS, "otters", "The Otters"),)),
        ),
    ]


def lines(rows: list[dict[str, object]]) -> str:
    """Rows as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def task_files() -> dict[str, bytes]:
    """Every file of the task before it is packed."""
    trig = write_provenance(statements(), format="TRIG", namespaces=NAMES)
    texts = {
        "task.toml": 'name = "League"\nlanguage = "en"\nphase = "1"\nhidden = ["test"]\n'
        'capabilities = ["overtime"]\n\n[preparation]\nhours = 3\n',
        "documents/train/otters.txt": OTTERS,
        "documents/test/gulls.txt": GULLS,
        "background/more.txt": "The Terns have a new field.\n",
        "ontology.ttl": ONTOLOGY,
        "rules.dsrs": RULES,
        "guidelines.md": "Annotate what is said.\n",
        "queries.jsonl": lines(QUERIES),
        "answers.train.jsonl": lines(ANSWERS),
        "answers.test.jsonl": "",
        "annotations/gulls.graph": "((Game-2 type Game)\n (Terns type Team)\n"
        " (Game-2 winner Terns))\n",
    }
    files = {name: text.encode() for name, text in texts.items()}
    return {**files, "annotations/train/otters.trig": trig}


def write_task(folder: Path, changed: dict[str, str | bytes | None] | None = None) -> Path:
    """Write the files into a folder; a change to None leaves a file out."""
    files: dict[str, str | bytes | None] = {**task_files(), **(changed or {})}
    for name, content in files.items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
