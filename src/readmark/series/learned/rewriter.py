"""Series rewritten by the learned ranker: what was chosen at each step, and over what."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from readmark.core.extras import require
from readmark.series.guided.parses import LONGEST
from readmark.series.learned.chinese import chinese_content, chinese_filled, read_chinese
from readmark.series.learned.english import ENGLISH, read_english
from readmark.series.learned.features import GUIDED, KEEP, STEPS, Draft, Rows, Tongue, reasons
from readmark.series.learned.ranker import RewriteRanker
from readmark.series.learned.values import Asking
from readmark.stats.networks import Floats

CHINESE = Tongue(chinese_filled, chinese_content)
MARGIN, UNTARGETED = 8.0, 1.0
"""By how much a candidate must be ahead of the guidelines' rewrite: where golds follow them, and in
a conversation without a target. In one that tells its answers the network decides alone."""


class ReadSeries(Protocol):
    """A series that was read, in whatever language."""

    def asking(self, index: int, rewritten: Sequence[str]) -> Asking: ...


@dataclass(frozen=True, slots=True)
class Step:
    """An edit that was chosen: what it made, why, and what came next to it."""

    what: str
    """keep, guided, or where a phrase was put."""
    text: str
    share: float
    """Its probability among the candidates."""
    why: tuple[str, ...]
    runner_up: str
    candidates: int
    was: str = ""
    now: str = ""
    source: str = ""

    def shown(self) -> dict[str, Any]:
        """The step as evidence of a row."""
        said: dict[str, Any] = {"chosen": self.what}
        if self.was or self.now:
            said |= {"was": self.was, "now": self.now.strip(), "from": self.source}
        said |= {"share": round(self.share, 4), "of": self.candidates, "why": list(self.why)}
        if self.runner_up:
            said["runner_up"] = self.runner_up
        return said


@dataclass(frozen=True, slots=True)
class Chosen:
    """A question rewritten, with its steps."""

    text: str
    steps: tuple[Step, ...]

    @property
    def sure(self) -> float:
        """The product of the steps' probabilities."""
        sure = 1.0
        for step in self.steps:
            sure *= step.share
        return round(sure, 4)


def rewrite_learned(
    target: str,
    questions: Sequence[str],
    ranker: RewriteRanker,
    *,
    known: Sequence[Sequence[str]] = (),
    topic: str | None = None,
    type: str | None = None,
    language: str = "en",
    style: str = "auto",
) -> list[Chosen]:
    """Every question of a series so that it stands alone.

    ``known`` are the answers before each question, where the series tells them.
    """
    answers = answers_of(known, len(questions))
    follows = style == "guidelines" or (style == "auto" and not is_conversation(target, answers))
    margin = MARGIN if follows else 0.0 if target.strip() else UNTARGETED
    read: ReadSeries
    if language == "zh":
        read = read_chinese(target, questions, answers=answers, type=type)
        return rewrite_all(read, len(questions), ranker, CHINESE, margin)
    read = read_english(target, questions, answers=answers, topic=topic, type=type)
    made = rewrite_all(read, len(questions), ranker, ENGLISH, margin)
    return [
        replace(chosen, text=chosen.text + question[LONGEST:])
        if len(question) > LONGEST
        else chosen
        for chosen, question in zip(made, questions, strict=True)
    ]


def answers_of(known: Sequence[Sequence[str]], count: int) -> list[str]:
    """The answer to each question: what is known before the next one."""
    told = [*known, *[()] * (count - len(known))][1:count]
    return [", ".join(one) for one in told]


def is_conversation(target: str, answers: Sequence[str]) -> bool:
    """Whether a series has no target, or gives most answers, as dialogues do."""
    return not target.strip() or 2 * sum(map(bool, answers)) > len(answers)


def rewrite_all(
    series: ReadSeries, count: int, ranker: RewriteRanker, tongue: Tongue, margin: float = 0.0
) -> list[Chosen]:
    """Every question in order: each leans on what was made of those before."""
    history: list[str] = []
    done: list[Chosen] = []
    with _blas().limit(limits=1):
        for index in range(count):
            made = rewrite_one(series.asking(index, history), ranker, tongue, margin)
            history.append(made.text)
            done.append(made)
    return done


@functools.cache
def _blas() -> Any:
    """What multiplies: its matrices are so small that threads cost many times what they save."""
    require("threadpoolctl")
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def rewrite_one(asking: Asking, ranker: RewriteRanker, tongue: Tongue, margin: float) -> Chosen:
    """The best edit, then the best of what it made, until nothing is better than to keep it."""
    draft = Draft(asking)
    steps: list[Step] = []
    if not asking.text.strip():
        return Chosen(asking.text, ())
    for _ in range(STEPS):
        rows = draft.rows(tongue)
        scores = ranker.scores(rows.numbers)
        if not steps:
            scores[_guided(rows)] += margin
        order = np.argsort(-scores, kind="stable")
        drafts = _first_two(draft, rows, order, tongue)
        if not drafts:
            break
        best, following = drafts[0]
        step = _step(draft, following, rows, scores, best, tongue)
        if len(drafts) > 1:
            rival, other = drafts[1]
            why = reasons(ranker.pull(rows.numbers[best], rows.numbers[rival]))
            step = replace(step, why=why, runner_up=other.text)
        if rows.pairs[best][0] != KEEP or not steps:
            steps.append(step)
        if rows.pairs[best][0] == KEEP:
            break
        draft = following
        if draft.guided_text is not None:
            break
    return Chosen(draft.text, tuple(steps))


def _guided(rows: Rows) -> int:
    """The row of what the guidelines make; to keep the question where they leave it alone."""
    return 1 if len(rows.pairs) > 1 and rows.pairs[1][0] == GUIDED else 0


def _first_two(draft: Draft, rows: Rows, order: Any, tongue: Tongue) -> list[tuple[int, Draft]]:
    """The best candidate that makes something, and the next that makes something else."""
    found: list[tuple[int, Draft]] = []
    for at in order.tolist():
        made = draft.with_pair(rows.pairs[at], tongue)
        if made is None or (found and made.text == found[0][1].text):
            continue
        found.append((at, made))
        if len(found) == 2:
            break
    return found


def _step(
    draft: Draft, following: Draft, rows: Rows, scores: Floats, best: int, tongue: Tongue
) -> Step:
    raised = np.exp(scores - scores.max())
    share = float(raised[best] / raised.sum())
    place, phrase = rows.pairs[best]
    what = {KEEP: "keep", GUIDED: "guided"}.get(place, "")
    asking = draft.asking
    if what:
        return Step(what, following.text, share, (), "", len(rows.pairs))
    start, end, now = following.edits[-1]
    chosen, meant = asking.places[place], asking.phrases[phrase]
    turn = f" of question {meant.turn + 1}" if meant.turn >= 0 else ""
    return Step(
        chosen.how, following.text, share, (), "", len(rows.pairs),
        was=asking.text[start:end], now=now, source=f"{meant.source}{turn}",
    )  # fmt: skip
