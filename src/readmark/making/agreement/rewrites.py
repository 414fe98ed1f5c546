"""Two people's rewrites of the same questions: how alike by the default metric, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from readmark.core.errors import DataError
from readmark.core.language import Letters, primary
from readmark.making.agreement.values import Annotator, Beside, Comparison, PairAgreement, for_pairs
from readmark.series.text_pairs import text_similarity
from readmark.series.words import Cutter, cutter
from readmark.stats.agreement.value import Agreement, Resampling, figure, vector_sums
from readmark.stats.resampling import Floats
from readmark.stats.similarity.ngrams import Weights, jaccard

WEIGHTS: Weights = (2.0, 1.0, 0.0)
"""Those of the metric that series are marked by."""
MEASURE = "jaccard(u=2,b=1,t=0)"

Golds = tuple[str, ...]
Scored = tuple[float, float]
"""How alike two people's golds of a question are, and whether one is the same."""


def rewrites_of(one: Annotator) -> Mapping[str, Golds]:
    """A person's rewrites by question; predictions do not say that they are such."""
    return one.rewrites or {id: (answer.text,) for id, answer in one.answers.items()}


def compare_rewrites(
    people: Sequence[Annotator], what: str, *, resampling: Resampling | None = None
) -> Comparison:
    """The mean over questions of the similarity of each two people's golds, and equal ones.

    Where somebody has several golds, each counts by the nearest of the other's, both ways.
    """
    said = [rewrites_of(one) for one in people]
    asked = list(dict.fromkeys(id for own in said for id in own))
    if not any(sum(id in own for own in said) > 1 for id in asked):
        names = " and ".join(f"{one.name!r} ({one.file})" for one in people)
        raise DataError(f"{names} rewrote no question in common")
    groups = {id: group for one in people for id, group in one.groups.items()}
    cut = cutter(_language(people, said))
    pairs = []
    scores: dict[str, list[Scored]] = {}
    for (a, one), (b, other) in combinations(enumerate(people), 2):
        both = [id for id in asked if id in said[a] and id in said[b]]
        rows = [_scored(said[a][id], said[b][id], cut) for id in both]
        for id, row in zip(both, rows, strict=True):
            scores.setdefault(id, []).append(row)
        own = _figures(both, rows, groups, for_pairs(resampling, people))
        pairs.append(PairAgreement(one.name, other.name, own))
    means = [_mean(scores[id]) for id in scores]
    beside = [
        Beside(id, score, _question(people, id), tuple(own.get(id, ()) for own in said))
        for id, (score, equal) in zip(scores, means, strict=True)
        if equal < 1
    ]
    return Comparison(
        what=what,
        sort="rewrites",
        noun="question",
        annotators=tuple(one.name for one in people),
        units=sum(all(id in own for own in said) for id in asked),
        ids=tuple(asked),
        partial={
            id: tuple(one.name for one, own in zip(people, said, strict=True) if id in own)
            for id in asked
            if not all(id in own for own in said)
        },
        figures=_figures(list(scores), means, groups, resampling),
        pairs=tuple(pairs),
        disagreed=tuple(one.id for one in beside),
        beside=tuple(sorted(beside, key=lambda one: one.score)),
    )


def _scored(one: Golds, other: Golds, cut: Cutter) -> Scored:
    first, second = [cut(text) for text in one], [cut(text) for text in other]
    table = [[text_similarity(jaccard, WEIGHTS, a, b) for b in second] for a in first]
    there = sum(map(max, table)) / len(first)
    back = sum(max(row[at] for row in table) for at in range(len(second))) / len(second)
    return (there + back) / 2, float(any(a in second for a in first))


def _mean(rows: Sequence[Scored]) -> Scored:
    return sum(row[0] for row in rows) / len(rows), sum(row[1] for row in rows) / len(rows)


def _figures(
    ids: Sequence[str],
    rows: Sequence[Scored],
    groups: Mapping[str, str],
    resampling: Resampling | None,
) -> tuple[Agreement, ...]:
    clusters = [groups.get(id, id) for id in ids]
    found = []
    for at, measure in enumerate((MEASURE, "percent")):
        sums = vector_sums([(row[at], 1.0) for row in rows], 2, clusters)
        why = "they rewrote no question in common"
        found.append(figure(measure, sums, _ratio, n=len(rows), reason=why, resampling=resampling))
    return tuple(found)


def _ratio(sums: Floats) -> Floats:
    return sums[..., 0] / sums[..., 1]


def _language(people: Sequence[Annotator], said: Sequence[Mapping[str, Golds]]) -> str:
    for one in people:
        if one.test is not None and one.test.header.language:
            return primary(one.test.header.language)
    letters = Letters()
    letters.add(text for own in said for golds in own.values() for text in golds)
    return primary(letters.language)


def _question(people: Sequence[Annotator], id: str) -> str:
    """What was asked, where a file says so."""
    for one in people:
        record = one.records.get(one.groups.get(id, ""))
        for question in getattr(record, "questions", ()):
            if question.id == id:
                return str(question.text)
    return ""
