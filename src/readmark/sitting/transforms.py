"""Paper transforms: what is changed in a paper before a candidate sees it.

``sit`` applies its transforms in the order of the registry, and takes the rows back through them
in the reverse order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.registry import Registry
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.hooks import PaperTransform
from readmark.sitting.kind_extras import HasParts
from readmark.sitting.requests import Ask
from readmark.sitting.settings import SitSettings

TRANSFORMS = Registry("paper transform", "readmark.transforms")


def build_transforms(settings: SitSettings) -> list[PaperTransform]:
    """The transforms that the settings ask for, in the order of the registry."""
    asked: list[str | PaperTransform] = []
    if settings.cross is not None:
        asked.append(TRANSFORMS.load("cross")(settings.cross, settings.questions))
    for name, parameter, value in (
        ("shuffle_options", "seed", settings.shuffle_options),
        ("rewrite", "by", settings.rewrite),
        ("without", "part", settings.without),
    ):
        if value is not None:
            asked.append(str(ParsedName(name, {parameter: value})))
    built: dict[str, PaperTransform] = {}
    for paper_transform in (*asked, *settings.transforms):
        name = (
            parse_name(paper_transform).base
            if isinstance(paper_transform, str)
            else _name_of(paper_transform)
        )
        if name in built:
            raise UsageError(f"{name} is asked for twice")
        built[name] = (
            TRANSFORMS.build(paper_transform)[1]
            if isinstance(paper_transform, str)
            else paper_transform
        )
    order = [*TRANSFORMS, *built]  # objects that are not registered come last
    return [built[name] for name in sorted(built, key=order.index)]


@runtime_checkable
class StatedInHeader(Protocol):
    """A transform that ships: headers of sittings have members for these, and for no other."""

    def header(self) -> Mapping[str, Any]:
        """The members of the sitting's header that state this transform."""


def header_members(transforms: Iterable[PaperTransform]) -> dict[str, Any]:
    """The members of a sitting's header that state its transforms."""
    return {
        name: value
        for transform in transforms
        if isinstance(transform, StatedInHeader)
        for name, value in transform.header().items()
    }


def _name_of(transform: PaperTransform) -> str:
    cls = type(transform)
    target = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name in TRANSFORMS if TRANSFORMS.entry(name).target == target), target)


@dataclass
class Without:
    """Leaves a part out of the paper: what is answered then is a shortcut."""

    part: str = field(metadata={"help": "the part to leave out, such as passage or question"})
    hides_passages = True
    _kind: HasParts | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """The kind of test must have such a part."""
        if not isinstance(test.kind, HasParts):
            raise UsageError(f"a {test.kind.name} test has no part that can be left out")
        if self.part not in test.kind.parts:
            known = ", ".join(test.kind.parts)
            hint = did_you_mean(self.part, test.kind.parts)
            raise UsageError(
                f"a {test.kind.name} test has no {self.part} to leave out ({known}); {hint}"
            )
        self._kind = test.kind

    def header(self) -> Mapping[str, Any]:
        """The part that is left out."""
        return {"without": self.part}

    def signature(self) -> Mapping[str, Any]:
        """Nothing beyond the header."""
        return {}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """Papers without the part."""
        assert self._kind is not None
        for ask in asks:
            yield replace(ask, record=self._kind.leave_out(ask.record, self.part))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows as they come."""
        return rows
