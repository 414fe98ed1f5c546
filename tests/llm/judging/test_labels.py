"""A judge beside people's labels: what shows agreement, and what does not."""

import re
from pathlib import Path
from typing import Any

import pytest

from judge_desk import ANSWERS, PASSAGES, labels, mark, parts, strict
from llm_endpoint import Body, Endpoint, Misdeed
from readmark.core.errors import ReadmarkError, UsageError
from readmark.formats.inputs import load
from readmark.llm.judge_labels import (
    AnswerLabel,
    LabelledAnswers,
    compare_with_labels,
    read_labels,
    why_too_few,
)
from readmark.llm.verdicts import JudgedCase, settled_without_judge


@pytest.mark.server
def test_it_leads_nothing_until_people_agree(paper: Path, tmp_path: Path) -> None:
    with Endpoint(strict) as endpoint:
        with pytest.raises(UsageError, match="may not be the main mark: no agreement"):
            mark(paper, endpoint, alone=True)
        few = labels(tmp_path / "few.csv", many=8)
        with pytest.raises(UsageError, match="8 different labelled answers are too few, 30"):
            mark(paper, endpoint, f"labels={few}", alone=True)
        assert endpoint.asked == []
        enough = labels(tmp_path / "enough.csv")
        result, found, _ = mark(paper, endpoint, f"labels={enough}", alone=True)
    # By hand: 16 right by both, 4 by people alone, 20 wrong by both. Observed agreement is 0.9,
    # by chance 0.5 * 0.4 + 0.5 * 0.6 = 0.5, so kappa is 0.8.
    assert "beside people:kappa 0.80 (" in found.signature
    assert "n 40" in found.signature
    told = " ".join(result.notes)
    assert "16 are right by both, 20 wrong by both, 0 right by the judge alone, 4 by people" in told
    assert "90.0% agree" in told


@pytest.mark.server
def test_labels_without_a_verdict_show_no_agreement(paper: Path, tmp_path: Path) -> None:
    """Enough labels, but nine verdicts in ten are no verdict."""
    enough = labels(tmp_path / "enough.csv")
    ferry = "When did the ferry leave?"

    def mumbles(body: Body) -> str:
        return strict(body) if parts(body)["Question"] == ferry else "hmm"

    with Endpoint(mumbles) as endpoint:
        with pytest.raises(ReadmarkError, match="10 different labelled answers with a verdict"):
            mark(paper, endpoint, f"labels={enough}", alone=True)
        assert len(endpoint.asked) == 40  # and nothing of the sitting
        result, found, _ = mark(paper, endpoint, f"labels={enough}")
    assert "|beside people:unvalidated kappa undefined (" in found.signature
    told = " ".join(result.notes)
    assert "unvalidated: 10 different labelled answers with a verdict are too few, 30" in told
    assert "30 without a verdict" in told


@pytest.mark.server
def test_labels_without_any_verdict_show_no_agreement(paper: Path, tmp_path: Path) -> None:
    enough = labels(tmp_path / "enough.csv")

    def mumbles(body: Body) -> str:
        return strict(body) if parts(body)["The candidate's answer"] in ANSWERS.values() else "hmm"

    with Endpoint(mumbles) as endpoint:
        result, _, each = mark(paper, endpoint, f"labels={enough}")
    assert each == [1.0, 0.0, 1.0, 0.0]
    assert any("no labelled answer has a verdict, 40 without" in one for one in result.notes)
    assert not any("% agree" in one for one in result.notes)


def test_verdicts_of_one_sort_of_label_show_no_agreement() -> None:
    people = [AnswerLabel(JudgedCase("", "q", ("k",), f"a{at}"), at < 30, "p") for at in range(60)]
    held = compare_with_labels(people, [True] * 30 + [None] * 30, failed=2)
    assert (held.unread, held.failed, held.judged) == (28, 2, 30)
    assert held.too_few == (
        "every labelled answer with a verdict has the same label, so chance would agree as well"
    )
    assert compare_with_labels(people, [True] * 31 + [None] * 29).too_few is None


@pytest.mark.server
def test_labels_whose_request_failed_are_no_verdicts(paper: Path, tmp_path: Path) -> None:
    enough = labels(tmp_path / "enough.csv")
    refused = Misdeed(400, b'{"error": {"message": "content filter"}}')

    def filtered(body: Body) -> Any:
        answer = parts(body)["The candidate's answer"]
        return refused if answer.endswith(" 39") else strict(body)

    with Endpoint(filtered) as endpoint:
        result, found, each = mark(paper, endpoint, f"labels={enough}", alone=True)
    assert each == [1.0, 0.0, 1.0, 0.0]
    assert "n 39" in found.signature
    assert "unvalidated" not in found.signature
    assert any("1 without a reply" in one for one in result.notes)
    assert result.scores.failed == {}  # of the units none did


@pytest.mark.slow
def test_labels_are_judged_before_the_sitting(paper: Path, tmp_path: Path) -> None:
    enough = labels(tmp_path / "enough.csv")
    known = {f"{at}" for at in range(40)}
    with Endpoint(strict) as endpoint:
        mark(paper, endpoint, f"labels={enough}", parallel=1)
    answers = [parts(body)["The candidate's answer"].split()[-1] for body in endpoint.asked]
    assert [one in known for one in answers] == [True] * 40 + [False] * 3


@pytest.mark.server
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        # 37 empty answers, which are wrong by themselves, and 3 to be judged
        ([(f"q{at % 4 + 1}", "", "no") for at in range(37)] + [("q1", "Tom", "yes")] * 3, "^1 "),
        # two answers twenty times
        ([("q1", "Tom", "yes"), ("q2", "at ten", "no")] * 20, "^2 different"),
    ],
)
def test_empty_and_repeated_labels_show_nothing(
    paper: Path, tmp_path: Path, rows: list[tuple[str, str, str]], words: str
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(map(",".join, [("id", "answer", "right"), *rows])), "utf-8")
    counted = LabelledAnswers.of(read_labels(str(path), load(paper)))
    assert re.match(words, why_too_few(counted.each) or "")
    assert len(counted.each) + counted.repeats + counted.settled == 40
    with Endpoint(strict) as endpoint:
        with pytest.raises(UsageError, match="may not be the main mark"):
            mark(paper, endpoint, f"labels={path}", alone=True)
        result, found, _ = mark(paper, endpoint, f"labels={path}")
    assert f"n {len(counted.each)}" in found.signature
    assert any(f"{counted.repeats} that repeat another" in one for one in result.notes)
    if counted.settled:
        assert any("37 of empty answers, which need no judge" in one for one in result.notes)
        assert any("of 1 labelled answer 1 " in one for one in result.notes)


def test_an_answer_that_people_call_otherwise_is_two_labels() -> None:
    case = JudgedCase("", "q", ("k",), "a")
    people = [
        AnswerLabel(case, True, "p"),
        AnswerLabel(case, False, "p"),
        AnswerLabel(case, True, "p"),
    ]
    counted = LabelledAnswers.of(people)
    assert (len(counted.each), counted.repeats) == (2, 1)
    assert [label.right for label in counted.each] == [True, False]  # in the order of the first
    assert why_too_few(counted.each) == "1 labelled answer is too few, 30 are needed"


def test_labels_take_what_they_lack_from_the_test(paper: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"id": "q1", "answer": "Tom did", "right": true}\n', "utf-8")
    (one,) = read_labels(str(path), load(paper))
    assert one.case == JudgedCase(PASSAGES[0][1], "Who flew the kite?", ("Tom",), "Tom did")
    assert (one.right, one.group) == (True, "p1")


def test_labels_in_json_lines_are_taken_as_they_are(paper: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(
        '{"id": "q1", "answer": 0, "right": false, "key": ["0", "a|b"]}\n'
        '{"id": "q1", "answer": false, "right": 0, "key": "a|b"}\n',
        "utf-8",
    )
    one, other = read_labels(str(path), load(paper))
    assert (one.case.answer, one.case.key) == ("0", ("0", "a|b"))
    assert settled_without_judge(one.case) is None
    assert (other.case.answer, other.case.key, other.right) == ("false", ("a", "b"), False)
    path.write_text('{"id": "q1", "answer": ["Tom"], "right": true}\n', "utf-8")
    with pytest.raises(ReadmarkError, match="the answer is not text"):
        read_labels(str(path), load(paper))


def test_a_bar_too_many_is_no_alternative(paper: Path, tmp_path: Path) -> None:
    """A judge would be told else that no answer is right too."""
    path = tmp_path / "labels.csv"
    path.write_text("id,answer,right,key\nq1,He,no,Paris|\nq1,He,no, | Paris||Lyon\n", "utf-8")
    assert [label.case.key for label in read_labels(str(path), load(paper))] == [
        ("Paris",),
        ("Paris", "Lyon"),
    ]
    path.write_text('{"id": "q1", "answer": "He", "right": 0, "key": ["Paris", ""]}\n', "utf-8")
    path = path.rename(tmp_path / "labels.jsonl")
    (label,) = read_labels(str(path), load(paper))
    assert label.case.key == ("Paris", "")  # a list says so


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("id,answer,right\nq1,Tom,perhaps\n", "right is 'perhaps', expected yes or no"),
        (
            "id,answer,right\nq9,Tom,yes\n",
            "no question and no key, and the test has no question 'q9'",
        ),
        ("id,key,answer,right\nq9,Tom,Tom,yes\n", "has no question, and the test has no"),
        ("question,answer,right\nWho?,Tom,yes\n", "has no key, and no id of a question"),
        ("id,answer\nq1,Tom\n", "right"),
        ("id,answer,right\n", "no labelled answer"),
    ],
)
def test_labels_that_cannot_be_taken(paper: Path, tmp_path: Path, rows: str, words: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(rows, "utf-8")
    with pytest.raises(ReadmarkError, match=words):
        read_labels(str(path), load(paper))


def test_kappa_by_hand() -> None:
    people = [
        AnswerLabel(JudgedCase("", "q", ("k",), f"a{at}"), right, str(at))
        for at, right in enumerate([True] * 3 + [False] * 2)
    ]
    held = compare_with_labels(people, [True, True, False, False, None])
    # 4 judged: people 3:1, judge 2:2, 3 of 4 agree; by chance (3*2 + 1*2) / 16 = 1/2.
    assert held.kappa.value == pytest.approx(0.5)
    assert (held.both_right, held.people_alone, held.both_wrong, held.unread) == (2, 1, 1, 1)
