"""The file that says how texts are put to a network."""

from pathlib import Path

import pytest

from readmark.comprehension.span.shape import SpanShape, read_shape, write_shape
from readmark.core.errors import DataError


def test_a_shape_is_read_back(tmp_path: Path) -> None:
    shape = SpanShape(language="zh", simplify=True, note={"seed": 1})
    write_shape(shape, tmp_path)
    assert read_shape(tmp_path) == shape
    (tmp_path / "span.json").write_text('{"length": "long"}', "utf-8")
    with pytest.raises(DataError, match="damaged"):
        read_shape(tmp_path)
    with pytest.raises(DataError, match="no span reader"):
        read_shape(tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"length": 5}', "length is 5, expected 16 or more"),
        ('{"question": 0}', "question is 0, expected 1 or more"),
        ('{"answer": -2}', "answer is -2, expected 1 or more"),
        ('{"stride": -1}', "stride is -1, expected 0 or more"),
    ],
)
def test_lengths_that_hold_nothing_are_damage(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "span.json").write_text(text, "utf-8")
    with pytest.raises(DataError, match=message):
        read_shape(tmp_path)
