"""The questions of a test as both harnesses take them: what is asked, and what is right.

A question's prompt is in it whole, filled in as the ``llm`` candidate fills in its own, so that a
harness has nothing to put together. Its member ``readmark`` binds a log to the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.record_members import is_unanswerable, options_of
from readmark.core.records import Unit
from readmark.core.splits import without_keys
from readmark.core.test import Test
from readmark.formats.harness_logs.bindings import Binding
from readmark.llm import Prompt, form_of, load_prompt, request_for
from readmark.making.harness.examples import ExampleDraw
from readmark.text.answers.option_letters import LETTERS

NO_ANSWER_REPLY = {"en": "unanswerable", "zh": "无法回答"}
"""What a model is asked to reply if there is no answer: harnesses take no empty target."""
_KINDS = ("comprehension", "series")
_NOT_IN_NAMES = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, slots=True)
class HarnessTask:
    """A test as a task: its name, the questions, and how many have no target."""

    name: str
    test: str
    language: str
    paper: str
    licence: str
    questions: tuple[dict[str, Any], ...]
    with_options: int
    """Questions with options."""
    withheld: int
    """Questions without a target: of hidden splits, or never keyed."""
    examples: tuple[dict[str, Any], ...] = ()
    """Questions of another test with their right replies, shown before every question."""
    examples_licence: str = ""


def harness_task(
    test: Test, *, prompt: str = "", with_keys: bool = False, shots: ExampleDraw | None = None
) -> HarnessTask:
    """Every question of a test; the keys of hidden splits are left out unless asked for.

    ``shots`` are examples of another test, asked in the same words.
    """
    if test.kind.name not in _KINDS:
        raise UsageError(
            f"{test.file}: a {test.kind.name} test cannot become a task for a harness; "
            f"expected one of {', '.join(_KINDS)}"
        )
    # Before keys are taken out: a model must know that it may say so, hidden keys or not.
    none = NO_ANSWER_REPLY[_side(test)] if test.facts.count("unanswerable") else ""
    if test.header.hidden and not with_keys:
        test = without_keys(test, test.header.hidden)
    examples: tuple[dict[str, Any], ...] = ()
    examples_signature = examples_licence = ""
    if shots is not None:
        examples = tuple(_examples(test, shots, prompt, none))
        examples_signature = shots.words
        examples_licence = shots.source.header.licence or ""
    questions = tuple(_questions(test, prompt, none, examples_signature))
    return HarnessTask(
        name=task_name(test),
        test=test.header.name,
        language=test.language,
        paper=test.facts.paper,
        licence=test.header.licence or "",
        questions=questions,
        with_options=sum(bool(question["options"]) for question in questions),
        withheld=sum(not question["targets"] for question in questions),
        examples=examples,
        examples_licence=examples_licence,
    )


def task_name(test: Test) -> str:
    """A name that a command line, a file and Python take."""
    words = _NOT_IN_NAMES.sub("_", test.header.name.lower()).strip("_")
    return f"readmark_{words}" if words else f"readmark_{test.facts.paper[:8]}"


def _side(test: Test) -> str:
    return "zh" if test.language == "zh" else "en"


def _examples(
    test: Test, shots: ExampleDraw, prompt_file: str, none: str
) -> Iterator[dict[str, Any]]:
    """The examples as questions, each with the one reply that is shown as right."""
    form = form_of(test.kind)
    for unit in shots.units(test, with_unanswerable=bool(none)):
        prompt = _prompt(prompt_file, test, form.prompt_name(unit, free=False), none)
        question = _question(shots.source, unit, prompt, none, "")
        targets = _targets(shots.source, unit, tuple(question["options"]), none)
        yield {
            "id": question["id"],
            "prompt": question["prompt"],
            "options": question["options"],
            "targets": [target for target in targets if target.strip()][:1],
        }


def _questions(test: Test, prompt_file: str, none: str, examples: str) -> Iterator[dict[str, Any]]:
    prompts: dict[str, Prompt] = {}
    form = form_of(test.kind)
    for record in test.records():
        for unit in test.kind.units(record):
            name = form.prompt_name(unit, free=False)
            if name not in prompts:
                prompts[name] = _prompt(prompt_file, test, name, none)
            yield _question(test, unit, prompts[name], none, examples)


def _prompt(file: str, test: Test, name: str, none: str) -> Prompt:
    """The user's prompt, else the shipped one, which offers no answer only where some have none."""
    side, places = _side(test), form_of(test.kind).places
    if file:
        return load_prompt(file, side, places)
    shipped = "span_or_none" if name == "span" and none else name
    folder = resources.files("readmark.making.harness")
    with resources.as_file(folder.joinpath(f"data/prompts/{side}/{shipped}.txt")) as path:
        return load_prompt(str(path), side, places)


def _question(test: Test, unit: Unit, prompt: Prompt, none: str, examples: str) -> dict[str, Any]:
    options = options_of(unit.item)
    if len(options) > len(LETTERS):
        message = f"has {len(options)} options, and a task takes up to {len(LETTERS)}"
        raise DataError(message, file=test.file, where=unit.id)
    form = form_of(test.kind)
    request = request_for(
        unit, prompt, form, language=test.language, none=False, shots=(), repeat=0
    )
    messages = {message.role: message.content for message in request.messages}
    binding = Binding(
        paper=test.facts.paper,
        units=test.facts.units,
        prompt=f"{prompt.name.removesuffix('.txt')} {prompt.version}",
        none="" if options else none,
        examples=examples,
    )
    return {
        "id": unit.id,
        "system": messages.get("system", ""),
        "prompt": messages["user"],
        "question": unit.item.text,
        "options": list(options),
        "targets": _targets(test, unit, options, none),
        "readmark": binding.as_json(),
    }


def _targets(test: Test, unit: Unit, options: tuple[str, ...], none: str) -> list[str]:
    """What is right: people's answers, the word for none, or the letters of the right options."""
    if unit.key is None:
        return []
    if is_unanswerable(unit.key):
        return [none]
    references = test.kind.references(unit)
    words = dict.fromkeys(answer.text for reference in references for answer in reference)
    if options:
        return [letter for letter, option in zip(LETTERS, options, strict=False) if option in words]
    return list(words)
