"""Annotating a test: what is stored, what is kept, what is counted. No model: a stub analyses."""

from collections.abc import Collection, Iterable, Iterator

import pytest

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.records import (
    PAPER_LAYERS,
    Analysis,
    Answer,
    Layer,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.core.test import Header, Test, in_memory
from readmark.making.annotation.annotate import BATCH, annotate
from readmark.making.annotation.annotation_counts import Annotation
from readmark.making.annotation.languages import languages_of
from readmark.readability.kind import RatedPassage
from readmark.series.records import Series, SeriesQuestion


class Stub:
    """Finds one span, the whole text, and remembers what it was given."""

    language = "en"

    def __init__(self) -> None:
        self.given: list[tuple[str, tuple[str, ...]]] = []

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        for text in texts:
            self.given.append((text, tuple(layers)))
            layer = Layer(spans=((0, len(text)),), source=self.signature())
            yield Analysis(dict.fromkeys(layers, layer))

    def signature(self) -> str:
        return "readmark-stub"


HAND = Layer(spans=((0, 1),), source="by hand")
OLD = Layer(spans=((0, 1),), source="readmark-en-0(...)")


def a_test(**layers: Layer) -> Test:
    key = QuestionKey(answers=(Answer(text="sea"),), published=(Phrase(text="the sea"),))
    question = Question(id="q1", text="What is it?", key=key)
    passage = Passage(id="p", text="It is the sea.", layers=layers, questions=(question,))
    return in_memory(Header(language="en"), [passage])


def passage_of(test: Test) -> Passage:
    (record,) = test.records()
    assert isinstance(record, Passage)
    return record


def test_passages_and_questions_get_every_layer() -> None:
    source = a_test()
    annotated, done = annotate(source, lambda _: Stub())
    record = passage_of(annotated)
    assert list(record.layers) == list(PAPER_LAYERS)
    assert list(record.questions[0].layers) == list(PAPER_LAYERS)
    key = record.questions[0].key
    assert key is not None
    assert key.published[0].layers == {}
    assert (annotated.facts.paper, annotated.facts.key) == (source.facts.paper, source.facts.key)
    assert (done.records, done.units, done.texts, done.analysed) == (2, 2, 4, 4)  # read twice


def test_published_keys_only_when_asked() -> None:
    annotated, _ = annotate(a_test(), lambda _: Stub(), ("np",), keys=True)
    key = passage_of(annotated).questions[0].key
    assert key is not None
    assert list(key.published[0].layers) == ["np"]
    assert key.answers == (Answer(text="sea"),)


def test_layers_that_are_there_are_kept_whoever_made_them() -> None:
    stub = Stub()
    annotated, done = annotate(a_test(token=HAND, sentence=OLD), lambda _: stub)
    record = passage_of(annotated)
    assert (record.layers["token"], record.layers["sentence"]) == (HAND, OLD)
    assert ("It is the sea.", ("np", "ne")) in stub.given
    assert done.kept == {"token": 1, "sentence": 1}
    assert done.otherwise == {"sentence": 1}
    assert done.added == {"sentence": 1, "token": 1, "np": 2, "ne": 2}


def test_a_second_run_changes_nothing_and_says_so() -> None:
    first, _ = annotate(a_test(), lambda _: Stub())
    proposed = passage_of(first)
    again = in_memory(Header(language="en"), [proposed])
    for force in (False, True):
        annotated, done = annotate(again, lambda _: Stub(), force=force)
        assert passage_of(annotated) == proposed
        assert done.kept == dict.fromkeys(PAPER_LAYERS, 2)
        assert (done.added, done.replaced, done.corrected, done.otherwise) == ({}, {}, {}, {})


@pytest.mark.parametrize(("spans", "made_ne"), [(((0, 14),), True), (((0, 1),), False)])
def test_entities_only_over_the_phrases_that_they_were_found_on(
    spans: tuple[tuple[int, int], ...], made_ne: bool
) -> None:
    for source in ("readmark-stub", "readmark-en-0(...)"):
        np = Layer(spans=spans, source=source)
        annotated, _ = annotate(a_test(np=np), lambda _: Stub(), ("ne",))
        record = passage_of(annotated)
        assert record.layers["np"] == np
        assert ("ne" in record.layers) is made_ne


def test_entities_are_not_laid_over_the_phrases_of_others() -> None:
    annotated, done = annotate(a_test(np=HAND), lambda _: Stub(), ("np", "ne"))
    assert passage_of(annotated).layers == {"np": HAND}
    assert done.kept == {"np": 1}


def test_force_replaces() -> None:
    annotated, done = annotate(a_test(np=HAND, token=HAND), lambda _: Stub(), ("np",), force=True)
    record = passage_of(annotated)
    assert record.layers["np"].source == "readmark-stub"
    assert record.layers["token"] == HAND
    assert (done.kept, done.replaced, done.added) == ({}, {"np": 1}, {"np": 1})


def test_a_text_that_stands_twice_is_analysed_once() -> None:
    stub = Stub()
    questions = tuple(Question(id=f"q{at}", text="Why?") for at in range(5))
    test = in_memory(Header(language="en"), [Passage(id="p", text="Why?", questions=questions)])
    counts: list[int] = []
    annotated, done = annotate(
        test, lambda _: stub, ("np",), watch=lambda now: counts.append(now.units)
    )
    assert all("np" in question.layers for question in passage_of(annotated).questions)
    assert len(stub.given) == 1
    assert (done.texts, done.analysed, counts) == (6, 1, [5])


def test_records_come_in_order_over_batches() -> None:
    records = [Passage(id=str(at), text=f"Number {at}.") for at in range(2 * BATCH + 3)]
    annotated, done = annotate(
        in_memory(Header(language="en"), records), lambda _: Stub(), ("token",)
    )
    assert [record.id for record in annotated.records()] == [record.id for record in records]
    assert done.records == len(records)


def stub_of(language: str) -> Stub:
    """For another process, which cannot be sent a lambda."""
    return Stub()


def test_workers_make_and_count_the_same() -> None:
    questions = {str(at): Question(id=f"q{at}", text="Why?") for at in range(2 * BATCH + 3)}
    records = [
        Passage(id=id, text=f"It is {id}.", questions=(question,))
        for id, question in questions.items()
    ]
    test = in_memory(Header(language="en"), records)
    results = []
    for workers in (1, 2):
        annotated, done = annotate(test, stub_of, ("np", "types"), mentions=True, workers=workers)
        results.append((list(annotated.records()), done))
    assert results[0] == results[1]
    assert (done.units, done.texts, done.analysed) == (131, 262, 134)  # "Why?" once a batch


def test_an_analyser_that_is_another_one_elsewhere_is_refused() -> None:
    done = Annotation({"en": "readmark-en-3(spacy-3.8)"}, ("np",))
    with pytest.raises(
        ReadmarkError, match=r"spacy-3.8\) here, readmark-en-3\(spacy-3.7\) on a node"
    ):
        done.add(Annotation({"en": "readmark-en-3(spacy-3.7)"}, ()))


def test_a_series_has_layers_on_its_questions() -> None:
    series = Series(id="s", target="the sea", questions=(SeriesQuestion(id="1", text="Why?"),))
    annotated, _ = annotate(
        in_memory(Header(kind="series", language="en"), [series]), lambda _: Stub(), ("np",)
    )
    (record,) = annotated.records()
    assert record.layers == {}
    assert list(record.questions[0].layers) == ["np"]


def test_an_unknown_layer_is_named() -> None:
    with pytest.raises(UsageError, match="no layer 'tokens'; did you mean token"):
        annotate(a_test(), lambda _: Stub(), ("tokens",))
    with pytest.raises(UsageError, match="no layer 'type'; did you mean types"):
        annotate(a_test(), lambda _: Stub(), ("type",))


def test_every_text_is_analysed_in_its_own_language() -> None:
    stubs: dict[str, Stub] = {}
    questions = (
        Question(id="1", text="谁？"),
        Question(id="2", text="Who?", language="en-GB"),
    )
    records = [
        Passage(id="e", text="Ann slept."),
        Passage(id="z", text="安睡了。", language="zh-Hant", questions=questions),
    ]
    test = in_memory(Header(language="en"), records)
    assert languages_of(test) == ["en", "zh"]
    annotated, done = annotate(test, lambda language: stubs.setdefault(language, Stub()), ("np",))
    assert len(list(annotated.records())) == 2
    texts = {language: {text for text, _ in stub.given} for language, stub in stubs.items()}
    assert texts == {"en": {"Ann slept.", "Who?"}, "zh": {"安睡了。", "谁？"}}
    assert list(done.analysers) == ["en", "zh"]


def test_a_third_language_is_placed() -> None:
    test = in_memory(Header(language="en"), [Passage(id="p", text="Il dort.", language="fr")])
    with pytest.raises(UsageError, match="<memory>:p: no analyser for language 'fr'"):
        languages_of(test)


def test_layers_that_people_corrected_are_kept() -> None:
    test = in_memory(Header(language="en"), [Passage(id="p", text="Ada sat.")])
    first, _ = annotate(test, lambda _: Stub(), ("np", "ne"))
    [proposed] = first.records()
    source = proposed.layers["np"].source
    by_hand = Layer(spans=((0, 3),), source=source)
    corrected = Passage(id="p", text="Ada sat.", layers={**proposed.layers, "np": by_hand})
    again = in_memory(Header(language="en"), [corrected])
    annotated, done = annotate(again, lambda _: Stub(), ("np", "ne"))
    assert list(annotated.records()) == [corrected]
    assert (done.kept, done.corrected, done.added) == ({"np": 1, "ne": 1}, {"np": 1}, {})
    annotated, done = annotate(again, lambda _: Stub(), ("np", "ne"), force=True)
    assert list(annotated.records()) == [proposed]
    assert (done.corrected, done.replaced, done.kept) == ({}, {"np": 1}, {"ne": 1})


def test_references_that_are_there_are_kept() -> None:
    layers = {
        "np": Layer(spans=((0, 3), (9, 11))),
        "ne": Layer(spans=((0, 3),), columns={"type": ("PERSON",)}),
    }
    older = Layer(
        spans=((9, 11),),
        source="readmark-en-nearest-person-0",
        columns={"id": (1,), "ref": (None,)},
    )
    bare = Passage(id="p", text="Ada sat. He left.", layers=layers)
    marked = Passage(
        id="p", text=bare.text, layers=layers, key=RecordKey(layers={"mention": older})
    )
    for passage, force, counts in (
        (bare, False, ({"mention": 1}, {}, {})),
        (marked, False, ({}, {}, {"mention": 1})),
        (marked, True, ({}, {"mention": 1}, {})),
    ):
        test = in_memory(Header(language="en"), [passage])
        annotated, done = annotate(test, lambda _: Stub(), ("token",), mentions=True, force=force)
        key = passage_of(annotated).key
        assert key is not None
        assert (key.layers["mention"] == older) is (passage is marked and not force)
        for counted in (done.added, done.replaced, done.kept):
            counted.pop("token", None)
        assert (done.added, done.replaced, done.kept) == counts


def test_passages_that_are_rated_have_no_questions() -> None:
    header = Header(kind="readability", language="en")
    records = [RatedPassage(id=id, text=f"Words of {id}.") for id in ("a", "b")]
    test = in_memory(header, records)
    assert languages_of(test) == ["en"]
    annotated, done = annotate(test, lambda language: Stub(), ["sentence"])
    assert [set(record.layers) for record in annotated.records()] == [{"sentence"}] * 2
    assert (done.records, done.units, done.added) == (2, 2, {"sentence": 2})
