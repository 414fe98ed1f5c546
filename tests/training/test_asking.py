"""Learning what to ask for and how, and the way back, with encoders made here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import SpanLesson
from readmark.comprehension.span.masking import make_words, save_words
from readmark.comprehension.span.network import load_network
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from span_encoder import write_encoder
from training.span.question_writer import make_writer, write
from training.span.questions import (
    Source,
    asked_for,
    best_spans,
    choose_answers,
    make_chooser,
    practise,
    recovered,
    sources,
)

pytestmark = [pytest.mark.torch, pytest.mark.slow]
torch: Any = None
SHAPE = SpanShape(language="en", length=64, question=16, answer=8)


@pytest.fixture(scope="module", autouse=True)
def parts() -> Iterator[None]:
    """What takes seconds to import is imported when a test runs; one thread is fastest here."""
    global torch
    torch = pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("transformers", reason="transformers is not installed")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory, parts: None) -> Path:
    return write_encoder(tmp_path_factory.mktemp("asking") / "encoder")


@pytest.fixture(scope="module")
def tokenizer(encoder: Path) -> Tokenizer:
    return load_tokenizer(encoder, simplify=False)


def farm_lessons(count: int) -> list[SpanLesson]:
    """Who keeps what where: the keeper is asked for by a question on the animal, and so on."""
    draw = Random(1)
    made = []
    for _ in range(count):
        who, beast, place = (
            draw.choice(words.split())
            for words in ("anna bo cleo dan eve", "goat dog cat hens", "barn river mill pond")
        )
        text = f"{who} keeps the {beast} in the old {place}."
        kind = draw.randrange(2)
        asked = (f"who keeps the {beast}?", f"where is the {beast}?")[kind]
        wanted = (who, place)[kind]
        start = text.index(wanted)
        made.append(SpanLesson(text, asked, ((start, start + len(wanted)),)))
    return made


def sources_of(lessons: list[SpanLesson], tokenizer: Tokenizer) -> list[Source]:
    pairs = [(one.text, *one.spans[0], one.question) for one in lessons]
    return [one for one in sources(pairs, tokenizer) if one is not None]


def test_questions_are_written_to_the_answer_that_is_marked(
    encoder: Path, tokenizer: Tokenizer
) -> None:
    lessons = farm_lessons(160)
    known = sources_of(lessons, tokenizer)
    network = load_network(str(encoder)).encoder
    writer = make_writer(network, make_words(network, encoder))
    losses = practise(
        writer,
        SpanPlan(rate=3e-3, epochs=25, seed=2, device="cpu"),
        lambda epoch: [known[at : at + 16] for at in range(0, len(known), 16)],
        writer,
        lambda said: None,
    )
    assert losses[-1] < losses[0] / 2
    made = write(writer, known[:40], warmth=0.0, drawn=None)
    right = sum(ids == one.question[:-1].tolist() for ids, one in zip(made, known, strict=False))
    assert right >= 36


def test_words_are_written_as_the_whole_would_tell_them(
    encoder: Path, tokenizer: Tokenizer
) -> None:
    """Keys and values that are kept give the words that all tokens read at once give."""
    torch.manual_seed(4)
    network = load_network(str(encoder)).encoder
    writer = make_writer(network, make_words(network)).eval()
    torch.nn.init.normal_(writer.words.dense.weight, std=0.5)
    known = sources_of(farm_lessons(6), tokenizer)
    made = write(writer, known, warmth=0.0, drawn=None)
    for one, ids in zip(known, made, strict=True):
        so_far: list[int] = []
        source = torch.from_numpy(one.ids).long()
        marks = torch.nn.functional.pad(torch.from_numpy(one.marks).long(), (0, 0))
        for want in [*ids[:5], *([] if len(ids) > 5 or not ids else [tokenizer.between])]:
            tokens = torch.tensor([tokenizer.between, *so_far])
            count, more = len(source), len(tokens)
            types = torch.tensor([min(at, 1) for at in range(more)])
            positions = torch.arange(count + more)
            known_source = writer.known(
                source[None], 0 * source[None], positions[:count], marks[None]
            )
            known_own = writer.known(tokens[None], types[None], positions[count:], None)
            seen = torch.full((count + more, count + more), -1e4).triu(1)
            seen[:count, :count] = 0
            both = torch.cat([known_source, known_own], 1)
            states, _ = writer.through(both, seen[None, None], positions)
            scores = writer.words.scores(states)[0, -1]
            scores[: tokenizer.between] = -1e4
            assert int(scores.argmax()) == want
            so_far.append(want)


def test_what_people_ask_for_is_chosen(encoder: Path, tokenizer: Tokenizer) -> None:
    lessons = farm_lessons(160)
    chooser = make_chooser(load_network(str(encoder)))
    packed = asked_for(lessons, SHAPE, tokenizer, 1)
    data = to_device(torch, packed, "cpu")
    practise(
        chooser,
        SpanPlan(rate=3e-3, epochs=10, seed=2, device="cpu"),
        lambda epoch: list(batches(packed, 16, epoch)),
        lambda places: chooser(batch(torch, data, places, "cpu")),
        lambda said: None,
    )
    texts = ["goat " * 80, *sorted({one.text for one in lessons})[:30]]
    found = list(choose_answers(chooser, texts, SHAPE, tokenizer, many=3, seed=3))
    assert {at for at, *_ in found} == set(range(1, 31)), "the long one fits no window"
    said = [texts[at][start:end] for at, start, end in found]
    wanted = {"anna", "bo", "cleo", "dan", "eve", "barn", "river", "mill", "pond"}
    assert sum(one in wanted for one in said) > 0.6 * len(said)
    assert found == list(choose_answers(chooser, texts, SHAPE, tokenizer, many=3, seed=3))


def test_a_question_is_kept_where_its_answer_is_found(encoder: Path, tokenizer: Tokenizer) -> None:
    lessons = farm_lessons(40)
    reader = load_network(str(encoder))

    class Knows(torch.nn.Module):  # type: ignore[misc, name-defined]
        """Finds the last but one word of every window, and nothing else."""

        def __init__(self) -> None:
            super().__init__()
            self.reader = reader

        def forward(self, ids: Any, types: Any, mask: Any) -> Any:
            scores = torch.zeros((*ids.shape, 2))
            last = mask.sum(1) - 3
            scores[torch.arange(len(ids)), last] = 5.0
            return scores

    kept = list(recovered(Knows(), lessons, SHAPE, tokenizer, least=0.5, size=8))
    assert kept == [one.question.startswith("where") for one in lessons]


def test_the_best_span_is_within_reach_and_within_the_passage() -> None:
    scores = torch.zeros(1, 6, 2)
    scores[0, 0] = 9.0  # no answer
    scores[0, 2, 0], scores[0, 5, 1], scores[0, 3, 1] = 4.0, 4.0, 1.0
    open_ = torch.tensor([[True, False, True, True, True, True]])
    for longest, last in ((4, 5), (3, 3)):
        first, found = best_spans(torch, scores, open_, longest)
        assert (int(first), int(found)) == (2, last)


def test_a_head_that_tells_words_is_kept_beside_its_encoder(encoder: Path, tmp_path: Path) -> None:
    network = load_network(str(encoder)).encoder
    words = make_words(network)
    torch.nn.init.normal_(words.bias)
    save_words(words, tmp_path)
    again = make_words(network, tmp_path)
    states = torch.randn(3, network.config.hidden_size)
    assert torch.equal(words.scores(states), again.scores(states))
