"""Outstanding answers: the plan next to the sheets compared with what came back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.files import JSON_ERRORS
from readmark.core.records import Passage
from readmark.formats.key_annotators import answered_by
from readmark.formats.people_names import folded_name
from readmark.making.blind.material import PLAN
from readmark.making.blind.returns import ReturnedAnswer


class OutstandingAnswers:
    """The plans in the folders of some files, and which of their answers are outstanding."""

    def __init__(self, files: Sequence[str | Path], paper: str) -> None:
        self.owed: dict[str, list[str]] = {}
        """By annotator, the questions that did not come back; an empty answer did."""
        self.all: dict[str, int] = {}
        """By annotator, how many questions were handed out."""
        self.notes: list[str] = []
        self._readers: dict[str, list[str]] = {}
        for folder in dict.fromkeys(Path(file).parent for file in files):
            self._read(folder / PLAN, paper)

    def _read(self, path: Path, paper: str) -> None:
        try:
            plan: Any = msgspec.json.decode(path.read_bytes())
            passages = msgspec.convert(plan["passages"], dict[str, list[str]])
        except FileNotFoundError:
            return
        except (OSError, TypeError, KeyError, *JSON_ERRORS):
            self.notes.append(
                f"{path}: is not a plan of `set blind`, so outstanding answers are unknown"
            )
            return
        if plan.get("paper") != paper:
            self.notes.append(
                f"{path}: is the plan of another paper; outstanding answers may be wrong"
            )
        for name, ids in passages.items():
            for id in ids:
                self._readers.setdefault(id, []).append(name)

    def look(
        self, record: Passage, returned: Iterable[tuple[str, Sequence[ReturnedAnswer]]]
    ) -> None:
        """Note what came of a passage: ``returned`` has the answers to its questions, by id."""
        readers = self._readers.get(record.id)
        if not readers:
            return
        answers = dict(returned)
        for question in record.questions:
            names = answered_by(question.key)
            for answer in answers.get(question.id, ()):
                names.append(answer.annotator)
                if answer.signed:  # the plan may have the name of the sheet, not that of --name
                    names.append(answer.signed)
            finished = set(map(folded_name, names))
            for name in readers:
                self.all[name] = self.all.get(name, 0) + 1
                if folded_name(name) not in finished:
                    self.owed.setdefault(name, []).append(question.id)
