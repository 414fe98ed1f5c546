"""What a candidate learnt from: known again however it is written or cut, and nothing else."""

from pathlib import Path
from random import Random

import pytest

import readmark
from readmark.core.seen import seen_by
from readmark.formats.registry import open_test
from readmark.text.fingerprints import ByScript
from readmark.text.script import simplified
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import recorded_in

SYLLABLES = [first + last for first in "bdklm" for last in "aeiou"]
HAN = "山水風車橋梁鐘樓漁船村鎮市集茶館書院石碑銅像城牆河岸農田果園學校工廠鐵路煤礦港口燈塔"
"""Characters of which made-up passages consist; traditional ones among them."""


def english_passage(seed: int, length: int = 120) -> str:
    draw = Random(seed)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))) for _ in range(length)]
    lines = (" ".join(words[index : index + 12]).capitalize() for index in range(0, length, 12))
    return ". ".join(lines) + "."


def chinese_passage(seed: int, length: int = 200) -> str:
    text = "".join(Random(seed).choices(HAN, k=length))
    return "，".join(text[index : index + 14] for index in range(0, length, 14)) + "。"


def record_of(*texts: str) -> TrainingRecord:
    return TrainingRecord(sources=(make_source("lessons", texts),))


PASSAGES = [english_passage(seed) for seed in range(40)]
PASSAGES += [chinese_passage(seed) for seed in range(40)]
RECORD = record_of(*PASSAGES)


def to_full_width(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


@pytest.mark.parametrize(
    "change",
    [
        str,
        str.upper,
        simplified,
        to_full_width,
        lambda text: text.replace(" ", "\n").replace("，", " 、"),
        lambda text: text.replace(".", " -- ").replace("，", ""),
        lambda text: f"{text[: len(text) // 3]} [12] {text[len(text) // 3 :]}",
    ],
    ids=["same", "case", "script", "width", "white space", "punctuation", "inserted"],
)
def test_passages_are_known_again(change: object) -> None:
    assert callable(change)
    missed = [text for text in PASSAGES if not RECORD.sources_of(change(text))]
    assert missed == []


def test_parts_are_known_again() -> None:
    """What is cut from a passage, from 175 letters or 83 Han characters on."""
    parts = [text[start : start + 400] for text in PASSAGES[:40] for start in (0, 77, 150)]
    parts += [text[start : start + 90] for text in PASSAGES[40:] for start in (0, 33, 77)]
    assert [part for part in parts if not RECORD.sources_of(part)] == []


def test_joined_passages_are_known_again() -> None:
    assert RECORD.sources_of(PASSAGES[0] + "\n" + PASSAGES[1]) == ("lessons",)


def test_passage_of_which_less_than_half_was_seen_is_not_flagged() -> None:
    assert RECORD.sources_of(PASSAGES[0][:150] + english_passage(1000, 200)) == ()


def test_unseen_passages_are_not_flagged() -> None:
    """2,000 passages of the same syllables and characters; about 1 in 1,000,000 is expected."""
    unseen = [english_passage(1000 + seed, 60) for seed in range(1000)]
    unseen += [chinese_passage(1000 + seed, 100) for seed in range(1000)]
    assert [text for text in unseen if RECORD.sources_of(text)] == []


@pytest.mark.parametrize("text", ["A short text of its own.", "钟楼。", "Ja", "山"])
def test_short_texts_are_known_whole(text: str) -> None:
    record = record_of(text)
    assert record.sources_of(text) == ("lessons",)
    assert record.sources_of(f"{text} and quite another thing that was never there") == ()


def test_text_without_letters_is_never_seen() -> None:
    assert record_of("", "…!").sources_of("…!") == ()


def test_source_is_named() -> None:
    sources = [make_source(name, [text]) for name, text in zip("ab", PASSAGES, strict=False)]
    record = TrainingRecord(sources=tuple(sources))
    assert record.sources_of(PASSAGES[1]) == ("b",)


def test_larger_windows_make_smaller_records() -> None:
    small, large = (
        make_source("x", PASSAGES, window=window)
        for window in (ByScript(128, 256), ByScript(16, 32))
    )
    assert len(small.filter) < len(large.filter) / 3


@pytest.mark.parametrize(
    ("file", "model", "seen"),
    [
        ("drcd/dev.json.gz", "comprehension/span/weights/zh", 1000),
        ("cmrc2018/trial.json", "comprehension/span/weights/zh", 0),
        ("xquad/zh.json", "comprehension/span/weights/zh", 0),
        ("xquad/en.json", "comprehension/span/weights/en", 0),
        ("drcd/dev.json.gz", "comprehension/evidence/data/ranker.json", 0),
        ("xquad/zh.json", "readability/raters/data/chinese.json", 145),
    ],
)
def test_shipped_records_on_public_tests(shared: Path, file: str, model: str, seen: int) -> None:
    """Hits and false alarms of the models that ship."""
    record = recorded_in(Path(readmark.__file__).parent / model)
    assert record is not None
    texts = [passage.text for passage in open_test(shared / "data" / file).records()]
    assert sum(bool(record.sources_of(text)) for text in texts) == seen


def test_candidate_that_ships_is_not_flagged_on_a_bundled_test() -> None:
    test = Path(readmark.__file__).parent / "bundle" / "reading.zh.jsonl"
    sitting = readmark.sit(test, "evidence(encoder=false)")
    assert seen_by(sitting.header, "") is None
