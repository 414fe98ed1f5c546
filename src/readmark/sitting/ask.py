"""One question on one passage, put to readers without files: `readmark.ask`, `readmark ask`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.display import Result, html_table, plain_table
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.files import read_bytes
from readmark.core.records import Passage, Question
from readmark.core.test import Header, in_memory
from readmark.sitting.candidates import CandidateInput
from readmark.sitting.runner import sit

READER = "span"
"""The reader that is asked by default: it comes with the extra ``read``."""


@dataclass(frozen=True)
class ReaderAnswer:
    """What one reader answers, where in the passage, and how sure it is."""

    reader: str
    text: str
    start: int | None = None
    end: int | None = None
    sentence: str | None = None
    """The sentence of the passage that the answer comes from."""
    score: float | None = None


@dataclass(frozen=True, repr=False)
class ReaderAnswers(Result):
    """The answers of the readers that were asked; ``text`` is the first one's."""

    question: str
    answers: tuple[ReaderAnswer, ...]

    @property
    def text(self) -> str:
        """The first reader's answer."""
        return self.answers[0].text

    def __iter__(self) -> Iterator[ReaderAnswer]:
        return iter(self.answers)

    def as_json(self) -> dict[str, Any]:
        """The document that ``ask --json`` prints."""
        return {"question": self.question, "answers": self.table_rows()}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per reader."""
        return [asdict(answer) for answer in self.answers]

    def show(self, console: Console) -> None:
        """Print the answer, or a table where several readers were asked."""
        if len(self.answers) == 1:
            console.print(self.text, soft_wrap=True)
            return
        table = plain_table("reader")
        table.add_column("answer", overflow="fold")
        for answer in self.answers:
            table.add_row(answer.reader, answer.text)
        console.print(table)

    def _repr_html_(self) -> str:
        return html_table(
            ["reader", "answer"], ([answer.reader, answer.text] for answer in self.answers)
        )


def ask(
    passage: str | Path | Passage,
    question: str,
    *,
    reader: CandidateInput | Sequence[CandidateInput] = READER,
    language: str | None = None,
) -> ReaderAnswers:
    """Put one question on a passage to one reader or several.

    ``passage`` is a text, the ``Path`` of a text file, or a ``Passage``. ``reader`` is whatever
    ``sit`` takes as a candidate. ``language`` is detected from the texts unless given.
    """
    if isinstance(passage, Path):
        passage = read_bytes(passage).decode("utf-8-sig", "replace")
    if isinstance(passage, str):
        passage = Passage(id="passage", text=passage)
    if not passage.text.strip() or not question.strip():
        raise UsageError("the passage and the question must not be empty")
    several = reader if isinstance(reader, Sequence) and not isinstance(reader, str) else [reader]
    asked = Passage(
        id="passage",
        text=passage.text,
        title=passage.title,
        layers=passage.layers,
        questions=(Question(id="question", text=question),),
    )
    test = in_memory(Header(name="question", language=language), [asked])
    answers = []
    for one in several:
        sitting = sit(test, one)
        rows = sitting.of("question")
        if not rows or rows[0].error is not None:
            raise ReadmarkError(f"{sitting.candidate}: {rows[0].error if rows else 'no answer'}")
        [row] = rows
        start, end = row.sentence or (0, 0)
        answers.append(
            ReaderAnswer(
                sitting.candidate,
                row.words(test.kind.answer),
                row.start,
                row.end,
                asked.text[start:end] or None,
                row.score,
            )
        )
    return ReaderAnswers(question, tuple(answers))
