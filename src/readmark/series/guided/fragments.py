"""Fragments: When? In what year? And how many factories? And in 2013? And the referee?

A fragment is completed from the question before, as that one was rewritten: the fragment takes
the place of its asking phrase, or of the phrase that it contrasts with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from readmark.series.guided.answers import expected
from readmark.series.guided.edits import Edit, Rewrite, Situation
from readmark.series.guided.parses import NOUNS, ParsedText, ParsedWord, parse_all
from readmark.series.guided.surface import answer_text, end_of
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import listed
from readmark.series.notation import PREVIOUS_ANSWER

GUIDELINE = "Previous Questions and Answers"
_OPENING = re.compile(r"(?:and|but|or|so)\b,?\s*|(?:and )?(?:what|how) about\s+", re.IGNORECASE)
_FINITE = ("VBD", "VBZ", "VBP", "VB", "MD")
_AUXILIARIES = ("be", "do", "have")
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
_PLACING = ("in", "on", "at")
_ADVERBS = ("when", "where", "why", "how")
MOST_ASKING, MOST_WORDS = 5, 8
"""A longer text without a verb is no fragment of a question."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole question: its asking phrase, and what is asked with it."""

    whole: ParsedText
    verb: int
    """The first finite verb or auxiliary; the asking phrase ends before it."""
    role: str
    """What the asking phrase is: subject, object, adjunct, or none of a yes-no question."""
    over: int
    """The verb that an asked-for object belongs to."""

    @property
    def lead(self) -> str:
        return self.whole.text[: self.whole.words[self.verb].start].strip()

    @property
    def rest(self) -> str:
        """From the verb on, as it stands after an asking phrase."""
        text = self.whole.text[self.whole.words[self.verb].start : end_of(self.whole.text)]
        return text if self.role != "none" else text[:1].lower() + text[1:]


def is_fragment(asked: ParsedText) -> bool:
    """Whether a question has no verb of its own."""
    words = [word for word in asked.words if word.text[-1].isalnum()]
    if not words or len(words) > MOST_WORDS or words[0].lower in ("name", "list", "give"):
        return False
    if re.match(r"(?:what|who|where|how)['’]s\b", asked.text, re.IGNORECASE):
        return False
    return not any(word.tag in _FINITE and word.dep != "amod" for word in words)


def completed(situation: Situation) -> Rewrite | None:
    """A fragment as a whole question; nothing where the question before does not tell."""
    before, asked = situation.before, situation.current.parsed
    if before is None or not is_fragment(asked):
        return None
    text = asked.text[: end_of(asked.text)]
    opening = _OPENING.match(text)
    start = opening.end() if opening is not None else 0
    words = [word for word in asked.words if start <= word.start < len(text)]
    whole = parse_all([before.rewritten])[0]
    frame = _frame(whole)
    if not words or frame is None:
        return None
    fragment = text[start:]
    tail = ""
    cut = next(
        (
            index
            for index, word in enumerate(words)
            if index > 1 and word.tag in ("IN", "TO") and word.lower != "of"
        ),
        None,
    )
    if cut is not None and _asks(words[:cut]):  # how thick at the base
        offset = words[cut].start - start
        words, fragment, tail = words[:cut], fragment[:offset].rstrip(), f" {fragment[offset:]}"
    if _asks(words):
        question = _asked_with(situation, frame, words, fragment)
        question = f"{question}{tail}" if question else ""
    elif words[0].tag == "PRP$":
        question = _of_relatives(situation, fragment)
    elif opening is not None:
        can_add = opening[0].lower().startswith("and") and "about" not in opening[0].lower()
        question = _contrasted(frame, words, fragment, situation.target.named(), can_add)
    else:
        return None
    if not question:
        return None
    question = f"{question[:1].upper()}{question[1:]}?"
    # For the questions after it: what it asks for is its own, what it is about is as before.
    current = situation.current
    current.expected = expected(parse_all([question])[0])
    current.about_target, current.inner = before.about_target, before.inner
    current.answer_of, current.named = before.answer_of, before.named
    why = "a fragment: the question before, asked for or of something else"
    edit = Edit(0, len(asked.text), asked.text, question, why, GUIDELINE, before.answer_of)
    return Rewrite(question, (edit,))


def _asks(words: list[ParsedWord]) -> bool:
    """When, in what year, how many factories: a question word with a noun or adjective at most."""
    asking = next(
        (index for index, word in enumerate(words[:2]) if word.lower in listed("words", "asking")),
        None,
    )
    if asking is None or len(words) > MOST_ASKING:
        return False
    if len(words) == 1:
        return words[0].lower in _ADVERBS
    return not any(word.tag in ("DT", "EX", "PRP", "PRP$", "WRB") for word in words[asking + 1 :])


def _frame(whole: ParsedText) -> Frame | None:
    """A question cut at its asking phrase; None if it is no whole question."""
    words = whole.words
    asked = listed("words", "asking")
    asking = next((index for index, word in enumerate(words[:4]) if word.lower in asked), None)
    if asking is None:
        polar = bool(words) and (words[0].lemma in _AUXILIARIES or words[0].tag == "MD")
        return Frame(whole, 0, "none", 0) if polar else None
    verb = next(
        (
            index
            for index in range(asking + 1, len(words))
            if words[index].tag in _FINITE and words[index].dep not in ("amod", "compound")
        ),
        None,
    )
    do = next((i for i, word in enumerate(words[:8]) if word.lower in ("did", "does", "do")), None)
    verb = do if do is not None and do > asking and (verb is None or do < verb) else verb
    if verb is None:  # the tagger takes some for participles: which of them left in 2002
        past = (i for i in range(asking + 1, len(words)) if words[i].tag == "VBN")
        verb = next(past, None)
    if verb is None:
        return None
    noun = _asked_noun(whole, asking, verb)
    role, over = "adjunct", verb
    inverted = any(word.dep in _SUBJECTS for word in words[verb + 1 :]) or words[verb].lemma == "do"
    counts = words[asking + 1].lower in ("many", "much")
    preposed = asking > 0 and words[0].tag in ("IN", "TO")
    if preposed or (words[asking].lower in _ADVERBS and not counts):
        role = "adjunct"
    elif not inverted or _is_predicate(whole, asking, verb):
        role = "subject"
    else:
        role, over = "object", _verb_over(whole, noun, verb)
    return Frame(whole, verb, role, over)


def _asked_noun(whole: ParsedText, asking: int, verb: int) -> int:
    nouns = [index for index in range(asking, verb) if whole.words[index].is_noun]
    return nouns[-1] if nouns else asking


def _is_predicate(whole: ParsedText, asking: int, verb: int) -> bool:
    """Who was the last doge: be joins what is asked for with what it is."""
    words = whole.words
    later = any(word.tag.startswith("VB") for word in words[verb + 1 :])
    return verb == asking + 1 and words[verb].lemma == "be" and not later


def _verb_over(whole: ParsedText, noun: int, verb: int) -> int:
    """The main verb: that of the object, else the last one after the auxiliary."""
    head = whole.words[noun].head
    if head > verb:
        return head
    after = [i for i in range(verb + 1, len(whole.words)) if whole.words[i].tag[:2] == "VB"]
    return after[0] if after else verb


def _asked_with(situation: Situation, frame: Frame, words: list[ParsedWord], fragment: str) -> str:
    """The question before with another asking phrase."""
    first = words[0].lower
    second = words[1].lower if len(words) > 1 else ""
    adverb = first in _ADVERBS and not (first == "how" and len(words) > 1)
    if first == "why" and second == "not":
        return f"why {_denied(frame)}" if frame.role == "none" else ""
    if words[0].tag in ("IN", "TO") or adverb or frame.role == "none":
        return f"{fragment} {_answered(situation, frame)}"
    how = frame.lead.lower().split()[:1] == ["how"]
    counts = second in ("many", "much")
    if first == "how" and not counts and not how:
        return f"{fragment} {_answered(situation, frame)}"
    link = frame.lead.split()[0] if frame.whole.words[0].tag in ("IN", "TO") else ""
    return f"{link} {fragment} {frame.rest}".strip()


def _answered(situation: Situation, frame: Frame) -> str:
    """What the question before asks, with its answer in the place of its asking phrase."""
    words, text = frame.whole.words, frame.whole.text
    end = end_of(text)
    verb = words[frame.verb]
    if frame.role in ("none", "adjunct"):
        return frame.rest
    answer = _counted(frame) or answer_text(situation, situation.index - 1)
    if situation.current.answer_of is None and not _counted(frame):
        situation.current.answer_of = situation.index - 1
    if frame.role == "object":
        over = words[frame.over].end
        return f"{text[verb.start : over]} {answer}{text[over:end]}"
    after = text[verb.end : end]
    if verb.lemma in ("be", "have") or verb.tag == "MD":
        return f"{verb.text} {answer}{after}"
    do = {"VBD": "did", "VBN": "did", "VBZ": "does"}.get(verb.tag, "do")
    before = words[frame.verb - 1]
    adverb = f"{before.text} " if before.tag == "RB" and before.head == frame.verb else ""
    return f"{do} {answer} {adverb}{verb.lemma}{after}"  # who first climbed, did X first climb


def _denied(frame: Frame) -> str:
    """Did they land: did they not land."""
    words = frame.whole.words
    main = next((i for i in range(1, len(words)) if words[i].tag[:2] in ("VB", "JJ")), None)
    start = 0 if main is None else words[main].start - words[0].start
    return f"{frame.rest[:start]}not {frame.rest[start:]}" if start else ""


def _counted(frame: Frame) -> str:
    """Those that were counted: how many people died, the people."""
    match = re.match(r"how (?:many|much) (.+)", frame.lead, re.IGNORECASE)
    return f"the {match[1]}" if match is not None else ""


def _contrasted(
    frame: Frame, words: list[ParsedWord], fragment: str, target: str, can_add: bool
) -> str:
    """The question before with the fragment in place of what it contrasts with.

    A phrase with another preposition is added if it ``can_add`` to the question: after and.
    """
    text = frame.whole.text[: end_of(frame.whole.text)]
    if words[0].tag in ("IN", "TO"):
        name = words[-1].tag in ("NNP", "NNPS")
        span = _phrase_of(frame.whole, (words[0].lower,))
        if span is None and name and words[0].lower in _PLACING:
            span = _phrase_of(frame.whole, _PLACING, names=True)
        if span is None:
            return f"{text} {fragment}" if can_add else ""
        return _put(text, span, fragment)
    head = words[-1]
    if head.tag == "CD":
        span = next((w for w in _spans(frame.whole, ("CD",)) if w[1] <= len(text)), None)
    elif head.tag in ("NNP", "NNPS") or fragment[:1].isupper():
        span = _name(frame.whole)
    else:
        span = _alike(frame, head) or _described(frame, words, target)
        variable = text.find(PREVIOUS_ANSWER)
        if span is None and words[0].lower == "the" and variable >= 0:
            span = variable, variable + len(PREVIOUS_ANSWER)
            fragment = f"{fragment} of {target}"
        if span is None and head.is_noun and len(words) == 1:
            span = _counted_place(frame)
    return "" if span is None else _put(text, span, fragment)


def _of_relatives(situation: Situation, fragment: str) -> str:
    """And her mother: the nearest question that asks of a relative or a thing of somebody's."""
    for earlier in reversed(situation.asked[: situation.index]):
        whole = parse_all([earlier.rewritten])[0]
        span = _owned(whole)
        if span is not None and whole.text.lower().startswith(("who", "what", "when", "where")):
            return _put(whole.text[: end_of(whole.text)], span, fragment.partition(" ")[2])
    return ""


def _put(text: str, span: tuple[int, int], replacement: str) -> str:
    return text[: span[0]] + replacement + text[span[1] :]


def _phrase_of(
    whole: ParsedText, prepositions: tuple[str, ...], *, names: bool = False
) -> tuple[int, int] | None:
    """The last phrase with a preposition: to its noun, and no further."""
    words = whole.words
    for index in range(len(words) - 1, 0, -1):
        if words[index].lower not in prepositions or words[index].tag not in ("IN", "TO"):
            continue
        if names and words[index + 1].tag not in ("NNP", "NNPS", "DT"):
            continue
        last = whole.run_end(index, (*NOUNS, "DT", "JJ", "CD", "JJS", "POS"))
        if last > index:
            return words[index].start, words[last].end
    return None


def _spans(whole: ParsedText, tags: tuple[str, ...]) -> list[tuple[int, int]]:
    """Runs of words with the tags, the last first."""
    runs: list[tuple[int, int]] = []
    start = None
    for word in (*whole.words, None):
        if word is not None and word.tag in tags:
            start = word.start if start is None else start
            end = word.end
        elif start is not None:
            runs.append((start, end))
            start = None
    return runs[::-1]


def _name(whole: ParsedText) -> tuple[int, int] | None:
    """The name that is the subject, or the object of the verb, else the only one."""
    names = _spans(whole, ("NNP", "NNPS"))
    variable = whole.text.find(PREVIOUS_ANSWER)
    if variable >= 0 and not any(span[0] <= variable < span[1] for span in names):
        names.append((variable, variable + len(PREVIOUS_ANSWER)))
    for deps in (_SUBJECTS, ("dobj",)):
        for span in names:
            inside = [word for word in whole.words if span[0] <= word.start < span[1]]
            if any(word.dep in deps for word in inside):
                return _with_article(whole, span)
    return _with_article(whole, names[0]) if len(names) == 1 else None


def _with_article(whole: ParsedText, span: tuple[int, int]) -> tuple[int, int]:
    the = whole.text[: span[0]].endswith("the ")
    return (span[0] - 4, span[1]) if the else span


def _owned(whole: ParsedText) -> tuple[int, int] | None:
    """The relative or thing of somebody: Ada Lovelace's father."""
    for index, word in enumerate(whole.words[:-1]):
        if word.tag == "POS":
            last = whole.run_end(index + 1, NOUNS)
            return whole.words[index + 1].start, whole.words[last].end
    return None


def _alike(frame: Frame, head: ParsedWord) -> tuple[int, int] | None:
    """A phrase with the same noun: the second album, of the first album."""
    words = frame.whole.words
    for index, word in enumerate(words):
        if word.is_noun and same_noun(word.lemma, head.lemma) and word.text.islower():
            first = frame.whole.run_start(index, ("JJ", "JJS", "DT", "CD", "NN"))
            return words[first].start, word.end
    return None


def _described(frame: Frame, words: list[ParsedWord], target: str) -> tuple[int, int] | None:
    """Who was the captain of the winners of …: the phrase up to the target's preposition."""
    whole, verb = frame.whole, frame.verb
    if whole.words[verb].lemma != "be" or words[0].lower != "the" or frame.role != "subject":
        return None
    start = whole.words[verb].end + 1
    named = whole.text.find(target, start)
    if named < 0:
        return start, end_of(whole.text)
    before = whole.text[start:named].rstrip()
    linked = before.rpartition(" ")[2] in ("of", "in", "at", "for", "on")
    return (start, start + before.rfind(" ")) if linked else None


def _counted_place(frame: Frame) -> tuple[int, int] | None:
    match = re.match(r"how (?:many|much) ", frame.lead, re.IGNORECASE)
    return None if match is None else (match.end(), len(frame.lead))
