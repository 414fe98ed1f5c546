"""Questions on clauses in Chinese: what the passage is about, then what is asked of it.

They are short and their answers may be as long as the clause, as in reading tests; the sentence
stays in the passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readmark.models.span.clozes.chinese_frames import CAUSE, FRAMES, YEAR, Frame
from readmark.models.span.clozes.values import Article, Cloze

_LONGEST = 56
_CLAUSE = re.compile(r"[^，；。！？：]+")
_PRONOUN = re.compile(
    r"^(?:他们|她们|它们|他|她|它|其(?![实中他余次后它])|该[一-鿿]{1,2}|此[一-鿿]|"
    r"本[片剧书曲站校市县区村镇路线种属科]|这[一-鿿]{1,3}|两[者人])的?"
)
_OPENING = re.compile(
    r"^(?:但是?|而且?|并且?|然而|不过|另外|此外|同时|其后|之后|后来?|后又|随后|当时|当年|同年|翌年|"
    r"次年|现时?|目前|现在|亦|也|又|则|都|还|曾经?|已|因此|所以|于是|因而|故|即|尤其|其中|主要|一般|"
    r"通常|最后|最终|最初|起初|直[到至]|至|从|自|与|和|及|以及|或|虽然|尽管|如果|例如|比如|当|"
    rf"[在于到至自]?(?:{YEAR})(?:起|时|间|后|前|以来)?)"
)
_ADVERB = re.compile(
    r"(?:通常|主要|一般|往往|大多|大都|多数|同样|正式|其实|本来|原本|首次|再次|竟然|仍然|依然|虽然|"
    r"历史上|基本|继续|分别|一直|全部|单独|[亦则都就竟也曾已便即才仍又均皆还再并共可仅更])+$"
)
_NAME = re.compile(r"^[一-鿿A-Za-z0-9·《》“”「」 -]{2,14}$")
_NO_NAME = re.compile(
    r"[了着被把将是有在于为会可能不没使让令从由对向与和及以所至到来去出进入说认指称其此该这那他她它我你年月日]"
    r"|^[的之者们些个「“]|之[后前]|[时后前中]$"
)
_GOES_ON = "是，（(在由为曾又亦也位成属有于以、："
_NO_END = "后时前和与及而并之在为中的"
_BRACKETS = tuple(zip("“「《（(『‘", "”」》）)』’", strict=True))


def clause_questions(article: Article, at: int, draw: Random) -> Iterator[Cloze]:
    """Questions on the clauses of one sentence of a passage."""
    sentence = article.sentences[at]
    base = sum(map(len, article.sentences[:at]))
    text = "".join(article.sentences)
    topic = _topic(article.title)
    about = topic if _is_about(sentence, topic) else ""
    for start, end, question in [
        *_reasons(sentence, topic, about, draw),
        *_framed(sentence, topic, about, draw),
    ]:
        answer = sentence[start:end]
        broken = len(answer) < 2 or answer[-1] in _NO_END or answer in question
        if 4 <= len(question) <= 40 and not broken:
            ended = question + draw.choice(("？", "？", "？", "?", ""))
            yield Cloze(text, ended, answer, base + start)


def _framed(sentence: str, topic: str, about: str, draw: Random) -> Iterator[tuple[int, int, str]]:
    for clause in _CLAUSE.finditer(sentence):
        # Further on, a clause without a subject of its own has the sentence's.
        known = about if clause.start() else topic
        for frame in FRAMES:
            found = frame.pattern.search(clause[0])
            subject = _subject(found["s"], known) if found else None
            if found is None or subject is None:
                continue
            start, end = (clause.start() + place for place in found.span("a"))
            if frame.more:
                end = _running_on(sentence, start, end, frame.more, draw)
            yield start, _closed(sentence, start, end), _asked(frame, found, subject, topic, draw)
            break


def _asked(frame: Frame, found: re.Match[str], subject: str, topic: str, draw: Random) -> str:
    told = found.groupdict()
    # What something is, is asked of a name.
    forms = [one for one in frame.forms if subject == topic or not one.startswith("什么是")]
    return draw.choice(forms).format(s=subject, v=told.get("v") or "", b=told.get("b") or "")


def _reasons(sentence: str, topic: str, about: str, draw: Random) -> Iterator[tuple[int, int, str]]:
    for found in CAUSE.finditer(sentence):
        effect = re.sub(r"^[而也亦就便才则]", "", found["b"])
        pronoun = _PRONOUN.match(effect)
        if pronoun:
            if not topic:
                continue
            effect = topic + ("的" if pronoun[0][0] == "其" else "") + effect[pronoun.end() :]
        elif about and about not in effect and draw.random() < 0.6:
            effect = about + effect
        forms = ("为什么{0}", "{0}的原因是什么", "{0}是因为什么", "{0}是为什么")
        yield *found.span("a"), draw.choice(forms).format(effect)


def _topic(title: str) -> str:
    """What a passage is about; nothing where the title would not stand in a question."""
    name = re.sub(r"\s*[（(][^()（）]*[)）]", "", title).strip()
    return name if 2 <= len(name) <= 16 else ""


def _opened(text: str) -> str:
    """The text without the words that only join it to what came before."""
    while (found := _OPENING.match(text)) and found.end():
        text = text[found.end() :].lstrip("，")
    return text


def _is_about(sentence: str, topic: str) -> bool:
    """Whether a sentence's subject is what the passage is about."""
    bare = _opened(sentence)
    if not topic:
        return False
    if bare.startswith(topic):
        return bare[len(topic) : len(topic) + 1] in _GOES_ON
    pronoun = _PRONOUN.match(bare)
    return pronoun is not None and pronoun[0][0] != "其" and not pronoun[0].endswith("的")


def _subject(before: str, topic: str) -> str | None:
    """Who or what a clause is about, by its words before the verb; None where they do not tell."""
    bare = _ADVERB.sub("", _opened(before.strip()))
    if not bare:
        return topic or None
    pronoun = _PRONOUN.match(bare)
    if pronoun is None:
        return bare if bare == topic or (_NAME.match(bare) and not _NO_NAME.search(bare)) else None
    rest = bare[pronoun.end() :]
    if not topic or not rest:
        return topic or None
    own = pronoun[0][0] == "其" or pronoun[0].endswith("的")
    return f"{topic}的{rest}" if own and not _NO_NAME.search(rest) else None


def _running_on(sentence: str, start: int, end: int, share: float, draw: Random) -> int:
    """The end of the clauses that go on with the answer, now and then."""
    while end < len(sentence) and sentence[end] in "，；：" and draw.random() < share:
        found = _CLAUSE.match(sentence, end + 1)
        if found is None or found.end() - start > _LONGEST:
            break
        end = found.end()
    return end


def _closed(sentence: str, start: int, end: int) -> int:
    """The end moved so that no bracket stays open; the start itself where that cannot be."""
    for left, right in _BRACKETS:
        piece = sentence[start:end]
        if piece.count(left) < piece.count(right):
            return start
        if piece.count(left) > piece.count(right):
            closing = sentence.find(right, end)
            if not 0 <= closing < start + _LONGEST:
                return start
            end = closing + 1
    return end
