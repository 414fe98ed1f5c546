"""Logins, names and passwords: which are allowed, and how they are stored and compared."""

from __future__ import annotations

import re
import threading
import unicodedata
from base64 import b64encode

import argon2

from readmark.core.errors import ReadmarkError
from readmark.formats.people_names import require_name
from readmark.server.account_errors import AccountError

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
LONGEST_LOGIN = 64

_LOGIN = re.compile(r"[\w.@+-]{2,64}")
_HASHER = argon2.PasswordHasher()
_HASHING = threading.BoundedSemaphore(2)  # each hash takes 64 MB while it is computed
_NOBODYS_HASH = "$argon2id$v=19$m={},t={},p={}${}${}".format(
    _HASHER.memory_cost,
    _HASHER.time_cost,
    _HASHER.parallelism,
    b64encode(bytes(16)).decode().rstrip("="),
    b64encode(bytes(32)).decode().rstrip("="),
)
"""A hash that no password has. Unknown logins are checked against it, so that the time of an answer
does not tell whether a login exists."""


def fold_login(login: str) -> str:
    """A login as it is stored: cases and widths of letters do not matter."""
    return unicodedata.normalize("NFKC", login).strip().casefold()


def check_login(login: str) -> str:
    """The folded login, or an error if it is not allowed."""
    folded = fold_login(login)
    if not _LOGIN.fullmatch(folded):
        raise AccountError("login_not_valid")
    return folded


def check_name(name: str) -> str:
    """The name, or an error if files and columns cannot be called by it."""
    try:
        return require_name(name.strip(), "person's", is_file=True)
    except ReadmarkError as error:
        raise AccountError("name_not_valid") from error


def hash_password(password: str, *, login: str) -> str:
    """The argon2id hash of a new password, or an error if the password is not allowed."""
    if len(password) < SHORTEST_PASSWORD:
        raise AccountError("password_too_short")
    if len(password) > LONGEST_PASSWORD:
        raise AccountError("password_too_long")
    if fold_login(password) == login:
        raise AccountError("password_is_login")
    with _HASHING:
        return _HASHER.hash(_folded(password))


def is_password(stored_hash: str | None, password: str) -> bool:
    """Whether a password has this hash; without a hash the same time is spent on saying no."""
    # Accounts that nobody can log in to have "!" for a hash.
    if stored_hash is None or not stored_hash.startswith("$argon2id$"):
        stored_hash = _NOBODYS_HASH
    with _HASHING:
        try:
            # One more than the longest is enough to differ from it; megabytes are not hashed.
            return _HASHER.verify(stored_hash, _folded(password[: LONGEST_PASSWORD + 1]))
        except argon2.exceptions.VerificationError:
            return False


def _folded(password: str) -> bytes:
    # Input methods write full-width letters now and then.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
