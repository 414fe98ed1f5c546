"""Where a journal is written: one file, a folder with a file for each part, or a stream."""

from __future__ import annotations

import os
from pathlib import Path

from readmark.core.streams import is_pipe, is_standard


def is_stream(path: str | Path) -> bool:
    """Whether a journal would go to standard output or a pipe, which cannot be resumed."""
    return is_standard(path) or is_pipe(path)


def is_folder(path: str | Path) -> bool:
    """Whether a journal is a folder of parts: the folder exists, or the name ends with a slash."""
    return str(path).endswith(("/", os.sep)) or Path(path).is_dir()


def journal_files(path: str | Path) -> list[Path]:
    """The file of a journal, or the parts that its folder has so far."""
    folder = Path(path)
    return sorted(folder.glob("part-*.jsonl")) if folder.is_dir() else [folder]
