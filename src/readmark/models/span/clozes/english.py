"""Clozes in English: a wh-phrase in front, the verb inverted where one is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readmark.models.span.clozes.english_blanks import blanks
from readmark.models.span.clozes.values import (
    KEPT,
    Article,
    Blank,
    Cloze,
    chosen,
    context,
    word_set,
)
from readmark.text.stems import stem

_AUXILIARIES = word_set(
    "is are was were has have had can could will would may might must should did does do"
)
_AGREEING = {"is", "are", "was", "were", "be", "been", "being"}
_NO_VERB = word_set(
    "the a an of in on at by for with from to and or as his her its their this that these "
    "those than into over under after before during between whose set left found cut put"
)
_SPLIT = re.compile(r"(?:; |, (?:and|but|while|although|though|where|with|who|which|so|as|yet) )")
_LEADING = re.compile(
    r"^(?:In|On|At|By|After|Before|During|From|Since|Until|As|For|Throughout|Around|Under|"
    r"Following|According to|However|Therefore|Thus|Also|Later|Then|Today|Meanwhile|Although|If|"
    r"When|Once|Because|While|Though|With|Instead|Indeed|Along|To|Due to|Despite|Among|Within)"
    r"\b[^,]{0,90}, "
)
_PRONOUN = re.compile(r"^(He|She|It|They|His|Her|Its|Their)\b")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_PREPOSITION = re.compile(
    r"(?:^|\s)(in|on|at|by|from|since|during|around|until|near|of|for|to|with)\s+(?:the )?$", re.I
)
_TAIL = re.compile(r",? (?:in|on|at|by|for|with|from|as|during|after|before|since|that)\b|, ")


def clozes(article: Article, draw: Random, many: int) -> Iterator[Cloze]:
    """Up to ``many`` questions on a passage."""
    places = list(range(len(article.sentences)))
    draw.shuffle(places)
    given = 0
    person = _about_a_person(article)
    for at in places:
        sentence = article.sentences[at]
        for blank in chosen(draw, list(blanks(sentence, draw, article.title, person)), 5):
            answer = sentence[blank.start : blank.end]
            found = None
            if draw.random() < 0.85:
                found = context(article, at, blank, keep=False, joint=" ")
            if found is None and draw.random() < KEPT:
                found = context(article, at, blank, keep=True, joint=" ")
            if found is None:
                continue
            question = asked(sentence, blank, article.title, draw)
            if question is None or len(question) > 220 or len(question.split()) < 4:
                continue
            yield Cloze(found[0], question, answer, found[1])
            given += 1
            if given >= many:
                return


def asked(sentence: str, blank: Blank, title: str, draw: Random) -> str | None:
    """A question for a blank of a sentence; None where nothing sensible comes of it."""
    before, after = sentence[: blank.start], sentence[blank.end :].rstrip(" .!?\"'")
    cuts = [one.end() for one in _SPLIT.finditer(before)]
    if cuts and draw.random() < 0.8:
        before = before[cuts[-1] :]
    cut = _SPLIT.search(after)
    if cut and draw.random() < 0.75:
        after = after[: cut.start()]
    before, after = _ASIDE.sub("", before), _shortened(_ASIDE.sub("", after), draw)
    if "(" in before or ")" in after:
        return None
    name = re.sub(r"\s*\([^)]*\)", "", title)
    wh = blank.asked
    leading = _LEADING.match(before)
    if leading and draw.random() < 0.85:
        before = before[leading.end() :]
    elif not leading and _LEADING.match(before + "x" * (blank.end - blank.start) + after):
        # The blank stands in the leading phrase: "In 1990, he went": when did he go?
        _, _, rest = after.partition(", ")
        if rest and len(after) - len(rest) < 40:
            return _question(wh, *_inverted(_named(rest, name, draw)), "", "", draw)
    if not before.strip() or before.strip().lower() in ("the", "a", "an"):
        return _closed(f"{wh}{_worn(after, draw)}")
    preposition = _PREPOSITION.search(before)
    lost = ""
    if preposition and blank.kind in ("time", "place", "by"):
        lost = preposition[1].lower()
        before = before[: preposition.start()]
    before = _named(before, name, draw)
    found = _inverted(before)
    if found[0]:
        return _question(wh, *found, after, lost, draw)
    if draw.random() < 0.5:
        return None
    gap = f" {lost}" if lost else ""
    return _closed(f"{_worn(before, draw)}{gap} {wh}{_worn(after, draw)}")


def _shortened(after: str, draw: Random) -> str:
    """What follows the blank, without a long tail."""
    ends = [one.start() for one in _TAIL.finditer(after) if one.start() > 25]
    return after[: draw.choice(ends)] if ends and draw.random() < 0.7 else after


def _question(
    wh: str, auxiliary: str, subject: str, rest: str, after: str, lost: str, draw: Random
) -> str:
    front = wh
    if lost and (wh.startswith(("what", "which")) or wh == "whom") and draw.random() < 0.8:
        front = f"{lost} {wh}"
    if not auxiliary:
        return _closed(f"{front} {subject} {rest}{after}")
    return _closed(f"{front} {auxiliary} {subject} {_worn(rest, draw)}{_worn(after, draw)}")


def _inverted(clause: str) -> tuple[str, str, str]:
    """A clause as auxiliary, subject and the rest; no auxiliary where no verb was found."""
    words = clause.split()
    for at, word in enumerate(words[:11]):
        small = word.lower()
        if at == 0:
            continue
        if small in _AUXILIARIES:
            return small, _subject(words[:at]), " ".join(words[at + 1 :])
        if small in _NO_VERB or not small.isalpha() or word != small:
            continue
        past = small.endswith("ed") or not small.endswith(("s", "ing"))
        base = stem(small)
        if base == small or small.endswith("ing"):
            continue
        if words[at - 1].lower() in _NO_VERB:
            continue
        if past:
            return "did", _subject(words[:at]), " ".join([base, *words[at + 1 :]])
        if at <= 4 and words[at - 1][0].isupper():
            return "does", _subject(words[:at]), " ".join([base, *words[at + 1 :]])
    return "", clause, ""


def _subject(words: list[str]) -> str:
    first = words[0]
    if first in (
        "The",
        "A",
        "An",
        "This",
        "These",
        "Some",
        "Many",
        "Most",
        "One",
        "Several",
        "Both",
    ):
        words = [first.lower(), *words[1:]]
    return " ".join(words)


def _named(clause: str, name: str, draw: Random) -> str:
    """The clause with the article's title for a pronoun that opens it."""
    found = _PRONOUN.match(clause)
    if not found or not name or draw.random() < 0.15:
        return clause
    owner = found[1] in ("His", "Her", "Its", "Their")
    return name + ("'s" if owner else "") + clause[found.end() :]


def _worn(text: str, draw: Random) -> str:
    """The text without a word here and there, so that copying alone does not find the place."""

    def lost(found: re.Match[str]) -> str:
        word = found[0]
        share = 0.5 if word.endswith("ly") else 0.04
        return "" if draw.random() < share else word

    return re.sub(r"\S+", lost, text)


def _closed(text: str) -> str:
    text = re.sub(r"\s+([,.;:])", r"\1", " ".join(text.split())).strip(" ,;:.-")
    return text[:1].upper() + text[1:] + "?"


def _about_a_person(article: Article) -> bool:
    text = " ".join(article.sentences)
    return len(re.findall(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b", text)) >= 3
