"""The rows of a log as they come, the paper that they are all of, and the sitting they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.formats.harness_logs.asked import Binding
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import PackedRows, Row, Sitting, SittingHeader, keep


class Gathered:
    """What a log has held so far."""

    def __init__(self, kind: Kind, file: str, harness: str) -> None:
        self.kind = kind
        self.file = file
        self.harness = harness
        self.rows = PackedRows()
        self.binding: Binding | None = None
        self.prompts: dict[str, None] = {}
        self.repeats = 1
        self._notes: list[str] = []
        self._begun = False

    def bind(self, binding: Binding | None, where: object) -> Binding | None:
        """The sample's binding, which must be of one paper with all the others."""
        paper = self.binding.paper if self.binding is not None else None
        if self._begun and (binding.paper if binding is not None else None) != paper:
            raise DataError("the log has samples of several papers", file=self.file, where=where)
        self._begun = True
        self.binding = binding
        if binding is not None:
            self.prompts[binding.prompt] = None
        return binding

    def take(self, row: Row) -> None:
        """A row more; the last one for an id and repeat wins."""
        keep(self.rows, row)
        self.repeats = max(self.repeats, row.repeat + 1)

    def note(self, line: str) -> None:
        """Something to be said beside the marks."""
        self._notes.append(f"{self.file}: {line}")

    def _examples(self, signature: Mapping[str, Any]) -> dict[str, str]:
        """Which examples the task shows; a run may have been told to show none."""
        shown = self.binding.examples if self.binding is not None else ""
        return {"examples": shown} if shown and signature.get("shots") != 0 else {}

    def sitting(
        self,
        *,
        candidate: str,
        signature: Mapping[str, Any],
        generation: Mapping[str, Any],
        covers: tuple[str, ...] | None,
    ) -> Sitting:
        """All of it; a log that holds nothing is refused."""
        if not self.rows:
            raise DataError("the log holds no samples", file=self.file)
        if self.binding is None:
            self.note("the log does not say which paper it is of; its ids were trusted")
        header = SittingHeader(
            kind=self.kind.name,
            paper=self.binding.paper if self.binding is not None else None,
            candidate=candidate,
            signature={
                "harness": self.harness,
                **{name: value for name, value in signature.items() if value not in (None, "")},
                "prompts": list(self.prompts),
                **self._examples(signature),
                **generation,
            },
            repeats=self.repeats,
            covers=covers,
        )
        return Sitting(header, self.rows, self.file, tuple(self._notes))
