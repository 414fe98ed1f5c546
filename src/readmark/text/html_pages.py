"""HTML pages: the running text of the main part, a line for each block element."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.core.extras import require
from readmark.text.cleaning import clean

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_DROPPED = (
    "script, style, noscript, template, nav, header, footer, aside, table, figure, figcaption, "
    "form, button, select, textarea, svg, math, iframe, object, video, audio, canvas, head, "
    "h1, h2, h3, h4, h5, h6, sup.reference, .mw-editsection, .navbox, .infobox, .thumb, .hatnote, "
    ".reflist, .references, .metadata, .mw-jump-link, .noprint, #toc, .toc, #siteSub, #catlinks, "
    "[hidden], [aria-hidden=true]"
)
"""What is no running text, as a selector; the second half are the classes of MediaWiki's pages."""
_BLOCKS = (
    "p, div, li, dd, dt, blockquote, section, article, main, ul, ol, dl, pre, br, hr, address, "
    "details, summary, center"
)
_MAIN = ("#mw-content-text", "article", "main", "[role=main]")
"""Where the running text is: the first of these that occurs exactly once; else the body."""

_BREAK = "\x1e"  # no text has one: HTML forbids it
_SPACE = re.compile(r"\s+")
_BREAK_BETWEEN_HAN = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef])\n\s*(?=[\u3000-\u9fff\uff00-\uffef])"
)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The running text of a page, and what the page states about itself."""

    title: str
    text: str
    language: str | None
    url: str | None
    licence: str | None
    cleaned: Counter[str]
    """How often each cleaning rule changed the text."""


def read_page(source: str, *, name: str = "") -> HtmlPage:
    """The running text of a page without its title; ``name`` is the title of a page without one."""
    require("selectolax")
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(source)
    title = _title(tree) or name
    language = tree.root.attributes.get("lang") if tree.root is not None else None
    url = _attribute(tree, "link[rel=canonical]", "href")
    licence = _attribute(tree, "link[rel=license], a[rel~=license]", "href")
    counts: Counter[str] = Counter()
    text = clean(_running_text(tree, counts), counts, title=title, markup=False, wiki=False)
    return HtmlPage(title, text, language or None, url, licence, counts)


def _title(tree: LexborHTMLParser) -> str:
    for selector in ("h1", "title"):
        node = tree.css_first(selector)
        if node is not None and (text := _SPACE.sub(" ", node.text()).strip()):
            return str(text)
    return ""


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = tree.css_first(selector)
    return node.attributes.get(name) or None if node is not None else None


def _running_text(tree: LexborHTMLParser, counts: Counter[str]) -> str:
    main = tree.body
    for selector in _MAIN:
        nodes = tree.css(selector)
        if len(nodes) == 1:
            main = nodes[0]
            break
    if main is None:
        return ""
    for node in main.css(_DROPPED):
        node.decompose()
        counts["element"] += 1
    for node in main.css(_BLOCKS):
        node.insert_before(_BREAK)
        node.insert_after(_BREAK)
    lines = main.text().split(_BREAK)
    return "\n".join(_SPACE.sub(" ", _BREAK_BETWEEN_HAN.sub("", line)) for line in lines)
