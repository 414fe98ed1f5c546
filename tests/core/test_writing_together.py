"""Several files: all of them take their names, or none does."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.outputs import writing_together
from readmark.core.writing import writing


def left(folder: Path) -> dict[str, str]:
    return {one.name: one.read_text() for one in folder.iterdir() if one.is_file()}


def test_they_take_their_names_at_the_end(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("old")
    one.chmod(0o640)
    with writing_together([one, two]) as parts:
        for part in parts:
            with writing(part) as stream:
                stream.write(b"new")
        assert one.read_text() == "old"
        assert not two.exists()
    assert left(tmp_path) == {"one.txt": "new", "two.txt": "new"}
    assert one.stat().st_mode & 0o777 == 0o640


def test_none_is_written_when_one_fails(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("old")

    def work() -> None:
        with writing_together([tmp_path / "one.txt", tmp_path / "two.txt"]) as (one, two):
            one.write_text("new")
            two.write_text("half")
            raise DataError("no good", file=two, where=3)

    with pytest.raises(DataError, match=r"two\.txt:3: no good"):
        work()
    assert left(tmp_path) == {"one.txt": "old"}


@pytest.mark.parametrize(
    ("name", "line"),
    [("folder", "is a directory"), ("none/two.txt", r"two\.txt: cannot be written")],
)
def test_a_place_that_is_none_is_told_first(tmp_path: Path, name: str, line: str) -> None:
    (tmp_path / "folder").mkdir()
    with (
        pytest.raises(DataError, match=line),
        writing_together([tmp_path / "one.txt", tmp_path / name]),
    ):
        pytest.fail("the work was begun")
    assert left(tmp_path) == {}


def test_names_suffixes_and_links(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    long = "字" * 70 + ".jsonl.gz"
    with writing_together([tmp_path / "link.txt", tmp_path / long]) as (one, two):
        assert two.suffixes[-2:] == [".jsonl", ".gz"]
        one.write_text("new")
        two.write_text("packed")
    assert (tmp_path / "link.txt").is_symlink()
    assert left(tmp_path) == {"real.txt": "new", "link.txt": "new", long: "packed"}


def test_a_new_folder_may_be_one_of_them(tmp_path: Path) -> None:
    with writing_together([tmp_path / "many"]) as (part,):
        part.mkdir()
        (part / "a.txt").write_text("a")
    assert left(tmp_path / "many") == {"a.txt": "a"}
    assert [one.name for one in tmp_path.iterdir()] == ["many"]
