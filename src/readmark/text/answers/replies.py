"""What a model's reply says: without its thoughts, its JSON members, or the short answer in it.

Rules of wording alone, the same for every question; where none fits, all of it is the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.text.answers.loose_json import LooseObject, is_readable, loose_objects, with_commands

# What a model wrote down while it thought, and what it said: the first is no part of an answer.


_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)


def without_thoughts(reply: str) -> str:
    """What was said; a thought that never ends leaves nothing after it."""
    if "<" not in reply:
        return reply
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _TAG.finditer(reply):
        if tag[1]:
            if not thinking:  # it was thinking from the start, and only says so now
                kept.clear()
            thinking = False
        elif not thinking:
            kept.append(reply[at : tag.start()])
            thinking = True
        at = tag.end()
    if not thinking:
        kept.append(reply[at:])
    return "".join(kept)


def why_nothing(reply: str) -> str | None:
    """Why nothing was said, if nothing was: an answer that is none was not given then."""
    if without_thoughts(reply).strip():
        return None
    if not reply.strip():
        return "empty"
    *_, last = _TAG.finditer(reply)
    return "reasoning only" if last[1] else "cut off while reasoning"


# Members of the JSON in what a model said, however loosely it kept to it, and boxed answers.


_NO_WORDS = re.compile(r"```[ \t]*\w*|\s")
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_ALIASES = {
    "answer": frozenset(
        ("answer", "final answer", "final_answer", "finalanswer", "答案", "最终答案", "回答")
    ),
    "rewrite": frozenset(
        ("rewrite", "rewritten", "rewritten question", "rewritten_question", "改写", "改写后的问题")
    ),
    "rating": frozenset(("rating", "score", "readability", "评分", "分数", "等级")),
    "verdict": frozenset(("verdict", "结论", "判断")),
    "evidence": frozenset(("evidence", "quote", "证据", "依据", "原文")),
}
_MOST_INSIDE = 200
_STRICT = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)


class ReplyMembers(msgspec.Struct, frozen=True):
    """The members that were read, and whether they stood in JSON, under a label or bare."""

    members: dict[str, Any]
    form: str


def boxed(text: str) -> list[str]:
    r"""The content of ``\boxed{}``, also as ``\text{}``, in its order."""
    return [one.strip() for one in _BOXED.findall(text)]


def members_in_json(reply: str, member: str) -> ReplyMembers | None:
    """The last object that has the member whole, else the last that was cut off in it.

    Numbers are kept as they were written. Nothing is read in a text that is too long, or that
    opens too many objects.
    """
    if not is_readable(reply):
        return None
    whole = _strictly(reply)
    if whole is not None and (read := _members(whole, member)) is not None:
        return ReplyMembers(read, "json")
    best: tuple[LooseObject, dict[str, Any]] | None = None
    for found in loose_objects(reply):
        inner = _members(found.members, member)
        if inner is None:
            continue
        if best is None or not _cut_in(found, member) or _cut_in(best[0], member):
            best = found, inner
    if best is None:
        return None
    found, inner = best
    around = reply[: found.start] + reply[found.end :]
    if found.unfinished or reply[found.end - 1] != "}":
        return ReplyMembers(inner, "broken json")
    if _NO_WORDS.sub("", around):
        return ReplyMembers(inner, "json inside words")
    return ReplyMembers(
        inner, "json" if _strictly(reply[found.start : found.end]) else "loose json"
    )


def each_in_json(reply: str, member: str) -> Iterator[Any]:
    """The member of every object that has it whole, in their order."""
    for loose_object in loose_objects(reply):
        inner = _members(loose_object.members, member)
        if inner is not None and not _cut_in(loose_object, member):
            yield inner[member]


def _strictly(text: str) -> dict[str, Any] | None:
    try:
        found = _STRICT.decode(with_commands(text))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _cut_in(found: LooseObject, member: str) -> bool:
    return any(_plain(name) in _ALIASES[member] for name in found.unfinished)


def _members(found: dict[str, Any], member: str) -> dict[str, Any] | None:
    """The member and its evidence by any of their names, in the object or in one inside it."""
    for one in _inside(found):
        named = {_plain(name): value for name, value in one.items()}
        for name in (member, *sorted(_ALIASES[member] & named.keys())):
            if name in named:
                read = {member: named[name]}
                quotes = [named[name] for name in sorted(_ALIASES["evidence"] & named.keys())]
                return {**read, "evidence": quotes[0]} if quotes else read
    return None


def _plain(name: str) -> str:
    return name.strip().casefold()


def _inside(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object, then those in it, the outer ones first."""
    waiting: list[dict[str, Any]] = [found]
    for one in waiting:
        yield one
        if len(waiting) < _MOST_INSIDE:
            waiting += [value for value in one.values() if isinstance(value, dict)]


RULES = "wording-2"
"""The version of the rules, for signatures."""

_LABEL = re.compile(
    r"^[ \t>*#_-]*(?:(?:the|my)\s+)?(?:(?:final|short|correct|best)\s+)?answer\s*[*_]*\s*"
    r"[:：][*_]*[ \t]*(?P<en>\S.*?)\s*$"
    r"|^[ \t>*#_-]*(?:最终|最后的?|正确|参考|简短)?(?:答案|回答)[*_]*\s*"
    r"[:：][*_]*[ \t]*(?P<zh>\S.*?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_PHRASE_EN = re.compile(
    r"\banswer(?:\s+to\s+(?:the|this|that|your)\s+question)?\s+"
    r"(?:is|was|would\s+be|should\s+be|must\s+be)(?:\s+that)?(?:\s*[:：][*_]*\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
_PHRASE_ZH = re.compile(r"答案(?:应该是|应当是|应该为|应为|就是|可能是|是|为)[:：]?\s*(?=\S)")
_SENTENCE_END = re.compile(r"[.!?](?=[\"'”’)*_]*(?:\s+[\"'“‘(]?[A-Z]|\s*$))|[。！？]")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Capt|Lt|Rev|Hon|No|Vol|vs|c|ca|Mt|Ft)"
    r"\.?$|(?:\b[A-Za-z]\.)+[A-Za-z]$"
)
_LONGEST_ABBREVIATED = 40
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_INTRODUCED = re.compile(
    r"(?:[:：]|\b(?:is|was|are|were|says?|states?|called|named|reads?)|是|为|叫|称为|写道)\s*[*_]*"
    r"(?P<said>\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』)[*_\s.。!！]*$",
    re.IGNORECASE,
)
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
    r"|(?i:as|it|he|she|they|we|i|this|that|these|there|here) [a-z]"
    r"|(?i:the (?:passage|text|article|author|story))\b|[(（]"
    r"|因为|由于|根据|依据|文中|文章|篇章|原文|这|所以|来源|出自|注[:：]|证据"
)
"""How a line begins that gives a reason, not the answer; a name such as He Suyun does not."""
_SENTENCE = re.compile(r"[.!?。！？:：…][\"'”’」』)）*_]*$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_WORDS_OF_A_LINE, _CHARACTERS_OF_A_LINE = 12, 30
_LEAST_REASONING = 4
"""Words, or characters, below which what comes before may be the answer itself."""
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_MOST_TIMES = 3


def short_answer(text: str) -> str:
    """The short answer that a text gives; the text itself where it is short or says no more."""
    said = _unfenced(without_thoughts(text).strip()) or text.strip()
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
    in_boxes = [one for one in boxed(text) if one]
    if in_boxes:
        return in_boxes[-1]
    labelled = [match["en"] or match["zh"] for match in _LABEL.finditer(text)]
    if labelled:
        return str(labelled[-1])
    phrased = [*_PHRASE_EN.finditer(text), *_PHRASE_ZH.finditer(text)]
    if phrased:
        last = max(match.end() for match in phrased)
        return _first_sentence(text[last:].partition("\n")[0])
    introduced = _INTRODUCED.search(text)
    if introduced:
        return str(introduced["said"])
    bold = [one or other for one, other in _BOLD.findall(text)]
    if len(bold) == 1 and not bold[0].rstrip().endswith((":", "：")):
        return str(bold[0])
    return _last_line(text)


def _member(text: str) -> str | None:
    """The member ``answer`` of a JSON object, a number as it was written."""
    reply_members = members_in_json(text, "answer") if "{" in text else None
    answer = reply_members.members["answer"] if reply_members is not None else None
    return answer if isinstance(answer, str) else None


def _unfenced(text: str) -> str:
    """The content of a fence, where that is all there is."""
    begun, _, inside = text.partition("\n")
    language = begun.removeprefix("```").strip()
    if begun == text or not begun.startswith("```") or not (not language or language.isalnum()):
        return text
    inside = inside.removesuffix("```")
    return text if not text.endswith("```") or "```" in inside else inside.strip()


def _first_sentence(text: str) -> str:
    """Up to where the sentence ends; a point after a title or an initial ends none."""
    for match in _SENTENCE_END.finditer(text):
        before = text[: match.start()]
        if match[0] == "." and _ABBREVIATED.search(before) and text[match.end() :].strip():
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
    reasoned = all(_SENTENCE.search(one) for one in before)
    alone = not _SENTENCE.search(last) and not _REASON.match(last)
    longer = _length("\n".join(before)) >= max(_LEAST_REASONING, _length(last))
    if reasoned and alone and longer and _is_short(last):
        return last
    kept = text.rstrip()
    return kept[: kept.rindex(last) + len(last)]


def _is_short(line: str) -> bool:
    many = len(_HAN.findall(line))
    return many <= _CHARACTERS_OF_A_LINE if many else len(line.split()) <= _WORDS_OF_A_LINE


def _length(text: str) -> int:
    """In words, or characters of Chinese."""
    return len(_HAN.findall(text)) or len(text.split())


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
    if text[-1] != "." or text[-2] == ".":
        return False
    return not _ABBREVIATED.search(text[-_LONGEST_ABBREVIATED:-1])
