"""ExpMRC's evidences: quotes become marked sentences, and the document is written back equal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readmark.formats.registry import open_test, save_test

TEXT = "A fox slept. The owl woke up. A fox slept. The owl left."
QUOTED = {
    "version": "1.1",
    "data": [
        {
            "title": "owls",
            "paragraphs": [
                {
                    "context": TEXT,
                    "qas": [
                        {
                            "id": "q1",
                            "question": "What slept at last?",
                            "answers": [{"text": "fox", "answer_start": 32}],
                            "evidences": ["A fox slept.", "A fox slept.", "Nowhere to be found."],
                        },
                        {
                            "id": "q2",
                            "question": "What left?",
                            "answers": [{"text": "owl", "answer_start": 47}],
                            "evidences": ["The owl left.", "The owl woke up."],
                        },
                    ],
                }
            ],
        }
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "quoted.json"
    path.write_text(json.dumps(QUOTED))
    return path


def test_quotes_become_marked_sentences(file: Path) -> None:
    first, second = open_test(file).units()
    assert first.key.sentences == ((30, 42),)  # of two places, the one that holds the answer
    assert [TEXT[start:end] for start, end in second.key.sentences] == [
        "The owl woke up.",
        "The owl left.",
    ]


def test_the_document_is_written_back_equal_and_nothing_is_lost(file: Path, tmp_path: Path) -> None:
    back = tmp_path / "back.json"
    assert save_test(open_test(file), back, format="squad") == []
    assert json.loads(back.read_text()) == QUOTED
