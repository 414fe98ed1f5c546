"""Files to convert, and what came of them."""

import gzip
import json
from pathlib import Path
from typing import Any

import zstandard


def write_lines(path: Path, *values: Any) -> Path:
    path.write_text(
        "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values), encoding="utf-8"
    )
    return path


def plain(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return data
