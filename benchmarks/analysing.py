"""How much the analysers add to the libraries that they use.

English: every layer against spaCy's own ``nlp.pipe`` with the same components. Chinese: words
against rjieba alone, and against jieba where that is installed (``pip install jieba``). Both
sides read the same texts in the same process, in turn; each figure is the median of its rounds.

Run: python benchmarks/analysing.py
"""

from __future__ import annotations

import importlib.util
import logging
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable
from importlib.resources import files

import rjieba
import spacy
from figures import Figure

from readmark.formats.registry import open_test
from readmark.text.analysers.registry import analyser
from readmark.text.segmenter import Segmenter

ROUNDS = 7
ENGLISH_TIMES, CHINESE_TIMES, JIEBA_TIMES = 3, 100, 10
COMPONENTS = "tok2vec, tagger, parser, attribute_ruler, lemmatizer, ner"

Side = Callable[[], object]


def texts(language: str) -> list[str]:
    """The passages and questions of the bundled test."""
    test = open_test(str(files("readmark.bundle") / f"reading.{language}.jsonl"))
    return [
        text
        for record in test.records()
        for text in (record.text, *(q.text for q in record.questions))
    ]


def seconds(side: Side) -> float:
    """How long the processor works for one side: other programs do not count."""
    start = time.process_time()
    side()
    return time.process_time() - start


def ratio(one: Side, other: Side, rounds: int = ROUNDS) -> float:
    """The median of one side's seconds over the other's; each begins every other round."""
    found = []
    for at in range(rounds + 1):
        if at % 2:
            mine = seconds(one)
            theirs = seconds(other)
        else:
            theirs = seconds(other)
            mine = seconds(one)
        found.append(mine / theirs)
    return statistics.median(found[1:])  # the first warms both up


def exhaust(items: Iterable[object]) -> None:
    """Take everything and keep nothing."""
    deque(items, maxlen=0)


def english() -> list[Figure]:
    """Every layer of the English analyser."""
    given = texts("en") * ENGLISH_TIMES
    ours = analyser("en")
    exhaust(ours.analyse(given[:2]))
    name = ours.signature().split("(")[1].split("-")[0]
    nlp = spacy.load(name)
    got = ratio(lambda: exhaust(ours.analyse(given)), lambda: exhaust(nlp.pipe(given)))
    return [
        Figure(
            f"English analysis, all layers, against {name}'s nlp.pipe",
            got,
            "times as long",
            most=1.3,
        )
    ]


def chinese() -> list[Figure]:
    """The words of the Chinese segmenter, and their offsets."""
    given = texts("zh") * CHINESE_TIMES
    ours, plain = Segmenter(), rjieba.Jieba()

    def each(work: Callable[[str], object]) -> Side:
        return lambda: exhaust(map(work, given))

    figures = [
        Figure(
            f"Chinese {name}, against rjieba's {theirs.__name__}",
            ratio(each(work), each(theirs)),
            "times as long",
            most=1.5,
        )
        for name, work, theirs in (
            ("words", ours.words, plain.cut),
            ("offsets of words", ours.spans, plain.tokenize),
            ("offsets and tags", ours.tagged, plain.tag),
        )
    ]
    if importlib.util.find_spec("jieba") is None:
        print("jieba is not installed: the figure against it is left out (pip install jieba)")
        return figures
    import jieba

    jieba.setLogLevel(logging.ERROR)
    jieba.initialize()
    few = texts("zh") * JIEBA_TIMES
    got = ratio(lambda: exhaust(map(jieba.lcut, few)), lambda: exhaust(map(ours.spans, few)), 3)
    figures.append(
        Figure("Chinese words as offsets, against jieba", got, "times as fast", least=10)
    )
    return figures


def measure() -> list[Figure]:
    """Both languages."""
    return english() + chinese()


def main() -> int:
    """Print each figure; status 1 when one is not reached."""
    figures = measure()
    for figure in figures:
        print(figure)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
