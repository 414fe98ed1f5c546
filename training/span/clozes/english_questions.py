"""Questions on parsed English: one part asked for, few words dropped, the verb in its place.

After "Template-Based Question Generation from Retrieved Sentences for Improved Unsupervised
Question Answering" (Fabbri and others, 2020): which words are asked with follows from the kind of
the name, and what is not needed is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from readmark.core.records import Offsets
from readmark.text.words import stem
from training.span.clozes.articles import Cloze, sentences, word_set

# How a name, a number or a phrase of parsed English is asked for.


KINDS = word_set(
    "university college school company corporation war battle river lake mountain mountains "
    "island islands party church award prize street county empire act ocean sea museum theory "
    "league dynasty army court treaty festival bridge palace castle temple cathedral library "
    "hospital airport station band album novel film newspaper magazine institute academy "
    "agency committee council parliament assembly revolution conference agreement religion"
)
"""Nouns that end the name of one of their kind: the Seine River, the Nobel Prize."""
_COUNTRIES = word_set(
    "Argentina Australia Austria Belgium Brazil Bulgaria Canada Chile China Colombia Cuba Denmark "
    "Egypt England Ethiopia Finland France Germany Greece Hungary Iceland India Indonesia Iran "
    "Iraq Ireland Israel Italy Japan Kenya Korea Mexico Morocco Netherlands Nigeria Norway "
    "Pakistan Peru Poland Portugal Romania Russia Scotland Spain Sweden Switzerland Syria "
    "Thailand Turkey Ukraine Vietnam Wales"
)
_PEOPLE = word_set(
    "king queen president minister leader general author writer poet scientist professor painter "
    "artist composer engineer philosopher historian architect director actor bishop emperor "
    "explorer founder inventor teacher doctor lawyer journalist singer player coach captain"
)
_ENTITY: dict[str, tuple[str, ...]] = {
    "PERSON": ("who", "who", "who", "which person"),
    "NORP": ("what group", "which group", "what people"),
    "FAC": ("what", "what place", "what building"),
    "ORG": ("what organization", "which organization", "what group", "what"),
    "LOC": ("what place", "what area", "what region"),
    "PRODUCT": ("what", "which product"),
    "EVENT": ("what event", "which event"),
    "WORK_OF_ART": ("what work", "what"),
    "LAW": ("what law", "what document"),
    "LANGUAGE": ("what language", "which language"),
    "MONEY": ("how much", "how much money"),
    "PERCENT": ("what percentage", "what percent", "how much"),
    "QUANTITY": ("how much", "what"),
}
_SPELLS = re.compile(r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|decades|centuries)\b")
_YEAR = re.compile(r"(?:1\d|20)\d\d")


def wh_of_name(name: Any, draw: Random) -> str | None:
    """The wh-phrase for a named entity; None where none fits."""
    last = name[-1].text.lower()
    if last in KINDS and len(name) > 1 and name.label_ not in ("PERSON", "DATE"):
        return f"{draw.choice(('what', 'which'))} {last}"
    if name.label_ == "DATE":
        return _time(name, draw)
    if name.label_ == "GPE":
        kind = "country" if name.text in _COUNTRIES else draw.choice(("city", "place", "state"))
        return f"{draw.choice(('what', 'what', 'which'))} {kind}"
    asked = _ENTITY.get(name.label_)
    return draw.choice(asked) if asked else None


def _time(name: Any, draw: Random) -> str | None:
    if _YEAR.fullmatch(name.text):
        return draw.choice(("when", "what year", "which year"))
    if _SPELLS.search(name.text.lower()) and not _YEAR.search(name.text):
        return "how long" if name[0].i and name[0].nbor(-1).lower_ == "for" else None
    if re.search(r"\d|century|Monday|Sunday|June|spring|summer", name.text):
        return draw.choice(("when", "when", "what date" if "," in name.text else "when"))
    return None


def wh_of_phrase(head: Any, words: list[Any], draw: Random) -> tuple[str, bool]:
    """The wh-phrase for a noun phrase, and whether its noun is said in it."""
    noun = head.text.lower()
    if noun in _PEOPLE:
        return "who", False
    if len(words) > 1 and head.pos_ == "NOUN" and draw.random() < 0.4:
        forms = ("what kind of", "what type of", "what", "which")
        return f"{draw.choice(forms)} {noun}", True
    return "what", False


# Clauses of parsed English: subject, verb, and what surrounds them, as separate parts.


SUBJECTS = word_set("nsubj nsubjpass")
_AUXILIARIES = word_set("aux auxpass")
_OUTSIDE = word_set("punct cc conj parataxis dep meta intj preconj mark")
"""Dependents of a verb that belong to no part of its clause."""
_FINITE = word_set("VBD VBZ VBP")
_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}


@dataclass(frozen=True, slots=True)
class Part:
    """A dependent of the verb: its first word and all words below it, in order."""

    head: Any
    tokens: tuple[Any, ...]
    before: bool
    """Whether it precedes the subject: "In 1990 she went"."""

    @property
    def role(self) -> str:
        return str(self.head.dep_)


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with its auxiliaries, its subject, and its other parts in their order."""

    verb: Any
    auxiliaries: tuple[Any, ...]
    subject: Part
    parts: tuple[Part, ...]

    def asking(self) -> tuple[str, str]:
        """What goes before the subject in a question, and what is left of the verb."""
        if self.auxiliaries:
            first, *rest = (auxiliary.text.lower() for auxiliary in self.auxiliaries)
            return first, " ".join([*rest, self.verb.text])
        if self.verb.lemma_ == "be":
            return self.verb.text.lower(), ""
        return _DO[self.verb.tag_], self.verb.lemma_

    def statement(self) -> str:
        """Auxiliaries and verb as written."""
        return " ".join([*(auxiliary.text for auxiliary in self.auxiliaries), self.verb.text])


def clauses(sentence: Any) -> Iterator[Clause]:
    """The main clause of a sentence, and those joined to it that have a verb of their own."""
    verbs = [sentence.root]
    verbs += [conjunct for conjunct in sentence.root.conjuncts if conjunct.pos_ in ("VERB", "AUX")]
    for verb in verbs:
        found = _clause(verb, sentence.root)
        if found is not None:
            yield found


def _clause(verb: Any, main: Any) -> Clause | None:
    if verb.pos_ not in ("VERB", "AUX"):
        return None
    children = list(verb.children)
    subject = next((child for child in children if child.dep_ in SUBJECTS), None)
    own = subject is not None
    if not own:
        # "She wrote the book and sold it": who wrote also sold.
        subject = next((child for child in main.children if child.dep_ in SUBJECTS), None)
    if subject is None or any(child.dep_ in ("expl", "csubj", "csubjpass") for child in children):
        return None
    if own and subject.i > verb.i:
        return None
    auxiliaries = tuple(
        child for child in children if child.i < verb.i and child.dep_ in {*_AUXILIARIES, "neg"}
    )
    if auxiliaries and (auxiliaries[0].dep_ == "neg" or auxiliaries[0].text.startswith("'")):
        return None
    if any(auxiliary.text == "n't" or auxiliary.tag_ == "TO" for auxiliary in auxiliaries):
        return None
    if not auxiliaries and (verb.tag_ not in _FINITE or verb.text.startswith("'")):
        return None
    parts = tuple(
        Part(child, tuple(child.subtree), child.i < subject.i)
        for child in children
        if child != subject
        and child.dep_ not in _OUTSIDE
        and child.dep_ not in SUBJECTS
        and child not in auxiliaries
    )
    return Clause(verb, auxiliaries, Part(subject, tuple(subject.subtree), False), parts)


_VAGUE = word_set(
    "number part one ones way time times case example kind type lot group result form set fact "
    "addition order use some many most all each others other several who which that what"
)
_PLACE = word_set("in at near on within inside outside")
_WHEN = word_set("in on at during since until by around from after before for")
_FRONTED = word_set("in on at from to by with for under during")
_ASIDE = word_set("appos relcl acl parataxis")
_DROPPED = {"advcl": 0.8, "advmod": 0.5, "npadvmod": 0.4, "prep": 0.25}
"""How often a part is left out of a question, by its relation to the verb."""
_NEARER = word_set("pobj prep dobj attr agent dative oprd xcomp acomp")
_OPENERS = word_set(
    "the a an in on at by for from some many most several both another all such two three four "
    "five each other various early late modern during after before with under its his her their "
    "this these those"
)
"""Words that are small where they do not open a sentence."""
EMPTY = word_set(
    "what which who when where why how many much year date kind type place group organization "
    "person of in on at by for with from to as and or is are was were be been has have had do "
    "does did can could will would may might must should the a an it its most some such"
)
"""Words that tell no question from another."""
_COUNTED = word_set("CARDINAL QUANTITY")
_OTHER_VERBS = {
    "begin": "start", "start": "begin", "build": "construct", "construct": "build",
    "buy": "purchase", "create": "make", "establish": "set up", "found": "establish",
    "get": "receive", "receive": "get", "help": "assist", "use": "employ", "win": "earn",
    "write": "author", "show": "demonstrate", "end": "finish", "leave": "depart from",
    "need": "require", "require": "need", "give": "provide", "provide": "give",
    "call": "name", "name": "call", "discover": "find", "obtain": "get", "choose": "select",
    "produce": "make", "develop": "create", "believe": "think", "argue": "claim",
    "claim": "assert", "occur": "happen", "happen": "take place", "defeat": "beat",
    "publish": "release", "release": "publish", "attack": "assault", "allow": "let",
    "serve": "act", "study": "examine", "live": "reside", "move": "relocate",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its answer, where that begins in the passage, and the sentence it was made of."""

    question: str
    answer: str
    start: int
    sentence: Offsets


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Tokens that are asked for: first, the one after the last, their head, and how."""

    first: int
    after: int
    head: Any
    wh: str
    kind: str
    hidden: tuple[int, int]
    """Which tokens are left out of the question: the noun that "how many" counts goes too."""


def questions(passage: Any, title: str, draw: Random, count: int) -> Iterator[Asked]:
    """Up to ``many`` questions on a parsed passage, of different kinds as far as there are."""
    found: list[tuple[str, Asked]] = []
    for sentence in passage.sents:
        for clause in clauses(sentence):
            for wanted in _wanted(clause, sentence, draw):
                question = _asked(clause, wanted, title, draw)
                if question is None:
                    continue
                span = passage[wanted.first : wanted.after]
                place = sentence.start_char, sentence.end_char
                found.append((wanted.kind, Asked(question, span.text, span.start_char, place)))
    draw.shuffle(found)
    kinds: dict[str, int] = {}
    ranked: list[tuple[int, Asked]] = []
    for kind, one in found:
        kinds[kind] = kinds.get(kind, 0) + 1
        ranked.append((kinds[kind], one))
    ranked.sort(key=lambda pair: pair[0])
    for _, one in ranked[:count]:
        yield one


def _wanted(clause: Clause, sentence: Any, draw: Random) -> Iterator[_Wanted]:
    inside = {token.i for part in (clause.subject, *clause.parts) for token in part.tokens}
    named: set[int] = set()
    for name in sentence.ents:
        named.update(range(name.start, name.end))
        if not inside.issuperset(range(name.start, name.end)):
            continue
        if name.label_ in _COUNTED:
            yield from _counted(name)
            continue
        first = name.start + (name[0].lower_ in ("the", "a", "an") and len(name) > 1)
        last = name.end - (name[-1].tag_ == "POS")
        owned = last < name.doc[-1].i and name.doc[last].tag_ == "POS"
        modifies = name.root.dep_ in ("compound", "amod", "poss", "nmod", "nummod")
        if owned or last < name.end or modifies:
            continue
        wh = wh_of_name(name, draw)
        if wh is not None:
            yield _Wanted(first, last, name.root, wh, name.label_, (name.start, last))
    for chunk in sentence.noun_chunks:
        words = [one for one in chunk if one.pos_ not in ("DET", "PRON", "PUNCT", "PART")]
        fitting = (
            words
            and len(words) <= 6
            and chunk.root.pos_ == "NOUN"
            and chunk.root.lower_ not in _VAGUE
            and not named.intersection(range(chunk.start, chunk.end))
            and inside.issuperset(range(chunk.start, chunk.end))
            and not any(one.tag_ in ("POS", "PRP$") for one in chunk)
            and [word.i for word in words] == list(range(words[0].i, chunk.end))
        )
        if fitting and draw.random() < 0.7:
            wh, said = wh_of_phrase(chunk.root, words, draw)
            short = said and words[-2].pos_ in ("ADJ", "NOUN", "PROPN") and draw.random() < 0.5
            after = chunk.end - short
            hidden = (chunk.start, chunk.end)
            yield _Wanted(words[0].i, after, chunk.root, wh, "phrase", hidden)
    yield from _reasons(clause)


def _counted(number: Any) -> Iterator[_Wanted]:
    """How many of a noun: the noun goes to the front with the question word."""
    noun = number.root.head
    if number.root.dep_ != "nummod" or noun.tag_ != "NNS" or noun.i <= number.end - 1:
        return
    between = number.doc[number.end : noun.i + 1].text
    first = min(number.start, noun.left_edge.i)
    yield _Wanted(
        number.start, number.end, noun, f"how many {between}", "number", (first, noun.i + 1)
    )


def _reasons(clause: Clause) -> Iterator[_Wanted]:
    for part in clause.parts:
        opens = part.tokens[0].lower_
        start, end = part.tokens[0].i, part.tokens[-1].i + 1
        whole = end - start == len(part.tokens)
        if part.role == "advcl" and opens == "because" and whole and 3 < len(part.tokens) < 20:
            yield _Wanted(start + 1, end, part.head, "why", "reason", (start, end))
        does = any(child.dep_ == "pcomp" for child in part.head.children)
        if part.role == "prep" and opens == "by" and does and whole and len(part.tokens) < 16:
            yield _Wanted(start + 1, end, part.head, "how", "manner", (start, end))


def _asked(clause: Clause, wanted: _Wanted, title: str, draw: Random) -> str | None:
    hidden = range(*wanted.hidden)
    own = {token.i for token in clause.subject.tokens}
    subject = _subject(clause, title, hidden, draw)
    if wanted.head.i in own:
        return _of_subject(clause, wanted, draw) if wanted.head == clause.subject.head else None
    if subject is None:
        return None
    place = next((part for part in clause.parts if wanted.head in part.tokens), None)
    if place is None or not _is_near(clause.verb, wanted):
        return None
    found = _fronted(clause, place, wanted, draw)
    if found is None:
        return None
    wh, preposition = found
    skipped = {*hidden, *preposition}
    first, verb = clause.asking()
    if first in ("did", "does", "do") and draw.random() < 0.5:
        verb = _OTHER_VERBS.get(verb, verb)
    rest = _rest(clause, place, skipped, draw)
    return _closed([wh, first, subject, verb, *rest])


def _fronted(
    clause: Clause, place: Part, wanted: _Wanted, draw: Random
) -> tuple[str, tuple[int, ...]] | None:
    """What the question begins with, and the preposition that is said with it or not at all."""
    wh, before = wanted.wh, wanted.head.head
    if wanted.head.dep_ == "pobj" and before.head == clause.verb:
        word = before.lower_
        if wh in ("when", "how long") and word in _WHEN:
            return wh, (before.i,)
        if wanted.kind in ("GPE", "LOC", "FAC") and word in _PLACE and draw.random() < 0.6:
            return "where", (before.i,)
        dated = wh.endswith((" year", " date"))
        if word in _FRONTED and (dated or (wh not in ("who", "what") and draw.random() < 0.6)):
            bare = word == "in" and draw.random() < 0.5
            return wh if bare else f"{word} {wh}", (before.i,)
        return wh, ()
    if wh == "when" and place.role != "npadvmod":
        return ("what year", ()) if wanted.head.text.isdigit() else None
    return None if wh == "how long" else (wh, ())


def _is_near(verb: Any, wanted: _Wanted) -> bool:
    """Whether no other verb and no list is between the verb and what is asked for."""
    if wanted.kind in ("reason", "manner"):
        return True
    if any(child.dep_ in ("cc", "conj") for child in wanted.head.children):
        return False
    if any(child.lower_ == "of" and child.dep_ == "prep" for child in wanted.head.children):
        return False
    at, steps = wanted.head, 0
    while at.head != verb:
        if at.dep_ not in _NEARER or steps > 3:
            return False
        at, steps = at.head, steps + 1
    return at.dep_ in _NEARER or (at.dep_ == "npadvmod" and wanted.kind == "DATE")


def _of_subject(clause: Clause, wanted: _Wanted, draw: Random) -> str | None:
    """A question for the subject itself: the sentence with a question word before the verb."""
    after = [token for token in clause.subject.tokens if token.i >= wanted.hidden[1]]
    if any(one.dep_ in ("prep", "conj") and one.head == wanted.head for one in after):
        return None
    if clause.subject.tokens[0].i < wanted.hidden[0] or wanted.wh in ("when", "how long"):
        return None
    return _closed([wanted.wh, clause.statement(), *_rest(clause, None, set(), draw)])


def _subject(clause: Clause, title: str, hidden: range, draw: Random) -> str | None:
    tokens = clause.subject.tokens
    if len(tokens) == 1 and tokens[0].pos_ == "PRON":
        pronouns = ("he", "she") if _is_of_a_person(tokens[0].doc) else ("it",)
        known = tokens[0].lower_ in pronouns and title
        return re.sub(r"\s*\([^)]*\)", "", title) if known else None
    if tokens[0].tag_ == "PRP$":
        return None
    return _text(tokens, hidden, draw, lower=True)


def _is_of_a_person(passage: Any) -> bool:
    return sum(one.lower_ in ("he", "she", "his", "her") for one in passage) >= 3


def _rest(clause: Clause, place: Part | None, skipped: set[int], draw: Random) -> list[str]:
    """The other parts: those of before the subject last."""
    found: list[tuple[bool, str]] = []
    for part in clause.parts:
        if part != place and draw.random() < _DROPPED.get(part.role, 0.0):
            continue
        early = part.head.i < clause.verb.i and part.role in ("advcl", "advmod")
        if early and part != place:
            continue
        text = _text(part.tokens, skipped, draw, lower=part.before)
        found.append((part.before, text))
    return [text for _, text in sorted(found, key=lambda one: one[0]) if text]


def _text(tokens: Sequence[Any], skipped: Any, draw: Random, *, lower: bool = False) -> str:
    """Words with their spaces, without asides, brackets, and what is asked for."""
    out: set[int] = set(skipped)
    for token in tokens:
        if token.dep_ in _ASIDE and token != tokens[0] and draw.random() < 0.75:
            below = {other.i for other in token.subtree}
            if not below.intersection(skipped):
                out |= below
    said = "".join(token.text_with_ws for token in tokens if token.i not in out)
    said = re.sub(r"\([^()]*\)|\([^()]*$", "", said).strip(" ,;:")
    opens = next((token for token in tokens if token.i not in out), None)
    if lower and opens is not None and opens.lower_ in _OPENERS:
        said = said[:1].lower() + said[1:]
    return re.sub(r"^(?:this|these) ", "the ", said)


def _closed(pieces: Sequence[str]) -> str | None:
    text = " ".join(" ".join(piece for piece in pieces if piece).split())
    text = re.sub(r'"\s*"', "", text)
    text = re.sub(r"\s+([,.;:'])|,\s*(?=,)|\s*,(?=\s*$)", r"\1", text).strip(" ,;:.-")
    words = text.split()
    said = [word for word in words if word.lower() not in EMPTY]
    broken = re.search(r"[()\[\]]|\b(?:the|a|an|and|or)$", text)
    if broken or len(said) < 2 or not 5 <= len(words) <= 28:
        return None
    if text.count('"') % 2:
        text = text.replace('"', "")
    return text[:1].upper() + text[1:] + "?"


# Where else in its article the answer to a question is given, in other words.


_WORD = re.compile(r"[A-Za-z0-9]+")
SHARED = 3
"""How many words besides answer and title the other sentence must share with the question."""
OFTEN = 3
"""If an answer occurs more often in a passage, it is unclear which place is meant."""


def elsewhere(asked: Asked, own: str, others: Sequence[str], title: str) -> Cloze | None:
    """The passage whose sentence covers most of the question, not the one it was made of."""
    start, end = asked.sentence
    texts = [f"{own[:start].rstrip()} {own[end:].lstrip()}".strip(), *others]
    wanted = _stems(asked.question) - _stems(asked.answer) - _stems(title)
    best: tuple[int, Cloze] | None = None
    for text in texts:
        found = list(_places(asked.answer, text))
        if not found or len(found) > OFTEN:
            continue
        for at, sentence in found:
            shared = len(wanted & _stems(sentence))
            if shared >= SHARED and (best is None or shared > best[0]):
                best = shared, Cloze(text, asked.question, asked.answer, at)
    return None if best is None else best[1]


def _places(answer: str, text: str) -> Iterator[tuple[int, str]]:
    """Where the answer occurs as whole words, each with its sentence."""
    if answer not in text:
        return
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    after = 0
    for sentence in sentences(text, "en"):
        begin = text.find(sentence, after)
        if begin < 0:
            continue
        after = begin + len(sentence)
        for found in pattern.finditer(sentence):
            yield begin + found.start(), sentence


def _stems(text: str) -> set[str]:
    words = (one.lower() for one in _WORD.findall(text))
    return {stem(word) for word in words if word not in EMPTY and len(word) > 2}
