"""Formatting standardised by named rules: what would tell a passage's genre at a glance goes.

Each rule takes a text and gives it back without one sort of mark. The words of the passage stay,
and so do its mistakes: only what a layout or a tool put there goes. The original is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from readmark.setting.panels.formatting import news, pages, posts, talk

VERSION = "formatting-2"


@dataclass(frozen=True, slots=True)
class Standard:
    """A text as the judges see it, and the rules that changed it."""

    text: str
    rules: tuple[str, ...]


RULES: dict[str, Callable[[str], str]] = {
    "wiki_markup": pages.wiki_markup,
    "html": pages.html,
    "message_header": posts.message_header,
    "quoting": posts.quoting,
    "signature": posts.signature,
    "board_marks": posts.board_marks,
    "post_furniture": posts.post_furniture,
    "cue_times": talk.cue_times,
    "speaker_labels": talk.speaker_labels,
    "stage_directions": talk.stage_directions,
    "caption_marks": talk.caption_marks,
    "headline": news.headline,
    "byline": news.byline,
    "dateline": news.dateline,
    "white_space": pages.white_space,
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
"""The rules of a genre beside those that hold everywhere."""
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


def standardised(text: str, genre: str) -> Standard:
    """A text by the rules for its genre; those that changed it are named."""
    fired: list[str] = []
    for name in rules_for(genre):
        after = RULES[name](text)
        if after != text:
            fired.append(name)
            text = after
    return Standard(text, tuple(fired))
