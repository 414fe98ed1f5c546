"""The rows of a log as they come, the paper that they are all of, and the sitting they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.core.errors import DataError
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.formats.harness_logs.bindings import Binding
from readmark.hooks import Kind


class LoggedAnswers:
    """The rows of a log so far, its notes, and what its samples say of their paper."""

    def __init__(self, kind: Kind, file: str, harness: str) -> None:
        self.kind = kind
        self.file = file
        self.harness = harness
        self.rows = PackedRows()
        self.binding: Binding | None = None
        self.prompts: dict[str, None] = {}
        self.repeats = 1
        self._notes: list[str] = []
        self._has_samples = False

    def bind(self, binding: Binding | None, where: object) -> Binding | None:
        """The sample's binding, which must be of one paper with all the others."""
        paper = self.binding.paper if self.binding is not None else None
        if self._has_samples and (binding.paper if binding is not None else None) != paper:
            raise DataError("the log has samples of several papers", file=self.file, where=where)
        self._has_samples = True
        self.binding = binding
        if binding is not None:
            self.prompts[binding.prompt] = None
        return binding

    def take(self, row: Row) -> None:
        """Add a row; the last one for an id and repeat wins."""
        keep(self.rows, row)
        self.repeats = max(self.repeats, row.repeat + 1)

    def note(self, line: str) -> None:
        """A note to print with the marks."""
        self._notes.append(f"{self.file}: {line}")

    def sitting(
        self,
        *,
        candidate: str,
        signature: Mapping[str, Any],
        generation: Mapping[str, Any],
        covers: tuple[str, ...] | None,
    ) -> Sitting:
        """The sitting; a log without samples is refused."""
        if not self.rows:
            raise DataError("the log holds no samples", file=self.file)
        if self.binding is None:
            self.note("the log does not state its paper; its ids were trusted")
        examples = self.binding.examples if self.binding is not None else ""
        header = SittingHeader(
            kind=self.kind.name,
            paper=self.binding.paper if self.binding is not None else None,
            candidate=candidate,
            signature={
                "harness": self.harness,
                **{name: value for name, value in signature.items() if value not in (None, "")},
                "prompts": list(self.prompts),
                # The task has examples, but a run may be set to show none of them.
                **({"examples": examples} if examples and signature.get("shots") != 0 else {}),
                **generation,
            },
            repeats=self.repeats,
            covers=covers,
        )
        return Sitting(header, self.rows, self.file, tuple(self._notes), kind_name=self.kind.name)
