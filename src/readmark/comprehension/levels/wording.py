"""Level 2: how a question's wording differs from the passage's where no reasoning is needed."""

from __future__ import annotations

from readmark.comprehension.levels.facts import StatedFact, missing_runs
from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.whole_words import longest_stretch
from readmark.core.spans import clip


def wording(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> dict[str, str]:
    """``reorder`` if the words are in another order, ``paraphrase`` if others are used."""
    statement = clip(passage.quote(fact.main.start, fact.main.end))
    reasons: dict[str, str] = {}
    if missing_runs(question, fact):
        missing = _missing_words(question, passage, fact)
        differs = (
            f"{missing!r} is put in other words" if len(missing) > 1 else "the wording differs"
        )
        reasons["paraphrase"] = f"{differs} in {statement!r}"
    if _is_reordered(question, passage, fact):
        reasons["reorder"] = f"the words are in another order in {statement!r}"
    return reasons or {"paraphrase": f"{statement!r} has other words than the question"}


def _missing_words(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The longest run of the question's words that the statement does not have."""
    runs = missing_runs(question, fact)
    if passage.language != "zh":
        longest = max(runs, key=len)
        return question.source[question.tokens[longest[0]].start : question.tokens[longest[-1]].end]
    missing = {index for run in runs for index in run}
    statements = [passage.text[statement.start : statement.end] for statement in fact.statements]
    phrase = question.phrases[0] if question.phrases else (0, 0)

    def is_lost(start: int, end: int) -> bool:
        """Whether half of a word's characters are missing, and it is in no statement."""
        if start < phrase[1] and phrase[0] < end:
            return False
        inside = [
            index for index, token in enumerate(question.tokens) if start <= token.start < end
        ]
        is_mostly_missing = 2 * len(missing.intersection(inside)) >= max(1, len(inside))
        word = question.text[start:end]
        return is_mostly_missing and not any(word in statement for statement in statements)

    return longest_stretch(question.source, is_lost, question.text)


def _is_reordered(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> bool:
    """Whether the answer is on another side of the shared words than the question phrase."""
    if not question.phrases:
        return False
    phrase_start = question.phrase[0]
    first, last = fact.answer
    count = 0
    for index in sorted(fact.covered & question.content):
        token = question.tokens[index]
        places = [
            place
            for statement in fact.statements
            for place in range(statement.first, statement.last)
            if passage.keys[place] == token.key and not first <= place < last
        ]
        if places:
            count += (token.start < phrase_start) != (places[0] < first)
    # A Chinese token is one character: a single one may be elsewhere by chance.
    return count >= (2 if passage.language == "zh" else 1)
