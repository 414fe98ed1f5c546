"""What a sitting would take, before anything is asked: `readmark sit --plan`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.display import Result, counted
from readmark.core.records import Unit
from readmark.core.traffic import Estimate, Traffic
from readmark.formats.registry import TestInput, as_test
from readmark.hooks import PaperTransform
from readmark.sitting.candidates import CandidateInput, begin_repeat, declared
from readmark.sitting.journal import Done, look_into
from readmark.sitting.preparation import prepare_sitting
from readmark.sitting.requests import wanted_units
from readmark.sitting.transforms import build_transforms, chosen_test, named_transforms


@dataclass(frozen=True, repr=False)
class SittingPlan(Result):
    """How many units a run would answer, and what its requests would take."""

    candidate: str
    units: int
    """Units of the whole sitting, each as often as it is repeated."""
    answered: int
    """Units that the sitting has already."""
    failed: int
    """Error rows, which would be tried again."""
    estimate: Estimate | None = None
    """None for a candidate that sends no requests."""
    path: str = ""

    @property
    def left(self) -> int:
        """Units that the run would answer."""
        return self.units - self.answered

    def as_json(self) -> dict[str, Any]:
        """The document that ``sit --plan --json`` prints."""
        document = asdict(self)
        return {"sitting": document.pop("path") or None, **document, "left": self.left}

    def show(self, console: Console) -> None:
        """Print what is left to answer, and what that would take."""
        parts = [f"{self.left:,} to answer"]
        parts += [f"{self.answered:,} answered already"] if self.answered else []
        parts += [f"{counted(self.failed, 'error')} to try again"] if self.failed else []
        units = counted(self.units, "unit")
        console.print(f"{self.candidate} would sit {units}: {', '.join(parts)}", soft_wrap=True)
        if self.estimate is not None:
            console.print(self.estimate.words, soft_wrap=True)
        console.print("nothing was asked", soft_wrap=True)


def plan(
    test: TestInput,
    candidate: CandidateInput,
    path: str | Path | None = None,
    *,
    limit: int | None = None,
    repeats: int = 1,
    without: str | None = None,
    cross: str | None = None,
    questions: TestInput | None = None,
    rewrite: str | None = None,
    shuffle_options: int | None = None,
    transforms: Sequence[str | PaperTransform] = (),
    traffic: Traffic | None = None,
) -> SittingPlan:
    """Estimate what ``sit`` with the same arguments would take; nothing is asked or written.

    Tokens are rules of thumb, corrected by the replies of the same candidate that are cached.
    """
    asked = build_transforms(
        [
            *named_transforms(
                without=without,
                cross=cross,
                questions=questions,
                rewrite=rewrite,
                shuffle_options=shuffle_options,
            ),
            *transforms,
        ]
    )
    test = as_test(chosen_test(test, asked))
    ready = prepare_sitting(
        test,
        candidate,
        path,
        limit=limit,
        repeats=repeats,
        transforms=asked,
        traffic=traffic,
        probe=False,
    )
    done = Done()
    if path is not None:
        done = look_into(Path(path), ready.header, answer=test.kind.answer)
    answered = done.keep((id, index) for id in ready.part.ids(test) for index in range(repeats))
    of_units = declared(ready.candidate, "estimate", None)
    estimate: Estimate | None = None
    for repeat in range(repeats) if of_units is not None else ():
        begin_repeat(ready.name, ready.candidate, repeat)

        def left(repeat: int = repeat) -> Iterator[Unit]:
            for ask in ready.asks(done, repeat):
                yield from wanted_units(test.kind, ask)

        part: Estimate = of_units(left())
        estimate = part if estimate is None else estimate.plus(part)
    return SittingPlan(
        candidate=ready.name,
        units=ready.part.units * repeats,
        answered=answered,
        failed=len(done.failed),
        estimate=estimate,
        path="" if path is None else str(path),
    )
