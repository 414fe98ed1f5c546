"""What extraction leaves behind in a text and is certainly no part of it, rule by rule.

Every rule has a name and is counted. What may be the author's (empty quotation marks, odd lists) is
left alone: screening judges passages, this only sweeps.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from readmark.core.records import Offsets
from readmark.text.script_conversion import has_traditional

TAIL = "tail"
"""The reason of sections of references, notes and links, which are dropped before the text of an
article is settled: they are stretches without offsets in it."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A stretch that was dropped before the text was settled."""

    reason: str
    heading: str
    length: int
    """Characters, line breaks not counted."""


# Lines that head what follows, and the sections at an article's end that nobody reads as text.


LONGEST = 60
"""Characters of a heading, or of a line that announces a list."""
MOST_WORDS = 8
MOST_HAN = 20
MOST_HEADINGS = 2
"""Headings that are adjacent, a section's and its first part's; more lines are a list."""

_STOP = re.compile(r"[。！？!?…；;][”’」』）》\"')]*$|\.\.\.$")
_WITHIN = re.compile(r"[.!?;]\s|[。！？；，,]")
_HAN = re.compile("[\u3400-\u9fff]")

_TAIL_NAMES = (
    "references|external links?|see also|further reading|notes|notes and references|footnotes"
    "|bibliography|sources|citations|works cited|references and notes"
    "|参考文献|參考文獻|参考资料|參考資料|参考来源|參考來源|参考书目|參考書目|资料来源|資料來源"
    "|外部链接|外部連結|外部鏈接|外部链结|相关链接|相關連結|参见|參見|参看|參看|参阅|參閱"
    "|相关条目|相關條目|注释|註釋|注解|註解|脚注|腳註|备注|備註|延伸阅读|延伸閱讀|扩展阅读|引用"
)
_TAIL_NAME = re.compile(rf"\s*(?:{_TAIL_NAMES})\s*[.。:：]?\s*", re.IGNORECASE)
# An expression that begins with one character is several times as fast as one that begins with ^.
_TAIL_LINE = re.compile(rf"\n(?:{_TAIL_NAMES})[.。:：]?$", re.IGNORECASE | re.MULTILINE)


def is_heading(line: str, language: str) -> bool:
    """Whether a line says what follows and is no sentence: few words and no end, or a colon's."""
    if len(line) > LONGEST:
        return False
    if line.endswith((":", "：")):
        return True
    bare = line.removesuffix(".")
    if _STOP.search(bare) or _WITHIN.search(bare):
        return False
    if language == "zh" and _HAN.search(line):
        return len(line) <= MOST_HAN
    return len(line.split()) <= MOST_WORDS


def is_tail(heading: str) -> bool:
    """Whether a heading is that of references, notes, links or further reading."""
    return _TAIL_NAME.fullmatch(heading) is not None


def tail(text: str) -> int | None:
    """Where such sections begin, of which a text's second half has nothing else after them."""
    match = _TAIL_LINE.search(text, max(0, len(text) // 2 - 1))
    return None if match is None else match.start() + 1


# The variant marks of Chinese wikis, ``-{zh-hans:…;zh-hant:…}-``, resolved to one wording.


ORDER = ("zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Which wording is taken, the first of these that is there; simplified before traditional."""

# Innermost first: a wording may hold marks of its own.
_MARK = re.compile(r"-\{((?:(?!-\{|\}-)[^\n]){0,2000}+)\}-")
_CHINESE_MARK = re.compile(r"-\{(?:(?!\}-)[^\n]){0,200}?(?:zh(?:-[a-z]+)?\s*:|[\u3400-\u9fff])")
"""What distinguishes marks from an author's own signs, where a text may be anything."""
_FLAGS = re.compile(r"\s*([A-Z+;\s-]*|zh(?:-\w+)?(?:\s*;\s*zh(?:-\w+)?)*)\s*\|")
_WORDING = re.compile(r"(?:^|;)\s*(zh(?:-[a-z]+)?)\s*:")
_SILENT = frozenset("HTD-")
"""Flags of marks that say how to convert elsewhere, or set the title, and show nothing here."""
_DEEPEST = 4
_SIMPLIFIED = frozenset(ORDER[:5])
_KEEP, _END = "\ufdd0", "\ufdd1"  # Unicode's noncharacters: no text has them
_BOUNDS = re.compile(f"[{_KEEP}{_END}]")


def resolve(text: str) -> tuple[str, int]:
    """The text with every mark replaced by what it shows, and how many there were.

    Text that is not to be converted to another script is put between two characters of ours, which
    ``unbound`` takes out: a mark without variants, and a wording that is simplified already.
    """
    count = 0
    text = _BOUNDS.sub("", text)
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, found = _MARK.subn(_shown, text)
        count += found
        if not found:
            break
    return text, count


def unbound(text: str) -> tuple[str, list[Offsets]]:
    """The text without those characters, and where what they enclosed occurs in it."""
    if _KEEP not in text:
        return text, []
    parts: list[str] = []
    kept: list[Offsets] = []
    at = size = start = depth = 0
    for bound in _BOUNDS.finditer(text):
        parts.append(text[at : bound.start()])
        size += bound.start() - at
        at = bound.end()
        if bound[0] == _KEEP:
            start = start if depth else size
            depth += 1
        elif depth:
            depth -= 1
            if not depth and size > start:
                kept.append((start, size))
    return "".join(parts) + text[at:], kept


def _protected(said: str) -> str:
    if not has_traditional(said):  # nothing in it would be converted
        return said
    core = said.strip()
    return said.replace(core, f"{_KEEP}{core}{_END}", 1)


def _shown(mark: re.Match[str]) -> str:
    return _wording(mark[1])


@functools.lru_cache(1024)  # a wiki marks the same names over and over
def _wording(said: str) -> str:
    flags = _FLAGS.match(said)
    if flags is not None:
        said = said[flags.end() :]
        given = set(re.sub(r"[;\s]", "", flags[1])) if not flags[1].startswith("zh") else set()
        if given & _SILENT:
            return ""
        if "R" in given:
            return _protected(said.strip())
    wordings = _wordings(said)
    if not wordings:
        return _protected(said.strip() if flags is not None else said)
    for one in ORDER:
        if wordings.get(one):
            return _protected(wordings[one]) if one in _SIMPLIFIED else wordings[one]
    return _first(wordings)


def _wordings(said: str) -> dict[str, str]:
    """Each variant's wording; ``A=>zh-cn:B`` rules, which convert A, show B like any other."""
    found: dict[str, str] = {}
    marks = list(_WORDING.finditer(said))
    if not marks or said[: marks[0].start()].strip():
        return found
    ends = [*(mark.start() for mark in marks[1:]), len(said)]
    for mark, end in zip(marks, ends, strict=True):
        found.setdefault(mark[1], said[mark.end() : end].strip().rstrip(";").strip())
    return found


def _first(wordings: dict[str, str]) -> str:
    return next((value for value in wordings.values() if value), "")


VERSION = "cleaning-3"

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
_BLOCKS = frozenset(
    (
        *("blockquote", "br", "center", "dd", "div", "dl", "dt", "gallery", "hr", "li", "ol", "p"),
        *("poem", "pre", "table", "tbody", "td", "th", "thead", "tr", "ul"),
        *("h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
"""Tags that end a line where they occur: without them the words on either side would be one."""
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
_QUALIFIER = re.compile(r"\s*[（(][^（）()]*[）)]$")
_NO_SUBJECT = re.compile(
    r"[，,、；;：:]|(?:（[^（）\n]{1,80}）[，,]?)?(?:是(?!否|非|日|年|次|夜)|位[于於]|又[称稱名]|亦[称稱名])"
)
"""How a first sentence begins whose subject is gone: extractors drop names in variant marks."""
_SEPARATORS = " \t\u3000，、；,;"


def clean(
    text: str,
    counts: Counter[str],
    *,
    title: str = "",
    markup: bool = True,
    wiki: bool = True,
    unconverted: list[Offsets] | None = None,
    dropped: list[Dropped] | None = None,
) -> str:
    """The text without what was left behind; ``counts`` are added to.

    With ``markup`` off, character references, tags and links are the author's own words; with
    ``wiki`` off, so are brackets and marks without Chinese. ``unconverted`` gets the spans that a
    conversion of script must not change, ``dropped`` the stretches that were removed.
    """
    # Each test is far cheaper than the expression behind it, and most texts need none.
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    bound = "{" in text and "-{" in text and (wiki or _CHINESE_MARK.search(text) is not None)
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
            text = _counted(pattern, _first_sign, text, "bracket_edge", counts)
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
            name = _QUALIFIER.sub("", title)
            if _NO_SUBJECT.match(text):
                counts["subject"] += 1
                text, before = name + text, before - len(name)
    if unconverted is not None:
        places = ((start - before, end - before) for start, end in found)
        unconverted += [(start, end) for start, end in places if start >= 0 and end <= len(text)]
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
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    if not matches:
        return text
    parts: list[str] = []
    at = 0
    for match in sorted(matches, key=re.Match.start):
        kept = text[at : match.start()].rstrip(before)
        if keep and kept.endswith(("（", "(")):
            continue  # a bracket about the separator itself, such as （、）
        if keep and _is_call(text, match.start()):
            continue
        parts.append(kept)
        at = match.end() - keep
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


def _first_sign(found: re.Match[str]) -> str:
    return found[0][0]


def _link(found: re.Match[str]) -> str:
    if _NOT_SHOWN.match(found[1]):
        return ""
    return found[1].rpartition("|")[2]
