"""The questions of a test as both harnesses take them: what is asked, and what is right.

A question's prompt stands in it whole, filled in as the ``llm`` candidate fills in its own, so
that a harness has nothing to put together. Its member ``readmark`` binds a log to the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats.harness_logs.asked import Binding
from readmark.corpus.option_letters import LETTERS
from readmark.corpus.published import without_keys
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.models.llm.prompts import Prompt, load_prompt
from readmark.models.llm.reading import PLACES, prompt_name, request_for
from readmark.setting.harness.examples import Draw

FILE = "questions.jsonl"
NONE = {"en": "unanswerable", "zh": "无法回答"}
"""What a model is told to say of a question that has no answer: harnesses take no empty target."""
_KINDS = ("comprehension", "series")
_NOT_IN_NAMES = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, slots=True)
class Exported:
    """What a test became: its name as a task's, the questions, and what was withheld."""

    name: str
    test: str
    language: str
    paper: str
    licence: str
    questions: tuple[dict[str, Any], ...]
    choosing: int
    """Questions with options."""
    withheld: int
    """Questions without a target: of hidden splits, or never keyed."""
    examples: tuple[dict[str, Any], ...] = ()
    """Questions of another test with their right replies, shown before every question."""
    drawn: str = ""
    """Which examples these are, for signatures."""
    examples_licence: str = ""


def exported(
    test: Test, *, prompt: str = "", with_keys: bool = False, shots: Draw | None = None
) -> Exported:
    """Every question of a test; the keys of hidden splits are left out unless asked for.

    ``shots`` are examples of another test, asked in the same words.
    """
    if test.kind.name not in _KINDS:
        raise UsageError(
            f"{test.file}: a {test.kind.name} test is no task for a harness; "
            f"expected one of {', '.join(_KINDS)}"
        )
    # Told of the whole test: a model must know that it may say so, hidden keys or not.
    none = NONE[_side(test)] if test.facts.unanswerable else ""
    if test.header.hidden and not with_keys:
        test, _ = without_keys(test, test.header.hidden)
    drawn = shots.words if shots is not None else ""
    examples = () if shots is None else tuple(_examples(test, shots, prompt, none))
    questions = tuple(_questions(test, prompt, none, drawn))
    return Exported(
        name=task_name(test),
        test=test.header.name,
        language=test.language,
        paper=test.facts.paper,
        licence=test.header.licence or "",
        questions=questions,
        choosing=sum(bool(one["options"]) for one in questions),
        withheld=sum(not one["targets"] for one in questions),
        examples=examples,
        drawn=drawn,
        examples_licence=(shots.source.header.licence or "") if shots is not None else "",
    )


def task_name(test: Test) -> str:
    """A name that a command line, a file and Python take."""
    words = _NOT_IN_NAMES.sub("_", test.header.name.lower()).strip("_")
    return f"readmark_{words}" if words else f"readmark_{test.facts.paper[:8]}"


def _side(test: Test) -> str:
    return "zh" if test.language == "zh" else "en"


def _examples(test: Test, shots: Draw, own: str, none: str) -> Iterator[dict[str, Any]]:
    """The examples as questions, each with the one reply that is shown as right."""
    for unit in shots.units(test, none=bool(none)):
        prompt = _prompt(own, _side(test), prompt_name(unit, free=False), none)
        asked = _question(shots.source, unit, prompt, none, "")
        right = _targets(shots.source, unit, tuple(asked["options"]), none)
        yield {
            "id": asked["id"],
            "prompt": asked["prompt"],
            "options": asked["options"],
            "targets": [one for one in right if one.strip()][:1],
        }


def _questions(test: Test, own: str, none: str, drawn: str) -> Iterator[dict[str, Any]]:
    prompts: dict[str, Prompt] = {}
    for record in test.records():
        for unit in test.kind.units(record):
            name = prompt_name(unit, free=False)
            if name not in prompts:
                prompts[name] = _prompt(own, _side(test), name, none)
            yield _question(test, unit, prompts[name], none, drawn)


def _prompt(own: str, side: str, name: str, none: str) -> Prompt:
    if own:
        return load_prompt(own, side, PLACES)
    shipped = "span_or_none" if name == "span" and none else name
    here = resources.files("readmark.setting.harness")
    with resources.as_file(here.joinpath(f"data/prompts/{side}/{shipped}.txt")) as file:
        return load_prompt(str(file), side, PLACES)


def _question(test: Test, unit: Unit, prompt: Prompt, none: str, drawn: str) -> dict[str, Any]:
    options = tuple(getattr(unit.item, "options", ()))
    if len(options) > len(LETTERS):
        raise DataError(f"has {len(options)} options", file=test.file, where=unit.id)
    asked = request_for(unit, prompt, language=test.language, none=False, shots=(), repeat=0)
    said = {message.role: message.content for message in asked.messages}
    binding = Binding(
        paper=test.facts.paper,
        units=test.facts.units,
        prompt=f"{prompt.name.removesuffix('.txt')} {prompt.version}",
        none="" if options else none,
        examples=drawn,
    )
    return {
        "id": unit.id,
        "system": said.get("system", ""),
        "prompt": said["user"],
        "question": unit.item.text,
        "options": list(options),
        "targets": _targets(test, unit, options, none),
        "readmark": binding.as_json(),
    }


def _targets(test: Test, unit: Unit, options: tuple[str, ...], none: str) -> list[str]:
    """What is right: people's answers, the word for none, or the letters of the right options."""
    if unit.key is None:
        return []
    if getattr(unit.key, "unanswerable", False):
        return [none]
    people = test.kind.references(unit)
    words = dict.fromkeys(answer.text for person in people for answer in person)
    if options:
        return [letter for letter, one in zip(LETTERS, options, strict=False) if one in words]
    return list(words)
