"""Whether an answer was given to the passage and the question that the test has now."""

from __future__ import annotations

from pathlib import Path

from readmark.corpus.errors import DataError
from readmark.corpus.formats import open_test
from readmark.corpus.spans import clip
from readmark.corpus.values import Passage, Question
from readmark.setting.blind.handing_out import PAPER, SHEET, version_of
from readmark.setting.blind.returned import Returned
from readmark.setting.same_text import first_difference, require_same_text


def require_same_question(one: Returned, record: Passage, question: Question) -> None:
    """Refuse an answer to another version of the passage, or to other words of the question."""
    if one.passage is not None:
        require_same_text(record.text, one.passage, file=one.file, id=record.id)
    here = version_of(record.text)
    # Sheets of earlier versions have the bare number.
    if one.version is not None and f"v{one.version.removeprefix('v')}" != here:
        read = _their_text(one, question.id)
        if read is not None:
            require_same_text(record.text, read, file=one.file, id=record.id)
        raise DataError(
            f"{one.id!r} was answered on another version of the passage ({one.version}, here it "
            f"is {here})",
            file=one.file,
            where=one.place,
        )
    if one.question is not None:
        # Spreadsheets may change the spaces and line breaks of a cell.
        theirs, ours = (" ".join(words.split()) for words in (one.question, question.text))
        at = first_difference(ours, theirs)
        if at is not None:
            raise DataError(
                f"{one.id!r} was asked in other words, from character {at}: "
                f"{clip(theirs[at:])!r}, here it is {clip(ours[at:])!r}",
                file=one.file,
                where=one.place,
            )


def _their_text(one: Returned, id: str) -> str | None:
    """The passage as the annotator read it, from the paper that still lies beside the sheet."""
    sheet = Path(one.file)
    ending = SHEET.format("")
    if not sheet.name.endswith(ending):
        return None
    paper = sheet.with_name(PAPER.format(sheet.name.removesuffix(ending)))
    try:
        records = open_test(paper).records()
        return next(
            (each.text for each in records if any(q.id == id for q in each.questions)), None
        )
    except DataError:
        return None
