"""How the rules' levels agree with people's: exactly, and easy {1, 2} against hard {3, 4}."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.measures.agreement import Agreement, Resampling, cohen_kappa, percent_agreement
from readmark.setting.levels.levelling import Judged
from readmark.setting.levels.values import LEVELS

HARD = 3
"""The first level that takes reasoning."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two labellers of the same questions; shares are 0 to 1."""

    questions: int
    exact: Agreement
    hard: Agreement
    """The same, of the two classes {1, 2} and {3, 4}."""
    kappa: Agreement
    hard_kappa: Agreement
    confusion: tuple[tuple[int, ...], ...]
    """Rows are people's levels, columns the machine's."""


def compared(
    people: Sequence[int],
    machine: Sequence[int],
    *,
    passages: Sequence[str],
    draws: int = 1000,
) -> Compared:
    """Agreement of two lists of levels; intervals resample passages, whose questions go together.

    A single passage gets no interval: nothing tells how much another would differ.
    """
    if len(set(passages)) < 2:
        draws = 0
    clusters = list(passages)
    resampling = Resampling(draws=draws)
    pairs = list(zip(people, machine, strict=True))
    hard = [level >= HARD for level in people], [level >= HARD for level in machine]
    return Compared(
        questions=len(pairs),
        exact=percent_agreement(people, machine, clusters=clusters, resampling=resampling),
        hard=percent_agreement(*hard, clusters=clusters, resampling=resampling),
        kappa=cohen_kappa(people, machine, clusters=clusters, resampling=resampling),
        hard_kappa=cohen_kappa(*hard, clusters=clusters, resampling=resampling),
        confusion=tuple(tuple(pairs.count((one, other)) for other in LEVELS) for one in LEVELS),
    )


def beside_people(judgements: Iterable[Judged]) -> Compared | None:
    """The rules beside people, over the questions that both gave a level; None without any."""
    both = [
        (judged.person.level, judged.machine.level, judged.passage)
        for judged in judgements
        if judged.person is not None and judged.machine.level is not None
    ]
    if not both:
        return None
    people, machine, passages = zip(*both, strict=True)
    return compared(people, machine, passages=passages)
