"""What was adopted at each difference: A's version, B's, or another that an adjudicator wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.values import Offsets
from readmark.setting.adjudication import Disagreement
from readmark.setting.crosscheck.checking import Compared
from readmark.setting.crosscheck.comparing import Difference
from readmark.setting.crosscheck.items import ANTECEDENT, Item
from readmark.setting.crosscheck.rows import row, same_versions
from readmark.setting.crosscheck.scope import ANSWER_SENTENCE

Otherwise = Literal["a", "b", "drop"]
"""What to do where nothing was decided; drop takes neither version."""
WHOLE = frozenset({"token", "sentence"})
"""Layers that cover their text: dropping words would leave a hole, so they must be decided."""


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
        said = {"id": self.difference.id, "decision": self.decision, "by": self.by}
        return {name: it for name, it in {**said, "follows": self.follows}.items() if it}


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
    for one in compared.found:
        said = decisions.get(one.id)
        if said is not None and not same_versions(said, row(one)):
            raise DataError(
                "is about other versions than these files have; run set crosscheck again, "
                "which keeps the decisions that still hold",
                file=file,
                where=one.id,
            )
        taken = _decided(one, said, file) or _followed(one, compared, decisions)
        taken = taken or _otherwise(one, otherwise)
        if taken is None:
            found.undecided.append(one.id)
        else:
            found.adopted.append(taken)
    return found


def _decided(one: Difference, said: Disagreement | None, file: str) -> Adopted | None:
    if said is None or said.decision is None:
        return None
    if said.decision == "other":
        return Adopted(one, written(one, said.other, file), "other", said.by)
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


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    span: tuple[int, int] | None = None
    quote: str | None = None


def written(one: Difference, other: Any, file: str) -> tuple[Item, ...]:
    """The items of a third version: quotes in the order of the text, or spans with labels."""

    def wrong(message: str) -> DataError:
        return DataError(f"other: {message}", file=file, where=one.id)

    if not isinstance(other, list):
        raise wrong(f"found {other!r}, expected a list of spans or quotes")
    found = []
    at = one.place[0]
    for version in other:
        said = {"quote": version} if isinstance(version, str) else version
        try:
            place = msgspec.convert(said, _Written)
        except msgspec.ValidationError as error:
            raise wrong(str(error)) from None
        span = _placed(one.text, place, at if one.what != ANSWER_SENTENCE else 0)
        if span is None:
            raise wrong(f"{place.quote!r} does not stand in the text from {at} on")
        if not 0 <= span[0] < span[1] <= len(one.text):
            raise wrong(f"span {span[0]}–{span[1]} is outside the text")
        if place.quote is not None and one.text[slice(*span)] != place.quote:
            quoted = one.text[slice(*span)]
            raise wrong(f"span {span[0]}–{span[1]} reads {quoted!r}, not {place.quote!r}")
        at = span[1]
        labels = {name: it for name, it in said.items() if name not in ("span", "quote")}
        if ANTECEDENT in labels:
            labels[ANTECEDENT] = _antecedent(one, labels[ANTECEDENT], wrong)
        found.append(Item(span, labels))
    return tuple(found)


def _placed(text: str, said: _Written, at: int) -> Offsets | None:
    if said.span is not None:
        return said.span
    start = text.find(said.quote, at) if said.quote else -1
    return (start, start + len(said.quote or "")) if start >= 0 else None


def _antecedent(one: Difference, said: Any, wrong: Any) -> dict[str, Any]:
    """A written antecedent; where it does not say in which text, it is in the same."""
    spans = said.get("span") if isinstance(said, dict) else None
    if not (isinstance(spans, list) and len(spans) == 2 and all(isinstance(n, int) for n in spans)):
        raise wrong(f"antecedent {said!r}, expected an object with a span of two offsets")
    return {"in": said.get("in", one.part.id), "span": spans, "quote": said.get("quote", "")}


def unknown_ids(decisions: Mapping[str, Disagreement], compared: Sequence[str]) -> list[str]:
    """Decided lines that are no difference of these files."""
    known = set(compared)
    return [id for id, one in decisions.items() if id not in known and one.decision is not None]
