"""C3's shape, which DREAM's files have too: documents with multiple-choice questions, in JSON.

``[[lines], [{question, choice, answer}], id]`` each ("Investigating Prior Knowledge for
Challenging Chinese Machine Reading Comprehension"; "DREAM: A Challenge Dataset and Models").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.encodings import decoded, numbered_lines
from readmark.core.errors import DataError
from readmark.core.files import BOM, read_bytes
from readmark.core.large_json import LargeArray
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import (
    Fault,
    a_text,
    an_array,
    an_object,
    is_integer,
    name_of,
    others,
    texts_of,
    unexpected,
)
from readmark.formats.native import with_id

# C3's labels: what 600 of its questions ask of a reader, in tables of their own.


KNOWLEDGE = {
    "m": "matching",
    "l": "linguistic",
    "s": "domain",
    "c-a": "arithmetic",
    "c-o": "connotation",
    "c-e": "cause_effect",
    "c-i": "implication",
    "c-p": "part_whole",
    "c-d": "precondition",
    "c-h": "scenario",
    "c-n": "other",
}
"""What must be known to answer; matching takes nothing beyond the text."""

SUPPORT = {"0": "single", "1": "multiple", "2": "independent"}
"""How many sentences an answer takes; independent ones are answered without the text."""

Labels = Mapping[tuple[str, int], dict[str, Any]]
"""The fields by document and number of the question, from 1."""

_HEADER = ("documentID", "questionIndex", "type")


def labels_next_to(path: Path) -> Labels:
    """The labels of a file's questions: next to it under its name, or in ``../annotation``."""
    name = path.name
    for suffix in (".gz", ".zst", ".json"):
        name = name.removesuffix(suffix)
    for place in (path.parent, path.parent.parent / "annotation"):
        file = place / f"{name}.txt"
        if file.is_file() and _is_labels(data := read_bytes(file).removeprefix(BOM)):
            return dict(_labels(decoded(data, str(file)), file))
    return {}


def _is_labels(data: bytes) -> bool:
    """Whether a file is such a table; another of that name is no concern of ours."""
    return data.startswith("\t".join(_HEADER).encode())


def _labels(text: str, file: Path) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    for number, line in numbered_lines(text)[1:]:
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != len(_HEADER) or not cells[1].isascii() or not cells[1].isdigit():
            expected = ", ".join(_HEADER)
            raise DataError(f"expected {expected} between tabs", file=file, where=number)
        document, index, type = cells
        yield (document, int(index)), _fields(type, file, number)


def _fields(type: str, file: Path, number: int) -> dict[str, Any]:
    """``l|c-e||1``: kinds of knowledge, then the sentences that are needed."""
    kinds, parted, support = type.strip().rpartition("||")
    found = kinds.replace("||", "|").split("|")  # one row of C3's has || between the kinds too
    unknown = [one for one in found if one not in KNOWLEDGE]
    if not parted or support not in SUPPORT or unknown:
        raise DataError(
            f"the type is {type!r}, expected kinds of knowledge ({', '.join(KNOWLEDGE)}) with | "
            f"between them, || and {', '.join(SUPPORT)}",
            file=file,
            where=number,
        )
    return {
        "knowledge": [KNOWLEDGE[code] for code in dict.fromkeys(found)],
        "support": SUPPORT[support],
    }


SAMPLE = 20
_MEMBERS = frozenset({"question", "choice", "answer"})


class C3:
    """A document's lines are a passage's; its questions are numbered, as the labels number them."""

    def recognises(self, source: Source) -> bool:
        """An array of documents: lines, questions with choices, an id."""
        document = source.document
        return isinstance(document, list) and any(map(_is_document, islice(document, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a file, with the labels that lie next to it."""
        file = source.file
        document = source.json_along("[]")
        if not isinstance(document, (list, LargeArray)):
            raise Fault("", unexpected("the file", document, "an array")).problem(file).error()
        labels = labels_next_to(source.path)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, raw in enumerate(document):
                try:
                    passage = _passage(f"[{index}]", raw, labels, file, report)
                except Fault as fault:
                    report(fault.problem(file))
                    continue
                yield passage.id, passage

        return Test(Header(name=name_of(source)), stream, file)


def _is_document(raw: Any) -> bool:
    if not isinstance(raw, list) or len(raw) != 3:
        return False
    lines, questions, _ = raw
    return (
        isinstance(lines, list)
        and isinstance(questions, list)
        and any(isinstance(question, dict) and "choice" in question for question in questions)
    )


def _passage(where: str, raw: Any, labels: Labels, file: str, report: ReportProblem) -> Passage:
    if not isinstance(raw, list) or len(raw) != 3:
        raise Fault(where, unexpected("the document", raw, "[lines, questions, id]"))
    lines, asked, named = raw
    if not isinstance(named, str) and not is_integer(named):
        raise Fault(where, unexpected("the document's id", named, "text or a whole number"))
    id = str(named)
    text = "\n".join(texts_of(lines, "the lines", id or where))
    passage: Passage = with_id(Passage(id=id, text=text))
    if not isinstance(asked, list):
        raise Fault(id or where, unexpected("the questions", asked, "an array"))
    questions = []
    for number, one in enumerate(asked, 1):
        try:
            questions.append(_question(passage.id, number, one, labels))
        except Fault as fault:
            report(fault.problem(file))
    return msgspec.structs.replace(passage, questions=tuple(questions))


def _question(document: str, number: int, raw: Any, labels: Labels) -> Question:
    id = f"{document}-{number}"
    an_object(raw, "the question", id)
    text = a_text(raw, "question", id)
    choice = texts_of(an_array(raw, "choice", id), "choice", id)
    answer = raw.get("answer")
    if not isinstance(answer, (str, type(None))):
        raise Fault(id, unexpected("answer", answer, "the text of a choice"))
    fields = {**others(raw, _MEMBERS), **labels.get((document, number), {})}
    key = None
    if answer or fields:  # a test whose key is withheld has an empty answer, or none
        answers = (Answer(text=answer),) if answer else ()
        key = QuestionKey(answers=answers, fields=fields)
    return Question(id=id, text=text, options=tuple(choice), key=key)


C3_FORMAT = C3()
