"""Files of passages for clozes, whole and damaged."""

import lzma
from pathlib import Path

import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.clozes.packing import read_articles
from readmark.core.errors import DataError

LINE = "The mill\tThe mill stands in the north.\tAnna keeps 12 goats there.\n"


def test_a_line_is_a_title_and_sentences(tmp_path: Path) -> None:
    path = tmp_path / "passages.xz"
    path.write_bytes(lzma.compress(("no sentences\n" + LINE).encode()))
    (found,) = read_articles(path)
    assert found.title == "The mill"
    assert found.sentences == ("The mill stands in the north.", "Anna keeps 12 goats there.")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lzma.compress(LINE.encode() * 9)[:-20], "cannot be read as passages"),
        (LINE.encode(), "cannot be read as passages"),
        (lzma.compress(b"\xff\xfe\t\t"), "cannot be read as passages"),
        (lzma.compress(b""), "has no passages"),
        (lzma.compress(b"no tabs\nhere\n"), "has no passages"),
    ],
)
def test_a_file_that_is_none_is_told_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "passages.xz"
    path.write_bytes(data)
    with pytest.raises(DataError, match=f"passages.xz {said}") as told:
        read_articles(path)
    assert "\n" not in str(told.value)
