"""Files of passages for clozes, whole and damaged."""

import lzma
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.formats.registry import open_test
from training.span.clozes.__main__ import make_test
from training.span.clozes.articles import read_articles

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


def test_passages_become_a_test(tmp_path: Path) -> None:
    passages, out = tmp_path / "passages.xz", tmp_path / "clozes.jsonl"
    line = LINE.strip("\n") + "\tThe mill stood in the north in 1890.\n"
    passages.write_bytes(lzma.compress((line * 3).encode()))
    make_test(passages, out, language="en", a_passage=2, limit=2)
    units = list(open_test(out).units())
    assert units
    for unit in units:
        (answer,) = unit.item.key.answers
        assert unit.record.text[answer.start :].startswith(answer.text)
