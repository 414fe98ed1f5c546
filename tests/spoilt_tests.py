"""Small tests to spoil, and what the checks find in them."""

import json
from pathlib import Path
from typing import Any

from readmark.formats.checks import check

HEADER = {"readmark": 1, "kind": "comprehension", "name": "t"}
GOOD = {
    "id": "good",
    "text": "The cat sat on the mat.",
    "layers": {"token": {"spans": [[0, 3]], "quotes": ["The"], "columns": {"pos": ["DET"]}}},
    "questions": [
        {
            "id": "good-1",
            "text": "Who sat?",
            "key": {"answers": [{"text": "cat", "start": 4}]},
        },
        {"id": "good-2", "text": "Why?", "key": {"unanswerable": True}},
        {"id": "good-3", "text": "No key?"},
    ],
}


def native(path: Path, *lines: Any, header: Any = HEADER) -> Path:
    text = "".join(
        (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n"
        for line in (header, *lines)
    )
    path.write_text(text, encoding="utf-8")
    return path


def found_in(path: Path) -> list[tuple[int | str, str, str]]:
    problems = list(check(str(path)))
    assert all(one.file == str(path) for one in problems)
    return [(one.where, one.code, one.message) for one in problems]
