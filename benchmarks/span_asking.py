"""Makes a test of questions on raw passages, asked as people asked in others, for ``train span``.

    python benchmarks/span_asking.py out/span/zh.passages.xz zh.asked.jsonl --encoder ENCODER \\
        --from out/span/cmrc_train.jsonl.gz --also out/span/drcd_dev.jsonl.gz --reader READER

One network learns what people ask for in a passage, from the tests of ``--from``; another learns to
write the question to an answer, from those and ``--also``. Then answers are drawn in the raw
passages and questions written to them; a question is kept where READER finds its answer.
With ``--model MODEL.gguf --model-tokenizer TOKENIZER.json`` a language model asks and answers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import torch
from tokenizers import Tokenizer as Tool

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.lessons import SpanLesson
from readmark.comprehension.span.masking import make_words
from readmark.comprehension.span.network import load_network
from readmark.comprehension.span.settings import SpanPlan
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from training.span.clozes.articles import CUTS, read_articles, records
from training.span.language_model import load_model, write_questions
from training.span.question_writer import make_writer, write
from training.span.questions import (
    QUESTION,
    Source,
    asked_for,
    choose_answers,
    cloze_of,
    lessons_of,
    make_chooser,
    practise,
    recovered,
    sources,
)

BEGUN = time.monotonic()
CUDA = torch.cuda.is_available()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("passages", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--encoder", required=True, help="that tells words: words.safetensors")
    asked.add_argument("--from", dest="tests", nargs="+", required=True)
    asked.add_argument("--also", nargs="*", default=[], help="tests to learn writing from")
    asked.add_argument("--reader", type=Path, help="that must find the answers; waited for")
    asked.add_argument("--least", type=float, default=0.4, help="F1 of what the reader finds")
    asked.add_argument("--each", type=int, default=4, help="questions a passage")
    asked.add_argument("--limit", type=int, help="passages, drawn")
    asked.add_argument("--model", type=Path, help="language model in GGUF; waited for")
    asked.add_argument("--model-tokenizer", type=Path)
    asked.add_argument("--batch", type=int, default=640, help="passages the model reads at once")
    asked.add_argument("--warmth", type=float, default=0.6)
    asked.add_argument("--minutes", type=float, default=1.0, help="of learning what to ask for")
    asked.add_argument("--more", type=float, default=2.3, help="minutes of learning how to ask")
    asked.add_argument("--epochs", type=int, default=16)
    asked.add_argument("--language", default="zh")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    shape = SpanShape(language=given.language, simplify=given.language == "zh", answer=100)
    tokenizer = load_tokenizer(Path(given.encoder), simplify=shape.simplify)
    own, others = (
        [replace(one, spans=one.spans[:1]) for name in names for one in lessons_of(name)]
        for names in (given.tests, given.also)
    )
    log(f"{len(own)} and {len(others)} questions to learn from")
    articles = read_articles(given.passages)
    Random(given.seed).shuffle(articles)
    articles = articles[: given.limit]
    joint = CUTS[given.language].joint
    texts = [joint.join(article.sentences) for article in articles]
    plan = SpanPlan(
        rate=3e-4,
        batch=64,
        epochs=given.epochs,
        minutes=given.minutes,
        average=0.998,
        seed=given.seed,
    )
    if given.model:
        titles = [article.title for article in articles]
        lessons = list(asked_of_model(list(zip(titles, texts, strict=True)), given))
    else:
        pairs = list(chosen(own, texts, shape, tokenizer, plan, given))
        log(f"{len(pairs)} answers in {len(texts)} passages")
        plan = replace(plan, rate=5e-4, minutes=given.more)
        lessons = list(written([*own, *others], texts, pairs, tokenizer, plan, given))
    lessons = list(fitting(lessons, shape, tokenizer))
    log(f"{len(lessons)} questions")
    if given.reader:
        lessons = list(returned(lessons, shape, tokenizer, given))
    save_test(in_memory(_header(given.language), list(records(map(cloze_of, lessons)))), given.out)
    log(f"{len(lessons)} questions written to {given.out}")


def log(message: str) -> None:
    print(f"{time.monotonic() - BEGUN:.0f} s: {message}", flush=True)


def chosen(
    lessons: Sequence[SpanLesson],
    texts: Sequence[str],
    shape: SpanShape,
    tokenizer: Tokenizer,
    plan: SpanPlan,
    given: argparse.Namespace,
) -> Iterator[tuple[int, int, int]]:
    """What to ask for: a text's number, and where the answer begins and ends."""
    chooser = make_chooser(load_network(given.encoder, dropout=0.1))
    packed = asked_for(lessons, shape, tokenizer, given.seed)
    device = "cuda" if CUDA else "cpu"
    data = to_device(torch, packed, device)
    practise(
        chooser,
        plan,
        lambda epoch: list(batches(packed, 32, epoch)),
        lambda places: chooser(batch(torch, data, places, device)),
        lambda said: log(f"what to ask for: {said}"),
    )
    drawn = choose_answers(
        chooser, texts, shape, tokenizer, many=given.each, seed=given.seed, half=CUDA
    )
    yield from sorted(drawn)


def asked_of_model(
    passages: Sequence[tuple[str, str]], given: argparse.Namespace
) -> Iterator[SpanLesson]:
    """Questions that a language model asks of passages with titles, as many as time allows."""
    from transformers import PreTrainedTokenizerFast

    while not given.model.is_file():
        time.sleep(1)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(given.model_tokenizer))
    model = load_model(given.model, "cuda" if CUDA else "cpu")
    log("the language model writes")
    for text, question, place in write_questions(
        model,
        tokenizer,
        passages,
        given.language,
        batch=given.batch,
        minutes=given.more,
        log=log,
    ):
        yield SpanLesson(text, question, (place,))


def written(
    lessons: Sequence[SpanLesson],
    texts: Sequence[str],
    pairs: Sequence[tuple[int, int, int]],
    tokenizer: Tokenizer,
    plan: SpanPlan,
    given: argparse.Namespace,
) -> Iterator[SpanLesson]:
    """Questions to answers."""
    encoder = load_network(given.encoder, dropout=0.1).encoder
    writer = make_writer(encoder, make_words(encoder, given.encoder))
    known = [
        source
        for source in sources(
            [(lesson.text, *lesson.spans[0], lesson.question) for lesson in lessons], tokenizer
        )
        if source is not None
    ]
    practise(
        writer,
        plan,
        lambda epoch: list(_drawn(known, plan.batch, epoch)),
        writer,
        lambda said: log(f"how to ask: {said}"),
    )
    rest = list(sources([(texts[at], start, end, "") for at, start, end in pairs], tokenizer))
    order = sorted(
        ((at, one) for at, one in enumerate(rest) if one is not None),
        key=lambda pair: len(pair[1].ids),
    )
    noise = torch.Generator("cuda" if CUDA else "cpu").manual_seed(given.seed)
    words = _words(given.encoder)
    made: dict[int, list[int]] = {}
    for first in range(0, len(order), 1024):
        some = order[first : first + 1024]
        found = write(writer, [one for _, one in some], warmth=given.warmth, drawn=noise, half=CUDA)
        made.update((at, ids) for (at, _), ids in zip(some, found, strict=True))
    # Questions on one text stay together: it is cut into tokens once.
    for at in sorted(made):
        number, start, end = pairs[at]
        question = joined([words[one] for one in made[at]])
        if len(question) > 3:
            yield SpanLesson(texts[number], question, ((start, end),))


def _drawn(known: Sequence[Source], size: int, seed: int) -> Iterator[list[Source]]:
    """Sources of about one length together, in an order that is drawn."""
    draw = Random(seed)
    order = list(range(len(known)))
    draw.shuffle(order)
    found: list[list[int]] = []
    for at in range(0, len(order), size * 32):
        some = sorted(order[at : at + size * 32], key=lambda one: len(known[one].ids))
        found.extend(some[first : first + size] for first in range(0, len(some), size))
    draw.shuffle(found)
    for some in found:
        yield [known[at] for at in some]


def _words(folder: str) -> dict[int, str]:
    tool = Tool.from_file(str(Path(folder) / "tokenizer.json"))
    return {at: word for word, at in tool.get_vocab().items()}


def joined(pieces: Sequence[str]) -> str:
    """Word pieces as text, with space between words of letters alone."""
    text = ""
    for piece in pieces:
        if piece.startswith("##"):
            text += piece[2:]
        else:
            apart = text and text[-1].isascii() and text[-1].isalnum()
            text += " " * bool(apart and piece[0].isascii() and piece[0].isalnum()) + piece
    return text


def fitting(
    lessons: Sequence[SpanLesson], shape: SpanShape, tokenizer: Tokenizer
) -> Iterator[SpanLesson]:
    """The questions that fit a window together with their passages."""
    texts = list(dict.fromkeys(lesson.text for lesson in lessons))
    lengths = dict(zip(texts, (len(cut.ids) for cut in tokenizer.cut(texts)), strict=True))
    questions = tokenizer.cut([lesson.question for lesson in lessons])
    for lesson, question in zip(lessons, questions, strict=True):
        if len(question.ids) <= QUESTION and lengths[lesson.text] <= shape.room(QUESTION):
            yield lesson


def returned(
    lessons: Sequence[SpanLesson], shape: SpanShape, tokenizer: Tokenizer, given: argparse.Namespace
) -> Iterator[SpanLesson]:
    """The questions whose answers the reader finds."""
    while not (given.reader / "span.json").is_file():
        time.sleep(1)
    reader = load_network(str(given.reader))
    reader.to("cuda" if CUDA else "cpu")
    log("the way back")
    tokenizer = load_tokenizer(given.reader, simplify=shape.simplify)
    again = recovered(reader, lessons, shape, tokenizer, least=given.least, half=CUDA)
    for one, kept in zip(lessons, again, strict=True):
        if kept:
            yield one


def _header(language: str) -> Header:
    return Header(
        name="questions asked of Wikipedia", language=language, licence="CC BY-SA (Wikipedia)"
    )


if __name__ == "__main__":
    main()
