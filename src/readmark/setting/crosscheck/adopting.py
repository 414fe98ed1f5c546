"""What was adopted at each difference: A's version, B's, or another that an adjudicator wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from readmark.corpus.errors import DataError
from readmark.setting.adjudication import Disagreement
from readmark.setting.crosscheck.checking import Compared
from readmark.setting.crosscheck.comparing import Difference
from readmark.setting.crosscheck.items import Item
from readmark.setting.crosscheck.rows import row, same_versions
from readmark.setting.crosscheck.scope import ANSWER_SENTENCE
from readmark.setting.crosscheck.texts import Part, parts_of
from readmark.setting.crosscheck.third_versions import WHOLE, written

Otherwise = Literal["a", "b", "drop"]
"""What to do where nothing was decided; drop takes neither version."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """The version adopted of one difference, by whom, and on whose decision it follows."""

    difference: Difference
    items: tuple[Item, ...]
    decision: str
    by: str | None = None
    follows: str | None = None

    def told(self) -> dict[str, Any]:
        """As it is recorded with the gold."""
        said = {"decision": self.decision, "by": self.by, "follows": self.follows}
        return {name: it for name, it in said.items() if it}


@dataclass(slots=True)
class Adoptions:
    """What was adopted, and the ids that nobody decided."""

    adopted: list[Adopted] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)


def adopt(
    compared: Compared,
    decisions: Mapping[str, Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> Adoptions:
    """Take the decisions of one passage; a line about other versions than the files' is refused."""
    found = Adoptions()
    texts = {part.id: part for part in parts_of(compared.a)}
    for one in compared.found:
        said = decisions.get(one.id)
        if said is not None and not same_versions(said, row(one)):
            raise DataError(
                "is about other versions than these files have; run set crosscheck again, "
                "which keeps the decisions that still hold",
                file=file,
                where=one.id,
            )
        taken = _decided(one, said, texts, file) or _followed(one, compared, decisions)
        taken = taken or _otherwise(one, otherwise)
        if taken is not None:
            found.adopted.append(taken)
        elif _stands_alone(one, compared, decisions):
            found.undecided.append(one.id)
    return found


def _stands_alone(
    one: Difference, compared: Compared, decisions: Mapping[str, Disagreement]
) -> bool:
    """Whether a decision on the phrases that a difference rests on would not settle it."""
    base = compared.follows.get(one.id)
    said = decisions.get(base) if base is not None else None
    return base is None or (said is not None and said.decision == "other")


def _decided(
    one: Difference, said: Disagreement | None, texts: Mapping[str, Part], file: str
) -> Adopted | None:
    if said is None or said.decision is None:
        return None
    if said.decision == "other":
        return Adopted(one, written(one, said.other, texts, file), "other", said.by)
    return Adopted(one, one.a if said.decision == "a" else one.b, said.decision, said.by)


def _followed(
    one: Difference, compared: Compared, decisions: Mapping[str, Disagreement]
) -> Adopted | None:
    base = decisions.get(compared.follows.get(one.id, ""))
    if base is None or base.decision not in ("a", "b"):
        return None
    items = one.a if base.decision == "a" else one.b
    return Adopted(one, items, base.decision, base.by, base.id)


def _otherwise(one: Difference, otherwise: Otherwise | None) -> Adopted | None:
    if otherwise in ("a", "b"):
        return Adopted(one, one.a if otherwise == "a" else one.b, f"undecided: {otherwise}")
    if otherwise is None or one.what in WHOLE:
        return None
    both = {item.span for item in one.a} & {item.span for item in one.b}
    kept = one.a if one.what == ANSWER_SENTENCE else ()
    return Adopted(one, tuple(item for item in kept if item.span in both), "undecided: drop")


def unknown_ids(decisions: Mapping[str, Disagreement], compared: Sequence[str]) -> list[str]:
    """Decided lines that are no difference of these files."""
    known = set(compared)
    return [id for id, one in decisions.items() if id not in known and one.decision is not None]
