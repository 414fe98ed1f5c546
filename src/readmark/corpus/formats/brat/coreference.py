"""Coreference in brat: relations between spans, read as the columns of the layer ``mention``."""

from __future__ import annotations

from readmark.corpus.formats.brat.lines import Bound, Standoff
from readmark.corpus.problems import Problem, Report, remark

COREF = frozenset({"coref", "coreference", "anaphora"})
"""The types of relation, in lower case, that lead from an anaphor to its antecedent."""
RELATION = "Coref"
REFID, REF = "REFID", "REF"


def mentions(standoff: Standoff, file: str, report: Report) -> list[Bound]:
    """Give mentions their ids and references; spans of other layers get mentions of their own.

    An antecedent without a REFID gets the next number, counted in the order of the text.
    """
    made: dict[str, Bound] = {}
    known = [one for one in standoff.bound.values() if _is_mention(one)]
    by_span = {one.span: one for one in known}
    for one in known:
        for written, column in ((REFID, "id"), (REF, "ref")):
            one.attributes[column] = one.attributes.pop(written, None)

    def mention(id: str) -> Bound:
        span = standoff.bound[id].span
        if _is_mention(standoff.bound[id]):
            return standoff.bound[id]
        if span not in by_span:
            columns = {"id": None, "ref": None}
            by_span[span] = made[id] = Bound(f"{id}-mention", "Mention", (span,), columns)
        return by_span[span]

    links = [(mention(one), mention(other)) for _, one, other in standoff.relations]
    used = {one.attributes["id"] for one in known}
    number = 1
    for antecedent in sorted((other for _, other in links), key=lambda one: one.span):
        if antecedent.attributes["id"] is None:
            while number in used:
                number += 1
            antecedent.attributes["id"] = number
            used.add(number)
    for anaphor, antecedent in links:
        before, now = anaphor.attributes["ref"], antecedent.attributes["id"]
        if before not in (None, now):
            what = f"{anaphor.id} refers to {before} and to {now}; the first is kept"
            remark(report, Problem(file, anaphor.id, "annotation", what))
        else:
            anaphor.attributes["ref"] = now
    return list(made.values())


def _is_mention(one: Bound) -> bool:
    return one.type.lower() == "mention"
