"""Labels, answers, marked sentences and rewrites of several people, unit by unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from readmark.comprehension import LEVELS
from readmark.core.arrays import Floats
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.labels import in_order
from readmark.core.language import Letters, primary
from readmark.core.numbers import first_ids
from readmark.core.record_members import questions_of
from readmark.core.records import Offsets
from readmark.core.spans import offset_fault
from readmark.formats.label_sheets import spell
from readmark.making.agreement.values import (
    AgreementComparison,
    Annotator,
    DifferingRewrites,
    compare_work,
    for_pairs,
    groups_of,
    in_common,
    units_of,
)
from readmark.readability import STARS
from readmark.series import Cutter, cutter
from readmark.statistics.agreement.alpha import Scale, krippendorff_alpha
from readmark.statistics.agreement.cohen import KappaWeights, cohen_kappa
from readmark.statistics.agreement.fleiss import fleiss_kappa
from readmark.statistics.agreement.label_cells import Label
from readmark.statistics.agreement.percent import panel_agreement, percent_agreement
from readmark.statistics.agreement.spans import character_f1, exact_f1, overlap_f1
from readmark.statistics.agreement.sums import vector_sums
from readmark.statistics.agreement.unitizing import Continuum, unitizing_alpha
from readmark.statistics.agreement.value import Agreement, Resampling, figure, undefined
from readmark.statistics.similarity.ngrams import TextGrams, jaccard
from readmark.statistics.similarity.order_weights import weighted

Marked = dict[str, tuple[Offsets, ...]]
"""Questions, and where in the passage each one's answer or sentences occur."""
UNPLACED = "no question has answers of all with their offsets"


def compare_answers(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """Equal words, and where answers are spans the F1 of spans and unitizing alpha.

    A person's first answer counts. Case and spaces do not matter to the words.
    """
    work = [annotator.answers for annotator in people]
    asked = units_of(work)
    groups = groups_of(people)
    clusters = [groups.get(id, id) for id in asked]
    notes: list[str] = []
    texts = [
        [" ".join(own[id].text.split()).casefold() if id in own else None for own in work]
        for id in asked
    ]
    marked = [_placed(annotator, groups, _passages(people), notes) for annotator in people]
    spans = _SpanFigures(people, marked, asked, resampling)

    places = {id: place for place, id in enumerate(asked)}

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        both = [places[id] for id in in_common(work[a], work[b], places)]
        own, others = ([texts[place][at] for place in both] for at in (a, b))
        of_both, each = [clusters[place] for place in both], for_pairs(resampling, people)
        return (
            percent_agreement(own, others, clusters=of_both, resampling=each),
            *spans.pair(a, b),
        )

    return compare_work(
        people,
        what,
        work,
        pair,
        did="answered no question in common",
        sort="answers",
        noun="question",
        figures=(panel_agreement(texts, clusters=clusters, resampling=resampling), spans.together),
        disagreed=_disagreed(asked, texts),
        notes=tuple(notes),
    )


def compare_answer_sentences(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """The sentences of the passage that people marked as answering a question."""
    marked = [_sentences(annotator) for annotator in people]
    spans = _SpanFigures(people, marked, units_of(marked), resampling)
    return compare_work(
        people,
        what,
        marked,
        spans.pair,
        did="marked the sentences of no question in common",
        sort="spans",
        noun="question",
        figures=(spans.together,),
    )


def _disagreed(ids: Sequence[str], rows: Sequence[Sequence[str | None]]) -> tuple[str, ...]:
    """The units whose values are not all equal."""
    return tuple(id for id, row in zip(ids, rows, strict=True) if len({*row} - {None}) > 1)


class _SpanFigures:
    """Span measures over questions: each question has the whole passage to itself."""

    def __init__(
        self,
        people: Sequence[Annotator],
        marked: Sequence[Marked],
        asked: Sequence[str],
        resampling: Resampling | None,
    ) -> None:
        self._marked = marked
        self._asked = asked
        self._places = {id: place for place, id in enumerate(asked)}
        self._groups = groups_of(people)
        self._passages = _passages(people)
        self._resampling = resampling
        self._for_pairs = for_pairs(resampling, people)

    def pair(self, a: int, b: int) -> tuple[Agreement, ...]:
        """Exact, overlapping, characters and unitizing alpha of two."""
        own, others = self._marked[a], self._marked[b]
        both = in_common(own, others, self._places)
        if not both:
            names = ("exact", "overlap", "characters", "alpha(unitizing)")
            return tuple(undefined(name, UNPLACED) for name in names)
        spans = [(own[id], others[id]) for id in both]
        clusters = [self._groups.get(id, id) for id in both]
        return (
            *(
                measure(spans, clusters=clusters, resampling=self._for_pairs)
                for measure in (exact_f1, overlap_f1, character_f1)
            ),
            self._alpha([own, others], both, self._for_pairs),
        )

    @property
    def together(self) -> Agreement:
        """Unitizing alpha of all, over the questions that all of them answered."""
        whole = [id for id in self._asked if all(id in own for own in self._marked)]
        return self._alpha(self._marked, whole, self._resampling)

    def _alpha(
        self, marked: Sequence[Marked], whole: Sequence[str], resampling: Resampling | None
    ) -> Agreement:
        known = [id for id in whole if self._groups.get(id, "") in self._passages]
        if not whole:
            return undefined("alpha(unitizing)", UNPLACED)
        if not known:
            return undefined("alpha(unitizing)", "no file has the passages, whose length counts")
        continua = []
        for id in known:
            units = [[(start, end, None) for start, end in own[id]] for own in marked]
            group = self._groups[id]
            continua.append(Continuum(len(self._passages[group]), units, group))
        return unitizing_alpha(continua, resampling=resampling)


def _passages(people: Sequence[Annotator]) -> dict[str, str]:
    return {id: text for annotator in people for id, text in annotator.passages.items()}


def _placed(
    one: Annotator, groups: Mapping[str, str], passages: Mapping[str, str], notes: list[str]
) -> Marked:
    """Places of a person's answers; one whose offsets do not point at its words has none."""
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
            f"{one.name}: not at their offsets, so only their words count: "
            f"{counted(len(astray), 'answer')} ({first_ids(astray)})"
        )
    return found


def _sentences(one: Annotator) -> Marked:
    """A record in which any sentence is marked was looked at: its other questions have none."""
    found: Marked = {}
    for record in one.records.values():
        asked = questions_of(record)
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


# Labels that annotators gave to the same units: levels, types, decisions, ratings.


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
    labelled = [[column.get(id) for column in columns] for id in units]
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
    steps: Sequence[Label] | None = order or None
    if not order and what in ORDINAL and set(value.values()) <= set(ORDINAL[what]):
        steps = ORDINAL[what]  # a step that nobody used still lies between its neighbours
    groups = groups_of(people)
    clusters = [groups.get(id, id) for id in units]
    weights: tuple[KappaWeights | None, ...] = (None,)
    if chosen != "nominal":
        weights = (None, "linear", "quadratic")

    places = {id: place for place, id in enumerate(units)}

    def both_of(a: int, b: int) -> list[int]:
        return [places[id] for id in in_common(columns[a], columns[b], places)]

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        both = both_of(a, b)
        own, others = ([panel[place][at] for place in both] for at in (a, b))
        how: dict[str, Any] = {"resampling": for_pairs(resampling, people)}
        how["clusters"] = [clusters[place] for place in both]
        return (
            percent_agreement(own, others, **how),
            *(
                cohen_kappa(own, others, weights=weighted, order=steps, **how)
                for weighted in weights
            ),
        )

    def confusion(a: int, b: int) -> Mapping[str, Mapping[str, int]]:
        return _confusion([(labelled[place][a], labelled[place][b]) for place in both_of(a, b)])

    return compare_work(
        people,
        what,
        columns,
        pair,
        did=f"labelled no unit in common with {what!r}",
        confusion=confusion,
        sort="labels",
        noun=_noun(people, units),
        figures=(
            panel_agreement(panel, clusters=clusters, resampling=resampling),
            fleiss_kappa(panel, clusters=clusters, resampling=resampling),
            *(
                krippendorff_alpha(
                    panel,
                    scale=measured,
                    order=order or None,
                    clusters=clusters,
                    resampling=resampling,
                )
                for measured in dict.fromkeys(("nominal", chosen))
            ),
        ),
        scale=chosen,
        labels=tuple(order) if order else tuple(given),
        disagreed=_disagreed(units, labelled),
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
        twice = [label for index, label in enumerate(order) if label in order[:index]]
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
    met = Counter((one, other) for one, other in pairs if one is not None and other is not None)
    for one, other in sorted(met, key=lambda pair: [in_order(label) for label in pair]):
        counts.setdefault(one, {})[other] = met[one, other]
    return counts


def _noun(people: Sequence[Annotator], units: Sequence[str]) -> str:
    records = {id for annotator in people for id in annotator.records}
    questions = {id for annotator in people for id in annotator.groups} - records
    if records and questions.issuperset(units):
        return "question"
    return "passage" if records.issuperset(units) else "unit"


# Rewrites of the same questions: how alike by the default metric, side by side.


WEIGHTS = (2.0, 1.0, 0.0)
"""Those of the metric that series are marked by."""
MEASURE = "jaccard(u=2,b=1,t=0)"

Golds = tuple[str, ...]
ScorePair = tuple[float, float]
"""How alike two people's golds of a question are, and whether one is the same."""


def rewrites_of(annotator: Annotator) -> Mapping[str, Golds]:
    """A person's rewrites by question; predictions do not say that they are such."""
    return annotator.rewrites or {id: (answer.text,) for id, answer in annotator.answers.items()}


def compare_rewrites(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> AgreementComparison:
    """The mean over questions of the similarity of each two people's golds, and equal ones.

    Where somebody has several golds, each counts by the nearest of the other's, both ways.
    """
    work = [rewrites_of(annotator) for annotator in people]
    groups = groups_of(people)
    cut = cutter(_language(people, work))
    scores: dict[str, list[ScorePair]] = {}

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        both = {
            id: _scored(golds, work[b][id], cut) for id, golds in work[a].items() if id in work[b]
        }
        for id, scored in both.items():
            scores.setdefault(id, []).append(scored)
        return _figures(both, groups, for_pairs(resampling, people))

    made = compare_work(
        people,
        what,
        work,
        pair,
        did="rewrote no question in common",
        sort="rewrites",
        noun="question",
        figures=(),
    )
    means = {
        id: (sum(row[0] for row in rows) / len(rows), sum(row[1] for row in rows) / len(rows))
        for id, rows in scores.items()
    }
    differing = [
        DifferingRewrites(id, score, _question(people, id), tuple(own.get(id, ()) for own in work))
        for id, (score, equal) in means.items()
        if equal < 1
    ]
    return replace(
        made,
        figures=_figures(means, groups, resampling),
        disagreed=tuple(one.id for one in differing),
        differing_rewrites=tuple(sorted(differing, key=lambda one: one.score)),
    )


def _scored(one: Golds, other: Golds, cut: Cutter) -> ScorePair:
    first, second = [cut(text) for text in one], [cut(text) for text in other]
    grams = [TextGrams(words) for words in second]
    table = [[weighted(jaccard, WEIGHTS, TextGrams(a), b) for b in grams] for a in first]
    there = sum(map(max, table)) / len(first)
    back = sum(max(row[index] for row in table) for index in range(len(second))) / len(second)
    return (there + back) / 2, float(any(a in second for a in first))


def _figures(
    scores: Mapping[str, ScorePair], groups: Mapping[str, str], resampling: Resampling | None
) -> tuple[Agreement, ...]:
    def ratio(sums: Floats) -> Floats:
        return sums[..., 0] / sums[..., 1]

    clusters = [groups.get(id, id) for id in scores]
    why = "they rewrote no question in common"
    agreements = []
    for index, measure in enumerate((MEASURE, "percent")):
        sums = vector_sums([(row[index], 1.0) for row in scores.values()], 2, clusters)
        n = len(scores)
        agreements.append(figure(measure, sums, ratio, n=n, reason=why, resampling=resampling))
    return tuple(agreements)


def _language(people: Sequence[Annotator], work: Sequence[Mapping[str, Golds]]) -> str:
    for annotator in people:
        if annotator.test is not None and annotator.test.header.language:
            return primary(annotator.test.header.language)
    letters = Letters()
    letters.add(text for own in work for golds in own.values() for text in golds)
    return primary(letters.language)


def _question(people: Sequence[Annotator], id: str) -> str:
    """What was asked, where a file says so."""
    for annotator in people:
        record = annotator.records.get(annotator.groups.get(id, ""))
        for question in questions_of(record):
            if question.id == id:
                return str(question.text)
    return ""
