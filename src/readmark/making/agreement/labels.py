"""Agreement on labels that annotators gave to the same units: levels, types, decisions, ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from readmark.comprehension import LEVELS
from readmark.core.errors import UsageError
from readmark.core.labels import in_order
from readmark.formats.label_sheets import spell
from readmark.making.agreement.annotator import Annotator, groups_of
from readmark.making.agreement.comparison import (
    AgreementComparison,
    compare_work,
    disagreed,
    for_pairs,
    in_common,
    units_of,
)
from readmark.readability import STARS
from readmark.statistics.agreement.alpha import Scale, krippendorff_alpha
from readmark.statistics.agreement.cohen import KappaWeights, cohen_kappa
from readmark.statistics.agreement.fleiss import fleiss_kappa
from readmark.statistics.agreement.label_cells import Label
from readmark.statistics.agreement.percent import panel_agreement, percent_agreement
from readmark.statistics.agreement.value import Agreement, Resampling

ORDINAL: Mapping[str, Sequence[int]] = {
    "level": LEVELS,
    "rating": STARS,
}
"""Fields whose numbers are taken for ranks unless another scale is asked for, with their steps."""


def compare_labels(
    people: Sequence[Annotator],
    what: str,
    *,
    scale: Scale | None = None,
    order: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> AgreementComparison:
    """Percent, kappas and alpha; units that only some labelled count where a measure permits."""
    columns = [_labels(annotator, what) for annotator in people]
    units = units_of(columns)
    rows = [[column.get(id) for column in columns] for id in units]
    order = [spell(label) or label for label in order]
    labels = sorted({label for row in rows for label in row if label is not None}, key=in_order)
    is_ranked = bool(order) or (what in ORDINAL and _are_numbers(labels))
    scale = scale or ("ordinal" if is_ranked else "nominal")
    values = _values(labels, what, scale, order)
    # Where labels are numbers, two spellings of one number are one label: 2.5 and 2.50.
    spelling = {values[label]: label for label in reversed(labels)}
    labels = [label for label in labels if spelling[values[label]] == label]
    rows = [[None if label is None else spelling[values[label]] for label in row] for row in rows]
    panel = [[None if label is None else values[label] for label in row] for row in rows]
    steps: Sequence[Label] | None = order or None
    if not order and what in ORDINAL and set(values.values()) <= set(ORDINAL[what]):
        steps = ORDINAL[what]  # a step that nobody used still lies between its neighbours
    groups = groups_of(people)
    clusters = [groups.get(id, id) for id in units]
    kappa_weights: tuple[KappaWeights | None, ...] = (None,)
    if scale != "nominal":
        kappa_weights = (None, "linear", "quadratic")
    places = {id: place for place, id in enumerate(units)}

    def shared_places(a: int, b: int) -> list[int]:
        return [places[id] for id in in_common(columns[a], columns[b], places)]

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        shared = shared_places(a, b)
        values_a, values_b = ([panel[place][person] for place in shared] for person in (a, b))
        how: dict[str, Any] = {
            "clusters": [clusters[place] for place in shared],
            "resampling": for_pairs(resampling, people),
        }
        return (
            percent_agreement(values_a, values_b, **how),
            *(
                cohen_kappa(values_a, values_b, weights=weights, order=steps, **how)
                for weights in kappa_weights
            ),
        )

    def confusion(a: int, b: int) -> Mapping[str, Mapping[str, int]]:
        return _confusion([(rows[place][a], rows[place][b]) for place in shared_places(a, b)])

    together: dict[str, Any] = {"clusters": clusters, "resampling": resampling}
    return compare_work(
        people,
        what,
        columns,
        pair,
        nothing_shared=f"labelled no unit in common with {what!r}",
        confusion=confusion,
        sort="labels",
        noun=_noun(people, units),
        figures=(
            panel_agreement(panel, **together),
            fleiss_kappa(panel, **together),
            *(
                krippendorff_alpha(panel, scale=alpha_scale, order=order or None, **together)
                for alpha_scale in dict.fromkeys(("nominal", scale))
            ),
        ),
        scale=scale,
        labels=tuple(order) if order else tuple(labels),
        disagreed=disagreed(units, rows),
    )


def _labels(person: Annotator, what: str) -> dict[str, str]:
    """An annotator's labels of a field by unit; a column ``label`` stands for any field."""
    if not any(what in labels for labels in person.labels.values()) and not person.records:
        what = "label"
    return {id: labels[what] for id, labels in person.labels.items() if what in labels}


def _values(
    labels: Sequence[str], what: str, scale: Scale, order: Sequence[str]
) -> dict[str, float | str]:
    """What stands for each label: itself, or its number where it is one on a scale."""
    if order:
        repeated = [label for index, label in enumerate(order) if label in order[:index]]
        if repeated:
            raise UsageError(f"--order names {repeated[0]!r} twice")
        missing = [label for label in labels if label not in order]
        if missing:
            raise UsageError(f"--order does not have {missing[0]!r}, a label of {what!r}")
        if scale in ("interval", "ratio"):
            raise UsageError(f"--order is for an ordinal scale; {scale} labels are numbers")
        return {label: label for label in labels}
    if scale == "nominal":
        return {label: label for label in labels}
    for label in labels:
        if not _are_numbers([label]):
            also = " unless --order names them" if scale == "ordinal" else ""
            raise UsageError(f"{scale} labels are numbers{also}; {what!r} has {label!r}")
    return {label: in_order(label)[1] for label in labels}


def _are_numbers(labels: Sequence[str]) -> bool:
    return all(in_order(label)[0] == 0 for label in labels)


def _confusion(pairs: Sequence[tuple[str | None, str | None]]) -> dict[str, dict[str, int]]:
    """How often A's label met B's, in the order of the labels."""
    met = Counter((a, b) for a, b in pairs if a is not None and b is not None)
    counts: dict[str, dict[str, int]] = {}
    for a, b in sorted(met, key=lambda pair: [in_order(label) for label in pair]):
        counts.setdefault(a, {})[b] = met[a, b]
    return counts


def _noun(people: Sequence[Annotator], units: Sequence[str]) -> str:
    records = {id for annotator in people for id in annotator.records}
    questions = {id for annotator in people for id in annotator.groups} - records
    if records and questions.issuperset(units):
        return "question"
    return "passage" if records.issuperset(units) else "unit"
