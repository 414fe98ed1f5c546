"""The runner: papers without keys, error rows, resuming, limits, repeats and ablations."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage
from readmark.corpus.errors import DataError, ReadmarkError, UsageError
from readmark.corpus.kinds import kind_named
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import (
    Answer,
    Layer,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
    Series,
    SeriesQuestion,
    SeriesQuestionKey,
)
from readmark.marking.settings import Settings
from readmark.sitting.gold import with_gold
from readmark.sitting.runner import Progress
from stub_kinds import Document, Graded, GradedKey, Query, QueryKey
from understudies import everything, standing, timeless

Sit = Callable[..., Any]
FEW = Settings(draws=20, trials=20)


def gold(name: str) -> Layer:
    """A layer whose labels tell where it came from."""
    return Layer(spans=((0, 3),), quotes=("The",), source=f"from {name}", columns={"of": (name,)})


FULL_KEY = QuestionKey(
    answers=(Answer(text="KEY-answer", start=0, annotator="KEY-annotator", score=0.5),),
    published=(Phrase(text="KEY-published", layers={"token": gold("KEY-published-layer")}),),
    sentences=((0, 3),),
    unanswerable=True,
    plausible=(Answer(text="KEY-plausible"),),
    type="KEY-type",
    level="KEY-level",
    difficulty="KEY-difficulty",
    layers={"mention": gold("KEY-question-mention"), "coref": gold("KEY-question-coref")},
    fields={"KEY-field": "KEY-value"},
)
FULL_RECORD_KEY = RecordKey(
    layers={"mention": gold("KEY-mention"), "coref": gold("KEY-coref"), "token": gold("KEY-token")},
    fields={"KEY-passage-field": ["KEY-passage-value"]},
)
FULL = {
    "comprehension": Passage(
        id="p",
        text="The kettle stood.",
        title="Kettle",
        layers={"token": gold("seen"), "rst": gold("KEY-misplaced")},
        fields={"seen": 1},
        questions=(
            Question(
                id="q1",
                text="What stood?",
                options=("a kettle",),
                layers={"np": gold("seen"), "rst": gold("KEY-misplaced-in-question")},
                key=FULL_KEY,
            ),
        ),
        key=FULL_RECORD_KEY,
    ),
    "series": Series(
        id="s",
        target="The kettle",
        layers={"rst": gold("KEY-misplaced")},
        questions=(
            SeriesQuestion(
                id="q1",
                text="Who made it?",
                layers={"rst": gold("KEY-misplaced")},
                key=SeriesQuestionKey(
                    rewrites=(Answer(text="KEY-rewrite", annotator="KEY-annotator"),),
                    guidelines="KEY-guidelines",
                    fields={"KEY-field": "KEY-value"},
                ),
            ),
        ),
        key=FULL_RECORD_KEY,
    ),
    "readability": Graded(
        id="q1",
        text="The kettle stood.",
        key=GradedKey(experts={"KEY-expert": 4.0}, fields={"KEY-field": "KEY-value"}),
    ),
    "task": Document(
        id="d",
        body="The kettle stood.",
        queries=(Query(id="q1", pattern="kettle", key=QueryKey(bindings=(("KEY-binding",),))),),
        key=QueryKey(bindings=(("KEY-record-binding",),)),
    ),
}


def key_texts(value: Any) -> set[str]:
    return {one for one in everything(value) if isinstance(one, str) and "KEY" in one}


def notes(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_full_key_is_full() -> None:
    """A member that a key gets later must be put into these tests."""
    for key in (FULL_KEY, FULL_RECORD_KEY, FULL["series"].questions[0].key):
        empty = type(key)()
        assert [
            one for one in key.__struct_fields__ if getattr(key, one) == getattr(empty, one)
        ] == []
    assert len(key_texts(FULL["comprehension"])) > 20


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("kind", FULL)
def test_no_key_text_reaches_a_candidate(
    kind: str, workers: int, tmp_path: Path, journal: Path
) -> None:
    test = in_memory(Header(name="full", kind=kind), [FULL[kind]])
    seen = tmp_path / "seen.jsonl"
    readmark.sit(test, f'recorder(file="{seen}")', journal, workers=workers)
    [note] = notes(seen)
    assert note["id"] == "q1"
    assert not [text for text in note["texts"] if "KEY" in text]
    assert "KEY" not in note["repr"]
    assert "KEY" not in json.dumps(note["record"])
    assert "KEY" not in journal.read_text(encoding="utf-8")
    # The paper itself did reach it.
    assert {"comprehension": "What stood?", "series": "Who made it?"}.get(kind, "q1") in note[
        "texts"
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_declared_need_is_given_and_signed(workers: int, tmp_path: Path, journal: Path) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    seen = tmp_path / "seen.jsonl"
    readmark.sit(test, f'needy(file="{seen}")', journal, workers=workers)
    [note] = notes(seen)
    texts = {text for text in note["texts"] if "KEY" in text}
    assert texts == {
        *("KEY-mention", "from KEY-mention"),
        *("KEY-question-mention", "from KEY-question-mention"),
    }
    assert set(note["record"]["layers"]) == {"token", "mention"}
    assert note["record"]["layers"]["token"]["columns"] == {"of": ["seen"]}
    assert set(note["record"]["questions"][0]["layers"]) == {"np", "mention"}
    assert standing(journal)[0]["signature"]["gold"] == "mention"


def test_no_need_leaves_the_paper_as_it_is() -> None:
    kind = kind_named("comprehension")
    record = FULL["comprehension"]
    paper = kind.paper(record)
    assert with_gold(paper, record, frozenset()) == paper
    assert with_gold(paper, record, frozenset({"absent"})) == paper
    assert with_gold(kind.paper(record), kind.paper(record), frozenset({"mention"})) == paper


def test_a_candidate_that_declares_nothing_signs_no_gold(sit: Sit, journal: Path) -> None:
    sit("wordy(length=1)")
    assert "gold" not in standing(journal)[0]["signature"]


def test_every_answer_is_a_row_with_its_seconds(sit: Sit, six: Test, journal: Path) -> None:
    done = sit("slow(ms=2)")
    header, rows = standing(journal)
    assert header == {
        "readmark": 1,
        "file": "sitting",
        "candidate": "slow(ms=2)",
        "kind": "comprehension",
        "paper": six.facts.paper,
        "signature": {"understudy": "Slow", "seen": [1, 2], "readmark": readmark.__version__},
    }
    assert [(row["id"], row["text"]) for row in rows] == [
        (f"q{at}", f"q{at}!") for at in range(1, 7)
    ]
    assert all(0.002 <= row["seconds"] < 5 for row in rows)
    assert (done.progress.answered, done.progress.total, done.errors, done.unanswered) == (
        6,
        6,
        0,
        0,
    )
    assert done.candidate == "slow(ms=2)"


def test_the_journal_is_never_behind(six: Test, journal: Path) -> None:
    found: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        found.append((progress.answered + progress.errors, len(standing(journal)[1])))

    readmark.sit(six, "moody(on=q3)", journal, watch=watch)
    assert found == [(at, at) for at in range(1, 7)]


def test_progress_has_a_rate_and_the_time_left() -> None:
    progress = Progress(total=100, before=40, answered=15, errors=5, seconds=4.0)
    assert progress.rate == 5.0
    assert progress.left == 8.0
    nothing = Progress(total=10, before=0, answered=0, errors=0, seconds=0.0)
    assert (nothing.rate, nothing.left) == (0.0, None)


def test_an_exception_is_an_error_row_and_tried_again(
    sit: Sit, journal: Path, tmp_path: Path
) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q2 q5",until="{cure}")'
    failed = {"id": "q2", "error": "ValueError: no idea ?"}
    for attempt in (1, 2, 3):
        done = sit(candidate)
        assert (done.errors, done.unanswered) == (2, 0)
        assert (done.progress.answered, done.progress.before) == (
            (4, 0) if attempt == 1 else (0, 4)
        )
        own = [row for row in timeless(journal) if row["id"] == "q2"]
        assert own == [failed | ({"attempt": at} if at > 1 else {}) for at in range(1, attempt + 1)]
    cure.touch()
    done = sit(candidate)
    assert (done.errors, done.progress.answered) == (0, 2)
    assert timeless(journal)[4] == {"id": "q2", "text": "q2!", "attempt": 4}
    assert sit(candidate).progress.answered == 0


def test_errors_on_the_way_leave_the_marks_as_they_would_be(
    sit: Sit, six: Test, journal: Path, tmp_path: Path
) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q1 q3 q5",until="{cure}")'
    sit(candidate)
    cure.touch()
    sit(candidate)
    straight = tmp_path / "straight.jsonl"
    readmark.sit(six, candidate, straight)
    assert marks(six, journal) == marks(six, straight)


def marks(test: Test, journal: Path) -> bytes:
    return msgspec.json.encode(readmark.mark(test, journal, settings=FEW).as_json())


def test_an_error_row_that_nobody_answers_again_still_stands(
    sit: Sit, journal: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.jsonl"
    rows = [{"id": "q1", "text": "x"}, {"id": "q2", "error": "timed out"}]
    header = {"readmark": 1, "file": "sitting", "candidate": "ann"}
    answers.write_text("".join(json.dumps(one) + "\n" for one in [header, *rows]))
    candidate = f'keyed(file="{answers}")'
    assert (sit(candidate).errors, sit(candidate).errors) == (1, 1)
    assert standing(journal)[1][-1]["attempt"] == 2


@pytest.mark.parametrize(
    ("on", "size", "failed"),
    [
        # q3 comes first of (q1, q2, q3), which is said backwards: all three fail
        ("q3", 3, ["q1", "q2", "q3"]),
        ("q2", 3, ["q1", "q2"]),
        ("q1", 3, ["q1"]),
        # what failed with one batch does not fail again with the next
        ("q2 q4 q6", 2, ["q1", "q2", "q3", "q4", "q5", "q6"]),
        # the last batch is a part of one
        ("q6", 4, ["q5", "q6"]),
        ("q5", 4, ["q5"]),
    ],
)
def test_breaking_off_in_a_batch_takes_what_is_held(
    sit: Sit, journal: Path, on: str, size: int, failed: list[str]
) -> None:
    done = sit(f'batcher(size={size},on="{on}")')
    rows = timeless(journal)
    assert [row["id"] for row in rows] == [f"q{at}" for at in range(1, 7)]
    assert {row["id"]: row["error"] for row in rows if "error" in row} == dict.fromkeys(
        failed, "RuntimeError: out of memory"
    )
    assert done.errors == len(failed)


@pytest.mark.parametrize(
    ("how", "said", "rows"),
    [
        ("early", "the candidate failed: OSError: no model here", 0),
        ("late", "the candidate failed: OSError: the model went away", 6),
        ("twice", "the candidate answered 'q2', which it was not asked or had answered", 2),
        ("strange", "the candidate answered 'nobody', which it was not asked or had answered", 2),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_candidate_that_does_not_keep_to_what_it_was_asked(
    sit: Sit, journal: Path, how: str, said: str, rows: int, workers: int
) -> None:
    with pytest.raises(ReadmarkError) as caught:
        sit(f"wilful(how={how})", workers=workers)
    if workers == 1:
        assert str(caught.value) == said
        assert len(standing(journal)[1]) == rows
    else:
        assert str(caught.value).startswith(said.split("'")[0])
        assert len(standing(journal)[1]) <= 6


def test_what_a_candidate_never_answers_is_counted(sit: Sit, journal: Path, six: Test) -> None:
    done = sit("wilful(how=stops)")
    assert (done.progress.answered, done.unanswered, done.errors) == (2, 4, 0)
    found = readmark.mark(six, journal, settings=FEW)
    assert list(found.unanswered) == ["q3", "q4", "q5", "q6"]
    done = sit("wilful(how=stops)")
    assert (done.progress.before, done.progress.answered, done.unanswered) == (2, 2, 2)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("empty", "the candidate gave a row without 'text'"),
        ("number", "the answer cannot be journalled: ValidationError: Expected `str | null`"),
        ("object", "the answer cannot be journalled: TypeError: Encoding objects of type object"),
        ("surrogate", "the answer cannot be journalled: UnicodeEncodeError: "),
        (
            "offsets",
            "the answer cannot be journalled: ValidationError: Expected `array` of length 2",
        ),
        ("tuple", "AttributeError: 'tuple' object has no attribute 'id'"),
        ("nothing", "AttributeError: 'NoneType' object has no attribute 'id'"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_rows_that_no_journal_can_hold_are_error_rows(
    sit: Sit, journal: Path, six: Test, how: str, said: str, workers: int
) -> None:
    candidate = f"clumsy(on=q2,how={how})"
    done = sit(candidate, workers=workers)
    assert done.errors == 1
    rows = timeless(journal)
    assert [row["id"] for row in rows] == [f"q{at}" for at in range(1, 7)]
    assert said.replace("`str | null`", "`str`") in rows[1]["error"]
    assert list(readmark.mark(six, journal, settings=FEW).errors) == ["q2"]
    assert sit(candidate).progress.before == 5


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("prepare", "candidate unready(how=prepare) cannot sit: RuntimeError: no CUDA device"),
        ("signature", "candidate unready(how=signature) cannot sit: TypeError: "),
        ("data", "weights.bin: is no model"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_candidate_that_cannot_sit_at_all(
    sit: Sit, journal: Path, how: str, said: str, workers: int
) -> None:
    with pytest.raises(ReadmarkError) as caught:
        sit(f"unready(how={how})", workers=workers)
    assert str(caught.value).startswith(said)
    assert not journal.exists()


def test_a_library_that_exits_does_not_end_the_sitting(sit: Sit, journal: Path) -> None:
    assert sit('moody(on="q1 q4",how=exit)').errors == 2
    errors = {row["id"]: row["error"] for row in timeless(journal) if "error" in row}
    assert errors == {"q1": "SystemExit: 0", "q4": "SystemExit: 0"}


@pytest.mark.parametrize(
    ("limit", "covers", "workers"),
    [
        (1, ["q1"], 1),
        (3, ["q1", "q2", "q3"], 1),
        (4, ["q1", "q2", "q3", "q4"], 2),
        (6, None, 1),
        (99, None, 1),
    ],
)
def test_a_limit_is_in_the_header_and_in_the_marks(
    sit: Sit, six: Test, journal: Path, limit: int, covers: list[str] | None, workers: int
) -> None:
    done = sit("slow(ms=0)", limit=limit, workers=workers)
    header, rows = standing(journal)
    assert header.get("covers") == covers
    assert header.get("limit") == (limit if covers else None)
    assert len(rows) == done.progress.total == min(limit, 6)
    found = readmark.mark(six, journal, settings=FEW)
    assert list(found.ids) == (covers or [f"q{at}" for at in range(1, 7)])
    assert not found.unanswered
    assert found.covers == (f"the first {limit} units" if covers else None)
    if covers is None:
        assert sit("slow(ms=0)").progress.before == 6


def test_a_limit_in_another_order_is_another_choice(six: Test, journal: Path) -> None:
    records = list(six.records())
    turned = in_memory(six.header, reversed(records))
    assert turned.facts.paper == six.facts.paper
    readmark.sit(six, "slow(ms=0)", journal, limit=2)
    before = journal.read_bytes()
    with pytest.raises(DataError, match=r"another order of units \(q1, q2, now q6, q4\)"):
        readmark.sit(turned, "slow(ms=0)", journal, limit=2)
    assert journal.read_bytes() == before
    whole = journal.with_name("whole.jsonl")
    readmark.sit(six, "slow(ms=0)", whole)
    assert readmark.sit(turned, "slow(ms=0)", whole).progress.before == 6


def test_repeats_are_averaged_and_their_spread_is_told(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    # kettle is right for q6 alone, q5! for q5, boats for q4: 1 of 6 each time but for the last
    readmark.sit(six, 'changing(words="kettle q5! boats nothing")', journal, repeats=4)
    header, rows = standing(journal)
    assert header["repeats"] == 4
    assert [row.get("repeat", 0) for row in rows] == [0] * 6 + [1] * 6 + [2] * 6 + [3] * 6
    found = readmark.mark(six, journal, metrics=["em"], settings=FEW)
    assert found["em"].score == pytest.approx(100 * 3 / 24)
    assert found.per_unit()["q6"]["em"] == pytest.approx(0.25)
    told = found.as_json()["repeats"]["em"]
    assert told["scores"] == pytest.approx([100 / 6, 100 / 6, 100 / 6, 0])
    # three times 16.67 and 0 have mean 12.5: sqrt((3 * 4.1667² + 12.5²) / 3) = 8.3333
    assert told["deviation"] == pytest.approx(8.3333, abs=1e-4)


def test_a_missing_repeat_counts_as_unanswered(six: Test, journal: Path) -> None:
    candidate = 'changing(words="q1! q1! q1!")'
    readmark.sit(six, candidate, journal, repeats=3)
    lines = journal.read_bytes().splitlines(keepends=True)
    gone = [one for one in lines if not (b'"q1"' in one and b'"repeat":1' in one)]
    assert len(gone) == len(lines) - 1
    journal.write_bytes(b"".join(gone))
    found = readmark.mark(six, journal, metrics=["em"], settings=FEW)
    assert found.per_unit()["q1"]["em"] == pytest.approx(2 / 3, abs=1e-8)
    assert not found.unanswered
    assert found.as_json()["repeats"]["em"]["scores"][1] == 0
    done = readmark.sit(six, candidate, journal, repeats=3)
    assert (done.progress.before, done.progress.answered) == (17, 1)
    assert readmark.mark(six, journal, metrics=["em"], settings=FEW).per_unit()["q1"]["em"] == 1


def test_one_repeat_tells_no_spread(six: Test, journal: Path) -> None:
    readmark.sit(six, "slow(ms=0)", journal)
    assert "repeats" not in readmark.mark(six, journal, settings=FEW).as_json()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("part", ["passage", "question"])
def test_what_is_left_out_is_blank(part: str, workers: int, tmp_path: Path, journal: Path) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    seen = tmp_path / "seen.jsonl"
    readmark.sit(test, f'recorder(file="{seen}")', journal, without=part, workers=workers)
    [note] = notes(seen)
    gone, kept = ("The kettle stood.", "What stood?")[:: 1 if part == "passage" else -1]
    assert gone not in note["texts"]
    assert kept in note["texts"]
    assert "KEY" not in note["repr"]
    assert standing(journal)[0]["without"] == part
    assert readmark.mark(test, journal, settings=FEW).covers == f"without the {part}"


def test_a_need_is_no_way_around_what_is_left_out(tmp_path: Path, journal: Path) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    for part, layers in (("passage", "questions"), ("question", "record")):
        seen = tmp_path / f"{part}.jsonl"
        readmark.sit(test, f'needy(file="{seen}")', tmp_path / f"{part}.sitting", without=part)
        [note] = notes(seen)
        texts = {text for text in note["texts"] if "KEY" in text}
        wanted = "KEY-question-mention" if layers == "questions" else "KEY-mention"
        assert texts == {wanted, f"from {wanted}"}


def test_offsets_without_the_passage(tmp_path: Path, journal: Path, six: Test) -> None:
    readmark.sit(six, "lead", journal, without="passage")
    for row in standing(journal)[1]:
        assert {"id", "text", "seconds"} == set(row)
        assert row["text"] == ""
    blank = tmp_path / "blank.jsonl"
    readmark.sit(six, "longest_overlap", blank, without="question")
    text = next(iter(six.records())).text
    for row in standing(blank)[1][:3]:
        assert row["text"] == text[row["start"] : row["end"]] == text
        assert (row["score"], row["evidence"]) == (0.0, {"shared": []})


def test_an_unknown_part_gets_a_hint(sit: Sit, journal: Path) -> None:
    with pytest.raises(UsageError, match=r"no pasage to leave out .*; did you mean passage\?"):
        sit("lead", without="pasage")
    series = in_memory(Header(kind="series"), [FULL["series"]])
    with pytest.raises(UsageError, match=r"a series test has no passage to leave out \(target, qu"):
        readmark.sit(series, "none", journal, without="passage")
    assert not journal.exists()


@pytest.mark.parametrize("option", ["workers", "limit", "repeats"])
@pytest.mark.parametrize("value", [0, -3])
def test_numbers_below_one_are_refused(sit: Sit, journal: Path, option: str, value: int) -> None:
    with pytest.raises(UsageError, match=f"--{option} {value} is less than 1"):
        sit("lead", **{option: value})
    assert not journal.exists()


def test_a_test_without_a_key_can_be_sat(journal: Path) -> None:
    public = comprehension(passage("p", asked("q1", key=False), asked("q2", key=False)))
    assert readmark.sit(public, "lead", journal).progress.answered == 2


def test_a_sitting_outlives_a_corrected_key(six: Test, journal: Path) -> None:
    readmark.sit(six, "slow(ms=0)", journal, limit=2)
    corrected = comprehension(
        *(
            msgspec.structs.replace(
                record,
                questions=tuple(
                    msgspec.structs.replace(one, key=QuestionKey(answers=(Answer(text="new"),)))
                    for one in record.questions
                ),
            )
            for record in six.records()
        )
    )
    assert corrected.facts.key != six.facts.key
    assert readmark.sit(corrected, "slow(ms=0)", journal, limit=2).progress.before == 2
