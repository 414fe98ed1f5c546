"""Agreement on annotated statements: F1 of what two annotators stated of the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.core.display import counted
from readmark.making.agreement.values import AgreementComparison, Annotator, compare_work, for_pairs
from readmark.statistics.agreement.f_measure import f_measure
from readmark.statistics.agreement.value import Agreement, Resampling
from readmark.tasks import ENTITIES, RELATIONS, STATEMENTS, DocumentGraph, GraphOverlap, overlap

SORTS = (STATEMENTS, ENTITIES, RELATIONS)
NO_KAPPA = "kappa does not apply: what nobody stated cannot be counted"


def compare_statements(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """F1 of each two on the documents that both annotated."""
    each = for_pairs(resampling, people)
    graphs = [
        {id: DocumentGraph(asserted) for id, asserted in person.statements.items()}
        for person in people
    ]
    second = "f1(untyped)" if what == ENTITIES else "f1(words)"
    notes = [NO_KAPPA]
    if unsigned := people[0].unsigned:
        notes.append(f"{counted(unsigned, 'statement')} without an annotator left out")

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        ids = [id for id in graphs[a] if id in graphs[b]]
        counts = [overlap(graphs[a][id], graphs[b][id], what) for id in ids]
        if counts:
            totals = GraphOverlap(*map(sum, zip(*counts, strict=True)))
            one, other = people[a].name, people[b].name
            notes.append(
                f"{one} has {counted(totals.a, _NOUNS[what])}, {other} {totals.b:,}, "
                f"both {totals.both:,}"
            )
        return tuple(
            f_measure(
                measure,
                [(getattr(one, common), one.a, getattr(one, common), one.b) for one in counts],
                reason=f"neither has any of the {what}",
                clusters=ids,
                resampling=each,
            )
            for measure, common in (("f1", "both"), (second, "loosely"))
        )

    made = compare_work(
        people,
        what,
        [dict(person.statements) for person in people],
        pair,
        did="annotated no document in common",
        sort=what,
        noun="document",
        figures=(),
    )
    return replace(made, notes=tuple(notes))


_NOUNS = {STATEMENTS: "statement", ENTITIES: "entity", RELATIONS: "relation"}
