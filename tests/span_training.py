"""A test of one question, and a training of one epoch on it, for tests of training span readers."""

from pathlib import Path
from typing import Any

from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.training import train_span
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test

TEXT = "The owner is anna. The barn is red."


def save_question(path: Path, *answers: str, unanswerable: bool = False) -> Path:
    """Write a test with one question, which has no key if there is no answer."""
    key = QuestionKey(
        answers=tuple(Answer(text=answer) for answer in answers), unanswerable=unanswerable
    )
    question = Question(id="q", text="Who is the owner?", key=key if answers else None)
    if unanswerable:
        question = Question(id="q", text="Who is the cat?", key=key)
    record = Passage(id="p", text=TEXT, questions=(question,))
    path.parent.mkdir(exist_ok=True)
    save_test(in_memory(Header(name=path.stem, language="en"), [record]), path)
    return path


def train_briefly(test: Path, out: Path, encoder: Path, **more: Any) -> Any:
    """Train on the processor, without exports; ``more`` are settings, ``also`` and ``progress``."""
    plan = SpanPlan(rate=1e-3, batch=4, epochs=more.pop("epochs", 1), device="cpu")
    options = {name: more.pop(name) for name in ("also", "progress") if name in more}
    settings = SpanSettings(**{"plan": plan, "length": 48, "export": False, **more})
    return train_span([test], out, encoder=str(encoder), settings=settings, **options)
