"""What was read is told from what a rule makes of it, with the words behind both."""

from pathlib import Path

import pytest

from readmark.tasks.extraction.extract import Extraction, extract

TEXT = "Pump A is dirty. It was serviced by Ida Moss."
ONTOLOGY = """\
@prefix : <http://example.org/pumps#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://example.org/pumps> a owl:Ontology .
:Pump a owl:Class .
:isDirty a owl:DatatypeProperty ; rdfs:domain :Pump ; rdfs:range xsd:boolean .
:likelyWear a owl:DatatypeProperty ; rdfs:domain :Pump ; rdfs:range xsd:boolean .
:serviceInterval a owl:DatatypeProperty ; rdfs:domain :Pump ; rdfs:range xsd:integer .
:intervals a owl:DatatypeProperty ; rdfs:domain :Pump ; rdfs:range xsd:integer .
"""
RULES = """\
(:theory Pumps)
(:rule usual-interval
 :if (?p type Pump) :if-not (?p serviceInterval ?hours) :then (?p serviceInterval 2000))
(:rule twice :if (?p serviceInterval ?n) (?m mrq:product 2 ?n) :then (?p intervals ?m))
(:rule dirt-wears :probability 0.5 :if (?p isDirty true) :then (?p likelyWear true))
"""
STATEMENTS = """\
document: pump
"Pump A" -> (A="Pump A" type Pump)
"is dirty" -> (A isDirty true="dirty") p=0.9
"""


@pytest.fixture
def read(tmp_path: Path) -> Extraction:
    files = {
        "pumps/ontology.ttl": ONTOLOGY,
        "pumps/rules.dsrs": RULES,
        "pump.txt": TEXT,
        "read/pump.statements": STATEMENTS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    extractor = f'statements(file="{tmp_path / "read"}")'
    return extract(str(tmp_path / "pumps"), [str(tmp_path / "pump.txt")], extractor=extractor)


def test_defaults_and_probable_conclusions_are_printed_as_inferred(read: Extraction) -> None:
    assert str(read).splitlines() == [
        "pump",
        "  A (Pump)  “Pump A”",
        "    intervals: 4000 (inferred by twice, a default)",
        "    isDirty: True (probability 0.9)",
        "    likelyWear: True (inferred by dirt-wears, probability 0.5)",
        "    serviceInterval: 2000 (inferred by usual-interval, a default)",
    ]


def test_every_value_has_its_rule_probability_and_words(read: Extraction) -> None:
    [pump] = read.as_json()["documents"]["pump"]["entities"]
    assert pump["properties"]["serviceInterval"] == [2000]
    assert pump["values"] == {
        "intervals": [
            {
                "value": 4000,
                "inferred": True,
                "probability": 1.0,
                "excerpts": [[0, 6]],
                "rule": "twice",
                "default": True,
            }
        ],
        "isDirty": [{"value": True, "inferred": False, "probability": 0.9, "excerpts": [[7, 15]]}],
        "likelyWear": [
            {
                "value": True,
                "inferred": True,
                "probability": 0.5,
                "excerpts": [[7, 15]],
                "rule": "dirt-wears",
                "default": False,
            }
        ],
        "serviceInterval": [
            {
                "value": 2000,
                "inferred": True,
                "probability": 1.0,
                "excerpts": [[0, 6]],
                "rule": "usual-interval",
                "default": True,
            }
        ],
    }


def test_every_rule_of_an_uncertain_value_is_named(tmp_path: Path) -> None:
    """1 - 0.5 * 0.6 is of both rules; a value with two uses of one rule names it once."""
    age = "(:rule age-wears :probability 0.4 :if (?p type Pump) :then (?p likelyWear true))\n"
    files = {
        "pumps/ontology.ttl": ONTOLOGY,
        "pumps/rules.dsrs": RULES + age,
        "pump.txt": TEXT,
        "read/pump.statements": STATEMENTS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    extractor = f'statements(file="{tmp_path / "read"}")'
    read = extract(str(tmp_path / "pumps"), [str(tmp_path / "pump.txt")], extractor=extractor)
    assert "likelyWear: True (inferred by dirt-wears and age-wears, probability 0.7)" in str(read)
    [pump] = read.as_json()["documents"]["pump"]["entities"]
    [wear] = pump["values"]["likelyWear"]
    assert (wear["rule"], wear["others"], wear["probability"]) == ("dirt-wears", ["age-wears"], 0.7)
    assert wear["excerpts"] == [[0, 6], [7, 15]]  # of both ways
