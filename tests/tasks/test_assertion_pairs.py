"""Annotated statements as pairs of an assertion and its text."""

from pathlib import Path

from readmark.tasks.assertion_pairs import assertion_pairs
from readmark.tasks.task_folder import gather
from task_files import OTTERS, write_task


def test_annotated_statements_come_as_pairs(tmp_path: Path) -> None:
    pairs = list(assertion_pairs(gather(write_task(tmp_path / "task")).package))
    assert [(pair.assertion, pair.text, pair.document, pair.split) for pair in pairs] == [
        ("(Game-1 hasOvertimePlay true)", "in overtime", "otters", "train"),
        ("(Game-1 winner Otters)", "The Otters beat the Herons", "otters", "train"),
    ]
    assert pairs[1].object == ("The Otters",)
    assert pairs[1].annotator == "ida"
    for pair in pairs:
        for excerpt in pair.excerpts:
            assert OTTERS[excerpt.start : excerpt.end] == excerpt.quote
