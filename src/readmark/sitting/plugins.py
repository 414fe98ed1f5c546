"""What sitting itself adds: a candidate and a paper transform."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.candidates": {
        "keyed": Entry(
            "readmark.sitting.keyed:Keyed",
            "answers from a file: people's, or another system's",
        ),
    },
    "readmark.transforms": {
        "without": Entry(
            "readmark.sitting.transforms:Without", "the paper without one of its parts"
        ),
    },
}
