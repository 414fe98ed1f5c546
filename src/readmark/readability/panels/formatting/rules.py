"""The formatting rules by name and by genre, and a text standardised by them.

As in the DARPA Machine Reading evaluation (section 2.1): features of a text's surface that show
its genre, such as headlines and wiki markup, are removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from readmark.readability.panels.formatting.news_story import byline, dateline, headline
from readmark.readability.panels.formatting.page_marks import html, white_space, wiki_markup
from readmark.readability.panels.formatting.posts import (
    board_marks,
    message_header,
    post_furniture,
    quoting,
    signature,
)
from readmark.readability.panels.formatting.transcripts import (
    caption_marks,
    cue_times,
    speaker_labels,
    stage_directions,
)

FORMATTING_VERSION = "formatting-3"


@dataclass(frozen=True, slots=True)
class Standard:
    """A text as judges see it, and the names of the rules that changed it."""

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
"""Every rule, in the order in which they are applied."""
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
    """The rules for a genre, in their order; an unknown genre has those that apply everywhere."""
    name = re.sub(r"[\s-]+", "_", genre.strip().lower())
    names = {*EVERYWHERE, *BY_GENRE.get(_ALIASES.get(name, name), ())}
    return tuple(rule for rule in RULES if rule in names)


def standardise(text: str, genre: str) -> Standard:
    """A text by the rules for its genre; those that changed it are named."""
    changing: list[str] = []
    for name in rules_for(genre):
        after = RULES[name](text)
        if after != text:
            changing.append(name)
            text = after
    return Standard(text, tuple(changing))
