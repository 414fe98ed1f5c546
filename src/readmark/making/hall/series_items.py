"""A series as an item: its text, a form for each question, and the golds that people wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.language import primary
from readmark.making.blind.golds import ReturnedGolds
from readmark.series import OTHER, Series, SeriesQuestion
from readmark.works import DraftText, ItemView, Objects, Text, TextView, WorkItem
from readmark.works.field_values import TEXT
from readmark.works.forms import entries_of
from readmark.works.passages import fixed_entry, fixed_id, language_of_item

ENTRY, FIELD = "gold", "golds"
_LABELS: Mapping[str, Text] = {
    "question": {"en": "as it is", "zh": "原样"},
    "target": {"en": "with the target", "zh": "用对象"},
    "without_brackets": {"en": "without brackets", "zh": "不带括号"},
    "in_brackets": {"en": "in brackets", "zh": "括号内"},
    "previous_answer": {"en": "earlier answer", "zh": "前面的答案"},
    "previous_question": {"en": "earlier question", "zh": "前面的问题"},
}
_TARGET = {"en": "Target: {}", "zh": "对象：{}"}
_KNOWN = {"en": "known answer: {}", "zh": "已知答案：{}"}
_COMMA = {"en": ", ", "zh": "、"}


def paper_series(item: WorkItem) -> Series:
    """The series as annotators may see it."""
    return msgspec.convert(item.paper["record"], Series)


def record_series(item: WorkItem) -> Series:
    """The series with its key, where the organiser has one."""
    record = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_series(item) if record is None else msgspec.convert(record, Series)


def series_language(item: WorkItem) -> str:
    """The language of a series."""
    return paper_series(item).language or language_of_item(item)


def questions_to_rewrite(series: Series) -> list[tuple[int, SeriesQuestion]]:
    """The questions to be rewritten with their numbers in the series: all but OTHER ones."""
    return [
        (number, question)
        for number, question in enumerate(series.questions, 1)
        if question.category != OTHER
    ]


def series_view(
    item: WorkItem, entry: str, drafts: Mapping[str, Sequence[DraftText]] | None = None
) -> ItemView:
    """The series as a text, and an entry to fill in for each question that is to be rewritten."""
    series, language = paper_series(item), series_language(item)
    page_language = "zh" if primary(language) == "zh" else "en"
    text, places = series_text(series, page_language)
    title = _TARGET[page_language].format(series.target)
    objects = {}
    for number, question in questions_to_rewrite(series):
        start, end = places[number - 1]
        context = "\n".join(filter(None, (title, _known_answers(question, page_language))))
        value = fixed_entry(entry, number, question.text, context)
        objects[fixed_id(number)] = {
            **value,
            "places": [{"text": TEXT, "start": start, "end": end}],
        }
    series_page = TextView(TEXT, text, language, title, is_editable=False)
    return ItemView((series_page,), objects, drafts or {})


def series_text(series: Series, language: str) -> tuple[str, list[tuple[int, int]]]:
    """The questions of a series as lines with the answers known to the paper, and their places."""
    text, places = "", []
    for number, question in enumerate(series.questions, 1):
        start = len(text)
        text += f"{number}. {question.text}"
        places.append((start, len(text)))
        answers = _known_answers(question, language)
        text += f"\n    {answers}\n" if answers else "\n"
    return text.removesuffix("\n"), places


def _known_answers(question: SeriesQuestion, language: str) -> str:
    answers = _COMMA[language].join(question.previous)
    return _KNOWN[language].format(answers) if answers else ""


def labelled_drafts(
    question: SeriesQuestion, drafts: Mapping[str, str]
) -> Iterator[tuple[Text, str]]:
    """A question's drafts with labels; one that is the question itself says so."""
    for name, text in drafts.items():
        if name in _LABELS:
            yield _LABELS["question" if text == question.text else name], text


def golds_in(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The golds of a form: its lines, each once."""
    value = fields.get(FIELD)
    lines = value.splitlines() if isinstance(value, str) else []
    return tuple(dict.fromkeys(gold for line in lines if (gold := " ".join(line.split()))))


def written_golds(item: WorkItem, objects: Objects, person: str) -> Iterator[ReturnedGolds]:
    """The golds of a person on an item, as a file would have them."""
    forms = dict(entries_of(objects, ENTRY))
    for number, question in questions_to_rewrite(paper_series(item)):
        if golds := golds_in(forms.get(fixed_id(number), {})):
            yield ReturnedGolds(
                id=question.id, annotator=person, golds=golds, file=item.name, place=question.id
            )


def gold_writers(series: Series) -> list[str]:
    """The people whose golds are in a series."""
    keys = (question.key for question in series.questions if question.key is not None)
    return sorted({gold.annotator for key in keys for gold in key.rewrites if gold.annotator})
