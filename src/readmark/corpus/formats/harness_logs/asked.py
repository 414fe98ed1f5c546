"""What an exported question says of itself, and how a reply to it is read as an answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.corpus.kinds import Kind
from readmark.corpus.option_letters import letters_meant
from readmark.corpus.thoughts import why_nothing, without_thoughts
from readmark.corpus.values import Value

MEMBER = "readmark"
"""Where an exported question holds its binding, and a log repeats it."""
_SAME = {"無法回答": "无法回答"}
"""The word for none as models write it under passages in traditional characters."""


class Binding(Value, frozen=True):
    """Which paper a question is of, which prompt asked it, and the word for no answer."""

    paper: str
    units: int = 0
    prompt: str = ""
    none: str = ""
    examples: str = ""
    """Which examples were shown before the question, where there were any."""

    def as_json(self) -> dict[str, Any]:
        """Every member, since tables of a harness want the same columns in each row."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def binding_of(owner: object) -> Binding | None:
    """The binding that a logged question holds, if it is one of ours."""
    if not isinstance(owner, Mapping):
        return None
    try:
        return msgspec.convert(owner.get(MEMBER), Binding)
    except msgspec.ValidationError:
        return None


def as_row(
    kind: Kind,
    reply: str,
    options: object,
    binding: Binding | None,
    more: Mapping[str, Any],
    *,
    thought: bool = False,
) -> dict[str, Any]:
    """The members of a row that tell what was answered, beside ``more`` as its evidence.

    A reply in which nothing is said is an error: an empty answer would say that there is none.
    ``thought`` tells that the model thought apart from its reply.
    """
    nothing = why_nothing(reply)
    if nothing == "empty" and thought:
        nothing = "reasoning only"
    if nothing is not None:
        kept = {"said": reply} if reply.strip() else {}
        return {
            "error": f"no answer: {nothing}",
            "evidence": {"reason": nothing, **kept, **more},
        }
    shown = [one for one in options if isinstance(one, str)] if isinstance(options, list) else []
    if binding is None:
        text = without_thoughts(reply).strip()
    else:
        text = as_answer(reply, shown, binding.none)
    said = {"said": reply} if text != reply else {}
    return {kind.answer: text, "evidence": {**said, **more} or None}


def as_answer(reply: str, options: Sequence[str], none: str) -> str:
    """The reply as an answer: an option's words for its letter, nothing for the word for none.

    What a model wrote down while it thought is no part of it. A reply that settles on no one
    letter stays as it is.
    """
    said = without_thoughts(reply).strip()
    if options:
        meant = letters_meant(said, options)
        return options[meant[0]] if len(meant) == 1 else said
    return "" if none and _bare(said) == _bare(none) else said


def _bare(text: str) -> str:
    """A text without punctuation, space, width or capitals."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LN")
    return _SAME.get(plain, plain)
