"""The curves of a training: what is drawn, and that equal trainings draw alike."""

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from readmark.comprehension.span.curves import lines_of, write_curves

EPOCHS: list[dict[str, Any]] = [
    {"number": 1, "loss": 3.5, "seconds": 1.0, "marks": {"held f1": 20.0}},
    {"number": 2, "loss": 2.5, "seconds": 1.0, "marks": {"held f1": 40.0, "试卷 em": 5.0}},
]


def test_a_line_has_a_value_an_epoch() -> None:
    panels = lines_of(EPOCHS)
    assert panels["loss"] == {"loss": [3.5, 2.5]}
    assert panels["marks"]["held f1"] == [20.0, 40.0]
    assert math.isnan(panels["marks"]["试卷 em"][0])
    assert panels["marks"]["试卷 em"][1] == 5.0
    unmarked = [{**epoch, "marks": {}} for epoch in EPOCHS]
    assert list(lines_of(unmarked)) == ["loss"]


def test_the_picture_names_its_lines_and_is_the_same_again(tmp_path: Path) -> None:
    for name in ("one.svg", "other.svg"):
        write_curves(EPOCHS, tmp_path / name)
    picture = (tmp_path / "one.svg").read_bytes()
    assert picture == (tmp_path / "other.svg").read_bytes()
    texts = {text.strip() for text in ElementTree.fromstring(picture).itertext()}
    assert {"loss", "marks", "held f1", "试卷 em", "epoch", "1", "2"} <= texts
