"""Other: what other states -> what states other than the one that was answered or the target."""

from __future__ import annotations

from readmark.models.rewriting.answers import is_personal
from readmark.models.rewriting.nouns import same_noun
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.surface import said
from readmark.models.rewriting.tables import alike, kinds_of
from readmark.models.rewriting.values import Edit


def other_edit(here: Situation) -> tuple[Edit, Referent] | None:
    """The edit of a phrase with other whose noun an earlier answer or the target is one of."""
    asked = here.now.parsed
    at = next((i for i, word in enumerate(asked.words) if word.lower in ("other", "additional")), 0)
    if not at:
        return None
    last = at
    while last + 1 < len(asked.words) and (
        asked.words[last + 1].is_noun or asked.words[last + 1].tag in ("JJ", "HYPH", "VBG", "CD")
    ):
        last += 1
    while last > at and not asked.words[last].is_noun:
        last -= 1
    if last == at or (last + 1 < len(asked.words) and asked.words[last + 1].lower == "than"):
        return None
    meant = _meant(here, asked.words[last].lemma)
    if meant is None:
        return None
    return _edit(here, asked, at, last, meant), meant


def _meant(here: Situation, noun: str) -> Referent | None:
    target = here.target
    for before in range(here.at - 1, -1, -1):
        asked = here.asked[before].expected
        if asked.noun and asked.is_referent and alike(asked.noun) & alike(noun):
            why = f"an earlier question asks for the {noun}"
            return Referent("answer", why, earlier=before, sure=0.8)
    if here.now.about_target or target.common:
        return None
    if target.kind == "event":
        places = [one for one in target.inner if not one.person]
        hill = len(places) == 1 and places[0].tokens[0].base in ("mount", "mt")
        if noun in ("mountain", "volcano", "peak") and hill and here.now.inner is None:
            return Referent("inner", f"the {noun} of the event", inner=places[0], sure=0.7)
    if same_noun(noun, target.head) or any(same_noun(noun, one.base) for one in target.tokens):
        return Referent("target", f"the target is one of the {noun}s", sure=0.8)
    kinds = kinds_of(noun)
    people = is_personal(noun) or noun.endswith("ant")
    if target.kind in kinds or (target.kind == "person" and people):
        return Referent("target", f"the target is one of the {noun}s", sure=0.7)
    return None


def _edit(here: Situation, asked: Parsed, at: int, last: int, meant: Referent) -> Edit:
    if last + 1 < len(asked.words) and asked.words[last + 1].lower == "of":
        name = last + 1  # pyramids of Egypt other than
        while name + 1 < len(asked.words) and asked.words[name + 1].tag in ("DT", "NNP", "NNPS"):
            name += 1
        last = name if name > last + 1 else last
    start, end = asked.words[at].start, asked.words[last].end
    kept = asked.text[asked.words[at + 1].start : end]
    return Edit(
        start,
        end,
        asked.text[start:end],
        f"{kept} other than {said(here, meant)}",
        meant.why,
        "Previous Questions and Answers" if meant.what == "answer" else "Rephrasing",
        meant.sure,
        meant.earlier,
    )
