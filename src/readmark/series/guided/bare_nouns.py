"""Nouns that lack the target before them: openers, of can openers; the spots, of Club Med spots."""

from __future__ import annotations

from readmark.series.guided.edits import AskedQuestion, Edit, Situation
from readmark.series.guided.nominals import nominals
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.word_forms import same_noun

_MODIFIER_GUIDELINE = "Target matches a sub-string of the question"
_COMPOUND_GUIDELINE = "Context independence and readability"


def modifier_edit(situation: Situation) -> Edit | None:
    """The target's own modifiers put before its bare noun, whose number stays."""
    target, asked = situation.target, situation.current.parsed
    if target.kind in ("event", "person") or len(target.tokens) < 2 or target.sentence:
        return None
    head = target.tokens[-1]
    if not head.text.islower() or head.base != target.head:
        return None
    modifiers = target.plain[: head.start].strip()
    question_words = {token.base for token in asked.tokens}
    if all(token.base in question_words for token in target.tokens[:-1]):
        return None  # which Virginia vineyard produces the most wine
    for index, word in enumerate(asked.words):
        previous = asked.words[index - 1] if index else None
        after_article = previous is not None and previous.lower in ("a", "an")
        if not (word.is_noun or after_article) or not same_noun(word.lower, head.base):
            continue
        following = asked.words[index + 1] if index + 1 < len(asked.words) else None
        if target.inner or (previous is not None and previous.tag == "POS"):
            return None
        if previous is not None and (previous.is_noun or previous.tag == "HYPH"):
            return None
        if previous is not None and previous.lower in ("the", "this", "that", "these", "those"):
            return None  # a definite phrase, which nominal_edits decides on
        if following is not None and following.is_noun:
            return None
        why = f"{word.lower}: the target's noun without the words before it"
        return Edit(word.start, word.start, "", f"{modifiers} ", why, _MODIFIER_GUIDELINE)
    return None


def compound_edit(situation: Situation) -> Edit | None:
    """The target put before a definite noun that it stood before in an earlier question."""
    asked, target = situation.current.parsed, situation.target
    if target.sentence or target.kind in ("person", "event"):
        return None
    nouns_after_target = {
        noun
        for earlier in situation.asked[: situation.index]
        for noun in _nouns_after_target(earlier)
    }
    for nominal in nominals(asked):
        noun = asked.words[nominal.last]
        if noun.lemma not in nouns_after_target or noun.tag in ("NNP", "NNPS"):
            continue
        if nominal.modifies or nominal.owns:
            continue
        why = f"{noun.lemma}: an earlier question has the target before it"
        return Edit(noun.start, noun.start, "", f"{target.text} ", why, _COMPOUND_GUIDELINE)
    return None


def _nouns_after_target(earlier: AskedQuestion) -> set[str]:
    """The nouns of phrases that begin with the target: spots, of Club Med vacation spots."""
    nouns: set[str] = set()
    words = earlier.parsed.words
    for part in earlier.parts:
        if part.how not in ("whole", "part", "alias") or part.possessive:
            continue
        index = _word_after(earlier.parsed, part.end)
        last = None
        while index is not None and index < len(words) and words[index].is_noun:
            last, index = index, index + 1
        if last is not None and words[last].text.islower():
            nouns.add(words[last].lemma)
    return nouns


def _word_after(asked: ParsedText, offset: int) -> int | None:
    """The word after an offset, if a space alone is between them."""
    return asked.word_at(offset + 1) if asked.text[offset : offset + 1] == " " else None
