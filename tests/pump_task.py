"""A reading task about the repair of a pump, with what a person types for each question."""

from __future__ import annotations

import json
from pathlib import Path

from readmark.tasks.gold_versions import make_gold

TEXT = (
    "Pump P-7 broke down at the Lindow waterworks. It was repaired on 10 August 2021 after 2,900 "
    "hours of service. The fitters replaced the impeller and the shaft seal. Nobody had planned it."
)
ONTOLOGY = """\
@prefix : <urn:readmark:pumps#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rm: <urn:readmark:terms#> .

<urn:readmark:pumps> a owl:Ontology .
:Pump a owl:Class ; rdfs:label "pump" , "水泵"@zh .
:Part a owl:Class ; rdfs:label "part" .
:Repair a owl:Class ; rdfs:label "repair" , "维修"@zh .
:repairOf a owl:ObjectProperty ; rdfs:domain :Repair ; rdfs:range :Pump .
:replaced a owl:ObjectProperty ; rdfs:domain :Repair ; rdfs:range :Part .
:repairDate a owl:DatatypeProperty ; rdfs:domain :Repair ; rdfs:range xsd:date .
:afterHours a owl:DatatypeProperty ; rdfs:domain :Repair ; rdfs:range xsd:nonNegativeInteger ;
  rm:unit "hours" , "小时"@zh .
:wasPlanned a owl:DatatypeProperty ; rdfs:domain :Repair ; rdfs:range xsd:boolean .
:worn a owl:DatatypeProperty ; rdfs:domain :Part ; rdfs:range xsd:boolean ; rm:role rm:inferred .
"""
RULES = """\
(:theory Pumps)

(:rule replaced-parts-were-worn
 :if (?repair replaced ?part)
 :then (?part worn true))
"""
STATEMENTS = """\
annotator: ida

-> (Repair-1 type Repair)
"Pump P-7" -> (P-7="P-7" type Pump)
"It was repaired" -> (Repair-1 repairOf P-7)
"10 August 2021" -> (Repair-1 repairDate 2021-08-10)
"2,900 hours" -> (Repair-1 afterHours 2900)
"the impeller" -> (Impeller="impeller" type Part) (Repair-1 replaced Impeller)
"the shaft seal" -> (Seal="shaft seal" type Part) (Repair-1 replaced Seal)
"Nobody had planned it" -> (Repair-1 wasPlanned false)
"""
QUERIES = {
    "afterHours": ("((?repair type Repair) (?repair afterHours ?value))", "After how many hours?"),
    "repairDate": ("((?repair type Repair) (?repair repairDate ?value))", "On what date?"),
    "replaced": ("((?repair type Repair) (?repair replaced ?part))", "Which parts were replaced?"),
    "repairOf": ("((?repair type Repair) (?repair repairOf ?pump))", "Which pump was repaired?"),
    "Pump": ("((?pump type Pump))", "Which pumps are mentioned?"),
    "wasPlanned": ("((?repair type Repair) (?repair wasPlanned ?value))", "Was it planned?"),
}
TYPED = {
    "afterHours": ("the repair", "2,900"),
    "repairDate": ("The repair", "10 August 2021"),
    "replaced": ("the repair", "the impeller"),
    "repairOf": ("the repair", "P-7"),
    "Pump": ("P-7",),
    "wasPlanned": ("the repair", "yes"),
}
"""Five right answers and a wrong one, of the seven that the gold has: F = 2·5 / (6 + 7)."""


def write_pump_task(
    folder: Path,
    *,
    text: str = TEXT,
    ontology: str = ONTOLOGY,
    statements: str = STATEMENTS,
    queries: dict[str, tuple[str, str]] | None = None,
    annotation: str = "complete",
) -> Path:
    """Write the task with the gold of its annotation."""
    asked = [
        {"id": id, "graph": graph, "text": question, "property": id}
        for id, (graph, question) in (queries or QUERIES).items()
    ]
    about = f'name = "Pumps"\nlanguage = "en"\nannotation = "{annotation}"\n'
    files = {
        "task.toml": about,
        "documents/p7.txt": text,
        "ontology.ttl": ontology,
        "rules.dsrs": RULES,
        "annotations/p7.statements": statements,
        "queries.jsonl": "".join(json.dumps(row) + "\n" for row in asked),
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    make_gold(folder, folder / "answers.jsonl")
    return folder


BO = (
    STATEMENTS.replace("annotator: ida", "annotator: bo")
    .replace('"2,900 hours" -> (Repair-1 afterHours 2900)\n', "")
    .replace('"the shaft seal" -> (Seal="shaft seal" type Part) (Repair-1 replaced Seal)\n', "")
)


def twice_annotated(folder: Path) -> Path:
    """Ida's gold has 7 answers; Bo has 5 of them."""
    task = write_pump_task(folder)
    (task / "annotations" / "bo").mkdir()
    (task / "annotations" / "bo" / "p7.statements").write_text(BO, encoding="utf-8")
    make_gold(task, task / "answers.jsonl", annotator="ida")
    return task
