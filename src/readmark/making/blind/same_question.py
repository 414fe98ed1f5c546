"""Whether an answer was given to the passage and the question that the test has now."""

from __future__ import annotations

from pathlib import Path

from readmark.core.errors import DataError
from readmark.core.records import Passage, Question
from readmark.core.spans import clip
from readmark.formats.registry import open_test
from readmark.formats.text_versions import first_difference, require_same_text
from readmark.making.blind.material import PAPER, SHEET, version_of
from readmark.making.blind.returns import ReturnedAnswer


def require_same_question(returned: ReturnedAnswer, record: Passage, question: Question) -> None:
    """Refuse an answer to another version of the passage, or to other words of the question."""
    if returned.passage is not None:
        require_same_text(record.text, returned.passage, file=returned.file, id=record.id)
    version = version_of(record.text)
    # Sheets of earlier releases have the bare number.
    if returned.version is not None and f"v{returned.version.removeprefix('v')}" != version:
        # The paper shows where the texts differ, which says more than two version numbers.
        text_read = _text_read(returned, question.id)
        if text_read is not None:
            require_same_text(record.text, text_read, file=returned.file, id=record.id)
        raise returned.fault(
            f"{returned.id!r} was answered on another version of the passage "
            f"({returned.version}, here it is {version})"
        )
    if returned.question is not None:
        # Spreadsheets may change the spaces and line breaks of a cell.
        theirs, ours = (" ".join(words.split()) for words in (returned.question, question.text))
        offset = first_difference(ours, theirs)
        if offset is not None:
            raise returned.fault(
                f"{returned.id!r} was asked in other words, from character {offset}: "
                f"{clip(theirs[offset:])!r}, here it is {clip(ours[offset:])!r}"
            )


def _text_read(returned: ReturnedAnswer, id: str) -> str | None:
    """The passage as the annotator read it, if the paper is still next to the sheet."""
    sheet = Path(returned.file)
    ending = SHEET.format("")
    if not sheet.name.endswith(ending):
        return None
    paper = sheet.with_name(PAPER.format(sheet.name.removesuffix(ending)))
    try:
        for record in open_test(paper).records():
            if any(question.id == id for question in record.questions):
                text: str = record.text
                return text
    except DataError:
        pass  # the paper is gone or was changed: the version alone is reported
    return None
