"""Passages through the checks, in batches, by one process or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from readmark.corpus.language import primary
from readmark.corpus.test import Test
from readmark.corpus.values import Passage
from readmark.measures.sketches import Sketcher
from readmark.setting.in_order import ordered_map
from readmark.setting.screening import Finding, Reading
from readmark.setting.screening.checks import CHECKS
from readmark.setting.screening.config import Config, Settings
from readmark.setting.screening.rows import Asked, Examined, stored
from readmark.text.characters import characters_of

BATCH = 64
"""Passages that are sent to a worker together."""

Batch = list[tuple[str, str]]
"""A language and a text in it, each."""


class Found(NamedTuple):
    """What became of a batch: all that a worker can do, so that the first process need not."""

    rows: bytes
    beside: bytes
    """The stored lines, and what waits beside them."""
    failed: list[tuple[str, ...]]
    sketches: list[bytes]


def findings_of(reading: Reading, language: str, settings: Settings) -> dict[str, Finding]:
    """What every check of a language finds on a passage."""
    return {
        name: CHECKS[name].measures[language](reading, thresholds)
        for name, thresholds in settings.items()
    }


def examine(
    languages: Mapping[str, Settings], sketcher: Sketcher | None, batch: Batch
) -> list[Examined]:
    """The checks on a batch of texts."""
    found: list[Examined] = []
    counted = characters_of([text for _, text in batch])
    for (language, text), one in zip(batch, counted, strict=True):
        findings = findings_of(Reading(text, one), language, languages[language])
        failed = tuple(name for name, made in findings.items() if made.verdict == "discard")
        found.append(Examined(msgspec.json.encode(findings), failed, b""))
    if sketcher is None:
        return found
    # Apart from the words: in turns, each would drive the other's tables out of the cache.
    sketches = sketcher.sketches([text for _, text in batch])
    return [one._replace(sketch=made) for one, made in zip(found, sketches, strict=True)]


def found_on(
    languages: Mapping[str, Settings], sketcher: Sketcher | None, batch: list[Asked]
) -> Found:
    """The checks on a batch and its rows of the report: what a worker does."""
    made = examine(languages, sketcher, [(one.language, one.text) for one in batch])
    bound = None if sketcher is None else sketcher.threshold
    rows = [stored(one, found, bound) for one, found in zip(batch, made, strict=True)]
    lines, beside = map(b"".join, zip(*rows, strict=True))
    return Found(lines, beside, [one.failed for one in made], [one.sketch for one in made])


def examined(
    test: Test, config: Config, *, sketcher: Sketcher | None, workers: int
) -> Iterator[tuple[list[Passage], Found]]:
    """The passages of a test in batches with what was found, in order; memory does not grow."""
    waiting: deque[list[Passage]] = deque()
    known: dict[str, str] = {}
    usual = test.language

    def asked(record: Passage) -> Asked:
        language = record.language or usual
        if language not in known:
            config.of(language, file=test.file, where=record.language and record.id)
            known[language] = primary(language)
        return Asked(known[language], record.text, record.id, record.article, record.title)

    def batches() -> Iterator[list[Asked]]:
        records = test.records()
        while batch := list(islice(records, BATCH)):
            waiting.append(batch)
            yield list(map(asked, batch))

    work = partial(found_on, dict(config.languages), sketcher)
    for found in ordered_map(work, batches(), workers=workers):
        yield waiting.popleft(), found
