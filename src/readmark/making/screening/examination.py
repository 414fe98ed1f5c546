"""A passage's line of the report as the rules alone have it, made where the passage is looked at.

Most lines stay so. What another last word would need is stored separately, also one line each: the
quote of a passage that the rules keep, and the bare findings on one that they discard.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from readmark.core.fingerprint import text_id
from readmark.core.language import primary
from readmark.core.records import Passage
from readmark.core.test import Test
from readmark.making.screening.checks import CHECKS, NEAR_DUPLICATES, Config, Settings
from readmark.making.screening.passages import CheckFinding, ScreenedText, characters_of
from readmark.making.screening.report import ScreeningRow, quote_of
from readmark.sitting import Cluster, map_with_workers
from readmark.text.near_duplicates import ResemblingPair, resembling
from readmark.text.sketches import Sketcher, Sketches

# Near-duplicates among passages: the later of two is a copy of the earlier, which is kept.


Name = tuple[int, str]
"""A passage's position in the test, and its id."""


class CopyPool:
    """Passages that would be kept but for near-duplicates; their sketches wait on disk."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self._sketches = Sketches(sketcher)
        self._positions = array("q")
        self._by_people: set[int] = set()

    def __enter__(self) -> CopyPool:
        return self

    def __exit__(self, *error: object) -> None:
        self._sketches.__exit__(*error)

    def add(self, index: int, sketch: bytes, *, by_people: bool = False) -> None:
        """Take the next passage; one that people decided to keep stays, copy or not."""
        self.extend([index], [sketch])
        if by_people:
            self._by_people.add(index)

    def extend(self, positions: Iterable[int], sketches: Iterable[bytes]) -> None:
        """Take the next passages."""
        self._positions.extend(positions)
        self._sketches.extend(sketches)

    def copies(self, test: Test) -> dict[int, CheckFinding]:
        """What is a copy of which passage that stays, by position."""
        found: dict[int, CheckFinding] = {}
        standing: dict[int, Name] = {}
        """Of a copy's text: the passage that has it and stays all the same."""

        def copy_of(pair: ResemblingPair[Name]) -> CheckFinding | None:
            (first, _), equal = pair.first, pair.resemblance == 1
            if first not in found or first in self._by_people:
                return self._finding(pair.resemblance, pair.first)
            if first in standing:
                return self._finding(pair.resemblance, standing[first])
            # Equal texts are paired with the first of them only. If that is a copy, so are they.
            return found[first] if equal else None

        pairs = resembling(
            self._sketches.candidates(),
            lambda: self._texts(test),
            threshold=self._sketcher.threshold,
            shingle=self._sketcher.shingle,
            settled=lambda name: name[0] in found,
        )
        for pair in pairs:
            second = pair.second[0]
            copy = copy_of(pair)
            if copy is not None:
                found[second] = copy
                if second in self._by_people and pair.resemblance == 1:
                    standing.setdefault(pair.first[0], pair.second)
        return found

    def _finding(self, resemblance: float, name: Name) -> CheckFinding:
        return CheckFinding(
            value=round(resemblance, 4),
            threshold=self._sketcher.threshold,
            verdict="discard",
            note=f"of {name[1]}",
        )

    def _texts(self, test: Test) -> Iterator[tuple[Name, str]]:
        wanted = iter([*self._positions, -1])
        following = next(wanted)
        for index, record in enumerate(test.records()):
            if index == following:
                yield (index, record.id), record.text
                following = next(wanted)


_NOT_COMPARED = "not compared: discarded already"


class AskedPassage(NamedTuple):
    """What a worker needs of a passage."""

    language: str
    text: str
    id: str
    article: str | None
    title: str | None


class Examined(NamedTuple):
    """What the checks found on one passage."""

    findings: bytes
    """Findings by check, as JSON: most are only ever copied into the report."""
    failed: tuple[str, ...]
    """The checks that would discard it."""
    sketch: bytes
    """For finding near-duplicates; empty where nobody looks for them."""


_encode = msgspec.json.Encoder().encode
_row = msgspec.json.Decoder(ScreeningRow).decode


def stored_lines(
    asked: AskedPassage, examined: Examined, resemblance: float | None
) -> tuple[bytes, bytes]:
    """The line and its alternative; without a bound nothing is compared."""
    quote, checks, failed = quote_of(asked.text), msgspec.Raw(examined.findings), examined.failed
    alternative = examined.findings if failed else _encode(quote)
    if failed and resemblance is not None:
        checks = with_copy(checks, not_compared(resemblance))
    row = ScreeningRow(
        id=asked.id,
        version=text_id(asked.text),
        verdict="discard" if failed else "keep",
        by="rules",
        rules="discard" if failed else "keep",
        reasons=failed,
        checks=checks,
        people=(),
        article=asked.article,
        title=asked.title,
        quote=quote if failed else None,
    )
    return _encode(row) + b"\n", alternative + b"\n"


def row_of(line: bytes, alternative: bytes) -> ScreeningRow:
    """The row of a stored line with all that was known: measured only, and quoted."""
    row = _row(line)
    if row.rules == "keep":
        return msgspec.structs.replace(row, quote=msgspec.json.decode(alternative, type=str))
    return msgspec.structs.replace(row, checks=msgspec.Raw(alternative.rstrip(b"\n")))


def with_copy(checks: msgspec.Raw, copy: CheckFinding) -> msgspec.Raw:
    """Findings with what was found of copies."""
    findings: Mapping[str, CheckFinding] = msgspec.json.decode(checks, type=dict[str, CheckFinding])
    return msgspec.Raw(_encode({**findings, NEAR_DUPLICATES: copy}))


def not_compared(resemblance: float) -> CheckFinding:
    """What the check on near-duplicates says of a passage that is discarded anyhow."""
    return CheckFinding(value=None, threshold=resemblance, verdict="keep", note=_NOT_COMPARED)


# Passages through the checks, in batches, by one process or several.


BATCH = 64
"""Passages that are sent to a worker together."""

Batch = list[tuple[str, str]]
"""A language and a text in it, each."""


class BatchFindings(NamedTuple):
    """What became of a batch: all that a worker can do, so that the first process need not."""

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
    languages: Mapping[str, Settings], sketcher: Sketcher | None, batch: Batch
) -> list[Examined]:
    """The checks on a batch of texts."""
    examineds: list[Examined] = []
    counted = characters_of([text for _, text in batch])
    for (language, text), characters in zip(batch, counted, strict=True):
        findings = findings_of(ScreenedText(text, characters), language, languages[language])
        failed = tuple(name for name, made in findings.items() if made.verdict == "discard")
        examineds.append(Examined(msgspec.json.encode(findings), failed, b""))
    if sketcher is None:
        return examineds
    # Apart from the words: in turns, each would drive the other's tables out of the cache.
    sketches = sketcher.sketches([text for _, text in batch])
    return [
        examined._replace(sketch=made) for examined, made in zip(examineds, sketches, strict=True)
    ]


def examine_rows(
    languages: Mapping[str, Settings], sketcher: Sketcher | None, batch: list[AskedPassage]
) -> BatchFindings:
    """The checks on a batch and its rows of the report: what a worker does."""
    made = examine(languages, sketcher, [(passage.language, passage.text) for passage in batch])
    bound = None if sketcher is None else sketcher.threshold
    rows = [
        stored_lines(asked_passage, examined, bound)
        for asked_passage, examined in zip(batch, made, strict=True)
    ]
    lines, alternatives = map(b"".join, zip(*rows, strict=True))
    return BatchFindings(
        lines,
        alternatives,
        [examined.failed for examined in made],
        [examined.sketch for examined in made],
    )


def examined(
    test: Test,
    config: Config,
    *,
    sketcher: Sketcher | None,
    workers: int,
    engine: str | Cluster,
) -> Iterator[tuple[list[Passage], BatchFindings]]:
    """The passages of a test in batches with what was found, in order; memory does not grow."""
    waiting: deque[list[Passage]] = deque()
    known: dict[str, str] = {}
    usual = test.language

    def asked(record: Passage) -> AskedPassage:
        language = record.language or usual
        if language not in known:
            config.of(language, file=test.file, where=record.language and record.id)
            known[language] = primary(language)
        return AskedPassage(known[language], record.text, record.id, record.article, record.title)

    def batches() -> Iterator[list[AskedPassage]]:
        records = test.records()
        while batch := list(islice(records, BATCH)):
            waiting.append(batch)
            yield list(map(asked, batch))

    work = partial(examine_rows, dict(config.languages), sketcher)
    for batch_findings in map_with_workers(work, batches(), workers=workers, engine=engine):
        yield waiting.popleft(), batch_findings
