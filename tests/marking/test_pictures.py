"""Pictures of marks and comparisons: every number is on them, and what cannot be drawn is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import readmark
from command_line import in_process
from made import asked, comprehension, passage
from readmark.core.errors import UsageError
from readmark.core.pictures import picture, plain_axes
from readmark.core.test import Test

FEW = readmark.MarkSettings(draws=20, trials=50)
RIGHT = {"a1": "红水壶", "b1": "小船"}
WRONG = {"a1": "水壶", "b1": "岛"}


def two_passages() -> Test:
    return comprehension(
        passage("a", asked("a1", "红水壶", level=1)),
        passage("b", asked("b1", "小船", level=2)),
        language="zh",
        name="水壶",
    )


def texts(path: Path) -> set[str]:
    """What stands on a picture; in an SVG texts stay texts."""
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8")))


def test_scores_and_slices_are_drawn_with_their_numbers(tmp_path: Path) -> None:
    marks = readmark.mark(two_passages(), WRONG, metrics=["em", "f1"], by=["level"], settings=FEW)
    marks.plot().save(tmp_path / "m.svg")
    shown = texts(tmp_path / "m.svg")
    score = f"{marks['f1'].score:.2f}"
    assert {"em  0.00", f"f1  {score}"} <= shown
    assert any("水壶, by level" in text for text in shown)
    assert {"1  80.00", "2  0.00"} <= shown
    marks.plot().save(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "m.svg").read_bytes()


def test_differences_are_drawn_with_their_sign(tmp_path: Path) -> None:
    compared = readmark.compare(
        two_passages(), RIGHT, WRONG, metrics=["em", "f1"], by=["level"], settings=FEW
    )
    compared.plot().save(tmp_path / "c.svg")
    shown = texts(tmp_path / "c.svg")
    assert any(text.endswith("  -100.00") for text in shown)
    assert any(text.startswith("f1, difference from") for text in shown)
    assert "1  -20.00" in shown
    assert "2  -100.00" in shown


def test_a_sum_has_an_axis_of_its_own(tmp_path: Path) -> None:
    bundled = Path(readmark.__file__).parent / "bundle" / "readability.en.jsonl"
    ratings: dict[str, Any] = {unit.id: 3 for unit in readmark.load(bundled).units()}
    ratings[next(iter(ratings))] = 4
    marks = readmark.mark(
        bundled, ratings, metrics=["proportional_target", "pearson"], settings=FEW
    )
    marks.plot().save(tmp_path / "r.svg")
    assert {"proportional_target", "score"} <= texts(tmp_path / "r.svg")


def test_what_has_no_score_is_not_drawn(tmp_path: Path) -> None:
    bundled = Path(readmark.__file__).parent / "bundle" / "readability.en.jsonl"
    ratings = {unit.id: 3 for unit in readmark.load(bundled).units()}
    marks = readmark.mark(bundled, ratings, metrics=["pearson"], settings=FEW)
    with pytest.raises(UsageError, match="nothing to draw"):
        marks.plot().save(tmp_path / "m.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_character_that_no_font_has_is_one_line(tmp_path: Path) -> None:
    unknown = "\U000f1234"
    with (
        pytest.raises(UsageError, match=re.escape(f"no font of this machine has {unknown!r}")),
        picture(tmp_path / "p.png", 200, unknown) as figure,
    ):
        plain_axes(figure.add_subplot(), unknown)
    assert list(tmp_path.iterdir()) == []


def test_people_are_drawn_one_by_one(tmp_path: Path) -> None:
    bundled = Path(readmark.__file__).parent / "bundle" / "reading.en.jsonl"
    people = readmark.people(bundled, metrics=["f1"], settings=FEW)
    people.plot().save(tmp_path / "p.svg")
    shown = texts(tmp_path / "p.svg")
    for name, marks in people.each.items():
        assert f"{name}  {marks.marks['f1'].score:.2f}" in shown


def test_candidates_are_drawn_side_by_side(tmp_path: Path) -> None:
    both = [
        readmark.mark(two_passages(), answers, metrics=["em", "f1"], settings=FEW)
        for answers in (RIGHT, WRONG)
    ]
    readmark.plot(both).save(tmp_path / "t.svg")
    shown = texts(tmp_path / "t.svg")
    assert {"水壶 EM", "水壶 F1", "answers  100.00", "answers (2)  0.00"} <= shown
    assert [axes.get_xlabel() for axes in readmark.plot(both).axes] == ["EM", "F1"]


def test_a_pdf_has_its_fonts_and_the_same_bytes_again(tmp_path: Path) -> None:
    marks = readmark.mark(
        comprehension(passage("a", asked("a1", "kettle"))), {"a1": "kettle"}, settings=FEW
    )
    picture = marks.plot()
    for name in ("one.pdf", "again.pdf"):
        picture.save(tmp_path / name)
    written = (tmp_path / "one.pdf").read_bytes()
    assert written.startswith(b"%PDF")
    assert b"/Type3" not in written
    assert (tmp_path / "again.pdf").read_bytes() == written


@pytest.mark.command
def test_the_commands_write_pictures(tmp_path: Path) -> None:
    stored = Path(__file__).parents[1] / "stored" / "0.5"
    files = [str(stored / name) for name in ("reading.jsonl", "answers.json", "sitting.jsonl")]
    done = in_process("mark", *files[:2], "--plot", "m.png", cwd=tmp_path)
    assert "m.png written" in done.stderr
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    done = in_process("compare", *files, "--trials", "10", "--plot", "c.svg", cwd=tmp_path)
    assert "c.svg written" in done.stderr
    assert texts(tmp_path / "c.svg")
    for name, sitting in zip(("a", "b"), files[1:], strict=True):
        in_process("mark", files[0], sitting, "-o", f"{name}.jsonl", cwd=tmp_path)
    done = in_process("table", "a.jsonl", "b.jsonl", "--plot", "t.svg", cwd=tmp_path)
    assert "t.svg written" in done.stderr
    assert texts(tmp_path / "t.svg")
    for command in ("mark", *files[:2]), ("compare", *files):
        done = in_process(*command, "--plot", "p.gif", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "ending in .svg or .png or .pdf" in done.stderr
