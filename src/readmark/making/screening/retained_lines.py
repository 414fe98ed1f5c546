"""Retained passages as lines of a native file, which wait for its header: that one counts them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from itertools import compress
from pathlib import Path

from readmark.core.json_lines import json_line
from readmark.core.records import Passage
from readmark.core.test import Header
from readmark.core.writing import writing
from readmark.formats.native import header_line

_BLOCK = 1 << 18
"""Bytes that are read or written at a time."""


class RetainedLines:
    """The lines of what is kept so far, on disk; copies are found later and left out then."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115
            prefix="readmark-", dir=folder, buffering=_BLOCK
        )
        self._stored = bytearray()

    def __enter__(self) -> RetainedLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def extend(self, records: Iterable[Passage], verdicts: Sequence[int]) -> None:
        """Take the next passages, of which some are kept."""
        self._file.writelines(map(json_line, compress(records, verdicts)))
        self._stored.extend(verdicts)

    def write(self, path: str | Path, header: Header, verdicts: bytearray) -> None:
        """Write the test; ``verdicts`` has 1 for each passage that is finally kept, by position."""
        with writing(path) as stream:
            stream.write(header_line(header))
            self._file.seek(0)
            if verdicts == self._stored:
                shutil.copyfileobj(self._file, stream, _BLOCK)
            else:
                stream.writelines(compress(self._file, compress(verdicts, self._stored)))
