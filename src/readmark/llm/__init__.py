"""Language models behind a chat endpoint: the `llm` candidate and the `judge` metric.

A kind of test says with an `LlmForm` how its units are asked and what a reply means; `fence`,
`one_line` and `unquoted` are for writing one. `request_for` is what a unit's request looks like,
for those who send it elsewhere. `check_models` asks each configured model one question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.llm.answers import form_of, request_for
    from readmark.llm.candidate import Llm
    from readmark.llm.check import ModelCheck, check_models
    from readmark.llm.forms import TEXT_MEMBER, AskedByModels, LlmForm, LlmRecordForm, RecordAnswers
    from readmark.llm.members import unquoted
    from readmark.llm.prompts import Prompt, fence, load_prompt, one_line
    from readmark.llm.replies import UNREADABLE

__all__ = [
    "TEXT_MEMBER",
    "UNREADABLE",
    "AskedByModels",
    "Llm",
    "LlmForm",
    "LlmRecordForm",
    "ModelCheck",
    "Prompt",
    "RecordAnswers",
    "check_models",
    "fence",
    "form_of",
    "load_prompt",
    "one_line",
    "request_for",
    "unquoted",
]

__getattr__ = door(
    __name__,
    {
        "answers": "form_of request_for",
        "candidate": "Llm",
        "check": "ModelCheck check_models",
        "forms": "AskedByModels LlmForm LlmRecordForm RecordAnswers TEXT_MEMBER",
        "members": "unquoted",
        "prompts": "Prompt fence load_prompt one_line",
        "replies": "UNREADABLE",
    },
)
