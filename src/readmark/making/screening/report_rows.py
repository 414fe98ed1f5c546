"""A passage's line of the report as the rules alone have it, made where the passage is looked at.

Most lines stay so. What another last word would need is stored separately, also one line each: the
quote of a passage that the rules keep, and the bare findings on one that they discard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from readmark.core.fingerprint import text_id
from readmark.making.screening.checks import NEAR_DUPLICATES
from readmark.making.screening.findings import CheckFinding
from readmark.making.screening.report import ScreeningRow, quote_of

_NOT_COMPARED = "not compared: discarded already"


class PassageToExamine(NamedTuple):
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
    passage: PassageToExamine, examined: Examined, resemblance: float | None
) -> tuple[bytes, bytes]:
    """The line and its alternative; without a bound nothing is compared."""
    quote, failed = quote_of(passage.text), examined.failed
    checks = msgspec.Raw(examined.findings)
    alternative = examined.findings if failed else _encode(quote)
    if failed and resemblance is not None:
        checks = with_copy(checks, not_compared(resemblance))
    row = ScreeningRow(
        id=passage.id,
        version=text_id(passage.text),
        verdict="discard" if failed else "keep",
        by="rules",
        rules="discard" if failed else "keep",
        reasons=failed,
        checks=checks,
        people=(),
        article=passage.article,
        title=passage.title,
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
