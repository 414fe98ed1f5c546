"""Kept passages as lines of a native file, which wait for its header: that one counts them.

So a test need not be read a second time to write them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from itertools import compress
from pathlib import Path
from types import TracebackType

from readmark.corpus.files import writing
from readmark.corpus.formats.lines import line
from readmark.corpus.formats.native import header_line
from readmark.corpus.test import Header
from readmark.corpus.values import Passage

_BLOCK = 1 << 18


class KeptLines:
    """The lines of what is kept so far, on disk; what is found to be a copy later is left out."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115
            prefix="readmark-", dir=folder, buffering=_BLOCK
        )
        self._taken = bytearray()

    def __enter__(self) -> KeptLines:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def extend(self, records: Iterable[Passage], kept: Sequence[int]) -> None:
        """Take the next passages, of which some are kept."""
        self._file.writelines(map(line, compress(records, kept)))
        self._taken.extend(kept)

    def write(self, path: str | Path, header: Header, kept: bytearray) -> None:
        """Write the test; ``kept`` tells what is kept after all, by position."""
        with writing(path) as stream:
            stream.write(header_line(header))
            self._file.seek(0)
            if kept == self._taken:
                shutil.copyfileobj(self._file, stream, _BLOCK)
            else:
                stream.writelines(compress(self._file, compress(kept, self._taken)))
