"""Answers of several people to the same questions, and the sentences that they marked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Offsets, in_order
from readmark.core.spans import offset_fault
from readmark.making.agreement.annotators import spell
from readmark.making.agreement.values import Annotator, Comparison, PairAgreement, for_pairs
from readmark.stats.agreement.alpha import Continuum, Scale, krippendorff_alpha, unitizing_alpha
from readmark.stats.agreement.kappa import (
    Weights,
    cohen_kappa,
    fleiss_kappa,
    panel_agreement,
    percent_agreement,
)
from readmark.stats.agreement.spans import character_f1, exact_f1, overlap_f1
from readmark.stats.agreement.value import Agreement, Resampling, undefined

Marked = dict[str, tuple[Offsets, ...]]
"""Questions, and where in the passage each one's answer or sentences stand."""
UNPLACED = "no question has answers of all with their offsets"


def compare_answers(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> Comparison:
    """Equal words, and where answers are spans the F1 of spans and unitizing alpha.

    A person's first answer counts. Case and spaces do not matter to the words.
    """
    asked = list(dict.fromkeys(id for one in people for id in one.answers))
    groups = {id: group for one in people for id, group in one.groups.items()}
    passages = _passages(people)
    notes: list[str] = []
    texts: list[list[str | None]] = [
        [_words(one.answers.get(id)) for one in people] for id in asked
    ]
    if not any(sum(said is not None for said in row) > 1 for row in texts):
        names = " and ".join(f"{one.name!r} ({one.file})" for one in people)
        raise DataError(f"{names} answered no question in common")
    clusters = [groups.get(id, id) for id in asked]
    marked = [_placed(one, groups, passages, notes) for one in people]
    spans = _SpanFigures(people, marked, asked, groups, passages, resampling)
    each = for_pairs(resampling, people)
    pairs = []
    for (a, one), (b, other) in combinations(enumerate(people), 2):
        first, second = [row[a] for row in texts], [row[b] for row in texts]
        percent = percent_agreement(first, second, clusters=clusters, resampling=each)
        pairs.append(PairAgreement(one.name, other.name, (percent, *spans.pair(a, b))))
    figures = (
        panel_agreement(texts, clusters=clusters, resampling=resampling),
        spans.together(range(len(people))),
    )
    return Comparison(
        what=what,
        sort="answers",
        noun="question",
        annotators=tuple(one.name for one in people),
        units=sum(None not in row for row in texts),
        ids=tuple(asked),
        partial=_partial(people, asked, [one.answers for one in people]),
        figures=figures,
        pairs=tuple(pairs),
        disagreed=tuple(
            id for id, row in zip(asked, texts, strict=True) if len({*row} - {None}) > 1
        ),
        notes=tuple(notes),
    )


def compare_answer_sentences(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> Comparison:
    """The sentences of the passage that people marked as answering a question."""
    marked = [_sentences(one) for one in people]
    asked = list(dict.fromkeys(id for own in marked for id in own))
    if not any(sum(id in own for own in marked) > 1 for id in asked):
        names = " and ".join(f"{one.name!r} ({one.file})" for one in people)
        raise DataError(f"{names} marked the sentences of no question in common")
    groups = {id: group for one in people for id, group in one.groups.items()}
    spans = _SpanFigures(people, marked, asked, groups, _passages(people), resampling)
    pairs = [
        PairAgreement(people[a].name, people[b].name, spans.pair(a, b))
        for a, b in combinations(range(len(people)), 2)
    ]
    return Comparison(
        what=what,
        sort="spans",
        noun="question",
        annotators=tuple(one.name for one in people),
        units=sum(all(id in own for own in marked) for id in asked),
        ids=tuple(asked),
        partial=_partial(people, asked, marked),
        figures=(spans.together(range(len(people))),),
        pairs=tuple(pairs),
    )


class _SpanFigures:
    """Span measures over questions: each question has the whole passage to itself."""

    def __init__(
        self,
        people: Sequence[Annotator],
        marked: Sequence[Marked],
        asked: Sequence[str],
        groups: Mapping[str, str],
        passages: Mapping[str, str],
        resampling: Resampling | None,
    ) -> None:
        self._marked = marked
        self._asked = asked
        self._groups = groups
        self._passages = passages
        self._resampling = resampling
        self._for_pairs = for_pairs(resampling, people)

    def pair(self, a: int, b: int) -> tuple[Agreement, ...]:
        """Exact, overlapping, characters and unitizing alpha of two."""
        one, other = self._marked[a], self._marked[b]
        both = [id for id in self._asked if id in one and id in other]
        spans = [(one[id], other[id]) for id in both]
        clusters = [self._groups.get(id, id) for id in both]
        if not both:
            return tuple(
                undefined(name, UNPLACED)
                for name in ("exact", "overlap", "characters", "alpha(unitizing)")
            )
        return (
            exact_f1(spans, clusters=clusters, resampling=self._for_pairs),
            overlap_f1(spans, clusters=clusters, resampling=self._for_pairs),
            character_f1(spans, clusters=clusters, resampling=self._for_pairs),
            self._alpha((a, b), self._for_pairs),
        )

    def together(self, whose: Sequence[int]) -> Agreement:
        """Unitizing alpha of several, over the questions that all of them answered."""
        return self._alpha(whose, self._resampling)

    def _alpha(self, whose: Sequence[int], resampling: Resampling | None) -> Agreement:
        own = [self._marked[at] for at in whose]
        whole = [id for id in self._asked if all(id in one for one in own)]
        known = [id for id in whole if self._groups.get(id, "") in self._passages]
        if not whole:
            return undefined("alpha(unitizing)", UNPLACED)
        if not known:
            return undefined("alpha(unitizing)", "no file has the passages, whose length counts")
        return unitizing_alpha(
            [
                Continuum(
                    len(self._passages[self._groups[id]]),
                    [_units(one[id]) for one in own],
                    self._groups[id],
                )
                for id in known
            ],
            resampling=resampling,
        )


def _units(spans: Sequence[Offsets]) -> list[tuple[int, int, Hashable]]:
    return [(start, end, None) for start, end in spans]


def _words(answer: Answer | None) -> str | None:
    return None if answer is None else " ".join(answer.text.split()).casefold()


def _passages(people: Sequence[Annotator]) -> dict[str, str]:
    return {id: text for one in people for id, text in one.passages.items()}


def _placed(
    one: Annotator, groups: Mapping[str, str], passages: Mapping[str, str], notes: list[str]
) -> Marked:
    """Where a person's answers stand; one whose offsets do not point at its words has no place."""
    found: Marked = {}
    astray = []
    for id, answer in one.answers.items():
        if answer.offsets is None:
            continue
        text = passages.get(groups.get(id, ""))
        if text is not None and offset_fault(text, answer):
            astray.append(id)
            continue
        found[id] = (answer.offsets,)
    if astray:
        notes.append(
            f"{one.name}: {len(astray)} answers are not at their offsets, so only "
            f"their words count: {', '.join(astray[:3])}{', …' if len(astray) > 3 else ''}"
        )
    return found


def _sentences(one: Annotator) -> Marked:
    """A record in which any sentence is marked was looked at: its other questions have none."""
    found: Marked = {}
    for record in one.records.values():
        asked = getattr(record, "questions", ())
        keys = {question.id: question.key for question in asked}
        own = {id: tuple(key.sentences) for id, key in keys.items() if key is not None}
        if any(own.values()):
            for id, sentences in own.items():
                for start, end in sentences:
                    if not 0 <= start < end <= len(record.text):
                        raise DataError(
                            f"answer sentence {start}–{end} is not in the passage",
                            file=one.file,
                            where=id,
                        )
            found |= own
    return found


def _partial(
    people: Sequence[Annotator], asked: Sequence[str], have: Sequence[Mapping[str, object]]
) -> dict[str, tuple[str, ...]]:
    who = {
        id: tuple(one.name for one, own in zip(people, have, strict=True) if id in own)
        for id in asked
    }
    return {id: names for id, names in who.items() if len(names) < len(people)}


# Labels that annotators gave to the same units: levels, types, decisions, ratings.


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
        names = " and ".join(f"{one.name!r} ({one.file})" for one in people)
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
