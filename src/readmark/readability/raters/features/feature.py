"""What is known of a feature before anything is measured: its description, direction and bounds."""

from __future__ import annotations

from dataclasses import dataclass

_LOGARITHM = ", as a logarithm"


@dataclass(frozen=True, slots=True)
class Feature:
    """A named number of a passage.

    ``easier`` is what readability research expects: 1 if more of it reads more easily, -1 if it
    reads harder, 0 if nothing is expected. ``low`` and ``high`` bound the value, so that a parse
    error or a text of two words does not swing a rating.
    """

    name: str
    family: str
    description: str
    """What is counted, in words that go before a number."""
    easier: int
    low: float
    high: float

    @property
    def is_share(self) -> bool:
        """Whether it is a share of something, which reads best in per cent."""
        return self.description.startswith("share")

    @property
    def is_logarithm(self) -> bool:
        """Whether it is the logarithm of what its label says."""
        return self.description.endswith(_LOGARITHM)

    @property
    def is_odds(self) -> bool:
        """Whether it is a logarithm of odds, whose values are small."""
        return self.description.startswith("how much more")

    @property
    def label(self) -> str:
        """What is counted, for a reader who sees the logarithm undone."""
        return self.description.removesuffix(_LOGARITHM)

    def bounded(self, value: float) -> float:
        """The value, or the bound that it is beyond."""
        return min(max(value, self.low), self.high)


def family(name: str, *rows: tuple[str, str, int, float, float]) -> tuple[Feature, ...]:
    """The features of a family; a row has name, description, direction and bounds."""
    return tuple(
        Feature(feature, name, description, easier, low, high)
        for feature, description, easier, low, high in rows
    )
