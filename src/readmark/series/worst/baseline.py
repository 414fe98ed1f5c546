"""What got worse since an earlier sitting: the regression test of a rewriter."""

from __future__ import annotations

from dataclasses import replace

from readmark.core.display import counted
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput, as_sitting
from readmark.marking import mark
from readmark.series.quick_marks import QUICK, wrong_notes
from readmark.series.strategies import rewrites_of
from readmark.series.worst.judged_rewrites import JudgedRewrites, LostScore

_ROUNDING = 1e-6  # scores that differ by no more are equal


def compared_with_baseline(
    judged: JudgedRewrites, test: Test, baseline: SittingInput
) -> JudgedRewrites:
    """Judged rewrites with what is better and worse than in an earlier sitting.

    Only the questions that both sittings were asked are compared.
    """
    opened = as_sitting(baseline, test.kind)
    marks = mark(test, opened, metrics=[judged.metric], settings=QUICK)
    texts = rewrites_of(test, opened)
    scores = {id: row[judged.metric] or 0.0 for id, row in marks.per_unit().items()}
    common = [rewrite for rewrite in judged.rewrites if rewrite.id in scores]
    losses = [
        LostScore(
            id=rewrite.id,
            target=rewrite.target,
            question=rewrite.question,
            gold=rewrite.gold,
            before=scores[rewrite.id],
            after=rewrite.score,
            rewrite_before=texts.get(rewrite.id),
            rewrite=rewrite.rewrite,
        )
        for rewrite in common
        if rewrite.score < scores[rewrite.id] - _ROUNDING
    ]
    baseline_notes = [*marks.notes, *(f"{marks.candidate}: {note}" for note in wrong_notes(marks))]
    notes = [*judged.notes, *(note for note in baseline_notes if note not in judged.notes)]
    ids = {rewrite.id for rewrite in judged.rewrites}
    not_compared = len(ids.symmetric_difference(scores))
    if not_compared:
        questions = counted(not_compared, "question")
        notes.append(f"asked of one of the two only, so not compared: {questions}")
    return replace(
        judged,
        baseline=marks.candidate,
        before={rewrite.id: scores[rewrite.id] for rewrite in common},
        worse=sorted(losses, key=lambda loss: loss.after - loss.before),
        better=sum(rewrite.score > scores[rewrite.id] + _ROUNDING for rewrite in common),
        notes=notes,
    )
