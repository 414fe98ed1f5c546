"""What extraction leaves behind in a text and is certainly no part of it, rule by rule.

Every rule has a name and is counted. What may be the author's (empty quotation marks, odd lists) is
left alone: screening judges passages, this only sweeps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import unescape

from readmark.core.records import Offsets
from readmark.text.headings import TAIL, DroppedSection, tail_start
from readmark.text.variants import CHINESE_MARK, resolve, without_bounds

VERSION = "cleaning-4"
"""What headers name: raise it when a rule changes what is left of a text."""

RULES = {
    "title": "the title as the first line",
    "subject": "the title before a first sentence whose subject the extractor lost",
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
_BLOCK_NAMES = """
blockquote br center dd div dl dt gallery h1 h2 h3 h4 h5 h6 hr li ol p poem pre table tbody td th
thead tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Tags that end a line where they occur: without them the words on either side would be one."""
_LINK = re.compile(r"\[\[([^\[\]\n]{0,500})\]\]")
NOT_SHOWN = re.compile(
    r"\s*(?:category|file|image|media|分类|分類|文件|檔案|档案|图像|圖像|图片)\s*:", re.IGNORECASE
)
"""Targets of links that are no words of a page: categories, pictures and sound."""
_BREAK = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\u00ad\u200b\u200e\u200f\u2060\ufeff]")
_BREAK_OR_INVISIBLE = re.compile(f"{_BREAK.pattern}|{_INVISIBLE.pattern}".replace("]|[", ""))
"""Either, in one search; nearly no text has one."""
# What an expression begins with decides its speed: one character is ten times as fast as a choice
# of two, so the brackets of either width are looked for apart. No match has another bracket in it
# that opens, so that matches of the two do not overlap.
_OPENING, _CLOSING = ("（", r"\((?<![A-Za-z0-9_].)"), ("）", r"\)")
"""A narrow one after a letter of ASCII is a call: f(), main(x,)."""
_EMPTY_BRACKETS = tuple(re.compile(rf"{bracket}[ \t\u3000，；,;]*[）)]") for bracket in _OPENING)
_CLOSING_EDGE = tuple(
    re.compile(rf"{bracket}(?:(?<=[，、；,;].)|(?<=[，、；,;]\s.))") for bracket in _CLOSING
)
_OPENING_EDGE = tuple(
    re.compile(rf"{bracket}[ \t\u3000，、；,;]*[，、；,;][ \t\u3000]*(?![\s，、；,;）)]|-[）)])")
    for bracket in _OPENING
)
_SEPARATORS = " \t\u3000，、；,;"
_MOST_ARGUMENTS = 200
"""Characters between the brackets of a call: without a limit a long line would be searched whole at
each of its brackets."""
_CALL = re.compile(rf"[A-Za-z0-9_]\([^()（）\n]{{0,{_MOST_ARGUMENTS}}}$")
_LONGEST_CALL = len("f(") + _MOST_ARGUMENTS
_QUALIFIER = re.compile(r"\s*[（(][^（）()]*[）)]$")
"""What tells titles apart, such as Mercury (planet), and is no part of the name."""
_NO_SUBJECT = re.compile(
    r"[，,、；;：:]|(?:（[^（）\n]{1,80}）[，,]?)?(?:是(?!否|非|日|年|次|夜)|位[于於]|又[称稱名]|亦[称稱名])"
)
"""How a first sentence begins whose subject is gone: extractors drop names in variant marks."""


def clean(
    text: str,
    counts: Counter[str],
    *,
    title: str = "",
    markup: bool = True,
    wiki: bool = True,
    unconverted: list[Offsets] | None = None,
    dropped: list[DroppedSection] | None = None,
) -> str:
    """The text without what was left behind; ``counts`` are added to.

    With ``markup`` off, character references, tags and links are the author's own words; with
    ``wiki`` off, so are brackets and marks without Chinese. ``unconverted`` gets the spans that a
    conversion of script must not change, ``dropped`` the sections that were removed.
    """
    # Each test is far cheaper than the expression behind it, and most texts need none.
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    has_variants = "{" in text and "-{" in text and (wiki or CHINESE_MARK.search(text) is not None)
    if has_variants:
        text, count = resolve(text)
        if count:
            counts["variant"] += count
    if markup and "<" in text:
        text = _replaced("tag", _TAG, _block_break, text, counts)
    if markup and "&" in text:  # after the tags: &lt;p&gt; is how a text says <p>
        text = _replaced("entity", _ENTITY, lambda match: unescape(match[0]), text, counts)
    if markup and "[" in text and "[[" in text:
        text = _replaced("link", _LINK, _link_words, text, counts)
    if "\xa0" in text:
        counts["space"] += text.count("\xa0")
        text = text.replace("\xa0", " ")
    if _BREAK_OR_INVISIBLE.search(text):
        text = _replaced("break", _BREAK, lambda _: "\n", text, counts)
        text = _replaced("invisible", _INVISIBLE, lambda _: "", text, counts)
    if wiki:
        text = _without_empty_brackets(text, counts)
        for pattern in _OPENING_EDGE:
            text = _replaced("bracket_edge", pattern, lambda match: match[0][0], text, counts)
        text = _without_closing_separators(text, counts)
    bare = "\n".join(filter(None, map(str.strip, text.split("\n"))))
    if bare != text:
        counts["blank"] += 1
        text = bare
    spans: list[Offsets] = []
    if has_variants:
        text, spans = without_bounds(text)
    if wiki and (end := tail_start(text)) is not None:
        counts[TAIL] += 1
        if dropped is not None:
            heading, _, rest = text[end:].partition("\n")
            dropped.append(DroppedSection(TAIL, heading, len(rest) - rest.count("\n")))
        text = text[:end].rstrip("\n")
    removed = 0  # characters at the beginning
    if title and text.startswith(title):
        first, _, rest = text.partition("\n")
        if first == title:
            counts["title"] += 1
            text, removed = rest, len(first) + 1
            name = _QUALIFIER.sub("", title)
            if _NO_SUBJECT.match(text):
                counts["subject"] += 1
                text, removed = name + text, removed - len(name)
    if unconverted is not None:
        places = ((start - removed, end - removed) for start, end in spans)
        unconverted += [(start, end) for start, end in places if start >= 0 and end <= len(text)]
    return text


def _replaced(
    rule: str,
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str]], str],
    text: str,
    counts: Counter[str],
) -> str:
    replaced, count = pattern.subn(replacement, text)
    if count:
        counts[rule] += count
    return replaced


def _block_break(tag: re.Match[str]) -> str:
    return "\n" if tag[1].lower() in _BLOCKS else ""


def _link_words(link: re.Match[str]) -> str:
    """The words that a link shows, its target where it has none of its own."""
    return "" if NOT_SHOWN.match(link[1]) else link[1].rpartition("|")[2]


def _without_empty_brackets(text: str, counts: Counter[str]) -> str:
    """The text without empty brackets and the spaces before them.

    Brackets are found by themselves, then looked back from: the other way is ten times as slow.
    """
    matches = [match for pattern in _EMPTY_BRACKETS for match in pattern.finditer(text)]
    if not matches:
        return text
    parts: list[str] = []
    done = 0
    for match in sorted(matches, key=re.Match.start):
        parts.append(text[done : match.start()].rstrip(" "))
        done = match.end()
    counts["empty_brackets"] += len(matches)
    return "".join(parts) + text[done:]


def _without_closing_separators(text: str, counts: Counter[str]) -> str:
    """The text without separators before a bracket that closes; brackets are found as above."""
    matches = [match for pattern in _CLOSING_EDGE for match in pattern.finditer(text)]
    if not matches:
        return text
    parts: list[str] = []
    done = 0
    for match in sorted(matches, key=re.Match.start):
        end = match.start()
        before = text[done:end].rstrip(_SEPARATORS)
        if before.endswith(("（", "(")):
            continue  # brackets about the separator itself, such as （、）
        if _CALL.search(text[max(0, end - _LONGEST_CALL) : end]):
            continue  # opened right after a letter of ASCII: f(x,)
        parts.append(before)
        done = end  # the bracket itself stays
    if not parts:
        return text
    counts["bracket_edge"] += len(parts)
    return "".join(parts) + text[done:]
