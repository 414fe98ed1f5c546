"""What the publisher says of a test: its name, licence, makers, where and when it appears."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.setting.publishing.licences import Licence, licence_named

RELEASE = "1.0.0"
_RELEASE = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")


@dataclass(frozen=True, slots=True)
class About:
    """Everything on the card that the data cannot tell; what nobody said is empty."""

    name: str
    licence: Licence
    description: str = ""
    creators: tuple[str, ...] = ()
    url: str = ""
    citation: str = ""
    published: str = ""
    release: str = RELEASE

    def unsaid(self) -> list[str]:
        """The options whose answer Croissant asks for and nobody gave."""
        asked = {
            "--creator": self.creators,
            "--url": self.url,
            "--cite": self.citation,
            "--published": self.published,
        }
        return [option for option, said in asked.items() if not said]


def about(
    test: Test,
    *,
    name: str | None = None,
    licence: str | None = None,
    description: str = "",
    creators: tuple[str, ...] = (),
    url: str = "",
    citation: str = "",
    published: str = "",
    release: str = RELEASE,
) -> About:
    """The publisher's words, checked; the header's name and licence where none is given."""
    for option, given in (("--licence", licence), ("--name", name)):
        if given is not None and not given.strip():
            raise UsageError(f"{option} is empty")
    said = (licence or test.header.licence or "").strip()
    if not said:
        raise UsageError(
            f"{test.file} names no licence, and nobody may use what has none: --licence NAME"
        )
    if published and not _is_date(published):
        raise UsageError(f"--published is a date such as 2026-01-31, not {published!r}")
    if not _RELEASE.fullmatch(release):
        raise UsageError(f"--release is a version such as 1.0.0, not {release!r}")
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(f"--url begins with https:// or http://, found {url!r}")
    called = (name or test.header.name or _stem(test.file)).strip()
    if not called:
        raise UsageError(f"{test.file} has no name: --name NAME")
    return About(
        name=" ".join(called.split()),
        licence=licence_named(said),
        description=description.strip(),
        creators=tuple(one.strip() for one in creators if one.strip()),
        url=url,
        citation=citation.strip(),
        published=published,
        release=release,
    )


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text  # 20260131 is one, too
    except ValueError:
        return False


def _stem(file: str) -> str:
    return file.replace("\\", "/").rstrip("/").rpartition("/")[2].partition(".")[0]
