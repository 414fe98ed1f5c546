"""Readability panels: passages rated by experts, novices and machines."""

from __future__ import annotations

EXPERT, NOVICE = "expert", "novice"
PANELS = (EXPERT, NOVICE)
DEFINITION = (
    "a subjective judgment of how easily a reader can extract the information the writer or "
    "speaker intended to convey"
)
"""What readability is, in the words of the document."""
