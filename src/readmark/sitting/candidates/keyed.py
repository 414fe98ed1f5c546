"""Answers that somebody gave elsewhere: people on paper, or a system that ran before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.corpus.formats import open_sitting
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row, Sitting
from readmark.corpus.values import Unit


@dataclass
class Keyed:
    """Takes each answer from a file: a dictionary of predictions or a native sitting."""

    file: str = field(default="", metadata={"help": "the file with the answers"})
    earlier: Sitting | None = field(default=None, init=False, repr=False)
    """The answers with their header: the runner sees that what was sat then is what is sat now."""
    _repeat: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        if not self.file:
            raise UsageError("candidate keyed needs a file: keyed(file=answers.json)")
        self.earlier = open_sitting(self.file, kind)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            rows = self.earlier.of(unit.id) if self.earlier is not None else ()
            row = next((one for one in rows if one.repeat == self._repeat), None)
            if row is not None:
                yield row

    def signature(self) -> Mapping[str, str]:
        content = Path(self.file).read_bytes() if Path(self.file).is_file() else b""
        return {"file": Path(self.file).name, "sha256": hashlib.sha256(content).hexdigest()[:16]}
