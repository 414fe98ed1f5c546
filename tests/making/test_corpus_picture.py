"""Types and levels as a picture: what is drawn, in which format, and what is refused."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from readmark.core.errors import UsageError
from readmark.core.pictures import require_picture
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.making.corpus import CorpusTable, corpus_table
from readmark.making.corpus_picture import panels_of, write_plot

HOSTILE = "</svg> $x^2$ & <b>"


def question(id: str, text: str, level: int | None = None) -> Question:
    return Question(id=id, text=text, key=QuestionKey(answers=(Answer(text="x"),), level=level))


def table(name: str, *splits: str | None, level: int | None = None) -> CorpusTable:
    """A who question in every part and a why question in the first."""
    passages = [
        Passage(
            id=f"p{at}", text="x y", split=split, questions=(question(f"q{at}", "Who?", level),)
        )
        for at, split in enumerate(splits)
    ]
    first = passages[0]
    more = Passage(
        id="more", text="z", split=first.split, questions=(question("w", "Why?", level),)
    )
    return corpus_table(in_memory(Header(name=name, language="en"), [*passages, more]))


def texts(svg: bytes) -> list[str]:
    return [
        "".join(element.itertext())
        for element in ET.fromstring(svg).iter()
        if element.tag.endswith("}text")
    ]


def test_a_series_a_split() -> None:
    types, levels = panels_of([table("t", "train", "dev", level=2)])
    assert types.title == "t: question types"
    assert types.values == ("Who", "Why")
    assert types.series == {"train": {"Who": 1, "Why": 1}, "dev": {"Who": 1, "Why": 0}}
    assert (levels.values, levels.series) == (("2",), {"train": {"2": 2}, "dev": {"2": 1}})


def test_a_series_a_test() -> None:
    types, levels = panels_of([table("a", None), table("a", "dev", level=1)])
    assert types.title == "question types"
    assert list(types.series) == ["a (1)", "a (2)"]
    # One test only has levels, and keeps its colour.
    assert list(levels.series) == ["a (2)"]
    assert types.colours["a (2)"] == levels.colours["a (2)"] != types.colours["a (1)"]


def test_svg_says_its_numbers_and_is_the_same_again(tmp_path: Path) -> None:
    tables = [table(HOSTILE, "训练", "dev", level=1)]
    write_plot(tables, tmp_path / "one.svg")
    write_plot(tables, tmp_path / "two.svg")
    svg = (tmp_path / "one.svg").read_bytes()
    assert svg == (tmp_path / "two.svg").read_bytes()
    words = texts(svg)
    assert f"{HOSTILE}: question types" in words
    assert {"Who", "Why", "1 (50.0%)", "1 (100.0%)", "■ 训练 (2)", "■ dev (1)"} <= set(words)


def test_png(tmp_path: Path) -> None:
    write_plot([table("t", None)], tmp_path / "t.PNG")
    assert (tmp_path / "t.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_character_that_no_font_has(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no font of this machine has .*\.svg"):
        write_plot([table("\U000f1234", None)], tmp_path / "t.png")
    assert not (tmp_path / "t.png").exists()


def test_nothing_to_draw(tmp_path: Path) -> None:
    bare = corpus_table(in_memory(Header(language="en"), [Passage(id="p", text="x")]))
    with pytest.raises(UsageError, match="nothing to draw"):
        write_plot([bare], tmp_path / "t.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["t.jpg", "t", "svg"])
def test_names(name: str) -> None:
    with pytest.raises(UsageError, match=r"ending in \.svg or \.png"):
        require_picture(name)
