"""A folder of texts in several encodings and depths, with files that are passed over."""

from __future__ import annotations

from pathlib import Path

EASY = "The cat sat on the mat. It was a good day, and the dog went home with Tom.\n"
"""18 words of one syllable in two sentences."""
CHINESE = "小猫坐在垫子上。它很高兴。"
IDS = ["a", "b", "unit 1/c", "unit 1/same.md", "unit 1/same.txt", "猫"]
"""The ids of the texts."""


def write_texts(folder: Path) -> Path:
    """Write the folder ``texts``."""
    texts = folder / "texts"
    (texts / "unit 1").mkdir(parents=True)
    (texts / ".hidden").mkdir()
    for name, data in {
        "b.txt": EASY.encode(),
        "a.md": EASY.encode("utf-8-sig"),
        "unit 1/c.TXT": EASY.encode("utf-16"),
        "unit 1/same.md": EASY.encode(),
        "unit 1/same.txt": EASY.encode(),
        "猫.txt": CHINESE.encode("gb18030"),
        ".hidden/d.txt": EASY.encode(),
        ".e.txt": EASY.encode(),
        "picture.png": b"\x89PNG",
    }.items():
        (texts / name).write_bytes(data)
    return texts
