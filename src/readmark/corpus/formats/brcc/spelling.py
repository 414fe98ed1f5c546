"""How the texts of a BRCC file are spelt: in one side's language, with tags or with brackets."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.corpus.formats.brcc.container import guarded
from readmark.corpus.notation import Annotated, NotationFault
from readmark.corpus.notation.reading import read
from readmark.corpus.notation.spacing import SPACE
from readmark.corpus.notation.writing import write


@dataclass(frozen=True, slots=True)
class Spelling:
    """Reads and writes texts the same way throughout a side."""

    language: str
    brackets: bool = False

    def bare(self, written: str) -> str:
        """A text as written, without the white space around it."""
        return written.strip(SPACE)

    def read(
        self, written: str, *, passage: bool = False
    ) -> tuple[Annotated, tuple[NotationFault, ...]]:
        """What is written, and what cannot be read of it."""
        return read(written, language=self.language, brackets=self.brackets, passage=passage)

    def write(
        self, text: Annotated, *, passage: bool = False, spaced: bool = False, key: bool = False
    ) -> str:
        """The canonical spelling; in an answer key a bar parts alternatives."""
        written = write(
            text,
            language=self.language,
            brackets=self.brackets,
            passage=passage,
            spaced=spaced,
            special="|" if key else "",
        )
        return guarded(written) if passage else written

    def still_means(
        self, written: str, text: Annotated, *, passage: bool = False, segmented: bool = False
    ) -> bool:
        """Whether a text as it was once written reads as this one."""
        again, faults = self.read(written, passage=passage)
        return (
            not faults
            and (again.text, again.phrases, again.answers)
            == (text.text, text.phrases, text.answers)
            and (not segmented or again.words == text.words)
        )
