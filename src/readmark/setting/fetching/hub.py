"""A file of a data set on the Hugging Face hub, its revision pinned to a commit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import JSON_ERRORS
from readmark.setting.fetching.public import Fetchable, is_restricted

HUB = "https://huggingface.co"
PREFIX = "hf:"
TOKEN = "HF_TOKEN"
"""The environment variable with the token that closed data sets ask for."""

_NAME = re.compile(
    r"hf:(?P<owner>[\w.-]+)/(?P<set>[\w.-]+)(?:@(?P<revision>[^/@]+))?(?:/(?P<file>.+))?"
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DATA = (".parquet", ".jsonl", ".json", ".jsonl.gz", ".json.gz", ".jsonl.zst", ".jsonl.bz2")
_NO_DATA = ("dataset_infos.json", "package.json", "config.json")
_LISTED = 20

Look = Callable[[str], bytes]
"""Fetches a small document."""


def on_hub(name: str, look: Look) -> Fetchable:
    """What ``hf:OWNER/SET[@REVISION][/FILE]`` names; ``look`` asks the hub about it."""
    found = _NAME.fullmatch(name)
    if found is None or ".." in name.split("/"):
        raise UsageError(f"{name!r} is not hf:OWNER/SET[@REVISION][/FILE]")
    owner_set, revision = f"{found['owner']}/{found['set']}", found["revision"] or "main"
    about = _about(owner_set, revision, look)
    commit = about.get("sha")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise DataError(f"the hub names no commit of {owner_set}@{revision}")
    files = _files(about)
    file = found["file"] or _only_file(name, files)
    if file not in files:
        raise UsageError(f"{owner_set} has no file {file!r} at {revision}; it has: {_some(files)}")
    entry = files[file]
    stored = entry.get("lfs") if isinstance(entry.get("lfs"), dict) else {}
    licence = _licence(about)
    size = (stored or entry).get("size", entry.get("size"))
    blob = None if stored else entry.get("blobId")
    return Fetchable(
        title=f"{owner_set}: {file}",
        url=f"{HUB}/datasets/{owner_set}/resolve/{commit}/{quote(file)}",
        revision=commit,
        sha256=_sha256(stored.get("sha256") if stored else None),
        hash_by="the hub",
        git_sha1=blob if isinstance(blob, str) and _COMMIT.fullmatch(blob) else None,
        size=size if isinstance(size, int) and size >= 0 else None,
        licence=licence,
        restricted=is_restricted(licence),
    )


def _about(owner_set: str, revision: str, look: Look) -> dict[str, Any]:
    data = look(f"{HUB}/api/datasets/{owner_set}/revision/{quote(revision, safe='')}?blobs=true")
    try:
        return msgspec.json.decode(data, type=dict[str, Any])
    except JSON_ERRORS:
        raise DataError(f"the hub's word about {owner_set} is no JSON document") from None


def _files(about: dict[str, Any]) -> dict[str, dict[str, Any]]:
    listed = about.get("siblings")
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return {one["rfilename"]: one for one in entries if isinstance(one.get("rfilename"), str)}


def _only_file(name: str, files: dict[str, dict[str, Any]]) -> str:
    data = [one for one in files if one.endswith(_DATA) and one.split("/")[-1] not in _NO_DATA]
    if len(data) == 1:
        return data[0]
    raise UsageError(f"which file? {name}/FILE; there are: {_some(data or files)}")


def _some(files: Any) -> str:
    names = sorted(files)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return (", ".join(names[:_LISTED]) or "none") + more


def _licence(about: dict[str, Any]) -> str | None:
    card = about.get("cardData")
    said = card.get("license") if isinstance(card, dict) else None
    if isinstance(said, list):
        said = ", ".join(str(one) for one in said)
    if isinstance(said, str) and said:
        return said
    tags = about.get("tags")
    named = [one[8:] for one in tags if str(one).startswith("license:")] if tags else []
    return ", ".join(named) or None


def _sha256(said: Any) -> str | None:
    return said if isinstance(said, str) and re.fullmatch(r"[0-9a-f]{64}", said) else None
