"""Coreference in brat: relations from an anaphor to its antecedent, as the layer ``mention``.

A mention has an id and the id that it refers to. In brat both are attributes, REFID and REF, and
the reference is a relation Coref as well.
"""

from __future__ import annotations

from typing import Any

from readmark.core.problems import Problem, ReportProblem, remark
from readmark.core.records import Layer
from readmark.formats.brat.standoff import Standoff, TextBound

RELATION = "Coref"
"""The type of the relations that are written."""
REFID, REF = "REFID", "REF"


def add_mentions(standoff: Standoff, file: str, report: ReportProblem) -> list[TextBound]:
    """Give mentions their ids and references; return those made for spans of other layers.

    An antecedent without a REFID gets the next number, counted in the order of the text.
    """
    mentions = [bound for bound in standoff.bound.values() if _is_mention(bound)]
    by_span = {mention.span: mention for mention in mentions}
    for mention in mentions:
        for attribute, column in ((REFID, "id"), (REF, "ref")):
            mention.attributes[column] = mention.attributes.pop(attribute, None)

    new: dict[str, TextBound] = {}

    def mention_of(id: str) -> TextBound:
        bound = standoff.bound[id]
        if _is_mention(bound):
            return bound
        if bound.span not in by_span:
            columns = {"id": None, "ref": None}
            by_span[bound.span] = new[id] = TextBound(
                f"{id}-mention", "Mention", (bound.span,), columns
            )
        return by_span[bound.span]

    links = [
        (mention_of(anaphor), mention_of(antecedent))
        for _, anaphor, antecedent in standoff.relations
    ]
    taken = {mention.attributes["id"] for mention in mentions}
    number = 1
    for antecedent in sorted((mention for _, mention in links), key=lambda mention: mention.span):
        if antecedent.attributes["id"] is None:
            while number in taken:
                number += 1
            antecedent.attributes["id"] = number
            taken.add(number)
    for anaphor, antecedent in links:
        first, second = anaphor.attributes["ref"], antecedent.attributes["id"]
        if first not in (None, second):
            message = f"{anaphor.id} refers to {first} and to {second}; the first is kept"
            remark(report, Problem(file, anaphor.id, "annotation", message))
        else:
            anaphor.attributes["ref"] = second
    return list(new.values())


def _is_mention(bound: TextBound) -> bool:
    return bound.type.lower() == "mention"


def antecedents(layer: Layer | None) -> dict[int, int]:
    """Every anaphor of a layer of mentions with its antecedent, by their positions.

    Several mentions may have the id that an anaphor refers to: the last one before it is meant,
    and the first one where none is before it.
    """
    if layer is None or not {"id", "ref"} <= layer.columns.keys():
        return {}
    by_id: dict[Any, list[int]] = {}
    for index, id in enumerate(layer.columns["id"]):
        if isinstance(id, int):
            by_id.setdefault(id, []).append(index)
    antecedents = {}
    for index, ref in enumerate(layer.columns["ref"]):
        if isinstance(ref, int) and ref in by_id:
            before = [position for position in by_id[ref] if position < index]
            antecedents[index] = before[-1] if before else by_id[ref][0]
    return antecedents
