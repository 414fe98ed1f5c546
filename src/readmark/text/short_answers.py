"""The short answer in a wordy one: what stands after "the answer is", a label, or by itself.

Rules of wording alone, the same for every question; where none fits, all of it is the answer.
"""

from __future__ import annotations

import re

import msgspec

RULES = "wording-1"
"""The version of the rules, for signatures."""

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{([^{}]+)\}")
_LABEL = re.compile(
    r"^[ \t>*#_-]*(?:(?:the|my)\s+)?(?:(?:final|short|correct|best)\s+)?answer\s*(?:is\s*)?[*_]*\s*"
    r"[:：][*_]*[ \t]*(?P<en>\S.*?)\s*$"
    r"|^[ \t>*#_-]*(?:最终|最后的?|正确|参考|简短)?(?:答案|回答)[*_]*\s*(?:是|为)?\s*"
    r"[:：][*_]*[ \t]*(?P<zh>\S.*?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_PHRASE_EN = re.compile(
    r"\banswer(?:\s+to\s+(?:the|this|that|your)\s+question)?\s+"
    r"(?:is|was|would\s+be|should\s+be|must\s+be)\s+(?:that\s+)?(?::\s*)?(?=\S)",
    re.IGNORECASE,
)
_PHRASE_ZH = re.compile(r"答案(?:应该是|应当是|应该为|应为|就是|可能是|是|为)[:：]?\s*(?=\S)")
_SENTENCE_END = re.compile(r"[.!?](?=[\"'”’)*_]*(?:\s+[\"'“‘(]?[A-Z]|\s*$))|[。！？]")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Capt|Lt|Rev|Hon|No|Vol|vs|c|ca|Mt|Ft)"
    r"\.?$|(?:\b[A-Za-z]\.)+[A-Za-z]$"
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_INTRODUCED = re.compile(
    r"(?:[:：]|\b(?:is|was|are|were|says?|states?|called|named|reads?)|是|为|叫|称为|写道)\s*[*_]*"
    r"(?P<said>\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』)[*_\s.。!！]*$",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_WORDS_OF_A_LINE, _CHARACTERS_OF_A_LINE = 12, 30
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_MOST_TIMES = 3


def short_answer(text: str) -> str:
    """The short answer that a text gives; the text itself where it is short or says no more."""
    said = _THOUGHT.sub("", text).strip() or text.strip()
    for _ in range(_MOST_TIMES):
        shorter = _bare(_taken(said)) or said
        if shorter == said:
            break
        said = shorter
    return said


def _taken(text: str) -> str:
    """What the first rule that fits takes out."""
    member = _member(text)
    if member is not None:
        return member
    boxed = _BOXED.findall(text)
    if boxed:
        return str(boxed[-1])
    labelled = [one["en"] or one["zh"] for one in _LABEL.finditer(text)]
    if labelled:
        return str(labelled[-1])
    phrased = [*_PHRASE_EN.finditer(text), *_PHRASE_ZH.finditer(text)]
    if phrased:
        last = max(found.end() for found in phrased)
        return _first_sentence(text[last:].partition("\n")[0])
    introduced = _INTRODUCED.search(text)
    if introduced:
        return str(introduced["said"])
    bold = [one or other for one, other in _BOLD.findall(text)]
    if len(bold) == 1 and not bold[0].rstrip().endswith((":", "：")):
        return str(bold[0])
    return _last_line(text)


def _member(text: str) -> str | None:
    """The member ``answer`` of a JSON object."""
    if not text.startswith("{"):
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    said = found.get("answer") if isinstance(found, dict) else None
    if isinstance(said, bool) or not isinstance(said, (str, int, float)):
        return None
    return str(said)


def _first_sentence(text: str) -> str:
    """Up to where the sentence ends; a point after a title or an initial ends none."""
    for found in _SENTENCE_END.finditer(text):
        before = text[: found.start()]
        if found[0] == "." and _ABBREVIATED.search(before) and text[found.end() :].strip():
            continue
        return before
    return text


def _last_line(text: str) -> str:
    """A short line at the end, after other lines."""
    lines = [one for one in text.splitlines() if one.strip()]
    if len(lines) < 2:
        return text
    last = lines[-1].strip()
    many = len(_HAN.findall(last))
    short = many <= _CHARACTERS_OF_A_LINE if many else len(last.split()) <= _WORDS_OF_A_LINE
    return last if short else text


def _bare(text: str) -> str:
    """Without marks of emphasis, a point at the end, and quotation marks around all of it."""
    said = text.strip()
    while True:
        before = said
        if len(said) > 4 and said[:2] == said[-2:] and said[:2] in ("**", "__"):
            said = said[2:-2].strip()
        if len(said) > 2 and _QUOTES.get(said[0]) == said[-1] and said[-1] not in said[1:-1]:
            said = said[1:-1].strip()
        if len(said) > 1 and (said[-1] == "。" or _ends_in_a_point(said)):
            said = said[:-1].rstrip() or before
        if said == before:
            return said


def _ends_in_a_point(text: str) -> bool:
    """Whether the last point ends a sentence, not a title, an initial or a row of points."""
    return text[-1] == "." and text[-2] != "." and not _ABBREVIATED.search(text[:-1])
