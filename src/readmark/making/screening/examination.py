"""Passages through the checks, in batches, by one process or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from readmark.core.language import primary
from readmark.core.records import Passage
from readmark.core.test import Test
from readmark.making.screening.characters import count_characters_of
from readmark.making.screening.checks import CHECKS
from readmark.making.screening.config import Config, Settings
from readmark.making.screening.findings import CheckFinding, ScreenedText
from readmark.making.screening.report_rows import Examined, PassageToExamine, stored_lines
from readmark.sitting import Cluster, map_with_workers
from readmark.text.sketches import Sketcher

BATCH = 64
"""Passages that are sent to a worker together."""

Batch = list[tuple[str, str]]
"""Languages, each with a text in it."""


class BatchFindings(NamedTuple):
    """The findings on a batch, as far as a worker can prepare them for the first process."""

    rows: bytes
    alternatives: bytes
    """What the stored lines would need if their verdict changed, one line each."""
    failed: list[tuple[str, ...]]
    sketches: list[bytes]


def findings_of(
    reading: ScreenedText, language: str, settings: Settings
) -> dict[str, CheckFinding]:
    """What every check of a language finds on a passage."""
    return {
        name: CHECKS[name].measures[language](reading, thresholds)
        for name, thresholds in settings.items()
    }


def examine(
    settings: Mapping[str, Settings], sketcher: Sketcher | None, batch: Batch
) -> list[Examined]:
    """The checks on a batch of texts; ``settings`` are by language."""
    passages: list[Examined] = []
    counts = count_characters_of([text for _, text in batch])
    for (language, text), characters in zip(batch, counts, strict=True):
        findings = findings_of(ScreenedText(text, characters), language, settings[language])
        failed = tuple(name for name, finding in findings.items() if finding.verdict == "discard")
        passages.append(Examined(msgspec.json.encode(findings), failed, b""))
    if sketcher is None:
        return passages
    # After all of the words: in turns, each would drive the other's tables out of the cache.
    sketches = sketcher.sketches([text for _, text in batch])
    return [
        passage._replace(sketch=sketch) for passage, sketch in zip(passages, sketches, strict=True)
    ]


def examine_rows(
    settings: Mapping[str, Settings], sketcher: Sketcher | None, batch: list[PassageToExamine]
) -> BatchFindings:
    """The checks on a batch and its rows of the report: what a worker does."""
    examined = examine(settings, sketcher, [(passage.language, passage.text) for passage in batch])
    resemblance = None if sketcher is None else sketcher.threshold
    rows = [
        stored_lines(passage, result, resemblance)
        for passage, result in zip(batch, examined, strict=True)
    ]
    lines, alternatives = map(b"".join, zip(*rows, strict=True))
    return BatchFindings(
        lines,
        alternatives,
        [result.failed for result in examined],
        [result.sketch for result in examined],
    )


def examine_test(
    test: Test,
    config: Config,
    *,
    sketcher: Sketcher | None,
    workers: int,
    engine: str | Cluster,
) -> Iterator[tuple[list[Passage], BatchFindings]]:
    """The passages of a test in batches with their findings, in order; memory does not grow."""
    waiting: deque[list[Passage]] = deque()
    languages: dict[str, str] = {}

    def to_examine(record: Passage) -> PassageToExamine:
        language = record.language or test.language
        if language not in languages:
            config.of(language, file=test.file, where=record.language and record.id)
            languages[language] = primary(language)
        return PassageToExamine(
            languages[language], record.text, record.id, record.article, record.title
        )

    def batches() -> Iterator[list[PassageToExamine]]:
        records = test.records()
        while batch := list(islice(records, BATCH)):
            waiting.append(batch)
            yield list(map(to_examine, batch))

    work = partial(examine_rows, dict(config.languages), sketcher)
    for batch_findings in map_with_workers(work, batches(), workers=workers, engine=engine):
        yield waiting.popleft(), batch_findings
