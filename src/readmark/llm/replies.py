"""What comes back from a chat endpoint: a reply, or the reason that there is none."""

from __future__ import annotations

from typing import Any

import msgspec

from readmark.core.redaction import NO_SECRETS, Secrets
from readmark.core.sitting import CUT_OFF, REFUSED
from readmark.core.spent import Usage
from readmark.text.answers.loose_json import is_readable
from readmark.text.answers.thoughts import without_thoughts

UNREADABLE = "unreadable"
"""Why there is no answer: a reply that is too long, or an answer that is no text."""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply: what was said, why it ended, and what it took."""

    content: str = ""
    refusal: str = ""
    reasoning: bool = False
    finish: str = ""
    model: str = ""
    shape: str = "text"
    usage: Usage = Usage()
    seconds: float = 0.0
    attempts: int = 1
    cached: bool = False
    wasted: Usage = Usage()
    """What earlier attempts took that brought nothing, as far as the endpoint said."""
    uncounted: int = 0
    """Attempts, this one included, of which nobody said what they took."""

    @property
    def reason(self) -> str | None:
        """Why there is nothing to read an answer from, or nothing that can be trusted to be whole.

        These are the model's doings, not the wire's: asking again would bring the same.
        """
        if self.refusal or self.finish == "content_filter":
            return REFUSED
        if not is_readable(without_thoughts(self.content)):
            return UNREADABLE
        if self.finish == "length":
            return CUT_OFF if self.content.strip() else "cut off while reasoning"
        if not self.content.strip():
            return "reasoning only" if self.reasoning else "empty"
        return None


class RequestFailure(msgspec.Struct, frozen=True):
    """No reply: what happened in one line. A ``fatal`` one would happen to every request."""

    error: str
    attempts: int = 1
    fatal: bool = False
    wasted: Usage = Usage()
    """What the attempts took all the same, as far as the endpoint said."""
    uncounted: int = 0


class NoReply(ValueError):
    """The body is not what the protocol says; what it says that it took was taken all the same."""

    def __init__(self, words: str, usage: Usage | None = None) -> None:
        super().__init__(words)
        self.usage = usage


_INTERRUPTED = ("insufficient_system_resource",)
"""Ends of a reply that are the service's fault, as DeepSeek names them: asking again may help."""
_BOM = b"\xef\xbb\xbf"


def read_reply(body: bytes, shape: str, secrets: Secrets = NO_SECRETS) -> Reply:
    """A body of the protocol as a reply without secrets; a server may leave out nearly all of it.

    No message of an error shows a secret either.
    """
    try:
        document = msgspec.json.decode(body.removeprefix(_BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NoReply(f"the reply is not JSON: {_opening(body, secrets)}") from None
    if isinstance(document, dict) and "choices" not in document and "error" in document:
        raise NoReply(f"the reply is an error: {error_words(body, secrets)}")
    document = document if isinstance(document, dict) else {}
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    usage = document.get("usage")
    if not isinstance(choice, dict) or not isinstance(message, dict):
        used = _usage(usage) if isinstance(usage, dict) else None
        raise NoReply(f"the reply has no message: {_opening(body, secrets)}", used)
    if choice.get("finish_reason") in _INTERRUPTED:
        used = _usage(usage if isinstance(usage, dict) else None)
        raise NoReply(f"the reply was interrupted: {choice['finish_reason']}", used)
    return Reply(
        content=secrets.strike_out(_text(message.get("content"))),
        refusal=secrets.strike_out(_text(message.get("refusal"))),
        reasoning=any(message.get(name) for name in ("reasoning_content", "reasoning")),
        finish=secrets.strike_out(_text(choice.get("finish_reason"))),
        model=secrets.strike_out(_text(document.get("model"))),
        shape=shape,
        usage=_usage(usage if isinstance(usage, dict) else None),
    )


def error_words(body: bytes, secrets: Secrets = NO_SECRETS) -> str:
    """What a server reports as wrong, in one line, cut only after secrets are struck out."""
    try:
        document = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _opening(body, secrets)
    error = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error
    return secrets.one_line(str(error), 200)


_FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "data_inspection_failed", "datainspectionfailed"}
)
_FILTER_WORDS = ("content exists risk", "inappropriate content", "content management policy")
"""What services call a request that their content filter stopped, as code or in words."""


def filtered_reply(body: bytes, shape: str, secrets: Secrets = NO_SECRETS) -> Reply | None:
    """A request that the service's content filter stopped, as a refusal; None for another error.

    Asking again would bring the same, so it is an outcome and no failure of the wire.
    """
    try:
        document = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    error = document.get("error", document) if isinstance(document, dict) else None
    if not isinstance(error, dict):
        return None
    codes = {str(error.get(name, "")).lower() for name in ("code", "type")}
    message = str(error.get("message") or error.get("detail")).lower()
    if not codes & _FILTER_CODES and not any(words in message for words in _FILTER_WORDS):
        return None
    return Reply(
        refusal=error_words(body, secrets),
        finish="content_filter",
        shape=shape,
        usage=Usage(),
    )


def _text(value: Any) -> str:
    """A content is a text, or by some servers a list of parts of which some are texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = (part.get("text") for part in value if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _usage(tokens: dict[str, Any] | None) -> Usage:
    if tokens is None:
        return Usage(counted=False)
    prompt, completion = tokens.get("prompt_tokens"), tokens.get("completion_tokens")
    counted = isinstance(prompt, int) or isinstance(completion, int)
    return Usage(_count(prompt), _count(completion), counted=counted)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _opening(body: bytes, secrets: Secrets) -> str:
    opening = secrets.one_line(body, 120)
    return repr(opening) if opening else "nothing"
