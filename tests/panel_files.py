"""A small readability test with its panel, as files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

EXPERTS = {"ann": (3, 1, 4, 2, 5, 1), "ben": (4, 2, 4, 3, 4, 1), "cy": (5, 1, 4, 5, 4, 1)}
NOVICES: dict[str, dict[str, float]] = {
    "dee": {"p0": 2, "p1": 1, "p2": 4, "p3": 2, "p4": 5, "p5": 2},
    "eli": {"p0": 5, "p1": 3, "p2": 3, "p3": 4, "p4": 3, "p5": 3},
    "fay": {"p0": 4, "p1": 2, "p2": 5, "p3": 1, "p4": 4, "p5": 1},
}
MACHINE = {"p0": 4.0, "p1": 1.0, "p2": 4.0, "p3": 3.0, "p4": 4.5, "p5": 1.0}
SPLITS = ("train", "train", "test", "test", "train", "test")


def passage(at: int, experts: Mapping[str, Sequence[float]] = EXPERTS) -> dict[str, Any]:
    ratings = [{"annotator": name, "rating": said[at]} for name, said in experts.items()]
    return {
        "id": f"p{at}",
        "text": f"Passage {at} tells of a boat.",
        "split": SPLITS[at],
        "key": {"ratings": ratings},
    }


def write_test(file: Path, records: Sequence[Mapping[str, Any]] | None = None) -> Path:
    records = [passage(at) for at in range(6)] if records is None else records
    header = {"readmark": 1, "kind": "readability", "name": "boats", "language": "en"}
    write_lines(file, [header, *records])
    return file


def write_novice(folder: Path, name: str, said: Mapping[str, Any], **header: Any) -> Path:
    file = folder / f"{name}.jsonl"
    first = {"readmark": 1, "file": "sitting", "kind": "readability", "candidate": name, **header}
    write_lines(file, [first, *({"id": id, "rating": one} for id, one in said.items())])
    return file


def write_novices(folder: Path) -> list[Path]:
    return [write_novice(folder, name, said) for name, said in NOVICES.items()]


def write_machine(file: Path, said: Mapping[str, float] = MACHINE) -> Path:
    file.write_text(json.dumps(said), encoding="utf-8")
    return file


def write_lines(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
