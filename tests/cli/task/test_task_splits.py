"""``--split`` of the commands that read what is annotated in a task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import readmark
from command_line import in_process

pytestmark = pytest.mark.slow

TASK = str(Path(readmark.__file__).parent / "bundle" / "task.en.zip")
QUERY = "((?P birthYear ?Y))"


def documents(split: str | None = None) -> set[str]:
    test = readmark.load(TASK)
    return {record.id for record in (test if split is None else test.split(split)).records()}


def test_only_the_documents_of_a_split_are_read() -> None:
    """The splits share no document, and together they are the whole."""
    answers = {}
    for split in ("train", "test", None):
        chosen = () if split is None else ("--split", split)
        done = in_process("task", "query", TASK, "-q", QUERY, "--json", *chosen)
        assert done.returncode == 0, done.stderr
        answers[split] = [json.dumps(one) for one in json.loads(done.stdout)["answers"]]
        graphs = {json.loads(one)["graph"] for one in answers[split]}
        assert graphs
        assert graphs <= documents(split)
    parts = [one for split in ("train", "test") for one in answers[split]]
    assert sorted(parts) == sorted(answers[None])


@pytest.mark.parametrize(
    "command",
    [
        ("infer", TASK),
        ("query", TASK, "-q", QUERY),
        ("explain", TASK, "--contradictions"),
        ("queries", "nfl_scoring", TASK),
        ("decompose", "nfl_scoring", "--statements", TASK),
    ],
    ids=lambda command: command[0],
)
def test_a_split_that_is_not_there_is_named(command: tuple[str, ...]) -> None:
    done = in_process("task", *command, "--split", "dve")
    assert (done.returncode, done.stdout) == (2, "")
    assert "task.en.zip has no split 'dve'; it has train, test\n" in done.stderr


def test_files_of_statements_have_no_splits(tmp_path: Path) -> None:
    (tmp_path / "game.graph").write_text("((a p b))", "utf-8")
    done = in_process("task", "infer", "game.graph", "--split", "dev", cwd=tmp_path)
    assert done.returncode == 2
    assert "--split is for tasks: game.graph is a file of statements" in done.stderr
    done = in_process("task", "decompose", "nfl_scoring", "A 3, B 0", "--split", "dev")
    assert done.returncode == 2
    assert "--split goes with --statements" in done.stderr
    done = in_process("task", "queries", "nfl_scoring", "--split", "dev")
    assert done.returncode == 2
    assert "--split goes with a TASK" in done.stderr
