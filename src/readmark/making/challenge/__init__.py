"""The challenge set of CMRC 2018: questions that no single sentence answers, found or checked."""

from __future__ import annotations

from readmark.making.challenge.criteria import (
    CRITERIA,
    FIELD,
    SHORT,
    Judge,
    Limits,
    Selection,
    Verdict,
    selected,
)

__all__ = ["CRITERIA", "FIELD", "SHORT", "Judge", "Limits", "Selection", "Verdict", "selected"]
