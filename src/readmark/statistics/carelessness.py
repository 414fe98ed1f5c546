"""Signs that somebody worked carelessly: known answers, repeats, haste, and patterns of answers.

A sign is a reason to look at somebody's work, never a verdict. Tests are one-sided and exact; their
p-values are adjusted over the people of a check by Holm's method.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median

from readmark.statistics.adjustment import holm
from readmark.statistics.distributions import binomial_at_least, binomial_at_most, sum_at_least
from readmark.statistics.intervals import binomial_interval

SIGNIFICANT = 0.05
"""The adjusted p below which a test gives a finding."""
EXPECTED = 0.8
"""The share of known answers that somebody careful gets right."""
FASTEST = {"en": 600.0, "zh": 1200.0}
"""Words (in Chinese characters) a minute: twice what good readers reach when they skim."""
FEWEST_ITEMS, FEWEST_SHARE = 2, 0.05
"""Too fast items count from this many on, if they are at least this share of a person's."""
HASTE_OTHERS, HASTE_OWN = 3.0, 5.0
"""Less than a third of what others take, or a fifth of what the person usually takes."""
FEWEST_COMPARED = 5
"""Items whose times are compared with those of others."""
FEWEST_UNITS, MOSTLY = 8, 0.9
"""One answer to at least this share of as many units or more."""
FEWEST_PAIRS = 20
"""Pairs of two people's answers from which self-agreement is compared with theirs."""
FEWEST_SHARED = 3
"""Unusual answers in common, and empty answers, below which nothing is reported."""

ChosenValues = Mapping[str, Mapping[str, str]]
"""People, and of each the answers by unit; an empty text is an empty answer."""


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """Something about a person's work that an organiser may want to look at.

    ``count`` of ``total`` show it. ``expected`` is the share that the test expects, and ``p`` the
    chance of so extreme a count if it were so; None where there is no test.
    """

    code: str
    person: str
    count: int
    total: int
    field: str = ""
    other: str = ""
    """The second person, or the answer that is always the same."""
    expected: float | None = None
    p: float | None = None
    adjusted: float | None = None
    """Holm's adjustment over the people of the check."""
    low: float | None = None
    high: float | None = None
    """The exact interval of the share, 95%."""
    ids: tuple[str, ...] = ()
    """The items or units that show it."""


@dataclass(frozen=True, slots=True)
class ItemTime:
    """How long a person took for an item, and how much there was to read."""

    person: str
    item: str
    seconds: float
    amount: int = 0
    """Words, in Chinese characters; 0 where that is not known."""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """Whether a person got an item right that has a known answer."""

    person: str
    item: str
    is_right: bool


def _significant(findings: Sequence[QualityFinding]) -> list[QualityFinding]:
    """The findings of one check that are significant after Holm's adjustment over all of them."""
    values = holm([math.nan if each.p is None else each.p for each in findings])
    adjusted = (
        each if each.p is None else replace(each, adjusted=value)
        for each, value in zip(findings, values, strict=True)
    )
    return [each for each in adjusted if each.adjusted is None or each.adjusted < SIGNIFICANT]


def _share(code: str, person: str, count: int, total: int) -> QualityFinding:
    low, high = binomial_interval(count, total)
    return QualityFinding(code, person, count, total, low=low, high=high)


def known_answers(
    checks: Sequence[KnownAnswer], *, expected: float = EXPECTED
) -> tuple[list[QualityFinding], list[QualityFinding]]:
    """Everybody's share of known answers that are right, and those of whom it is too small.

    p is the chance of so few right answers if each were right with the chance ``expected``.
    """
    figures = []
    for person in dict.fromkeys(answer.person for answer in checks):
        answers = [answer for answer in checks if answer.person == person]
        wrong = tuple(answer.item for answer in answers if not answer.is_right)
        right = len(answers) - len(wrong)
        p = binomial_at_most(right, len(answers), expected)
        figure = _share("known_answers", person, right, len(answers))
        figures.append(replace(figure, expected=expected, p=p, ids=wrong))
    return figures, _significant(figures)


def self_agreement(
    first: ChosenValues, again: ChosenValues, *, field: str = ""
) -> tuple[list[QualityFinding], list[QualityFinding]]:
    """How often people gave the same answer again, and who did so less than two people agree.

    p is the chance of so few equal answers if people agreed with themselves as often as with each
    other. It needs enough answers of two people to the same units.
    """
    equal = pairs = 0
    for a, b in combinations(first, 2):
        shared = [id for id in first[a] if id in first[b]]
        pairs += len(shared)
        equal += sum(first[a][id] == first[b][id] for id in shared)
    expected = equal / pairs if pairs >= FEWEST_PAIRS else None
    figures = []
    for person, answers in again.items():
        repeated = [id for id in answers if id in first.get(person, {})]
        if not repeated:
            continue
        changed = tuple(id for id in repeated if answers[id] != first[person][id])
        count = len(repeated) - len(changed)
        p = None if expected is None else binomial_at_most(count, len(repeated), expected)
        figure = _share("self_agreement", person, count, len(repeated))
        figures.append(replace(figure, field=field, expected=expected, p=p, ids=changed))
    return figures, [each for each in _significant(figures) if each.p is not None]


def haste(times: Sequence[ItemTime]) -> list[QualityFinding]:
    """Items that were read faster than anybody reads, than others do, or than the person does.

    Others are compared by a sign test: p is the chance of so many items below a third of the
    others' median time if half of the person's items were.
    """
    by_person: dict[str, list[ItemTime]] = {}
    by_item: dict[str, dict[str, float]] = {}
    for time in times:
        if time.seconds > 0:
            by_person.setdefault(time.person, []).append(time)
            by_item.setdefault(time.item, {})[time.person] = time.seconds
    findings: list[QualityFinding] = []
    compared: list[QualityFinding] = []
    for person, items in by_person.items():
        too_fast = [
            time.item
            for time in items
            if (fastest := FASTEST.get(time.language)) and 60 * time.amount > fastest * time.seconds
        ]
        findings += _if_enough("too_fast", person, too_fast, len(items))
        paces = {time.item: time.seconds / max(1, time.amount) for time in items}
        usual = median(paces.values())
        hurried = [item for item, pace in paces.items() if pace * HASTE_OWN < usual]
        findings += _if_enough("faster_than_usual", person, hurried, len(items))
        quick, total = [], 0
        for time in items:
            theirs = [seconds for name, seconds in by_item[time.item].items() if name != person]
            if theirs:
                total += 1
                if time.seconds * HASTE_OTHERS < median(theirs):
                    quick.append(time.item)
        if total >= FEWEST_COMPARED:
            p = binomial_at_least(len(quick), total, 0.5)
            figure = _share("faster_than_others", person, len(quick), total)
            compared.append(replace(figure, expected=0.5, p=p, ids=tuple(quick)))
    return [*findings, *_significant(compared)]


def _if_enough(
    code: str, person: str, items: Sequence[str], total: int
) -> Iterator[QualityFinding]:
    if len(items) >= max(FEWEST_ITEMS, FEWEST_SHARE * total):
        yield replace(_share(code, person, len(items), total), ids=tuple(items))


def same_answer(values: ChosenValues, *, field: str = "") -> list[QualityFinding]:
    """People who give (nearly) everything one answer, where others do not.

    The chance of the answer is that of the others on the same unit, drawn towards their share
    over all units; p is the chance of so many, times the number of different answers.
    """
    figures = []
    different = {value for by_unit in values.values() for value in by_unit.values()}
    for person, by_unit in values.items():
        if len(by_unit) < FEWEST_UNITS:
            continue
        answer, count = Counter(by_unit.values()).most_common(1)[0]
        if not answer or count < MOSTLY * len(by_unit):
            continue
        ids = tuple(id for id, value in by_unit.items() if value == answer)
        figure = _share("same_answer", person, count, len(by_unit))
        figure = replace(figure, field=field, other=answer, ids=ids)
        chances = _chances(values, person, answer)
        if chances is not None:
            p = min(1.0, len(different) * sum_at_least(count, chances))
            figures.append(replace(figure, expected=sum(chances) / len(chances), p=p))
        elif count == len(by_unit):  # nobody to compare with
            figures.append(figure)
    return _significant(figures)


def empty_answers(values: ChosenValues, *, field: str = "") -> list[QualityFinding]:
    """People who leave more empty than others do on the same units, at least twice as much."""
    figures = []
    for person, by_unit in values.items():
        ids = tuple(id for id, value in by_unit.items() if not value)
        chances = _chances(values, person, "")
        if chances is None or not ids:
            continue
        figure = replace(
            _share("empty_answers", person, len(ids), len(by_unit)),
            field=field,
            expected=sum(chances) / len(chances),
            p=sum_at_least(len(ids), chances),
            ids=ids,
        )
        figures.append(figure)
    return [
        each
        for each in _significant(figures)
        if each.count >= max(FEWEST_SHARED, 2 * (each.expected or 0.0) * each.total)
    ]


def _chances(values: ChosenValues, person: str, answer: str) -> list[float] | None:
    """For each unit of a person, how likely an answer is by those of the others."""
    gave_it: dict[str, list[bool]] = {}
    for somebody, by_unit in values.items():
        if somebody != person:
            for id, value in by_unit.items():
                gave_it.setdefault(id, []).append(value == answer)
    total = sum(map(len, gave_it.values()))
    if not total:
        return None
    # Half a person for and half against: an answer that nobody gave is unlikely, not impossible.
    # On a unit that share counts as one person more, since few others have answered it.
    overall = (sum(map(sum, gave_it.values())) + 0.5) / (total + 1)
    return [
        (sum(others) + overall) / (len(others) + 1)
        for others in (gave_it.get(id, []) for id in values[person])
    ]


def same_as_somebody(values: ChosenValues, *, field: str = "") -> list[QualityFinding]:
    """Pairs who share unusual answers more often than other pairs do.

    An answer is unusual if more than half of all gave another one, so a pair needs five people on
    a unit, and two who are both right are no finding. p is the chance of as many equal ones among
    the units on which both are unusual, at the rate of all other pairs.
    """
    on_unit: dict[str, dict[str, str]] = {}
    for person, by_unit in values.items():
        for id, value in by_unit.items():
            on_unit.setdefault(id, {})[person] = value
    shared: dict[tuple[str, str], list[str]] = {}
    unusual: Counter[tuple[str, str]] = Counter()
    for id, answers in on_unit.items():
        common, count = Counter(answers.values()).most_common(1)[0]
        if 2 * count <= len(answers):
            continue
        for a, b in combinations([name for name in answers if answers[name] != common], 2):
            unusual[a, b] += 1
            if answers[a] == answers[b]:
                shared.setdefault((a, b), []).append(id)
    equal, total = sum(map(len, shared.values())), unusual.total()
    figures = []
    for (a, b), count in unusual.items():
        ids = tuple(shared.get((a, b), ()))
        chance = (equal - len(ids) + 0.5) / (total - count + 1)  # as in _chances, never 0 or 1
        figure = replace(
            _share("same_as_somebody", a, len(ids), count),
            field=field,
            other=b,
            expected=chance,
            p=binomial_at_least(len(ids), count, chance),
            ids=ids,
        )
        figures.append(figure)
    return [each for each in _significant(figures) if each.count >= FEWEST_SHARED]
