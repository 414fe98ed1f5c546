"""Examples never give away what is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.comprehension.kind import COMPREHENSION
from readmark.comprehension.prompts import PASSAGES
from readmark.core.errors import DataError
from readmark.core.records import Unit
from readmark.formats.registry import open_test
from readmark.llm.answers import asking_prompt
from readmark.llm.shots import Shots
from readmark.series.kind import SERIES
from readmark.series.prompts import SERIES_FORM


def passage(id: str, text: str, question: str, answer: str, **more: Any) -> dict[str, Any]:
    key = {"answers": [{"text": answer}]}
    questions = [{"id": f"{id}q", "text": question, "key": key}]
    return {"id": id, "split": "train", "text": text, "questions": questions, **more}


def series(id: str, target: str, question: str, rewrite: str) -> dict[str, Any]:
    key = {"rewrites": [{"text": rewrite}]}
    questions = [{"id": f"{id}q", "text": question, "key": key}]
    return {"id": id, "split": "train", "target": target, "questions": questions}


def written(path: Path, kind: str, *records: dict[str, Any]) -> Path:
    header = {"readmark": 1, "kind": kind, "language": "en"}
    path.write_text("\n".join(map(json.dumps, (header, *records))), "utf-8")
    return path


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    return written(
        tmp_path / "pool.jsonl",
        "comprehension",
        passage("p1", "Ann sang. It rained.", "Who sang?", "Ann"),
        passage("p2", "Bob slept. It snowed.", "Who slept?", "Bob"),
        passage("p3", "Cy ran. It froze.", "Who ran?", "Cy"),
    )


def units(path: Path, *, without: str | None = None) -> dict[str, Unit]:
    test = open_test(path)
    found: dict[str, Unit] = {}
    for record in test.records():
        paper = test.kind.paper(record)
        left = test.kind.leave_out(paper, without) if without else paper
        found |= {one.id: one for one in test.kind.units(left)}
    return found


def said(shots: Shots, unit: Unit, name: str = "span") -> str:
    prompt = asking_prompt("", name, "en", SERIES_FORM if name == "rewrite" else PASSAGES)
    return "\n".join(one.content for one in shots.messages(unit, prompt, "en"))


@pytest.mark.parametrize("without", [None, "passage", "question"])
@pytest.mark.parametrize("seed", range(4))
def test_a_unit_of_the_pool_is_no_example_for_itself(
    pool: Path, without: str | None, seed: int
) -> None:
    shots = Shots(str(pool), 2, seed)
    for id, unit in units(pool, without=without).items():
        shown = said(shots, unit)
        own = {"p1q": "Ann", "p2q": "Bob", "p3q": "Cy"}
        assert own[id] not in shown
        assert all(other in shown for one, other in own.items() if one != id)
        assert ("It " in shown) is (without != "passage")
        assert ("Who " in shown) is (without != "question")


def test_by_the_question_where_all_names_differ(pool: Path, tmp_path: Path) -> None:
    copy = written(
        tmp_path / "copy.jsonl",
        "comprehension",
        passage("other", "Something else.", "who  sang", "x"),
    )
    (unit,) = units(copy, without="passage").values()
    assert "Ann" not in said(Shots(str(pool), 2, 1), unit)
    with pytest.raises(DataError, match="too few examples"):
        said(Shots(str(pool), 3, 1), unit)


def test_by_the_side_of_a_parallel_corpus(tmp_path: Path) -> None:
    pool = written(
        tmp_path / "pool.jsonl",
        "comprehension",
        passage("e1", "Ann sang.", "Who sang?", "Ann", parallel="one"),
        passage("e2", "Bob slept.", "Who slept?", "Bob", parallel="two"),
    )
    copy = written(
        tmp_path / "copy.jsonl",
        "comprehension",
        passage("z1", "安唱了歌。", "谁唱了歌？", "安", parallel="one"),
    )
    (unit,) = units(copy).values()
    assert "Ann" not in said(Shots(str(pool), 1, 1), unit)


@pytest.mark.parametrize("without", [None, "target"])
def test_series(tmp_path: Path, without: str | None) -> None:
    pool = written(
        tmp_path / "pool.jsonl",
        "series",
        series("s1", "the Rye mill", "Who built it?", "Who built the Rye mill?"),
        series("s2", "the Elm bridge", "How long is it?", "How long is the Elm bridge?"),
    )
    shots = Shots(str(pool), 1, 1)
    for id, unit in units(pool, without=without).items():
        shown = said(shots, unit, "rewrite")
        assert ("Rye" in shown, "Elm" in shown) == (id != "s1q", id != "s2q")
        assert ("Target: the" in shown) is (without is None)


def test_both_kinds_can_leave_out_what_examples_are_left_without() -> None:
    assert COMPREHENSION.parts == ("passage", "question")
    assert SERIES.parts == ("target", "question")
