"""A text as a reader sees it: one spelling for equal letters, without what is not writing."""

from __future__ import annotations

import re
import unicodedata

from readmark.readability.prose import running_text

_WIDE = re.compile("[\uff01-\uff5e\u3000\ufb00-\ufb06]")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23fa\ufe0e\ufe0f\u20e3"
    "\U000e0020-\U000e007f]+"
)
_FOOTNOTE = re.compile(r"(?<=[\w.,;:!?\"”’)])(?:\[(?:\d{1,3}|[a-z]|note \d{1,2})\])+")


def as_read(text: str) -> str:
    """The running text in composed letters of ordinary width.

    Unseen signs, emoji and footnote marks are left out, and so are titles and bylines.
    """
    if "[" in text:
        text = _FOOTNOTE.sub("", text)
    if not text.isascii():
        text = _EMOJI.sub(" ", _UNSEEN.sub("", text))
        text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
        text = unicodedata.normalize("NFC", text)
    return running_text(text)
