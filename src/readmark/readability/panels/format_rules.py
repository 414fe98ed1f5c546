"""Formatting standardised by named rules, so that a passage does not show its genre."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from readmark.readability.prose import (
    BYLINE,
    MONTH,
    MOST_TITLE_CHARACTERS,
    MOST_TITLE_WORDS,
    SENTENCE_END,
    WIDE,
    in_title_case,
)
from readmark.text.cleaning import clean
from readmark.text.html_pages import read_page

# What surrounds a news story: headline, byline, dateline.


_DATE = rf"(?:,\s*{MONTH}\s+\d{{1,2}}(?:,\s*\d{{4}})?)"
_REGION = r"(?:,[^\S\n]*[A-Z][A-Za-z.' ]{1,25}?)?"
_BEGINS = r"""(?=[A-Z0-9"“'‘])"""
_DATELINE = re.compile(
    rf"^[A-Z][A-Z.'’ -]{{2,40}}{_REGION}(?:{_DATE}\s*(?:--|[-–—])|\s*(?:--|[–—]))\s+{_BEGINS}"
)
"""A place in capitals; a single hyphen only after a date, and the story begins with a capital."""
_AGENCY = re.compile(
    rf"^[A-Z][A-Za-z.'’ -]{{2,40}}{_REGION}{_DATE}?\s*\([A-Z][A-Za-z ./]{{1,30}}\)"
    rf"\s*(?:--|[-–—])\s+(?=\S)"
)
_ZH_DATELINE = re.compile(
    r"^(?:【[^】\n]{2,20}】|[\u4e00-\u9fff]{2,10}(?:社|网|報|报)[^\n，。]{0,20}?(?:电|電|讯|訊))"
    r"\s*(?:[（(][^（()）\n]{2,40}[)）])?\s*"
)


def headline(text: str) -> str:
    """First lines that are titles: short, without a full stop, the story below them."""
    while True:
        first, _, rest = text.lstrip().partition("\n")
        if not rest.strip() or not _is_title(first.strip(), rest):
            return text
        text = rest.lstrip("\n")


def _is_title(line: str, rest: str) -> bool:
    if not line or SENTENCE_END.search(line) or line.endswith((",", ";", ":", "，", "；", "：")):
        return False
    if _DATELINE.match(line) or _AGENCY.match(line):
        return False
    wide = WIDE.search(line)
    if len(line) > MOST_TITLE_CHARACTERS if wide else len(line.split()) > MOST_TITLE_WORDS:
        return False
    below = rest.lstrip(" \t")
    if below[:1] == "\n" or _DATELINE.match(below) or _AGENCY.match(below):
        return True
    # Without a blank line it may be a wrapped line: then only one written as a title goes.
    return not wide and in_title_case(line)


def byline(text: str) -> str:
    """``By Jane Doe`` on a line of its own at the top."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip("\n") if rest.strip() and BYLINE.match(first.strip()) else text


def dateline(text: str) -> str:
    """``LONDON, March 3 (Agency) --`` before the first word."""
    bare = text.lstrip()
    for pattern in (_AGENCY, _DATELINE, _ZH_DATELINE):
        match = pattern.match(bare)
        if match is not None:
            return bare[match.end() :]
    return text


# Marks of pages: HTML, wiki markup, white space.


_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_BREAK = re.compile(r"[^\S\n]*\n[^\S\n]*")
_SPACES = re.compile(r"[^\S\n]+")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,12}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ANGLE = re.compile(r"<(?![!?])(?:(/?)([A-Za-z][A-Za-z0-9:-]*)([^<>]*)>)?")
"""Whatever may be a tag: the slash, the name and the rest of it, where it is closed."""
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
    marks = [match for match in _ANGLE.finditer(text) if match[2] and _is_tag(match, ends)]
    if not marks and not _ENTITY.search(text):
        return text
    text = _ANGLE.sub(
        lambda match: match[0] if _is_tag(match, ends) else f"&lt;{match[0][1:]}", text
    )
    if _BLOCKS.search(text):
        page = read_page(text.encode("utf-8", "replace").decode())  # without lone surrogates
        return page.text.replace("\n", "\n\n")
    return "\n\n".join(clean(word, Counter(), wiki=False) for word in _PARAGRAPHS.split(text))


def _is_tag(match: re.Match[str], ends: set[str]) -> bool:
    """Whether ``<…>`` is a tag; in "if a<b and c>d" it is the writer's own.

    A tag contains attributes; one without any is closed where it must be.
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
    """Wrapped lines are joined; paragraphs are parted by one blank line; spaces are single."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    blocks = _PARAGRAPHS.split(text.strip())
    return "\n\n".join(filter(None, (_joined(block) for block in blocks)))


def _joined(block: str) -> str:
    lines = [_SPACES.sub(" ", word).strip() for word in _LINE_BREAK.split(block.strip())]
    whole = ""
    for one in filter(None, lines):
        wide = whole and WIDE.match(whole[-1]) and WIDE.match(one[0])
        whole += one if not whole or wide else f" {one}"
    return whole


# What surrounds a post: headers, what it quotes, signatures, furniture.


_MAIL_HEADER = re.compile(
    r"\A(?:(?:From|To|Cc|Subject|Date|Newsgroups|Message-ID|References|Organization|Reply-To|"
    r"Posted|Re|Lines|Path|X-[\w-]+)\s*:[^\n]*\n+)+"
)
_WROTE = re.compile(
    r"^(?:On\b[^\n]{3,120}\n?[^\n]{0,80}\bwrote\s*:[^\S\n]*$"
    r"|[^\n]{1,60}\b(?:wrote|said|writes)\s*:[^\S\n]*$(?=\n\s*>)"
    r"|(?:Originally posted by\b[^\n]{0,80}|Quote:|Quoting\b[^\n]{0,60}:)[^\S\n]*$)\n?",
    re.MULTILINE,
)
_QUOTED = re.compile(r"^[^\S\n]*>(?!>)[^\n]*(?:\n|\Z)", re.MULTILINE)
_BB_QUOTE = re.compile(r"\[quote[^\]\n]{0,80}\].*?\[/quote\]\s*", re.DOTALL | re.IGNORECASE)
_BB_MARK = re.compile(
    r"\[/?(?:b|i|u|s|url|img|color|size|code|list|\*)(?:=[^\]\n]{0,200})?\]", re.I
)
_SIGNATURE = re.compile(r"\n-- ?\n.*\Z|\n(?i:sent from my )[^\n]*\s*\Z", re.DOTALL)
_FURNITURE = re.compile(
    r"^(?:(?:Posted|Published|Written) (?:by|on|at)\b[^\n.!?]{0,80}"
    r"|Filed under\b[^\n.!?]{0,80}|Tagged (?:with|as)\b[^\n.!?]{0,80}"
    r"|(?:Tags|Labels|Categories)\s*:[^\n.!?]{0,80}"
    r"|Permalink|Share this(?: post| article| on \w+)?|Read more|\d{1,5} comments?"
    r"|Leave a (?:comment|reply))[^\S\n]*$\n?",
    re.MULTILINE | re.IGNORECASE,
)


def message_header(text: str) -> str:
    """``From:``, ``Subject:`` and the like above a message."""
    return _MAIL_HEADER.sub("", text)


def quoting(text: str) -> str:
    """What the writer quotes of others: lines with ``>``, and the line that says who wrote it."""
    return _QUOTED.sub("", _WROTE.sub("", _BB_QUOTE.sub("", text)))


def signature(text: str) -> str:
    """What follows ``--`` on a line of its own."""
    return _SIGNATURE.sub("", text)


def board_marks(text: str) -> str:
    """``[b]`` and other marks of bulletin boards."""
    return _BB_MARK.sub("", text)


def post_furniture(text: str) -> str:
    """``Posted by``, ``Filed under``, ``Share this`` on lines of their own."""
    return _FURNITURE.sub("", text)


_NAME = r"[A-Z][A-Z.'’-]*"
_TITLED = r"(?:(?:MR|MS|MRS|DR|SEN|REP|PRES|GOV)\.[^\S\n]*)"
_PART = r"(?:,[^\S\n]*[A-Za-z' -]{2,40})?(?:[^\S\n]*\([^()\n]{1,40}\))?"
_ROLES = (
    r"(?:Mr|Ms|Mrs|Dr)\.[^\S\n]*[A-Z][\w'’-]+"
    r"|(?:Host|Interviewer|Interviewee|Moderator|Reporter|Anchor|Speaker|Caller|Guest|Narrator)"
    r"(?:[^\S\n]*\d{1,2})?"
    r"|[QA]|主持人|记者|記者|嘉宾|嘉賓|观众|問|问|答"
)
_END = r"[^\S\n]*[:：]\s*"
_SPEAKER = re.compile(
    rf"^(?:>>+[^\S\n]*)?(?:{_TITLED}?{_NAME}(?:[^\S\n]+{_NAME}){{0,4}}{_PART}|{_ROLES}){_END}",
    re.MULTILINE,
)
_SPEAKER_IN_CAPITALS = re.compile(
    rf"^(?:>>+[^\S\n]*{_NAME}(?:[^\S\n]+{_NAME}){{0,4}}{_PART}"
    rf"|{_TITLED}{_NAME}|{_NAME}(?:[^\S\n]+{_NAME})?|{_ROLES}){_END}",
    re.MULTILINE,
)
"""Where all is in capitals, a long run before a colon may be the text itself."""
_STAGE = re.compile(
    r"[\[(](?:(?i:applause|laughter|laughs|crosstalk|inaudible|music|cheering|silence|sighs|"
    r"indistinct|unintelligible|foreign language|begin video ?clip|end video ?clip|"
    r"commercial break|video ?clip|on camera|voice-?over|"
    r"掌声|笑声|音乐|听不清))[^\])\n]{0,30}[\])]\s*"
)
_CHEVRONS = re.compile(r"(?:^|(?<=\s))>{2,3}\s*")
_NOTES = re.compile(r"[♪♫♬#]\s*(?=[♪♫♬])|[♪♫♬]+\s*")
_CUE = re.compile(
    r"^(?:\d{1,5}[^\S\n]*\n)?\d{1,2}:\d\d(?::\d\d)?[.,]\d{1,3}\s*-->[^\n]*(?:\n|$)", re.MULTILINE
)
_CLOCK = re.compile(
    r"^(?:\[\d{1,2}:\d\d(?::\d\d)?\]|\(\d{1,2}:\d\d(?::\d\d)?\)|\d{1,2}:\d\d:\d\d)\s+", re.MULTILINE
)
_WEBVTT = re.compile(r"\A(?:\ufeff)?WEBVTT[^\n]*\n+")
SHOUTED = 0.8
"""The share of capitals from which a text is all in capitals."""


def speaker_labels(text: str) -> str:
    """``MR. SMITH:`` and ``Interviewer:`` at the beginning of a line."""
    letters = [one for one in text if one.isalpha()]
    shouted = sum(letter.isupper() for letter in letters) > SHOUTED * len(letters)
    return (_SPEAKER_IN_CAPITALS if shouted else _SPEAKER).sub("", text)


def stage_directions(text: str) -> str:
    """``[APPLAUSE]``, ``(LAUGHTER)``, ``[MUSIC]``."""
    return _STAGE.sub("", text)


def caption_marks(text: str) -> str:
    """``>>`` for a new speaker, notes of music."""
    return _NOTES.sub("", _CHEVRONS.sub("", text))


def cue_times(text: str) -> str:
    """The times and numbers of subtitle files, and a clock before a line."""
    return _CLOCK.sub("", _CUE.sub("", _WEBVTT.sub("", text)))


# Formatting standardised by named rules: what would tell a passage's genre at a glance goes.


VERSION = "formatting-3"


@dataclass(frozen=True, slots=True)
class Standard:
    """A text as the judges see it, and the rules that changed it."""

    text: str
    rules: tuple[str, ...]


RULES: dict[str, Callable[[str], str]] = {
    "wiki_markup": wiki_markup,
    "html": html,
    "message_header": message_header,
    "quoting": quoting,
    "signature": signature,
    "board_marks": board_marks,
    "post_furniture": post_furniture,
    "cue_times": cue_times,
    "speaker_labels": speaker_labels,
    "stage_directions": stage_directions,
    "caption_marks": caption_marks,
    "headline": headline,
    "byline": byline,
    "dateline": dateline,
    "white_space": white_space,
}
"""Every rule, in the order in which they are tried."""
EVERYWHERE = ("html", "white_space")
BY_GENRE = {
    "newswire": ("headline", "byline", "dateline"),
    "weblog": ("headline", "byline", "post_furniture"),
    "forum": ("message_header", "quoting", "signature", "board_marks"),
    "encyclopaedia": ("wiki_markup",),
    "transcript": ("cue_times", "speaker_labels", "stage_directions"),
    "caption": ("cue_times", "speaker_labels", "stage_directions", "caption_marks"),
    "machine_translation": ("headline", "byline", "dateline"),
}
"""The rules of a genre, in addition to those that apply everywhere."""
_ALIASES = {
    "news": "newswire",
    "newspaper": "newswire",
    "blog": "weblog",
    "newsgroup": "forum",
    "newsgroups": "forum",
    "forum_post": "forum",
    "wikipedia": "encyclopaedia",
    "wiki": "encyclopaedia",
    "encyclopedia": "encyclopaedia",
    "broadcast_transcript": "transcript",
    "broadcast": "transcript",
    "interview": "transcript",
    "captions": "caption",
    "closed_caption": "caption",
    "closed_captions": "caption",
    "subtitles": "caption",
    "mt": "machine_translation",
    "machine_translation_output": "machine_translation",
}


def rules_for(genre: str) -> tuple[str, ...]:
    """The rules for a genre, in their order; a genre that nobody knows has those for all."""
    name = re.sub(r"[\s-]+", "_", genre.strip().lower())
    wanted = {*EVERYWHERE, *BY_GENRE.get(_ALIASES.get(name, name), ())}
    return tuple(rule for rule in RULES if rule in wanted)


def standardise(text: str, genre: str) -> Standard:
    """A text by the rules for its genre; those that changed it are named."""
    fired: list[str] = []
    for name in rules_for(genre):
        after = RULES[name](text)
        if after != text:
            fired.append(name)
            text = after
    return Standard(text, tuple(fired))
