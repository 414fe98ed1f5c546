"""Agreement on rewrites of the same questions: how alike they are by the default metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from readmark.core.arrays import Floats
from readmark.core.language import Letters, primary
from readmark.core.record_members import questions_of
from readmark.making.agreement.annotator import Annotator, groups_of
from readmark.making.agreement.comparison import (
    AgreementComparison,
    DifferingRewrites,
    compare_work,
    for_pairs,
)
from readmark.series import Cutter, cutter
from readmark.statistics.agreement.sums import vector_sums
from readmark.statistics.agreement.value import Agreement, Resampling, figure
from readmark.statistics.similarity.ngrams import TextGrams, jaccard
from readmark.statistics.similarity.order_weights import weighted

WEIGHTS = (2.0, 1.0, 0.0)
"""Those of the metric that series are marked by."""
MEASURE = "jaccard(u=2,b=1,t=0)"

Rewrites = tuple[str, ...]
RewriteScore = tuple[float, float]
"""How alike two people's rewrites of a question are, and 1 if one is the same, else 0."""


def rewrites_of(annotator: Annotator) -> Mapping[str, Rewrites]:
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
    scores: dict[str, list[RewriteScore]] = {}

    def pair(a: int, b: int) -> tuple[Agreement, ...]:
        shared = {
            id: _score(rewrites, work[b][id], cut)
            for id, rewrites in work[a].items()
            if id in work[b]
        }
        for id, score in shared.items():
            scores.setdefault(id, []).append(score)
        return _figures(shared, groups, for_pairs(resampling, people))

    comparison = compare_work(
        people,
        what,
        work,
        pair,
        nothing_shared="rewrote no question in common",
        sort="rewrites",
        noun="question",
        figures=(),
    )
    # The figures of all are means over the pairs that rewrote a question, which `pair` collected.
    means = {
        id: (sum(row[0] for row in rows) / len(rows), sum(row[1] for row in rows) / len(rows))
        for id, rows in scores.items()
    }
    differing = [
        DifferingRewrites(
            id, score, _question(people, id), tuple(rewrites.get(id, ()) for rewrites in work)
        )
        for id, (score, equal) in means.items()
        if equal < 1
    ]
    return replace(
        comparison,
        figures=_figures(means, groups, resampling),
        disagreed=tuple(rewrites.id for rewrites in differing),
        differing_rewrites=tuple(sorted(differing, key=lambda rewrites: rewrites.score)),
    )


def _score(a: Rewrites, b: Rewrites, cut: Cutter) -> RewriteScore:
    words_a, words_b = [cut(text) for text in a], [cut(text) for text in b]
    grams_b = [TextGrams(words) for words in words_b]
    table = [
        [weighted(jaccard, WEIGHTS, TextGrams(words), grams) for grams in grams_b]
        for words in words_a
    ]
    nearest_to_a = sum(map(max, table)) / len(words_a)
    nearest_to_b = sum(map(max, zip(*table, strict=True))) / len(words_b)
    is_equal = any(words in words_b for words in words_a)
    return (nearest_to_a + nearest_to_b) / 2, float(is_equal)


def _figures(
    scores: Mapping[str, RewriteScore], groups: Mapping[str, str], resampling: Resampling | None
) -> tuple[Agreement, ...]:
    def ratio(sums: Floats) -> Floats:
        return sums[..., 0] / sums[..., 1]

    clusters = [groups.get(id, id) for id in scores]
    agreements = []
    for index, measure in enumerate((MEASURE, "percent")):
        sums = vector_sums([(score[index], 1.0) for score in scores.values()], 2, clusters)
        agreements.append(
            figure(
                measure,
                sums,
                ratio,
                n=len(scores),
                reason="they rewrote no question in common",
                resampling=resampling,
            )
        )
    return tuple(agreements)


def _language(people: Sequence[Annotator], work: Sequence[Mapping[str, Rewrites]]) -> str:
    """The language of a test among the files, else the one whose letters the rewrites have."""
    for annotator in people:
        if annotator.test is not None and annotator.test.header.language:
            return primary(annotator.test.header.language)
    letters = Letters()
    letters.add(
        text for by_question in work for rewrites in by_question.values() for text in rewrites
    )
    return primary(letters.language)


def _question(people: Sequence[Annotator], id: str) -> str:
    """What was asked, where a file says so."""
    for annotator in people:
        record = annotator.records.get(annotator.groups.get(id, ""))
        for question in questions_of(record):
            if question.id == id:
                return str(question.text)
    return ""
