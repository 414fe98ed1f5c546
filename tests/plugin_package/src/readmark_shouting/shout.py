"""Tab-separated questions: an id, a passage, a question and its answer a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from readmark.hooks import (
    Answer,
    Header,
    Passage,
    Problem,
    Question,
    QuestionKey,
    Source,
    Test,
    read_lines,
    writing,
)

COLUMNS = 4


class Shout:
    """Tab-separated lines in capitals: id, passage, question, answer."""

    def recognises(self, source: Source) -> bool:
        """By its suffix."""
        return source.suffixes[-1:] == (".tsv",)

    def read(self, source: Source) -> Test:
        """A passage a line."""

        def stream(report: Callable[[Problem], None]) -> Iterator[tuple[int, Passage]]:
            for number, line in read_lines(source.path):
                cells = line.decode("utf-8").split("\t")
                if len(cells) != COLUMNS:
                    what = f"{len(cells)} columns, expected {COLUMNS}"
                    report(Problem(source.file, number, "columns", what))
                    continue
                id, text, asked, wanted = cells
                key = QuestionKey(answers=(Answer(text=wanted),))
                question = Question(id=id, text=asked, key=key)
                yield number, Passage(id=f"passage-{id}", text=text, questions=(question,))

        return Test(Header(name=source.path.stem), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """The first answer of every question, in capitals."""
        left_out = 0
        with writing(path) as stream:
            for unit in test.units():
                answers = unit.key.answers if unit.key is not None else ()
                wanted = answers[0].text if answers else ""
                cells = (unit.id, unit.record.text, unit.item.text, wanted)
                stream.write("\t".join(cells).upper().encode() + b"\n")
                left_out += max(0, len(answers) - 1)
        return [f"{left_out} further answers were left out"] if left_out else []


SHOUT = Shout()
