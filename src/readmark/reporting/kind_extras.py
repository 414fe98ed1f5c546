"""What a kind of test may say to reports: how its answers are shown on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from readmark.core.records import Offsets


@dataclass(frozen=True)
class PageAnswer:
    """An answer or a reference as a reader of the page sees it."""

    text: str
    """The answer in a line."""
    excerpts: Sequence[Offsets] = ()
    """Where in the text it was read."""
    derivations: Sequence[str] = ()
    """How it was found, each in lines of its own."""


@runtime_checkable
class ShowsAnswers(Protocol):
    """A kind of test whose answers are neither texts nor numbers."""

    def page_answer(self, value: Any) -> PageAnswer:
        """An answer or a reference, as the JSON of a sitting or a marksheet has it."""
