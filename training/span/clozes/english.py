"""Clozes in English: a wh-phrase in front, the verb inverted where one is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from readmark.text.stems import stem
from training.span.clozes.articles import (
    KEPT,
    Article,
    Blank,
    Cloze,
    chosen,
    context,
    word_set,
)

# What of an English sentence can be asked for: dates, numbers, names, quoted words, phrases.


_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_TIME = re.compile(
    rf"\b{_MONTH} \d{{1,2}}, \d{{4}}\b|\b\d{{1,2}} {_MONTH} \d{{4}}\b|\b{_MONTH} \d{{4}}\b|"
    rf"\b{_MONTH} \d{{1,2}}\b|\b(?:1\d{{3}}|20[012]\d)s?\b(?!,\d)|"
    r"\b(?:\d{1,2}(?:th|st|nd|rd)|[a-z]+teenth|twentieth) century\b"
)
_SMALL = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
_NUMBER = re.compile(
    rf"((?:[$£€]\s?)?\b(?:\d[\d,]*(?:\.\d+)?|{_SMALL})(?: (?:hundred|thousand|million|billion))?)"
    r"(%| percent|[- ][a-z]+(?: [a-z]+)?)?"
)
_NAME = re.compile(
    r"\b[A-Z][\w'’-]*\.?(?:(?: (?:of|the|de|von|van|of the|and the|for))? [A-Z][\w'’-]*\.?)*"
)
_QUOTED = re.compile(r"[\"“]((?!\s)[^\"“”]{3,60}(?<!\s))[\"”]")
_PHRASE = re.compile(
    r"\b(?:(?:the|a|an|its|his|her|their) )?((?:[a-z]+(?:-[a-z]+)? ){0,3}[a-z]{3,})"
    r"(?=[,.;]| (?:of|in|and|to|by|for|with|was|is|are|were|that|which|from|on|as|at|who|had)\b)"
)
_OPENERS = word_set(
    "The A An In On At By After Before During From Since Until As For He She It They His Her "
    "Its Their This That These Those There When While Although However Some Many Most Other "
    "Both One Its If But And With Under Also Such Another Since Because Following Despite All "
    "Each Two According Due Although Though Several Other Over Between Throughout Today Later"
)
_KINDS = {
    "University": "what university", "College": "what college", "School": "what school",
    "Company": "what company", "Corporation": "what company", "Inc": "what company",
    "War": "what war", "Battle": "what battle", "River": "what river", "Lake": "what lake",
    "Mountains": "what mountains", "Island": "what island", "Islands": "what islands",
    "Party": "what party", "Church": "what church", "Award": "what award", "Prize": "what prize",
    "Street": "what street", "County": "what county", "Empire": "what empire", "Act": "what act",
    "Ocean": "what ocean", "Sea": "what sea", "Museum": "what museum", "Theory": "what theory",
    "League": "what league", "Museums": "what museums", "Dynasty": "what dynasty",
    "Army": "what army", "Court": "what court", "Band": "what band", "Treaty": "what treaty",
}  # fmt: skip
_SPEAKS = re.compile(
    r"^ (?:was born|wrote|said|argued|claimed|married|died|became|joined|stated|met|suggested|"
    r"believed|began|played|studied|taught|proposed|led|founded|moved|returned|who|himself|herself)\b"
)
_TITLES = re.compile(r"(?:King|Queen|President|Sir|Dr\.|Mr\.|Pope|Emperor|General|Prince|Lord) ?$")
_AFTER_NAMES = word_set(
    "is are was were has had have can could will would may might must should did does and or "
    "of in on at by for with from to as who which that where when while but than into over "
    "under after before during between until since because if then also later not"
)
_NOT_NOUNS = word_set(
    "of in on at by for with from to as and or into over under after before during between "
    "until the a an its his her their be is are was were has had have can could will would "
    "may might since if than so such no any each every one two three used made known called "
    "including there here even up down out about through against within without among upon it "
    "he she they we you also later most more not only well very then than been being other "
    "such many some all both first several this that these those which who when where because "
    "while early late"
)

Match = re.Match[str]
Free = Callable[[int, int], bool]
Forms = tuple[str, ...]


def blanks(sentence: str, draw: Random, title: str, person: bool) -> Iterator[Blank]:
    """The stretches of a sentence that can be asked for, no two of them overlapping."""
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        if any(start < last and first < end for first, last in taken):
            return False
        taken.append((start, end))
        return True

    for found in _TIME.finditer(sentence):
        if free(*found.span()):
            year = found[0].isdigit()
            asked: Forms = ("when", "what year", "which year", "when")
            if not year:
                asked = ("when", "what date")
            if found[0].endswith(("s", "century")):
                asked = ("when", "what period")
            elif not found[0][-1:].isdigit() or not re.search(r"\d{4}", found[0]):
                asked = ("when", "what day")
            yield Blank(*found.span(), draw.choice(asked), "time")
    for found in _QUOTED.finditer(sentence):
        if free(*found.span()):
            yield Blank(*found.span(1), "what", "quoted")
    for found in _NUMBER.finditer(sentence):
        yield from _counted(found, draw, free)
    for found in _NAME.finditer(sentence):
        yield from _name(sentence, found, draw, title, person, free)
    for found in _PHRASE.finditer(sentence):
        if draw.random() < 0.6:
            yield from _phrase(sentence, found, draw, free)


def _counted(match: Match, draw: Random, free: Free) -> Iterator[Blank]:
    number, of = match[1], match[2] or ""
    if not free(*match.span(1)):
        return
    if number[0] in "$£€":
        yield Blank(*match.span(1), "how much", "number")
    elif of in ("%", " percent"):
        yield Blank(*match.span(), draw.choice(("what percentage", "how much")), "number")
    elif of.startswith(" ") and of[1:].split():
        noun = of.split()[0] if not of.split()[-1].endswith("s") else of.strip()
        if noun.endswith("s"):
            whole = draw.random() < 0.3
            end = (
                match.start(2) + 1 + len(noun) if whole else match.end(2) - len(of) + 1 + len(noun)
            )
            yield Blank(
                match.start(1),
                end if whole else match.end(1),
                f"how many {noun}" if whole else "how many",
                "number",
            )
    elif not of and number[0].isdigit():
        yield Blank(*match.span(1), draw.choice(("what number", "how many")), "number")


def _name(
    sentence: str, match: Match, draw: Random, title: str, person: bool, free: Free
) -> Iterator[Blank]:
    start, end = match.span()
    words = match[0].split()
    while words and words[0] in _OPENERS:
        start += len(words.pop(0)) + 1
    text = sentence[start:end]
    for tail in ("'s", "’s", "."):
        if text.endswith(tail) and not re.search(r"\b[A-Z]\.$", text):
            text = text[: -len(tail)]
            end = start + len(text)
    if len(text) < 2 or not free(start, end) or sentence[end : end + 2] in ("'s", "’s"):
        return
    last = text.split()[-1]
    if start < 3 and last == text and text not in title and not text.isupper():
        return  # it may be any word that opens a sentence
    follows = re.match(r" ([a-z]+)", sentence[end:])
    if follows and follows[1] not in _AFTER_NAMES and stem(follows[1]) == follows[1]:
        return  # an adjective: "Roman law"
    before, after = sentence[:start], sentence[end:]
    kind = "name"
    asked: Forms
    if last in _KINDS:
        asked = (_KINDS[last], "what")
    elif text.split()[0] in _KINDS:
        asked = (_KINDS[text.split()[0]], "what")
    elif re.search(r"\b(?:in|near|at|to|from|across|throughout|outside) (?:the )?$", before, re.I):
        kind, asked = "place", ("where", "where", "what country", "what city", "what place")
        if before.lower().endswith("to "):
            asked = ("where", "what", "whom")
    elif before.endswith(" by "):
        kind, asked = "by", ("whom", "who", "what")
    elif _SPEAKS.match(after) or _TITLES.search(before) or (person and 2 <= len(text.split()) <= 3):
        asked = ("who", "who", "who", "which person")
    elif text.isupper():
        asked = ("what", "what organization")
    else:
        asked = ("what", "who", "what", "which")
    yield Blank(start, end, draw.choice(asked), kind)


def _phrase(sentence: str, match: Match, draw: Random, free: Free) -> Iterator[Blank]:
    start, end = match.span(1)
    words = match[1].split()
    skip = max((at for at, one in enumerate(words) if one in _NOT_NOUNS), default=-1) + 1
    while skip < len(words) and words[skip].endswith(("ly", "ed")):
        skip += 1
    start += sum(len(word) + 1 for word in words[:skip])
    words = words[skip:]
    if not words or words[-1] in _NOT_NOUNS or words[-1].endswith(("ed", "ing", "ly")):
        return
    if stem(words[-1]) == words[-1] and len(words[-1]) < 5:
        return
    bare = start == match.start(1) and match.start() != match.start(1)
    if bare and draw.random() < 0.5:
        start = match.start()
    if not free(start, end):
        return
    asked: Forms = ("what",)
    if len(words) > 1 and draw.random() < 0.3:
        # "constitutional monarchy": what kind of monarchy?
        end = start + len(sentence[start:end]) - len(words[-1]) - 1
        asked = (f"what kind of {words[-1]}", f"what type of {words[-1]}", f"which {words[-1]}")
        yield Blank(start, end + 1 + len(words[-1]), draw.choice(asked), "kind")
        return
    yield Blank(start, end, draw.choice(asked), "phrase")


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


def clozes(article: Article, draw: Random, count: int) -> Iterator[Cloze]:
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
            if given >= count:
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
        # The blank is in the leading phrase: "In 1990, he went": when did he go?
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
