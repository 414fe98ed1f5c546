"""A file of a data set on the Hugging Face hub, its revision pinned to a commit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.numbers import first_ids
from readmark.making.get.public_tests import Fetchable, is_restricted

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

FetchDocument = Callable[[str], bytes]
"""Fetches a small document."""


def on_hub(name: str, fetch: FetchDocument) -> Fetchable:
    """The file that ``hf:OWNER/SET[@REVISION][/FILE]`` names; ``fetch`` asks the hub about it."""
    match = _NAME.fullmatch(name)
    if match is None or ".." in name.split("/"):
        raise UsageError(f"{name!r} is not hf:OWNER/SET[@REVISION][/FILE]")
    owner_set, revision = f"{match['owner']}/{match['set']}", match["revision"] or "main"
    data_set = _data_set(owner_set, revision, fetch)
    commit = data_set.get("sha")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise DataError(f"the hub names no commit of {owner_set}@{revision}")
    files = _files(data_set)
    file = match["file"] or _only_file(name, files)
    if file not in files:
        raise UsageError(
            f"{owner_set} has no file {file!r} at {revision}; it has: {_first_names(files)}"
        )
    entry = files[file]
    stored = entry["lfs"] if isinstance(entry.get("lfs"), dict) else {}
    sha256 = stored.get("sha256")
    licence = _licence(data_set)
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


def _data_set(owner_set: str, revision: str, fetch: FetchDocument) -> dict[str, Any]:
    data = fetch(f"{HUB}/api/datasets/{owner_set}/revision/{quote(revision, safe='')}?blobs=true")
    try:
        return msgspec.json.decode(data, type=dict[str, Any])
    except JSON_ERRORS:
        raise DataError(f"the hub's reply about {owner_set} is not JSON") from None


def _files(data_set: dict[str, Any]) -> dict[str, dict[str, Any]]:
    listed = data_set.get("siblings")
    entries = listed if isinstance(listed, list) else []
    return {
        entry["rfilename"]: entry
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("rfilename"), str)
    }


def _only_file(name: str, files: dict[str, dict[str, Any]]) -> str:
    data = [file for file in files if file.endswith(_DATA) and file.split("/")[-1] not in _NO_DATA]
    if len(data) == 1:
        return data[0]
    raise UsageError(f"which file? {name}/FILE; there are: {_first_names(data or files)}")


def _first_names(files: Any) -> str:
    return first_ids(sorted(files), _LISTED) or "none"


def _licence(data_set: dict[str, Any]) -> str | None:
    card = data_set.get("cardData")
    licence = card.get("license") if isinstance(card, dict) else None
    if isinstance(licence, list):
        licence = ", ".join(map(str, licence))
    if isinstance(licence, str) and licence:
        return licence
    # A data set without a card may still have a tag.
    tags = data_set.get("tags") or []
    tagged = [tag.removeprefix("license:") for tag in tags if str(tag).startswith("license:")]
    return ", ".join(tagged) or None
