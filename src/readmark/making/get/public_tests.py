"""Public tests that can be fetched by name, from the table that ships."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

import msgspec

from readmark.core.errors import UsageError, did_you_mean

_RESTRICTED = re.compile(r"non-?commercial|research|\bnc\b|-nc-|-nc$", re.IGNORECASE)


class Fetchable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that can be fetched, and what is known of it before that."""

    title: str
    url: str
    language: str | None = None
    format: str | None = None
    revision: str | None = None
    sha256: str | None = None
    hash_by: str = "the table of public tests"
    """Who says what the hash is."""
    git_sha1: str | None = None
    """Git's hash of the content, where its SHA-256 is not known."""
    size: int | None = None
    licence: str | None = None
    restricted: bool = False
    """Whether the licence forbids some uses, so that it must be accepted by name."""
    citation: str | None = None

    @property
    def file_name(self) -> str:
        """The name of the file at its address."""
        return urlsplit(self.url).path.rpartition("/")[2]

    def announcement(self) -> list[str]:
        """Where it comes from, its licence and how to cite it, before it is fetched."""
        licence = self.licence or "not stated; see the address"
        lines = [f"{self.title}, from {self.url}", f"licence: {licence}"]
        return [*lines, f"cite: {self.citation}"] if self.citation else lines


@cache
def public_tests() -> dict[str, Fetchable]:
    """The public tests by name."""
    file = resources.files("readmark.making.get").joinpath("data/public_tests.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[str, Fetchable])


def public_test(name: str) -> Fetchable:
    """The public test of a name."""
    tests = public_tests()
    if name not in tests:
        raise UsageError(
            f"no public test {name!r}; {did_you_mean(name, tests)} "
            "(readmark get lists them; hf:OWNER/SET/FILE is a file of the hub)"
        )
    return tests[name]


def is_restricted(licence: str | None) -> bool:
    """Whether a licence, by its name, forbids commercial use."""
    return licence is not None and _RESTRICTED.search(licence) is not None
