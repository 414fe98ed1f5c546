"""One question of a series, put to rewriters without files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from readmark.core.display import Result, plain_table
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.test import Header, in_memory
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting import CANDIDATES, CandidateInput, sit

REWRITERS = ("append", "guided")
"""The rewriters that are asked by default."""
WITH_ANSWERS = ("append", "guided(previous=answer)")
"""The same where earlier answers are known: guided names them."""
_QUESTION_ID = "question"


@dataclass(frozen=True)
class QuestionRewrite:
    """What one rewriter makes of the question, how sure it is, and what decided it."""

    rewriter: str
    rewrite: str
    score: float | None = None
    evidence: Any = None


@dataclass(frozen=True, repr=False)
class QuestionRewrites(Result):
    """The rewrites of one question; ``text`` is the first rewriter's."""

    question: str
    target: str
    language: str
    rewrites: tuple[QuestionRewrite, ...]

    @property
    def text(self) -> str:
        """The first rewriter's rewrite."""
        return self.rewrites[0].rewrite

    def __iter__(self) -> Iterator[QuestionRewrite]:
        return iter(self.rewrites)

    def as_json(self) -> dict[str, Any]:
        """The document that ``series ask --json`` prints."""
        return {
            "question": self.question,
            "target": self.target,
            "language": self.language,
            "rewrites": self.table_rows(),
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per rewriter."""
        return [asdict(rewrite) for rewrite in self.rewrites]

    def show(self, console: Console) -> None:
        """Print the rewrite, or a table where there are several rewriters."""
        if len(self.rewrites) == 1:
            console.print(self.text, soft_wrap=True)
            return
        table = plain_table("rewriter")
        table.add_column("rewrite", overflow="fold")
        for rewrite in self.rewrites:
            table.add_row(rewrite.rewriter, rewrite.rewrite)
        console.print(table)


def rewrite_question(
    question: str,
    *,
    target: str = "",
    previous: Sequence[str] = (),
    answers: Sequence[str] = (),
    rewriters: Sequence[CandidateInput] = (),
    language: str | None = None,
) -> QuestionRewrites:
    """Rewrite the last question of a series: ``rewrite_question("When was he born?", target=...)``.

    ``previous`` are the questions before it, ``answers`` the answers to these, empty where there
    is none. ``rewriters`` are append and guided by default; guided then puts a known answer in
    its place. ``language`` is detected from the texts unless given.
    """
    if not question.strip():
        raise UsageError("the question is empty")
    if not target.strip() and not previous:
        raise UsageError("give a `target`, or a question in `previous` that this one refers to")
    if len(answers) > len(previous):
        raise UsageError(
            f"there are {len(answers)} of `answer`, and {len(previous)} of `previous` to answer"
        )
    rewriters = rewriters or (WITH_ANSWERS if any(map(str.strip, answers)) else REWRITERS)
    for rewriter in rewriters:
        if isinstance(rewriter, str):
            CANDIDATES.build(rewriter)  # a wrong name is reported before any rewriter is asked
    series = _series(question, target, previous, answers)
    test = in_memory(Header(kind="series", name="question", language=language), [series])
    rewrites = []
    for rewriter in rewriters:
        sitting = sit(test, rewriter)
        rows = sitting.of(_QUESTION_ID)
        if not rows or rows[0].error is not None:
            raise ReadmarkError(f"{sitting.candidate}: {rows[0].error if rows else 'no rewrite'}")
        [row] = rows
        rewrites.append(QuestionRewrite(sitting.candidate, row.text, row.score, row.evidence))
    return QuestionRewrites(question, target, test.language, tuple(rewrites))


def _series(question: str, target: str, previous: Sequence[str], answers: Sequence[str]) -> Series:
    """A series that ends in the question; each question is given the answer to the one before."""
    texts = [*previous, question]
    ids = [*(f"previous-{number}" for number in range(1, len(texts))), _QUESTION_ID]
    # The first question follows no other, so no answer comes before it.
    answers_before = ["", *answers, *[""] * (len(previous) - len(answers))]
    return Series(
        id="series",
        target=target,
        questions=tuple(
            SeriesQuestion(
                id=id,
                text=text,
                turn=turn,
                previous=(answer,) if answer.strip() else (),
                previous_of=ids[turn - 2] if answer.strip() else None,
            )
            for turn, (id, text, answer) in enumerate(
                zip(ids, texts, answers_before, strict=True), 1
            )
        ),
    )
