"""Wikitext as plain text: mwparserfromhell parses, and what readers do not read is left out.

Templates, tables, references, files, categories, galleries, formulas and headings go; links and
formatting leave their words. A few templates only dress up words of the article: those words stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

from readmark.corpus.values import Offsets

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode

DEEPEST = 30
"""Templates within templates that the parser is given: it gives up, in text, at forty."""

MOST_WORK = 20_000_000
"""Marks that are never closed, times characters: the parser reads on to the end for each of them.
That many take some seconds, and a page of slips would take hours."""

DROPPED = frozenset(
    (
        *("ref", "references", "gallery", "table", "math", "chem", "ce", "score", "timeline"),
        *("syntaxhighlight", "source", "code", "pre", "style", "script", "imagemap", "graph"),
        *("mapframe", "maplink", "templatestyles", "hiero", "inputbox", "categorytree"),
        *("section", "indicator", "figure", "noinclude"),
    )
)
"""Tags that go with what they enclose."""

WORDS_OF = {
    "lang": 2,
    "transl": -1,
    "nowrap": 1,
    "nobr": 1,
    "small": 1,
    "big": 1,
    "ill": 1,
    "le": 1,
    "link": 2,
    "tsl": -1,
    "internal link helper": 1,
    "abbr": 1,
    "color": 2,
    "ruby": 1,
    "interlanguage link": 1,
}
"""Templates whose words belong to the article, and which of their arguments those are."""

_DISAMBIGUATION = re.compile(
    r"^[^\S\n]*(?:\{\{[^{}\n]*\}\}[^\S\n]*)*"
    r"\{\{\s*(?:disambig(?:uation(?:[ _]page)?)?|dab|disamb|hndis|geodis|消歧义页?|消歧義頁?|aimai)"
    r"\s*(?:\|[^{}]*)?\}\}[^\S\n]*(?:$|\{\{|\[\[|__)",
    re.IGNORECASE | re.MULTILINE,
)
"""The template on a line without words: within a sentence it speaks of another page."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NOT_SHOWN = re.compile(
    r"\s*(?:category|file|image|media|分类|分類|文件|檔案|档案|图像|圖像|图片)\s*:", re.IGNORECASE
)
_INTERWIKI = re.compile(r"\s*[a-z]{2,3}(?:-[a-z]+)*\s*:[^:]")
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_ENDS = re.compile(r"</[A-Za-z]|<([A-Za-z]+)|/>|\[\[?|\]\]?")
_SINGLE = frozenset({"br", "hr", "wbr", "li", "dt", "dd", "td", "th", "tr", "img", "p"})
_LIST = re.compile(r"^[*#:;]+[^\S\n]*", re.MULTILINE)
_RULE = re.compile(r"^(?:-{4,}|\s*\|\}(?!\}))", re.MULTILINE)
_MAGIC = re.compile(r"__[A-Z]{3,20}__")
_HEADING = re.compile(r"^(={1,6})[^=\n].*?\1[^\S\n]*$", re.MULTILINE)
_QUOTES = re.compile("'{2,5}")


@dataclass(frozen=True, slots=True)
class Plain:
    """The words of a page; lines are paragraphs."""

    text: str
    disambiguation: bool


def plain(wikitext: str) -> Plain:
    """What a reader of the page would read as running text."""
    import mwparserfromhell

    source = _COMMENT.sub("", wikitext) if "<!--" in wikitext else wikitext
    disambiguation = _DISAMBIGUATION.search(source) is not None
    if "[" in source or "{" in source or "<" in source or "'" in source or "&" in source:
        if depth(source) > DEEPEST:
            source = without_braces(source)
        if (count := unclosed(source)) * len(source) > MOST_WORK:
            raise ValueError(f"{count} marks are never closed")
        parts: list[str] = []
        _words(mwparserfromhell.parse(source), parts)
        source = "".join(parts)
    if "{{" in source or "{|" in source:  # what was never closed, or closed too often
        source = without_braces(source)
    for pattern in (_MAGIC, _HEADING, _LIST, _RULE, _QUOTES):
        source = pattern.sub("", source)
    return Plain(source, disambiguation)


def depth(source: str) -> int:
    """How deep templates and tables stand in each other."""
    deepest = open_ = 0
    for mark in _BRACES.finditer(source):
        open_ = open_ + 1 if mark[0][0] == "{" else max(0, open_ - 1)
        deepest = max(deepest, open_)
    return deepest


def unclosed(source: str) -> int:
    """How many tags and links are never closed, or stand too deep for the parser."""
    depths = {"<": 0, "[": 0}
    lost = 0
    for mark in _ENDS.finditer(source):
        kind = mark[0][0]
        if kind in depths:
            if mark[1] is not None and mark[1].lower() in _SINGLE:
                continue
            if mark[0].startswith("</"):
                depths["<"] = max(0, depths["<"] - 1)
            elif depths[kind] < DEEPEST:
                depths[kind] += 1
            else:
                lost += 1
        else:
            opener = "[" if kind == "]" else "<"
            depths[opener] = max(0, depths[opener] - 1)
    return lost + sum(depths.values())


def without_braces(source: str) -> str:
    """The text without templates and tables, by matching braces: linear, however deep they are.

    One that is never closed ends with its line, so that a slip does not take the page along.
    """
    opened: list[int] = []
    gone: list[Offsets] = []
    for mark in _BRACES.finditer(source):
        if mark[0][0] == "{":
            opened.append(mark.start())
        elif opened:
            gone.append((opened.pop(), mark.end()))
    ends = (source.find("\n", start) for start in opened)
    whole = (end if end >= 0 else len(source) for end in ends)
    gone += zip(opened, whole, strict=True)
    parts: list[str] = []
    at = 0
    for start, end in sorted(gone):
        if start >= at:
            parts.append(source[at:start])
        at = max(at, end)
    return "".join(parts) + source[at:]


def _words(code: Wikicode, parts: list[str]) -> None:
    from mwparserfromhell import nodes

    for node in code.nodes:
        if isinstance(node, nodes.Text):
            parts.append(str(node.value))
        elif isinstance(node, nodes.Wikilink):
            _link(node, parts)
        elif isinstance(node, nodes.Tag):
            _tag(node, parts)
        elif isinstance(node, nodes.Template):
            _template(node, parts)
        elif isinstance(node, nodes.ExternalLink):
            if node.title is not None:
                _words(node.title, parts)
            elif not node.brackets:  # shown as it is; one in brackets shows a number
                parts.append(str(node.url))
        elif isinstance(node, nodes.HTMLEntity):
            parts.append(unescape(str(node)))
        elif isinstance(node, nodes.Heading):
            parts.append("\n")
        # Arguments and comments show nothing.


def _link(node: Any, parts: list[str]) -> None:
    target = str(node.title)
    if _NOT_SHOWN.match(target) or (node.text is None and _INTERWIKI.match(target)):
        return
    if node.text is not None:
        _words(node.text, parts)
    else:
        parts.append(target.removeprefix(":"))


def _tag(node: Any, parts: list[str]) -> None:
    name = str(node.tag).strip().lower()
    if name in DROPPED:
        return
    if name in ("br", "hr", "p", "div", "li", "dt", "dd", "blockquote", "center", "poem"):
        parts.append("\n")
    if node.contents is not None and not (node.self_closing or node.wiki_markup in _MARKS):
        if name == "nowiki":
            parts.append(str(node.contents))
        else:
            _words(node.contents, parts)
    if name in ("p", "div", "blockquote", "center", "poem"):
        parts.append("\n")


_MARKS = frozenset({"*", "#", ":", ";", "----"})


def _template(node: Any, parts: list[str]) -> None:
    name = str(node.name).strip().lower().replace("_", " ")
    at = 1 if name.startswith(("link-", "lang-")) else WORDS_OF.get(name)
    if at is None:
        return
    given = [one.value for one in node.params if not one.showkey]
    if given and (at == -1 or at <= len(given)):
        _words(given[at - 1 if at > 0 else -1], parts)
