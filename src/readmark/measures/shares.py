"""Counts as percentages that add up to 100 as they are printed."""

from __future__ import annotations

from collections.abc import Mapping


def percentages(counts: Mapping[str, int], *, places: int = 1) -> dict[str, float]:
    """Round shares down and give what is missing to the largest remainders (Hamilton's method).

    Equal remainders go to the larger count, then to the earlier name; no counts give zeros.
    """
    total = sum(counts.values())
    if total == 0:
        return dict.fromkeys(counts, 0.0)
    whole = 100 * 10**places
    floors = {name: count * whole // total for name, count in counts.items()}
    names = list(counts)
    order = sorted(
        names, key=lambda name: (-(counts[name] * whole % total), -counts[name], names.index(name))
    )
    for name in order[: whole - sum(floors.values())]:
        floors[name] += 1
    return {name: share / 10**places for name, share in floors.items()}
