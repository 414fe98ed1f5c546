"""Whose statements make a gold: documents by several annotators in one inference."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readmark.tasks import contradiction_checks, gold
from readmark.tasks.checks import check_task
from readmark.tasks.gold import GoldMaker, GoldSettings, TaskGold, gold_of
from readmark.tasks.readings import Readings
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.terms import Name
from readmark.tasks.task_folder import gather
from task_files import write_task

ANNOTATED = """\
annotator: ida
-> (Game-1 type Game) (Otters type Team) (Game-1 winner Otters)
"in overtime" -> (Game-1 hasOvertimePlay true)

annotator: bo
-> (Game-1 type Game) (Otters type Team) (Game-1 winner Otters)
"""
"""Both say who won; Ida alone has the overtime, so five periods follow for her and for both."""
WAYS = {
    "agreed": GoldSettings(several="agreed"),
    "union": GoldSettings(several="union"),
    "ida": GoldSettings("ida"),
    "bo": GoldSettings("bo"),
}
ANSWERED = {
    "agreed": {"winner"},
    "union": {"winner", "periods"},
    "ida": {"winner", "periods"},
    "bo": {"winner"},
}
SPLITS = ("train", "dev", "test")


def task(folder: Path, *, answers: str | None = None) -> Path:
    """A document a split, each annotated by Ida and Bo."""
    files: dict[str, str | bytes | None] = {
        f"{kind}/{split}/{split}.{suffix}": text
        for split in SPLITS
        for kind, suffix, text in (
            ("documents", "txt", "The Otters beat the Herons 20-17 in overtime on Sunday."),
            ("annotations", "statements", ANNOTATED),
        )
    }
    left_out = ("documents/train/otters.txt", "documents/test/gulls.txt", "answers.test.jsonl")
    graphs = ("annotations/gulls.graph", "annotations/train/otters.trig", "answers.train.jsonl")
    files |= dict.fromkeys((*left_out, *graphs))
    files["queries.jsonl"] = (
        '{"id": "periods", "graph": "((?G numberOfPeriods ?N))"}\n'
        '{"id": "winner", "graph": "((?G winner ?T))"}\n'
    )
    files |= {f"answers.{split}.jsonl": answers for split in SPLITS if answers is not None}
    return write_task(folder, files)


def answered(task_gold: TaskGold) -> set[str]:
    return {row.query for row in task_gold.rows}


@pytest.mark.parametrize("way", WAYS)
def test_a_gold_is_of_those_whose_statements_it_is_made_of(way: str, tmp_path: Path) -> None:
    package = gather(task(tmp_path)).package
    assert answered(gold_of(package, WAYS[way], split="dev")) == ANSWERED[way]


def test_several_golds_of_one_inference_are_those_that_are_made_alone(tmp_path: Path) -> None:
    package = gather(task(tmp_path)).package
    maker = GoldMaker(package)
    together = maker.golds([maker.plan(settings, split="dev") for settings in WAYS.values()])
    alone = [gold_of(package, settings, split="dev") for settings in WAYS.values()]
    assert together == alone


def test_a_check_reasons_once_for_contradictions_and_once_for_the_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []

    def counted(module: Any) -> None:
        infer = module.infer

        def run(*inputs: Any, **more: Any) -> Any:
            runs.append(module.__name__)
            return infer(*inputs, **more)

        monkeypatch.setattr(module, "infer", run)

    counted(contradiction_checks)
    counted(gold)
    problems = list(check_task(gather(task(tmp_path, answers="")).package))
    # An empty gold is nearest to what both agree on: who won, in each of three splits.
    assert [problem.code for problem in problems if problem.severity != "warning"] == [
        "stale_gold"
    ] * 3
    assert runs == ["readmark.tasks.contradiction_checks", "readmark.tasks.gold"]


def test_a_contradiction_of_one_annotator_names_the_document_and_that_ones_statements(
    tmp_path: Path,
) -> None:
    annotated = ANNOTATED + "-> (Game-1 numberOfPeriods 4)\n-> (Game-1 numberOfPeriods 6)\n"
    folder = task(tmp_path)
    (folder / "annotations/dev/dev.statements").write_text(annotated, encoding="utf-8")
    [problem] = [
        problem for problem in check_task(gather(folder).package) if problem.code == "contradiction"
    ]
    assert problem.message.startswith("dev contradicts LeagueTheory by numberOfPeriods has at most")
    assert "\x1f" not in str(problem) + getattr(problem, "derivation", "")


def stated(*annotators: str | None) -> Iterator[Asserted]:
    for number, annotator in enumerate(annotators):
        statement = Statement(Name(f"N{number}"), Name("type"), Name("Game"))
        yield Asserted("otters", statement, annotator=annotator)


def test_the_same_statements_are_one_graph_whoever_else_was_asked_for() -> None:
    readings = Readings(stated("ida", "bo", None))
    everybody = readings.graph("otters")
    assert readings.graph("otters", {"ida", "bo", None, "cy"}) == everybody == "otters"
    alone = readings.graph("otters", {"ida", "cy"})
    assert readings.graph("otters", {"ida"}) == alone != everybody
    assert readings.document(alone) == "otters"
    counts = [one.graph for one in readings.asserted()]
    assert (counts.count(everybody), counts.count(alone)) == (3, 1)
