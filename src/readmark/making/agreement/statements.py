"""Agreement on annotated statements: F1 of what two annotators stated of the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.core.display import counted
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.comparison import AgreementComparison, compare_work, for_pairs
from readmark.statistics.agreement.f_measure import f_measure
from readmark.statistics.agreement.value import Agreement, Resampling
from readmark.tasks import STATEMENT_SORTS, AnnotatorGraphs

NO_KAPPA = "kappa does not apply: what nobody stated cannot be counted"


def compare_statements(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """F1 of each two on the documents that both annotated."""
    pair_resampling = for_pairs(resampling, people)
    graphs = [AnnotatorGraphs(person.statements) for person in people]
    noun, looser = STATEMENT_SORTS[what]
    notes = [NO_KAPPA]
    if unsigned := people[0].unsigned:
        notes.append(f"{counted(unsigned, 'statement')} without an annotator left out")

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        by_document = graphs[a].overlaps(graphs[b], what)
        overlaps = list(by_document.values())
        if overlaps:
            of_a, of_b, both, _ = map(sum, zip(*overlaps, strict=True))
            notes.append(
                f"{people[a].name} has {counted(of_a, noun)}, {people[b].name} {of_b:,}, "
                f"both {both:,}"
            )
        strict = [(counts.both, counts.a, counts.both, counts.b) for counts in overlaps]
        loose = [(counts.loosely, counts.a, counts.loosely, counts.b) for counts in overlaps]
        return tuple(
            f_measure(
                measure,
                rows,
                reason=f"neither has any of the {what}",
                clusters=list(by_document),
                resampling=pair_resampling,
            )
            for measure, rows in (("f1", strict), (f"f1({looser})", loose))
        )

    comparison = compare_work(
        people,
        what,
        [dict(person.statements) for person in people],
        pair,
        nothing_shared="annotated no document in common",
        sort=what,
        noun="document",
        figures=(),
    )
    return replace(comparison, notes=tuple(notes))  # each pair has added one
