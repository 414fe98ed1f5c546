"""How a kind of test is put to a language model: what its ``llm_form`` returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from readmark.core.records import Unit
from readmark.core.sitting import Row

TEXT_MEMBER: Mapping[str, Any] = {"type": "string"}
"""The JSON schema of a member of a reply that is a text."""


@runtime_checkable
class AskedByModels(Protocol):
    """A kind of test that language models can sit."""

    def llm_form(self) -> LlmForm:
        """How a language model is asked, and how its reply is read."""


class LlmForm(Protocol):
    """How a language model is asked about a unit, and what its reply means."""

    @property
    def places(self) -> frozenset[str]:
        """What a prompt may have filled in."""

    @property
    def needed(self) -> frozenset[str]:
        """What nothing can be asked without."""

    @property
    def member(self) -> str:
        """The member of the reply that holds the answer."""

    def prompts(self, answer_in: str) -> Sequence[str]:
        """The prompts that units of a test may need."""

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """The prompt that a unit needs."""

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """What a prompt's places hold for a unit."""

    def members(self, unit: Unit) -> dict[str, Any]:
        """The JSON schema of each member of a reply."""

    def example(self, unit: Unit, answer: Any, language: str, *, blank: bool) -> dict[str, Any]:
        """The right reply to a unit that is shown as an example; ``blank`` without its text."""

    def text(self, unit: Unit) -> str:
        """The text that a unit is asked about."""

    def may_be_empty(self, unit: Unit) -> bool:
        """Whether an empty reply can be an answer to the unit."""

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[Any, tuple[int, int] | None, dict[str, Any]]:
        """The answer that a reply's text means, where it is in the text, and the evidence.

        What is no answer is an empty text, and the evidence has the ``reason``.
        """


@runtime_checkable
class LlmRecordForm(Protocol):
    """What an ``LlmForm`` has besides if one request is about a record, for all of its units."""

    def take_materials(self, materials: Mapping[str, bytes], *, reason: bool) -> None:
        """The kind's ``materials`` of the test, and whether to infer from what is read."""

    def answers(self, units: Sequence[Unit], reply: str) -> RecordAnswers:
        """What a reply's text means for the units of a record."""


class RecordAnswers(NamedTuple):
    """What a reply about a record means."""

    rows: Sequence[Row]
    """A row a unit, none where nothing in the reply can be used."""
    dropped: Mapping[str, int]
    """What was not used, by why."""
    error: str = ""
    """Why nothing can be used."""
