"""What tests of `llm` share: short waits, a key, and a small test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llm_papers import SECRET


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are short, and the key is known."""
    monkeypatch.setattr("readmark.llm.traffic.FIRST_WAIT", 0.001)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Two passages, three questions, one of them with options."""
    path = tmp_path / "test.jsonl"
    lines: list[dict[str, Any]] = [
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {
            "id": "p1",
            "text": "Mina mended the red kite. Her brother Tom flew the kite on Sunday.",
            "questions": [
                {"id": "q1", "text": "Who flew it?", "key": {"answers": [{"text": "Tom"}]}},
                {"id": "q2", "text": "What was mended?", "key": {"answers": [{"text": "kite"}]}},
            ],
        },
        {
            "id": "p2",
            "text": "The ferry left at nine.",
            "questions": [
                {
                    "id": "q3",
                    "text": "When did it leave?",
                    "options": ["at eight", "at nine"],
                    "key": {"answers": [{"text": "at nine"}]},
                }
            ],
        },
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path
