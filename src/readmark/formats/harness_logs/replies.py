"""How a reply of a model in a log is read as an answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from readmark.formats.harness_logs.bindings import Binding
from readmark.hooks import Kind

_SAME = {"無法回答": "无法回答"}
"""Traditional characters of a word for none -> simplified: models answer in the passage's own."""


def as_row(
    kind: Kind,
    reply: str,
    options: object,
    binding: Binding | None,
    more_evidence: Mapping[str, Any],
    *,
    has_thoughts: bool = False,
) -> dict[str, Any]:
    """The members of a row that state what was answered, and its evidence.

    A reply without words is an error, since an empty answer says that the passage has no answer.
    ``has_thoughts`` tells that the model thought apart from its reply.
    """
    from readmark.text.answers.thoughts import why_empty, without_thoughts

    reason = why_empty(reply)
    if reason == "empty" and has_thoughts:
        reason = "reasoning only"
    if reason is not None:
        full_reply = {"said": reply} if reply.strip() else {}
        evidence = {"reason": reason, **full_reply, **more_evidence}
        return {"error": f"no answer: {reason}", "evidence": evidence}
    if binding is None:
        text = without_thoughts(reply).strip()
    else:
        items = options if isinstance(options, list) else ()
        texts = [option for option in items if isinstance(option, str)]
        text = as_answer(reply, texts, binding.none)
    full_reply = {"said": reply} if text != reply else {}
    return {kind.answer: text, "evidence": {**full_reply, **more_evidence} or None}


def as_answer(reply: str, options: Sequence[str], none: str) -> str:
    """The reply as an answer: an option's words for its letter, nothing for the word for none.

    What a model wrote down while it thought is no part of it. A reply that settles on no one
    letter stays as it is.
    """
    from readmark.text.answers.option_letters import letters_meant
    from readmark.text.answers.thoughts import without_thoughts

    words = without_thoughts(reply).strip()
    if options:
        letters = letters_meant(words, options)
        return options[letters[0]] if len(letters) == 1 else words
    return "" if none and _bare(words) == _bare(none) else words


def _bare(text: str) -> str:
    """A text without punctuation, space, width or capitals."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LN")
    return _SAME.get(plain, plain)
