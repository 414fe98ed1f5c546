"""Phrases with other: what other states -> what states other than the one answered, or the target.

Of what the others are others depends on what was asked before, so the question has to say it.
"""

from __future__ import annotations

from readmark.series.guided.answers import is_personal
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import NOUNS, ParsedText
from readmark.series.guided.surface import referent_text
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import alike, kinds_of


def other_edit(situation: Situation) -> tuple[Edit, Referent] | None:
    """The edit of a phrase with other whose noun an earlier answer or the target is one of."""
    asked = situation.current.parsed
    other = next(
        (index for index, word in enumerate(asked.words) if word.lower in ("other", "additional")),
        0,
    )
    if not other:  # there is none, or it is the first word
        return None
    last = asked.run_end(other, (*NOUNS, "JJ", "HYPH", "VBG", "CD"))
    while last > other and not asked.words[last].is_noun:
        last -= 1
    if last == other or (last + 1 < len(asked.words) and asked.words[last + 1].lower == "than"):
        return None
    meant = _meant(situation, asked.words[last].lemma)
    return None if meant is None else (_edit(situation, asked, other, last, meant), meant)


def _meant(situation: Situation, noun: str) -> Referent | None:
    """What the others are others than: an earlier answer, a mountain of the event, the target."""
    target = situation.target
    for earlier in range(situation.index - 1, -1, -1):
        answer = situation.asked[earlier].expected
        if answer.noun and answer.is_referent and alike(answer.noun) & alike(noun):
            why = f"an earlier question asks for the {noun}"
            return Referent("answer", why, earlier=earlier)
    if situation.current.about_target or target.common:
        return None
    if target.kind == "event":
        places = [inner for inner in target.inner if not inner.person]
        is_mountain = len(places) == 1 and places[0].tokens[0].base in ("mount", "mt")
        asks_for_mountains = noun in ("mountain", "volcano", "peak")
        if is_mountain and asks_for_mountains and situation.current.inner is None:
            return Referent("inner", f"the {noun} of the event", inner=places[0])
    is_word_of_target = any(same_noun(noun, token.base) for token in target.tokens)
    is_person = target.kind == "person" and (is_personal(noun) or noun.endswith("ant"))
    if (
        same_noun(noun, target.head)
        or is_word_of_target
        or target.kind in kinds_of(noun)
        or is_person
    ):
        return Referent("target", f"the target is one of the {noun}s")
    return None


def _edit(situation: Situation, asked: ParsedText, other: int, last: int, meant: Referent) -> Edit:
    """Other and its noun, said as the noun other than what is meant."""
    if last + 1 < len(asked.words) and asked.words[last + 1].lower == "of":
        name = asked.run_end(last + 1, ("DT", "NNP", "NNPS"))  # pyramids of Egypt other than
        last = name if name > last + 1 else last
    start, end = asked.words[other].start, asked.words[last].end
    noun_phrase = asked.text[asked.words[other + 1].start : end]
    text = f"{noun_phrase} other than {referent_text(situation, meant)}"
    is_answer = meant.what == "answer"
    guideline = "Previous Questions and Answers" if is_answer else "Rephrasing"
    return situation.edit(start, end, text, meant, guideline)
