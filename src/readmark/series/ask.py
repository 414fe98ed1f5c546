"""One question of a series, put to rewriters without files: `readmark series ask`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import WORDS, candidate_name
from readmark.core.display import Result, html_table, plain_table
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.test import Header, in_memory
from readmark.series.records import Series, SeriesQuestion
from readmark.sitting import CANDIDATES, CandidateInput, sit

REWRITERS = ("append", "guided")
"""The rewriters that are asked by default."""
KNOWING = ("append", "guided(previous=answer)")
"""The same where earlier answers are known: guided names them."""
_ASKED = "question"


@click.command("ask")
@click.argument("question", type=WORDS)
@click.option(
    "--target",
    metavar="TEXT",
    help="What the series is about, such as Jay-Z  [default: no target]",
    type=WORDS,
)
@click.option(
    "--previous",
    multiple=True,
    metavar="QUESTION",
    help="Earlier question of the series (repeatable, in order).",
    type=WORDS,
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="TEXT",
    help="Answer to an earlier question (repeatable, in the order of --previous; '' if unknown).",
    type=WORDS,
)
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to ask (repeatable). `readmark list candidates` shows all  "
    "[default: append and guided]",
    type=candidate_name("series"),
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="Language of the texts, en or zh  [default: detected from the texts]",
)
@options.json_option
def ask_command(question: str, target: str | None, as_json: bool, **settings: Any) -> None:
    """Rewrite one QUESTION about a --target so that it is understood alone.

    The question may refer to the target, to earlier questions (--previous) and to their answers
    (--answer).
    """
    with options.candidate_output_to_stderr():
        result = rewrite_question(question, target=target or "", **settings)
    options.print_result(result, as_json=as_json)


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

    def _repr_html_(self) -> str:
        rows = ([rewrite.rewriter, rewrite.rewrite] for rewrite in self.rewrites)
        return html_table(["rewriter", "rewrite"], rows)


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
    rewriters = rewriters or (KNOWING if any(map(str.strip, answers)) else REWRITERS)
    for rewriter in rewriters:
        if isinstance(rewriter, str):
            CANDIDATES.build(rewriter)  # a wrong name is reported before any rewriter is asked
    series = _series(question, target, previous, answers)
    test = in_memory(Header(kind="series", name="question", language=language), [series])
    rewrites = []
    for rewriter in rewriters:
        sitting = sit(test, rewriter)
        rows = sitting.of(_ASKED)
        if not rows or rows[0].error is not None:
            raise ReadmarkError(f"{sitting.candidate}: {rows[0].error if rows else 'no rewrite'}")
        [row] = rows
        text = row.text
        rewrites.append(QuestionRewrite(sitting.candidate, text, row.score, row.evidence))
    return QuestionRewrites(question, target, test.language, tuple(rewrites))


def _series(question: str, target: str, previous: Sequence[str], answers: Sequence[str]) -> Series:
    """A series that ends in the question; each question is given the answer to the one before."""
    texts = [*previous, question]
    ids = [*(f"previous-{number}" for number in range(1, len(texts))), _ASKED]
    given = [*answers, *[""] * (len(previous) - len(answers))]
    known = ["", *given]
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
            for turn, (id, text, answer) in enumerate(zip(ids, texts, known, strict=True), 1)
        ),
    )
