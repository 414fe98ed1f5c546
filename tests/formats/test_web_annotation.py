"""W3C Web Annotation: layers, questions and answers in and out, selectors that agree or do not."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import layered
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.core.records import Answer, Layer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.registry import FORMATS, open_test, save_test

TEXT = "Old Tom 😀 fished. Tom sold 鱼."
CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def position(start: object, end: object) -> dict[str, Any]:
    return {"type": "TextPositionSelector", "start": start, "end": end}


def quote(exact: object, **around: str) -> dict[str, Any]:
    return {"type": "TextQuoteSelector", "exact": exact, **around}


def tagged(selector: Any, tag: str = "NP", source: Any = "tom.txt", **more: Any) -> dict[str, Any]:
    body = {"type": "TextualBody", "purpose": "tagging", "value": tag}
    target = {"type": "SpecificResource", "source": source, "selector": selector}
    return {"id": "anno:1", "type": "Annotation", "body": body, "target": target, **more}


def saved(path: Path, *annotations: Any, beside: str | None = TEXT) -> Path:
    document = {"@context": CONTEXT, "type": "AnnotationPage", "items": list(annotations)}
    path.write_text(json.dumps(document), encoding="utf-8")
    if beside is not None:
        (path.parent / "tom.txt").write_text(beside, encoding="utf-8", newline="")
    return path


def only(path: Path) -> Passage:
    (passage,) = open_test(path).records()
    assert isinstance(passage, Passage)
    return passage


@st.composite
def asked(draw: st.DrawFn) -> Passage:
    """A passage with layers and questions, whole as the format holds them."""
    passage = draw(layered.passages())
    questions = []
    for number in range(draw(st.integers(0, 2))):
        text = draw(layered.texts)
        layers = {"np": draw(layered.layers(text))} if draw(st.booleans()) else {}
        hidden = {"mention": draw(layered.mentions(text))} if draw(st.booleans()) else {}
        spans = draw(layered.spans(passage.text))
        answers = tuple(
            Answer(
                text=passage.text[start:end],
                start=begins,
                end=None if begins is None else draw(st.sampled_from([end, None])),
                annotator=draw(st.sampled_from([None, "甲"])),
            )
            for start, end in spans[: draw(st.integers(0, 3))]
            for begins in [draw(st.sampled_from([start, None]))]
        )
        published = tuple(Phrase(text=one) for one in draw(st.lists(layered.texts, max_size=2)))
        sentences = spans if draw(st.booleans()) else ()
        key = QuestionKey(answers=answers, published=published, sentences=sentences, layers=hidden)
        key_or_none = None if key == QuestionKey() else key
        questions.append(Question(id=f"q{number} 问", text=text, layers=layers, key=key_or_none))
    language = draw(st.sampled_from([None, "zh"]))
    return msgspec.structs.replace(passage, questions=tuple(questions), language=language)


@given(asked())
def test_layers_questions_and_answers_come_back_equal(
    tmp_path_factory: pytest.TempPathFactory, passage: Passage
) -> None:
    path = tmp_path_factory.getbasetemp() / "made.json"
    assert save_test(in_memory(Header(), [passage]), path, format="web_annotation") == []
    assert only(path) == passage


def test_what_is_written(tmp_path: Path) -> None:
    entity = Layer(spans=((4, 7),), columns={"type": ("PERSON",), "sure": (0.5,)}, source="甲")
    key = QuestionKey(answers=(Answer(text="Tom", start=4, annotator="乙"),), sentences=((0, 17),))
    question = Question(id="q1", text="Who?", key=key)
    passage = Passage(id="p 1", text=TEXT, layers={"ne": entity}, questions=(question,))
    save_test(in_memory(Header(name="t"), [passage]), tmp_path / "a.json", format="web_annotation")
    document = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    items = document.pop("items")
    head = {"@context": CONTEXT, "id": "urn:readmark:test:t", "type": "AnnotationPage"}
    assert document == head
    assert [one["motivation"] for one in items] == [
        "describing",
        "tagging",
        "questioning",
        "replying",
        "linking",
    ]
    assert len({one["id"] for one in items}) == len(items)
    part = {
        "type": "SpecificResource",
        "source": "urn:readmark:passage:p%201",
        "selector": [
            {"type": "TextPositionSelector", "start": 4, "end": 7},
            {
                "type": "TextQuoteSelector",
                "exact": "Tom",
                "prefix": "Old ",
                "suffix": " 😀 fished. Tom sold 鱼.",
            },
        ],
    }
    assert items[0]["body"]["value"] == TEXT
    assert items[1]["target"] == part
    assert items[1]["creator"] == {"name": "甲"}
    assert [one["value"] for one in items[1]["body"]] == ["PERSON", '{"sure": 0.5}']
    assert items[3]["body"] == {**part, "purpose": "replying"}
    assert items[3]["target"] == items[2]["id"] == "urn:readmark:question:q1"
    assert items[4]["body"]["source"] == items[2]["id"]


@pytest.mark.parametrize(
    "selector",
    [
        position(18, 21),
        [position(18, 21), quote("Tom")],
        quote("Tom", prefix="fished. "),
        quote("Tom", suffix=" sold"),
        [{"type": "CssSelector", "value": "p"}, quote("Tom", prefix=". ", suffix=" ")],
        {**position(18, 21), "type": ["TextPositionSelector"]},
        {**position(18, 21), "type": ["SvgSelector", {"x": 1}, "TextPositionSelector"]},
        [{"type": {"x": 1}}, {"@type": "TextPositionSelector", "start": 18, "end": 21}],
    ],
)
def test_a_part_of_a_file_beside_is_found(tmp_path: Path, selector: Any) -> None:
    passage = only(saved(tmp_path / "a.json", tagged(selector)))
    assert (passage.id, passage.text) == ("tom.txt", TEXT)
    assert passage.layers == {"np": Layer(spans=((18, 21),))}


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ([position(4, 7), quote("Tim")], "selector: the position 4–7 reads 'Tom', the quote says"),
        (
            [position(19, 22), quote("Tom")],
            "says 'Tom'; counted in UTF-16 units they agree, but positions are code points",
        ),
        (position(4, 99), "selector: the position 4–99 is outside the text of 29 characters"),
        (position(7, 4), "selector: the position 7–4 is outside the text"),
        (position("4", 7), 'schema: the position is "4" to 7, expected whole numbers'),
        (quote("Tom"), "selector: the quote 'Tom' occurs at 2 places (4, 18), and nothing shows"),
        (quote("Tim"), "selector: the quote 'Tim' does not occur in the text"),
        (quote("Tom", prefix="x"), "does not occur in the text with that prefix and suffix"),
        (quote(""), 'schema: exact is "", expected text that is not empty'),
        ({"type": "SvgSelector"}, "selector: the selector is SvgSelector, expected TextPosition"),
        ("x", 'selector: the selector is "x", expected TextPositionSelector'),
        ({"type": {"x": 1}}, "selector: the selector is an object, expected TextPositionSelector"),
        ({"type": ["A", "B"]}, "selector: the selector is A, B, expected TextPositionSelector"),
        ({**position(0, 3), "refinedBy": quote("Old")}, "that another refines is not read"),
    ],
)
def test_selectors_that_do_not_hold_are_told_with_their_place(
    tmp_path: Path, selector: Any, message: str
) -> None:
    good = {**tagged(position(0, 7)), "id": "anno:2"}
    path = saved(tmp_path / "a.json", tagged(selector), good)
    with pytest.raises(DataError) as caught:
        list(open_test(path).records())
    assert str(caught.value).startswith(f"{path}:anno:1: ")
    assert message in str(caught.value)
    problems: list[Problem] = []
    ((_, passage),) = open_test(path).placed(problems.append)
    assert [one.where for one in problems] == ["anno:1"]
    assert passage.layers["np"].spans == ((0, 7),)


UNREACHABLE = ("https://example.org/tom", "../tom.txt", "none.txt", "", "http://[", "n" * 5000)
LINKS = ("link.txt", "up/tom.txt", "%00")


@pytest.mark.parametrize("source", [*UNREACHABLE, *LINKS, {"source": {"id": 3}}])
def test_nothing_is_fetched(tmp_path: Path, source: Any) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "tom.txt").write_text(TEXT)
    (tmp_path / "sub" / "link.txt").symlink_to("../tom.txt")
    (tmp_path / "sub" / "up").symlink_to("..")
    one, other = tagged(position(0, 7), source=source), tagged(position(4, 7), source=source)
    path = saved(tmp_path / "sub" / "a.json", one, other, beside=None)
    with pytest.raises(
        DataError, match="neither in the document nor a file next to it; nothing is"
    ):
        list(open_test(path).records())
    problems: list[Problem] = []
    assert list(open_test(path).placed(problems.append)) == []
    assert [one.code for one in problems] == ["source"]


def test_a_text_in_the_target_itself(tmp_path: Path) -> None:
    source = {"id": "https://example.org/tom", "type": "Text", "value": TEXT}
    passage = only(saved(tmp_path / "a.json", tagged(quote("鱼"), "FISH", source), beside=None))
    assert (passage.id, passage.text) == ("https://example.org/tom", TEXT)
    assert passage.layers["ne"].columns == {"type": ("FISH",)}


def test_tags_notes_creators_and_annotations_of_other_sorts(tmp_path: Path) -> None:
    span = {"source": "tom.txt", "selector": position(0, 7)}
    tag = {"type": "TextualBody", "purpose": ["tagging"], "value": "PERSON"}
    note = {"type": "TextualBody", "purpose": "commenting", "value": "our hero"}
    passage = only(
        saved(
            tmp_path / "a.json",
            {"type": "Annotation", "target": [span], "body": [tag, note], "creator": "ann"},
            {**tagged(position(18, 21), "PERSON"), "creator": {"id": "x", "name": "bo"}},
            {"type": "Annotation", "motivation": "tagging", "target": span, "bodyValue": "np"},
            {"type": "Annotation", "motivation": "highlighting", "target": span},
            {"type": "Annotation", "motivation": ["commenting"], "target": span, "bodyValue": "!"},
        )
    )
    assert passage.layers["np"].spans == ((0, 7),)
    assert passage.layers["ne"] == Layer(
        spans=((0, 7), (18, 21)),
        columns={
            "type": ("PERSON", "PERSON"),
            "note": ("our hero", None),
            "creator": ("ann", "bo"),
        },
    )
    assert passage.key is not None
    assert passage.key.layers["annotation"].columns == {
        "motivation": ("highlighting", "commenting"),
        "body": (None, "!"),
    }


@pytest.mark.parametrize("shape", ["one", "array", "collection", "page"])
def test_the_shapes_of_a_document(tmp_path: Path, shape: str) -> None:
    one = tagged(position(0, 7))
    page = {"type": ["AnnotationPage"], "items": [one]}
    document = {
        "one": one,
        "array": [one],
        "collection": {"@context": [CONTEXT], "type": "AnnotationCollection", "first": page},
        "page": page,
    }[shape]
    path = saved(tmp_path / "a.json")
    path.write_text(json.dumps(document), encoding="utf-8")
    assert only(path).layers["np"].spans == ((0, 7),)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            {"type": "AnnotationCollection", "first": "https://example.org/1"},
            ":first: source: it continues in https://example.org/1, which is not fetched",
        ),
        (
            {"type": "AnnotationPage", "items": [], "next": "page2"},
            ":next: source: it continues in page2, which is not fetched",
        ),
        ({"type": "AnnotationPage", "items": [3]}, ":items[0]: schema: expected an annotation"),
        ({"type": "AnnotationPage"}, "schema: the document is an object, expected annotations"),
        (3, "schema: the document is 3, expected annotations"),
        (
            [{"type": "Annotation", "target": "tom.txt"}],
            ':[0]: target: the target "tom.txt" has no selector',
        ),
    ],
)
def test_malformed_documents_get_one_line(tmp_path: Path, document: Any, message: str) -> None:
    path = saved(tmp_path / "a.json")
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(open_test(path, format="web_annotation").records())
    assert message in str(caught.value)


def test_a_text_that_stands_twice_is_told(tmp_path: Path) -> None:
    body = {"type": "TextualBody", "purpose": "describing", "format": "text/plain", "value": TEXT}
    one = {"type": "Annotation", "target": "urn:x", "body": body}
    with pytest.raises(DataError, match=r"items\[1\]: duplicate_id: a text of \"urn:x\" occurs"):
        list(open_test(saved(tmp_path / "a.json", one, one)).records())


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ({"answers": (Answer(text="Tom", start=5),)}, "offsets that do not point at their answer"),
        ({"answers": (Answer(text="Tom", score=0.5),)}, "answers' scores"),
        ({"answers": (Answer(text="Tom", sentence=(0, 17)),)}, "answers' sentences"),
        ({"unanswerable": True}, "keys without answers"),
        ({"answers": (Answer(text="Tom"),), "level": 3}, "levels"),
        ({"answers": (Answer(text="Tom"),), "type": "Who"}, "the question's type"),
        ({"answers": (Answer(text="Tom"),), "fields": {"a": 1}}, "fields (a)"),
        ({"sentences": ((0, 99),)}, "answer sentences outside the passage"),
    ],
)
def test_what_it_cannot_store_is_named(tmp_path: Path, key: dict[str, Any], line: str) -> None:
    question = Question(id="q1", text="Who?", key=QuestionKey(**key))
    test = in_memory(Header(), [Passage(id="p", text=TEXT, questions=(question,))])
    lost = save_test(test, tmp_path / "a.json", format="web_annotation")
    assert lost[0] == f"{line} cannot be stored (1: q1)"
    assert [one.id for one in only(tmp_path / "a.json").questions] == ["q1"]


def test_a_layer_of_the_papers_name_under_the_key_stays_hidden(tmp_path: Path) -> None:
    key = RecordKey(layers={"np": Layer(spans=((0, 7),))})
    test = in_memory(Header(), [Passage(id="p", text=TEXT, key=key)])
    (line,) = save_test(test, tmp_path / "a.json", format="web_annotation")
    assert line.startswith("layers (np) under the key, by whose name candidates would see them,")
    assert only(tmp_path / "a.json") == Passage(id="p", text=TEXT)


@pytest.mark.parametrize(
    ("document", "recognised"),
    [
        ({"@context": CONTEXT}, True),
        ({"type": "AnnotationPage"}, True),
        ({"type": "Annotation"}, False),
        ([{"type": ["Annotation"], "target": "x"}], True),
        ([{"target": "x"}], False),
        ({"@context": "https://schema.org", "data": []}, False),
    ],
)
def test_it_is_known_by_context_or_type(tmp_path: Path, document: Any, recognised: bool) -> None:
    (tmp_path / "a.json").write_text(json.dumps(document))
    assert FORMATS.load("web_annotation").recognises(Source(tmp_path / "a.json")) is recognised
