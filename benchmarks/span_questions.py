"""Makes a test of questions on raw English passages, for ``readmark train span``.

    python benchmarks/span_data.py ../shared/data out/span
    python benchmarks/span_questions.py out/span/en.passages.xz out/span/en.questions.jsonl.gz \\
        --articles 3000

A question is put to another passage of its article, or to its own without the sentence that it was
made of, where one tells the answer in other words; else it is now and then kept with that sentence.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from random import Random

from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.text.analysers.english import PIPELINES
from training.span.clozes.articles import Article, Cloze, read_articles, records
from training.span.clozes.english_questions import elsewhere, questions

PIPELINE = PIPELINES[-1]  # the one that comes with Readmark


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("passages", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--articles", type=int, default=3000)
    asked.add_argument("--each", type=int, default=8, help="questions tried a passage")
    asked.add_argument("--kept", type=float, default=0.03, help="questions with their sentence")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=1)
    given = asked.parse_args()
    found = [list(run) for _, run in groupby(read_articles(given.passages), lambda one: one.title)]
    found = found[:: max(1, len(found) // given.articles)][: given.articles]
    made: list[Passage] = []
    told = Counter[str]()
    for clozes in asked_of(found, given, told):
        made.extend(records(clozes, len(made)))
    header = Header(
        name="questions made of Wikipedia", language="en", licence="CC BY-SA 3.0 (Wikipedia)"
    )
    save_test(in_memory(header, made), given.out)
    print(len(made), "passages", sum(len(one.questions) for one in made), "questions", dict(told))


def asked_of(
    articles: Sequence[Sequence[Article]], given: argparse.Namespace, told: Counter[str]
) -> Iterator[list[Cloze]]:
    """The questions of each article."""
    import spacy

    nlp = spacy.load(PIPELINE)
    texts = [[" ".join(one.sentences) for one in article] for article in articles]
    pairs = ((text, at) for at, own in enumerate(texts) for text in own)
    clozes: list[Cloze] = []
    last = 0
    for doc, at in nlp.pipe(pairs, as_tuples=True, batch_size=64, n_process=given.processes):
        if at != last:
            yield clozes
            clozes, last = [], at
        draw = Random(f"{given.seed} {at} {doc.text[:80]}")
        others = [text for text in texts[at] if text != doc.text]
        title = articles[at][0].title
        for question in questions(doc, title, draw, given.each):
            found = elsewhere(question, doc.text, others, title)
            told["elsewhere"] += found is not None
            if found is None and draw.random() < given.kept:
                found = Cloze(doc.text, question.question, question.answer, question.start)
                told["kept"] += 1
            if found is not None:
                clozes.append(found)
    yield clozes


if __name__ == "__main__":
    main()
