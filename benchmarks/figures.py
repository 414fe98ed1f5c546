"""A measured figure and its required value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, the bound that it must keep (a least or a most) and what was got."""

    name: str
    got: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the bound was kept."""
        return (self.least is None or self.got >= self.least) and (
            self.most is None or self.got <= self.most
        )

    @property
    def wanted(self) -> str:
        """The bound in words."""
        if self.least is not None:
            return f"at least {self.least:g} {self.unit}"
        return f"at most {self.most:g} {self.unit}"

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.got:.2f} {self.unit} (wanted {self.wanted}): "
            f"{'ok' if self.ok else 'NOT reached'}"
        )
