"""Teachers of a span reader: which are refused."""

from pathlib import Path

import pytest

from readmark.comprehension.span.shape import SpanShape, write_shape
from readmark.comprehension.span.teachers import require_teachers
from readmark.core.errors import DataError, UsageError


def test_teachers_are_trained_readers_that_read_in_the_same_order(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no span reader"):
        require_teachers([str(tmp_path)], SpanShape())
    write_shape(SpanShape(), tmp_path)
    with pytest.raises(DataError, match=r"cannot teach: heads.safetensors is missing"):
        require_teachers([str(tmp_path)], SpanShape())
    (tmp_path / "heads.safetensors").write_bytes(b"")
    require_teachers([str(tmp_path)], SpanShape())
    with pytest.raises(UsageError, match="cannot teach: it reads the question first"):
        require_teachers([str(tmp_path)], SpanShape(passage_first=True))
