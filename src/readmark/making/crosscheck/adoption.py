"""What is adopted at each difference: A's version, B's, or one that an adjudicator wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from readmark.core.errors import DataError
from readmark.making.crosscheck.comparison import ComparedPassage
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.disagreements import disagreement
from readmark.making.crosscheck.items import ANSWER_SENTENCE, LayerItem
from readmark.making.crosscheck.texts import parts_of
from readmark.making.crosscheck.third_versions import COVERING_LAYERS, third_version
from readmark.settling import Disagreement

Otherwise = Literal["a", "b", "drop"]
"""What to do where nothing was decided; drop takes neither version."""


@dataclass(frozen=True, slots=True)
class AdoptedItems:
    """The version adopted of one difference, by whom, and on whose decision it follows."""

    difference: Difference
    items: tuple[LayerItem, ...]
    decision: str
    by: str | None = None
    follows: str | None = None

    def record(self) -> dict[str, Any]:
        """As it is recorded with the gold."""
        record = {"decision": self.decision, "by": self.by, "follows": self.follows}
        return {name: value for name, value in record.items() if value}


def adopt(
    compared: ComparedPassage,
    decisions: Mapping[str, Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> tuple[list[AdoptedItems], list[str]]:
    """What was adopted in one passage, and the ids that nobody decided.

    A line about other versions than the files' is refused.
    """
    adopted: list[AdoptedItems] = []
    undecided: list[str] = []
    texts = {part.id: part for part in parts_of(compared.a)}
    for difference in compared.differences:
        line = decisions.get(difference.id)
        if line is not None and not line.is_about(disagreement(difference)):
            raise DataError(
                "is about other versions than these files have; run set crosscheck again, "
                "which keeps the decisions that still hold",
                file=file,
                where=difference.id,
            )
        base = compared.follows.get(difference.id)
        base_line = decisions.get(base) if base is not None else None
        # A decision of its own comes first, then the one it follows, then what --undecided says.
        if line is not None and line.decision == "other":
            items = third_version(difference, line.other, texts, file)
            adopted.append(AdoptedItems(difference, items, "other", line.by))
        elif line is not None and line.decision is not None:
            items = _version(difference, line.decision)
            adopted.append(AdoptedItems(difference, items, line.decision, line.by))
        elif base_line is not None and base_line.decision in ("a", "b"):
            items = _version(difference, base_line.decision)
            decision, by = base_line.decision, base_line.by
            adopted.append(AdoptedItems(difference, items, decision, by, follows=base))
        elif otherwise in ("a", "b"):
            items = _version(difference, otherwise)
            adopted.append(AdoptedItems(difference, items, f"undecided: {otherwise}"))
        elif otherwise is not None and difference.what not in COVERING_LAYERS:
            items = ()
            if difference.what == ANSWER_SENTENCE:  # one difference for all: what both have stays
                spans_b = {item.span for item in difference.b}
                items = tuple(item for item in difference.a if item.span in spans_b)
            adopted.append(AdoptedItems(difference, items, "undecided: drop"))
        # What follows from an undecided difference is decided with it, and is not listed as well.
        elif base is None or (base_line is not None and base_line.decision == "other"):
            undecided.append(difference.id)
    return adopted, undecided


def _version(difference: Difference, side: str) -> tuple[LayerItem, ...]:
    return difference.a if side == "a" else difference.b
