"""What a candidate sees: the paper and what it declared, never the key, nor what was left out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import readmark
from misbehaving_candidates import everything, standing
from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.spans import Excerpt
from readmark.core.test import Header, Test, in_memory
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.sitting.requirements import with_gold
from readmark.tasks.records import Document, Query, QueryKey, Solution

Sit = Callable[..., Any]
FEW = MarkSettings(draws=20, trials=20)


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
FULL_QUERY_KEY = QueryKey(
    solutions=(
        Solution(
            values={"K": "KEY-kettle"},
            inferred=True,
            excerpts=(Excerpt("KEY-document", 0, 3, "KEY-quote"),),
            mentions={"KEY-entity": ("KEY-mention",)},
            probability=0.5,
            by="KEY-judge",
            why="KEY-reason",
        ),
    ),
    rejected=(Solution(values={"K": "KEY-wrong"}),),
    out_of_bounds=(Solution(values={"K": "KEY-beyond"}),),
    annotation="KEY-driven",
    layers={"rst": gold("KEY-query-layer")},
    fields={"KEY-query-field": "KEY-query-value"},
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
                    refers="KEY-refers",
                    fields={"KEY-field": "KEY-value"},
                ),
            ),
        ),
        key=FULL_RECORD_KEY,
    ),
    "readability": RatedPassage(
        id="q1",
        text="The kettle stood.",
        key=RatingKey(
            ratings=(Rating(rating=4.0, annotator="KEY-expert"),),
            layers={"rst": gold("KEY-layer")},
            fields={"KEY-field": "KEY-value"},
        ),
    ),
    "task": Document(
        id="d",
        text="The kettle stood.",
        layers={"rst": gold("KEY-misplaced")},
        queries=(
            Query(
                id="q1",
                graph="((?K stood ?T))",
                layers={"rst": gold("KEY-misplaced-below")},
                key=FULL_QUERY_KEY,
            ),
        ),
        key=FULL_RECORD_KEY,
    ),
}


def key_texts(value: Any) -> set[str]:
    return {text for text in everything(value) if isinstance(text, str) and "KEY" in text}


def notes(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_full_key_is_full() -> None:
    """A member that a key gets later must be put into these tests."""
    for key in (FULL_KEY, FULL_RECORD_KEY, FULL_QUERY_KEY, FULL["series"].questions[0].key):
        empty = type(key)()
        for member in key.__struct_fields__:
            assert getattr(key, member) != getattr(empty, member), member
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


@pytest.mark.process
@pytest.mark.parametrize("kind", FULL)
def test_a_worker_holds_no_key(kind: str, tmp_path: Path, journal: Path) -> None:
    """Not even for code that walks through objects and frames; one process promises no such."""
    test = in_memory(Header(name="full", kind=kind), [FULL[kind]])
    memory = tmp_path / "memory.txt"
    readmark.sit(test, f'prober(file="{memory}")', journal, workers=2)
    text = memory.read_text(encoding="utf-8")
    assert "q1" in text
    assert "KEY-" not in text


@pytest.mark.parametrize("workers", [1, 2])
def test_a_declared_need_is_given_and_signed(workers: int, tmp_path: Path, journal: Path) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    seen = tmp_path / "seen.jsonl"
    readmark.sit(test, f'needy(file="{seen}")', journal, workers=workers)
    [note] = notes(seen)
    texts = {text for text in note["texts"] if "KEY" in text}
    assert texts == {
        "KEY-mention",
        "from KEY-mention",
        "KEY-question-mention",
        "from KEY-question-mention",
    }
    assert set(note["record"]["layers"]) == {"token", "mention"}
    assert note["record"]["layers"]["token"]["columns"] == {"of": ["seen"]}
    assert set(note["record"]["questions"][0]["layers"]) == {"np", "mention"}
    assert standing(journal)[0]["signature"]["gold"] == "mention"


def test_without_a_need_the_paper_stays_as_it_is() -> None:
    kind = kind_named("comprehension")
    record = FULL["comprehension"]
    paper = kind.paper(record)
    assert with_gold(paper, record, frozenset()) == paper
    assert with_gold(paper, record, frozenset({"absent"})) == paper
    assert with_gold(kind.paper(record), kind.paper(record), frozenset({"mention"})) == paper


def test_a_candidate_that_declares_nothing_signs_no_gold(sit: Sit, journal: Path) -> None:
    sit("wordy(length=1)")
    assert "gold" not in standing(journal)[0]["signature"]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("part", ["passage", "question"])
def test_the_part_that_is_left_out_is_blank(
    part: str, workers: int, tmp_path: Path, journal: Path
) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    seen = tmp_path / "seen.jsonl"
    readmark.sit(test, f'recorder(file="{seen}")', journal, without=part, workers=workers)
    [note] = notes(seen)
    texts = {"passage": "The kettle stood.", "question": "What stood?"}
    left_out = texts.pop(part)
    assert left_out not in note["texts"]
    assert {*texts.values()} <= {*note["texts"]}
    assert "KEY" not in note["repr"]
    assert standing(journal)[0]["without"] == part
    assert readmark.mark(test, journal, settings=FEW).coverage.covers == f"without the {part}"


def test_a_need_does_not_bring_back_what_is_left_out(tmp_path: Path, journal: Path) -> None:
    test = in_memory(Header(name="full"), [FULL["comprehension"]])
    for part, layers in (("passage", "questions"), ("question", "record")):
        seen = tmp_path / f"{part}.jsonl"
        readmark.sit(test, f'needy(file="{seen}")', tmp_path / f"{part}.sitting", without=part)
        [note] = notes(seen)
        texts = {text for text in note["texts"] if "KEY" in text}
        mention = "KEY-question-mention" if layers == "questions" else "KEY-mention"
        assert texts == {mention, f"from {mention}"}


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
