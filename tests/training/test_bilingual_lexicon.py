"""The tables of the bilingual lexicon, from a dictionary of a few lines."""

from __future__ import annotations

import gzip
from pathlib import Path

from training.bilingual_lexicon import aligned, entries, learn, names, words_with_glosses

LINES = """# a comment
風箏 风筝 [feng1 zheng5] /kite/CL:隻|只[zhi1]/to fly (a kite)/see also 紙鳶|纸鸢[zhi3 yuan1]/
磨坊 磨坊 [mo4 fang2] /a mill; a grinding house/variant of 磨房[mo4 fang2]/
里爾 里尔 [Li3 er3] /Lille (city in France)/
里爾 里尔 [li3 er3] /old weight/
羅馬 罗马 [Luo2 ma3] /Rome, capital of Italy/
"""


def read(folder: Path) -> Path:
    path = folder / "dictionary.txt.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    return path


def test_glosses_are_plain_phrases_and_names_come_last(tmp_path: Path) -> None:
    assert words_with_glosses(list(entries(read(tmp_path)))) == {
        "罗马": ["Rome", "capital Italy"],
        "里尔": ["old weight", "Lille"],
        "磨坊": ["mill", "grinding house"],
        "风筝": ["kite", "fly"],
    }


def test_letters_are_divided_among_syllables(tmp_path: Path) -> None:
    pairs = names(list(entries(read(tmp_path))))
    assert [(entry.word, name) for entry, name in pairs] == [("里尔", "lille"), ("罗马", "rome")]
    counts, sounds = learn(pairs * 3)
    assert aligned(["luo", "ma"], "rome", sounds) == ["ro", "me"]
    assert counts["luo"] == {"ro": 3}
