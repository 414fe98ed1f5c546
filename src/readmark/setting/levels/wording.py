"""How a question's wording differs from the passage's where no reasoning is needed (level 2)."""

from __future__ import annotations

from readmark.corpus.spans import clip
from readmark.setting.levels.facts import Fact, missing_runs
from readmark.setting.levels.passages import Reading
from readmark.setting.levels.questions import Asked
from readmark.setting.levels.whole_words import longest_stretch


def wording(asked: Asked, passage: Reading, fact: Fact) -> dict[str, str]:
    """``reorder`` where the words stand in another order, ``paraphrase`` where others do."""
    there = clip(passage.text[fact.main.start : fact.main.end].strip(" ，,。；;"))
    found: dict[str, str] = {}
    if missing_runs(asked, fact):
        lost = _lost(asked, passage, fact)
        differs = f"{lost!r} is put in other words" if len(lost) > 1 else "the wording differs"
        found["paraphrase"] = f"{differs} in {there!r}"
    if _reordered(asked, passage, fact):
        found["reorder"] = f"the words stand in another order in {there!r}"
    return found or {"paraphrase": f"{there!r} has words besides those of the question"}


def _lost(asked: Asked, passage: Reading, fact: Fact) -> str:
    """The longest run of the question's words that the statement does not have."""
    runs = missing_runs(asked, fact)
    if passage.language != "zh":
        longest = max(runs, key=len)
        return asked.text[asked.tokens[longest[0]].start : asked.tokens[longest[-1]].end]
    missing = {at for run in runs for at in run}
    phrase = asked.phrases[0] if asked.phrases else (0, 0)
    said = [passage.text[one.start : one.end] for one in fact.statements]

    def lost(start: int, end: int) -> bool:
        if start < phrase[1] and phrase[0] < end:
            return False
        own = [at for at, token in enumerate(asked.tokens) if start <= token.start < end]
        most = 2 * len(missing.intersection(own)) >= max(1, len(own))
        return most and not any(asked.text[start:end] in one for one in said)

    return longest_stretch(asked.text, lost)


def _reordered(asked: Asked, passage: Reading, fact: Fact) -> bool:
    """Whether the answer stands on another side of the shared words than the question phrase."""
    if not asked.phrases:
        return False
    phrase = asked.phrases[0][0]
    after = 0
    keys = passage.keys
    for at in sorted(fact.covered & asked.content):
        asked_before = asked.tokens[at].start < phrase
        places = [
            place
            for one in fact.statements
            for place in range(one.first, one.last)
            if keys[place] == asked.tokens[at].key and not fact.answer[0] <= place < fact.answer[1]
        ]
        if not places:
            continue
        told_before = places[0] < fact.answer[0]
        after += asked_before != told_before
    return after >= (2 if passage.language == "zh" else 1)
