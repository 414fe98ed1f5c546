"""How the texts of a BRCC file are spelt: in one side's language, with tags or with brackets."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.comprehension.brcc.annotated_text import AnnotatedText
from readmark.comprehension.brcc.container import guarded
from readmark.comprehension.brcc.spacing import SPACE
from readmark.comprehension.brcc.text_reader import NotationFault, read_text
from readmark.comprehension.brcc.text_writer import TextWriter


@dataclass(frozen=True, slots=True)
class BrccSpelling:
    """Reads and writes texts the same way throughout a side."""

    language: str
    brackets: bool = False

    def bare(self, written: str) -> str:
        """A text as written, without the white space around it."""
        return written.strip(SPACE)

    def read(
        self, written: str, *, passage: bool = False
    ) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
        """The text and what its tags said, and everything that could not be read."""
        return read_text(written, language=self.language, brackets=self.brackets, passage=passage)

    def write(
        self, text: AnnotatedText, *, passage: bool = False, spaced: bool = False, key: bool = False
    ) -> str:
        """The canonical spelling; with ``spaced`` the edges of words are marked by spaces."""
        special = "[]" if self.brackets else ""
        if key:
            special += "|"  # in an answer key a bar separates alternatives
        writer = TextWriter(text, self.language, self.brackets, passage, special)
        written = writer.write(text.edges if spaced else frozenset())
        return guarded(written) if passage else written

    def still_means(
        self, written: str, text: AnnotatedText, *, passage: bool = False, segmented: bool = False
    ) -> bool:
        """Whether a text as it was once written reads as this one."""
        again, faults = self.read(written, passage=passage)
        return (
            not faults
            and (again.text, again.phrases, again.answers)
            == (text.text, text.phrases, text.answers)
            and (not segmented or again.words == text.words)
        )
