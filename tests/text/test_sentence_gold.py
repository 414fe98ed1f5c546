"""The sentence rules on texts that were labelled before the rules were written, and on wraps."""

from pathlib import Path

import pytest

from readmark.core.records import Offsets
from readmark.text.sentences import sentences

GOLD = Path(__file__).parent / "gold"
Labelled = tuple[str, list[Offsets]]


def labelled(language: str) -> list[Labelled]:
    """Each text with its sentences: ‖ ends one, ⏎ is a line break."""
    texts = []
    for line in (GOLD / f"sentences.{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        spans, offset = [], 0
        for piece in line.replace("⏎", "\n").split("‖"):
            start = offset + len(piece) - len(piece.lstrip())
            end = offset + len(piece.rstrip())
            offset += len(piece)
            spans += [(start, end)] if start < end else []
        texts.append((line.replace("⏎", "\n").replace("‖", ""), spans))
    return texts


def f1(language: str, half: list[Labelled]) -> float:
    """F1 of whole sentences."""
    shared = split = gold = 0
    for text, gold_spans in half:
        spans = sentences(text, language)
        shared += len(set(spans) & set(gold_spans))
        split += len(spans)
        gold += len(gold_spans)
    return 200 * shared / (split + gold)


@pytest.mark.parametrize(
    ("language", "count", "developed_on", "held_back"), [("en", 46, 93, 94), ("zh", 34, 99, 88)]
)
def test_f1_on_labelled_sentences(
    language: str, count: int, developed_on: int, held_back: int
) -> None:
    """The rules were developed on one half of the texts; the other was held back."""
    gold = labelled(language)
    assert len(gold) == count
    assert f1(language, gold[0::2]) >= developed_on
    assert f1(language, gold[1::2]) >= held_back


WRAPPED = (
    "The ferry crosses the sound at eight in the morning and then again at\n"
    "Noon. Nobody on the island of\n"
    "Vega would miss it.\n"
    "\n"
    "Timetable\n"
    "1. Weekdays at eight\n"
    "2. Sundays at ten\n"
)


def test_wrapped_line_goes_on_and_a_short_one_ends() -> None:
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
def test_hostile_text_is_covered_by_its_sentences(text: str) -> None:
    """Each would take minutes if what encloses or numbers were sought again from every stop."""
    for language in ("en", "zh"):
        spans = sentences(text, language)
        covered = "".join(text[start:end] for start, end in spans)
        assert "".join(covered.split()) == "".join(text.split())
