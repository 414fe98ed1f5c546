"""What surrounds speech that was written down: speakers, stage directions, captions, times."""

from __future__ import annotations

import re

# A speaker is a name in capitals, with a title before it and a part after it, or a role.
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
"""For texts in capitals throughout, where a long run before a colon may be the text itself."""
_STAGE = re.compile(
    r"[\[(](?:(?i:applause|laughter|laughs|crosstalk|inaudible|music|cheering|silence|sighs|"
    r"indistinct|unintelligible|foreign language|begin video ?clip|end video ?clip|"
    r"commercial break|video ?clip|on camera|voice-?over|"
    r"掌声|笑声|音乐|听不清))[^\])\n]{0,30}[\])]\s*"
)
# Captions mark a new speaker by two chevrons and a new story by three.
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
"""The share of capitals above which a text counts as being in capitals throughout."""


def speaker_labels(text: str) -> str:
    """``MR. SMITH:`` and ``Interviewer:`` at the beginning of a line."""
    letters = [character for character in text if character.isalpha()]
    is_shouted = sum(letter.isupper() for letter in letters) > SHOUTED * len(letters)
    return (_SPEAKER_IN_CAPITALS if is_shouted else _SPEAKER).sub("", text)


def stage_directions(text: str) -> str:
    """``[APPLAUSE]``, ``(LAUGHTER)``, ``[MUSIC]``."""
    return _STAGE.sub("", text)


def caption_marks(text: str) -> str:
    """Chevrons, and notes of music."""
    return _NOTES.sub("", _CHEVRONS.sub("", text))


def cue_times(text: str) -> str:
    """The times and numbers of subtitle files, and a clock before a line."""
    return _CLOCK.sub("", _CUE.sub("", _WEBVTT.sub("", text)))
