"""What a test is annotated with, its types by rule, and overlap worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import in_process
from made import asked, comprehension, passage
from readmark.core.records import Layer, RecordKey
from readmark.core.test import Test
from readmark.formats.registry import save_test
from readmark.making.reading_table import english_questions, reading_table

TEXT = "Many sports which nowadays are played all over the world grew up in Britain. Owls sleep."
SPORTS = "Where did many sports played all over the world grow up to their present-day form?"


def test_overlap_is_the_mean_share_of_the_questions_words() -> None:
    test = comprehension(
        passage(
            "p",
            # 11 words, 8 of them in the first sentence: not where, present-day, form
            asked("one", "Britain", text=SPORTS, sentences=((0, 76),)),
            # {who, sleep} against {owl, sleep}; the answer's span tells the sentence
            asked("two", "Owls", text="Who sleeps?"),
            asked("none", "a badger", text="What digs?"),
            asked("unanswerable", text="Who dug?", unanswerable=True),
            text=TEXT,
        ),
        language="en",
    )
    table = reading_table(test)
    assert table is not None
    assert table.overlap is not None
    assert table.overlap.units == 2
    assert table.overlap.ratio == pytest.approx((8 / 11 + 1 / 2) / 2)
    assert table.overlap_by_question == pytest.approx({"one": 8 / 11, "two": 1 / 2})


def near_and_far(count: int) -> Test:
    """A split of questions in the passage's words (all of them), and one of others (none)."""
    near = [asked(f"near-{n}", "Owls", text="Owls sleep?") for n in range(count)]
    far = [asked(f"far-{n}", "Owls", text="Birds doze?") for n in range(count)]
    return comprehension(
        passage("p", *near, text=TEXT, split="train"),
        passage("q", *far, text=TEXT, split="test"),
        language="en",
    )


def test_overlap_is_shown_by_split_and_by_question(tmp_path: Path) -> None:
    save_test(near_and_far(2), tmp_path / "t.jsonl")
    done = in_process("stats", "t.jsonl", "--overlap", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "question words in answer 100.0% (2) 0.0% (2) 50.0% (4)" in lines
    assert lines[lines.index("question question words in answer") + 2 :] == [
        "near-0 100.0%",
        "near-1 100.0%",
        "far-0 0.0%",
        "far-1 0.0%",
    ]


@pytest.mark.parametrize(("count", "has_warning"), [(20, 1), (19, 0)])
def test_check_warns_of_a_split_with_high_overlap(
    tmp_path: Path, count: int, has_warning: int
) -> None:
    save_test(near_and_far(count), tmp_path / "t.jsonl")
    done = in_process("check", "t.jsonl", "--profile", "brcc", cwd=tmp_path)
    warnings = [line for line in done.stdout.splitlines() if "high_overlap" in line]
    message = (
        "t.jsonl:1: high_overlap: warning: 100.0% of the words of 20 questions of train are in "
        "the answer sentence, at most 55.0%: matching words is enough to answer them"
    )
    assert warnings == [message][:has_warning]


def test_annotation_is_counted_as_in_the_documents_table() -> None:
    text = "Anna slept in Rome. She woke in May."
    marked = passage(
        "p",
        asked("q", "Rome", text="Where did Anna sleep?", sentences=((0, 19),), type="Where"),
        asked("r", "May", text="When did Anna wake?"),
        text=text,
        layers={
            "np": Layer(spans=((0, 4), (14, 18), (20, 23), (32, 35))),
            "ne": Layer(
                spans=((0, 4), (14, 18), (32, 35)),
                columns={"type": ("PERSON", "LOCATION", "TIME")},
            ),
        },
        key=RecordKey(
            layers={
                "mention": Layer(
                    spans=((0, 4), (20, 23)), columns={"id": (1, None), "ref": (None, 1)}
                )
            }
        ),
    )
    table = reading_table(comprehension(marked, language="en"))
    assert table is not None
    assert dict(table.annotations) == {
        "noun phrase": 4,
        "PERSON": 1,
        "LOCATION": 1,
        "TIME": 1,
        "co-reference": 1,
        "answer sentence": 1,
    }
    assert dict(table.types) == {"When": 1}  # the other has its type in the key


def test_other_languages_and_kinds_have_none() -> None:
    record = passage("p", asked("q", "x"), text="Bonjour.")
    assert reading_table(comprehension(record, language="fr")) is None


def test_a_published_key_is_found_by_recall() -> None:
    asks = asked("q", published=["in Britain"], text="Where did sports grow?")
    table = reading_table(comprehension(passage("p", asks, text=TEXT), language="en"))
    assert table is not None
    assert table.overlap is not None
    assert table.overlap.ratio == pytest.approx(2 / 3)  # sport and grow, not where


def test_a_chinese_questions_type_is_its_english_parallels() -> None:
    asks = asked("q", "x", text="成绩是多少？")
    chinese = comprehension(passage("p", asks, text="很好。"), language="zh")
    english = comprehension(
        passage("p", asked("q", "x", text="What was the result?"), text="Good."), language="en"
    )
    tables = (
        reading_table(chinese),
        reading_table(chinese, english_questions([english])),
        reading_table(english),
    )
    alone, beside, parallel = [table.types for table in tables if table is not None]
    assert dict(alone) != dict(beside)
    assert dict(beside) == dict(parallel)
