"""Wikitext as plain text: mwparserfromhell parses, and what readers do not read is left out.

Templates, tables, references, files, categories, galleries, formulas and headings go; links and
formatting leave their words. A few templates only dress up words of the article: those words stay.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from readmark.core.extras import require
from readmark.core.records import Offsets
from readmark.text.cleaning import NOT_SHOWN
from readmark.text.headings import TAIL, DroppedSection, is_tail
from readmark.text.wiki_templates import raised, template_words

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode

DEEPEST = 30
"""Templates within templates that the parser is given: it gives up, in text, at forty."""
_MOST_WORK = 20_000_000
"""Marks that are never closed, times characters: the parser reads on to the end for each of them.
That many take some seconds, and a page of slips would take hours."""

_DROPPED_NAMES = """
categorytree ce chem code figure gallery graph hiero imagemap indicator inputbox maplink mapframe
math noinclude pre ref references score script section source style syntaxhighlight table
templatestyles timeline
"""
_DROPPED = frozenset(_DROPPED_NAMES.split())
"""Tags that go with what they enclose."""
_RULES_OF_TAGS = {"ref": "reference", "references": "reference", "table": "table"}
"""Which cleaning rule counts a tag that goes; ``element`` counts the others."""
_OWN_LINE = frozenset({"br", "hr", "p", "div", "li", "dt", "dd", "blockquote", "center", "poem"})
_CODE = frozenset({"code", "syntaxhighlight", "source"})
_LINE_MARKS = frozenset({"*", "#", ":", ";", "----"})
"""Wiki markup at the beginning of a line: lists, indentation, rules."""

_DISAMBIGUATION = re.compile(
    r"^[^\S\n]*(?:\{\{[^{}\n]*\}\}[^\S\n]*)*"
    r"\{\{\s*(?:disambig(?:uation(?:[ _]page)?)?|dab|disamb|hndis|geodis|消歧义页?|消歧義頁?|aimai)"
    r"\s*(?:\|[^{}]*)?\}\}[^\S\n]*(?:$|\{\{|\[\[|__)",
    re.IGNORECASE | re.MULTILINE,
)
"""The template on a line without words: within a sentence it speaks of another page."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INTERWIKI = re.compile(r"\s*([a-z]{2,3}(?:-[a-z]+)*)\s*:[^:]")
_LANGUAGES = frozenset(
    (files("readmark.text") / "data" / "wikipedia_languages.txt").read_text("utf-8").split()
)
"""Codes of Wikipedias, which distinguish a link to another language from a title with a colon."""
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_TAGS_AND_LINKS = re.compile(
    r"</([A-Za-z]+)|<([A-Za-z]+)|/?>|\[\[|\[(?=[a-z]*:?//|[a-z]+:)|\]\]?", re.IGNORECASE
)
_NEVER_CLOSED = frozenset({"br", "hr", "wbr", "li", "dt", "dd", "td", "th", "tr", "img"})
_LIST = re.compile(r"^[*#:;\ufdee]+\s*")
_RULE = re.compile(r"^(?:-{4,}|\s*\|\}(?!\}))")
_MAGIC_WORD = re.compile(r"__[A-Z]{3,20}__")
_HEADING = re.compile(r"^(={1,6})[^=\n].*?\1[^\S\n]*$", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\d)'{2,5}|(?<=\d)'{3,5}")  # 6'' are inches
_PARAGRAPH = re.compile(r"</?p(?:\s[^<>\n]{0,300})?/?>", re.IGNORECASE)
_WIDE = re.compile("[\u3000-\u9fff\uff00-\uffef]")

# Unicode's noncharacters: no text has them.
_BREAK, _ITEM = "\ufdef", "\ufdee"  # the end of a line, the mark of a list
_MARKUP = "{|}[]'=*#:;_"
_LITERAL = str.maketrans(_MARKUP, "".join(chr(0xFDE0 + index) for index in range(len(_MARKUP))))
"""Characters that are no markup in ``nowiki`` and code, until all markup is gone."""
_RESTORED = {placeholder: character for character, placeholder in _LITERAL.items()}
_PLACEHOLDER = re.compile("[\ufde0-\ufdef]")


@dataclass(frozen=True, slots=True)
class PlainPage:
    """The words of a page; lines are paragraphs."""

    text: str
    disambiguation: bool
    cleaned: Counter[str] = field(default_factory=Counter)
    """How many headings, templates and the like are gone."""
    dropped: list[DroppedSection] = field(default_factory=list)


def plain_page(wikitext: str) -> PlainPage:
    """What a reader of the page would read as running text."""
    require("mwparserfromhell")
    import mwparserfromhell

    source = _COMMENT.sub("", wikitext) if "<!--" in wikitext else wikitext
    if "<nowiki" not in source:  # the parser looks for the end of each to the end of the page
        source = _PARAGRAPH.sub("\n\n", source)
    disambiguation = _DISAMBIGUATION.search(source) is not None
    counts: Counter[str] = Counter()
    if "[" in source or "{" in source or "<" in source or "'" in source or "&" in source:
        if depth(source) > DEEPEST:
            source = _without_counted_braces(source, counts)
        if (count := unclosed(source)) * len(source) > _MOST_WORK:
            raise ValueError(f"{count} marks are never closed")
        page = _Words(counts)
        page.read(mwparserfromhell.parse(source))
        source = page.text()
    source, dropped = _without_headings_and_tails(source, counts)
    if "{{" in source or "{|" in source:  # what was never closed, or closed too often
        source = _without_counted_braces(source, counts)
    source = _EMPHASIS.sub("", _MAGIC_WORD.sub("", source))
    text = _paragraphs(source)
    text = text.translate(_RESTORED) if _PLACEHOLDER.search(text) else text
    return PlainPage(text, disambiguation, counts, dropped)


class _Words:
    """Collects the words of parsed wikitext, and counts what is left out of them."""

    def __init__(self, counts: Counter[str]) -> None:
        self._parts: list[str] = []
        self._counts = counts
        require("mwparserfromhell")
        from mwparserfromhell import nodes

        self._nodes: Any = nodes

    def text(self) -> str:
        """All words that were read."""
        return "".join(self._parts)

    def read(self, code: Wikicode) -> None:
        """Read a stretch of wikitext; arguments and comments show nothing."""
        parts, nodes = self._parts, self._nodes
        for node in code.nodes:
            if isinstance(node, nodes.Text):
                parts.append(str(node.value))
            elif isinstance(node, nodes.Wikilink):
                self._read_link(node)
            elif isinstance(node, nodes.Tag):
                self._read_tag(node)
            elif isinstance(node, nodes.Template):
                self._read_template(node)
            elif isinstance(node, nodes.ExternalLink):
                if node.title is not None:
                    self.read(node.title)
                elif not node.brackets:  # shown as it is; one in brackets shows a number
                    parts.append(str(node.url))
            elif isinstance(node, nodes.HTMLEntity):
                parts.append(unescape(str(node)))
            elif isinstance(node, nodes.Heading):
                parts.append(f"\n{'=' * node.level}")
                self.read(node.title)
                parts.append(f"{'=' * node.level}\n")

    def _read_link(self, link: Any) -> None:
        target = str(link.title)
        interwiki = _INTERWIKI.match(target) if link.text is None else None
        is_other_language = interwiki is not None and interwiki[1] in _LANGUAGES
        if is_other_language or NOT_SHOWN.match(target):
            self._counts["file"] += 1
        elif link.text is not None:
            self.read(link.text)
        else:
            self._parts.append(target.removeprefix(":"))

    def _read_tag(self, tag: Any) -> None:
        parts = self._parts
        name = str(tag.tag).strip().lower()
        if name in _DROPPED and not (name in _CODE and _is_inline(tag, name)):
            self._counts[_RULES_OF_TAGS.get(name, "element")] += 1
            return
        if tag.wiki_markup in _LINE_MARKS:
            is_line_start = not parts or not parts[-1] or parts[-1].endswith(("\n", _ITEM, _BREAK))
            parts.append(_ITEM if is_line_start else f"\n{_ITEM}")  # ; a word : what it means
            return
        if name in _OWN_LINE:
            parts.append(_BREAK)
        if tag.contents is not None and not tag.self_closing:
            if name == "nowiki" or name in _CODE:
                parts.append(unescape(str(tag.contents)).translate(_LITERAL))
            elif name in ("sup", "poem"):
                inside = _Words(self._counts)
                inside.read(tag.contents)
                words = inside.text()
                parts.append(raised(words) if name == "sup" else words.replace("\n", _BREAK))
            else:
                self.read(tag.contents)
        if name in _OWN_LINE:
            parts.append(_BREAK)

    def _read_template(self, template: Any) -> None:
        name = str(template.name).strip().lower().replace("_", " ")
        # Parameters without a name have numbers, as 1= and 2= give them too.
        arguments = {str(param.name).strip(): param.value for param in template.params}
        words = template_words(name, arguments)
        if isinstance(words, str):
            self._parts.append(words)
        elif words is not None:
            self.read(words)
        else:
            self._counts["template"] += 1


def _is_inline(tag: Any, name: str) -> bool:
    """Whether code is within a sentence, whose words are the sentence's."""
    if "\n" in str(tag.contents or ""):
        return False
    return name == "code" or any(
        str(attribute.name).strip() == "inline" for attribute in tag.attributes
    )


def _without_headings_and_tails(
    source: str, counts: Counter[str]
) -> tuple[str, list[DroppedSection]]:
    """The text without its headings and its sections of references, notes and links; and those."""
    parts: list[str] = []
    tails: list[tuple[str, list[str]]] = []
    section = parts
    done = tail_level = 0
    for match in _HEADING.finditer(source):
        level = len(match[1])
        section.append(source[done : match.start()])
        if not tail_level or level <= tail_level:  # sections within a tail belong to it
            heading = match[0].strip().strip("=")
            tail_level = level if is_tail(heading) else 0
            section = parts
            if tail_level:
                section = []
                tails.append((heading.strip(), section))
        counts["heading"] += 1
        done = match.end()
    section.append(source[done:])
    dropped = [
        DroppedSection(TAIL, heading, size) for heading, tail in tails if (size := _size(tail))
    ]
    if dropped:
        counts[TAIL] += len(dropped)
    return "".join(parts), dropped


def _size(parts: list[str]) -> int:
    """Characters of lines, without the marks of lists and the white space around them."""
    lines = (line for part in parts for line in part.replace(_BREAK, "\n").split("\n"))
    return sum(len(_LIST.sub("", line.strip())) for line in lines)


def _paragraphs(source: str) -> str:
    """A paragraph a line: only a blank line, a list's mark or a block ends one in wikitext."""
    paragraphs: list[str] = []
    goes_on = False
    for line in source.replace(_BREAK, "\n\n").split("\n"):
        bare = _RULE.sub("", line).strip()
        words = _LIST.sub("", bare)
        is_own = words != bare or line.startswith(" ")
        if words and goes_on and not is_own:
            is_chinese = _WIDE.match(paragraphs[-1][-1]) and _WIDE.match(words)
            paragraphs[-1] += words if is_chinese else f" {words}"
        elif words:
            paragraphs.append(words)
        goes_on = bool(words) and not is_own
    return "\n".join(paragraphs)


def depth(source: str) -> int:
    """How deep templates and tables are nested."""
    deepest = current = 0
    for mark in _BRACES.finditer(source):
        current = current + 1 if mark[0][0] == "{" else max(0, current - 1)
        deepest = max(deepest, current)
    return deepest


def unclosed(source: str) -> int:
    """How many tags and links are never closed, or are nested too deep for the parser."""
    links = tags = too_deep = 0
    open_tags: Counter[str] = Counter()
    begun = ""  # the tag within whose brackets the next mark is
    for mark in _TAGS_AND_LINKS.finditer(source):
        closing, opening = ((name or "").lower() for name in mark.groups())
        if mark[0] in ("]", "]]"):
            links = max(0, links - 1)
        elif mark[0][0] == "[":
            if links < DEEPEST:
                links += 1
            else:
                too_deep += 1
        elif opening:
            begun = opening
            if opening in _NEVER_CLOSED:
                continue
            if tags < DEEPEST:
                tags += 1
                open_tags[opening] += 1
            else:
                too_deep += 1
        else:
            # Only what ends an open tag counts: each <br/> or </li> would hide a <div>.
            name = begun if mark[0] == "/>" else closing
            begun = ""
            if open_tags[name]:
                tags -= 1
                open_tags[name] -= 1
    return too_deep + links + tags


def without_braces(source: str) -> str:
    """The text without templates and tables, by matching braces: linear, however deep they are.

    One that is never closed ends with its line, so that a slip does not take the page along.
    """
    open_braces: list[int] = []
    spans: list[Offsets] = []
    for mark in _BRACES.finditer(source):
        if mark[0][0] == "{":
            open_braces.append(mark.start())
        elif open_braces:
            spans.append((open_braces.pop(), mark.end()))
    for start in open_braces:
        line_end = source.find("\n", start)
        spans.append((start, line_end if line_end >= 0 else len(source)))
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts.append(source[done:start])
        done = max(done, end)
    return "".join(parts) + source[done:]


def _without_counted_braces(source: str, counts: Counter[str]) -> str:
    shorter = without_braces(source)
    for rule, mark in (("template", "{{"), ("table", "{|")):
        if count := source.count(mark) - shorter.count(mark):
            counts[rule] += count
    return shorter
