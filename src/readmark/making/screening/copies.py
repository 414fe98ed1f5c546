"""Near-duplicates among passages: the later of two is a copy of the earlier, which is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from readmark.core.test import Test
from readmark.making.screening.findings import CheckFinding
from readmark.text.near_duplicates import ResemblingPair, resembling
from readmark.text.sketches import Sketcher, Sketches

PassageName = tuple[int, str]
"""A passage's position in the test, and its id."""


class CopyPool:
    """Passages that would be kept but for near-duplicates; their sketches wait on disk."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self._sketches = Sketches(sketcher)
        self._positions = array("q")
        self._by_people: set[int] = set()

    def __enter__(self) -> CopyPool:
        return self

    def __exit__(self, *error: object) -> None:
        self._sketches.__exit__(*error)

    def add(self, index: int, sketch: bytes, *, by_people: bool = False) -> None:
        """Take the next passage; one that people decided to keep stays, copy or not."""
        self.extend([index], [sketch])
        if by_people:
            self._by_people.add(index)

    def extend(self, positions: Iterable[int], sketches: Iterable[bytes]) -> None:
        """Take the next passages."""
        self._positions.extend(positions)
        self._sketches.extend(sketches)

    def copies(self, test: Test) -> dict[int, CheckFinding]:
        """What is a copy of which passage that stays, by position."""
        copies: dict[int, CheckFinding] = {}
        # A copy whose text a later passage has too, which people keep: that passage, by the copy.
        kept_instead: dict[int, PassageName] = {}

        def copy_of(pair: ResemblingPair[PassageName]) -> CheckFinding | None:
            first, _ = pair.first
            if first not in copies or first in self._by_people:
                return self._finding(pair.resemblance, pair.first)
            if first in kept_instead:
                return self._finding(pair.resemblance, kept_instead[first])
            # Equal texts are paired with the first of them only. If that is a copy, so are they.
            return copies[first] if pair.resemblance == 1 else None

        pairs = resembling(
            self._sketches.candidates(),
            lambda: self._texts(test),
            threshold=self._sketcher.threshold,
            shingle=self._sketcher.shingle,
            settled=lambda name: name[0] in copies,
        )
        for pair in pairs:
            second = pair.second[0]
            copy = copy_of(pair)
            if copy is not None:
                copies[second] = copy
                if second in self._by_people and pair.resemblance == 1:
                    kept_instead.setdefault(pair.first[0], pair.second)
        return copies

    def _finding(self, resemblance: float, name: PassageName) -> CheckFinding:
        return CheckFinding(
            value=round(resemblance, 4),
            threshold=self._sketcher.threshold,
            verdict="discard",
            note=f"of {name[1]}",
        )

    def _texts(self, test: Test) -> Iterator[tuple[PassageName, str]]:
        positions = iter([*self._positions, -1])
        following = next(positions)
        for index, record in enumerate(test.records()):
            if index == following:
                yield (index, record.id), record.text
                following = next(positions)
