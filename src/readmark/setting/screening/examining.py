"""Passages through the checks, in batches, by one process or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from readmark.corpus.language import primary
from readmark.corpus.test import Test
from readmark.measures.sketches import Sketcher
from readmark.setting.in_order import ordered_map
from readmark.setting.screening import Finding, Reading
from readmark.setting.screening.checks import CHECKS
from readmark.setting.screening.config import Config, Settings
from readmark.text.characters import characters_of

BATCH = 64
"""Passages that are sent to a worker together."""

Batch = list[tuple[str, str]]
"""A language and a text in it, each."""


class Examined(NamedTuple):
    """What the checks found on one passage."""

    findings: bytes
    """Findings by check, as JSON: most are only ever copied into the report."""
    failed: tuple[str, ...]
    """The checks that would discard it."""
    sketch: bytes
    """For finding near-duplicates; empty where nobody looks for them."""


def findings_of(reading: Reading, language: str, settings: Settings) -> dict[str, Finding]:
    """What every check of a language finds on a passage."""
    return {
        name: CHECKS[name].measures[language](reading, thresholds)
        for name, thresholds in settings.items()
    }


def examine(
    languages: Mapping[str, Settings], sketcher: Sketcher | None, batch: Batch
) -> list[Examined]:
    """The checks on a batch: what a worker does."""
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


def examined(
    test: Test, config: Config, *, sketcher: Sketcher | None, workers: int
) -> Iterator[tuple[Any, Examined]]:
    """Every passage of a test with what was found, in order; memory does not grow."""
    waiting: deque[Any] = deque()
    known: dict[str, str] = {}

    def batches() -> Iterator[Batch]:
        batch: Batch = []
        for record in test.records():
            language = record.language or test.language
            if language not in known:
                config.of(language, file=test.file, where=record.language and record.id)
                known[language] = primary(language)
            waiting.append(record)
            batch.append((known[language], record.text))
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    work: Callable[[Batch], list[Examined]] = partial(examine, dict(config.languages), sketcher)
    results: Iterable[Sequence[Examined]] = ordered_map(work, batches(), workers=workers)
    for result in results:
        for one in result:
            yield waiting.popleft(), one
