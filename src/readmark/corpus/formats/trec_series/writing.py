"""Writing TREC's XML: ISO-8859-1 as TREC declares it, all beyond ASCII by number.

So a file stays what it says, whatever an editor takes its bytes for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from readmark.corpus.files import writing
from readmark.corpus.formats.losses import Losses, header_losses
from readmark.corpus.formats.series_losses import (
    asked_losses,
    field_losses,
    gold_losses,
    only_series,
    series_losses,
    turn_losses,
)
from readmark.corpus.formats.trec_series.companions import plain
from readmark.corpus.series_notation import OTHER, OTHER_TEXT
from readmark.corpus.test import Test
from readmark.corpus.values import Series, SeriesQuestion

CATEGORIES = ("FACTOID", "LIST", OTHER)
_ROOT_ATTRIBUTES = ("year", "task", "track")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DTD = """\
<!DOCTYPE trecqa [
    <!ELEMENT trecqa (target*)>
    <!ELEMENT target (qa*)>
    <!ELEMENT qa     (q)>
    <!ELEMENT q      (#PCDATA)>
    <!ATTLIST trecqa year CDATA #IMPLIED task CDATA #IMPLIED track CDATA #IMPLIED>
    <!ATTLIST target id CDATA #REQUIRED text CDATA #REQUIRED>
    <!ATTLIST q      id CDATA #REQUIRED type (FACTOID|LIST|OTHER) #REQUIRED>
]>
"""


def write_trec(test: Test, path: Path) -> list[str]:
    """Write targets and questions; golds, types and known answers have no place and are named."""
    only_series(test, "trec_series")
    losses = Losses()
    header = test.header
    header_losses(losses, header, profile=None)
    held = {name: header.fields[name] for name in _ROOT_ATTRIBUTES if name in header.fields}
    unheld = {name: one for name, one in header.fields.items() if name not in held}
    field_losses(losses, "the header's fields ()", header.name or "header", unheld)
    root = "".join(f" {name}={_attribute(str(value))}" for name, value in held.items())
    with writing(path) as stream:

        def put(text: str) -> None:
            stream.write(text.encode("ascii", "xmlcharrefreplace"))

        put(f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{_DTD}\n<trecqa{root}>\n')
        for series in test.records():
            put("".join(_target(series, losses)))
        put("</trecqa>\n")
    return losses.lines()


def _target(series: Series, losses: Losses) -> Iterator[str]:
    series_losses(losses, series, holds=("no questions",))
    turn_losses(losses, series)
    field_losses(losses, "fields ()", series.id, series.fields)
    if series.key is not None:
        field_losses(losses, "fields ()", series.id, series.key.fields)
    id = _said(series.id, "ids", series.id, losses)
    text = _said(series.target, "targets", series.id, losses)
    yield f"<target id = {_attribute(id)} text = {_attribute(text)}>\n"
    for question in series.questions:
        yield from _question(question, losses)
    yield "</target>\n\n"


def _question(question: SeriesQuestion, losses: Losses) -> Iterator[str]:
    asked_losses(losses, question, holds=("category",))
    field_losses(losses, "fields ()", question.id, question.fields)
    if question.key is not None:
        losses.cannot_hold("gold rewrites", question.id)
        field_losses(losses, "fields ()", question.id, question.key.fields)
        if not question.key.rewrites:
            gold_losses(losses, question.id, question.key)
    category = question.category or ""
    if category not in CATEGORIES:
        losses.add("questions of another category or none were written as FACTOID", question.id)
        category = "FACTOID"
    id = _said(question.id, "ids", question.id, losses)
    text = _said(question.text, "questions", question.id, losses)
    if category == OTHER and text == OTHER_TEXT:
        text = "Other"
    yield f'    <qa>\n\t<q id = {_attribute(id)} type="{category}">\n'
    yield f"\t    {_escaped(text)}\n\t</q>\n    </qa>\n"


def _said(text: str, what: str, id: str, losses: Losses) -> str:
    """A text as it will be read back: without characters that XML has none for."""
    sound = _NOT_XML.sub("", text)
    if sound != text:
        losses.cannot_hold(f"control characters in {what}", id)
    bare = plain(sound)
    if bare != sound:
        losses.add(f"white space in {what} was written as single spaces", id)
    return bare


def _escaped(text: str) -> str:
    from xml.sax.saxutils import escape  # brings urllib and ssl, which no other command needs

    return escape(text)


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)
