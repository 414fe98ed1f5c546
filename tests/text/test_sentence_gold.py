"""The sentence rules on texts that were labelled before the rules were written."""

from pathlib import Path

import pytest

from readmark.core.records import Offsets
from readmark.text.sentences import sentences

GOLD = Path(__file__).parent / "gold"
Labelled = tuple[str, list[Offsets]]


def labelled(language: str) -> list[Labelled]:
    """Each text with its sentences: ‖ ends one, ⏎ is a line break."""
    found = []
    for line in (GOLD / f"sentences.{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        spans, at = [], 0
        for piece in line.replace("⏎", "\n").split("‖"):
            start, end = at + len(piece) - len(piece.lstrip()), at + len(piece.rstrip())
            at += len(piece)
            spans += [(start, end)] if start < end else []
        found.append((line.replace("⏎", "\n").replace("‖", ""), spans))
    return found


def f1(language: str, half: list[Labelled]) -> float:
    """F1 of whole sentences."""
    shared = found = gold = 0
    for text, spans in half:
        own = sentences(text, language)
        shared += len(set(own) & set(spans))
        found += len(own)
        gold += len(spans)
    return 200 * shared / (found + gold)


@pytest.mark.parametrize(
    ("language", "items", "developed", "held"), [("en", 46, 93, 94), ("zh", 34, 99, 88)]
)
def test_labelled_sentences(language: str, items: int, developed: int, held: int) -> None:
    gold = labelled(language)
    assert len(gold) == items
    assert f1(language, gold[0::2]) >= developed
    assert f1(language, gold[1::2]) >= held


WRAPPED = (
    "The ferry crosses the sound at eight in the morning and then again at\n"
    "Noon. Nobody on the island of\n"
    "Vega would miss it.\n"
    "\n"
    "Timetable\n"
    "1. Weekdays at eight\n"
    "2. Sundays at ten\n"
)


def test_a_wrapped_line_goes_on_and_a_short_one_ends() -> None:
    assert [WRAPPED[start:end].replace("\n", " ") for start, end in sentences(WRAPPED, "en")] == [
        "The ferry crosses the sound at eight in the morning and then again at Noon.",
        "Nobody on the island of Vega would miss it.",
        "Timetable",
        "1. Weekdays at eight",
        "2. Sundays at ten",
    ]


def test_wrapped_chinese_lines_go_on() -> None:
    line = "渡轮每天早上八点开船，中午再开一次，岛上的人都靠它去镇里"
    text = f"{line}\n买东西。\n时刻表\n周末停航"
    assert [text[start:end] for start, end in sentences(text, "zh")] == [
        f"{line}\n买东西。",
        "时刻表",
        "周末停航",
    ]


@pytest.mark.parametrize(
    "text",
    ["(。)" * 9000, "《" * 30000, "“？”" * 9000, "1.\n" * 9000, "碧.海." * 9000, "A B. " * 9000],
)
def test_hostile_texts_are_done_at_once(text: str) -> None:
    for language in ("en", "zh"):
        spans = sentences(text, language)
        assert "".join(text[start:end] for start, end in spans).split() == text.split() or spans
