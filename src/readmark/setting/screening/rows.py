"""A passage's line of the report as the rules alone have it, made where the passage is looked at.

Most lines stay so. What another last word would need waits beside them, a line each as well: the
quote of a passage that the rules keep, and the bare findings on one that they discard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from readmark.corpus.fingerprint import text_id
from readmark.setting.screening import Finding
from readmark.setting.screening.checks import NEAR_DUPLICATES
from readmark.setting.screening.report import Row, quote_of

_NOT_COMPARED = "not compared: discarded already"


class Asked(NamedTuple):
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
_row = msgspec.json.Decoder(Row).decode


def stored(asked: Asked, found: Examined, resemblance: float | None) -> tuple[bytes, bytes]:
    """The line and what waits beside it; without a bound nothing is compared."""
    quote, checks, failed = quote_of(asked.text), msgspec.Raw(found.findings), found.failed
    beside = found.findings if failed else _encode(quote)
    if failed and resemblance is not None:
        checks = with_copy(checks, not_compared(resemblance))
    row = Row(
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
    return _encode(row) + b"\n", beside + b"\n"


def row_of(line: bytes, beside: bytes) -> Row:
    """The row of a stored line with all that was known: measured only, and quoted."""
    row = _row(line)
    if row.rules == "keep":
        return msgspec.structs.replace(row, quote=msgspec.json.decode(beside, type=str))
    return msgspec.structs.replace(row, checks=msgspec.Raw(beside.rstrip(b"\n")))


def with_copy(checks: msgspec.Raw, copy: Finding) -> msgspec.Raw:
    """Findings with what was found of copies."""
    findings: Mapping[str, Finding] = msgspec.json.decode(checks, type=dict[str, Finding])
    return msgspec.Raw(_encode({**findings, NEAR_DUPLICATES: copy}))


def not_compared(resemblance: float) -> Finding:
    """What the check on near-duplicates says of a passage that is discarded anyhow."""
    return Finding(value=None, threshold=resemblance, verdict="keep", note=_NOT_COMPARED)
