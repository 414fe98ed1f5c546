"""C3's labels: what 600 of its questions ask of a reader, in tables of their own.

A row is ``documentID questionIndex type`` between tabs, the type such as ``l|c-e||1``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.corpus.decoding import decoded, numbered_lines
from readmark.corpus.errors import DataError
from readmark.corpus.files import BOM, read_bytes

KNOWLEDGE = {
    "m": "matching",
    "l": "linguistic",
    "s": "domain",
    "c-a": "arithmetic",
    "c-o": "connotation",
    "c-e": "cause_effect",
    "c-i": "implication",
    "c-p": "part_whole",
    "c-d": "precondition",
    "c-h": "scenario",
    "c-n": "other",
}
"""What must be known to answer; matching takes nothing beyond the text."""

SUPPORT = {"0": "single", "1": "multiple", "2": "independent"}
"""How many sentences an answer takes; independent ones are answered without the text."""

FIELDS = ("knowledge", "support")
"""The fields of a question's key that hold its labels."""

Labels = Mapping[tuple[str, int], dict[str, Any]]
"""The fields by document and number of the question, from 1."""

_HEADER = ("documentID", "questionIndex", "type")


def labels_beside(path: Path) -> Labels:
    """The labels of a file's questions: beside it under its name, or in ``../annotation``."""
    name = path.name
    for suffix in (".gz", ".zst", ".json"):
        name = name.removesuffix(suffix)
    for place in (path.parent, path.parent.parent / "annotation"):
        file = place / f"{name}.txt"
        if file.is_file() and _is_labels(data := read_bytes(file).removeprefix(BOM)):
            return dict(_labels(decoded(data, str(file)), file))
    return {}


def _is_labels(data: bytes) -> bool:
    """Whether a file is such a table; another of that name is no concern of ours."""
    return data.startswith("\t".join(_HEADER).encode())


def _labels(text: str, file: Path) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    for number, line in numbered_lines(text)[1:]:
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != len(_HEADER) or not cells[1].isascii() or not cells[1].isdigit():
            expected = ", ".join(_HEADER)
            raise DataError(f"expected {expected} between tabs", file=file, where=number)
        document, index, type = cells
        yield (document, int(index)), _fields(type, file, number)


def _fields(type: str, file: Path, number: int) -> dict[str, Any]:
    """``l|c-e||1``: kinds of knowledge, then the sentences that are needed."""
    kinds, parted, support = type.strip().rpartition("||")
    found = kinds.replace("||", "|").split("|")  # one row of C3's has || between the kinds too
    unknown = [one for one in found if one not in KNOWLEDGE]
    if not parted or support not in SUPPORT or unknown:
        raise DataError(
            f"the type is {type!r}, expected kinds of knowledge ({', '.join(KNOWLEDGE)}) with | "
            f"between them, || and {', '.join(SUPPORT)}",
            file=file,
            where=number,
        )
    return {
        "knowledge": [KNOWLEDGE[one] for one in dict.fromkeys(found)],
        "support": SUPPORT[support],
    }
