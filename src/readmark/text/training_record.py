"""What a candidate learnt from, small enough to ship with it: fingerprints of its passages.

A passage of a test that is among them is flagged when the candidate is marked. The fingerprints of
each source are in a Bloom filter, from which no text can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import msgspec

from readmark.core.records import Value
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.text.fingerprints import (
    LEAST_MATCHES,
    LEAST_SHORT_MATCHES,
    RULES,
    WINDOW,
    ByScript,
    ComparedText,
    count_matches,
    fingerprint_filter,
)

SCHEMA = 1
MEMBER = "training_record"
"""The member of the note in a model's JSON file that has its record."""
FILE = "training_record.json"
"""The file of a model's folder that has its record."""
SCORES, POOLING = "scores", "pooling"
"""Uses that have no part in most answers: fitted scores and thresholds; weights of an encoder."""
_SHARE = 0.5
"""From this share of matching fingerprints on, a text is one that was learnt from."""
_NOTES = re.compile(r"[\[［【〔][^\[\]［］【】〔〕\n]{1,12}[\]］】〕]")
"""Marks of notes such as [12] or ［注3］: an encyclopedia's text is copied with them or without."""


class TrainingSource(Value, frozen=True):
    """Passages that a candidate learnt from, such as a test's."""

    name: str
    passages: Annotated[int, msgspec.Meta(ge=0)]
    use: str | None = None
    """What was learnt from them, where it is not their questions and answers."""
    paper: str | None = None
    """The fingerprint of the test's paper, where they are a test's."""
    window: ByScript = WINDOW
    fingerprints: Annotated[int, msgspec.Meta(ge=0)] = 0
    filter: bytes = b""

    def __post_init__(self) -> None:
        if any(size < 1 or size & (size - 1) for size in self.window):
            raise ValueError("the windows must be powers of two")
        if len(self.filter) % 8 or (self.fingerprints and not self.filter):
            raise ValueError("the filter is damaged")

    def has(self, text: ComparedText) -> bool:
        """Whether half of a text or more is in these passages, up to the filter's mistakes."""
        prints, is_short = text.fingerprints(self.window)
        if not len(prints) or not self.filter:
            return False
        least = LEAST_SHORT_MATCHES if is_short else LEAST_MATCHES
        return count_matches(self.filter, prints) >= max(least, _SHARE * len(prints))


class TrainingRecord(Value, frozen=True):
    """What a candidate learnt from, source by source."""

    readmark: int = SCHEMA
    file: str = MEMBER
    rules: str = RULES
    sources: tuple[TrainingSource, ...] = ()

    def sources_of(self, text: str) -> tuple[str, ...]:
        """The names of the sources that have a text, with its notes in brackets or without."""
        forms = [ComparedText(form) for form in dict.fromkeys((text, _NOTES.sub("", text)))]
        return tuple(
            source.name for source in self.sources if any(source.has(form) for form in forms)
        )

    def plus(self, *others: TrainingRecord | None) -> TrainingRecord:
        """And what else was learnt from, such as by the encoder that a training began with."""
        records = (record for record in (self, *others) if record is not None)
        sources = dict.fromkeys(source for record in records for source in record.sources)
        return msgspec.structs.replace(self, sources=tuple(sources))

    def without(self, use: str) -> TrainingRecord:
        """Without the sources of one use, where what was learnt from them is not used."""
        sources = tuple(source for source in self.sources if source.use != use)
        return msgspec.structs.replace(self, sources=sources)

    def as_json(self) -> dict[str, Any]:
        """The record in a file of its own, or as a member of a model's."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return {"readmark": self.readmark, "file": self.file, "rules": self.rules, **document}

    def write(self, path: str | Path) -> None:
        """Write the record to a file of its own."""
        with writing(path) as stream:
            stream.write(msgspec.json.encode(self.as_json()) + b"\n")


def source_of_test(test: Test, *, use: str | None = None) -> TrainingSource:
    """The record of a test's passages, series or documents."""
    texts = (compared_text(test, record) for record in test.records())
    name = test.header.name or Path(test.file).name
    return make_source(name, texts, use=use, paper=test.facts.paper)


def make_source(
    name: str,
    texts: Iterable[str],
    *,
    use: str | None = None,
    paper: str | None = None,
    window: ByScript = WINDOW,
) -> TrainingSource:
    """The record of texts; a larger ``window`` makes it smaller, and blind to short passages."""
    import numpy as np

    by_text = [ComparedText(text).fingerprints(window)[0] for text in texts]
    prints = np.unique(np.concatenate(by_text)) if by_text else np.empty(0, np.uint64)
    return TrainingSource(
        name=name,
        passages=len(by_text),
        use=use,
        paper=paper,
        window=window,
        fingerprints=len(prints),
        filter=fingerprint_filter(prints),
    )


def compared_text(test: Test, record: Any) -> str:
    """The text by which a record of a test is known again."""
    return "\n".join(test.kind.texts(test.kind.paper(record)))
