"""Marks of pages: HTML, wiki markup, white space."""

from __future__ import annotations

import re
from collections import Counter

from readmark.readability.prose import WIDE
from readmark.text.cleaning import clean
from readmark.text.html_pages import read_page

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_BREAK = re.compile(r"[^\S\n]*\n[^\S\n]*")
_SPACES = re.compile(r"[^\S\n]+")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,12}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ANGLE = re.compile(r"<(?![!?])(?:(/?)([A-Za-z][A-Za-z0-9:-]*)([^<>]*)>)?")
"""What may be a tag. Where it is closed, the groups are its slash, its name and the rest."""
_VALUE = re.compile(r"""=\s?["']""")
_SWITCHES = frozenset(
    (
        "allowfullscreen",
        "async",
        "autoplay",
        "checked",
        "compact",
        "controls",
        "defer",
        "disabled",
        "hidden",
        "ismap",
        "itemscope",
        "loop",
        "multiple",
        "muted",
        "noshade",
        "nowrap",
        "open",
        "readonly",
        "required",
        "reversed",
        "selected",
    )
)
"""Attributes that have no value."""
_UNCLOSED = frozenset(
    (
        "area",
        "base",
        "body",
        "br",
        "col",
        "dd",
        "dt",
        "head",
        "hr",
        "html",
        "img",
        "input",
        "li",
        "link",
        "meta",
        "option",
        "p",
        "source",
        "td",
        "th",
        "tr",
        "track",
        "wbr",
    )
)
"""Elements that need not be closed."""
_BLOCKS = re.compile(r"</?(?:html|body|head|p|div|br|li|ul|ol|table|h[1-6]|script)\b[^<>]*>", re.I)
_PAGE = re.compile(r"<(?:html|body|div)\b", re.IGNORECASE)
_WIKI = re.compile(r"\[\[|\{\{|\{\||'{2,}|^=+[^=\n]+=+\s*$|^[*#:;]+\s?|<ref", re.MULTILINE)


def html(text: str) -> str:
    """A page becomes its running text; in a text with a few tags only those go."""
    ends = {match[2].lower() for match in _ANGLE.finditer(text) if match[1]}
    has_tags = any(_is_tag(match, ends) for match in _ANGLE.finditer(text))
    if not has_tags and not _ENTITY.search(text):
        return text
    # What is not a tag is escaped, so that it is read as text.
    text = _ANGLE.sub(
        lambda match: match[0] if _is_tag(match, ends) else f"&lt;{match[0][1:]}", text
    )
    if _BLOCKS.search(text):
        page = read_page(text.encode("utf-8", "replace").decode())  # without lone surrogates
        return page.text.replace("\n", "\n\n")
    paragraphs = _PARAGRAPHS.split(text)
    return "\n\n".join(clean(paragraph, Counter(), wiki=False) for paragraph in paragraphs)


def _is_tag(match: re.Match[str], ends: set[str]) -> bool:
    """Whether ``<…>`` is a tag, and not the writer's own, as in "if a<b and c>d".

    A tag has attributes, or its element ends where it must.
    """
    if match[2] is None:
        return False
    rest = match[3].removesuffix("/").strip()
    if match[1]:
        return not rest
    if not rest:
        return match[3].endswith("/") or match[2].lower() in ends | _UNCLOSED
    words = " ".join(rest.lower().split()).replace(" =", "=").replace("= ", "=").split()
    return match[3][0].isspace() and (
        _VALUE.search(rest) is not None
        or all("=" in word[1:-1] or word in _SWITCHES for word in words)
    )


def wiki_markup(text: str) -> str:
    """Links and emphasis leave their words; templates, tables, references and headings go."""
    if not _WIKI.search(text) or _PAGE.search(text):
        return text
    from readmark.text.wikitext import plain_page

    try:
        return plain_page(text).text.replace("\n", "\n\n")
    except ValueError:  # too many marks that are never closed: left for people to see
        return text


def white_space(text: str) -> str:
    """Wrapped lines are joined; one blank line is between paragraphs; spaces are single."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    blocks = _PARAGRAPHS.split(text.strip())
    return "\n\n".join(filter(None, (_joined(block) for block in blocks)))


def _joined(block: str) -> str:
    lines = [_SPACES.sub(" ", line).strip() for line in _LINE_BREAK.split(block.strip())]
    paragraph = ""
    for line in filter(None, lines):
        # Chinese lines are joined without a space.
        is_wide = paragraph and WIDE.match(paragraph[-1]) and WIDE.match(line[0])
        paragraph += line if not paragraph or is_wide else f" {line}"
    return paragraph
