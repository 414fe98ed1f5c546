"""A test as a value: its paper without the key, its units' fields, and its facts."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError, UsageError
from readmark.core.problems import Problem
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

encode = msgspec.json.Encoder().encode


def strings_in(value: Any) -> set[str]:
    """Every text that is a value or a name anywhere inside a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*(strings_in(member) for pair in value.items() for member in pair))
    if isinstance(value, list):
        return set().union(*(strings_in(member) for member in value))
    return set()


# Texts of the key begin with a letter that texts of the paper never have.
secrets = st.text(st.sampled_from("αβγ密钥"), min_size=3, max_size=6).map("κ".__add__)
shown = st.text(st.sampled_from("ab 京，。"), max_size=8)
maybe = st.none() | secrets
secret_fields = st.dictionaries(secrets, secrets | st.lists(secrets, max_size=2), max_size=2)
offsets = st.tuples(st.integers(0, 9), st.integers(0, 9))


def secret_layers() -> st.SearchStrategy[dict[str, Layer]]:
    layer = st.builds(
        Layer,
        spans=st.just(((0, 1),)),
        source=secrets,
        quotes=st.tuples(secrets),
        columns=st.dictionaries(secrets, st.tuples(secrets), max_size=1),
    )
    return st.dictionaries(secrets, layer, max_size=1)


def some(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


secret_answers = st.builds(
    Answer, text=secrets, annotator=maybe, start=st.none() | st.integers(0, 9)
)
record_keys = st.none() | st.builds(RecordKey, layers=secret_layers(), fields=secret_fields)
question_keys = st.none() | st.builds(
    QuestionKey,
    answers=some(secret_answers),
    published=some(st.builds(Phrase, text=secrets, layers=secret_layers())),
    sentences=some(offsets),
    unanswerable=st.booleans(),
    plausible=some(secret_answers),
    type=maybe,
    level=maybe,
    difficulty=maybe,
    layers=secret_layers(),
    fields=secret_fields,
)
questions = st.builds(
    Question, id=shown, text=shown, options=some(shown), fields=st.just({"a": 1}), key=question_keys
)
passages = st.builds(
    Passage, id=shown, text=shown, title=shown, questions=some(questions), key=record_keys
)
rewrite_keys = st.none() | st.builds(
    SeriesQuestionKey, rewrites=some(secret_answers), guidelines=maybe, fields=secret_fields
)
series = st.builds(
    Series,
    id=shown,
    target=shown,
    questions=some(st.builds(SeriesQuestion, id=shown, text=shown, key=rewrite_keys)),
    key=record_keys,
)


@pytest.mark.parametrize(("kind", "records"), [("comprehension", passages), ("series", series)])
def test_no_text_of_the_key_is_on_the_paper(
    kind: str, records: st.SearchStrategy[Passage | Series]
) -> None:
    @given(records)
    def property_of(record: Passage | Series) -> None:
        test = in_memory(Header(kind=kind), [record])
        texts = strings_in(msgspec.json.decode(encode(record)))
        secret = {text for text in texts if "κ" in text}
        paper = next(test.paper().stream(_never))[1]
        written = encode(paper).decode()
        assert not {text for text in secret if text in written}
        assert '"key"' not in written
        assert all(unit.key is None for unit in test.kind.units(paper))
        # What is left is the record itself, less its keys.
        assert texts - secret - {"key"} >= strings_in(msgspec.json.decode(written))
        assert [unit.id for unit in test.kind.units(paper)] == [
            unit.id for unit in test.kind.units(record)
        ]

    property_of()


def test_mentions_are_never_on_the_paper() -> None:
    gold = Layer(spans=((0, 3),), columns={"entity": ("SECRET",)})
    test = in_memory(Header(), [Passage(id="p", text="The cat", layers={"mention": gold})])
    assert b"SECRET" not in encode(next(test.paper().records()))


def _never(problem: Problem) -> None:
    raise AssertionError(str(problem))


def unit_of(
    *,
    key: dict[str, Any] | None = None,
    question: dict[str, Any] | None = None,
    passage: dict[str, Any] | None = None,
    passage_key: dict[str, Any] | None = None,
) -> Any:
    asked = Question(
        **{"id": "q", "text": "Who?", **(question or {})},
        key=None if key is None else QuestionKey(**key),
    )
    record = Passage(
        **{"id": "p", "text": "The cat.", **(passage or {})},
        questions=(asked,),
        key=None if passage_key is None else RecordKey(**passage_key),
    )
    return next(in_memory(Header(), [record]).units())


@pytest.mark.parametrize(
    ("name", "holders", "value"),
    [
        ("level", {"key": {"level": 3}, "question": {"fields": {"level": 1}}}, 3),
        ("level", {"key": {"fields": {"level": 3}}, "question": {"fields": {"level": 1}}}, 3),
        ("level", {"key": {}, "question": {"fields": {"level": 1}}}, 1),
        ("level", {"question": {"fields": {"level": 1}}}, 1),
        ("level", {"key": {"level": 0}, "passage": {"fields": {"level": 5}}}, 0),
        ("series", {"question": {"series": "s"}, "passage": {"fields": {"series": "t"}}}, "s"),
        ("parallel", {"question": {"parallel": "a"}, "passage": {"parallel": "b"}}, "a"),
        ("parallel", {"passage": {"parallel": "b"}}, "b"),
        ("split", {"passage": {"split": "dev"}}, "dev"),
        ("split", {"key": {"fields": {"split": "own"}}, "passage": {"split": "dev"}}, "own"),
        ("own", {"passage": {"fields": {"own": 1}}, "passage_key": {"fields": {"own": 2}}}, 1),
        ("own", {"passage_key": {"fields": {"own": 2}}}, 2),
        ("own", {"key": {"fields": {"own": ["a", "b"]}}}, ["a", "b"]),
        ("own", {"key": {"fields": {"own": []}}, "question": {"fields": {"own": "x"}}}, "x"),
        ("own", {"key": {"fields": {"own": {"a": 1}}}, "question": {"fields": {"own": "x"}}}, "x"),
        ("own", {"key": {"fields": {"own": None}}, "question": {"fields": {"own": "x"}}}, "x"),
        ("own", {"key": {"fields": {"own": [["a"]]}}}, None),
        ("own", {"key": {"fields": {"own": False}}}, False),
        ("own", {"key": {"fields": {"own": ""}}}, ""),
        ("options", {"question": {"options": ("a", "b")}}, ("a", "b")),
        ("unanswerable", {"key": {}}, False),
        ("id", {}, "q"),
        ("absent", {"key": {}}, None),
        ("__class__", {"key": {}}, None),
        ("layers", {"key": {}}, None),
        ("key", {"key": {}}, None),
    ],
)
def test_a_field_is_looked_up_on_key_unit_and_record(
    name: str, holders: dict[str, Any], value: Any
) -> None:
    assert unit_of(**holders).field(name) == value


def test_every_scalar_field_is_listed_once() -> None:
    unit = unit_of(
        key={"level": 2, "fields": {"own": [1, 2], "nested": {"a": 1}}},
        question={"fields": {"own": "hidden behind the key's", "seen": True}},
        passage={"split": "dev", "title": "T", "fields": {"seen": False}},
        passage_key={"fields": {"deep": 1.5}},
    )
    scalars = unit.scalars()
    expected = {"level": 2, "own": [1, 2], "seen": True, "split": "dev", "title": "T", "deep": 1.5}
    assert scalars == {**expected, "unanswerable": False}
    assert all(unit.field(name) == value for name, value in scalars.items())


def test_facts() -> None:
    def question(id: str, **key: Any) -> Question:
        return Question(id=id, text="Who?", key=QuestionKey(**key) if key else None)

    cat, dog = Answer(text="cat", start=4), Answer(text="dog", start=4)
    test = in_memory(
        Header(),
        [
            Passage(
                id="p1",
                text="The cat.",
                questions=(
                    question("q1", answers=(cat,)),
                    question("q2", answers=(cat, dog)),
                    question("q3", unanswerable=True),
                    question("q4"),
                ),
            ),
            Passage(id="p2", text="The end."),
        ],
    )
    facts = test.facts
    assert (facts.records, facts.units, facts.keyed, facts.several) == (2, 4, 3, 1)
    assert (facts.count("unanswerable"), facts.language, facts.faulty) == (1, "en", ("q2",))
    assert test.facts is facts


def test_answers_of_one_person_are_one_persons() -> None:
    alternatives = tuple(Answer(text=text, annotator="a") for text in ("cat", "the cat"))
    key = {"answers": alternatives, "published": (Phrase(text="a cat"), Phrase(text="cats"))}
    unit = unit_of(key=key)
    people = in_memory(Header(), [unit.record]).kind.references(unit)
    assert [[answer.text for answer in person] for person in people] == [
        ["cat", "the cat"],
        ["a cat", "cats"],
    ]


@pytest.mark.parametrize(
    ("header", "text", "language"),
    [
        (None, "The cat.", "en"),
        (None, "北京是一座城市。", "zh"),
        ("zh", "The cat.", "zh"),
        ("en", "北京是一座城市。", "en"),
    ],
)
def test_the_language_is_the_headers_else_the_texts(
    header: str | None, text: str, language: str
) -> None:
    test = in_memory(Header(language=header), [Passage(id="p", text=text)])
    assert test.language == language


def test_a_test_without_records() -> None:
    with pytest.raises(DataError, match=r"^<memory>: the test has no records$"):
        _ = in_memory(Header(), []).facts


def test_an_unknown_kind() -> None:
    with pytest.raises(UsageError, match="unknown kind of test 'serie'; did you mean series"):
        _ = in_memory(Header(kind="serie"), []).kind


def twice(*ids: tuple[str, tuple[str, ...]]) -> Test:
    return in_memory(
        Header(),
        [
            Passage(id=id, text="x", questions=tuple(Question(id=one, text="?") for one in asked))
            for id, asked in ids
        ],
    )


def test_ids_that_occur_twice_are_reported_and_reading_goes_on() -> None:
    test = twice(("p", ("a", "b", "a")), ("p", ("c",)), ("r", ("b", "d")), ("a", ("p",)))
    problems: list[Problem] = []
    records = [record.id for _, record in test.placed(problems.append)]
    assert records == ["p", "r", "a"]
    assert [(problem.where, problem.code, problem.message) for problem in problems] == [
        ("p", "duplicate_id", "id 'a' occurs twice"),
        ("p", "duplicate_id", "passage id 'p' occurs twice"),
        ("r", "duplicate_id", "id 'b' occurs twice"),
    ]


@pytest.mark.parametrize(
    "test",
    [twice(("p", ("a", "a"))), twice(("p", ("a",)), ("q", ("a",))), twice(("p", ()), ("p", ()))],
)
def test_the_first_id_that_occurs_twice_is_raised(test: Test) -> None:
    for reading in (lambda: list(test.records()), lambda: list(test.units()), lambda: test.facts):
        with pytest.raises(DataError, match=r"duplicate_id: .* occurs twice"):
            reading()
