"""Proposed references in a passage, which never replace what people made or corrected."""

from __future__ import annotations

import msgspec

from readmark.core.records import Passage, RecordKey
from readmark.text.analysers.registry import ANALYSER_PREFIX
from readmark.text.proposed_mentions import proposed_mentions


def with_mentions(passage: Passage, language: str, *, force: bool = False) -> Passage:
    """The passage with a proposed mention layer under its key; one of other makers is kept."""
    key = passage.key or RecordKey()
    existing = key.layers.get("mention")
    if existing is not None and not (force or existing.source.startswith(ANALYSER_PREFIX)):
        return passage
    proposed = proposed_mentions(passage.text, passage.layers, language)
    if proposed is None:
        return passage
    # A layer that names the rule and is not what the rule makes is people's work.
    is_of_rule = existing is not None and existing.source == proposed.source
    if is_of_rule and existing != proposed and not force:
        return passage
    layers = {**key.layers, "mention": proposed}
    return msgspec.structs.replace(passage, key=msgspec.structs.replace(key, layers=layers))
