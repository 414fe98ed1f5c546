"""What an ontology does not have is a finding, not a consistent statement."""

from pathlib import Path

import pytest

from command_line import in_process
from readmark.marking import mark
from readmark.tasks.inferring import Inferred, run_rules
from readmark.tasks.knowledge_base import Reasoning
from readmark.tasks.new_task import new_task


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    new_task(tmp_path / "storms")
    return tmp_path / "storms"


def inferred(folder: Path, graph: str) -> Inferred:
    file = folder.parent / "delia.graph"
    file.write_text(graph, encoding="utf-8")
    rules = Reasoning(
        ontology=str(folder / "ontology.ttl"), rules=[str(folder / "rules.dsrs")], seconds=60
    )
    return run_rules([str(file)], rules)


def test_a_property_and_a_class_that_the_ontology_lacks_are_findings(storms: Path) -> None:
    graph = "((Delia type Huricane) (Delia windSped 190) (Egon windSped 95) (Egon type Storm))"
    found = inferred(storms, graph)
    assert found.failed
    assert found.counts["contradictions"] == 0
    assert [finding.as_json() for finding in found.findings] == [
        {
            "code": "unknown_class",
            "message": "Huricane is not a class of the ontology; did you mean Hurricane?",
            "graph": "delia",
            "statement": "(Delia type Huricane)",
            "count": 1,
        },
        {
            "code": "unknown_property",
            "message": "windSped is not a property of the ontology; did you mean windSpeed?",
            "graph": "delia",
            "statement": "(Delia windSped 190)",
            "count": 2,
        },
    ]


def test_statements_in_the_words_of_the_ontology_or_its_rules_are_no_findings(
    storms: Path,
) -> None:
    rules = (storms / "rules.dsrs").read_text("utf-8")
    rules += "\n(:rule seen :if (?s seenBy ?p) :then (?s type Storm))\n"
    (storms / "rules.dsrs").write_text(rules, encoding="utf-8")
    found = inferred(storms, "((Delia type Storm) (Delia windSpeed 190) (Egon seenBy Ida))")
    assert not found.findings
    assert not found.failed


def test_the_command_prints_what_the_ontology_lacks_and_fails(storms: Path) -> None:
    file = storms.parent / "delia.graph"
    file.write_text("((Delia windSped 190))", encoding="utf-8")
    done = in_process("task", "infer", str(file), "--ontology", str(storms / "ontology.ttl"))
    assert done.returncode == 1
    assert (
        "delia: unknown_property: (Delia windSped 190): windSped is not a property" in done.stdout
    )


def test_an_answer_that_binds_what_its_query_lacks_is_named_with_its_marks(storms: Path) -> None:
    gold = storms / "answers.train.jsonl"
    done = in_process("task", "gold", str(storms), "--split", "train", "-o", str(gold))
    assert done.returncode == 0
    answers = {
        "delia:windSpeed": [{"storm": "Delia", "vlaue": 190}],
        # What nobody asked for takes nothing from an answer that has all that was asked for.
        "delia:struck": [{"storm": "Delia", "place": "Port-Alba", "day": 3}],
    }
    marks = mark(storms, answers, metrics=["facts"])
    notes = [note for note in marks.notes if "variable" in note]
    assert [note.split(": ", 1)[1] for note in notes] == [
        "answers without a value of each variable are wrong: delia:windSpeed has no ?value",
        "unknown variables in answers are ignored: "
        "delia:windSpeed binds ?vlaue, and its query has ?storm, ?value; likewise 1 (delia:struck)",
    ]
    units = marks.as_json()["per_unit"]
    assert [units[id]["facts"] for id in answers] == [0, 1]
