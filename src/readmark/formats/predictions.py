"""Predictions of other tools as sittings: a dictionary {id: answer}, as SQuAD's scorers take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.json_lines import json_line
from readmark.core.row_lines import row_lines
from readmark.core.sitting import PackedRows, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.writing import writing
from readmark.formats.native_sitting import sound_row
from readmark.formats.tables.shards import LINES, stem
from readmark.hooks import Kind


class Predictions:
    """A dictionary of predictions; its name is the candidate's, and it binds to no paper."""

    def recognises(self, source: Source) -> bool:
        """A JSON object that is no test; one line of JSON Lines is a row and no dictionary."""
        if source.suffixes[-1:] in [(suffix,) for suffix in LINES] and source.looks_json:
            return False
        document = source.document
        return isinstance(document, dict) and not isinstance(document.get("data"), list)

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per prediction; a repeated id, or a value of another sort, is an error."""
        file = source.file

        def as_dictionary(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            seen: set[str] = set()
            for id, _ in pairs:
                if id in seen:
                    message = "the id occurs twice among the predictions"
                    raise DataError(message, file=file, where=id)
                seen.add(id)
            return dict(pairs)

        answers = json.loads(read_bytes(source.path), object_pairs_hook=as_dictionary)
        return self.sitting(answers, kind, file=file, candidate=stem(source.path))

    def sitting(
        self, answers: Mapping[str, Any], kind: Kind, *, file: str, candidate: str
    ) -> Sitting:
        """A dictionary of answers by id as a sitting."""
        header, rows = SittingHeader(candidate=candidate), PackedRows()
        notes: list[str] = []
        for id, value in answers.items():
            try:
                row = row_lines(kind).convert({"id": id, kind.answer: value})
                rows[id] = sound_row(row, kind, file, notes)
            except msgspec.ValidationError as error:
                expected = "a number" if "Expected `float`" in str(error) else "text"
                raise DataError(
                    f"the prediction is {clip(json.dumps(value, ensure_ascii=False))}, expected "
                    f"{expected} (leave the id out when there is no answer)",
                    file=file,
                    where=id,
                ) from None
        return Sitting(header, rows, file, tuple(notes), kind_name=kind.name)

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Answers alone: error rows, repeats, evidence and offsets are named and left out.

        So are replies in which nothing was said: an empty prediction means that there is no answer.
        """
        member, lines = sitting.kind.answer, row_lines(sitting.kind)
        answers: dict[str, Any] = {}
        error_rows = empty_replies = with_more = with_repeats = 0
        for id in sitting:
            rows = sitting.of(id)
            with_repeats += len(rows) > 1
            row = rows[0]
            if row.error is not None:
                error_rows += 1
                continue
            if row.no_answer_reason is not None:
                empty_replies += 1
                continue
            values = lines.members(row)
            answers[id] = values[member]
            with_more += bool(set(values) - {"id", member})
        with writing(path) as stream:
            stream.write(json_line(answers))
        lost = {
            "left out, error rows": error_rows,
            "left out, replies in which nothing was said": empty_replies,
            "ids with repeats, of which the first was taken": with_repeats,
            "answers with offsets, scores or evidence that predictions cannot store": with_more,
        }
        return [f"{what}: {count:,}" for what, count in lost.items() if count]


PREDICTIONS = Predictions()
