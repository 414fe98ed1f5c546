"""``ask``, ``score`` and ``series ask``: single questions and answers, without files."""

import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from examination import Run
from readmark.sitting.marked_passage import AROUND, WHOLE
from readmark.sitting.one_question import ReaderAnswer, ReaderAnswers

ENGLISH = "Ann rowed to the island. Bob stayed on the pier. Ann came back at noon."
CHINESE = "鲁迅原名周树人。他生于绍兴。"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "gbk.txt").write_bytes(CHINESE.encode("gb18030"))
    (tmp_path / "utf16.txt").write_bytes(ENGLISH.encode("utf-16"))
    (tmp_path / "empty.txt").write_text(" \n", encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b"\x80\0\x81")
    test = '{"readmark": 1, "name": "t"}\n{"id": "a", "text": "x"}\n'
    (tmp_path / "test.jsonl").write_text(test, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("passage", "stdin", "answer", "shown"),
    [
        (ENGLISH, "", "Ann rowed to the island.", "[Ann rowed to the island.] Bob stayed"),
        ("text.txt", "", "Ann rowed to the island.", "[Ann rowed to the island.] Bob stayed"),
        ("utf16.txt", "", "Ann rowed to the island.", "[Ann rowed to the island.] Bob stayed"),
        ("-", ENGLISH, "Ann rowed to the island.", "[Ann rowed to the island.] Bob stayed"),
        (CHINESE, "", "鲁迅原名周树人。", "【鲁迅原名周树人。】他生于绍兴。"),
        ("gbk.txt", "", "鲁迅原名周树人。", "【鲁迅原名周树人。】他生于绍兴。"),
    ],
)
def test_ask(
    readmark_cli: Run, desk: Path, passage: str, stdin: str, answer: str, shown: str
) -> None:
    done = readmark_cli("ask", passage, "Who?", "-r", "lead", stdin=stdin, cwd=desk)
    assert (done.returncode, done.stderr) == (0, "")
    first, blank, rest = done.stdout.split("\n", 2)
    assert (first, blank) == (answer, "")
    assert rest.startswith(shown)


def test_several_readers(readmark_cli: Run) -> None:
    args = ("ask", ENGLISH, "Who stayed on the pier?", "-r", "lead", "-r", "bow")
    lines = readmark_cli(*args).stdout.splitlines()
    assert [line.rstrip().split(maxsplit=2) for line in lines[2:4]] == [
        ["1", "lead", "Ann rowed to the island."],
        ["2", "bow", "Bob stayed on the pier."],
    ]
    assert lines[5] == (
        "[Ann rowed to the island.](1) [Bob stayed on the pier.](2) Ann came back at noon."
    )
    document = json.loads(readmark_cli(*args, "--json").stdout)
    assert (document["question"], document["language"]) == (args[2], "en")
    assert document["answers"][1] == {
        "reader": "bow",
        "text": "Bob stayed on the pier.",
        "start": 25,
        "end": 48,
        "sentence": "Bob stayed on the pier.",
        "score": document["answers"][1]["score"],
        "evidence": [25, 48],
    }


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("", "Who?"), 2, "the passage is empty"),
        ((ENGLISH, " "), 2, "the question is empty"),
        (("empty.txt", "Who?"), 1, "empty.txt: is empty, expected a passage"),
        (("-", "Who?"), 1, "-: is empty, expected a passage"),
        (("binary.txt", "Who?"), 1, "binary.txt: is a binary file, expected text"),
        (("folder", "Who?"), 1, "folder: is a directory, expected a file or a text"),
        (("missing.txt", "Who?"), 1, "missing.txt: no such file"),
        (("./missing", "Who?"), 1, "./missing: no such file"),
        (("test.jsonl", "Who?"), 1, "test.jsonl: is a Readmark test, expected a text: `readmark "
         "sit` asks the questions of a test"),
        ((ENGLISH, "Who?", "-r", "lead", "-r", "bov"), 2, "unknown candidate 'bov'; did you mean "
         "bow?"),
        ((ENGLISH, "Who?", "-r", "formula"), 2, "candidate formula sits readability tests, this "
         "one is comprehension"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(
    readmark_cli: Run, desk: Path, args: tuple[str, ...], status: int, line: str
) -> None:
    done = readmark_cli("ask", *args, cwd=desk)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"readmark: {line}\n")


# The passage as it is shown.


def answers(passage: str, *places: tuple[int, int], language: str = "en") -> ReaderAnswers:
    made = [ReaderAnswer(f"r{start}", passage[start:end], start, end) for start, end in places]
    return ReaderAnswers("?", tuple(made), passage, language)


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ([(2, 4)], "ab[cd]efgh"),
        ([(0, 8)], "[abcdefgh]"),
        ([(2, 4), (2, 4)], "ab[cd](1,2)efgh"),
        ([(2, 6), (3, 4)], "ab[c[d](2)ef](1)gh"),
        ([(0, 4), (2, 4)], "[ab[cd](2)](1)efgh"),
        ([(0, 4), (0, 2)], "[[ab](2)cd](1)efgh"),
        ([(0, 2), (2, 4)], "[ab](1)[cd](2)efgh"),
        ([(0, 4), (2, 6)], "(1)[ab(2)[cd](1)ef](2)gh"),
        ([(0, 4), (2, 6), (0, 6)], "[(1)[ab(2)[cd](1)ef](2)](3)gh"),
    ],
)
def test_marks_in_a_passage(places: list[tuple[int, int]], shown: str) -> None:
    assert str(answers("abcdefgh", *places).marked_passage()) == shown


def test_an_answer_without_a_place() -> None:
    """One in other words is shown by its sentence; one without evidence shows no passage."""
    free = ReaderAnswer("llm", "by boat", evidence=(0, 24), sentence=ENGLISH[:24])
    shown = ReaderAnswers("?", (free,), ENGLISH).marked_passage()
    assert str(shown).startswith("[Ann rowed to the island.] Bob")
    assert str(ReaderAnswers("?", (ReaderAnswer("llm", "by boat"),), ENGLISH)) == "by boat"
    assert str(ReaderAnswers("?", (ReaderAnswer("llm", ""),), ENGLISH)) == "(no answer)"


def test_a_long_passage_is_an_excerpt() -> None:
    words = "word " * 400
    assert len(words) > WHOLE
    shown = str(answers(words, (1000, 1004)).marked_passage())
    assert shown.startswith("… word word")
    assert shown.endswith("word word …")
    assert len(shown) < 2 * AROUND + 20
    apart = str(answers(words, (0, 4), (1500, 1504)).marked_passage())
    first, second = apart.split("\n")
    assert first.startswith("[word](1) word")
    assert second.count("[word](2)") == 1
    chinese = "港口很安静。" * 200
    shown = str(answers(chinese, (600, 602), language="zh").marked_passage())
    assert "【港口】" in shown
    assert shown.startswith("… 港口")


def test_in_a_terminal() -> None:
    console = Console(force_terminal=True, width=60, color_system="standard")
    with console.capture() as shown:
        answers(ENGLISH, (0, 24), (17, 23)).show(console)
    text = shown.get()
    assert "[Ann" not in text
    assert "\x1b[1;7misland\x1b[0m" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert max(map(len, plain.splitlines())) <= 60
    assert "Ann rowed to the island(2).(1)" in " ".join(plain.split())
    with console.capture() as shown:
        answers("a\x1b[2Jb cd", (5, 6)).show(console)
    assert "\x1b[2J" not in shown.get()


# Scores.


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (("f1", "the tall ships", "tall ships"), "1.000"),
        (("em", "ship", "boat", "ship"), "1.000"),
        (("f1", "北京市", "北京", "中国北京"), "0.800"),  # 2 of 3 and 2 of 2 characters
        (("f1", "北京市", "北京", "--language", "zh"), "0.800"),
        (("jaccard", "a b", "a c"), None),
    ],
)
def test_score(readmark_cli: Run, args: tuple[str, ...], shown: str | None) -> None:
    done = readmark_cli("score", *args)
    assert (done.returncode, done.stderr) == (0, "")
    assert shown is None or done.stdout == f"{shown}\n"


def test_several_metrics(readmark_cli: Run) -> None:
    args = ("score", "em, f1,jaccard(u=2,b=1,t=0)", "tall ships", "tall boats")
    rows = [line.split() for line in readmark_cli(*args).stdout.splitlines()[2:]]
    # Unigrams 1 of 3, bigrams 0 of 2: (2 x 1/3 + 0) / 3.
    assert rows == [["em", "0.000"], ["f1", "0.500"], ["jaccard(u=2,b=1,t=0)", "0.222"]]
    document = json.loads(readmark_cli(*args, "--json").stdout)
    assert [score["metric"] for score in document["scores"]] == [row[0] for row in rows]
    assert (document["language"], "metric" in document) == ("en", False)


@pytest.mark.parametrize(
    ("metric", "line"),
    [
        ("f1,,em", "not a name: 'f1,,em'"),
        ("f1,ff1", "unknown metric 'ff1'; did you mean f1?"),
        ("pearson", "metric pearson"),
    ],
)
def test_bad_metrics(readmark_cli: Run, metric: str, line: str) -> None:
    done = readmark_cli("score", metric, "a", "b")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert line in done.stderr


# Rewrites.


@pytest.mark.parametrize(
    ("args", "rewrite"),
    [
        (("When was he born?", "--target", "Jay-Z", "-w", "none"), "When was he born?"),
        (("When was he born?", "--target", "Jay-Z", "-w", "append"), "When was he born? Jay-Z"),
        (("When was he born?", "--target", "Jay-Z", "-w", "guided"), "When was Jay-Z born?"),
        (("他什么时候出生？", "--target", "鲁迅", "-w", "guided"), "鲁迅什么时候出生？"),
        (
            ("How old was he then?", "--target", "the Titanic", "--previous",
             "Who was its captain?", "--answer", "Edward Smith", "-w", "guided(previous=answer)"),
            "How old was Edward Smith then?",
        ),
    ],
)  # fmt: skip
def test_series_ask(readmark_cli: Run, args: tuple[str, ...], rewrite: str) -> None:
    done = readmark_cli("series", "ask", *args)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{rewrite}\n", "")


def test_several_rewriters(readmark_cli: Run) -> None:
    args = ("series", "ask", "--target", "Jay-Z", "When was he born?")
    rows = [line.split(maxsplit=1) for line in readmark_cli(*args).stdout.splitlines()[2:]]
    assert [name for name, _ in rows] == ["append", "guided"]
    assert rows[1][1].strip() == "When was Jay-Z born?"
    document = json.loads(readmark_cli(*args, "--json").stdout)
    assert (document["target"], document["language"]) == ("Jay-Z", "en")
    assert [one["rewriter"] for one in document["rewrites"]] == ["append", "guided"]
    known = ("--previous", "Who married him?", "--answer", "Beyoncé", "--json")
    document = json.loads(readmark_cli(*args, *known).stdout)
    assert document["rewrites"][1]["rewriter"] == "guided(previous=answer)"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("Who?",), "give a --target, or a question in --previous that this one refers to"),
        (("", "--target", "x"), "the question is empty"),
        (
            ("Who?", "--target", "x", "--answer", "y"),
            "there are 1 of --answer, and 0 of --previous",
        ),
        (
            ("Who?", "--target", "x", "-w", "guidde"),
            "unknown candidate 'guidde'; did you mean guid",
        ),
        (("Who?", "--target", "x", "-w", "bow"), "candidate bow sits comprehension tests"),
    ],
)
def test_what_cannot_be_rewritten(readmark_cli: Run, args: tuple[str, ...], line: str) -> None:
    done = readmark_cli("series", "ask", *args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"readmark: {line}")
