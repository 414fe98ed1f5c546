"""Labels that annotators gave to the same units: levels, types, decisions, ratings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.labels import in_order
from readmark.measures.agreement import (
    Agreement,
    Resampling,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    panel_agreement,
    percent_agreement,
)
from readmark.measures.agreement.alpha import Scale
from readmark.measures.agreement.cohen import Weights
from readmark.setting.agreement.label_files import spell
from readmark.setting.agreement.values import Annotator, Comparison, PairAgreement, for_pairs

ORDINAL = frozenset({"level", "rating"})
"""Fields whose numbers are taken for ranks unless another scale is asked for."""

Column = list[str | None]


def compare_labels(
    people: Sequence[Annotator],
    what: str,
    *,
    scale: Scale | None = None,
    order: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> Comparison:
    """Percent, kappas and alpha; units that only some labelled count where a measure permits."""
    columns = [_labels(one, what) for one in people]
    units = list(dict.fromkeys(id for column in columns for id in column))
    labelled = [[column.get(id) for column in columns] for id in units]
    partial = {
        id: tuple(one.name for one, label in zip(people, row, strict=True) if label is not None)
        for id, row in zip(units, labelled, strict=True)
        if None in row
    }
    if not any(sum(label is not None for label in row) > 1 for row in labelled):
        names = " and ".join(repr(one.name) for one in people)
        raise DataError(f"{names} labelled no unit in common with {what!r}")
    order = [spell(label) or label for label in order]
    given = sorted({label for row in labelled for label in row if label is not None}, key=in_order)
    ranked = bool(order) or (what in ORDINAL and _numbers(given))
    chosen: Scale = scale or ("ordinal" if ranked else "nominal")
    value = _values(given, what, chosen, order)
    # Where labels are numbers, two spellings of one number are one label: 2.5 and 2.50.
    spelling = {value[label]: label for label in reversed(given)}
    given = [label for label in given if spelling[value[label]] == label]
    labelled = [
        [None if label is None else spelling[value[label]] for label in row] for row in labelled
    ]
    panel = [[None if label is None else value[label] for label in row] for row in labelled]
    groups = {id: group for one in people for id, group in one.groups.items()}
    clusters = [groups.get(id, id) for id in units]
    figures = [
        panel_agreement(panel, clusters=clusters, resampling=resampling),
        fleiss_kappa(panel, clusters=clusters, resampling=resampling),
        *(
            krippendorff_alpha(
                panel, scale=one, order=order or None, clusters=clusters, resampling=resampling
            )
            for one in dict.fromkeys(("nominal", chosen))
        ),
    ]
    each = for_pairs(resampling, people)
    pairs = []
    for (a, one), (b, other) in combinations(enumerate(people), 2):
        first, second = [row[a] for row in panel], [row[b] for row in panel]
        spelt = [(row[a], row[b]) for row in labelled]
        made = _pair_figures(first, second, chosen, order or None, clusters, each)
        pairs.append(PairAgreement(one.name, other.name, made, _confusion(spelt)))
    return Comparison(
        what=what,
        sort="labels",
        noun=_noun(people, units),
        annotators=tuple(one.name for one in people),
        units=len(units) - len(partial),
        ids=tuple(units),
        partial=partial,
        figures=tuple(figures),
        pairs=tuple(pairs),
        scale=chosen,
        labels=tuple(order) if order else tuple(given),
        disagreed=tuple(
            id for id, row in zip(units, labelled, strict=True) if len({*row} - {None}) > 1
        ),
    )


def _pair_figures(
    a: Sequence[Hashable | None],
    b: Sequence[Hashable | None],
    scale: Scale,
    order: Sequence[str] | None,
    clusters: Sequence[str],
    resampling: Resampling | None,
) -> tuple[Agreement, ...]:
    weighted: tuple[Weights, ...] = ("linear", "quadratic") if scale != "nominal" else ()
    return (
        percent_agreement(a, b, clusters=clusters, resampling=resampling),
        cohen_kappa(a, b, clusters=clusters, resampling=resampling),
        *(
            cohen_kappa(a, b, weights=one, order=order, clusters=clusters, resampling=resampling)
            for one in weighted
        ),
    )


def _labels(one: Annotator, what: str) -> dict[str, str]:
    """An annotator's labels of a field by unit; a column ``label`` stands for any field."""
    if not any(what in own for own in one.labels.values()) and not one.records:
        what = "label"
    return {id: own[what] for id, own in one.labels.items() if what in own}


def _values(
    given: Sequence[str], what: str, scale: Scale, order: Sequence[str]
) -> dict[str, float | str]:
    """What stands for each label: itself, or its number where it is one on a scale."""
    if order:
        twice = [label for at, label in enumerate(order) if label in order[:at]]
        if twice:
            raise UsageError(f"--order names {twice[0]!r} twice")
        missing = [label for label in given if label not in order]
        if missing:
            raise UsageError(f"--order does not have {missing[0]!r}, a label of {what!r}")
        if scale in ("interval", "ratio"):
            raise UsageError(f"--order is for an ordinal scale; {scale} labels are numbers")
        return {label: label for label in given}
    if scale == "nominal":
        return {label: label for label in given}
    for label in given:
        if not _numbers([label]):
            also = " unless --order names them" if scale == "ordinal" else ""
            raise UsageError(f"{scale} labels are numbers{also}; {what!r} has {label!r}")
    return {label: in_order(label)[1] for label in given}


def _numbers(labels: Sequence[str]) -> bool:
    return all(in_order(label)[0] == 0 for label in labels)


def _confusion(pairs: Sequence[tuple[str | None, str | None]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for one, other in pairs:
        if one is not None and other is not None:
            row = counts.setdefault(one, {})
            row[other] = row.get(other, 0) + 1
    return {
        one: {other: counts[one][other] for other in sorted(counts[one], key=in_order)}
        for one in sorted(counts, key=in_order)
    }


def _noun(people: Sequence[Annotator], units: Sequence[str]) -> str:
    records = {id for one in people for id in one.records}
    questions = {id for one in people for id in one.groups} - records
    if records and questions.issuperset(units):
        return "question"
    return "passage" if records.issuperset(units) else "unit"
