"""What surrounds a post: headers, what it quotes, signatures, furniture."""

from __future__ import annotations

import re

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
