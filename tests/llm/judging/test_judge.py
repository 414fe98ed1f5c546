"""The judge: a model on loopback decides, and people's labels decide what that is worth."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import readmark
from judge_desk import ANSWERS, PASSAGES, SECRET, labels, mark, parts, strict
from llm_endpoint import Body, Endpoint, Misdeed, Says
from llm_papers import configure
from readmark.core.errors import ReadmarkError, UsageError
from readmark.llm.judge import Judge
from readmark.marking import compare
from readmark.marking.comparison_tables import details_words
from readmark.reporting import table as standings

pytestmark = [pytest.mark.usefixtures("at_the_desk"), pytest.mark.server]

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_answers_are_judged_by_passage_question_and_key(paper: Path) -> None:
    with Endpoint(strict) as endpoint:
        result, found, each = mark(paper, endpoint)
    assert each == [1.0, 0.0, 1.0, 0.0]
    assert found.score == 50.0
    assert result.marks["em"].score == 0.0
    assert len(endpoint.asked) == 3  # who did not answer is wrong without a judge
    told = {parts(body)["Question"]: parts(body) for body in endpoint.asked}["Who flew the kite?"]
    assert told["Passage"] == PASSAGES[0][1]
    assert (told["Key"], told["The candidate's answer"]) == ("Tom", ANSWERS["q1"])


def test_what_was_judged_is_not_asked_again(paper: Path, tmp_path: Path) -> None:
    with Endpoint(strict) as endpoint:
        _, first, _ = mark(paper, endpoint)
        _, second, _ = mark(paper, endpoint)
        assert len(endpoint.asked) == 3
        assert first == second
        mark(paper, endpoint, 'cache=""')
        assert len(endpoint.asked) == 6
        mark(paper, endpoint, cache=str(tmp_path / "mine.sqlite"))
        assert len(endpoint.asked) == 9
    for file in tmp_path.iterdir():
        assert SECRET.encode() not in file.read_bytes()


def test_the_signature_says_who_judged_and_how(paper: Path) -> None:
    with Endpoint(strict) as endpoint:
        result, found, _ = mark(paper, endpoint)
    said = dict(part.split(":", 1) for part in found.signature.split("|"))
    assert said["judge"] == "m"
    assert said["endpoint"] == endpoint.url
    assert said["prompt"].startswith("judge.en-")
    assert said["beside people"] == "unvalidated"
    assert any("unvalidated" in note for note in result.notes)


def test_compare_pairs_what_both_have_a_verdict_on(paper: Path, tmp_path: Path) -> None:
    """By hand: of q1 to q4 the judge mumbles on q1 of A and on q2 of B."""
    enough = labels(tmp_path / "enough.csv")
    a = {"q1": "Tom hm", "q2": "at nine", "q3": "the yard", "q4": "1841"}
    b = {"q1": "Tom", "q2": "at nine hm", "q3": "a barn", "q4": "1841"}

    def mumbles(body: Body) -> str:
        return "hm" if parts(body)["The candidate's answer"].endswith("hm") else strict(body)

    with Endpoint(mumbles) as endpoint:
        judge = f"judge(model=m,base_url={endpoint.url},labels={enough})"
        (one,) = compare(str(paper), a, b, metrics=judge)
    assert (one.score_a, one.score_b, one.difference) == (50.0, 0.0, -50.0)
    assert (one.units, one.left_out, one.discordant, one.clusters) == (2, 2, 1, 2)
    assert "of 2 units in 2 passages, 1 differs; left out, as not both" in details_words(
        one, "passage"
    )


def test_a_name_says_what_judges_not_where(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", SECRET)
    with Endpoint(strict) as endpoint:
        one = f'judge(model=m,base_url={endpoint.url},key=KEY,cache="",temperature=0.5)'
        other = f"judge(model=m,base_url={endpoint.url}/,temperature=0.5)"
        result = readmark.mark(str(paper), ANSWERS, metrics=["em", one, other])
    names = list(result.marks)
    assert names[:2] == ["em", "judge(model=m,temperature=0.5)"]
    assert names[2].startswith("judge(model=m,base_url=")  # of two, the second tells them apart


def test_repeats_of_a_unit_are_one_unit(paper: Path) -> None:
    judge = Judge(model="m", base_url="http://localhost:1/v1")
    right, wrong, unread = (1.0, 1.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
    assert judge.averaged([right, wrong, unread, unread]) == (0.5, 1.0, 0.5, 0.0)
    assert judge.averaged([unread, unread]) == (0.0, 0.0, 1.0, 0.0)


def test_a_question_with_a_verdict_on_another_repeat_is_scored(at_the_desk: None) -> None:
    judge = Judge(model="m", base_url="http://localhost:1/v1", cache="")
    remarks = judge.report(np.array([(0.5, 1.0, 0.5, 0.0), (0.0, 0.0, 1.0, 0.0)])).remarks
    assert "some verdicts on 2 questions could not be read; scored by other repeats: 1" in remarks
    remarks = judge.report(np.array([(1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)])).remarks
    assert "1 verdict could not be read; their questions are not scored" in remarks


def test_compare_asks_for_agreement_too(paper: Path) -> None:
    with Endpoint(strict) as endpoint, pytest.raises(UsageError, match="main mark"):
        compare(str(paper), ANSWERS, ANSWERS, metrics=f'judge(model=m,base_url="{endpoint.url}")')


def test_no_table_is_led_by_it_either(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    with Endpoint(strict) as endpoint:
        judge = (
            f"judge(model=m,base_url={endpoint.url},labels={labels(tmp_path / 'l.csv', many=8)})"
        )
        sheet = tmp_path / "marks.jsonl"
        told = readmark.mark(
            str(paper), str(tmp_path / "answers.json"), metrics=["em", judge], marksheet=sheet
        )
    short = "judge(model=m)"  # where it is asked is in its signature
    assert "|beside people:unvalidated kappa" in told.marks[short].signature
    assert standings(str(sheet), metrics=["em", short]).metrics == ["em", short]
    with pytest.raises(UsageError, match="is unvalidated: name another metric first"):
        standings(str(sheet), metrics=[short])


def test_what_cannot_be_judged_does_not_count(paper: Path) -> None:
    def act(body: Body) -> Any:
        question = parts(body)["Question"]
        if "ferry" in question:
            return "Hard to say."
        if "grain" in question:
            return Misdeed(500)
        return strict(body)

    with Endpoint(act) as endpoint:
        result, found, each = mark(paper, endpoint)
    assert each == [1.0, None, None, 0.0]
    assert found.score == 50.0
    told = " ".join(result.notes)
    assert "1 verdict could not be read" in told
    assert "1 answer was not judged and does not count: " in told
    assert list(result.scores.failed.values()) == [1]
    assert list(result.scores.counted.values()) == [2]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("hmm", r"none of 3 verdicts could be read; a reply begins 'hmm'"),
        (Misdeed(400, b'{"error": {"message": "too warm"}}'), r"3 answers without a reply: .*warm"),
    ],
)
def test_without_any_verdict_there_is_no_mark(paper: Path, reply: Says, reason: str) -> None:
    """One unit has no answer: without a verdict on the others it would be the whole mark, 0."""
    with (
        Endpoint(lambda body: reply) as endpoint,
        pytest.raises(ReadmarkError, match=rf"judge\(model=m\) has no mark: {reason}"),
    ):
        mark(paper, endpoint)


def test_a_comparison_without_any_verdict_is_refused(paper: Path, tmp_path: Path) -> None:
    enough = labels(tmp_path / "enough.csv")

    def mumbles(body: Body) -> str:
        return "hmm" if parts(body)["The candidate's answer"] in ANSWERS.values() else strict(body)

    with Endpoint(mumbles) as endpoint:
        judge = f"judge(model=m,base_url={endpoint.url},labels={enough})"
        with pytest.raises(ReadmarkError, match="none of 3 verdicts could be read"):
            compare(str(paper), ANSWERS, ANSWERS, metrics=judge)


def test_the_command_without_any_verdict_ends_in_1(
    readmark_cli: Run, paper: Path, tmp_path: Path
) -> None:
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    with Endpoint(lambda body: "hmm") as endpoint:
        judge = f"judge(model=m,base_url={endpoint.url})"
        done = readmark_cli(
            *("mark", paper, "answers.json", "-m", "em", "-m", judge, "-o", "marks.jsonl"),
            cwd=tmp_path,
            env={"OPENAI_API_KEY": SECRET},
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert "judge(model=m) has no mark: none of 3 verdicts could be read" in done.stderr
    assert not (tmp_path / "marks.jsonl").exists()


def test_what_it_took_is_told(paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Endpoint(strict) as endpoint:
        price = '{ input = 0.0, output = 1000.0, currency = "EUR" }'
        configure(tmp_path, endpoint.url, 'cache = ""', price=price)
        result = readmark.mark(str(paper), ANSWERS, metrics=["em", "judge(model=m)"])
    # Three verdicts of two words each, at a thousandth a word.
    assert any("6 output, 0.006 EUR" in note for note in result.notes)


def test_a_budget_and_a_key_that_is_refused(paper: Path) -> None:
    with Endpoint(strict) as endpoint:
        with pytest.raises(ReadmarkError, match="may exceed the total limit of 1 tokens"):
            mark(paper, endpoint, max_tokens_total=1)
        assert endpoint.asked == []
    refused = Misdeed(401, b'{"error": {"message": "bad key"}}')
    with Endpoint(lambda body: refused) as endpoint, pytest.raises(ReadmarkError) as caught:
        mark(paper, endpoint, max_tokens_total=None)
    assert SECRET not in str(caught.value)


def test_requests_go_out_together(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [{"readmark": 1, "kind": "comprehension", "language": "en"}]
    lines += [
        {
            "id": f"p{at}",
            "text": f"Boat {at} is blue.",
            "questions": [
                {"id": f"q{at}", "text": "Which?", "key": {"answers": [{"text": "blue"}]}}
            ],
        }
        for at in range(40)
    ]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    answers = {f"q{at}": f"a blue one {at}" for at in range(40)}
    with Endpoint(strict, delay=0.05) as endpoint:
        _, found, _ = mark(path, endpoint, answers=answers, parallel=16)
    assert found.score == 100.0
    assert endpoint.most_at_once > 4


def test_people_are_judged_only_when_asked(tmp_path: Path) -> None:
    key = {"answers": [{"text": "Tom"}, {"text": "young Tom"}, {"text": "a boy"}]}
    lines: list[dict[str, Any]] = [
        {"readmark": 1, "kind": "comprehension", "language": "en"},
        {
            "id": "p1",
            "text": "Tom flew the kite.",
            "questions": [{"id": "q1", "text": "Who flew it?", "key": key}],
        },
    ]
    path = tmp_path / "three.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")

    def lenient(body: Body) -> str:
        told = parts(body)
        keys = told["Key"].lower().splitlines()
        said = told["The candidate's answer"].lower()
        return json.dumps({"verdict": "right" if any(one in said for one in keys) else "wrong"})

    with Endpoint(lenient) as endpoint:
        result, found, _ = mark(path, endpoint, answers={"q1": "Tom"})
        assert found.score == 100.0
        assert len(endpoint.asked) == 1
        name = next(name for name in result.marks if name.startswith("judge"))
        assert result.people.marks[name].people is None
        result, _, _ = mark(path, endpoint, "people=true", answers={"q1": "Tom"})
    name = next(name for name in result.marks if name.startswith("judge"))
    beside = result.people.marks[name]
    # Against two of three keys: "Tom" is right by two sets of three; of people "young Tom" alone.
    assert beside.machine == pytest.approx(200 / 3, abs=1e-4)
    assert beside.people == pytest.approx(100 / 3, abs=1e-4)


def test_chinese_has_its_own_prompt(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"readmark": 1, "kind": "comprehension", "language": "zh"},
        {
            "id": "p1",
            "text": "小明把红风筝补好了，周日由哥哥放飞。",
            "questions": [
                {"id": "q1", "text": "谁放的风筝？", "key": {"answers": [{"text": "哥哥"}]}}
            ],
        },
    ]
    path = tmp_path / "zh.jsonl"
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines), "utf-8")
    with Endpoint(lambda body: Says('{"verdict": "正确"}')) as endpoint:
        _, found, _ = mark(path, endpoint, answers={"q1": "是小明的哥哥"})
    assert found.score == 100.0
    assert "prompt:judge.zh-" in found.signature
    assert "参考答案" in endpoint.asked[0]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("judge", "which judge?"),
        ("judge(model=m)", "which judge?"),
        ("judge(model=m,base_url=ftp://x)", "not an http or https address"),
        ("judge(model=m,base_url=http://localhost:1/v1,prompt=absent.txt)", "no prompt"),
        ("judge(model=m,base_url=http://localhost:1/v1,labels=absent.csv)", "no such file"),
    ],
)
def test_bad_usage(paper: Path, metric: str, words: str) -> None:
    with pytest.raises(ReadmarkError, match=words):
        readmark.mark(str(paper), ANSWERS, metrics=["em", metric])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("=== user\n{question} {key}\n", "{answer} is missing"),
        ("=== user\n{question} {answer} {passage}\n", "{key} is missing"),
        ("=== user\n{key} {answer}\n", "{question} is missing"),
        ("=== user\n{question} {key} {answer} {options}\n", "{options} cannot be filled in"),
        ("=== system\n{key}\n=== user\n{question} {key} {answer}\n", "{key} is data"),
    ],
)
def test_a_prompt_that_will_not_do_is_told_before_asking(
    paper: Path, tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "mine.txt").write_text(text, "utf-8")
    with Endpoint(strict) as endpoint:
        with pytest.raises(ReadmarkError) as error:
            mark(paper, endpoint, "prompt=mine.txt")
        assert not endpoint.asked
    assert words in str(error.value)


def test_a_prompt_may_leave_out_the_passage(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("=== user\n{question}{key}{answer}", "utf-8")
    with Endpoint(lambda body: '{"verdict": "right"}') as endpoint:
        assert mark(paper, endpoint, "prompt=own.txt")[1].score == 75.0


def test_requests_that_fail_end_in_1(readmark_cli: Run, paper: Path, tmp_path: Path) -> None:
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")

    def act(body: Body) -> Any:
        return Misdeed(500) if "grain" in parts(body)["Question"] else strict(body)

    with Endpoint(act) as endpoint:
        configure(tmp_path, endpoint.url, "attempts = 1")
        done = readmark_cli(
            *("mark", paper, "answers.json", "-m", "em", "-m", "judge(model=m)"),
            cwd=tmp_path,
            env={"OPENAI_API_KEY": SECRET, "COLUMNS": "120"},
        )
    assert done.returncode == 1
    assert "answers without a reply: 1; run the command again to retry them" in done.stderr
    assert re.search(r"metric +score +interval +units", done.stdout)
    assert re.search(r"^em .* 4 *$", done.stdout, re.MULTILINE)
    assert re.search(r"33\.33 .* 3 *$", done.stdout, re.MULTILINE)  # q1 of q1, q2 and q4


def test_a_comparison_whose_requests_fail_ends_in_1(
    readmark_cli: Run, paper: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(ANSWERS), "utf-8")
    (tmp_path / "b.json").write_text(json.dumps({**ANSWERS, "q3": "In a barn"}), "utf-8")
    people = labels(tmp_path / "people.csv")

    def act(body: Body) -> Any:
        return Misdeed(400) if "barn" in parts(body)["The candidate's answer"] else strict(body)

    with Endpoint(act) as endpoint:
        judge = f"judge(model=m,base_url={endpoint.url},labels={people})"
        done = readmark_cli(
            *("compare", paper, "a.json", "b.json", "-m", judge, "--json"),
            cwd=tmp_path,
            env={"OPENAI_API_KEY": SECRET},
        )
    (found,) = json.loads(done.stdout)["comparisons"]
    assert done.returncode == 1
    assert (found["units"], found["left_out"], found["failed"]) == (3, 1, 1)
    assert "a and b: answers without a reply: 1; run the command again" in done.stderr


def test_the_command(readmark_cli: Run, paper: Path, tmp_path: Path) -> None:
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    people = labels(tmp_path / "people.csv")
    with Endpoint(strict) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}",labels={people})'
        done = readmark_cli(
            *("mark", paper, "answers.json", "-m", judge, "--parallel", "4", "-o", "marks.jsonl"),
            cwd=tmp_path,
            env={"OPENAI_API_KEY": SECRET},
        )
        assert done.returncode == 0, done.stderr
        assert "kappa 0.80" in done.stderr
        again = readmark_cli(
            *("compare", paper, "marks.jsonl", "answers.json", "-m", judge, "--json"),
            cwd=tmp_path,
            env={"OPENAI_API_KEY": SECRET},
        )
        assert json.loads(again.stdout)["comparisons"][0]["difference"] == 0.0
    assert len(endpoint.asked) == 43
    for file in tmp_path.iterdir():
        assert SECRET.encode() not in file.read_bytes()
    assert SECRET not in done.stdout + done.stderr + again.stdout + again.stderr
