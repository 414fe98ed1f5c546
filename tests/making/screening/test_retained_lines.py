"""Kept passages that wait for their header: the file is the one that the native format writes."""

from pathlib import Path

import pytest

from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.making.screening.retained_lines import RetainedLines

RECORDS = [Passage(id=f"p{at}", text=f"河边有{at}只船。\n天黑了。") for at in range(7)]
HEADER = Header(name="boats", language="zh", fields={"screening": {"kept": 4}})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1]),
        ([1, 0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 1, 1]),
        ([1, 0, 1, 1, 0, 1, 1], [1, 0, 0, 1, 0, 1, 0]),
        ([0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]),
    ],
)
@pytest.mark.parametrize("name", ["kept.jsonl", "kept.jsonl.gz"])
def test_the_file_is_that_of_the_native_format(
    tmp_path: Path, name: str, before: list[int], after: list[int]
) -> None:
    with RetainedLines(tmp_path) as lines:
        for at in range(0, len(RECORDS), 3):
            lines.extend(RECORDS[at : at + 3], before[at : at + 3])
        lines.write(tmp_path / name, HEADER, bytearray(after))
    retained = [record for record, stays in zip(RECORDS, after, strict=True) if stays]
    (tmp_path / "by").mkdir()
    save_test(in_memory(HEADER, retained), tmp_path / "by" / name)
    assert (tmp_path / name).read_bytes() == (tmp_path / "by" / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["by", name]
