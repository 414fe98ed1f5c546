"""An output is never an input, nor another output, by whatever path it is named."""

from pathlib import Path

import pytest

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError


def test_an_output_that_is_an_input_is_refused(tmp_path: Path) -> None:
    test, link = tmp_path / "test.jsonl", tmp_path / "link.jsonl"
    test.write_text("x")
    link.symlink_to(test)
    for path in (test, link, tmp_path / "." / "test.jsonl"):
        with pytest.raises(UsageError, match="is what is being read"):
            require_distinct_files([path], [None, test])
    require_distinct_files([tmp_path / "other.jsonl", None], [test])


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="written twice"):
        require_distinct_files([tmp_path / "a", tmp_path / "b", str(tmp_path / "a")])


def test_outputs_are_the_same_file_by_whatever_name(tmp_path: Path) -> None:
    written, link, hard = tmp_path / "a", tmp_path / "link", tmp_path / "hard"
    written.write_text("x")
    link.symlink_to(written)
    hard.hardlink_to(written)
    for other in (link, hard, tmp_path / "folder" / ".." / "a", written.as_uri()):
        with pytest.raises(UsageError, match="written twice"):
            require_distinct_files([written, other])
    new = tmp_path / "new"
    for other in (tmp_path / "folder" / ".." / "new", new.as_uri()):
        with pytest.raises(UsageError, match="written twice"):
            require_distinct_files([new, other])


def test_an_address_is_not_written_over_while_it_is_read() -> None:
    with pytest.raises(UsageError, match="is what is being read"):
        require_distinct_files(["s3://bucket/test/"], ["s3://bucket/test"])
    require_distinct_files(["s3://bucket/other"], ["s3://bucket/test", "test"])
