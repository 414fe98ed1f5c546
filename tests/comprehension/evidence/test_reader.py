"""The evidence reader: worked examples, honest offsets, and input that is out of the ordinary."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from readmark.comprehension.evidence.ranker_files import load_ranker
from readmark.comprehension.span.model import shipped_model
from readmark.core.candidate_run import Run
from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Layer, Passage, Question, Unit
from readmark.core.sitting import Row
from readmark.marking import mark
from readmark.sitting.candidates import CANDIDATES
from readmark.sitting.runner import sit
from readmark.text.sentences import sentences
from strategies import texts

FEATURES = "evidence(encoder=false)"
WITH_ENCODER = "evidence"
BAKERY = "Mara Lind runs the bakery. It opened in 1987. She bakes rye bread every morning."


def replies(
    text: str, *questions: str, language: str = "en", name: str = FEATURES, **more: Any
) -> list[Row]:
    items = tuple(Question(id=str(number), text=asked) for number, asked in enumerate(questions))
    record = Passage(id="p", text=text, questions=items, **more)
    reader = prepared(name, language)
    return list(reader.answer(Unit(item.id, "p", record, item) for item in items))


@cache
def prepared(name: str, language: str) -> Any:
    """A reader that is ready; each is loaded once."""
    _, reader = CANDIDATES.build(name)
    reader.prepare(kind_named("comprehension"), language)
    return reader


def test_the_document_s_machine_is_called_what_the_second_sentence_says() -> None:
    text = "A new machine has been made. The machine is called a typewriter."
    [row] = replies(text, "What is the new machine called?")
    assert row.text == "The machine is called a typewriter."
    assert row.sentence == (row.start, row.end) == (29, len(text))


@pytest.mark.parametrize(
    ("text", "language", "question", "answer"),
    [
        (BAKERY, "en", "When did the bakery open?", "It opened in 1987."),
        (
            "村里有一座旧磨坊。磨坊是1923年建成的。现在没有人住在那里。",
            "zh",
            "磨坊是哪一年建成的？",
            "磨坊是1923年建成的。",
        ),
        (
            "村裡有一座舊磨坊。磨坊是老周修好的。現在沒有人住在那裡。",
            "zh",
            "磨坊是谁修好的？",
            "磨坊是老周修好的。",
        ),
    ],
)
def test_the_sentence_with_the_answer_is_chosen(
    text: str, language: str, question: str, answer: str
) -> None:
    [row] = replies(text, question, language=language)
    assert row.text == answer
    assert row.score is not None
    assert 0 < row.score <= 1
    assert len(row.evidence["decided"]) <= 3


def test_shared_words_are_the_evidence() -> None:
    [row] = replies("The hall burned. Rita rebuilt the hall.", "Who rebuilt the hall?")
    assert row.evidence["shared"] == ["rebuilt", "hall"]


def test_a_phrase_answers_where_the_reader_is_sure() -> None:
    text = "The hall burned down. The painter Rita Moss rebuilt the hall. Birds nest there."
    [row] = replies(
        text, "Who rebuilt the hall?", name="evidence(answer_with=phrase,encoder=false)"
    )
    assert row.text == "Rita Moss"
    assert text[row.start : row.end] == row.text
    assert row.sentence == (22, 61)


def test_the_passage_s_own_sentences_are_taken() -> None:
    text = "one two three four"
    layer = Layer(spans=((0, 7), (8, 18)))
    [row] = replies(text, "four?", layers={"sentence": layer})
    assert row.sentence == (8, 18)


@given(texts, texts)
def test_offsets_are_those_of_one_sentence(text: str, question: str) -> None:
    for language in ("en", "zh"):
        [row] = replies(text, question, language=language)
        assert row.error is None
        cut = sentences(text, language)
        if cut:
            assert row.sentence in cut
            assert row.text == text[slice(*row.sentence)]
        else:
            assert (row.text, row.sentence) == ("", None)


@pytest.mark.parametrize(
    ("text", "question"),
    [("word " * 20_000, "word?"), ("字" * 100_000, "字？"), ("e\u0301 😀. \ud800", "\udfff 😀?")],
)
def test_long_lines_and_odd_signs_are_read(text: str, question: str) -> None:
    for language in ("en", "zh"):
        [row] = replies(text, question, language=language)
        assert row.error is None


def test_a_third_language_is_refused() -> None:
    with pytest.raises(UsageError, match="reads English and Chinese"):
        replies("Un deux.", "Quoi?", language="fr")


def test_the_signature_names_the_model() -> None:
    signature = prepared(FEATURES, "zh").signature()
    assert len(signature["model"]) == 12
    assert signature["words"].startswith("rjieba ")


def test_questions_on_a_passage_are_answered_together_and_fail_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions = ["When did the bakery open?", "Who runs the bakery?"] * 20
    rows = replies(BAKERY, *questions)
    assert [row.id for row in rows] == [str(number) for number in range(40)]
    assert {row.text for row in rows[::2]} == {"It opened in 1987."}

    from readmark.comprehension.evidence import reader

    read = reader.read_question

    def fail_at_who(question: str, words: Any) -> Any:
        if question == "Who?":
            raise RuntimeError("a word too many")
        return read(question, words)

    monkeypatch.setattr(reader, "read_question", fail_at_who)
    rows = replies(BAKERY, "When did the bakery open?", "Who?", "Who runs the bakery?")
    assert [row.error for row in rows] == [None, "RuntimeError: a word too many", None]
    assert rows[0].text == "It opened in 1987."


@pytest.mark.parametrize(
    ("text", "language", "question", "answer"),
    [
        (BAKERY, "en", "When did the bakery open?", "It opened in 1987."),
        (
            "村裡有一座舊磨坊。磨坊是老周修好的。現在沒有人住在那裡。",
            "zh",
            "磨坊是谁修好的？",
            "磨坊是老周修好的。",
        ),
    ],
)
def test_both_sides_are_in_the_evidence(
    text: str, language: str, question: str, answer: str
) -> None:
    [row] = replies(text, question, language=language, name=WITH_ENCODER)
    [alone] = replies(text, question, language=language)
    assert row.text == alone.text == answer
    assert row.evidence["features"] == alone.score
    assert 0.5 < row.evidence["encoder"] <= 1
    assert row.evidence["decided"] == alone.evidence["decided"]


def test_the_pool_is_the_product_of_powers_that_the_model_states() -> None:
    text = "The mill is red. The barn is green."
    [row] = replies(text, "What is red?", name=WITH_ENCODER)
    pooling = load_ranker().pooling["en"]
    odds = 1.0
    for side, exponent in (("features", pooling.features), ("encoder", pooling.encoder)):
        share = row.evidence[side]
        odds *= (share / (1 - share)) ** exponent
    assert row.score == pytest.approx(odds / (1 + odds), abs=1e-3)


def test_with_the_encoder_a_phrase_is_its_span() -> None:
    name = "evidence(answer_with=phrase)"
    [row] = replies(BAKERY, "What does she bake every morning?", name=name)
    assert row.text == "rye bread"
    assert BAKERY[row.start : row.end] == row.text
    assert row.sentence == (46, len(BAKERY))


@settings(max_examples=25)
@given(texts, texts)
def test_any_text_can_be_read_with_the_encoder(text: str, question: str) -> None:
    for language in ("en", "zh"):
        [row] = replies(text, question, language=language, name=WITH_ENCODER)
        assert row.error is None
        assert (row.sentence in sentences(text, language)) if row.text else row.sentence is None


@pytest.mark.parametrize(("text", "answer"), [("", ""), (" \n", ""), ("One only", "One only")])
def test_passages_of_no_sentence_and_of_one(text: str, answer: str) -> None:
    for question in ("Who?", "", " "):
        [row] = replies(text, question, name=WITH_ENCODER)
        assert (row.error, row.text) == (None, answer)
        assert row.score == (1.0 if answer else None)


def test_the_last_window_of_a_long_passage_is_read() -> None:
    filler = " ".join(f"Shelf {shelf} holds jars and tins of paint." for shelf in range(120))
    text = f"{filler} The lighthouse was built by Ada Crane."
    [row] = replies(text, "Who built the lighthouse?", name=WITH_ENCODER)
    assert row.text == "The lighthouse was built by Ada Crane."
    assert row.evidence["encoder"] > 0.5


def test_answers_hang_on_no_other_question() -> None:
    questions = ["When did the bakery open?", "Who runs the bakery?", "What does she bake?"]
    together = replies(BAKERY, *questions, name=WITH_ENCODER)
    alone = [replies(BAKERY, question, name=WITH_ENCODER)[0] for question in questions]
    assert [msgspec.structs.replace(row, id="0") for row in together] == alone


def test_the_signature_says_which_speed_and_names_the_weights() -> None:
    signatures = {}
    for name in (FEATURES, WITH_ENCODER, f"evidence(span={shipped_model('zh')})"):
        signatures[name] = dict(prepared(name, "zh").signature())
    assert prepared("evidence(encoder=true)", "zh").signature() == signatures[WITH_ENCODER]
    plain, pooled, with_own_weights = signatures.values()
    assert "encoder" not in plain
    span = prepared("span", "zh").signature()
    assert pooled["encoder"] == with_own_weights["encoder"] == span["model"]
    assert pooled["model"] == with_own_weights["model"] != plain["model"]
    assert (pooled["per_language"], with_own_weights["per_language"]) == (
        ["words", "encoder"],
        ["words"],
    )
    assert {"onnxruntime", "tokenizers"} <= pooled.keys() - plain.keys()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "least"), [("en", 79), ("zh", 83)])
def test_the_shipped_model_reads_the_bundle_better_with_the_encoder(
    language: str, least: float, tmp_path: Path
) -> None:
    file = Path(str(files("readmark"))) / "bundle" / f"reading.{language}.jsonl"
    marks = {}
    for number, name in enumerate((FEATURES, WITH_ENCODER)):
        sit(file, name, tmp_path / f"{number}.jsonl")
        done = mark(file, tmp_path / f"{number}.jsonl", metrics=["humsent"])
        marks[name] = done.marks["humsent"].score
    assert marks[WITH_ENCODER] > max(least, marks[FEATURES] + 5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_model_was_pooled_with_the_shipped_encoder(language: str) -> None:
    """Where an encoder is replaced, the pooling is learnt again (the card has the command)."""
    note = load_ranker().pooling[language].note
    assert note["encoder"] == prepared("span", language).signature()["model"]


def test_options_that_contradict_the_encoder_are_refused() -> None:
    for name, message in (
        ("evidence(span=folder,encoder=false)", "not used with encoder=false"),
        ("evidence(batch=0)", "batch=0 is less than 1"),
    ):
        with pytest.raises(UsageError, match=message):
            CANDIDATES.build(name)
    _, reader = CANDIDATES.build(WITH_ENCODER)
    with pytest.raises(UsageError, match=r"evidence\(encoder=false\) reads across languages"):
        reader.begin(Run(languages="en-zh"))


def test_a_sitting_of_the_fast_reader_is_not_finished_by_the_other(tmp_path: Path) -> None:
    """In 0.5 the name `evidence` meant features alone, as the signature of the sitting says."""
    bundle = Path(str(files("readmark"))) / "bundle" / "reading.en.jsonl"
    path = tmp_path / "sitting.jsonl"
    sit(bundle, FEATURES, path, limit=5)
    header, rows = path.read_text("utf-8").split("\n", 1)
    named = msgspec.json.decode(header) | {"candidate": "evidence"}
    path.write_text(f"{msgspec.json.encode(named).decode()}\n{rows}", "utf-8")
    before = path.read_bytes()
    with pytest.raises(DataError, match=r"signature \(.*encoder.*\); choose another file"):
        sit(bundle, "evidence", path, limit=5)
    with pytest.raises(DataError, match=r"candidate .*; choose another file"):
        sit(bundle, FEATURES, path, limit=5)
    assert path.read_bytes() == before
    marked = mark(bundle, path, metrics=["humsent"])
    assert (marked.candidate, marked.units) == ("evidence", 5)
