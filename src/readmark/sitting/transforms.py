"""Paper transforms: what is changed in a paper before a candidate sees it.

``sit`` applies its transforms in the order of the registry, and takes the rows back through them
in the reverse order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.parsed_names import ParsedName
from readmark.core.registry import Registry, parameter
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.hooks import PaperTransform
from readmark.sitting.kind_extras import HasParts
from readmark.sitting.requests import Ask
from readmark.sitting.settings import SitSettings

TRANSFORMS = Registry("paper transform", "readmark.transforms")


def build_transforms(settings: SitSettings) -> list[PaperTransform]:
    """The transforms of the settings, in the order of the registry."""
    transforms: list[str | PaperTransform] = []
    if settings.cross is not None:
        transforms.append(TRANSFORMS.load("cross")(settings.cross, settings.questions))
    for name, argument, value in (
        ("shuffle_options", "seed", settings.shuffle_options),
        ("rewrite", "by", settings.rewrite),
        ("without", "part", settings.without),
    ):
        if value is not None:
            transforms.append(str(ParsedName(name, {argument: value})))
    by_name: dict[str, PaperTransform] = {}
    for transform in (*transforms, *settings.transforms):
        if isinstance(transform, str):
            parsed, built = TRANSFORMS.build(transform)
            name = parsed.base
        else:
            name, built = _name_of(transform), transform
        if name in by_name:
            raise UsageError(f"the transform {name} is given twice")
        by_name[name] = built
    order = [*TRANSFORMS, *by_name]  # objects that are not registered come last
    return [by_name[name] for name in sorted(by_name, key=order.index)]


def _name_of(transform: PaperTransform) -> str:
    """The registered name of an object's class, else where the class is."""
    cls = type(transform)
    target = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name in TRANSFORMS if TRANSFORMS.entry(name).target == target), target)


@runtime_checkable
class StatedInHeader(Protocol):
    """A transform that ships with Readmark: a sitting's header has members for these alone."""

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


@dataclass
class Without:
    """Leaves a part out of the paper: what is answered then is a shortcut."""

    part: str = parameter(help="the part to leave out, such as passage or question")
    hides_passages = True
    _kind: HasParts | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        if not isinstance(test.kind, HasParts):
            raise UsageError(f"a {test.kind.name} test has no part that can be left out")
        parts = test.kind.parts
        if self.part not in parts:
            raise UsageError(
                f"a {test.kind.name} test has no {self.part} to leave out ({', '.join(parts)}); "
                f"{did_you_mean(self.part, parts)}"
            )
        self._kind = test.kind

    def header(self) -> Mapping[str, Any]:
        return {"without": self.part}

    def signature(self) -> Mapping[str, Any]:
        return {}  # the header says it

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        assert self._kind is not None
        for ask in asks:
            yield replace(ask, record=self._kind.leave_out(ask.record, self.part))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        return rows
