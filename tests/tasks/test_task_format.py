"""A task package as a test: queries on documents, keyed where there is gold."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test
from readmark.tasks.packer import pack
from readmark.tasks.records import Solution
from readmark.tasks.task_folder import gather
from task_files import ANSWERS, OTTERS, lines, write_task


def packed(folder: Path, changed: dict[str, str | bytes | None] | None = None) -> Path:
    pack(gather(write_task(folder / "made", changed)), folder / "packed")
    return folder / "packed"


@pytest.mark.parametrize("suffix", ["", ".zip"])
def test_every_query_is_a_unit_on_every_document_that_it_is_asked_on(
    suffix: str, tmp_path: Path
) -> None:
    output = tmp_path / f"task{suffix}"
    pack(gather(write_task(tmp_path / "made")), output)
    test = open_test(output)
    assert (test.kind.name, test.header.name, test.language) == ("task", "League", "en")
    assert test.header.hidden == ("test",)
    assert test.header.fields["phase"] == "1"
    assert test.header.fields["preparation"] == {"hours": 3}
    assert [unit.id for unit in test.units()] == [
        "gulls:periods",
        "otters:periods",
        "otters:winner",
    ]
    units = {unit.id: unit for unit in test.units()}
    assert units["otters:periods"].record.text == OTTERS
    assert units["otters:periods"].field("split") == "train"
    assert units["otters:periods"].field("property") == "numberOfPeriods"
    assert units["otters:periods"].key.solutions == (
        Solution(
            values={"G": "Game-1", "N": 5},
            inferred=True,
            excerpts=(Excerpt("otters", 36, 44, "overtime"),),
        ),
    )
    assert units["gulls:periods"].key.solutions == ()  # completely annotated: there is none
    assert list(check(str(output))) == []


def test_without_gold_there_is_no_key(tmp_path: Path) -> None:
    output = tmp_path / "public"
    pack(gather(write_task(tmp_path / "made")), output, public=True)
    keys = {unit.id: unit.key is not None for unit in open_test(output).units()}
    assert keys == {"gulls:periods": False, "otters:periods": True, "otters:winner": True}


def test_verdicts_are_kept_apart(tmp_path: Path) -> None:
    rows = [
        ANSWERS[0],
        ANSWERS[0] | {"values": {"G": "Game-1", "N": 4}, "verdict": "wrong", "by": "eva"},
        ANSWERS[0] | {"values": {"G": "Game-9", "N": 4}, "verdict": "out_of_bounds"},
    ]
    test = open_test(packed(tmp_path, {"answers.train.jsonl": lines(rows)}))
    [key] = [unit.key for unit in test.units() if unit.id == "otters:periods"]
    assert [one.values["N"] for one in key.solutions] == [5]
    assert [(one.values["N"], one.by) for one in key.rejected] == [(4, "eva")]
    assert [one.values["G"] for one in key.out_of_bounds] == ["Game-9"]


def test_a_changed_document_is_not_sat(tmp_path: Path) -> None:
    folder = packed(tmp_path)
    document = folder / "documents/train/otters.txt"
    document.write_text(OTTERS.replace("20", "21"), encoding="utf-8")
    with pytest.raises(DataError, match="changed: the document is not the one that was packed"):
        list(open_test(folder).units())
    assert [one.code for one in check(str(folder))] == ["changed"]


def test_gold_that_grows_leaves_the_paper_as_it_was(tmp_path: Path) -> None:
    before = open_test(packed(tmp_path / "a")).facts
    after = open_test(packed(tmp_path / "b", {"answers.train.jsonl": lines(ANSWERS[:1])})).facts
    assert before.paper == after.paper
    assert before.key != after.key


def test_a_task_is_kept_whole_in_a_native_file(tmp_path: Path) -> None:
    test = open_test(packed(tmp_path))
    save_test(test, tmp_path / "task.jsonl")
    native = open_test(tmp_path / "task.jsonl")
    assert list(native.records()) == list(test.records())
    assert (native.facts.paper, native.facts.key) == (test.facts.paper, test.facts.key)


def test_a_bad_verdict_and_a_bad_line_are_reported(tmp_path: Path) -> None:
    rows = lines([ANSWERS[0] | {"verdict": "perhaps"}]) + "{"
    folder = packed(tmp_path, {"answers.train.jsonl": rows})
    found = [(one.where, one.code) for one in check(str(folder))]
    assert found == [(1, "schema"), (2, "json")]
