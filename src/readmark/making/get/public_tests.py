"""A file of a data set on the Hugging Face hub, its revision pinned to a commit."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import JSON_ERRORS
from readmark.core.numbers import first_ids

# What came: the hashes it is known by, and what is no data file although it came as one.


_BLOCK = 1 << 20
_HEAD = 4096
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*|<!--.{0,2000}?-->\s*)*"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script)\b",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b", re.IGNORECASE)
_POINTER = b"version https://git-lfs."
_MARKED_UP = (".xml", ".html", ".htm")


def sha256_of(file: Path | IO[bytes]) -> str:
    """The hash of a file as it lies there."""
    if isinstance(file, Path):
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def git_sha1_of(path: Path) -> str:
    """The name that Git gives to a file's content: of its size, then of it."""
    found = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


def require_no_page(url: str, kind: str) -> None:
    """Refuse what a server calls a page, unless one was asked for."""
    html = kind.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml")
    if html and not _may_be_page(url):
        raise _page(url)


def require_data(url: str, stream: IO[bytes]) -> None:
    """Refuse what is no data file: nothing, a page, or what Git keeps in a large file's place."""
    if not os.fstat(stream.fileno()).st_size:
        raise DataError(f"{url}: the server sent nothing")
    stream.seek(0)
    head = stream.read(_HEAD)
    if head.startswith(_POINTER):
        raise DataError(f"{url}: the server sent a Git LFS pointer, not its file")
    if not _may_be_page(url) and (_PAGE.match(head) or _XML.match(head)):
        raise _page(url)


def _may_be_page(url: str) -> bool:
    return urlsplit(url).path.lower().endswith(_MARKED_UP)


def _page(url: str) -> DataError:
    return DataError(f"{url}: the server sent a web page, not a data file")


# What can be fetched: public tests by name from the table that ships, or files of the hub.


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

    def announcement(self) -> list[str]:
        """Where it comes from, its licence and how to cite it, before it is fetched."""
        licence = self.licence or "not stated; look at where it comes from"
        lines = [f"{self.title}, from {self.url}", f"licence: {licence}"]
        return [*lines, f"cite: {self.citation}"] if self.citation else lines


@cache
def public_tests() -> dict[str, Fetchable]:
    """The public tests by name."""
    file = resources.files("readmark.making.get").joinpath("data/public_tests.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[str, Fetchable])


def public_test(name: str) -> Fetchable:
    """The public test of a name."""
    known = public_tests()
    if name not in known:
        raise UsageError(
            f"no public test {name!r}; {did_you_mean(name, known)} "
            "(readmark get lists them; hf:OWNER/SET/FILE for the hub's)"
        )
    return known[name]


def is_restricted(licence: str | None) -> bool:
    """Whether a licence, by its name, forbids commercial use."""
    return licence is not None and _RESTRICTED.search(licence) is not None


def mirrored(url: str, mirror: str | None) -> str:
    """An address at a mirror: the path stays, what comes before it is the mirror's."""
    if not mirror:
        return url
    told = f" {mirror!r}" if not re.search("[@?#]", mirror) else ""  # those may hold a secret
    try:
        base, asked = urlsplit(mirror), urlsplit(url)
        host = (base.hostname or "").encode("idna").decode()
        port = f":{base.port}" if base.port else ""
    except ValueError:
        raise UsageError(f"the mirror{told} is not an http or https address") from None
    if base.username is not None or base.password is not None:
        raise UsageError("the mirror's address holds a user or password, which is not sent")
    if base.scheme not in ("http", "https") or not host or base.query or base.fragment:
        raise UsageError(f"the mirror{told} is not an http or https address")
    place = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    path = quote(base.path.rstrip("/"), safe="/%:@!$&'()*+,;=~") + asked.path
    return urlunsplit((base.scheme, place, path, asked.query, ""))


HUB = "https://huggingface.co"
PREFIX = "hf:"
TOKEN = "HF_TOKEN"
"""The environment variable with the token that closed data sets ask for."""

_NAME = re.compile(
    r"hf:(?P<owner>[\w.-]+)/(?P<set>[\w.-]+)(?:@(?P<revision>[^/@]+))?(?:/(?P<file>.+))?"
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATA = (".parquet", ".jsonl", ".json", ".jsonl.gz", ".json.gz", ".jsonl.zst", ".jsonl.bz2")
_NO_DATA = ("dataset_infos.json", "package.json", "config.json")
_LISTED = 20

LookUp = Callable[[str], bytes]
"""Fetches a small document."""


def on_hub(name: str, look: LookUp) -> Fetchable:
    """What ``hf:OWNER/SET[@REVISION][/FILE]`` names; ``look`` asks the hub about it."""
    match = _NAME.fullmatch(name)
    if match is None or ".." in name.split("/"):
        raise UsageError(f"{name!r} is not hf:OWNER/SET[@REVISION][/FILE]")
    owner_set, revision = f"{match['owner']}/{match['set']}", match["revision"] or "main"
    about = _about(owner_set, revision, look)
    commit = about.get("sha")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise DataError(f"the hub names no commit of {owner_set}@{revision}")
    files = _files(about)
    file = match["file"] or _only_file(name, files)
    if file not in files:
        raise UsageError(
            f"{owner_set} has no file {file!r} at {revision}; it has: {_first_names(files)}"
        )
    entry = files[file]
    stored = entry["lfs"] if isinstance(entry.get("lfs"), dict) else {}
    sha256 = stored.get("sha256")
    licence = _licence(about)
    size = (stored or entry).get("size", entry.get("size"))
    blob = None if stored else entry.get("blobId")
    return Fetchable(
        title=f"{owner_set}: {file}",
        url=f"{HUB}/datasets/{owner_set}/resolve/{commit}/{quote(file)}",
        revision=commit,
        sha256=sha256 if isinstance(sha256, str) and _SHA256.fullmatch(sha256) else None,
        hash_by="the hub",
        git_sha1=blob if isinstance(blob, str) and _COMMIT.fullmatch(blob) else None,
        size=size if isinstance(size, int) and size >= 0 else None,
        licence=licence,
        restricted=is_restricted(licence),
    )


def _about(owner_set: str, revision: str, look: LookUp) -> dict[str, Any]:
    data = look(f"{HUB}/api/datasets/{owner_set}/revision/{quote(revision, safe='')}?blobs=true")
    try:
        return msgspec.json.decode(data, type=dict[str, Any])
    except JSON_ERRORS:
        raise DataError(f"the hub's reply about {owner_set} is not JSON") from None


def _files(about: dict[str, Any]) -> dict[str, dict[str, Any]]:
    listed = about.get("siblings")
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return {
        entry["rfilename"]: entry for entry in entries if isinstance(entry.get("rfilename"), str)
    }


def _only_file(name: str, files: dict[str, dict[str, Any]]) -> str:
    data = [file for file in files if file.endswith(_DATA) and file.split("/")[-1] not in _NO_DATA]
    if len(data) == 1:
        return data[0]
    raise UsageError(f"which file? {name}/FILE; there are: {_first_names(data or files)}")


def _first_names(files: Any) -> str:
    return first_ids(sorted(files), _LISTED) or "none"


def _licence(about: dict[str, Any]) -> str | None:
    card = about.get("cardData")
    said = card.get("license") if isinstance(card, dict) else None
    if isinstance(said, list):
        said = ", ".join(str(one) for one in said)
    if isinstance(said, str) and said:
        return said
    tags = about.get("tags")
    named = [tag[8:] for tag in tags if str(tag).startswith("license:")] if tags else []
    return ", ".join(named) or None
