"""Who still owes what: the plan that lies beside the sheets against what came back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.files import JSON_ERRORS
from readmark.corpus.values import Passage
from readmark.setting.blind.handing_out import PLAN
from readmark.setting.blind.names import answered_by, folded_name
from readmark.setting.blind.returned import Returned


class Owing:
    """The plans beside some files, and what of them has not come back."""

    def __init__(self, files: Sequence[str | Path], paper: str) -> None:
        self.owed: dict[str, list[str]] = {}
        """By annotator, the questions without an answer, be it an empty one."""
        self.all: dict[str, int] = {}
        """By annotator, how many questions were handed out."""
        self.notes: list[str] = []
        self._readers: dict[str, list[str]] = {}
        for folder in dict.fromkeys(Path(file).parent for file in files):
            self._read(folder / PLAN, paper)

    def _read(self, path: Path, paper: str) -> None:
        try:
            told: Any = msgspec.json.decode(path.read_bytes())
            passages = msgspec.convert(told["passages"], dict[str, list[str]])
        except FileNotFoundError:
            return
        except (OSError, TypeError, KeyError, *JSON_ERRORS):
            self.notes.append(f"{path}: is no plan of set blind, so nobody knows who owes what")
            return
        if told.get("paper") != paper:
            self.notes.append(f"{path}: is the plan of another paper; who owes what may be wrong")
        for name, ids in passages.items():
            for id in ids:
                self._readers.setdefault(id, []).append(name)

    def look(self, record: Passage, came: Iterable[tuple[str, Sequence[Returned]]]) -> None:
        """Take note of a passage; ``came`` has the answers to each of its questions, by id."""
        readers = self._readers.get(record.id)
        if not readers:
            return
        answers = dict(came)
        for question in record.questions:
            names = answered_by(question.key)
            for one in answers.get(question.id, ()):
                names += [one.annotator, *([one.signed] if one.signed else [])]
            done = set(map(folded_name, names))
            for name in readers:
                self.all[name] = self.all.get(name, 0) + 1
                if folded_name(name) not in done:
                    self.owed.setdefault(name, []).append(question.id)
