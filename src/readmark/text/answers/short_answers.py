"""The short answer in a wordy reply.

Rules of wording alone, the same for every question; where none fits, the whole reply is the answer.
"""

from __future__ import annotations

import re

from readmark.text.answers.json_members import boxed, members_in_json
from readmark.text.answers.thoughts import without_thoughts

RULES = "wording-2"
"""The version of the rules, for signatures."""

_LABEL = re.compile(
    r"^[ \t>*#_-]*(?:(?:the|my)\s+)?(?:(?:final|short|correct|best)\s+)?answer\s*[*_]*\s*"
    r"[:：][*_]*[ \t]*(?P<en>\S.*?)\s*$"
    r"|^[ \t>*#_-]*(?:最终|最后的?|正确|参考|简短)?(?:答案|回答)[*_]*\s*"
    r"[:：][*_]*[ \t]*(?P<zh>\S.*?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ENGLISH_PHRASE = re.compile(
    r"\banswer(?:\s+to\s+(?:the|this|that|your)\s+question)?\s+"
    r"(?:is|was|would\s+be|should\s+be|must\s+be)(?:\s+that)?(?:\s*[:：][*_]*\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
_CHINESE_PHRASE = re.compile(r"答案(?:应该是|应当是|应该为|应为|就是|可能是|是|为)[:：]?\s*(?=\S)")
_SENTENCE_END = re.compile(r"[.!?](?=[\"'”’)*_]*(?:\s+[\"'“‘(]?[A-Z]|\s*$))|[。！？]")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Capt|Lt|Rev|Hon|No|Vol|vs|c|ca|Mt|Ft)"
    r"\.?$|(?:\b[A-Za-z]\.)+[A-Za-z]$"
)
_LONGEST_ABBREVIATION = 40
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_INTRODUCED = re.compile(
    r"(?:[:：]|\b(?:is|was|are|were|says?|states?|called|named|reads?)|是|为|叫|称为|写道)\s*[*_]*"
    r"(?P<quote>\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』)[*_\s.。!！]*$",
    re.IGNORECASE,
)
"""A quotation at the end, after words that introduce it."""
_COURTESY = re.compile(
    r"(?:i )?hope (?:this|that|it) (?:helps|answers|is)\b|(?:please )?let me know (?:if|whether)\b"
    r"|(?:please )?feel free to\b|if you (?:have|need) (?:any|more|further|other)"
    r"|is there anything\b|(?:do you (?:have|need)|would you like) (?:any|more|me)"
    r"|(?:happy|glad) to help\b|you['’]re welcome\b"
    r"|希望(?:这|以上|能|对[你您])|如果[你您](?:有|还|需)|如有(?:其他|任何|疑问|问题|需要)"
    r"|还有(?:什么|其他).*[吗？?]|请随时|有(?:什么|任何)问题",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?i:because|since|so|per|according to|based on|source|note|evidence|see)\b"
    r"|(?i:as|it|he|she|they|we|i|this|that|these|those|there|here) [a-z]"
    r"|(?i:the (?:passage|text|article|author|story))\b|[(（]"
    r"|因为|由于|根据|依据|文中|文章|篇章|原文|这|所以|来源|出自|注[:：]|证据"
)
"""How a line begins that gives a reason, not the answer; a name such as He Suyun does not."""
_SENTENCE = re.compile(r"[.!?。！？:：…][\"'”’」』)）*_]*$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_MOST_WORDS, _MOST_HAN = 12, 30
_LEAST_REASONING = 4
"""Words, or characters, below which what comes before may be the answer itself."""
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_MOST_ROUNDS = 3


def short_answer(text: str) -> str:
    """The short answer that a text gives; the text itself where it is short or says no more."""
    answer = _without_fence(without_thoughts(text).strip()) or text.strip()
    for _ in range(_MOST_ROUNDS):  # what a rule gives may be wordy itself: "The answer is **Tom**."
        shorter = _bare(_by_first_rule(answer)) or answer
        if shorter == answer:
            break
        answer = shorter
    return answer


def _by_first_rule(text: str) -> str:
    """What the first rule gives that fits."""
    members = members_in_json(text, "answer") if "{" in text else None
    if members is not None and isinstance(members.members["answer"], str):
        return members.members["answer"]
    boxes = [content for content in boxed(text) if content]
    if boxes:
        return boxes[-1]
    labelled = [match["en"] or match["zh"] for match in _LABEL.finditer(text)]
    if labelled:
        return str(labelled[-1])
    phrases = [*_ENGLISH_PHRASE.finditer(text), *_CHINESE_PHRASE.finditer(text)]
    if phrases:
        last = max(match.end() for match in phrases)
        return _first_sentence(text[last:].partition("\n")[0])
    introduced = _INTRODUCED.search(text)
    if introduced:
        return introduced["quote"]
    bold = [stars or underscores for stars, underscores in _BOLD.findall(text)]
    if len(bold) == 1 and not bold[0].rstrip().endswith((":", "：")):
        return str(bold[0])
    return _last_line(text)


def _without_fence(text: str) -> str:
    """The content of a fence, where that is all there is."""
    opening, _, inside = text.partition("\n")
    language = opening.removeprefix("```").strip()
    if opening == text or not opening.startswith("```") or (language and not language.isalnum()):
        return text
    inside = inside.removesuffix("```")
    return text if not text.endswith("```") or "```" in inside else inside.strip()


def _first_sentence(text: str) -> str:
    """Up to where the sentence ends; a full stop after a title or an initial ends none."""
    for match in _SENTENCE_END.finditer(text):
        before = text[: match.start()]
        if match[0] == "." and _ABBREVIATION.search(before) and text[match.end() :].strip():
            continue
        return before
    return text


def _last_line(text: str) -> str:
    """A short line at the end after sentences that are longer; courtesies after it do not count.

    A line that is itself a sentence, or begins as a reason does, is no answer alone in its line.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    while len(lines) > 1 and _COURTESY.match(lines[-1]):
        lines.pop()
    *before, last = lines or [""]
    if not before:
        return last if last else text
    are_sentences = all(_SENTENCE.search(line) for line in before)
    is_answer = not _SENTENCE.search(last) and not _REASON.match(last)
    is_longer_before = _length("\n".join(before)) >= max(_LEAST_REASONING, _length(last))
    if are_sentences and is_answer and is_longer_before and _is_short(last):
        return last
    text = text.rstrip()
    return text[: text.rindex(last) + len(last)]


def _is_short(line: str) -> bool:
    han = len(_HAN.findall(line))
    return han <= _MOST_HAN if han else len(line.split()) <= _MOST_WORDS


def _length(text: str) -> int:
    """In words, or characters of Chinese."""
    return len(_HAN.findall(text)) or len(text.split())


def _bare(text: str) -> str:
    """Without marks of emphasis, a full stop at the end, and quotation marks around all of it."""
    bare = text.strip()
    while True:
        before = bare
        if len(bare) > 4 and bare[:2] == bare[-2:] and bare[:2] in ("**", "__"):
            bare = bare[2:-2].strip()
        if len(bare) > 2 and _QUOTES.get(bare[0]) == bare[-1] and bare[-1] not in bare[1:-1]:
            bare = bare[1:-1].strip()
        if len(bare) > 1 and (bare[-1] == "。" or _ends_in_a_full_stop(bare)):
            bare = bare[:-1].rstrip() or before
        if bare == before:
            return bare


def _ends_in_a_full_stop(text: str) -> bool:
    """Whether the last point ends a sentence, not a title, an initial or a row of points."""
    if text[-1] != "." or text[-2] == ".":
        return False
    return not _ABBREVIATION.search(text[-_LONGEST_ABBREVIATION:-1])
