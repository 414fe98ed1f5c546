"""What the publisher says of a test: its name, licence, makers, where and when it appears."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import UsageError
from readmark.core.test import Test
from readmark.making.export.licences import Licence, licence_named

RELEASE = "1.0.0"
_RELEASE = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")


@dataclass(frozen=True, slots=True)
class About:
    """Everything on the card that cannot be taken from the data; unknown members are empty."""

    name: str
    licence: Licence
    description: str = ""
    creators: tuple[str, ...] = ()
    url: str = ""
    citation: str = ""
    published: str = ""
    release: str = RELEASE

    def missing_options(self) -> list[str]:
        """The options for what Croissant requires and nobody gave."""
        required = {
            "--creator": self.creators,
            "--url": self.url,
            "--cite": self.citation,
            "--published": self.published,
        }
        return [option for option, value in required.items() if not value]


def about(
    test: Test,
    *,
    name: str | None = None,
    licence: str | None = None,
    creators: Sequence[str] = (),
    release: str = RELEASE,
    **words: str | None,
) -> About:
    """The publisher's words, checked; the header's name and licence where none is given.

    ``words`` are ``description``, ``url``, ``citation`` and ``published``.
    """
    for option, value in (("--licence", licence), ("--name", name)):
        if value is not None and not value.strip():
            raise UsageError(f"{option} is empty")
    terms = (licence or test.header.licence or "").strip()
    if not terms:
        raise UsageError(
            f"{test.file} names no licence, and nobody may use data without one: "
            "give --licence NAME"
        )
    stripped = {what: (text or "").strip() for what, text in words.items()}
    published, url = stripped.get("published"), stripped.get("url")
    if published and not _is_date(published):
        raise UsageError(f"--published is a date such as 2026-01-31, not {published!r}")
    if not _RELEASE.fullmatch(release):
        raise UsageError(f"--release is a version such as 1.0.0, not {release!r}")
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(f"--url begins with https:// or http://, found {url!r}")
    stem = Path(test.file.replace("\\", "/")).name.partition(".")[0]
    test_name = " ".join((name or test.header.name or stem).split())
    if not test_name:
        raise UsageError(f"{test.file} has no name: --name NAME")
    return About(
        test_name,
        licence_named(terms),
        creators=tuple(creator.strip() for creator in creators if creator.strip()),
        release=release,
        **stripped,
    )


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text  # 20260131 is one, too
    except ValueError:
        return False
