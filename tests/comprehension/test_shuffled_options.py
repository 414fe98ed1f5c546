"""Options in another order: recorded, resumed, turned with each repeat."""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from llm_endpoint import Endpoint
from made import asked, comprehension, passage
from misbehaving_candidates import standing
from readmark.comprehension.shuffled_options import ShuffleOptions, order_of
from readmark.core.display import make_console
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings
from readmark.sitting.requests import Ask

OPTIONS = ("红灯笼", "白帆布", "旧账本", "铜铃铛")
FEW = MarkSettings(draws=20, trials=20)


@pytest.fixture
def choices() -> Test:
    """Four questions with options and one without."""
    return comprehension(
        passage("p1", *(asked(f"q{at}", OPTIONS[at], options=OPTIONS) for at in range(3))),
        passage(
            "p2",
            asked("q3", OPTIONS[3], options=OPTIONS),
            asked("free", "kettle"),
        ),
    )


@given(st.integers(), st.text(max_size=5), st.integers(0, 20), st.integers(0, 7))
def test_orders_are_orders_and_turn(seed: int, id: str, repeat: int, options: int) -> None:
    order = order_of(seed, id, repeat, options)
    assert sorted(order) == list(range(options))
    if options > 1:
        begin = repeat - repeat % options
        turned = [order_of(seed, id, begin + at, options) for at in range(options)]
        # Every option stands at every place once.
        assert all(len(set(column)) == options for column in zip(*turned, strict=True))


def test_every_order_comes_up_about_as_often() -> None:
    drawn = [order_of(5, f"q{at}", 0, 3) for at in range(6000)]
    counts = [drawn.count(order) for order in permutations(range(3))]
    assert min(counts) > 880
    assert max(counts) < 1120


def test_the_order_is_in_the_header_and_the_rows(choices: Test, tmp_path: Path) -> None:
    journal = tmp_path / "s.jsonl"
    readmark.sit(choices, "random", journal, shuffle_options=7, limit=4)
    header, rows = standing(journal)
    assert header["shuffle_options"] == 7
    assert header["signature"]["options"] == "shuffled, seed 7"
    assert [row["order"] for row in rows] == [list(order_of(7, f"q{at}", 0, 4)) for at in range(4)]


def test_candidates_see_the_order_and_answers_by_letter_become_texts(
    choices: Test, tmp_path: Path
) -> None:
    journal = tmp_path / "s.jsonl"
    letters = {f"q{at}": "B" for at in range(4)} | {"free": "kettle"}
    answers_file = tmp_path / "said.json"
    answers_file.write_text(str(letters).replace("'", '"'))
    shuffling = ShuffleOptions(3)
    ids = ("q0", "q1", "q2", "q3", "free")
    asks = [Ask(record, ids) for record in choices.paper().records()]
    [first, _] = [ask.record for ask in shuffling.asks(iter(asks), 0)]

    def noted(row: Row) -> Row:
        return next(shuffling.rows(iter([row])))

    order = order_of(3, "q1", 0, 4)
    assert first.questions[1].options == tuple(OPTIONS[at] for at in order)
    assert noted(Row(id="q1", answer="B")) == Row(id="q1", answer=OPTIONS[order[1]], order=order)
    assert noted(Row(id="q0", answer=OPTIONS[2])).text == OPTIONS[2]
    assert noted(Row(id="free", answer="A")) == Row(id="free", answer="A")
    assert noted(Row(id="q2", answer="no idea")).text == "no idea"
    [note] = shuffling.closing_notes()
    assert note.endswith(": 1 (q1)")
    # What contradicts itself in the order shown stays as it was said, and means nothing in it.
    next(shuffling.asks(iter([Ask(asks[0].record, ("q0",))]), 0))
    order_of_q0 = order_of(3, "q0", 0, 4)
    at = next(place for place in range(4) if order_of_q0[place] != place)
    said_so = f"{'ABCD'[at]}. {OPTIONS[at]}"
    assert noted(Row(id="q0", answer=said_so)) == Row(id="q0", answer=said_so, order=order_of_q0)
    # Answers that were given in the test's order are not handed in as given in another.
    with pytest.raises(UsageError, match="options as the test has them"):
        readmark.sit(choices, f"keyed(file={answers_file})", journal, shuffle_options=3)


def test_a_sitting_is_gone_on_with_in_the_same_order(choices: Test, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.jsonl", tmp_path / "parted.jsonl"
    for journal in (whole, parted):
        done = readmark.sit(choices, "random", journal, shuffle_options=2, repeats=3)
        assert done.errors == 3  # the question without options
    lines = parted.read_bytes().split(b"\n")
    parted.write_bytes(b"\n".join(lines[:5]) + b"\n" + lines[5][:9])
    readmark.sit(choices, "random", parted, shuffle_options=2, repeats=3)

    def told(path: Path) -> dict[Any, Any]:
        rows = standing(path)[1]
        return {
            (row["id"], row.get("repeat", 0)): (row.get("text"), row.get("order")) for row in rows
        }

    assert told(parted) == told(whole)
    assert len({tuple(order) for _, order in told(whole).values() if order}) > 4
    with pytest.raises(DataError, match=r"another `shuffle_options` \(2, now 3\)"):
        readmark.sit(choices, "random", parted, shuffle_options=3, repeats=3)
    with pytest.raises(DataError, match=r"another `shuffle_options` \(2, now none\)"):
        readmark.sit(choices, "random", parted, repeats=3)


@pytest.mark.process
def test_workers_see_the_same_order(choices: Test, tmp_path: Path) -> None:
    alone, many = tmp_path / "alone.jsonl", tmp_path / "many.jsonl"
    readmark.sit(choices, "closest_option", alone, shuffle_options=2)
    readmark.sit(choices, "closest_option", many, shuffle_options=2, workers=2)
    for path in (alone, many):
        assert {row["id"]: row.get("order") for row in standing(path)[1]} == {
            **{f"q{at}": list(order_of(2, f"q{at}", 0, 4)) for at in range(4)},
            "free": None,
        }


def test_marks_do_not_hang_on_the_order(choices: Test, tmp_path: Path) -> None:
    scores = []
    for seed in (None, 1, 2):
        journal = tmp_path / f"{seed}.jsonl"
        readmark.sit(choices, "closest_option", journal, shuffle_options=seed, limit=4)
        marks = readmark.mark(choices, journal, metrics="accuracy", settings=FEW)
        scores.append(marks["accuracy"].score)
        assert ("positions" in marks.tables) == (seed is not None)
    assert len(set(scores)) == 1


def test_nothing_to_shuffle(tmp_path: Path) -> None:
    test = comprehension(passage("p", asked("q", "kettle")))
    with pytest.raises(UsageError, match=r"no question of .* has options"):
        readmark.sit(test, "lead", tmp_path / "s.jsonl", shuffle_options=1)


def test_answers_are_handed_in_in_the_order_that_they_were_given(
    choices: Test, tmp_path: Path
) -> None:
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    readmark.sit(choices, "random", first, shuffle_options=4, limit=4)
    readmark.sit(choices, f"keyed(file={first})", again, shuffle_options=4)
    rows_of_journals = [
        [(row["id"], row["text"], row["order"]) for row in standing(path)[1]]
        for path in (first, again)
    ]
    assert rows_of_journals[0] == rows_of_journals[1]
    with pytest.raises(UsageError, match="sit it with `shuffle_options` 4"):
        readmark.sit(choices, f"keyed(file={first})", tmp_path / "other.jsonl")


def test_from_the_command_line_to_the_report(
    choices: Test, tmp_path: Path, readmark_cli: Any
) -> None:
    readmark.save(choices, tmp_path / "t.jsonl")
    sat = readmark_cli(
        "sit",
        "t.jsonl",
        "-r",
        "closest_option",
        "-o",
        "s.jsonl",
        "--shuffle-options",
        "5",
        "--limit",
        "4",
        cwd=tmp_path,
    )
    assert sat.returncode == 0, sat.stderr
    marked = readmark_cli(
        "mark",
        "t.jsonl",
        "s.jsonl",
        "-m",
        "accuracy",
        "-o",
        "m.jsonl",
        "--draws",
        "20",
        "--full",
        cwd=tmp_path,
    )
    assert "options by the place where they were shown: 4 answers" in marked.stdout
    assert "guessing would give 25.0" in marked.stderr
    result = readmark_cli("report", "m.jsonl", "-o", "r.html", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Where the chosen options stood" in page
    assert "所选选项的位置" in page
    assert "--shuffle-options 5" in page
    assert "随机猜测可得" in page
    refused = readmark_cli(
        "sit", "t.jsonl", "-r", "random", "-o", "x.jsonl", "--shuffle-options", "five", cwd=tmp_path
    )
    assert refused.returncode == 2


@pytest.mark.server
def test_a_model_that_always_says_a_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("aiohttp")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    questions = [asked(f"q{at}", OPTIONS[at % 4], options=OPTIONS) for at in range(24)]
    test = comprehension(passage("p", *questions))
    asked_for: list[str] = []

    def says_a(body: dict[str, Any]) -> str:
        asked_for.append(body["messages"][-1]["content"])
        return '{"answer": "A", "evidence": ""}'

    with Endpoint(says_a) as endpoint:
        candidate = f'llm(model=m,base_url="{endpoint.url}")'
        done = readmark.sit(test, candidate, tmp_path / "s.jsonl", shuffle_options=1, repeats=2)
    assert done.errors == 0
    rows = standing(tmp_path / "s.jsonl")[1]
    assert all(row["text"] == OPTIONS[row["order"][0]] for row in rows)
    assert len({text for text in asked_for if "q0?" in text}) == 2  # another order each repeat
    marks = readmark.mark(test, tmp_path / "s.jsonl", settings=FEW)
    positions = marks.tables["positions"]
    assert [place.chosen for place in positions.places] == [48, 0, 0, 0]
    assert positions.p < 1e-9
    marks.show_full(make_console())
    assert "3 degrees of freedom, p < 0.0001" in capsys.readouterr().out
    assert marks["accuracy"].score == pytest.approx(25, abs=15)
