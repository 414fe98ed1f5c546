"""Near-duplicates among passages: the later of two is a copy of the earlier, which is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from types import TracebackType

from readmark.corpus.test import Test
from readmark.measures.near_duplicates import Pair, resembling
from readmark.measures.sketches import Sketcher, Sketches
from readmark.setting.screening import Finding

Name = tuple[int, str]
"""A passage's position in the test, and its id."""


class Pool:
    """Passages that would be kept but for near-duplicates; their sketches wait on disk."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self._sketches = Sketches(sketcher)
        self._positions = array("q")
        self._held: set[int] = set()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._sketches.__exit__(kind, error, trace)

    def add(self, at: int, sketch: bytes, *, held: bool = False) -> None:
        """Take the next passage; one that is held stays, copy or not."""
        self.extend([at], [sketch])
        if held:
            self._held.add(at)

    def extend(self, positions: Iterable[int], sketches: Iterable[bytes]) -> None:
        """Take the next passages."""
        self._positions.extend(positions)
        self._sketches.extend(sketches)

    def copies(self, test: Test) -> dict[int, Finding]:
        """What is a copy of which passage that stays, by position."""
        found: dict[int, Finding] = {}
        standing: dict[int, Name] = {}
        """Of a copy's text: the passage that has it and stays all the same."""

        def copy_of(pair: Pair[Name]) -> Finding | None:
            (first, _), equal = pair.first, pair.resemblance == 1
            if first not in found or first in self._held:
                return self._finding(pair.resemblance, pair.first)
            if first in standing:
                return self._finding(pair.resemblance, standing[first])
            # Equal texts are paired with the first of them only. If that is a copy, so are they.
            return found[first] if equal else None

        pairs = resembling(
            self._sketches.candidates(),
            lambda: self._texts(test),
            threshold=self._sketcher.threshold,
            shingle=self._sketcher.shingle,
            settled=lambda name: name[0] in found,
        )
        for pair in pairs:
            second = pair.second[0]
            copy = copy_of(pair)
            if copy is not None:
                found[second] = copy
                if second in self._held and pair.resemblance == 1:
                    standing.setdefault(pair.first[0], pair.second)
        return found

    def _finding(self, resemblance: float, name: Name) -> Finding:
        return Finding(
            value=round(resemblance, 4),
            threshold=self._sketcher.threshold,
            verdict="discard",
            note=f"of {name[1]}",
        )

    def _texts(self, test: Test) -> Iterator[tuple[Name, str]]:
        wanted = iter([*self._positions, -1])
        following = next(wanted)
        for at, record in enumerate(test.records()):
            if at == following:
                yield (at, record.id), record.text
                following = next(wanted)
