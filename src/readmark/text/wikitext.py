"""Wikitext as plain text: mwparserfromhell parses, and what readers do not read is left out.

Templates, tables, references, files, categories, galleries, formulas and headings go; links and
formatting leave their words. A few templates only dress up words of the article: those words stay.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from readmark.core.extras import require
from readmark.core.records import Offsets
from readmark.text.markup import TAIL, Dropped, is_tail

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode


# The templates of wikitext that stand for words of the article: dashes, spaces, numbers, names.


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
    "mono": 1,
    "code": 1,
    "sub": 1,
}
"""Templates whose words belong to the article, and which of their arguments those are."""

SIGNS = {
    **dict.fromkeys(("ndash", "en dash", "–"), "–"),
    **dict.fromkeys(("mdash", "em dash", "—"), "—"),
    **dict.fromkeys(("snd", "spnd", "spaced ndash", "spaced en dash"), " – "),
    **dict.fromkeys(("nbsp", "space", "spaces", "thinsp", "thin space", "hair space"), " "),
    **dict.fromkeys(("·", "dot", "middot", "•", "bullet"), " · "),
    "'": "'",
    "'s": "'s",
    "=": "=",
    "!": "|",
    "times": "×",
}
"""Templates that are a sign."""

_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_CAN_BE_RAISED = re.compile("[0-9+−n-]+")
_DIGIT = re.compile(r"\d")
_JOINS = frozenset({"to", "-", "–", "and", "by", "x", "×", "or"})


def raised(text: str) -> str:
    """A superscript: digits as raised ones, other exponents after ^, letters as they are."""
    bare = text.strip()
    if _CAN_BE_RAISED.fullmatch(bare):
        return bare.translate(_RAISED)
    return f"^{bare}" if _DIGIT.search(bare) else text


def arguments(node: Any) -> dict[str, Any]:
    """The arguments by name, those without one by number, as ``1=`` and ``2=`` give them too."""
    return {str(param.name).strip(): param.value for param in node.params}


def shown(name: str, given: Mapping[str, Any]) -> str | Any | None:
    """A sign, the argument whose words belong to the article, or None."""
    if name in SIGNS:
        return SIGNS[name]
    if name.startswith("formatnum:"):
        return name.removeprefix("formatnum:")
    if name in ("convert", "cvt"):
        return _quantity([str(given[key]).strip() for key in "1234" if key in given])
    if name in ("frac", "fraction"):
        return "/".join(str(given[key]).strip() for key in "123" if key in given)
    if name in ("circa", "c."):
        return f"c. {given['1']}" if "1" in given else "c. "
    if name in ("sup", "e") and "1" in given:
        return ("×10" if name == "e" else "") + raised(str(given["1"]))
    at = 1 if name.startswith(("link-", "lang-")) else WORDS_OF.get(name)
    if at is None:
        return None
    if at > 0:
        return given.get(str(at))
    numbers = [int(key) for key in given if key.isascii() and key.isdigit()]
    return given[str(max(numbers))] if numbers else None


def _quantity(said: list[str]) -> str:
    """``{{convert|5|to|6|km|mi}}``: the numbers and their own unit."""
    many = 4 if len(said) == 4 and said[1] in _JOINS else 2
    return " ".join(said[:many])


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
_KINDS_OF_TAGS = {"ref": "reference", "references": "reference", "table": "table"}

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
_INTERWIKI = re.compile(r"\s*([a-z]{2,3}(?:-[a-z]+)*)\s*:[^:]")
_LANGUAGES = frozenset(
    (files("readmark.making.sources") / "data" / "languages.txt").read_text("utf-8").split()
)
"""Codes of Wikipedias, which distinguish a link to another language from a title with a colon."""
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_ENDS = re.compile(r"</[A-Za-z]|<([A-Za-z]+)|/>|\[\[|\[(?=[a-z]*:?//|[a-z]+:)|\]\]?", re.IGNORECASE)
_SINGLE = frozenset({"br", "hr", "wbr", "li", "dt", "dd", "td", "th", "tr", "img"})
_LIST = re.compile(r"^[*#:;\ufdee]+\s*")
_RULE = re.compile(r"^(?:-{4,}|\s*\|\}(?!\}))")
_MAGIC = re.compile(r"__[A-Z]{3,20}__")
_HEADING = re.compile(r"^(={1,6})[^=\n].*?\1[^\S\n]*$", re.MULTILINE)
_QUOTES = re.compile(r"(?<!\d)'{2,5}|(?<=\d)'{3,5}")  # 6\'\' are inches
_PARAGRAPH = re.compile(r"</?p(?:\s[^<>\n]{0,300})?/?>", re.IGNORECASE)
_WIDE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
_ALONE = frozenset({"br", "hr", "p", "div", "li", "dt", "dd", "blockquote", "center", "poem"})
_CODE = frozenset({"code", "syntaxhighlight", "source"})
_BREAK, _ITEM = "\ufdef", "\ufdee"  # the end of a line, the mark of a list: noncharacters
_MARKED = "{|}[]'=*#:;_"
_LITERAL = str.maketrans(_MARKED, "".join(chr(0xFDE0 + index) for index in range(len(_MARKED))))
"""What is no markup for once, as noncharacters until all markup is gone."""
_PLAIN = {after: before for before, after in _LITERAL.items()}
_PLACEHOLDER = re.compile("[\ufde0-\ufdef]")


@dataclass(frozen=True, slots=True)
class Plain:
    """The words of a page; lines are paragraphs."""

    text: str
    disambiguation: bool
    cleaned: Counter[str] = field(default_factory=Counter)
    """How many headings, templates and the like are gone."""
    dropped: list[Dropped] = field(default_factory=list)
    """Sections that are gone."""


def plain(wikitext: str) -> Plain:
    """What a reader of the page would read as running text."""
    require("mwparserfromhell")
    import mwparserfromhell

    source = _COMMENT.sub("", wikitext) if "<!--" in wikitext else wikitext
    if "<nowiki" not in source:  # the parser looks for the end of each to the end of the page
        source = _PARAGRAPH.sub("\n\n", source)
    disambiguation = _DISAMBIGUATION.search(source) is not None
    gone: Counter[str] = Counter()
    if "[" in source or "{" in source or "<" in source or "'" in source or "&" in source:
        if depth(source) > DEEPEST:
            source = _counted_braces(source, gone)
        if (count := unclosed(source)) * len(source) > MOST_WORK:
            raise ValueError(f"{count} marks are never closed")
        parts: list[str] = []
        _words(mwparserfromhell.parse(source), parts, gone)
        source = "".join(parts)
    source, dropped = _without_tails(source, gone)
    if "{{" in source or "{|" in source:  # what was never closed, or closed too often
        source = _counted_braces(source, gone)
    source = _QUOTES.sub("", _MAGIC.sub("", source))
    text = _paragraphs(source)
    text = text.translate(_PLAIN) if _PLACEHOLDER.search(text) else text
    return Plain(text, disambiguation, gone, dropped)


def _paragraphs(source: str) -> str:
    """A paragraph a line: only a blank line, a list's mark or a block ends one in wikitext."""
    found: list[str] = []
    goes_on = False
    for line in source.replace(_BREAK, "\n\n").split("\n"):
        bare = _RULE.sub("", line).strip()
        said = _LIST.sub("", bare)
        alone = said != bare or line.startswith(" ")
        if said and goes_on and not alone:
            joint = "" if _WIDE.match(found[-1][-1]) and _WIDE.match(said) else " "
            found[-1] += joint + said
        elif said:
            found.append(said)
        goes_on = bool(said) and not alone
    return "\n".join(found)


def _without_tails(source: str, gone: Counter[str]) -> tuple[str, list[Dropped]]:
    """The text without its headings, nor sections of references, notes and links; and those."""
    parts: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    into = parts
    at, skipping = 0, 0
    for match in _HEADING.finditer(source):
        level = len(match[1])
        into.append(source[at : match.start()])
        if not skipping or level <= skipping:
            said = match[0].strip().strip("=")
            skipping = level if is_tail(said) else 0
            into = parts
            if skipping:
                into = []
                sections.append((said.strip(), into))
        gone["heading"] += 1
        at = match.end()
    into.append(source[at:])
    dropped = [Dropped(TAIL, said, size) for said, one in sections if (size := _size(one))]
    if dropped:
        gone[TAIL] += len(dropped)
    return "".join(parts), dropped


def _size(parts: list[str]) -> int:
    """Characters of lines, without the marks of lists and the white space around them."""
    lines = (line for part in parts for line in part.replace(_BREAK, "\n").split("\n"))
    return sum(len(_LIST.sub("", line.strip())) for line in lines)


def depth(source: str) -> int:
    """How deep templates and tables are nested."""
    deepest = open_ = 0
    for mark in _BRACES.finditer(source):
        open_ = open_ + 1 if mark[0][0] == "{" else max(0, open_ - 1)
        deepest = max(deepest, open_)
    return deepest


def unclosed(source: str) -> int:
    """How many tags and links are never closed, or are nested too deep for the parser."""
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


def _counted_braces(source: str, gone: Counter[str]) -> str:
    left = without_braces(source)
    for kind, mark in (("template", "{{"), ("table", "{|")):
        if count := source.count(mark) - left.count(mark):
            gone[kind] += count
    return left


@functools.cache
def _kinds() -> Any:
    require("mwparserfromhell")
    from mwparserfromhell import nodes

    return nodes


def _words(code: Wikicode, parts: list[str], gone: Counter[str]) -> None:
    nodes = _kinds()
    for node in code.nodes:
        if isinstance(node, nodes.Text):
            parts.append(str(node.value))
        elif isinstance(node, nodes.Wikilink):
            _link(node, parts, gone)
        elif isinstance(node, nodes.Tag):
            _tag(node, parts, gone)
        elif isinstance(node, nodes.Template):
            _template(node, parts, gone)
        elif isinstance(node, nodes.ExternalLink):
            if node.title is not None:
                _words(node.title, parts, gone)
            elif not node.brackets:  # shown as it is; one in brackets shows a number
                parts.append(str(node.url))
        elif isinstance(node, nodes.HTMLEntity):
            parts.append(unescape(str(node)))
        elif isinstance(node, nodes.Heading):
            parts.append(f"\n{'=' * node.level}")
            _words(node.title, parts, gone)
            parts.append(f"{'=' * node.level}\n")
        # Arguments and comments show nothing.


def _link(node: Any, parts: list[str], gone: Counter[str]) -> None:
    target = str(node.title)
    if _NOT_SHOWN.match(target):
        gone["file"] += 1
        return
    other = _INTERWIKI.match(target)
    if node.text is None and other is not None and other[1] in _LANGUAGES:
        gone["file"] += 1
        return
    if node.text is not None:
        _words(node.text, parts, gone)
    else:
        parts.append(target.removeprefix(":"))


def _tag(node: Any, parts: list[str], gone: Counter[str]) -> None:
    name = str(node.tag).strip().lower()
    if name in DROPPED and not (name in _CODE and _inline(node)):
        gone[_KINDS_OF_TAGS.get(name, "element")] += 1
        return
    if node.wiki_markup in _MARKS:
        begun = not parts or not parts[-1] or parts[-1].endswith(("\n", _ITEM, _BREAK))
        parts.append(_ITEM if begun else f"\n{_ITEM}")  # ; a word : what it means
        return
    if name in _ALONE:
        parts.append(_BREAK)
    if node.contents is not None and not node.self_closing:
        if name in ("nowiki", *_CODE):
            parts.append(unescape(str(node.contents)).translate(_LITERAL))
        elif name in ("sup", "poem"):
            within: list[str] = []
            _words(node.contents, within, gone)
            said = "".join(within)
            parts.append(raised(said) if name == "sup" else said.replace("\n", _BREAK))
        else:
            _words(node.contents, parts, gone)
    if name in _ALONE:
        parts.append(_BREAK)


_MARKS = frozenset({"*", "#", ":", ";", "----"})


def _inline(node: Any) -> bool:
    """Code within a sentence, whose words are the sentence's."""
    if "\n" in str(node.contents or ""):
        return False
    name = str(node.tag).strip().lower()
    return name == "code" or any(
        str(attribute.name).strip() == "inline" for attribute in node.attributes
    )


def _template(node: Any, parts: list[str], gone: Counter[str]) -> None:
    name = str(node.name).strip().lower().replace("_", " ")
    found = shown(name, arguments(node))
    if isinstance(found, str):
        parts.append(found)
    elif found is not None:
        _words(found, parts, gone)
    else:
        gone["template"] += 1
