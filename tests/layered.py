"""Random texts with layers that annotation formats hold whole."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from readmark.core.records import Layer, Passage, RecordKey

LETTERS = (
    "abe AB.,'\"\\/0 7\n\t北京大学，。“”３％😀👩‍🚀𠮷e\u0301ñ\u0928\u093f\u200d\u2028\ufeff\r_#%"
)
texts = st.text(st.sampled_from(LETTERS), min_size=1, max_size=40)
words = st.sampled_from(["run", "New York", "", "7", "null", "北京", '"', "a\tb\nc", "😀", "[1]"])
cells = (
    st.none() | words | st.integers(-3, 9) | st.booleans() | st.lists(st.integers(0, 9), max_size=2)
)
ids = st.sampled_from(["p", "北 京", "a/b", "..", ".x", "%41", "a%2Fb", "x.y", "😀", "p:1"])


@st.composite
def spans(draw: st.DrawFn, text: str, *, least: int = 0) -> tuple[tuple[int, int], ...]:
    """Spans in the order of the text, some of them empty, equal or crossing."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text) - least))
        found.append((start, draw(st.integers(start + least, len(text)))))
    return tuple(sorted(found))


@st.composite
def layers(draw: st.DrawFn, text: str, *, least: int = 0) -> Layer:
    """A layer with a column or none."""
    over = draw(spans(text, least=least))
    names = draw(st.lists(st.sampled_from(["lemma", "pos", "own"]), max_size=2, unique=True))
    columns = {name: tuple(draw(cells) for _ in over) for name in names}
    return Layer(spans=over, source=draw(st.sampled_from(["", "by hand", "甲"])), columns=columns)


@st.composite
def entities(draw: st.DrawFn, text: str, *, least: int = 0) -> Layer:
    """Entities with types, plain words and others."""
    layer = draw(layers(text, least=least))
    types = st.sampled_from(["PERSON", "TIME", "地名", "NP", "layer-x", "two words", "", None])
    return Layer(
        spans=layer.spans,
        source=layer.source,
        columns={"type": tuple(draw(types) for _ in layer.spans), **layer.columns},
    )


@st.composite
def mentions(draw: st.DrawFn, text: str, *, least: int = 0) -> Layer:
    """Anaphors and antecedents, some of them dangling."""
    over = draw(spans(text, least=least))
    some = st.none() | st.integers(1, 3)
    columns: dict[str, tuple[Any, ...]] = {
        "id": tuple(draw(some) for _ in over),
        "ref": tuple(draw(some) for _ in over),
    }
    return Layer(spans=over, source="by hand", columns=columns)


@st.composite
def passages(draw: st.DrawFn, *, least: int = 0) -> Passage:
    """A passage with layers of every sort."""
    text = draw(texts)
    sorts = {
        "sentence": layers(text, least=least),
        "token": layers(text, least=least),
        "np": layers(text, least=least),
        "ne": entities(text, least=least),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(sorts))))
    hidden = {}
    if draw(st.booleans()):
        hidden["mention"] = draw(mentions(text, least=least))
    if draw(st.booleans()):
        hidden["clause"] = draw(layers(text, least=least))
    return Passage(
        id=draw(ids),
        text=text,
        layers={name: draw(sorts[name]) for name in sorts if name in chosen},
        key=RecordKey(layers=hidden) if hidden else None,
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    begins = start + len(inside) - len(inside.lstrip())
    return begins, begins + len(inside.strip())


@st.composite
def segmented(draw: st.DrawFn) -> Passage:
    """A passage whose sentences and tokens lie side by side; phrases are runs of tokens."""
    text = draw(texts.filter(str.strip))
    cuts = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=4))})
    sentences = [_trimmed(text, *one) for one in pairwise(cuts)]
    sentences = [one for one in sentences if one[0] < one[1]]
    tokens, where = [], []
    for number, (start, end) in enumerate(sentences):
        inside = sorted({start, end, *draw(st.lists(st.integers(start, end), max_size=4))})
        for one in pairwise(inside):
            if text[slice(*one)].strip():
                tokens.append(_trimmed(text, *one))
                where.append(number)
    heads = [
        draw(st.sampled_from([at for at, own in enumerate(where) if own == number]))
        for number in where
    ]
    some = st.sampled_from
    columns = {
        "lemma": tuple(draw(some(["run", "北京", "a b", "x|y"])) for _ in tokens),
        "pos": ("NOUN", *(draw(some(["NOUN", None, "VERB"])) for _ in tokens[1:])),
        "head": tuple(heads),
        "misc": ("Gloss=x", *(draw(some([None, "A=b|C=d", "Z"])) for _ in tokens[1:])),
    }
    parts = tuple(draw(some(["title", "story", 7, True, "null"])) for _ in sentences)
    made = {
        "sentence": Layer(spans=tuple(sentences), source="by hand", columns={"part": parts}),
        "token": Layer(spans=tuple(tokens), columns=columns),
    }
    for name in ("np", "ne"):
        runs = draw(_runs(tokens, where))
        types = ("PERSON", *(draw(some(["PERSON", "地名", None])) for _ in runs[1:]))
        if runs:
            held = {"type": types} if name == "ne" else {}
            made[name] = Layer(spans=tuple(runs), source="甲", columns=held)
    return Passage(id=draw(some(["p", "北 京", "a/b = c"])), text=text, layers=made)


@st.composite
def _runs(
    draw: st.DrawFn, tokens: list[tuple[int, int]], where: list[int]
) -> list[tuple[int, int]]:
    """Runs of tokens within a sentence, none over another."""
    found = []
    at = 0
    while at < len(tokens):
        length = draw(st.integers(0, 3))
        run = [n for n in range(at, min(at + length, len(tokens))) if where[n] == where[at]]
        if run:
            found.append((tokens[run[0]][0], tokens[run[-1]][1]))
        at += max(1, len(run))
    return found
