"""What about …, how about …: the question before, asked of something else."""

from __future__ import annotations

import re

from readmark.series.guided.edits import Edit
from readmark.series.guided.parses import NOUNS, ParsedText, ParsedWord
from readmark.series.guided.phrases import SUBJECT, is_general, phrases
from readmark.series.guided.word_forms import same_noun

GUIDELINE = "Previous Questions and Answers"
Place = tuple[int, int]
_ABOUT = re.compile(r"(?:and )?(?:what|how) about\s+(.+?)\s*[?.]*\s*$", re.IGNORECASE)


def follow_up(asked: ParsedText, before: ParsedText, rewritten: str) -> Edit | None:
    """The earlier question with the new phrase in place of the one it contrasts with."""
    match = _ABOUT.match(asked.text)
    if match is None or _ABOUT.match(before.text):
        return None
    new = match[1]
    words = [word for word in asked.words if match.start(1) <= word.start < match.end(1)]
    if not words or any(word.tag in ("PRP", "PRP$") for word in words):
        return None
    place = _after_preposition(words, before, rewritten) or _same_noun(words, before, rewritten)
    if place is None and words[0].tag != "IN":
        place = _only_phrase(words, before, rewritten)
    if place is None:
        return None
    start, end = place
    now = rewritten[:start] + new + rewritten[end:]
    now = now[:1].upper() + now[1:]
    why = "the question before, asked of something else"
    return Edit(0, len(asked.text), asked.text, now, why, GUIDELINE)


def _after_preposition(words: list[ParsedWord], before: ParsedText, rewritten: str) -> Place | None:
    """In the US: in place of in the UK."""
    if words[0].tag != "IN":
        return None
    for index in range(len(before.words) - 1, -1, -1):
        if before.words[index].lower == words[0].lower:
            return _unique_place(
                before.text[before.words[index].start : _phrase_end(before, index)], rewritten
            )
    return None


def _phrase_end(earlier: ParsedText, first: int) -> int:
    """The end of a preposition's phrase."""
    inside = {first}
    end = earlier.words[first].end
    for index in range(first + 1, len(earlier.words)):
        word = earlier.words[index]
        if word.head in inside or index == word.head:
            inside.add(index)
        if index in inside or earlier.words[word.head].head in inside:
            if word.tag == ".":
                break
            inside.add(index)
            end = word.end
    return end


def _same_noun(words: list[ParsedWord], before: ParsedText, rewritten: str) -> Place | None:
    """Boer goats: in place of angora goats."""
    head = words[-1]
    if not head.is_noun or is_general(head) or any(word.tag == "IN" for word in words):
        return None
    for index, word in enumerate(before.words):
        if not word.is_noun or not same_noun(word.lemma, head.lemma):
            continue
        first = before.run_start(index, (*NOUNS, "JJ", "DT", "CD"))
        return _unique_place(before.text[before.words[first].start : word.end], rewritten)
    return None


def _unique_place(phrase: str, rewritten: str) -> Place | None:
    start = rewritten.find(phrase)
    once = start >= 0 and rewritten.count(phrase) == 1
    return (start, start + len(phrase)) if once else None


def _only_phrase(words: list[ParsedWord], before: ParsedText, rewritten: str) -> Place | None:
    """The only phrase of the question before: impacted society; or its subject, is X a Y."""
    if not words[-1].is_noun or is_general(words[-1]) or words[-1].tag == "JJS":
        return None
    spoken_phrases = [phrase for phrase in phrases(before) if phrase.article != "the"]
    if (
        len(spoken_phrases) == 2
        and spoken_phrases[0].weight >= SUBJECT
        and spoken_phrases[1].is_sort
    ):
        spoken_phrases = spoken_phrases[:1]  # is chilli a stew
    return _unique_place(spoken_phrases[0].named, rewritten) if len(spoken_phrases) == 1 else None
