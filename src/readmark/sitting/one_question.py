"""One question on one passage, put to readers without files: `readmark.ask`, `readmark ask`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core.display import Result, plain_table
from readmark.core.encodings import decoded
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.files import read_bytes
from readmark.core.records import Offsets, Passage, Question
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.sitting.candidates import CANDIDATES, CandidateInput
from readmark.sitting.marked_passage import marked_passage
from readmark.sitting.runner import sit

DEFAULT_READER = "span"
"""The reader that is asked by default: it comes with the extra ``read``."""
NO_ANSWER = "(no answer)"


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
    evidence: Offsets | None = None
    """Where that sentence is in the passage."""

    @property
    def place(self) -> Offsets | None:
        """Where the answer is in the passage; of an answer in other words, its sentence."""
        if self.start is not None and self.end is not None and self.start < self.end:
            return self.start, self.end
        return self.evidence


@dataclass(frozen=True, repr=False)
class ReaderAnswers(Result):
    """The answers of the readers that were asked; ``text`` is the first one's."""

    question: str
    answers: tuple[ReaderAnswer, ...]
    passage: str = ""
    language: str = "en"

    @property
    def text(self) -> str:
        """The first reader's answer."""
        return self.answers[0].text

    def __iter__(self) -> Iterator[ReaderAnswer]:
        return iter(self.answers)

    def as_json(self) -> dict[str, Any]:
        """The document that ``ask --json`` prints."""
        return {
            "question": self.question,
            "language": self.language,
            "answers": self.table_rows(),
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per reader."""
        return [
            asdict(answer) | {"evidence": list(answer.evidence) if answer.evidence else None}
            for answer in self.answers
        ]

    def show(self, console: Console) -> None:
        """Print the answer, or a table of several readers', then the passage with the answers.

        They are in colour on a terminal, and in brackets elsewhere.
        """
        if len(self.answers) == 1:
            line = Text(self.text) if self.text else Text(NO_ANSWER, style="dim")
            console.print(line, style="bold", soft_wrap=True)
        else:
            table = plain_table("")
            table.add_column("reader", overflow="fold")
            table.add_column("answer", overflow="fold")
            for number, answer in enumerate(self.answers, 1):
                table.add_row(str(number), answer.reader, answer.text or NO_ANSWER)
            console.print(table)
        passage = self.marked_passage(coloured=console.is_terminal)
        if passage is not None:
            console.print()
            console.print(passage, soft_wrap=not console.is_terminal)

    def marked_passage(self, *, coloured: bool = False) -> Text | None:
        """The passage, or what is around the answers, with the answers marked in it.

        None if no answer has a place there. Where several readers answered, a number after the
        mark names the reader, and one before it too if answers overlap in part.
        """
        readers: dict[Offsets, list[int]] = {}
        for number, answer in enumerate(self.answers, 1):
            if answer.place is not None:
                readers.setdefault(answer.place, []).append(number)
        if not readers:
            return None
        labels = {
            place: f"({','.join(map(str, numbers))})" if len(self.answers) > 1 else ""
            for place, numbers in readers.items()
        }
        sentences = [answer.evidence for answer in self.answers if answer.evidence is not None]
        brackets = None if coloured else ("【", "】") if self.language == "zh" else ("[", "]")
        return marked_passage(self.passage, labels, sentences, brackets)


def ask(
    passage: str | Path | Passage,
    question: str,
    *,
    reader: CandidateInput | Sequence[CandidateInput] = DEFAULT_READER,
    language: str | None = None,
) -> ReaderAnswers:
    """Put one question on a passage to one reader or several.

    ``passage`` is a text, the ``Path`` of a text file, or a ``Passage``; ``Path("-")`` is standard
    input. ``reader`` is whatever ``sit`` takes as a candidate. ``language`` is detected from the
    texts unless given.
    """
    if isinstance(passage, Path):
        passage = _text_of(passage)
    if isinstance(passage, str):
        passage = Passage(id="passage", text=passage)
    for name, text in (("passage", passage.text), ("question", question)):
        if not text.strip():
            raise UsageError(f"the {name} is empty")
    readers = reader if isinstance(reader, Sequence) and not isinstance(reader, str) else [reader]
    for candidate in readers:
        if isinstance(candidate, str):
            CANDIDATES.build(candidate)  # a wrong name is reported before any reader is asked
    record = Passage(
        id="passage",
        text=passage.text,
        title=passage.title,
        layers=passage.layers,
        questions=(Question(id="question", text=question),),
    )
    test = in_memory(Header(name="question", language=language), [record])
    answers = []
    for candidate in readers:
        sitting = sit(test, candidate)
        rows = sitting.of("question")
        if not rows or rows[0].error is not None:
            raise ReadmarkError(f"{sitting.candidate}: {rows[0].error if rows else 'no answer'}")
        [row] = rows
        start, end = row.sentence or (0, 0)
        answers.append(
            ReaderAnswer(
                sitting.candidate,
                row.text,
                row.start,
                row.end,
                record.text[start:end] or None,
                row.score,
                row.sentence,
            )
        )
    return ReaderAnswers(question, tuple(answers), record.text, test.language)


def _text_of(file: Path) -> str:
    """The text of a file, which must not be one of Readmark's own."""
    source = Source(file)
    if source.readmark_file is not None:
        raise DataError(
            f"is a Readmark {source.readmark_file}, expected a text: `readmark sit` asks the "
            "questions of a test",
            file=source.file,
        )
    text = decoded(read_bytes(file), source.file)
    if not text.strip():
        raise DataError("is empty, expected a passage", file=source.file)
    return text
