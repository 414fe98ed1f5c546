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
from readmark.core.files import BOM, read_bytes, writing
from readmark.core.large_json import LargeArray
from readmark.core.problems import Report
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.losses import (
    Losses,
    answer_losses,
    header_losses,
    members_to_write,
    only_comprehension,
    passage_losses,
    question_losses,
)
from readmark.formats.members import (
    ABSENT,
    Fault,
    PassageAsWritten,
    QuestionAsWritten,
    a_text,
    an_array,
    an_object,
    is_whole,
    kept,
    name_of,
    others,
    recalled,
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

FIELDS = ("knowledge", "support")
"""The fields of a question's key that hold its labels."""

Labels = Mapping[tuple[str, int], dict[str, Any]]
"""The fields by document and number of the question, from 1."""

_HEADER = ("documentID", "questionIndex", "type")


def labels_beside(path: Path) -> Labels:
    """The labels of a file's questions: beside it under its name, or in ``../annotation``."""
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
        "knowledge": [KNOWLEDGE[one] for one in dict.fromkeys(found)],
        "support": SUPPORT[support],
    }


SAMPLE = 20
_MEMBERS = frozenset({"question", "choice", "answer"})
_ID = "id"
_LINES = "lines"
"""How long the lines of a document are, where one of them holds a line break."""

_encode = msgspec.json.Encoder().encode


class C3:
    """A document's lines are a passage's; its questions are numbered, as the labels number them."""

    def recognises(self, source: Source) -> bool:
        """An array of documents: lines, questions with choices, an id."""
        document = source.document
        return isinstance(document, list) and any(map(_is_document, islice(document, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a file, with the labels that lie beside it."""
        file = source.file
        document = source.json_along("[]")
        if not isinstance(document, (list, LargeArray)):
            raise Fault("", unexpected("the file", document, "an array")).problem(file).error()
        labels = labels_beside(source.path)

        def stream(report: Report) -> Iterator[Placed]:
            for at, raw in enumerate(document):
                try:
                    passage = _passage(f"[{at}]", raw, labels, file, report)
                except Fault as fault:
                    report(fault.problem(file))
                    continue
                yield passage.id, passage

        return Test(Header(name=name_of(source)), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write the documents one by one; what was lost is named."""
        only_comprehension(test, "c3")
        losses = Losses()
        header_losses(losses, test.header, profile=None)
        if test.header.fields:
            name = test.header.name or "header"
            losses.cannot_hold("the header's fields ()", name, names=test.header.fields)
        with writing(path) as stream:
            stream.write(b"[")
            for at, passage in enumerate(test.records()):
                stream.write((b",\n" if at else b"\n") + _encode(_document(passage, losses)))
            stream.write(b"\n]\n")
        return losses.lines()


def _is_document(raw: Any) -> bool:
    if not isinstance(raw, list) or len(raw) != 3:
        return False
    lines, questions, _ = raw
    return (
        isinstance(lines, list)
        and isinstance(questions, list)
        and any(isinstance(one, dict) and "choice" in one for one in questions)
    )


def _passage(where: str, raw: Any, labels: Labels, file: str, report: Report) -> Passage:
    if not isinstance(raw, list) or len(raw) != 3:
        raise Fault(where, unexpected("the document", raw, "[lines, questions, id]"))
    lines, asked, named = raw
    if not isinstance(named, str) and not is_whole(named):
        raise Fault(where, unexpected("the document's id", named, "text or a whole number"))
    id = str(named)
    text = "\n".join(_texts(lines, "the lines", id or where))
    passage: Passage = with_id(Passage(id=id, text=text))
    if not isinstance(asked, list):
        raise Fault(id or where, unexpected("the questions", asked, "an array"))
    questions = []
    for number, one in enumerate(asked, 1):
        try:
            questions.append(_question(passage.id, number, one, labels))
        except Fault as fault:
            report(fault.problem(file))
    fields = kept({}, _spelling(lines, text, named, asked))
    return msgspec.structs.replace(
        passage,
        questions=tuple(questions),
        key=RecordKey(fields=fields) if fields else None,
    )


def _spelling(lines: list[str], text: str, id: Any, asked: list[Any]) -> PassageAsWritten:
    """What the test does not tell: where lines end, an id that is a number, empty answers."""
    odd = PassageAsWritten()
    if len(lines) != text.count("\n") + 1:
        odd.members[_LINES] = [len(line) for line in lines]
    if not isinstance(id, str):
        odd.members[_ID] = id
    for number, one in enumerate(asked, 1):
        if isinstance(one, dict) and one.get("answer", ABSENT) in ("", None):
            spelt = QuestionAsWritten(members={"answer": one["answer"]})
            odd.questions[str(number)] = spelt
    return odd


def _question(document: str, number: int, raw: Any, labels: Labels) -> Question:
    id = f"{document}-{number}"
    an_object(raw, "the question", id)
    text = a_text(raw, "question", id)
    choice = _texts(an_array(raw, "choice", id), "choice", id)
    answer = raw.get("answer")
    if not isinstance(answer, (str, type(None))):
        raise Fault(id, unexpected("answer", answer, "the text of a choice"))
    fields = {**others(raw, _MEMBERS), **labels.get((document, number), {})}
    key = None
    if answer or fields:  # a test whose key is withheld has an empty answer, or none
        answers = (Answer(text=answer),) if answer else ()
        key = QuestionKey(answers=answers, fields=fields)
    return Question(id=id, text=text, options=tuple(choice), key=key)


def _texts(values: Any, name: str, where: str) -> list[str]:
    if not isinstance(values, list):
        raise Fault(where, unexpected(name, values, "an array of texts"))
    for at, one in enumerate(values):
        if not isinstance(one, str):
            raise Fault(where, unexpected(f"{name}[{at}]", one, "text"))
    return values


def _document(passage: Passage, losses: Losses) -> list[Any]:
    passage_losses(losses, passage)
    for name in ("title", "article"):
        if getattr(passage, name) is not None:
            losses.cannot_hold(f"the passage's {name}", passage.id)
    fields, odd = recalled(passage.key.fields if passage.key else {}, PassageAsWritten)
    names = [*fields, *passage.fields]
    if names:
        losses.cannot_hold("fields () of passages", passage.id, names=names)
    questions = [
        _written(one, f"{passage.id}-{number}", losses)
        for number, one in enumerate(passage.questions, 1)
    ]
    for number, spelt in odd.questions.items():
        at = int(number) - 1 if number.isdecimal() else -1
        if 0 <= at < len(questions) and "answer" not in questions[at]:
            questions[at] |= {"answer": spelt.members.get("answer")}
    id = odd.members.get(_ID)
    lines = _lines(passage.text, odd.members.get(_LINES))
    return [lines, questions, id if is_whole(id) and str(id) == passage.id else passage.id]


def _lines(text: str, lengths: Any) -> list[str]:
    """The lines as they stood, when they still make the text up."""
    if isinstance(lengths, list) and all(map(is_whole, lengths)):
        found, at = [], 0
        for length in lengths:
            found.append(text[at : at + length])
            at += length + 1
        if "\n".join(found) == text:
            return found
    return text.split("\n")


def _written(question: Question, id: str, losses: Losses) -> dict[str, Any]:
    question_losses(losses, question, options=False)
    if question.id != id:
        losses.add("questions' ids are read back as numbers of the document's", question.id)
    if not question.options:
        losses.add("questions without options have no choice", question.id)
    written: dict[str, Any] = {"question": question.text, "choice": list(question.options)}
    key = question.key
    if key is not None:
        _key_losses(losses, question)
        answers = [*(one.text for one in key.answers), *(one.text for one in key.published)]
        if answers:
            written["answer"] = answers[0]
    return written | members_to_write(
        losses,
        question.id,
        hidden={
            name: one for name, one in (key.fields if key else {}).items() if name not in FIELDS
        },
        visible=question.fields,
        known=_MEMBERS,
    )


def _key_losses(losses: Losses, question: Question) -> None:
    key = question.key
    if key is None:
        return
    labels = [name for name in FIELDS if name in key.fields]
    if labels:
        losses.add("labels () are in a separate file, which is not written", question.id,
                   names=labels)  # fmt: skip
    if len(key.answers) + len(key.published) > 1:
        losses.cannot_hold("answers after the first", question.id)
    for answer in key.answers:
        answer_losses(losses, question.id, answer, offsets=False)
        if answer.annotator is not None:
            losses.cannot_hold("annotators", question.id)
    if key.unanswerable:
        losses.cannot_hold("that questions are unanswerable", question.id)
    if key.plausible:
        losses.cannot_hold("plausible answers", question.id)
    if key.level is not None:
        losses.cannot_hold("levels", question.id)


C3_FORMAT = C3()
