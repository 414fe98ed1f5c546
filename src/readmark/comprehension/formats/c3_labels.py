"""C3's labels: what 600 of its questions demand of a reader, in tables next to the documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.core.encodings import decoded, numbered_lines
from readmark.core.errors import DataError
from readmark.core.files import BOM, read_bytes

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

C3Labels = Mapping[tuple[str, int], dict[str, Any]]
"""The fields by document and number of the question, from 1."""

_HEADER = ("documentID", "questionIndex", "type")


def labels_next_to(path: Path) -> C3Labels:
    """The labels of a file's questions: next to it under its name, or in ``../annotation``."""
    name = path.name
    for suffix in (".gz", ".zst", ".json"):
        name = name.removesuffix(suffix)
    for folder in (path.parent, path.parent.parent / "annotation"):
        file = folder / f"{name}.txt"
        if not file.is_file():
            continue
        data = read_bytes(file).removeprefix(BOM)
        if data.startswith("\t".join(_HEADER).encode()):  # a text of that name may be another's
            return dict(_labels(decoded(data, str(file)), file))
    return {}


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
    kinds, separator, support = type.strip().rpartition("||")
    codes = kinds.replace("||", "|").split("|")  # a row of C3's has || between the kinds as well
    if not separator or support not in SUPPORT or any(code not in KNOWLEDGE for code in codes):
        raise DataError(
            f"the type is {type!r}, expected kinds of knowledge ({', '.join(KNOWLEDGE)}) with | "
            f"between them, || and {', '.join(SUPPORT)}",
            file=file,
            where=number,
        )
    return {
        "knowledge": [KNOWLEDGE[code] for code in dict.fromkeys(codes)],
        "support": SUPPORT[support],
    }
