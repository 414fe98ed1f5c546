"""Places of an English question where an earlier phrase may be meant or left out."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from readmark.series.guided.nominals import nominals
from readmark.series.guided.parses import ParsedText, kinds_of, listed, tokens
from readmark.series.guided.pronouns import HE, IT, SHE, THEY, is_empty
from readmark.series.guided.surface import end_of
from readmark.series.learned.values import EditPlace, MeantPhrase, sense

# Phrases of English questions and answers that a later question may mean.


_WITHIN = ("JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "NFP", "POS")
_ARTICLES = ("the", "a", "an")
_JOINS = ("of", "for", "in", "between", "to")
_ROLES = {
    "nsubj": "subject",
    "nsubjpass": "subject",
    "dobj": "object",
    "attr": "object",
    "ROOT": "object",
    "pobj": "of",
}
_TYPES = {"PERSON": "person", "ORGANIZATION": "organisation", "LOCATION": "place"}
_TIMES = ("TIME", "NUM")
_INTRODUCES = re.compile(
    r"(?:\babout|^\s*(?:what|who|where)(?:'s|’s|\s+(?:is|are|was|were))|^\s*(?:describe|define))"
    r"(?:\s+(?:the|an?))?\s*$",
    re.IGNORECASE,
)
LONGEST_ANSWER = 300
"""Characters of an answer that are read for phrases."""


@functools.lru_cache(maxsize=4_096)
def content(text: str) -> frozenset[str]:
    """The content words of a text, without case and possessive endings."""
    return frozenset(token.base for token in tokens(text) if not token.is_stop)


def chunks(asked: ParsedText) -> list[tuple[int, int]]:
    """Runs of words that make up noun phrases, without their articles."""
    words, found, index = asked.words, [], 0
    while index < len(words):
        last = index
        while last < len(words) and words[last].tag in _WITHIN:
            last += 1
        end, first = last, index
        while end > first and not words[end - 1].is_noun:
            end -= 1
        while first < end and words[first].tag in ("HYPH", "POS", "NFP"):
            first += 1
        if end > first:
            found.append((first, end))
        index = max(last, index + 1)
    return found


def phrases_of(asked: ParsedText, *, source: str, turn: int) -> Iterator[MeantPhrase]:
    """The noun phrases of a text, alone, joined to the next, and with the verb before them."""
    phrases = list(_all_phrases(asked, source, turn))
    for phrase in phrases:
        fuller = any(phrase.words < other.words for other in phrases)
        yield replace(phrase, inside=True) if fuller else phrase


def _all_phrases(asked: ParsedText, source: str, turn: int) -> Iterator[MeantPhrase]:
    words = asked.words
    found = chunks(asked)
    for number, (first, end) in enumerate(found):
        before = words[first - 1] if first else None
        yield _phrase(asked, first, end, source, turn)
        if number + 1 < len(found):
            to, last = found[number + 1]
            between = [word.lower for word in words[end:to]]
            joined = between and between[0] in _JOINS
            if (joined or between[:1] == ["and"]) and all(one in _ARTICLES for one in between[1:]):
                yield _phrase(asked, first, last, source, turn, joined=between[0])
        index = first - 1
        if before is not None and before.lower in _ARTICLES:
            index -= 1
        if (
            index >= 0
            and words[index].tag == "VBG"
            and words[index].lower not in ("including", "regarding")
        ):
            yield _phrase(asked, index, end, source, turn, joined="act")


def _phrase(
    asked: ParsedText, first: int, end: int, source: str, turn: int, *, joined: str = ""
) -> MeantPhrase:
    words = asked.words
    last = end - 1
    if joined and joined not in ("act", "and"):  # the head is before the preposition
        last = next(index for index in range(first, end) if words[index].lower == joined) - 1
    head = words[last]
    before = words[first - 1] if first else None
    article = before.lower if before is not None and before.lower in _ARTICLES else ""
    owned = before is not None and before.tag == "PRP$"
    if owned:
        article = "the"
    asking = before is not None and before.tag in ("WDT", "WP", "WRB", "WP$")
    text = asked.text[words[first].start : words[end - 1].end]
    role = "asked" if asking else _ROLES.get(head.dep, "other")
    return MeantPhrase(
        text=text,
        article="" if joined == "act" else article,
        source=source,
        turn=turn,
        words=content(text),
        head=head.lemma,
        plural=joined == "and" or head.tag in ("NNS", "NNPS"),
        kind="act" if joined == "act" else kind_of(asked, first, last + 1),
        role=role,
        name=any(word.tag in ("NNP", "NNPS") for word in words[first:end]),
        general=head.lemma in listed("topics", "general"),
        extended=bool(joined),
        introduced=_INTRODUCES.search(asked.text[: words[first].start]) is not None,
        final=not any(word.is_noun for word in words[end:]),
    )


def kind_of(asked: ParsedText, first: int, end: int) -> str:
    """What a phrase names: by the analyser's name types, else by its noun."""
    words = asked.words
    type = asked.name_type(words[first].start, words[end - 1].end)
    if type in _TYPES:
        return _TYPES[type]
    if type in _TIMES:
        return "time"
    kinds = kinds_of(words[end - 1].lemma)
    if len(kinds) >= 1 and not words[end - 1].tag.startswith("NNP"):
        return sorted(kinds)[0]
    return "unknown"


_OWNING = ("his", "its", "their")
POINTING = ("this", "that", "these", "those")
LINKS = ("of", "in", "about", "for", "with", "from", "by", "other than")
"""What joins a phrase that was left out to the end of a question."""
_FRAME = re.compile(
    r"(?:(?:and|or|but)\s+)?(?:(?:what|how)\s+about|what\s+of|and|or)\s+"
    r"(?:(?:for|in|with|of|on|to|from)\s+)?(?P<new>[^?.!,]+?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:and\s+)?(?P<word>why|how|when|where)(?:\s+(?:so|not|is that))?\s*[?.!]*\s*$")
_OTHER = re.compile(r"\b(?:other|others|else|another)\b", re.IGNORECASE)


def places_of(asked: ParsedText) -> list[EditPlace]:
    """Every place of a question, from pronouns to what may be added at its end."""
    return [
        *_pronouns(asked),
        *_nominals(asked),
        *_nouns(asked),
        *_ends(asked),
        *_frames(asked.text),
    ]


def frame(text: str) -> re.Match[str] | None:
    """What about X: a question that changes one thing in the one before."""
    return _FRAME.match(text.strip())


def why(text: str) -> re.Match[str] | None:
    """Why? and How?, which ask of the whole question before."""
    return _WHY.match(text.strip().lower())


def _pronouns(asked: ParsedText) -> Iterator[EditPlace]:
    words = asked.words
    for index, word in enumerate(words):
        lower = word.lower
        subject = float(word.dep in ("nsubj", "nsubjpass"))
        late = float(any(word.is_noun for word in words[:index]))
        flags = {
            "subject": subject,
            "late": late,
            "clause": float(_in_clause(asked, index)),
            "joined": float(any(word.tag == "CC" for word in words[1:index])),
        }
        owning = lower in _OWNING or (lower == "her" and word.tag == "PRP$")
        if lower in HE | SHE:
            gender = "male" if lower in HE else "female"
            agreement: dict[str, Any] = {"plural": False, "gender": gender, "personal": True}
            how = "person"
        elif lower in IT:
            flags["empty"] = float(lower == "it" and is_empty(asked, index))
            how, agreement = "thing", {"plural": False, "personal": False}
        elif lower in THEY:
            how, agreement = "group", {"plural": True}
        elif lower in POINTING and _alone(asked, index):
            how = "pointing"
            agreement = {"plural": lower in ("these", "those"), "personal": False}
        elif lower in ("one", "ones") and _is_one(asked, index):
            how, agreement = "one", {"plural": lower == "ones"}
        elif lower == "there" and word.tag == "RB":
            how, agreement = "there", {"link": "in", "personal": False}
        else:
            continue
        how = "own" if owning else how
        yield EditPlace(
            word.start, word.end, how, word.text, owning=owning, flags=flags, **agreement
        )


def _in_clause(asked: ParsedText, index: int) -> bool:
    """Whether a pronoun is in a clause after the main verb: when it was built."""
    return any(word.dep in ("advcl", "relcl", "ccomp") for word in asked.words[:index])


def _alone(asked: ParsedText, index: int) -> bool:
    words = asked.words
    word = words[index]
    after = words[index + 1] if index + 1 < len(words) else None
    if word.tag in ("IN", "WDT") or word.dep in ("mark", "det"):
        return False
    return after is None or not (after.is_noun or after.tag.startswith("JJ"))


def _is_one(asked: ParsedText, index: int) -> bool:
    words = asked.words
    after = words[index + 1] if index + 1 < len(words) else None
    return after is None or not (after.is_noun or after.lower == "of")


def _nominals(asked: ParsedText) -> Iterator[EditPlace]:
    words = asked.words
    for nominal in nominals(asked):
        noun = words[nominal.last]
        follows = words[nominal.last + 1] if nominal.last + 1 < len(words) else None
        owning = follows is not None and follows.tag == "POS"
        end = follows.end if owning and follows is not None else noun.end
        start = words[nominal.first].start
        text = asked.text[start : noun.end]
        yield EditPlace(
            start,
            end,
            "this" if nominal.pointing else "the",
            asked.text[start:end],
            plural=noun.tag in ("NNS", "NNPS"),
            owning=owning,
            noun=noun.lemma,
            kinds=kinds_of(noun.lemma),
            words=content(text),
            flags={
                "bare": float(nominal.bare),
                "followed": float(nominal.followed),
                "modifies": float(nominal.modifies),
                "general": float(noun.lemma in listed("topics", "general")),
            },
        )


def _nouns(asked: ParsedText) -> Iterator[EditPlace]:
    """Noun phrases that may be a part of a fuller name, or lack their owner."""
    words = asked.words
    for first, end in chunks(asked)[:6]:
        head = words[end - 1]
        before = words[first - 1] if first else None
        after = words[end] if end < len(words) else None
        text = asked.text[words[first].start : head.end]
        held = content(text)
        definite = before is not None and before.lower == "the"
        owned = before is not None and before.tag in ("PRP$", "POS")
        asking = before is not None and before.tag in ("WDT", "WP", "WRB")
        many = before is not None and before.lower in ("many", "much", "any", "some")
        flags = {
            "name": float(head.tag in ("NNP", "NNPS")),
            "definite": float(definite),
            "asked": float(asking),
            "counted": float(many),
            "general": float(head.lemma in listed("topics", "general")),
            "relation": float(
                head.lemma in listed("relations", "of") or head.lemma in listed("relations", "at")
            ),
            "last": float(after is None or after.tag in (".", ":")),
            "plural": float(head.tag in ("NNS", "NNPS")),
            "bare": float(end - first == 1),
            "rare": sense(text, "en")[0],
        }
        start = words[first].start
        if definite and before is not None and end - first == 1:
            yield EditPlace(
                before.start, head.end, "whose", asked.text[before.start : head.end],
                noun=head.lemma, words=held, flags=flags, owning=True,
            )  # fmt: skip
        owning = after is not None and after.tag == "POS"
        yield EditPlace(
            start, head.end, "part", text, noun=head.lemma, words=held, flags=flags, owning=owning
        )
        following = after.lower if after is not None else ""
        if not owned and following not in ("of", "'s") and head.tag not in ("NNP", "NNPS"):
            yield EditPlace(head.end, head.end, "after", "", "of", noun=head.lemma, flags=flags)
            yield EditPlace(start, start, "before", "", noun=head.lemma, flags=flags)


def _ends(asked: ParsedText) -> Iterator[EditPlace]:
    text = asked.text
    index = end_of(text)
    words = [word for word in asked.words if word.end <= index]
    last = words[-1] if words else None
    tag = last.tag if last is not None else ""
    lower = last.lower if last is not None else ""
    flags = {
        "verb": float(tag.startswith("VB")),
        "noun": float(tag.startswith("NN")),
        "hanging": float(tag in ("IN", "RP", "TO")),
        "adjective": float(tag.startswith("JJ")),
    }
    other = float(_OTHER.search(text) is not None)
    for link in LINKS:
        if link == "other than" and not other:
            continue
        yield EditPlace(index, index, "end", "", link, flags={**flags, "other": other})
    if other:
        yield EditPlace(0, 0, "end", "", "besides", flags={**flags, "other": other})
    for word in asked.words:
        if word.lemma == "happen":
            yield EditPlace(word.end, word.end, "after", "", "to", noun="happen")
    if tag in ("IN", "RP", "TO") or lower in ("about", "of"):
        yield EditPlace(index, index, "end", "", "", flags=flags)


def _frames(text: str) -> Iterator[EditPlace]:
    if frame(text) is not None:
        yield EditPlace(0, len(text), "frame", text)
    if why(text) is not None:
        yield EditPlace(0, len(text), "reason", text)
