"""Two annotators' sound annotation of one text, at random: words, phrases, entities, references."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from readmark.core.records import (
    Layer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)

TEXT = "赛后轩芝丝感到灰心。Some say it came. 美国人口增长了3.3%。"
ASKED = ("Who said 她 came?", "谁感到灰心？")
SENTENCES: tuple[Offsets, ...] = ((0, 10), (10, 27), (28, 39))
TYPES = ("PERSON", "TIME", "LOCATION", "NUM")


@st.composite
def _words(draw: st.DrawFn, text: str) -> tuple[Offsets, ...]:
    cuts = draw(st.lists(st.integers(1, len(text) - 1), max_size=10))
    return tuple(pairwise(sorted({0, len(text), *cuts})))


@st.composite
def _phrases(draw: st.DrawFn, text: str) -> tuple[Offsets, ...]:
    cuts = sorted(set(draw(st.lists(st.integers(0, len(text)), max_size=12))))
    found = list(pairwise(cuts))
    return tuple(one for one in found if draw(st.booleans()))


@st.composite
def _annotation(
    draw: st.DrawFn, text: str, who: str, last: int, before: list[int]
) -> tuple[Layers, int]:
    """Layers of a text whose antecedents count on from ``last`` and may refer to those before."""
    phrases = draw(_phrases(text))
    layers = {
        "token": Layer(spans=draw(_words(text)), source=who),
        "np": Layer(spans=phrases, source=who),
    }
    entities = {span: draw(st.sampled_from(TYPES)) for span in phrases if draw(st.booleans())}
    layers["ne"] = Layer(
        spans=tuple(entities), source=who, columns={"type": tuple(entities.values())}
    )
    rows: list[tuple[Offsets, int | None, int | None]] = []
    known = list(before)
    for span in phrases:
        ref = draw(st.none() | st.sampled_from(known)) if known else None
        id = None
        if draw(st.booleans()):
            last += 1
            id = last
            known.append(last)
        if id is not None or ref is not None:
            rows.append((span, id, ref))
    columns: dict[str, tuple[Any, ...]] = {
        "id": tuple(id for _, id, _ in rows),
        "ref": tuple(ref for _, _, ref in rows),
    }
    layers["mention"] = Layer(spans=tuple(one[0] for one in rows), source=who, columns=columns)
    return layers, last


@st.composite
def annotated_by(draw: st.DrawFn, who: str) -> Passage:
    """The passage as one annotator has it: every layer, every question, every published key."""
    layers, last = draw(_annotation(TEXT, who, 0, []))
    mention = layers.pop("mention")
    given = list(range(1, last + 1))
    questions = []
    for number, text in enumerate(ASKED, 1):
        own, further = draw(_annotation(text, who, last, given))
        hidden = {"mention": own.pop("mention")}
        known = list(range(1, further + 1))
        answer, _ = draw(_annotation("轩芝丝 said", who, further, known))
        marked = draw(st.lists(st.sampled_from(SENTENCES), unique=True, max_size=2))
        key = QuestionKey(
            published=(Phrase(text="轩芝丝 said", layers=answer),),
            sentences=tuple(sorted(marked)),
            layers=hidden,
        )
        questions.append(Question(id=f"q{number}", text=text, layers=own, key=key))
    return Passage(
        id="p",
        text=TEXT,
        layers=layers,
        questions=tuple(questions),
        key=RecordKey(layers={"mention": mention}),
    )
