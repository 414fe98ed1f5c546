"""Random texts, tests and documents for property tests: English, Chinese, emoji, odd spellings."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.native import with_id

ALPHABET = (
    "abe AB.,'\"\\/0 7\r\n\t北京大学，。“”３％😀👩‍🚀𠮷e\u0301ñ\u0928\u093f\u200d\u2028\ufeff\u0000"
)
"""Letters, breaks, Han inside and outside the basic plane, emoji, joiners, combining marks."""

texts = st.text(st.sampled_from(ALPHABET), max_size=40)
filled = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=40)
names = st.text(st.sampled_from("abxyz_北"), min_size=1, max_size=4)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
fields = st.just({}) | st.dictionaries(names, json_values, max_size=2)
"""Members of one's own; their names are never those of a format."""


@dataclass(frozen=True)
class Holding:
    """What a format holds of a test without loss."""

    offsets: bool = True
    articles: bool = True
    plausible: bool = True
    unanswerable: bool = False
    annotators: bool = False
    levels: st.SearchStrategy[int | str | None] | None = None
    everything: bool = False


LETTERED = st.none() | st.sampled_from(["easy", "难"])
HOLDINGS = {
    "squad": Holding(levels=LETTERED),
    "squad2": Holding(unanswerable=True, levels=LETTERED),
    "drcd": Holding(unanswerable=True, annotators=True, levels=LETTERED),
    "smart": Holding(unanswerable=True, annotators=True, levels=st.none() | st.integers(1, 4)),
    "cmrc2018": Holding(offsets=False, articles=False, plausible=False),
    "native": Holding(
        unanswerable=True,
        annotators=True,
        levels=LETTERED | st.integers(),
        everything=True,
    ),
}


@st.composite
def spans(draw: st.DrawFn, text: str) -> tuple[int, int]:
    """A stretch of a text, start and end."""
    start = draw(st.integers(0, len(text)))
    return start, draw(st.integers(start, len(text)))


@st.composite
def answers(draw: st.DrawFn, text: str, holding: Holding) -> Answer:
    """An answer that truly stands in the text."""
    start, end = draw(spans(text))
    annotator = draw(st.none() | names) if holding.annotators else None
    if not holding.offsets:
        return Answer(text=text[start:end])
    if not holding.everything:
        return Answer(text=text[start:end], start=start, annotator=annotator)
    return Answer(
        text=text[start:end],
        start=draw(st.none() | st.just(start)),
        end=draw(st.none() | st.just(end)),
        annotator=annotator,
        sentence=draw(st.none() | spans(text)),
        score=draw(st.none() | st.floats(0, 1)),
    )


@st.composite
def layers(draw: st.DrawFn, text: str) -> dict[str, Layer]:
    """Standoff layers over a text."""
    found = {}
    for name in draw(st.lists(st.sampled_from(["token", "np", "own"]), max_size=2, unique=True)):
        over = draw(st.lists(spans(text), max_size=3))
        column = tuple(draw(st.lists(texts, min_size=len(over), max_size=len(over))))
        found[name] = Layer(spans=tuple(over), source="made", columns={"tag": column})
    return found


@st.composite
def question_keys(draw: st.DrawFn, text: str, holding: Holding) -> QuestionKey:
    """A key that says something."""
    some = st.lists(answers(text, holding), min_size=1, max_size=3).map(tuple)
    unanswerable = holding.unanswerable and draw(st.booleans())
    key = QuestionKey(
        answers=() if unanswerable else draw(some),
        unanswerable=unanswerable,
        plausible=draw(st.just(()) | some) if holding.plausible else (),
        level=draw(holding.levels) if holding.levels is not None else None,
        fields=draw(fields),
    )
    if not holding.everything:
        return key
    return QuestionKey(
        **{name: getattr(key, name) for name in ("answers", "unanswerable", "plausible", "level")},
        published=tuple(draw(st.lists(st.builds(Phrase, text=texts), max_size=2))),
        sentences=tuple(draw(st.lists(spans(text), max_size=2))),
        type=draw(st.none() | texts),
        difficulty=draw(st.none() | texts),
        layers=draw(layers(text)),
        fields=key.fields,
    )


@st.composite
def questions(draw: st.DrawFn, id: str, text: str, holding: Holding) -> Question:
    """A question, with a key or without."""
    asked = draw(texts)
    key = draw(st.none() | question_keys(text, holding))
    if not holding.everything:
        return Question(id=id, text=asked, key=key)
    return Question(
        id=id,
        text=asked,
        series=draw(st.none() | names),
        turn=draw(st.none() | st.integers(0, 9)),
        parallel=draw(st.none() | names),
        options=tuple(draw(st.lists(texts, max_size=3))),
        layers=draw(layers(asked)),
        fields=draw(fields),
        key=key,
    )


@st.composite
def passages(draw: st.DrawFn, id: str, holding: Holding) -> Passage:
    """A passage with questions whose ids begin with its number."""
    text = draw(filled)
    asked = [
        draw(questions(f"{id}问{number}", text, holding))
        for number in range(draw(st.integers(0, 3)))
    ]
    own = draw(fields)
    passage = Passage(
        id=draw(st.sampled_from([id, id, ""])),
        text=text,
        title=draw(st.none() | texts),
        article=draw(st.none() | texts) if holding.articles else None,
        questions=tuple(asked),
        key=RecordKey(fields=own) if own else None,
    )
    if not holding.everything:
        return passage
    said = {name: draw(st.none() | texts) for name in ("dateline", "genre", "topic", "parallel")}
    kept = {name: getattr(passage, name) for name in ("id", "title", "article", "questions", "key")}
    return Passage(text=text, layers=draw(layers(text)), fields=draw(fields), **said, **kept)


@st.composite
def random_tests(draw: st.DrawFn, format: str = "native") -> Test:
    """A comprehension test that the format can hold, whole."""
    records = [
        with_id(draw(passages(f"p{number}", HOLDINGS[format])))
        for number in range(draw(st.integers(1, 4)))
    ]
    return in_memory(Header(name="made"), records)


# Documents, with every spelling that the reader takes: the same member absent, null, a number.

_labels = st.none() | texts | st.integers(0, 99)


@st.composite
def _objects(draw: st.DrawFn, required: dict[str, Any], optional: dict[str, Any]) -> dict[str, Any]:
    made = {name: draw(value) for name, value in required.items()}
    for name, value in optional.items():
        if draw(st.booleans()):
            made[name] = draw(value)
    return {**draw(fields), **made}


@st.composite
def squad_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document of SQuAD's shape, of any of the four formats."""
    levels = draw(
        st.sampled_from([st.integers(1, 4), st.none() | texts | st.floats(0, 1) | st.booleans()])
    )
    one_answer = _objects(
        {"text": texts},
        {"answer_start": st.none() | st.integers(-1, 50), "id": _labels},
    )
    if draw(st.booleans()):
        one_answer = st.fixed_dictionaries({"text": texts, "answer_start": st.integers(0, 9)})
    some = st.lists(one_answer, max_size=2)
    optional = {
        "answers": some,
        "plausible_answers": some,
        "is_impossible": st.booleans(),
        "level": levels,
    }
    members = draw(st.sets(st.sampled_from(sorted(optional))))
    question = _objects({"question": texts}, {name: optional[name] for name in sorted(members)})
    paragraph = _objects({"context": texts, "qas": st.lists(question, max_size=3)}, {})
    article = _objects(
        {"paragraphs": st.lists(paragraph, max_size=3)},
        {"title": st.none() | st.sampled_from(["t", "题", 3]), "id": _labels},
    )
    document = draw(
        _objects(
            {"data": st.lists(article, max_size=3)},
            {"version": st.sampled_from(["1.1", "v2.0", None, 2])},
        )
    )
    passages = [one for article in document["data"] for one in article["paragraphs"]]
    _give_ids(draw, passages, "id", required=False)
    _give_ids(draw, [one for passage in passages for one in passage["qas"]], "id", required=True)
    return document


@st.composite
def cmrc2018_documents(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A document of CMRC 2018's own shape."""
    query = _objects({"query_text": texts}, {"answers": st.lists(texts, max_size=3)})
    context = _objects(
        {"context_text": texts, "qas": st.lists(query, max_size=3)}, {"title": _labels}
    )
    document = draw(st.lists(context, min_size=1, max_size=3))
    _give_ids(draw, document, "context_id", required=False)
    queries = [one for context in document for one in context["qas"]]
    _give_ids(draw, queries, "query_id", required=True)
    return document


def _give_ids(draw: st.DrawFn, owners: list[dict[str, Any]], name: str, *, required: bool) -> None:
    """Ids that never repeat, as text or as numbers; now and then none where none is needed."""
    for number, owner in enumerate(owners):
        owner.pop(name, None)
        sort = draw(st.sampled_from(["text", "number", "text" if required else "none"]))
        if sort != "none":
            owner[name] = number if sort == "number" else f"i{number}"
        elif draw(st.booleans()):
            owner[name] = draw(st.sampled_from([None, ""]))
