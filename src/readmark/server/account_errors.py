"""Why an account cannot be made, changed or logged in to."""

from __future__ import annotations

from readmark.core.errors import ReadmarkError


class AccountError(ReadmarkError):
    """Something that a person can put right; ``word`` names the message in both languages."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Throttled(Exception):
    """Too many attempts have failed; the next is allowed in ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many log-ins have failed")
        self.seconds = max(1, round(seconds))
