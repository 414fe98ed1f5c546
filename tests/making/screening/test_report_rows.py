"""Stored lines: what the report gets as it is, and what another last word needs."""

import json
from hashlib import sha256

import msgspec
import pytest

from readmark.making.screening.findings import CheckFinding
from readmark.making.screening.report_rows import (
    Examined,
    PassageToExamine,
    row_of,
    stored_lines,
)

CLEAN = {"symbols": CheckFinding(value=0.0, threshold=0.04, verdict="keep")}
BAD = {"symbols": CheckFinding(value=0.5, threshold=0.04, verdict="discard")}
ASKED = PassageToExamine("zh", "\n河边\t有雾。\n天黑了。", "a\tb", "12", None)


def lines(
    findings: dict[str, CheckFinding], failed: tuple[str, ...], bound: float | None
) -> tuple[bytes, bytes]:
    return stored_lines(ASKED, Examined(msgspec.json.encode(findings), failed, b""), bound)


def test_what_is_kept_goes_into_the_report_as_it_is() -> None:
    written = lines(CLEAN, (), 0.8)
    assert [(line.count(b"\n"), line[-1:]) for line in written] == [(1, b"\n")] * 2
    row = json.loads(written[0])
    assert row == {
        "id": "a\tb",
        "version": sha256(ASKED.text.encode()).hexdigest()[:12],
        "verdict": "keep",
        "by": "rules",
        "reasons": [],
        "rules": "keep",
        "checks": {"symbols": {"value": 0.0, "threshold": 0.04, "verdict": "keep"}},
        "people": [],
        "article": "12",
    }
    assert row_of(*written).quote == "河边\t有雾。"


@pytest.mark.parametrize("bound", [0.8, None])
def test_what_is_discarded_is_quoted_and_says_that_it_was_not_compared(bound: float | None) -> None:
    written = lines(BAD, ("symbols",), bound)
    row = json.loads(written[0])
    assert (row["verdict"], row["rules"], row["reasons"]) == ("discard", "discard", ["symbols"])
    assert row["quote"] == "河边\t有雾。"
    remark = row["checks"].get("near_duplicates", {}).get("note", "")
    assert remark.startswith("not compared") == (bound is not None)
    bare = row_of(*written)
    assert json.loads(bytes(bare.checks)).keys() == {"symbols"}
    assert bare.quote == row["quote"]
