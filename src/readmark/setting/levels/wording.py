"""How a question's wording differs from the passage's where no reasoning is needed (level 2)."""

from __future__ import annotations

from readmark.corpus.spans import clip
from readmark.setting.levels.facts import Fact, missing_runs
from readmark.setting.levels.passages import Reading
from readmark.setting.levels.questions import Asked


def wording(asked: Asked, passage: Reading, fact: Fact) -> dict[str, str]:
    """``reorder`` where the words stand in another order, ``paraphrase`` where others do."""
    there = clip(passage.text[fact.main.start : fact.main.end].strip(" ，,。；;"))
    found: dict[str, str] = {}
    lost = _lost(asked, fact)
    if len(lost) > 1:
        found["paraphrase"] = f"{lost!r} is put in other words in {there!r}"
    elif lost:
        found["paraphrase"] = f"the wording differs in {there!r}"
    if _reordered(asked, passage, fact):
        found["reorder"] = f"the words stand in another order in {there!r}"
    return found or {"paraphrase": f"{there!r} has words besides those of the question"}


def _lost(asked: Asked, fact: Fact) -> str:
    """The longest run of the question's words that the statement does not have."""
    runs = missing_runs(asked, fact)
    if not runs:
        return ""
    longest = max(runs, key=len)
    return asked.text[asked.tokens[longest[0]].start : asked.tokens[longest[-1]].end]


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
