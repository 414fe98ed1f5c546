"""`llm`: refusals are told from answers, and counted apart; prompt and reply are kept."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from llm_endpoint import Answer, Body, Endpoint, Says, question_of
from llm_papers import SECRET, says, sit_paper
from readmark import sit
from readmark.llm.answers import LONGEST_PROMPT, LONGEST_REPLY, bounded

Run = Callable[..., subprocess.CompletedProcess[str]]

SORRY = {
    "en": (
        "“Sorry,” said the ferryman, “I cannot help you.” So Mina walked home.",
        "What did the ferryman say?",
    ),
    "zh": ("船夫说：“对不起，我不能帮助你。”米娜只好走回家。", "船夫说了什么？"),
}


def paper_in(language: str, folder: Path, **question: Any) -> Path:
    text, asked = SORRY[language]
    lines = [
        {"readmark": 1, "kind": "comprehension", "language": language},
        {
            "id": "p",
            "text": text,
            "questions": [{"id": "q", "text": asked, "key": {"answers": [{"text": "x"}]}}],
        },
    ]
    lines[1]["questions"][0] |= question  # type: ignore[index]
    path = folder / "sorry.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in lines), "utf-8")
    return path


@pytest.mark.parametrize(
    ("language", "reply", "refused"),
    [
        ("en", "I'm sorry, but I can't help with that.", True),
        ("en", says("I'm sorry, but I cannot assist with this request."), True),
        ("en", "<think>Hm.</think>As an AI, I cannot answer that.", True),
        ("en", says("Sorry"), False),
        ("en", says("I cannot help you"), False),
        ("en", says("“Sorry,” said the ferryman, “I cannot help you.”"), False),
        ("en", says("He was sorry and could not help her."), False),
        ("en", "I'm sorry, but the passage does not say that.", False),
        ("zh", "抱歉，我无法回答这个问题。", True),
        ("zh", says("对不起，我不能提供相关信息。"), True),
        ("zh", says("对不起，我不能帮助你。"), False),
        ("zh", says("对不起"), False),
        ("zh", says("他说对不起，他不能帮助她。"), False),
        ("zh", "文章没有提到船夫说了什么。", False),
    ],
)
@pytest.mark.parametrize("answer_in", ["span", "free"])
def test_refusals_and_answers(
    tmp_path: Path, language: str, reply: str, refused: bool, answer_in: str
) -> None:
    with Endpoint(lambda body: reply) as endpoint:
        paper = paper_in(language, tmp_path)
        row = sit_paper(paper, endpoint, tmp_path / "s.jsonl", f"answer_in={answer_in}")["q"]
    assert (row.no_answer_reason == "refused") == refused
    assert bool(row.text) == (not refused)


def test_an_option_that_refuses_is_an_option(tmp_path: Path) -> None:
    options = ["I'm sorry, I can't help you.", "Of course."]
    paper = paper_in("en", tmp_path, options=options, key={"answers": [{"text": options[0]}]})
    with Endpoint(lambda body: says(options[0])) as endpoint:
        assert sit_paper(paper, endpoint, tmp_path / "s.jsonl")["q"].text == options[0]


def test_refusals_are_counted_apart(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    def reply(body: Body) -> Answer:
        if question_of(body) == "Who flew it?":
            return "I'm sorry, but I can't assist with that."
        if question_of(body) == "What was mended?":
            return Says("", finish="content_filter")
        return says("B")

    with Endpoint(reply) as endpoint:
        done = readmark_cli(
            "sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o", "s.jsonl",
            cwd=tmp_path,
        )  # fmt: skip
    line = "s.jsonl: refusals, counted as unanswered: 2 (q1, q2)"
    assert done.returncode == 0
    assert "s.jsonl: llm" in done.stderr
    assert "sat 3 units: 1 answered, 2 refused" in done.stderr
    assert sorted(line.rpartition("(")[2][:-1].split(", ")) == ["q1", "q2"]
    assert "s.jsonl: refusals, counted as unanswered: 2 (" in done.stderr
    done = readmark_cli(
        "mark", str(paper), "s.jsonl", "-m", "em", "--json", "--no-units", cwd=tmp_path
    )
    document = json.loads(done.stdout)
    assert (document["refused"], document["unanswered"]) == (["q1", "q2"], ["q1", "q2"])
    assert line in document["notes"]
    assert f"readmark: {line}" in done.stderr


def test_replies_without_an_answer_are_not_called_answered(paper: Path, tmp_path: Path) -> None:
    replies: dict[str, Answer] = {
        "Who flew it?": "",
        "What was mended?": "<think>Who could have",
    }
    with Endpoint(
        lambda body: replies.get(question_of(body), Says('{"answer": "B', finish="length"))
    ) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        sat = sit(str(paper), name, str(tmp_path / "s.jsonl"))
    place = tmp_path / "s.jsonl"
    for line in (
        f"{place}: replies without an answer (empty), counted as unanswered: 1 (q1)",
        f"{place}: replies without an answer (reasoning only), counted as unanswered: 1 (q2)",
        f"{place}: replies cut off before their end: 1 (q3); max_tokens sets their length",
    ):
        assert line in sat.notes
    assert sat.unanswered == 2
    assert "sat 3 units: 1 answered, 2 without an answer" in str(sat)


# The prompt and the raw reply.


def test_prompt_and_reply_are_kept_in_the_row(paper: Path, tmp_path: Path) -> None:
    reply = f"Sure! <think>hm</think> {says('Tom')} {SECRET}"
    with Endpoint(lambda body: reply) as endpoint:
        row = sit_paper(paper, endpoint, tmp_path / "s.jsonl")["q1"]
        [body] = [each for each in endpoint.asked if question_of(each) == "Who flew it?"]
        again = sit_paper(paper, endpoint, tmp_path / "s.jsonl")["q1"]
    system, user = (each["content"] for each in body["messages"])
    assert row.evidence["prompt"] == f"[system]\n{system}\n\n[user]\n{user}"
    assert row.evidence["reply"] == reply.replace(SECRET, "[key]")
    assert again == row


def test_from_the_cache_they_are_the_same(paper: Path, tmp_path: Path) -> None:
    with Endpoint(lambda body: says("Tom")) as endpoint:
        first = sit_paper(paper, endpoint, tmp_path / "s.jsonl")
        (tmp_path / "s.jsonl").unlink()
        then = sit_paper(paper, endpoint, tmp_path / "s.jsonl")
    assert {id: row.evidence for id, row in first.items()} == {
        id: row.evidence for id, row in then.items()
    }
    assert all(row.usage["cached"] for row in then.values())
    with sqlite3.connect(tmp_path / "s.jsonl.cache.sqlite") as file:
        assert file.execute("SELECT count(*) FROM replies").fetchone() == (3,)


def test_they_are_bounded(tmp_path: Path) -> None:
    text = "".join(f"{at} " for at in range(40_000))
    lines = [
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {"id": "p", "text": text, "questions": [{"id": "q", "text": "Which is last?"}]},
    ]
    paper = tmp_path / "long.jsonl"
    paper.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with Endpoint(lambda body: says("39999", text[:50_000])) as endpoint:
        row = sit_paper(paper, endpoint, tmp_path / "s.jsonl")["q"]
    prompt, reply = row.evidence["prompt"], row.evidence["reply"]
    assert LONGEST_PROMPT < len(prompt) < LONGEST_PROMPT + 60
    assert LONGEST_REPLY < len(reply) < LONGEST_REPLY + 60
    assert "characters left out …]" in prompt
    assert "Which is last?" in prompt


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab\n[… 1 characters left out …]\nd"),
        ("一二三四五六", 3, "一二\n[… 3 characters left out …]\n六"),
    ],
)
def test_the_middle_of_a_long_text_is_left_out(text: str, most: int, kept: str) -> None:
    assert bounded(text, most) == kept
