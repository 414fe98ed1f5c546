"""A test as a task: a folder for lm-evaluation-harness, or a file for Inspect AI.

A question's prompt is in it whole, filled in as the ``llm`` candidate fills in its own, so that a
harness has nothing to put together. Its member ``readmark`` binds a log to the paper.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from readmark.core.counts import counted, plural
from readmark.core.errors import DataError, UsageError
from readmark.core.new_folders import making_folder
from readmark.core.numbers import first_ids
from readmark.core.record_members import is_unanswerable, options_of
from readmark.core.records import Unit
from readmark.core.splits import without_keys
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.harness_logs.bindings import MEMBER, Binding
from readmark.llm import Prompt, form_of, load_prompt, request_for
from readmark.series import Series
from readmark.text.answers.option_letters import LETTERS
from readmark.text.folding import folded

# Examples for an exported task: keyed questions of another test, on passages that it has not.


EXAMPLES_FILE = "examples.jsonl"
TRAIN = "train"
"""Where examples come from in a test that has splits."""


@dataclass(frozen=True, slots=True)
class Draw:
    """How many examples are drawn, from which test, by which seed."""

    source: Test
    count: int
    seed: int = 1

    @property
    def words(self) -> str:
        """As the binding of a log has it: all that decides which examples were shown."""
        facts = self.source.facts
        return f"{self.count}, seed {self.seed}, paper {facts.paper}, key {facts.key}"

    def units(self, test: Test, *, none: bool) -> list[Unit]:
        """The examples for a test, one a passage; ``none`` takes questions without an answer too.

        One that shares a passage with the test is refused, not passed over: then the two are no
        pair of training and test data, and what else they share nobody has looked at.
        """
        self._require_fit(test)
        choosing = _choosing(test)
        records = _train(self.source)
        _require_apart(self.source, records, test)
        keyed = [
            unit
            for record in records
            for unit in self.source.kind.units(record)
            if bool(options_of(unit.item)) == choosing and _is_keyed(self.source, unit, none=none)
        ]
        random.Random(self.seed).shuffle(keyed)
        first: dict[str, Unit] = {}
        for unit in keyed:
            first.setdefault(unit.group, unit)
        if len(first) < self.count:
            noun = self.source.kind.record_noun
            raise DataError(
                f"wanted: {counted(self.count, 'example')}, a {noun} each; it has {len(first)} "
                "that fit",
                file=self.source.file,
            )
        return list(first.values())[: self.count]

    def _require_fit(self, test: Test) -> None:
        if self.count < 1:
            raise UsageError(f"--shots {self.count} is less than 1")
        for what, own, other in (
            ("kind", test.kind.name, self.source.kind.name),
            ("language", test.language, self.source.language),
        ):
            if own != other:
                raise UsageError(
                    f"--shots-from {self.source.file} is of another {what} ({other}) than "
                    f"{test.file} ({own})"
                )


def _train(source: Test) -> list[Any]:
    """The records that examples may be of: the train split's, or all where there are no splits."""
    records = list(source.records())
    if any(record.split is not None for record in records):
        records = [record for record in records if record.split == TRAIN]
    records = [record for record in records if record.split not in source.header.hidden]
    if not records:
        raise DataError(f"has no split {TRAIN!r} to take examples from", file=source.file)
    return records


def _require_apart(source: Test, records: list[Any], test: Test) -> None:
    """No passage may occur in both, however it is spelt there."""
    asked = {folded(_text(record)) for record in test.records()} - {""}
    shared = [record.id for record in records if folded(_text(record)) in asked]
    if shared:
        raise DataError(
            f"shares {len(shared)} of {len(records)} {plural(source.kind.record_noun)} with "
            f"{test.file}, and examples must be of others: {first_ids(shared)}",
            file=source.file,
        )


def _choosing(test: Test) -> bool:
    """Whether questions have options: all of them or none, as examples are the same for all."""
    sorts = {bool(options_of(unit.item)) for unit in test.units()}
    if len(sorts) > 1:
        raise UsageError(
            f"--shots: some questions of {test.file} have options and some have none, and a task's "
            "examples are the same for all"
        )
    return sorts == {True}


def _is_keyed(source: Test, unit: Unit, *, none: bool) -> bool:
    """Whether a question has a right reply to show."""
    if unit.key is None:
        return False
    if is_unanswerable(unit.key):
        return none and not options_of(unit.item)
    return any(True for _ in right_texts(source, unit))


def right_texts(source: Test, unit: Unit) -> Iterator[str]:
    """People's answers that a model could give: with options, those that are one."""
    options = options_of(unit.item)[: len(LETTERS)]
    for person in source.kind.references(unit):
        for answer in person:
            if answer.text.strip() and (not options or answer.text in options):
                yield answer.text


def _text(record: Any) -> str:
    text: str = record.target if isinstance(record, Series) else record.text
    return text


# The questions of a test as both harnesses take them: what is asked, and what is right.


QUESTIONS_FILE = "questions.jsonl"
NONE = {"en": "unanswerable", "zh": "无法回答"}
"""What a model is asked to reply if there is no answer: harnesses take no empty target."""
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
            f"{test.file}: a {test.kind.name} test cannot become a task for a harness; "
            f"expected one of {', '.join(_KINDS)}"
        )
    # Told of the whole test: a model must know that it may say so, hidden keys or not.
    none = NONE[_side(test)] if test.facts.count("unanswerable") else ""
    if test.header.hidden and not with_keys:
        test = without_keys(test, test.header.hidden)
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
        choosing=sum(bool(question["options"]) for question in questions),
        withheld=sum(not question["targets"] for question in questions),
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
        prompt = _prompt(own, test, form_of(test.kind).prompt_name(unit, free=False), none)
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
    form = form_of(test.kind)
    for record in test.records():
        for unit in test.kind.units(record):
            name = form.prompt_name(unit, free=False)
            if name not in prompts:
                prompts[name] = _prompt(own, test, name, none)
            yield _question(test, unit, prompts[name], none, drawn)


def _prompt(own: str, test: Test, name: str, none: str) -> Prompt:
    side, places = _side(test), form_of(test.kind).places
    if own:
        return load_prompt(own, side, places)
    shipped = "span_or_none" if name == "span" and none else name
    here = resources.files("readmark.making.harness")
    with resources.as_file(here.joinpath(f"data/prompts/{side}/{shipped}.txt")) as file:
        return load_prompt(str(file), side, places)


def _question(test: Test, unit: Unit, prompt: Prompt, none: str, drawn: str) -> dict[str, Any]:
    options = options_of(unit.item)
    if len(options) > len(LETTERS):
        raise DataError(f"has {len(options)} options", file=test.file, where=unit.id)
    form = form_of(test.kind)
    asked = request_for(unit, prompt, form, language=test.language, none=False, shots=(), repeat=0)
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
    if is_unanswerable(unit.key):
        return [none]
    people = test.kind.references(unit)
    words = dict.fromkeys(answer.text for person in people for answer in person)
    if options:
        return [letter for letter, option in zip(LETTERS, options, strict=False) if option in words]
    return list(words)


# The files of a task.


LETTERS_FILE = "letters.py"
_NOT_PLAIN = re.compile(r"[^\w .,:+-]")
MAX_TOKENS = 256
"""Of a reply: an answer is short, and a model that thinks aloud may be given more there."""


def lm_eval_files(task: Exported, max_tokens: int) -> dict[str, str]:
    """The files of an lm-evaluation-harness task: YAML, its Python, a page."""
    return {
        f"{task.name}.yaml": _filled(
            "lm_eval_task.yaml.txt",
            task,
            max_tokens=str(max_tokens),
            prompts=json.dumps(_prompts(task), ensure_ascii=False),
            shots=_lm_eval_shots(task),
        ),
        "scoring.py": _filled("lm_eval_scoring.py.txt", task),
        "README.md": _filled("lm_eval_readme.md.txt", task, hidden=_hidden(task) + _shown(task)),
    }


def inspect_files(task: Exported, max_tokens: int) -> dict[str, str]:
    """The files of an Inspect AI task: its Python, a page."""
    every = len(task.questions)
    scorers = "[exact(), f1()]" if not task.choosing else "[chosen(), exact(), f1()]"
    binding = {"paper": task.paper, "units": every, "prompts": _prompts(task)}
    return {
        f"{task.name}.py": _filled(
            "inspect_task.py.txt",
            task,
            scorers="chosen()" if task.choosing == every else scorers,
            max_tokens=str(max_tokens),
            binding=repr(binding),
        ),
        "README.md": _filled("inspect_readme.md.txt", task, hidden=_hidden(task) + _shown(task)),
    }


WRITERS: Mapping[str, Callable[[Exported, int], dict[str, str]]] = {
    "lm-eval": lm_eval_files,
    "inspect": inspect_files,
}


def write_task(
    task: Exported, target: str | Path, harness: str, *, max_tokens: int = MAX_TOKENS
) -> list[str]:
    """Write the folder, whole or not at all; the names of its files."""
    if max_tokens < 1:
        raise UsageError(f"{max_tokens} tokens of a reply are less than 1")
    files = WRITERS[harness](task, max_tokens)
    files[LETTERS_FILE] = _letters()
    files[QUESTIONS_FILE] = _lines(task.questions)
    if task.examples:
        files[EXAMPLES_FILE] = _lines(task.examples)
    with making_folder(target) as folder:
        for name, text in files.items():
            (folder / name).write_bytes(text.encode())
    return sorted(files)


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _letters() -> str:
    """The reader of option letters, as a file that needs no Readmark: one reader for both."""
    reader = (
        resources.files("readmark.text.answers").joinpath("option_letters.py").read_text("utf-8")
    )
    here = resources.files("readmark.making.harness")
    return reader + here.joinpath("data/letter_said.py.txt").read_text("utf-8")


def _prompts(task: Exported) -> list[str]:
    return sorted({question[MEMBER]["prompt"] for question in task.questions})


def no_targets(count: int) -> str:
    """How many questions have no target, in words."""
    return f"{counted(count, 'question has', 'questions have')} no target"


def _hidden(task: Exported) -> str:
    if not task.withheld:
        return ""
    return (
        f"\n{no_targets(task.withheld)} here, since the key is withheld: the harness counts that as"
        "\nwrong, and whoever holds the key can mark the log all the same.\n"
    )


def _shown(task: Exported) -> str:
    """What the page says of examples."""
    if not task.examples:
        return ""
    several = counted(len(task.examples), "example")
    return (
        f"\n{several} of another test, in `{EXAMPLES_FILE}`, come before every question, as turns "
        "of the"
        f"\nconversation; their licence: {_plain(task.examples_licence) or 'not said'}. No passage"
        " of theirs is in the test.\n"
    )


def _lm_eval_shots(task: Exported) -> str:
    """The harness's own members for examples: always the first ones, in the order drawn."""
    if not task.examples:
        return "num_fewshot: 0"
    return (
        f"num_fewshot: {len(task.examples)}\n"
        "fewshot_split: train\n"
        "fewshot_config:\n"
        "  sampler: first_n"
    )


def _filled(template: str, task: Exported, **more: str) -> str:
    text = resources.files("readmark.making.harness").joinpath(f"data/{template}")
    return text.read_text("utf-8").format(
        name=task.name,
        title=_plain(task.test) or task.name,
        language=task.language,
        paper=task.paper,
        file=QUESTIONS_FILE,
        examples=EXAMPLES_FILE,
        letters=LETTERS_FILE,
        questions=len(task.questions),
        licence=_plain(task.licence) or "not said",
        version=__version__,
        **more,
    )


def _plain(text: str) -> str:
    """A name that occurs in code and comments: nothing in it can end them."""
    return " ".join(_NOT_PLAIN.sub(" ", text).split())
