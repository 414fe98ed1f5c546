"""A test on a kiln, where it is to be fetched from, and what was left of it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from data_server import moved
from readmark.making.get import public_tests as public
from readmark.making.get.http_requests import FetchLimits
from readmark.making.get.provenance import FileProvenance

TEST = {
    "version": "1.1",
    "data": [
        {
            "title": "Kiln",
            "paragraphs": [
                {
                    "context": "The kiln was lit on Monday.",
                    "qas": [
                        {
                            "id": "k1",
                            "question": "When was the kiln lit?",
                            "answers": [{"text": "Monday", "answer_start": 20}],
                        }
                    ],
                }
            ],
        }
    ],
}
DATA = json.dumps(TEST).encode()
HASH = hashlib.sha256(DATA).hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"
QUICK = FetchLimits(silence=5, first_wait=0.01, attempts=3)


def known(**more: Any) -> public.Fetchable:
    return public.Fetchable(
        title="Kiln", url="https://example.org/data/kiln.json", licence="CC BY 4.0", **more
    )


def source(path: Path) -> FileProvenance:
    return msgspec.json.decode(Path(f"{path}.source.json").read_bytes(), type=FileProvenance)


def left(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def about(**more: Any) -> bytes:
    """What the hub tells of a set."""
    files = [
        {"rfilename": "README.md", "size": 12},
        {
            "rfilename": "plain/dev 1.json",
            "size": len(DATA),
            "lfs": {"sha256": HASH, "size": len(DATA)},
        },
    ]
    card = {"license": "cc-by-sa-4.0"}
    return json.dumps({"sha": COMMIT, "siblings": files, "cardData": card} | more).encode()


def hub_paths(**more: Any) -> dict[str, Any]:
    """A hub with one set: what it tells, and where the file is."""
    return {
        "/api/datasets/kilns/dev/revision/main": about(**more),
        "/api/datasets/kilns/dev/revision/v1%2F2": about(**more),
        f"/datasets/kilns/dev/resolve/{COMMIT}/plain/dev%201.json": moved("/store/blob"),
        "/store/blob": DATA,
    }
