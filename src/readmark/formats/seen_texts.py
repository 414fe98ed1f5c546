"""Files that say what somebody has seen: training records, models, tests, or plain texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from readmark.core.files import read_lines, reading
from readmark.core.problems import Problem, ignore
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.text.training_record import (
    MEMBER,
    TrainingRecord,
    compared_text,
    make_source,
    source_of_test,
)
from readmark.text.training_record_files import read_record, recorded_in

_RECORD = f'"file":"{MEMBER}"'.encode()


def read_seen(path: str | Path) -> TrainingRecord:
    """The record of a file: its own, that of a model, or one made of a test or of text lines.

    Of a file named ``.txt`` (or ``.txt.gz``, ``.txt.zst``) every line is a text.
    """
    file = Path(path)
    if file.is_dir():
        return recorded_in(path) or TrainingRecord(sources=(source_of_test(open_test(path)),))
    with reading(path) as stream:
        is_record = _RECORD in stream.read(100)
    if is_record:
        return read_record(path)
    if (record := recorded_in(path)) is not None:
        return record
    if ".txt" in file.suffixes:
        texts = (line.decode("utf-8", "replace") for _, line in read_lines(str(path)))
        source = make_source(file.name, texts)
    else:
        source = source_of_test(open_test(path))
    return TrainingRecord(sources=(source,))


def training_record(*sources: str | Path | Test) -> TrainingRecord:
    """The record of all that a candidate learnt from: tests, text files, records, models."""
    return TrainingRecord().plus(
        *(
            TrainingRecord(sources=(source_of_test(source),))
            if isinstance(source, Test)
            else read_seen(source)
            for source in sources
        )
    )


def seen_problems(test: Test, record: TrainingRecord) -> Iterator[Problem]:
    """A problem for each passage of a test that a record has."""
    for place, passage in test.stream(ignore):  # what is unsound is reported elsewhere
        sources = record.sources_of(compared_text(test, passage))
        if sources:
            message = f"{test.kind.record_noun} {passage.id} is in {', '.join(sources)}"
            yield Problem(test.file, place, "seen", message)
