"""`llm` rates passages: how it is asked, how its ratings are read, and marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import readmark
from llm_endpoint import Answer, Body, Endpoint, Misdeed, passage_of
from llm_papers import BUNDLE
from readmark.formats.predictions import PREDICTIONS
from readmark.formats.registry import open_sitting
from readmark.readability.kind import READABILITY
from readmark.readability.prompts import rating_in
from readmark.readability.rate import rate


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("3", 3.0),
        ("3.5", 3.5),
        ("４", 4.0),
        ("4/5", 4.0),
        ("4 out of 5", 4.0),
        ("3.5分", 3.5),
        ("I would give it a rating of 2.5, as its sentences are long.", 2.5),
        ("评分：3.5，句子较长。", 3.5),
        ("这段文字可以打4分。", 4.0),
        ("0", None),
        ("6", None),
        ("45", None),
        ("between 2 and 3", None),
        ("rating: 2, or rather a rating of 3", None),
        ("easy", None),
        ("", None),
    ],
)
def test_a_rating_in_a_reply(reply: str, rating: float | None) -> None:
    assert rating_in(reply) == rating


@pytest.fixture
def passages(tmp_path: Path) -> Path:
    lines = [
        {"readmark": 1, "kind": "readability", "language": "en"},
        *(
            {
                "id": f"p{at}",
                "text": f"Boat {at} is blue. It lies in the old harbour.",
                "key": {
                    "ratings": [{"annotator": name, "rating": at} for name in ("first", "second")]
                },
            }
            for at in range(1, 6)
        ),
    ]
    path = tmp_path / "rated.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


def by_number(body: Body) -> Answer:
    number = int(passage_of(body).split()[1])
    return [
        json.dumps({"rating": 1}),
        '{"rating": 2.0}',
        "Rating: 3",
        '```json\n{"rating": "4"}\n```',
        "I'm sorry, but I can't help with that.",
    ][number - 1]


def test_passages_are_rated_and_marked(passages: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(by_number) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        done = readmark.sit(str(passages), name, out)
        assert readmark.sit(str(passages), name, out).progress.before == 5
        assert len(endpoint.asked) == 5
        body = endpoint.asked[0]
    assert (done.progress.answered, done.errors) == (5, 0)
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"rating": {"type": "number"}}
    sat = open_sitting(out, READABILITY)
    assert [sat.of(f"p{at}")[0].answer for at in range(1, 5)] == [1.0, 2.0, 3.0, 4.0]
    assert sat.of("p5")[0].no_answer_reason == "refused"
    marks = readmark.mark(str(passages), out, settings=readmark.MarkSettings(draws=20))
    assert marks.answered == 4
    assert list(marks.coverage.unanswered) == ["p5"]


def test_what_is_no_rating_is_unanswered_with_a_reason(passages: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(lambda body: '{"rating": 7}') as endpoint:
        readmark.sit(str(passages), f'llm(model=m,base_url="{endpoint.url}")', out)
    sat = open_sitting(out, READABILITY)
    rows = [sat.of(id)[0] for id in sat]
    assert {row.no_answer_reason for row in rows} == {"unreadable"}
    assert {row.evidence["said"] for row in rows} == {"7"}
    document = tmp_path / "predictions.json"
    assert PREDICTIONS.write_sitting(sat, document) == [
        "left out, replies in which nothing was said: 5"
    ]
    assert json.loads(document.read_text("utf-8")) == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_bundled_test_and_examples(tmp_path: Path, language: str) -> None:
    """Shots are experts' ratings of passages of the train split."""
    lines = [
        {"readmark": 1, "kind": "readability", "language": language},
        *(
            {
                "id": f"t{at}", "text": f"小船{at}" if language == "zh" else f"Ship {at}.",
                "split": "train", "key": {"ratings": [{"annotator": "a", "rating": 2.5}]},
            }
            for at in range(3)
        ),
        {"id": "p", "split": "dev", "text": "一艘蓝色的船" if language == "zh" else "A blue boat."},
    ]  # fmt: skip
    path = tmp_path / "rated.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with Endpoint(lambda body: '{"rating": 2}') as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}",shots=2,shots_from="{path}")'
        readmark.sit(str(path), name, tmp_path / "s.jsonl")
    [body] = [each for each in endpoint.asked if "boat" in str(each) or "蓝色" in str(each)]
    assert [each["role"] for each in body["messages"]] == [
        "system", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert body["messages"][2]["content"] == '{"rating":2.5}'


def test_the_command_rate_takes_it_too(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("The boat is blue. It lies in the harbour.", "utf-8")
    with Endpoint(lambda body: '{"rating": 4}') as endpoint:
        rated = rate([str(text)], rater=f'llm(model=m,base_url="{endpoint.url}")')
    assert [each.rating for each in rated.passages] == [4.0]
    with (
        Endpoint(lambda body: Misdeed(400, b"no"), probed=True) as endpoint,
        pytest.raises(readmark.ReadmarkError, match="HTTP 400"),
    ):
        rate([str(text)], rater=f'llm(model=m,base_url="{endpoint.url}")')


def test_the_bundled_passages_can_be_rated(tmp_path: Path) -> None:
    with Endpoint(lambda body: '{"rating": 3}') as endpoint:
        test = BUNDLE / "readability.en.jsonl"
        done = readmark.sit(
            str(test), f'llm(model=m,base_url="{endpoint.url}")', tmp_path / "s.jsonl", limit=5
        )
    assert (done.progress.answered, done.errors) == (5, 0)
