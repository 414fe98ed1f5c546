"""What can be fetched: public tests by name from the table that ships, or files of the hub."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from readmark.corpus.errors import UsageError, did_you_mean

_RESTRICTED = re.compile(r"non-?commercial|research|\bnc\b|-nc-|-nc$", re.IGNORECASE)


class Fetchable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that can be fetched, and what is known of it before."""

    title: str
    url: str
    language: str | None = None
    format: str | None = None
    revision: str | None = None
    sha256: str | None = None
    hash_by: str = "the table of public tests"
    """Who says what the hash is."""
    git_sha1: str | None = None
    """What Git calls the content, where nobody says its SHA-256."""
    size: int | None = None
    licence: str | None = None
    restricted: bool = False
    """Whether the licence forbids some uses, so that it must be accepted by name."""
    citation: str | None = None

    @property
    def file_name(self) -> str:
        """What the file is called where it comes from."""
        return urlsplit(self.url).path.rpartition("/")[2]


@cache
def public_tests() -> dict[str, Fetchable]:
    """The public tests by name."""
    file = resources.files("readmark.setting.fetching").joinpath("data/public_tests.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[str, Fetchable])


def public_test(name: str) -> Fetchable:
    """The public test of a name."""
    known = public_tests()
    if name not in known:
        raise UsageError(
            f"no public test {name!r}; {did_you_mean(name, known)} "
            "(readmark get --list; hf:OWNER/SET/FILE for the hub's)"
        )
    return known[name]


def is_restricted(licence: str | None) -> bool:
    """Whether a licence, by its name, forbids commercial use."""
    return licence is not None and _RESTRICTED.search(licence) is not None


def mirrored(url: str, mirror: str | None) -> str:
    """An address at a mirror: the path stays, what stands before it is the mirror's."""
    if not mirror:
        return url
    told = f" {mirror!r}" if not re.search("[@?#]", mirror) else ""  # those may hold a secret
    try:
        base, asked = urlsplit(mirror), urlsplit(url)
        host = (base.hostname or "").encode("idna").decode()
        port = f":{base.port}" if base.port else ""
    except ValueError:
        raise UsageError(f"the mirror{told} is no http or https address") from None
    if base.username is not None or base.password is not None:
        raise UsageError("the mirror's address holds a user or password, which is not sent")
    if base.scheme not in ("http", "https") or not host or base.query or base.fragment:
        raise UsageError(f"the mirror{told} is no http or https address")
    place = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    path = quote(base.path.rstrip("/"), safe="/%:@!$&'()*+,;=~") + asked.path
    return urlunsplit((base.scheme, place, path, asked.query, ""))
