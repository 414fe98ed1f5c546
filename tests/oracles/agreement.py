"""Agreement as its definitions read, by plain loops over everything; slow and independent."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations, permutations

Chains = Sequence[frozenset[Hashable]]


def kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Two annotators: (observed − expected) / (1 − expected), in agreement."""
    n = len(a)
    labels = {*a, *b}
    observed = sum(x == y for x, y in zip(a, b, strict=True)) / n
    expected = sum(a.count(label) / n * (b.count(label) / n) for label in labels)
    return None if len(labels) == 1 else (observed - expected) / (1 - expected)


def fleiss(panel: Sequence[Sequence[Hashable]]) -> float | None:
    labels = {label for row in panel for label in row}
    if len(labels) == 1:
        return None
    raters = len(panel[0])
    pairs = [sum(x == y for x, y in combinations(row, 2)) for row in panel]
    observed = sum(pairs) / (len(panel) * raters * (raters - 1) / 2)
    every = [label for row in panel for label in row]
    expected = sum((every.count(label) / len(every)) ** 2 for label in labels)
    return (observed - expected) / (1 - expected)


def alpha(panel: Sequence[Sequence[float | None]], scale: str) -> float | None:
    """Every pair of values within a unit, against every pair of values at all."""
    units = [[x for x in row if x is not None] for row in panel]
    units = [row for row in units if len(row) > 1]
    every = [x for row in units for x in row]
    if not every or len(set(every)) == 1:
        return None

    def apart(x: float, y: float) -> float:
        if scale == "nominal":
            return float(x != y)
        if scale == "ordinal":
            low, high = min(x, y), max(x, y)
            between = sum(low <= one <= high for one in every)
            return (between - (every.count(low) + every.count(high)) / 2) ** 2 if x != y else 0.0
        if scale == "ratio":
            return ((x - y) / (x + y)) ** 2 if x + y else 0.0
        return (x - y) ** 2

    n = len(every)
    observed = sum(
        apart(row[i], row[j]) / (len(row) - 1)
        for row in units
        for i in range(len(row))
        for j in range(len(row))
        if i != j
    )
    expected = sum(apart(every[i], every[j]) for i in range(n) for j in range(n) if i != j)
    return 1 - (observed / n) / (expected / (n * (n - 1)))


def unitizing(length: int, raters: Sequence[Sequence[tuple[int, int]]]) -> float | None:
    """One text, one category: every section of one observer against every one of another's."""
    sections = [_sections(units, length) for units in raters]
    m = len(raters)
    observed = 0.0
    for i in range(m):
        for j in range(m):
            if i != j:
                observed += sum(_differ(g, h) for g in sections[i] for h in sections[j])
    observed /= m * (m - 1) * length**2
    units = [one for own in sections for one in own if one[2]]
    gaps = [one for own in sections for one in own if not one[2]]
    if not units:
        return None
    total = 0.0
    for _, size, _ in units:
        total += (len(units) - 1) / 3 * (2 * size**3 - 3 * size**2 + size)
        total += size**2 * sum(gap - size + 1 for _, gap, _ in gaps if gap >= size)
    pairs = m * length * (m * length - 1) - sum(size * (size - 1) for _, size, _ in units)
    expected = 2 / length * total / pairs
    return 1 - observed / expected


Section = tuple[int, int, bool]


def _sections(units: Sequence[tuple[int, int]], length: int) -> list[Section]:
    """Begin, length, whether a unit."""
    found: list[Section] = []
    at = 0
    for start, end in sorted(units):
        if start > at:
            found.append((at, start - at, False))
        found.append((start, end - start, True))
        at = end
    if at < length:
        found.append((at, length - at, False))
    return found


def _differ(one: Section, other: Section) -> float:
    b, size, unit = one
    other_b, other_size, other_unit = other
    if unit and other_unit and -size < b - other_b < other_size:
        return (b - other_b) ** 2 + (b + size - other_b - other_size) ** 2
    if unit and not other_unit and other_size - size >= b - other_b >= 0:
        return size**2
    if other_unit and not unit and size - other_size >= other_b - b >= 0:
        return other_size**2
    return 0.0


def _mean(found: float, of: float, found_too: float, of_too: float) -> float | None:
    if not of and not of_too:
        return None
    one = found / of if of else 0.0
    other = found_too / of_too if of_too else 0.0
    return 2 * one * other / (one + other) if one + other else 0.0


def muc(a: Chains, b: Chains) -> float | None:
    """Links that have to be added: parts of each entity, less one."""

    def kept(mine: Chains, theirs: Chains) -> tuple[int, int]:
        total = size = 0
        for entity in mine:
            parts = [entity & one for one in theirs if entity & one]
            alone = [mention for mention in entity if not any(mention in one for one in theirs)]
            total += len(entity) - len(parts) - len(alone)
            size += len(entity) - 1
        return total, size

    return _mean(*kept(a, b), *kept(b, a))


def b_cubed(a: Chains, b: Chains) -> float | None:
    """Mention by mention."""

    def shared(mine: Chains, theirs: Chains) -> tuple[float, int]:
        total, count = 0.0, 0
        for entity in mine:
            for mention in entity:
                count += 1
                other = next((one for one in theirs if mention in one), frozenset())
                total += len(entity & other) / len(entity)
        return total, count

    return _mean(*shared(a, b), *shared(b, a))


def ceaf_e(a: Chains, b: Chains) -> float | None:
    """Every assignment is tried."""
    few, many = (a, b) if len(a) <= len(b) else (b, a)
    best = max(
        (
            sum(
                2 * len(one & other) / (len(one) + len(other))
                for one, other in zip(few, chosen, strict=True)
            )
            for chosen in permutations(many, len(few))
        ),
        default=0.0,
    )
    return _mean(best, len(a), best, len(b))


def lea(a: Chains, b: Chains) -> float | None:
    """Link by link; a single mention is linked to itself."""

    def links(entity: frozenset[Hashable]) -> set[frozenset[Hashable]]:
        if len(entity) == 1:
            return {entity}
        return {frozenset(pair) for pair in combinations(sorted(entity, key=repr), 2)}

    def resolved(mine: Chains, theirs: Chains) -> tuple[float, int]:
        has = set().union(*(links(one) for one in theirs)) if theirs else set()
        total = sum(len(one) * len(links(one) & has) / len(links(one)) for one in mine)
        return total, sum(map(len, mine))

    return _mean(*resolved(a, b), *resolved(b, a))
