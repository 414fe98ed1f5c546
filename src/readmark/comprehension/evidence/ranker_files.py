"""The file of a trained ranker: JSON with features by name, one row of numbers per line."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from readmark.comprehension.evidence.answer_fit import QUESTION_SIDE, WORD_SIDE
from readmark.comprehension.evidence.match_features import MATCHES
from readmark.comprehension.evidence.pooling import pooling_from
from readmark.comprehension.evidence.ranker import SentenceRanker
from readmark.comprehension.evidence.sentence_features import SENTENCES
from readmark.comprehension.evidence.word_features import WORDS
from readmark.core.arrays import AnyFloats
from readmark.core.errors import DataError
from readmark.core.files import require_file
from readmark.core.json_lines import refuse_newer

SCHEMA = 1
BLOCKS = {"sentences": SENTENCES, "matches": MATCHES, "words": WORDS}
"""The features that weights are for, by block; a file made for others is refused."""
_DEEPEST = 4  # objects below this are on one line


@functools.lru_cache(maxsize=4)
def load_ranker(path: str | None = None) -> SentenceRanker:
    """The ranker in a file, or the one that ships."""
    if path is not None:
        try:
            require_file(path)
            return from_json(Path(path).read_text(encoding="utf-8"), file=path)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = shipped_ranker()
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))


def shipped_ranker() -> Path:
    """The model that ships."""
    return Path(str(files("readmark.comprehension.evidence"))) / "data" / "ranker.json"


def from_json(text: str, *, file: str) -> SentenceRanker:
    """A ranker from its file; one for other features than these is refused."""
    try:
        refuse_newer(text, SCHEMA, file=file)
        model = json.loads(text)
        if model.get("model") != "evidence" or model.get("readmark") != SCHEMA:
            raise DataError("not an evidence model of schema 1", file=file)
        scaling = {
            block: _scaling_from(model["scaling"][block], names) for block, names in BLOCKS.items()
        }
        fitting = {name: _matrix(rows) for name, rows in model["fitting"].items()}
        networks = [
            {name: _matrix(rows) for name, rows in network.items()} for network in model["networks"]
        ]
        pooling = {
            language: pooling_from(member) for language, member in model.get("pooling", {}).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"the evidence model cannot be read: {error}", file=file) from None
    for name, matrix in fitting.items():
        if matrix.shape != (QUESTION_SIDE, WORD_SIDE):
            raise DataError(f"fitting {name} has the shape {matrix.shape}", file=file)
    return SentenceRanker(fitting, scaling, networks, model.get("note", {}), pooling)


def _scaling_from(member: Mapping[str, Any], names: Sequence[str]) -> tuple[AnyFloats, AnyFloats]:
    if tuple(member) != tuple(names):
        raise ValueError("it was made for other features; train it again")
    table = np.array(list(member.values()), np.float32)
    return table[:, 0], table[:, 1]


def _matrix(rows: Any) -> AnyFloats:
    return np.array(rows, np.float32)


def to_json(ranker: SentenceRanker) -> str:
    """The file of a ranker: features by name, numbers with four figures, one row per line."""
    model: dict[str, Any] = {"readmark": SCHEMA, "model": "evidence", "note": dict(ranker.note)}
    model["scaling"] = {
        block: {
            name: [_rounded(mean), _rounded(spread)]
            for name, mean, spread in zip(names, *ranker.scaling[block], strict=True)
        }
        for block, names in BLOCKS.items()
    }
    model["fitting"] = {name: _rows(matrix) for name, matrix in ranker.fitting.items()}
    model["networks"] = [
        {name: _rows(matrix) for name, matrix in network.items()} for network in ranker.networks
    ]
    if ranker.pooling:
        model["pooling"] = {
            language: pooling.as_json() for language, pooling in ranker.pooling.items()
        }
    return _one_row_per_line(model)


def _rows(matrix: AnyFloats) -> list[Any]:
    if matrix.ndim == 1:
        return [_rounded(number) for number in matrix]
    return [[_rounded(number) for number in row] for row in matrix]


def _rounded(number: Any) -> float:
    return float(f"{float(number):.4g}")


def _one_row_per_line(value: Any, depth: int = 0) -> str:
    indent = " " * (depth + 1)
    if isinstance(value, dict) and value and depth < _DEEPEST:
        members = [
            f"{indent}{json.dumps(name)}: {_one_row_per_line(member, depth + 1)}"
            for name, member in value.items()
        ]
        return "{\n" + ",\n".join(members) + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        rows = [indent + _one_row_per_line(row, depth + 1) for row in value]
        return "[\n" + ",\n".join(rows) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
