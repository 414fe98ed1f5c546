"""Titles, bylines and the marks of lists are no sentences: what formulas and raters read."""

from pathlib import Path

import pytest

from command_line import in_process
from readmark.readability.formulas.chinese import chinese_readability
from readmark.readability.formulas.english import english_readability
from readmark.readability.prose import prose

STORY = (
    "Lanterns hung over the market all summer. When the first storm came, the baker took his\n"
    "down and carried it indoors. It still burns above his oven."
)
FABLE = "灯笼整个夏天都挂在集市上。第一场暴风雨来的时候，面包师把他的那盏取下来，带进了屋里。"


@pytest.mark.parametrize(
    ("head", "left_out"),
    [
        ("The Lanterns of Harbour Street\n\n", ["The Lanterns of Harbour Street"]),
        ("Lanterns\n\n", ["Lanterns"]),
        ("Why lanterns burn all summer\n\n", ["Why lanterns burn all summer"]),
        ("Who Took the Lantern?\n\n", ["Who Took the Lantern?"]),
        ("THE LANTERNS\n", ["THE LANTERNS"]),
        ("# Lanterns\n", ["# Lanterns"]),
        ("The Lanterns\nBy Ada Moreno\n\n", ["The Lanterns", "By Ada Moreno"]),
        (
            "The Lanterns\n\nby Ada Moreno and Li Wei\n\n",
            ["The Lanterns", "by Ada Moreno and Li Wei"],
        ),
        (
            "Storm Ends Market Season\n(HARBOUR, October 26, 1961)\n",
            ["Storm Ends Market Season", "(HARBOUR, October 26, 1961)"],
        ),
        ("The Lanterns\nMarch 3, 2021\n", ["The Lanterns", "March 3, 2021"]),
        (
            "**The Lanterns**\n*By Ada Moreno*\n_3 March 2021_\n\n",
            ["**The Lanterns**", "*By Ada Moreno*", "_3 March 2021_"],
        ),
        ("The Lanterns\n============\n\n", ["The Lanterns", "============"]),
        ("# Lanterns\n\n---\n\n", ["# Lanterns", "---"]),
    ],
)
def test_a_title_and_a_byline_are_left_out(head: str, left_out: list[str]) -> None:
    result = prose(head + STORY)
    assert result.text == STORY
    assert list(result.left_out) == left_out
    assert english_readability(head + STORY) == english_readability(STORY)


@pytest.mark.parametrize(
    ("head", "left_out"),
    [
        ("集市上的灯笼\n\n", ["集市上的灯笼"]),
        ("集市上的灯笼\n作者：王芳\n\n", ["集市上的灯笼", "作者：王芳"]),
        ("集市上的灯笼\n2021年3月5日\n", ["集市上的灯笼", "2021年3月5日"]),
    ],
)
def test_a_chinese_title_and_byline_are_left_out(head: str, left_out: list[str]) -> None:
    result = prose(head + FABLE)
    assert (result.text, list(result.left_out)) == (FABLE, left_out)
    assert chinese_readability(head + FABLE) == chinese_readability(FABLE)


def test_a_heading_inside_a_text_is_left_out() -> None:
    first, second = STORY, "The lamp makers came back in spring. They brought new glass."
    result = prose(f"{first}\n\nAfter the storm\n\n{second}")
    assert result.left_out == ("After the storm",)
    assert result.text == f"{first}\n\n\n{second}"


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "1. ", "(1) "])
def test_the_marks_of_a_list_are_no_words(mark: str) -> None:
    steps = ["Light the lamp.", "Close the glass.", "Hang it up."]
    marks = [mark.replace("1", str(number)) for number in (1, 2, 3)]
    listed = "\n".join(begin + step for begin, step in zip(marks, steps, strict=True))
    assert prose(listed).text == "\n".join(steps)
    assert prose(listed).left_out == ()


def test_items_that_are_no_sentences_are_left_out_unless_they_are_most_of_the_text() -> None:
    items = ["- two candles", "- a sheet of red paper", "- some string"]
    result = prose(f"{STORY}\n\n" + "\n".join(items))
    assert result.left_out == tuple(items)
    assert prose("You need:\n" + "\n".join(items)).text == (
        "You need:\ntwo candles\na sheet of red paper\nsome string"
    )


@pytest.mark.parametrize(
    "text",
    [
        STORY,
        FABLE,
        "The Lanterns of Harbour Street",
        "The lamp burns low\nand the night is long,\nand nobody comes\nto hear the song.",
        '"Gong! Gong! Gong!"\n\nThe clock struck three.',
        "Gong! Gong! Gong!\n\nThe clock struck three.",
        "J. Moreno lit the lamp.\n\nIt burned.",
        "- I did not do it, said the boy.\n\nHe ran.",
        "The Royal Geographical\nSociety of London lit\na lamp. It burned all\nnight long.",
        "no stops here\n\nnone here either\n\nit goes on",
        "",
    ],
)
def test_a_text_without_title_or_list_stays_as_it_is(text: str) -> None:
    assert prose(text).text == text
    assert prose(text).left_out == ()


@pytest.mark.parametrize("options", [(), ("--formulas",)])
def test_lines_that_are_left_out_are_named(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(f"The Lanterns\nBy Ada Moreno\n\n{STORY}")
    result = in_process("rate", str(tmp_path / "story.txt"), *options, "--json")
    assert "story.txt: 2 lines left out, which are not sentences: The Lanterns; By Ada Moreno" in (
        " ".join(result.stderr.split())
    )
