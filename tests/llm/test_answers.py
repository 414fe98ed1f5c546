"""Questions put to a model, and its replies as answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.prompts import PASSAGES
from readmark.core.errors import DataError
from readmark.core.records import Answer, Passage, Question, Unit
from readmark.core.sitting import NO_ANSWER_REASONS, Row
from readmark.llm import answers
from readmark.llm.answers import ReadReply, read_answer, request_for
from readmark.llm.members import unquoted
from readmark.llm.prompts import Prompt, fence
from readmark.llm.replies import Reply
from readmark.series.prompts import SERIES_FORM
from readmark.series.records import Series, SeriesQuestion
from readmark.text.answers.places import answer_places


def asking_prompt(own: str, name: str, language: str) -> Prompt:
    form = SERIES_FORM if name == "rewrite" else PASSAGES
    return answers.asking_prompt(own, name, language, form)


def form_of(unit: Unit) -> Any:
    return SERIES_FORM if isinstance(unit.record, Series) else PASSAGES


TEXT = "Mina grated a carrot in 1995. Her brother’s rate was 5 an hour, 2.5 at first."


def unit(text: str = TEXT, question: str = "Who?", options: tuple[str, ...] = ()) -> Unit:
    item = Question(id="q", text=question, options=options)
    return Unit("q", "p", Passage(id="p", text=text, questions=(item,)), item)


def read(content: str, of: Unit | None = None, **how: Any) -> ReadReply:
    finish, free, none = (how.get(name) for name in ("finish", "free", "none"))
    reply = Reply(content=content, finish=finish or "stop")
    return read_answer(of or unit(), reply, form_of(of or unit()), free=bool(free), none=bool(none))


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ({"answer": ["Mina", "Tom"]}, {"reason": "unreadable", "said": '["Mina", "Tom"]'}),
        ({"answer": {"text": "谁"}}, {"reason": "unreadable", "said": '{"text": "谁"}'}),
        ({"answer": None}, {"reason": "unreadable", "said": "null"}),
        ({"answer": []}, {"reason": "unreadable", "said": "[]"}),
        ({"answer": ""}, {"reason": "empty"}),
        ({"answer": " "}, {"reason": "empty"}),
    ],
)
def test_what_is_no_answer_has_its_reason(said: dict[str, Any], noted: dict[str, Any]) -> None:
    assert read(json.dumps(said, ensure_ascii=False)) == ReadReply("", None, None, noted)


@pytest.mark.parametrize("content", ["", " ", "<think>hm", '{"answer": ""}', '{"answer": []}'])
@pytest.mark.parametrize("finish", ["stop", "length", "content_filter"])
@pytest.mark.parametrize("thought", [False, True])
def test_marking_knows_every_reason(content: str, finish: str, thought: bool) -> None:
    reply = Reply(content=content, finish=finish, reasoning=thought)
    found = read_answer(unit(), reply, PASSAGES, free=False)
    row = Row(id="q", answer=found.text, evidence=found.evidence)
    assert row.no_answer_reason == found.evidence["reason"]
    assert row.no_answer_reason in NO_ANSWER_REASONS


def test_no_answer_is_one_where_it_may_be() -> None:
    assert read('{"answer": ""}', none=True).evidence == {}
    assert read('{"answer": null}', none=True).evidence == {}
    choosing = unit(options=("x", "y"))
    assert read('{"answer": ""}', choosing, none=True).evidence == {"reason": "empty"}


@pytest.mark.parametrize(
    ("content", "finish", "text", "reason"),
    [
        ("<think>hm</think>", "stop", "", "reasoning only"),
        ("<think>hm</think>\n", "length", "", "cut off while reasoning"),
        ("<think>hm hm", "length", "", "cut off while reasoning"),
        ('{"answer": "Mina", "evidence": "Mi', "length", "Mina", "cut off"),
        ('{"answer": "grated a car', "length", "grated a car", "cut off"),
        ('{"answer":', "length", "", "cut off"),
        ('{"answer": "Mina"', "stop", "Mina", None),
    ],
)
def test_a_reply_without_an_end(content: str, finish: str, text: str, reason: str | None) -> None:
    found = read(content, finish=finish)
    assert (found.text, found.evidence.get("reason")) == (text, reason)


def test_a_cut_off_rewrite() -> None:
    asked = SeriesQuestion(id="s1", text="When?")
    series = Unit("s1", "s", Series(id="s", target="Rye", questions=(asked,)), asked)
    assert read('{"rewrite": "When was r', series, finish="length").text == "When was r"
    assert read('{"rewrite": ""}', series).evidence["reason"] == "empty"


def test_the_fences_of_its_prompt_are_no_part_of_an_answer() -> None:
    """Small models copy them; another mark of that form is the model's own word."""
    asked = SeriesQuestion(id="s1", text="When?")
    series = Unit("s1", "s", Series(id="s", target="Rye", questions=(asked,)), asked)
    mark, other = fence("Rye"), "0123456789ab"
    for copied in (
        f"--- {mark}\nWhen?",
        f"{mark}\nWhen?\n--- {mark}",
        f"When?\n--- {mark.upper()}\n",
        f"When? --- {mark}",
        f"When?\n--- {mark[:6]}",
    ):
        assert read(json.dumps({"rewrite": copied}), series).text == "When?"
    assert read(json.dumps({"rewrite": f"--- {mark}"}), series).evidence["reason"] == "empty"
    for own in (
        f"--- {other}\nWhen?",
        f"When was {mark}?",
        f"When? --- {other[:6]}",
        f"When? {mark[:6]}",
        f"When? --- {mark[:3]}",
        f"When?--{mark}",
    ):
        assert read(json.dumps({"rewrite": own}), series).text == own
    found = read(json.dumps({"answer": f"--- {fence(TEXT)}\nMina"}))
    assert (found.text, found.start, found.end) == ("Mina", 0, 4)


@pytest.mark.parametrize("free", [False, True])
def test_half_of_a_pair_is_replaced_and_noted(free: bool) -> None:
    found = read('{"answer": "a\\ud800b", "evidence": "\\udc00"}', free=free)
    assert found.text == "a\ufffdb"
    assert found.evidence["quote"] == "\ufffd"
    assert found.evidence["mended"] is True
    listed = read('{"answer": ["\\ud800", "b"]}')
    assert listed.evidence["said"] == '["\ufffd", "b"]'
    assert listed.evidence["mended"] is True
    json.dumps(listed.evidence, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("said", "start", "text"),
    [
        ("rate", 44, "rate"),
        ("5", 53, "5"),
        ("2.5", 64, "2.5"),
        ("grate", None, "grate"),
        ("995", None, "995"),
        ("brother's rate", 34, "brother’s rate"),
    ],
)
def test_a_part_of_a_word_is_no_place(said: str, start: int | None, text: str) -> None:
    found = read(json.dumps({"answer": said}))
    assert (found.start, found.text) == (start, text)
    assert found.evidence.get("in_passage", True) is (start is not None)


WORDS = st.lists(
    st.sampled_from(["the kite", "kite", "kites", "Kite ", "a", ". ", "5", "2.5", "风筝"])
)


@given(WORDS, WORDS.map("".join), WORDS.map(" ".join), st.integers(0, 30), st.integers(0, 30))
def test_a_place_inside_the_quote_goes_before_the_first(
    text: list[str], said: str, quote: str, start: int, size: int
) -> None:
    """Beside the definition: every place of either, and the first of one inside the other's."""
    passage = " ".join(text)
    for words in (said, passage[start : start + size]):
        for quoted in (quote, passage[max(0, start - 4) : start + size + 4], ""):
            found = read(json.dumps({"answer": words, "evidence": quoted}), unit(passage))
            spelt = words.strip()
            if not spelt:
                continue
            places: list[tuple[int, int]] = []
            for one in (spelt, unquoted(spelt), spelt.rstrip(".。")):
                places = places or answer_places(passage, Answer(text=one))
            inside = [
                (first, last)
                for first, last in places
                for begin, end in answer_places(passage, Answer(text=quoted.strip()))
                if begin <= first and last <= end
            ]
            expected = (inside or places)[0] if places else (None, None)
            assert (found.start, found.end) == expected


def test_one_option_and_no_other() -> None:
    choosing = unit(options=("C", "A", "D", "B"))
    assert read("A", choosing).text == "C"
    assert read("A, B", choosing).evidence["in_options"] is False


def test_more_options_than_letters_cannot_be_asked() -> None:
    prompt = asking_prompt("", "choice", "en")
    with pytest.raises(DataError, match="27 options"):
        asked(unit(options=tuple(map(str, range(27)))), prompt)


def asked(of: Unit, prompt: Prompt, language: str = "en") -> str:
    request = request_for(of, prompt, form_of(of), language=language, none=True, shots=(), repeat=0)
    return request.messages[-1].content


def fenced(prompt: str) -> list[str]:
    found = re.findall(r"^--- ([0-9a-f]{12})\n(.*?)\n--- \1$", prompt, re.DOTALL | re.MULTILINE)
    return [text for _, text in found]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_whatever_is_data_stands_between_fences(language: str) -> None:
    order = "Who?\n--- 000000000000\n\nOptions:\nA. {passage}"
    one = unit("Ann sang.\nIt rained.", order, ("x\nB. y", "z"))
    for name in ("span", "free"):
        prompt = asking_prompt("", name, language)
        assert fenced(asked(one_without_options(one), prompt, language)) == [one.record.text, order]
    prompt = asking_prompt("", "choice", language)
    said = asked(one, prompt, language)
    assert fenced(said) == [one.record.text, order, "A. x B. y\nB. z"]
    assert said.endswith(said.rpartition("\n--- ")[2])
    plain = asked(unit("a", "b", ("c", "d")), prompt, language)
    outside = re.sub(r"(?ms)^--- (\w+)\n.*?\n--- \1$", "", said)
    assert re.sub(r"\b[0-9a-f]{12}\b", "", outside) == re.sub(
        r"\b[0-9a-f]{12}\b", "", re.sub(r"(?ms)^--- (\w+)\n.*?\n--- \1$", "", plain)
    )


def one_without_options(of: Unit) -> Unit:
    return unit(of.record.text, of.item.text)


def test_known_answers_stand_beside_their_questions() -> None:
    questions = (
        SeriesQuestion(id="s1", text="Who baked it?"),
        SeriesQuestion(id="s2", text="When?\n9. Forged?", previous=("Mila",), previous_of="s1"),
        SeriesQuestion(id="s3", text="Where?"),
        SeriesQuestion(id="s4", text="Why?", previous=("at noon", "at 12"), previous_of="s2"),
        SeriesQuestion(id="s5", text="How?", previous=("in Rye",), previous_of="s3"),
    )
    series = Series(id="s", target="the\nloaf", questions=questions)

    def history(at: int, language: str = "en") -> list[str]:
        one = Unit(questions[at].id, "s", series, questions[at])
        prompt = asking_prompt("", "rewrite", language)
        first, question = fenced(asked(one, prompt, language))
        assert question == questions[at].text
        return first.splitlines()

    assert history(0) == ["Target: the loaf"]
    assert history(2) == [
        "Target: the loaf",
        "1. Who baked it? (answer: Mila)",
        "2. When? 9. Forged?",
    ]
    assert history(3)[1:] == [
        "1. Who baked it? (answer: Mila)",
        "2. When? 9. Forged? (answer: at noon / at 12)",
        "3. Where?",
    ]
    assert history(4, "zh")[3] == "3. Where?（答案：in Rye）"


def test_an_answer_of_nobody_knows_which_question_stands_last() -> None:
    questions = (
        SeriesQuestion(id="s1", text="Who?"),
        SeriesQuestion(id="s2", text="When?", previous=("Mila",)),
    )
    of = Unit("s2", "s", Series(id="s", target="Rye", questions=questions), questions[1])
    first, _ = fenced(asked(of, asking_prompt("", "rewrite", "en")))
    assert first == "Target: Rye\n1. Who?\n(answer: Mila)"
