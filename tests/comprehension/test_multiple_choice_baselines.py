"""The baselines of multiple choice: guessing, and the option nearest to a sentence."""

from collections import Counter
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import standing
from readmark.core.errors import UsageError
from readmark.core.test import Test

ENGLISH = (
    "The ferry leaves the island at noon. Old Marten keeps the lighthouse and paints boats. "
    "His sister bakes rye bread for the school."
)
CHINESE = "老渡口的钟每天敲两次。早上敲钟的是看船的吴伯，傍晚敲钟的是教书的林先生。"


@pytest.mark.parametrize(
    ("text", "question", "options", "chosen", "language"),
    [
        (ENGLISH, "Who keeps the lighthouse?", ("his sister", "old Marten", "the school"), 1, "en"),
        (ENGLISH, "What does his sister bake?", ("boats", "noon", "rye bread"), 2, "en"),
        (CHINESE, "傍晚敲钟的是谁？", ("看船的吴伯", "教书的林先生", "渡口的猫"), 1, "zh"),
    ],
)
def test_the_nearest_option(
    text: str,
    question: str,
    options: tuple[str, ...],
    chosen: int,
    language: str,
    tmp_path: Path,
) -> None:
    for at, order in enumerate((options, options[::-1])):
        asking = asked("q", options[chosen], options=order, text=question)
        test = comprehension(passage("p", asking, text=text), language=language)
        readmark.sit(test, "closest_option", tmp_path / f"{at}.jsonl")
        [row] = standing(tmp_path / f"{at}.jsonl")[1]
        assert row["text"] == options[chosen]
        start, end = row["sentence"]
        assert 0 <= start < end <= len(text)
        assert row["evidence"]["shared"]


def many(options: tuple[str, ...]) -> Test:
    """Many questions that no word of the passage helps with."""
    questions = (asked(f"q{at}", options[0], options=options) for at in range(400))
    return comprehension(passage("p", *questions, text="Nothing of use stands here."))


@pytest.mark.parametrize("candidate", ["random", "random(seed=9)", "closest_option"])
def test_guesses_are_spread_over_the_options(candidate: str, tmp_path: Path) -> None:
    options = ("xx", "yy", "zz", "ww")
    readmark.sit(many(options), candidate, tmp_path / "s.jsonl", workers=1)
    counts = Counter(row["text"] for row in standing(tmp_path / "s.jsonl")[1])
    assert set(counts) == set(options)
    assert all(70 <= count <= 130 for count in counts.values())


def test_guesses_repeat_by_their_seed(tmp_path: Path) -> None:
    answers = []
    for name, candidate in (("a", "random"), ("b", "random"), ("c", "random(seed=2)")):
        path = tmp_path / f"{name}.jsonl"
        readmark.sit(many(("xx", "yy")), candidate, path, repeats=2)
        answers.append([row["text"] for row in standing(path)[1]])
    assert answers[0] == answers[1] != answers[2]
    assert answers[0][:400] != answers[0][400:]


def test_a_question_without_options_is_an_error_row(tmp_path: Path) -> None:
    with_options = asked("q1", "kettle", options=("kettle", "lamp"))
    test = comprehension(passage("p", with_options, asked("q2", "kettle")))
    for candidate in ("random", "closest_option"):
        done = readmark.sit(test, candidate, tmp_path / f"{candidate}.jsonl")
        assert done.errors == 1
        [_, row] = standing(tmp_path / f"{candidate}.jsonl")[1]
        assert "the question has no options to choose from" in row["error"]


@pytest.mark.parametrize("candidate", ["random", "closest_option"])
def test_a_test_without_options_is_refused_before_anything_is_written(
    candidate: str, tmp_path: Path
) -> None:
    test = comprehension(passage("p", asked("q", "kettle")))
    with pytest.raises(UsageError, match=f"{candidate} chooses among options, but no question of"):
        readmark.sit(test, candidate, tmp_path / "s.jsonl")
    assert not (tmp_path / "s.jsonl").exists()


@pytest.mark.golden
def test_c3_is_read_better_than_by_guessing(shared: Path, tmp_path: Path) -> None:
    test = readmark.load(shared / "data" / "c3" / "c3-m-dev.json.gz")
    readmark.sit(test, "closest_option", tmp_path / "s.jsonl", limit=400)
    marks = readmark.mark(test, tmp_path / "s.jsonl")
    assert marks["accuracy"].low is not None
    assert marks["accuracy"].low > 30
