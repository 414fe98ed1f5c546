"""The rewrites of every strategy, as they are searched for and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from readmark.core.binding import sat_splits
from readmark.core.numbers import listed_ids
from readmark.core.records import distinct_names
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.series.effect.settings import EffectSettings
from readmark.series.notation import with_known_answers
from readmark.series.retrieval.questions import SearchQuestion
from readmark.series.retrieval.reading import Desk
from readmark.series.strategies import GOLD, NONE, first_golds, rewrites_of


def strategy_rewrites(
    series: Test, questions: Sequence[SearchQuestion], settings: EffectSettings, desk: Desk
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Each strategy's rewrites by question, with known answers in them, and notes on them.

    None comes first, whatever is named: the others are compared with it.
    """
    rewrites: dict[str, Mapping[str, str]] = {}
    notes = []
    for name in dict.fromkeys((NONE, *settings.rewriters)):
        if name != GOLD:
            rewrites[name] = rewrites_of(series, desk.sit(series, name))
            continue
        golds = first_golds(series)
        rewrites[name] = {
            question.id: golds.get(question.id, question.text) for question in questions
        }
        without_gold = [question.id for question in questions if question.id not in golds]
        if without_gold:
            ids = listed_ids(without_gold)
            notes.append(f"gold: as they stand, since they have no gold: {ids}")
    stems = [Path(path).stem for path in settings.sittings]
    sitting_names = distinct_names([*rewrites, *stems])[len(rewrites) :]
    for name, path in zip(sitting_names, settings.sittings, strict=True):
        sitting = open_sitting(path, series.kind)
        sat_splits(series, sitting)  # refuses a sitting of another paper
        rewrites[name] = rewrites_of(series, sitting)
    with_answers = {
        name: {
            question.id: with_known_answers(
                texts[question.id], question.known if settings.previous == "known" else ()
            )
            for question in questions
            if question.id in texts
        }
        for name, texts in rewrites.items()
    }
    return with_answers, notes
