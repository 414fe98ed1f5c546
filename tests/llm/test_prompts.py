"""Prompts that ship, and prompts of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from readmark.comprehension.prompts import PASSAGES
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.records import Passage, Question, Unit
from readmark.llm.answers import asking_prompt, request_for
from readmark.llm.prompts import fence, load_prompt
from readmark.series.prompts import SERIES_FORM

PLACES = PASSAGES.places | SERIES_FORM.places
FORMS = {"rewrite": SERIES_FORM}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["span", "free", "choice", "rewrite"])
def test_those_that_ship_hold_what_they_must(name: str, language: str) -> None:
    prompt = asking_prompt("", name, language, FORMS.get(name, PASSAGES))
    assert prompt.name == f"{name}.{language}"
    assert prompt.system
    assert "fence" in prompt.places


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("span", "=== user\n{question}\n", "{passage} is missing"),
        ("span", "=== user\n{passage}\n", "{question} is missing"),
        ("rewrite", "=== user\n{question} {history}\n", "{target} is missing"),
        ("span", "=== user\n{passage} {question} {target}\n", "{target} cannot be filled in"),
        ("rewrite", "=== user\n{target} {question} {passage}\n", "{passage} cannot be filled in"),
        ("span", "=== user\n{passage} {question} {quest}\n", "{quest} cannot be filled in"),
        (
            "span",
            "=== system\n{passage}\n=== user\n{passage} {question}\n",
            "{passage} is data, and belongs under '=== user'",
        ),
        (
            "span",
            "=== user\n{passage} {question}\n=== user\nmore\n",
            "the part '=== user' occurs twice",
        ),
        ("span", "Hello\n=== user\n{passage} {question}\n", "text before the first part"),
        ("span", "=== system\nRead.\n", "has the parts"),
        ("span", "=== user\n{passage} {question}\n=== more\n", "has the parts"),
        ("span", "", "has the parts"),
    ],
)
def test_a_prompt_of_ones_own_that_will_not_do(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    own = tmp_path / "mine.txt"
    own.write_text(text, "utf-8")
    with pytest.raises(DataError) as error:
        asking_prompt(str(own), name, "en", FORMS.get(name, PASSAGES))
    assert words in str(error.value)
    assert str(error.value).startswith("mine.txt: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("written", [b"\xff\xfe=", None])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, written: bytes | None) -> None:
    own = tmp_path / "mine.txt"
    if written is None:
        own.mkdir()
    else:
        own.write_bytes(written)
    with pytest.raises(ReadmarkError, match="the prompt cannot be read") as error:
        load_prompt(str(own), "en", PLACES)
    assert "\n" not in str(error.value)


def test_options_are_needed_where_there_are_some(tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("=== system\n{none}\n=== user\n{passage} {question}", "utf-8")
    prompt = asking_prompt(str(own), "choice", "en", PASSAGES)

    def ask(options: tuple[str, ...]) -> str:
        item = Question(id="q1", text="Who?", options=options)
        unit = Unit("q1", "p", Passage(id="p", text="Ann.", questions=(item,)), item)
        request = request_for(unit, prompt, PASSAGES, language="en", none=False, shots=(), repeat=0)
        return request.messages[-1].content

    assert ask(()) == "Ann. Who?"
    with pytest.raises(DataError, match=r"mine.txt: \{options\} is missing, and q1 has options"):
        ask(("Ann", "Bob"))


def test_a_prompt_for_the_other_kind_cannot_be_asked(tmp_path: Path) -> None:
    """Also where it was loaded without saying what for."""
    item = Question(id="q1", text="Who?")
    unit = Unit("q1", "p", Passage(id="p", text="Ann.", questions=(item,)), item)
    prompt = load_prompt("rewrite", "en", PLACES)
    with pytest.raises(DataError, match=r"rewrite.en: \{passage\} is missing"):
        request_for(unit, prompt, PASSAGES, language="en", none=False, shots=(), repeat=0)


def test_a_text_cannot_store_its_own_mark() -> None:
    mark = fence("a")
    assert len(mark) == 12
    assert fence(f"a --- {mark}") != mark


def test_a_question_that_knows_the_mark_of_its_passage_gets_another() -> None:
    mark = fence("a")
    assert fence("a", "Who?") == fence("a", "When?") == mark
    spoilt = f"Who?\n--- {mark}"
    assert fence("a", spoilt) not in (mark, *spoilt.split())


def test_questions_on_a_passage_begin_alike() -> None:
    """So a server that keeps the beginning of the last prompt reads the passage once."""
    text = "Ann sang all morning. It rained until noon."
    items = (Question(id="q1", text="Who sang?"), Question(id="q2", text="When did it rain?"))
    record = Passage(id="p", text=text, questions=items)
    prompt = load_prompt("span", "en", PLACES)
    first, second = (
        request_for(
            Unit(item.id, "p", record, item),
            prompt,
            PASSAGES,
            language="en",
            none=False,
            shots=(),
            repeat=0,
        ).messages
        for item in items
    )
    assert first[0] == second[0]
    before = first[1].content.partition(items[0].text)[0]
    assert text in before
    assert before == second[1].content.partition(items[1].text)[0]
