"""Where passages may be written."""

from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.making.sources.article_names import name_without_kind
from readmark.making.sources.build import TextSettings, build
from readmark.making.sources.outputs import incomplete_path, require_writable


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", "a"),
        ("AA/v1.0.txt.gz", "AA/v1.0"),
        ("v1.0", "v1.0"),
        ("Mr. Smith.HTML", "Mr. Smith"),
        ("wiki_00.bz2", "wiki_00"),
        ("a.b.jsonl.zst", "a.b"),
        (".txt", ".txt"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert name_without_kind(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p.jsonl", "p.incomplete.jsonl"),
        ("v1.0.jsonl.gz", "v1.0.incomplete.jsonl.gz"),
        ("p", "p.incomplete"),
    ],
)
def test_a_part_never_takes_the_place_of_a_whole(tmp_path: Path, name: str, expected: str) -> None:
    output = tmp_path / name
    assert incomplete_path(str(output)) == str(output)
    output.touch()
    assert incomplete_path(str(output)) == str(tmp_path / expected)


def test_refused(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.touch()
    require_writable([str(source)], ["-"])
    with pytest.raises(UsageError, match="- is to be written twice"):
        require_writable([str(source)], ["-", "-"])
    with pytest.raises(UsageError, match="in the folder that is being read"):
        require_writable([str(tmp_path)], [str(source)])
    with pytest.raises(UsageError, match="what is being read"):
        require_writable([str(source)], [str(source)])
    with pytest.raises(DataError, match="no such folder"):
        require_writable([str(source)], [str(tmp_path / "no" / "p.jsonl")])
    with pytest.raises(DataError, match=r"b\.txt: no such file"):
        require_writable([str(source), str(tmp_path / "b.txt")], ["-"])


def test_a_broken_source_ends_it_where_it_is(tmp_path: Path) -> None:
    """Not after the sources that follow, which would be taken for what came before it."""
    empty, good = tmp_path / "empty.txt", tmp_path / "good.txt"
    empty.touch()
    good.write_text("The ferry left at nine. " * 20, "utf-8")
    settings = TextSettings(unit="characters", shortest=50, shortest_article=50)
    out = tmp_path / "out.jsonl"
    with pytest.raises(DataError, match=r"empty\.txt: is empty, expected text"):
        build([str(empty), str(good)], str(out), settings)
    assert not out.exists()
    with pytest.raises(DataError, match=r"empty\.txt: .* 1 passage made before that"):
        build([str(good), str(empty)], str(out), settings)
    assert out.exists()
