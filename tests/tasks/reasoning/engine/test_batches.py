"""A file of quads in batches: the same as at once, whatever the order of its lines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.batches import infer_batches
from readmark.tasks.reasoning.engine.quads import infer_quads
from readmark.tasks.reasoning.rules.parser import parse_rules
from reasoning_files import OVERTIME

OWN = "urn:readmark:names#"
TRUE = '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'
FOUR = '"4"^^<http://www.w3.org/2001/XMLSchema#integer>'
SIZE = 600


def lines(games: int = 40) -> list[str]:
    quads = []
    for number in range(games):
        graph = f"<urn:readmark:document:d{number}> ."
        quads.append(f"<{OWN}G{number}> <{OWN}hasOvertimePlay> {TRUE} {graph}\n")
        quads.append(f'<{OWN}G{number}> <{OWN}label> "two words" {graph}\n')
        if number % 5 == 0:
            quads.append(f"<{OWN}G{number}> <{OWN}numberOfPeriods> {FOUR} {graph}\n")
    return quads


def write(tmp_path: Path, quads: list[str]) -> Path:
    file = tmp_path / "games.nq"
    file.write_text("".join(quads), "utf-8")
    return file


def infer_all(file: Path, size: int) -> tuple[int, set[object], set[object]]:
    """How many batches, what was derived, and what contradicts."""
    count, derived, broken = 0, set(), set()
    for inference in infer_batches(file, parse_rules(OVERTIME), size=size):
        count += 1
        derived |= {(each.graph, each.statement) for each in inference.derived()}
        broken |= {(each.graph, str(each.bindings)) for each in inference.contradictions()}
    return count, derived, broken


def shuffled(quads: list[str]) -> list[str]:
    random.Random(1).shuffle(quads)
    return quads


@pytest.mark.parametrize(
    "quads",
    [
        pytest.param(lines(), id="in one piece each"),
        pytest.param(shuffled(lines()), id="scattered"),
        pytest.param(
            [part for line in lines() for part in ("# a remark\n", line, "\n")], id="remarks"
        ),
        pytest.param([*lines()[:-1], lines()[-1].rstrip("\n")], id="no last line end"),
        pytest.param([line.replace("\n", "\r\n") for line in lines()], id="CRLF"),
    ],
)
def test_batches_are_the_whole(tmp_path: Path, quads: list[str]) -> None:
    file = write(tmp_path, quads)
    count, derived, broken = infer_all(file, SIZE)
    assert count > 3
    with infer_quads(file, parse_rules(OVERTIME)) as whole:
        assert derived == {(each.graph, each.statement) for each in whole.derived()}
        assert broken == {(each.graph, str(each.bindings)) for each in whole.contradictions()}
    assert (len(derived), len(broken)) == (32, 8)


@pytest.mark.parametrize(
    "more",
    [
        f"<{OWN}a> <{OWN}p> <{OWN}b> .\n",
        f'<{OWN}a> <{OWN}p> "a b" .\n',
        f'<{OWN}a> <{OWN}p> "<x:y>" .\n',
    ],
)
def test_triples_without_a_graph_are_one_batch(tmp_path: Path, more: str) -> None:
    count, derived, _ = infer_all(write(tmp_path, [*lines(), more]), SIZE)
    assert (count, len(derived)) == (1, 32)


def test_what_must_be_read_as_a_whole(tmp_path: Path) -> None:
    theory, file = parse_rules(OVERTIME), write(tmp_path, lines())
    assert sum(1 for _ in infer_batches(file, theory, size=SIZE, whole=[f"{OWN}label"])) == 1


@pytest.mark.parametrize("scattered", [False, True])
def test_a_fault_has_its_place_in_the_file(tmp_path: Path, scattered: bool) -> None:
    quads = shuffled(lines()) if scattered else lines()
    quads[70] = quads[70].replace(f"<{OWN}G", f"<{OWN}<G", 1)
    with pytest.raises(DataError) as caught:
        infer_all(write(tmp_path, quads), SIZE)
    assert str(caught.value).startswith(f"{tmp_path / 'games.nq'}:71:")
