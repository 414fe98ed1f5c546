"""Secrets that a configuration names and never holds: ``env:NAME`` and ``keyring:NAME``."""

from __future__ import annotations

import os
from importlib import import_module

from readmark.core.errors import ReadmarkError, UsageError


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
