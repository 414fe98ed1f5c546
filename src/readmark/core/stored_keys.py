"""Secrets that a configuration names and never contains: ``env:NAME`` and ``keyring:NAME``.

A value that looks like a secret itself is recognised, so that it can be refused.
"""

from __future__ import annotations

import os
import re
from importlib import import_module

from readmark.core.errors import ReadmarkError, UsageError

STORED_KEY = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]{0,63}|keyring:\S{1,128}")
"""How a configuration names a key: an environment variable, or an entry of the keyring."""

_SECRET_VALUE = re.compile(
    r"(?:\b(?:sk|rk|pk)[-_]|\bgh[pousr]_|\bgithub_pat_|\bhf_|\bxox[abprs]-|\bAKIA|\bAIza|\bya29\.|"
    r"\bglpat-|\beyJ)[A-Za-z0-9_.-]{12,}|\b(?i:bearer|basic)\s+\S{8,}"
)
_LONG_WORD = re.compile(r"[A-Za-z0-9]{32,}")
_SECRET_NAME = re.compile(
    r"(?i)(?:^|[-_.])(?:auth|authorization|cookie|credentials?|passphrase|passw(?:or)?d|secret|"
    r"token|(?<!cache[-_])(?<!idempotency[-_])key|"
    r"(?:access|account|api|auth|private|secret|subscription)key)$"
)
"""What the name of a header or of a request's member ends with if it holds a secret.

`prompt_cache_key` and `Idempotency-Key` are names that people make up.
"""
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def stored_key(place: str) -> str:
    """The secret that ``env:NAME`` or ``keyring:NAME`` stands for; a missing one is named."""
    where, _, name = place.partition(":")
    if where == "env":
        if secret := os.environ.get(name, "").strip():
            return secret
        raise UsageError(f"no key: set the environment variable {name}")
    try:
        keyring = import_module("keyring")
    except ImportError:
        raise ReadmarkError(f"{place} needs the package keyring: pip install keyring") from None
    try:
        secret = keyring.get_password("readmark", name)
    except Exception as error:  # each system's keyring raises its own
        raise ReadmarkError(f"{place} cannot be read: {type(error).__name__}") from None
    if not secret:
        raise UsageError(f"no key: store it with `keyring set readmark {name}`")
    return str(secret)


def has_secret_prefix(text: str) -> bool:
    """Whether a text begins like well-known keys, such as ``sk-`` and ``Bearer``."""
    return _SECRET_VALUE.search(text) is not None


def looks_like_secret(text: str) -> bool:
    """Whether a text may be a key, a token, or a header with a password."""
    if STORED_KEY.fullmatch(text):
        return False
    long_words = _LONG_WORD.findall(text)
    return has_secret_prefix(text) or any(
        re.search("[0-9]", word) and re.search("[A-Za-z]", word) for word in long_words
    )


def names_secret(name: str) -> bool:
    """Whether a header or parameter of this name usually contains a secret."""
    return _SECRET_NAME.search(_NEXT_WORD.sub("-", name)) is not None
