"""Questions that leave the target out: what was the final score, how many people were killed."""

from __future__ import annotations

import re

from readmark.models.rewriting.nominals import Nominal, deictic, nominals
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.parts import variant
from readmark.models.rewriting.state import Situation
from readmark.models.rewriting.surface import end_of
from readmark.models.rewriting.tables import listed
from readmark.models.rewriting.targets import Target
from readmark.models.rewriting.values import Edit

GUIDELINE = "Context independence and readability"
_NOT_NAMES = frozenset("us uk u.s u.n i mvp tv ceo".split())


def independent(here: Situation) -> str:
    """Why a question without a word on the target stands alone; nothing where it does not."""
    asked = here.now.parsed
    if variant(here.target, asked):
        return "it says the target in another form"
    if any(part.how == "other" for part in here.now.parts):
        return "it speaks of something else by name"
    if here.now.inner is not None:
        return "" if _happened(here) else "it names what it is about"
    bare = [one for one in nominals(asked) if _open(asked, one)]
    if _names(asked) and not bare:
        return "it names what it is about"
    return ""


def elliptic_edit(here: Situation) -> Edit:
    """The target put in after the noun that is its own, or at the end."""
    asked, target = here.now.parsed, here.target
    text = asked.text
    found = re.search(r"\bat the time(?=\s*[?.]|$)", text)
    if found is not None and target.kind == "event":
        return _inserted(found.end(), f" of {_about(target)}", "at the time: of the event")
    inner = here.now.inner
    if inner is not None and inner.person and (own := _own_event(here)) is not None:
        return _inserted(end_of(text), f" {own}", "the happening is left out")
    for one in nominals(asked):
        if inner is not None or not _open(asked, one):
            continue
        noun = asked.words[one.last]
        for preposition in ("of", "at"):
            if noun.lemma in listed("relations", preposition) and not target.sentence:
                return _inserted(
                    noun.end, f" {preposition} {_about(target)}", f"{noun.lemma} is the target's"
                )
        if target.kind != "event":
            return _inserted(noun.end, f" of {_about(target)}", f"{noun.lemma} is the target's")
    if target.sentence:
        return _inserted(end_of(text), f" when {target.text}", "the happening is left out", 0.5)
    if target.kind == "event":
        word = "during" if inner is not None else "in"
        return _inserted(end_of(text), f" {word} {_about(target)}", "the event is left out", 0.7)
    noun_at = here.now.expected.noun
    if noun_at and text.lower().startswith(("how many", "name ", "list ", "what ")):
        for word_ in asked.words:
            if word_.lemma == noun_at and word_.is_noun:
                return _inserted(word_.end, f" of {_about(target)}", "its owner is left out", 0.6)
    return appended(here)


def appended(here: Situation) -> Edit:
    """The fallback: the target said at the end, as the document's system does."""
    text = here.now.parsed.text
    word = {"person": "of", "place": "in", "event": "in"}.get(here.target.kind, "of")
    return _inserted(
        end_of(text), f" {word} {_about(here.target)}", "the target is left out", 0.5
    )


def _inserted(at: int, now: str, why: str, sure: float = 0.8) -> Edit:
    return Edit(at, at, "", now, why, GUIDELINE, sure)


def _about(target: Target) -> str:
    return target.named()


def _own_event(here: Situation) -> str | None:
    """in her 1998 indictment and trial, where the person of the event is named already."""
    target, inner = here.target, here.now.inner
    if inner is None or not target.plain.endswith(f" of {inner.text}"):
        return None
    text = here.now.parsed.text
    title = next((part for part in here.now.parts if part.titled), None)
    before = text[: title.start].split()[-1:] if title is not None else []
    said = {one.lower().rstrip(".") for one in before}
    if said & listed("people", "female_titles"):
        whose = "her"
    elif said & listed("people", "male_titles"):
        whose = "his"
    else:
        return None
    return f"in {whose} {target.plain[: -len(inner.text) - 4]}"


def _happened(here: Situation) -> bool:
    """Whether a question that names only someone in an event asks of the event itself."""
    asked, target = here.now.parsed, here.target
    if target.kind != "event" or target.sentence:
        return False
    own = {one.base for one in target.tokens}
    verbs = [word for word in asked.words if word.tag.startswith("VB") or word.tag == "MD"]
    main = [word for word in verbs if word.dep == "ROOT"] or verbs[-1:]
    if not main or any(word.lemma in own or word.lower in own for word in verbs):
        return False
    person = here.now.inner is not None and here.now.inner.person
    past = any(word.tag == "VBD" for word in verbs)
    return past and (main[0].lemma != "be" or person)


def _open(asked: Parsed, one: Nominal) -> bool:
    """A definite phrase that nothing in the question makes definite."""
    word = asked.words[one.last]
    if one.followed or one.modifies or deictic(word.lemma) or word.tag in ("NNP", "NNPS"):
        return False
    first = asked.words[one.first + 1]
    if first.tag in ("NNP", "NNPS", "CD", "JJS") or deictic(first.lower):
        return False
    after = asked.words[one.last + 1] if one.last + 1 < len(asked.words) else None
    return after is None or after.tag not in ("IN", "WDT", "WP") or after.dep == "mark"


def _names(asked: Parsed) -> bool:
    """Whether a name, or something in quotes, stands in the question."""
    if '"' in asked.text or "“" in asked.text:
        return True
    for at, one in enumerate(asked.tokens):
        if at and one.text[:1].isupper() and one.base not in _NOT_NAMES:
            return True
    return False
