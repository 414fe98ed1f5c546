"""How the rules' levels agree with people's: exactly, and easy {1, 2} against hard {3, 4}."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.judging import JudgedQuestion
from readmark.comprehension.levels.scale import LEVELS
from readmark.statistics.agreement.cohen import cohen_kappa
from readmark.statistics.agreement.percent import percent_agreement
from readmark.statistics.agreement.value import Agreement, Resampling

HARD = 3
"""The first level that takes reasoning."""


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Two labellers of the same questions; shares are 0 to 1."""

    questions: int
    exact: Agreement
    hard: Agreement
    """The same, of the two classes {1, 2} and {3, 4}."""
    kappa: Agreement
    hard_kappa: Agreement
    confusion: tuple[tuple[int, ...], ...]
    """Rows are people's levels, columns the machine's."""


def agreement_with_people(judgements: Iterable[JudgedQuestion]) -> LevelAgreement | None:
    """The rules compared with people, over questions that both gave a level; None without any."""
    levels = [
        (judged.person.level, judged.machine.level, judged.passage)
        for judged in judgements
        if judged.person is not None and judged.machine.level is not None
    ]
    if not levels:
        return None
    people, machine, passages = zip(*levels, strict=True)
    return level_agreement(people, machine, passages=passages)


def level_agreement(
    people: Sequence[int],
    machine: Sequence[int],
    *,
    passages: Sequence[str],
    draws: int = 1000,
) -> LevelAgreement:
    """Agreement of two lists of levels; intervals resample passages, whose questions go together.

    A single passage gets no interval: nothing shows how much another would differ.
    """
    resampling = Resampling(draws=draws if len(set(passages)) > 1 else 0)
    clusters = list(passages)
    pairs = list(zip(people, machine, strict=True))
    hard = [level >= HARD for level in people], [level >= HARD for level in machine]
    return LevelAgreement(
        questions=len(pairs),
        exact=percent_agreement(people, machine, clusters=clusters, resampling=resampling),
        hard=percent_agreement(*hard, clusters=clusters, resampling=resampling),
        kappa=cohen_kappa(people, machine, clusters=clusters, resampling=resampling),
        hard_kappa=cohen_kappa(*hard, clusters=clusters, resampling=resampling),
        confusion=tuple(tuple(pairs.count((row, column)) for column in LEVELS) for row in LEVELS),
    )
