"""A small test, sittings of it and an earlier result: what hostile tests start from."""

import json
from pathlib import Path
from typing import Any

HEADER = {"readmark": 1, "kind": "comprehension", "name": "kitchen"}
PASSAGE = {
    "id": "p1",
    "text": "The kettle stood on the stove until noon.",
    "questions": [
        {"id": "q1", "text": "Where?", "key": {"answers": [{"text": "on the stove", "start": 17}]}},
        {"id": "q2", "text": "What?", "key": {"answers": [{"text": "The kettle", "start": 0}]}},
    ],
}
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Kitchen",
            "paragraphs": [
                {
                    "context": "The kettle stood.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": "What?",
                            "answers": [{"text": "kettle", "answer_start": 4}],
                        }
                    ],
                }
            ],
        }
    ],
}
SERIES = [
    {"readmark": 1, "kind": "series"},
    {
        "id": "s",
        "target": "the kettle",
        "questions": [
            {"id": "q1", "text": "Who made it?", "key": {"rewrites": [{"text": "Who made it?"}]}}
        ],
    },
]
SITTING = {"readmark": 1, "file": "sitting", "candidate": "reader"}
PREDICTIONS = {"q1": "the stove", "q2": "a kettle"}
OLD = b"old and whole\n"


def lines(*values: Any) -> bytes:
    said = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values)
    return "".join(f"{one}\n" for one in said).encode()


def document(value: Any) -> bytes:
    return json.dumps(value).encode()


TEST = lines(HEADER, PASSAGE)
SOUND = {
    "t.jsonl": TEST,
    "series.jsonl": lines(*SERIES),
    "p.json": document(PREDICTIONS),
    "s.jsonl": lines(SITTING, *({"id": id, "text": text} for id, text in PREDICTIONS.items())),
    "out.jsonl": OLD,
    "out.json": OLD,
}


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() if one.is_file() else b"" for one in folder.iterdir()}


def bad_file(folder: Path, name: str, data: bytes | None) -> None:
    if data is not None:
        (folder / name).write_bytes(data)
