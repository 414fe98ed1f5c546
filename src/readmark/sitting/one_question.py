"""One question on one passage, put to readers without files: `readmark.ask`, `readmark ask`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core.display import Result, html_table, plain_table
from readmark.core.encodings import decoded
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.files import read_bytes
from readmark.core.records import Offsets, Passage, Question
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.sitting.candidates import CANDIDATES, CandidateInput
from readmark.sitting.runner import sit

DEFAULT_READER = "span"
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
            empty = Text(NO_ANSWER, style="dim")
            console.print(Text(self.text) if self.text else empty, style="bold", soft_wrap=True)
        else:
            table = plain_table("")
            table.add_column("reader", overflow="fold")
            table.add_column("answer", overflow="fold")
            for number, answer in enumerate(self.answers, 1):
                table.add_row(str(number), answer.reader, answer.text or NO_ANSWER)
            console.print(table)
        shown = self.marked_passage(coloured=console.is_terminal)
        if shown is not None:
            console.print()
            console.print(shown, soft_wrap=not console.is_terminal)

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
        sentences = [answer.evidence for answer in self.answers if answer.evidence is not None]
        marks = {
            place: f"({','.join(map(str, numbers))})" if len(self.answers) > 1 else ""
            for place, numbers in readers.items()
        }
        shown = Text()
        for start, end in _stretches(self.passage, [*readers, *sentences]):
            if len(shown):
                shown.append("\n")
            before = "… " if start > 0 else ""
            after = " …" if end < len(self.passage) else ""
            shown.append(before, "dim")
            brackets = None if coloured else ("【", "】") if self.language == "zh" else ("[", "]")
            shown.append_text(_marked(self.passage, start, end, marks, sentences, brackets))
            shown.append(after, "dim")
        return shown

    def _repr_html_(self) -> str:
        return html_table(
            ["reader", "answer"], ([answer.reader, answer.text] for answer in self.answers)
        )


# The passage as it is shown: whole if it is short, else what is around the answers.


NO_ANSWER = "(no answer)"
WHOLE = 800
"""Characters of a passage that is shown whole."""
AROUND = 200
"""Characters shown before and after an answer of a longer one."""
_CONTROLS = str.maketrans(
    dict.fromkeys([*range(9), *range(11, 32), 127], "\N{REPLACEMENT CHARACTER}")
)
"""Characters that would steer a terminal."""
_BREAK = re.compile(r"[\s。！？；，、]")


def _stretches(text: str, places: Sequence[Offsets]) -> list[Offsets]:
    """The parts of a passage to show: all of it, or the surroundings of places, in their order."""
    if len(text) <= WHOLE:
        return [(0, len(text))]
    stretches: list[Offsets] = []
    for start, end in sorted(places):
        begin = _cut(text, start - AROUND, start) if start > AROUND else 0
        stop = _cut(text, end + AROUND, end) if end + AROUND < len(text) else len(text)
        if stretches and begin <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(stop, stretches[-1][1])
        else:
            stretches.append((begin, stop))
    return stretches


def _cut(text: str, index: int, towards: int) -> int:
    """The nearest place from ``index`` towards another where a word ends; else ``index``."""
    if index < towards:
        match = _BREAK.search(text, index, towards)
        return index if match is None else match.end()
    return next((at for at in range(index, towards, -1) if _BREAK.match(text, at)), index)


def _marked(
    text: str,
    start: int,
    end: int,
    marks: dict[Offsets, str],
    sentences: Sequence[Offsets],
    brackets: tuple[str, str] | None,
) -> Text:
    """A part of a passage with the answers in it in brackets, or in colour without any."""
    opening, closing = brackets or ("", "")
    inner = [place for place in marks if start <= place[0] and place[1] <= end]
    edges = sorted({start, end, *(edge for place in (*inner, *sentences) for edge in place)})
    made = Text()
    for index, edge in enumerate(edges):
        if not start <= edge <= end:
            continue
        for place in sorted((one for one in inner if one[1] == edge), key=lambda one: -one[0]):
            made.append(f"{closing}{marks[place]}", "dim" if brackets is None else "")
        for place in sorted((one for one in inner if one[0] == edge), key=lambda one: -one[1]):
            label = marks[place] if any(_cross(place, other) for other in inner) else ""
            made.append(f"{label}{opening}", "dim" if brackets is None else "")
        if edge < end:
            following = min(edges[index + 1], end)
            piece = text[edge:following].translate(_CONTROLS)
            made.append(piece, _style(edge, inner, sentences))
    return made


def _cross(one: Offsets, other: Offsets) -> bool:
    """Whether each has a part of the other, so that brackets alone do not show what is whose."""
    (start, end), (later, last) = sorted((one, other))
    return start < later < end < last


def _style(index: int, answers: Sequence[Offsets], sentences: Sequence[Offsets]) -> str:
    """An answer stands out from one around it, and that from its sentence."""
    covering = [place for place in answers if place[0] <= index < place[1]]
    if covering:
        start, end = max(covering)
        around = any(start <= one[0] and one[1] <= end for one in answers if one != (start, end))
        return "bold underline" if around else "bold reverse"
    return "underline" if any(start <= index < end for start, end in sentences) else ""


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
    several = reader if isinstance(reader, Sequence) and not isinstance(reader, str) else [reader]
    for one in several:
        if isinstance(one, str):
            CANDIDATES.build(one)  # a wrong name is reported before any reader is asked
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
                row.text,
                row.start,
                row.end,
                asked.text[start:end] or None,
                row.score,
                row.sentence,
            )
        )
    return ReaderAnswers(question, tuple(answers), asked.text, test.language)


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
