"""What extraction leaves behind in a text and is certainly no part of it, rule by rule.

Every rule has a name and is counted. What may be the author's (empty quotation marks, odd lists) is
left alone: screening judges passages, this only sweeps.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

from readmark.corpus.values import Offsets
from readmark.setting.sources.article import TAIL, Dropped
from readmark.setting.sources.headings import tail
from readmark.setting.sources.variants import resolve, unbound

VERSION = "cleaning-2"

RULES = {
    "title": "the title as the first line",
    "variant": "-{zh-hans:…;zh-hant:…}- marks, resolved to one wording",
    "entity": "&amp; and other character references, resolved",
    "tag": "HTML and wiki tags left behind; those of blocks become line breaks",
    "link": "[[…]] left behind, resolved to what it shows; categories and files dropped",
    "break": "line and page separators, made line breaks",
    "invisible": "zero-width and control characters",
    "space": "no-break spaces, made plain ones",
    "empty_brackets": "round brackets with nothing but separators in them",
    "bracket_edge": "separators just inside a round bracket",
    "tail": "references, notes, links and the like: sections that are dropped, and listed",
    "heading": "headings (dumps)",
    "template": "templates that stand for no words of the article (dumps)",
    "reference": "references within the text (dumps)",
    "table": "tables (dumps)",
    "file": "links to files, categories and other languages (dumps)",
    "element": "formulas, galleries, scripts and the like, with what they enclose (dumps, HTML)",
    "blank": "articles with blank lines, or white space at either end of a line",
    "wrapped": "line breaks that only wrap a line (plain text)",
}
"""Every rule with its one line."""

_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_TAG = re.compile(
    r"</?(a|abbr|b|big|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|font|gallery|h[1-6]|hr|i"
    r"|includeonly|ins|kbd|li|math|mark|noinclude|nowiki|ol|onlyinclude|p|poem|pre|q|ref|references"
    r"|rb|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|table|tbody|td|templatestyles|th|thead"
    r"|tr|tt|u|ul|var|wbr)(?:\s[^<>\n]{0,300})?\s*/?>",
    re.IGNORECASE,
)
_BLOCKS = frozenset(
    (
        *("blockquote", "br", "center", "dd", "div", "dl", "dt", "gallery", "hr", "li", "ol", "p"),
        *("poem", "pre", "table", "tbody", "td", "th", "thead", "tr", "ul"),
        *("h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
"""Tags that end a line where they stand: without them the words on either side would be one."""
_LINK = re.compile(r"\[\[([^\[\]\n]{0,500})\]\]")
_NOT_SHOWN = re.compile(
    r"\s*(?:category|file|image|分类|分類|文件|檔案|档案|图像|圖像|图片)\s*:", re.IGNORECASE
)
_BREAK = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\u00ad\u200b\u200e\u200f\u2060\ufeff]")
_ODD = re.compile(f"{_BREAK.pattern}|{_INVISIBLE.pattern}".replace("]|[", ""))
"""Either, in one look; nearly no text has one."""
# What an expression begins with decides its speed: one character is ten times as fast as a choice
# of two, so the brackets of either width are looked for apart. No match has another bracket in it
# that opens, so that what is found of the two does not overlap.
_OPENING, _CLOSING = ("（", r"\((?<![A-Za-z0-9_].)"), ("）", r"\)")
"""A narrow one after a letter of ASCII is a call: f(), main(x,)."""
_EMPTY_BRACKETS = tuple(re.compile(rf"{one}[ \t\u3000，；,;]*[）)]") for one in _OPENING)
_CLOSING_EDGE = tuple(
    re.compile(rf"{one}(?:(?<=[，、；,;].)|(?<=[，、；,;]\s.))") for one in _CLOSING
)
_OPENING_EDGE = tuple(
    re.compile(rf"{one}[ \t\u3000，、；,;]*[，、；,;][ \t\u3000]*(?![\s，、；,;）)]|-[）)])")
    for one in _OPENING
)
_SEPARATORS = " \t\u3000，、；,;"


def clean(
    text: str,
    counts: Counter[str],
    *,
    title: str = "",
    markup: bool = True,
    wiki: bool = True,
    kept: list[Offsets] | None = None,
    dropped: list[Dropped] | None = None,
) -> str:
    """The text without what was left behind; ``counts`` are added to.

    With ``markup`` off, character references, tags and links are the author's own words; with
    ``wiki`` off, so are variant marks and brackets. ``kept`` gets the places that a conversion of
    script is to leave as they are, ``dropped`` the stretches that are gone.
    """
    # Each test is far cheaper than the expression behind it, and most texts need none.
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    bound = wiki and "{" in text and "-{" in text
    if bound:
        text, count = resolve(text)
        if count:
            counts["variant"] += count
    if markup and "<" in text:
        text = _counted(_TAG, _untagged, text, "tag", counts)
    if markup and "&" in text:  # after the tags: &lt;p&gt; is how a text says <p>
        text = _counted(_ENTITY, lambda found: unescape(found[0]), text, "entity", counts)
    if markup and "[" in text and "[[" in text:
        text = _counted(_LINK, _link, text, "link", counts)
    if "\xa0" in text:
        counts["space"] += text.count("\xa0")
        text = text.replace("\xa0", " ")
    if _ODD.search(text):
        text = _counted(_BREAK, "\n", text, "break", counts)
        text = _counted(_INVISIBLE, "", text, "invisible", counts)
    if wiki:
        text = _cut_back(_EMPTY_BRACKETS, " ", text, "empty_brackets", counts)
        for pattern in _OPENING_EDGE:
            text = _counted(pattern, _first, text, "bracket_edge", counts)
        text = _cut_back(_CLOSING_EDGE, _SEPARATORS, text, "bracket_edge", counts, keep=1)
    text = _lines(text, counts)
    found: list[Offsets] = []
    if bound:
        text, found = unbound(text)
    if wiki and (end := tail(text)) is not None:
        counts[TAIL] += 1
        if dropped is not None:
            dropped.append(_dropped(text[end:]))
        text = text[:end].rstrip("\n")
    before = 0
    if title and text.startswith(title):
        first, _, rest = text.partition("\n")
        if first == title:
            counts["title"] += 1
            text, before = rest, len(first) + 1
    if kept is not None:
        places = ((start - before, end - before) for start, end in found)
        kept += [(start, end) for start, end in places if start >= 0 and end <= len(text)]
    return text


def _dropped(tail: str) -> Dropped:
    heading, _, rest = tail.partition("\n")
    return Dropped(TAIL, heading, len(rest) - rest.count("\n"))


def _untagged(tag: re.Match[str]) -> str:
    return "\n" if tag[1].lower() in _BLOCKS else ""


def _lines(text: str, counts: Counter[str]) -> str:
    """The lines that hold something, without white space around them."""
    bare = "\n".join(filter(None, map(str.strip, text.split("\n"))))
    if bare != text:
        counts["blank"] += 1
    return bare


def _cut_back(
    patterns: tuple[re.Pattern[str], ...],
    before: str,
    text: str,
    rule: str,
    counts: Counter[str],
    *,
    keep: int = 0,
) -> str:
    """The text without what is found, but for its last ``keep``, nor any of ``before`` before it.

    Brackets are found by themselves, then looked back from: the other way is ten times as slow.
    """
    matches = [found for pattern in patterns for found in pattern.finditer(text)]
    if not matches:
        return text
    parts: list[str] = []
    at = 0
    for found in sorted(matches, key=re.Match.start):
        kept = text[at : found.start()].rstrip(before)
        if keep and kept.endswith(("（", "(")):
            continue  # a bracket about the separator itself, such as （、）
        if keep and _is_call(text, found.start()):
            continue
        parts.append(kept)
        at = found.end() - keep
    if not parts:
        return text
    counts[rule] += len(parts)
    return "".join(parts) + text[at:]


_CALL = re.compile(r"[A-Za-z0-9_]\([^()（）\n]{0,200}$")


def _is_call(text: str, at: int) -> bool:
    """Whether the bracket that is closed there was opened right after a letter of ASCII."""
    return _CALL.search(text[max(0, at - 202) : at]) is not None


def _counted(
    pattern: re.Pattern[str], by: object, text: str, rule: str, counts: Counter[str]
) -> str:
    found, count = pattern.subn(by, text)  # type: ignore[call-overload]
    if count:
        counts[rule] += count
    return str(found)


def _first(found: re.Match[str]) -> str:
    return found[0][0]


def _link(found: re.Match[str]) -> str:
    if _NOT_SHOWN.match(found[1]):
        return ""
    return found[1].rpartition("|")[2]
