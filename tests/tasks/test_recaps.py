"""Real game summaries: their gold keeps to the rules, which find what the texts leave out."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from nfl_recaps import COUNTS, GOLD, RECAPS, ROLES, annotated, gold, passages
from readmark.core.json_lines import json_line
from readmark.formats.registry import open_test
from readmark.tasks.checks import check_task
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.gold import TaskGold, gold_of
from readmark.tasks.packer import pack
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.task_folder import Parts, gather
from task_files import lines

pytestmark = [
    pytest.mark.golden,
    pytest.mark.skipif(not (GOLD.exists() and RECAPS.exists()), reason="no shared game summaries"),
]
PROPERTIES = [*ROLES.values(), "numberOfPeriods"]


def task(folder: Path, *, explicit: bool) -> Parts:
    """The summaries as a task, with the domain that ships."""
    domain = domain_folder("nfl_scoring")
    [file] = domain.glob("ontology.*")
    namespaces = read_ontology(file.read_bytes(), file=str(file)).namespaces
    (folder / "documents/train").mkdir(parents=True)
    (folder / "annotations").mkdir()
    for id, text in passages().items():
        (folder / f"documents/train/{id}.txt").write_bytes(text.encode())
    trig = write_provenance(annotated(explicit=explicit), format="TRIG", namespaces=namespaces)
    (folder / "annotations/gold.trig").write_bytes(trig)
    queries = [
        {"id": one, "graph": f"((?G type NFLGame) (?G {one} ?V))", "property": one}
        for one in PROPERTIES
    ]
    (folder / "queries.jsonl").write_text(lines(queries), encoding="utf-8")
    return gather(folder, domain=domain)


class Made(NamedTuple):
    folder: Path
    parts: Parts
    gold: TaskGold


@pytest.fixture(scope="module")
def explicit_task(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The task and its gold, made once: who changes its files changes a copy."""
    folder = tmp_path_factory.mktemp("recaps") / "made"
    parts = task(folder, explicit=True)
    return Made(folder, parts, gold_of(parts.package))


@pytest.mark.parametrize("explicit", [True, False])
def test_the_gold_keeps_to_ontology_rules_and_texts(explicit: bool, tmp_path: Path) -> None:
    problems = list(check_task(task(tmp_path, explicit=explicit).package))
    assert [str(one) for one in problems] == []


def test_the_rules_find_what_the_texts_do_not_say(explicit_task: Made) -> None:
    found = explicit_task.gold
    assert found.contradicted == ()
    answers = {(one.document, one.query): (one.values["V"], one.inferred) for one in found.rows}
    for id, said in gold().items():
        for role, predicate in ROLES.items():
            stated = said["game"][f"evidence_{role}"] is not None
            assert answers[id, predicate] == (said["game"][role], not stated), (id, role)
        periods = said["game"]["periods"]
        assert answers.get((id, "numberOfPeriods")) == (periods and (periods, True))
    assert len(answers) == len(found.rows)


def test_scores_and_counts_are_the_sums_of_the_events(tmp_path: Path) -> None:
    """The gold says which scores are sums: they come out as inferred, and the two others stated."""
    task(tmp_path, explicit=True)
    shipped = domain_folder("nfl_scoring") / "queries.jsonl"
    (tmp_path / "queries.jsonl").write_bytes(shipped.read_bytes())
    found = gold_of(gather(tmp_path, domain=domain_folder("nfl_scoring")).package)
    answers = {
        (one.document, one.values["team"], one.query): (one.values["value"], one.inferred)
        for one in found.rows
        if one.query in COUNTS.values()
    }
    expected = {
        (id, team["team"], predicate): (
            team[member],
            member != "final_score" or team["final_score_basis"] == "sum",
        )
        for id, said in gold().items()
        for team in said["teams"]
        for member, predicate in COUNTS.items()
    }
    assert answers == expected
    assert sum(not inferred for _, inferred in answers.values()) == 2
    cited = {one.document: one.excerpts for one in found.rows if one.query == "pointsScored"}
    assert all(cited.values())  # the words of the events


def test_the_task_is_a_test_with_its_gold(explicit_task: Made, tmp_path: Path) -> None:
    shutil.copytree(explicit_task.folder, tmp_path / "made")
    rows = explicit_task.gold.rows
    answers = b"".join(json_line(row) for row in rows)
    (tmp_path / "made/answers.train.jsonl").write_bytes(answers)
    pack(gather(tmp_path / "made", domain=domain_folder("nfl_scoring")), tmp_path / "packed.zip")
    test = open_test(tmp_path / "packed.zip")
    assert test.facts.records == 12
    assert sum(len(unit.key.solutions) for unit in test.units()) == len(rows)
