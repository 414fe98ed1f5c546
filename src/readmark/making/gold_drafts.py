"""Drafts of golds: what the rules of the guided rewriter make of a question, in a gold's forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readmark.core.errors import ReadmarkError
from readmark.core.test import Test
from readmark.series import PREVIOUS_ANSWER, bracketed
from readmark.sitting import build_candidate, make_ready

DRAFTS = ("target", "without_brackets", "in_brackets", "previous_answer", "previous_question")
"""The forms that a question may be drafted in, in the order of the columns."""

_REWRITERS = ("guided", "guided(persons=answer)", "guided(previous=question)")


def drafted(test: Test) -> tuple[dict[str, dict[str, str]], tuple[str, ...]]:
    """The drafts of each question by its id, and a note if no drafts could be written."""
    rewrites: list[dict[str, str]] = []
    try:
        for name in _REWRITERS:
            name, candidate = build_candidate(name, test)
            make_ready(name, candidate, test.kind, test.language)
            records = test.paper().records()
            units = (unit for record in records for unit in test.kind.units(record))
            rows = candidate.answer(units)
            rewrites.append({row.id: row.text for row in rows if row.answered})
    except ReadmarkError as error:
        return {}, (f"without drafts: {error}",)
    drafts = {}
    for series in test.records():
        for question in series.questions:
            texts = [by_id.get(question.id, "") for by_id in rewrites]
            drafts[question.id] = dict(_forms(series.target, *texts))
    return drafts, ()


def _forms(target: str, usual: str, by_answer: str, embedded: str) -> Iterator[tuple[str, str]]:
    """The drafts of one question by their columns."""
    for rewrite in (usual, by_answer):
        if rewrite and PREVIOUS_ANSWER not in rewrite:
            yield "target", rewrite
            forms = bracketed(target)
            if forms is not None and forms.full in rewrite:
                yield "without_brackets", rewrite.replace(forms.full, forms.outer)
                yield "in_brackets", _without_article(rewrite, forms.full, forms.inner[0])
            break
    for rewrite in (usual, by_answer):
        if PREVIOUS_ANSWER in rewrite:
            yield "previous_answer", rewrite
            if embedded and PREVIOUS_ANSWER not in embedded:
                yield "previous_question", embedded
            break


def _without_article(rewrite: str, full: str, inner: str) -> str:
    """The name in brackets in place of the target; one in capitals, such as CERN, has no "the"."""
    if inner.isupper() and not inner.startswith("the "):
        rewrite = re.sub(r"(?<!\w)the\s+" + re.escape(full), lambda _: inner, rewrite)
    return rewrite.replace(full, inner)
