"""Series without a target: the topic is a phrase of an earlier question, as in conversations.

What a pronoun means is looked for from the nearest question back, by how much each was about it
(Grosz, Joshi and Weinstein, "Centering"); what was left out is the topic of the moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from readmark.series.guided.answers import expected
from readmark.series.guided.bound_pronouns import HE, IT, SHE, THEY, is_empty
from readmark.series.guided.edits import Edit, Rewrite, apply_edits
from readmark.series.guided.follow_ups import follow_up
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.phrases import (
    DEFINITE,
    OBJECT,
    SUBJECT,
    SpokenPhrase,
    compound,
    introduced,
    phrases,
)
from readmark.series.guided.short_forms import short_form_edits
from readmark.series.guided.surface import answer_words, fitted, possessive, possessive_form
from readmark.series.guided.topic_gaps import gap_edit

TOPICS_GUIDELINE = "Context independence and readability"
PREVIOUS = "Previous Questions and Answers"
_OWNING = ("its", "their", "his")
FADING = 0.8
"""The factor for each question in between."""
_COMPARED = ("compare", "common", "difference", "different", "differ", "similarity", "similar")
_QUANTIFIERS = ("some", "most", "many", "all", "any")
_WHEN = ("before", "after", "while", "without")
_CLAUSE = ("CC", ",", "WRB", "WP")


@dataclass
class Talk:
    """What the questions so far were about: the latest last, each the weightiest first."""

    spoken: list[list[SpokenPhrase]] = field(default_factory=list)
    genders: dict[str, str] = field(default_factory=dict)
    """Genders of persons, inferred from the pronouns so far."""
    people: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    """Questions that asked for a person, with the genders that the answer can have."""
    outside: set[str] = field(default_factory=set)
    """Genders of pronouns that meant nobody in the talk: later ones mean the same nobody."""

    def topic(self) -> SpokenPhrase | None:
        """What the talk is about now."""
        for spoken_phrases in reversed(self.spoken):
            for phrase in spoken_phrases:
                if phrase.weight >= SUBJECT and phrase.kind != "time":
                    return phrase
        return next(
            (phrase for spoken_phrases in reversed(self.spoken) for phrase in spoken_phrases), None
        )

    def both(self) -> SpokenPhrase | None:
        """The two things that were spoken of last, to be compared."""
        spoken_phrases: list[SpokenPhrase] = []
        for said in reversed(self.spoken[-3:]):
            for phrase in said:
                if phrase.kind in ("thing", "place", "name") and all(
                    phrase.text != two.text for two in spoken_phrases
                ):
                    spoken_phrases.append(phrase)
        if len(spoken_phrases) < 2 or any(phrase.plural for phrase in spoken_phrases[:2]):
            return None
        text = f"{spoken_phrases[0].named} and {spoken_phrases[1].named}"
        return replace(spoken_phrases[0], text=text, article="", plural=True)

    def meant(self, lower: str) -> SpokenPhrase | None:
        """What a pronoun means: what agrees, near, and weighty."""
        best: tuple[float, SpokenPhrase] | None = None
        gender = gender_of(lower)
        for back, spoken_phrases in enumerate(reversed(self.spoken)):
            for phrase in spoken_phrases:
                score = phrase.weight - FADING * back
                fits = agrees(phrase, lower) and self.genders.get(phrase.text) in (
                    None,
                    gender or "neuter",
                )
                if fits and (best is None or score > best[0]):
                    best = score, phrase
        asked = self.people and self.people[-1][0] == len(self.spoken) - 1
        if best is not None and gender and asked and best[1].kind != "person":
            best = None if self.answer(gender) is not None else best  # who wrote Hamlet
        if best is not None:
            return best[1]
        people = lower in HE | SHE
        if people and self.answer(gender) is not None:
            return None
        for spoken_phrases in reversed(self.spoken):
            for phrase in spoken_phrases:
                name = phrase.text[:1].isupper() and phrase.kind == "thing"
                if people and self.genders.get(phrase.text) not in (None, gender):
                    continue
                if phrase.weight >= OBJECT and (
                    name if people else phrase.kind in ("thing", "name")
                ):
                    return phrase
        return None

    def answer(self, gender: str | None) -> int | None:
        """The nearest earlier question whose answer is a person of the gender."""
        if gender in self.outside:
            return None
        return next((index for index, own in reversed(self.people) if gender in own), None)


def gender_of(lower: str) -> str | None:
    return "male" if lower in HE else "female" if lower in SHE else None


def agrees(phrase: SpokenPhrase, lower: str) -> bool:
    """Whether a pronoun can stand for a phrase, by number and by being a person or not."""
    if lower in HE | SHE:
        return phrase.kind in ("person", "somebody", "name") and not phrase.plural
    if lower in IT:
        return not phrase.plural and phrase.kind not in ("person", "somebody")
    return phrase.plural or phrase.is_sort


def rewrite_untargeted(
    questions: Sequence[ParsedText], known: KnownAnswers, previous: str = "variable"
) -> list[Rewrite]:
    """Every question with what points back, or was left out, said by the questions before it."""
    talk = Talk()
    done: list[Rewrite] = []
    for index, asked in enumerate(questions):

        def answer(earlier: int, at: int = index) -> str:
            question = questions[earlier]
            answers = known.answers(at, earlier)
            return answer_words(previous, answers, question, done[earlier].text, expected(question))

        made, spoken = _rewritten(asked, talk, questions[:index], done, answer)
        done.append(made)
        talk.spoken.append(spoken)
        if genders := _asked_for(asked):
            talk.people.append((index, genders))
    return done


def _asked_for(asked: ParsedText) -> frozenset[str]:
    """The genders that the person whom a question asks for can have; none if it asks for none.

    If nothing decides, not that of a pronoun in the question: she stays the topic.
    """
    wanted, new = expected(asked), introduced(asked)
    named = new is not None and new.text[:1].isupper()
    else_ = any(word.lower == "else" for word in asked.words)
    if wanted.kind != "person" or wanted.plural or named or else_:
        return frozenset()
    if wanted.gender is not None:
        return frozenset((wanted.gender,))
    return frozenset(("male", "female")) - {gender_of(word.lower) for word in asked.words}


def _rewritten(
    asked: ParsedText,
    talk: Talk,
    before: Sequence[ParsedText],
    done: Sequence[Rewrite],
    answer: Callable[[int], str],
) -> tuple[Rewrite, list[SpokenPhrase]]:
    own_phrases = phrases(asked)
    if not talk.spoken or not asked.words:
        if not any(phrase.kind == "person" for phrase in own_phrases):
            talk.outside |= {own for word in asked.words if (own := gender_of(word.lower))}
        why = "nothing was asked before"
        return Rewrite(asked.text, why=why), own_phrases or compound(asked)
    follows = follow_up(asked, before[-1], done[-1].text)
    if follows is not None:
        return Rewrite(follows.now, (follows,)), own_phrases or talk.spoken[-1]
    edits, meant = _pronoun_edits(asked, talk, own_phrases, answer)
    edits += short_form_edits(asked, before)
    topic = talk.topic()
    new = introduced(asked)
    answered = any(edit.earlier is not None for edit in edits)
    if not meant and not answered and topic is not None:
        gap = gap_edit(asked, topic, new, talk.spoken)
        if gap is not None and not any(gap.start < e.end and e.start < gap.end for e in edits):
            edits.append(gap)
            meant.append(topic)
    if not edits:
        return Rewrite(asked.text, why="nothing that points back"), own_phrases
    made = tuple(sorted(edits, key=lambda edit: edit.start))
    still = [replace(phrase, weight=SUBJECT) for phrase in meant]
    spoken = [phrase for phrase in own_phrases if all(phrase.text != other.text for other in still)]
    if new is None:  # what is said again stays the topic
        spoken = [replace(phrase, weight=min(phrase.weight, OBJECT)) for phrase in spoken]
    everything = sorted([*still, *spoken], key=lambda phrase: -phrase.weight)
    return Rewrite(apply_edits(asked.text, made), made), everything


def _pronoun_edits(
    asked: ParsedText, talk: Talk, own_phrases: Sequence[SpokenPhrase], answer: Callable[[int], str]
) -> tuple[list[Edit], list[SpokenPhrase]]:
    edits: list[Edit] = []
    meant: list[SpokenPhrase] = []
    for index, word in enumerate(asked.words):
        lower = word.lower
        if lower in ("one", "ones") and _is_noun(asked, index) and (topic := talk.topic()):
            edits.append(_edit_one(asked, index, topic))
            meant.append(topic)
            continue
        if (person := _this_person(asked, index, talk, answer)) is not None:
            edits.append(person)
            continue
        exists = index > 0 and asked.words[index - 1].lemma == "be"
        if lower == "there" and word.tag == "RB" and not exists:
            where = talk.meant("it")
            if where is not None:
                link = "in" if where.kind == "place" else "at"
                edits.append(_edit(asked, word.start, word.end, f"{link} {where.named}", "there"))
                meant.append(where)
            continue
        if lower not in HE | SHE | IT | THEY or (lower == "it" and is_empty(asked, index)):
            continue
        if _is_bound(asked, index, lower, own_phrases):
            continue
        compared = lower in THEY and any(w.lemma in _COMPARED for w in asked.words)
        phrase = (talk.both() if compared else None) or talk.meant(lower)
        gender = gender_of(lower)
        earlier = talk.answer(gender) if phrase is None and gender is not None else None
        if earlier is not None and all(edit.earlier != earlier for edit in edits):
            text = answer(earlier)
            text = possessive_form(text) if word.tag == "PRP$" or lower == "his" else text
            made = _edit(asked, word.start, word.end, text, lower)
            why = f"{lower}: an earlier answer is a person who agrees"
            edits.append(replace(made, why=why, guideline=PREVIOUS, earlier=earlier))
            continue
        if phrase is None and earlier is None and gender is not None:
            talk.outside.add(gender)
        if phrase is None or any(phrase.text == other.text for other in meant):
            continue
        if gender is not None or lower in IT:
            talk.genders.setdefault(phrase.text, gender or "neuter")
        meant.append(phrase)
        several = lower in THEY and phrase.is_sort and not phrase.plural
        name, plural = (phrase.several, True) if several else (phrase.named, phrase.plural)
        owning = word.tag == "PRP$" or lower in _OWNING
        text = possessive_form(name, plural=plural) if owning else name
        start = word.start
        before = [w.lower for w in asked.words[max(0, index - 2) : index]]
        if (
            lower == "them"
            and not phrase.article
            and before[1:] == ["of"]
            and before[0] in _QUANTIFIERS
        ):
            start = asked.words[index - 1].start  # most of them -> most spices
        edits.append(_edit(asked, start, word.end, text, lower))
    return edits, meant


def _this_person(
    asked: ParsedText, index: int, talk: Talk, answer: Callable[[int], str]
) -> Edit | None:
    """This person: the answer to the last question that asked who, if nobody was named since."""
    words = asked.words
    if words[index].lower not in ("this", "that") or index + 1 >= len(words) or not talk.people:
        return None
    noun, earlier = words[index + 1], talk.people[-1][0]
    after = words[index + 2] if index + 2 < len(words) else None
    is_described = after is not None and after.lower in ("who", "whom", "whose", "of", "that")
    named_since = any(
        phrase.kind == "person" for phrases in talk.spoken[earlier + 1 :] for phrase in phrases
    )
    if noun.lemma not in ("person", "individual") or is_described or named_since:
        return None
    end, text = noun.end, answer(earlier)
    if after is not None and after.tag == "POS":
        end, text = possessive(asked, index + 2, text, plural=False)
    edit = _edit(asked, words[index].start, end, text, f"{words[index].lower} {noun.lower}")
    why = f"{words[index].lower} {noun.lower}: an earlier question asks who"
    return replace(edit, why=why, guideline=PREVIOUS, earlier=earlier)


def _edit(asked: ParsedText, start: int, end: int, now: str, word: str) -> Edit:
    why = f"{word}: what the questions before are about"
    was = asked.text[start:end]
    return Edit(start, end, was, fitted(asked, start, now), why, TOPICS_GUIDELINE)


def _is_bound(
    asked: ParsedText, index: int, lower: str, own_phrases: Sequence[SpokenPhrase]
) -> bool:
    """Whether the pronoun means something said in an earlier clause of the question."""
    word = asked.words[index]
    for phrase in own_phrases:
        if phrase.end > word.start or phrase.weight < DEFINITE or not agrees(phrase, lower):
            continue
        between = [w for w in asked.words[:index] if w.start >= phrase.end]
        if any(w.tag in _CLAUSE or w.dep == "mark" or w.lower in _WHEN for w in between):
            return True
    return False


def _is_noun(asked: ParsedText, index: int) -> bool:
    """One after an adjective, an article or a verb: a new one, become one."""
    before = asked.words[index - 1] if index else None
    after = asked.words[index + 1] if index + 1 < len(asked.words) else None
    free = after is None or not (after.is_noun or after.lower == "of")
    ok = before is not None and (
        before.tag in ("JJ", "JJR", "JJS", "DT", "VBN") or before.tag.startswith("VB")
    )
    return free and ok


def _edit_one(asked: ParsedText, index: int, topic: SpokenPhrase) -> Edit:
    word, before = asked.words[index], asked.words[index - 1]
    name = topic.several if word.lower == "ones" else topic.single
    if before.tag.startswith("VB") and word.lower == "one":
        name = f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
    why = f"{word.lower}: of the topic of the questions before"
    return Edit(word.start, word.end, word.text, name, why, TOPICS_GUIDELINE)
