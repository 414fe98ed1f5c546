"""What people made of a proposal, counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.records import Layer, Offsets, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.crosscheck.corrections import count_corrections, moved_spans

TEXT = "赛后轩芝丝感到灰心。她走了。"


def proposal() -> Passage:
    return Passage(
        id="p",
        text=TEXT,
        layers={
            # 赛后 轩 芝 丝 感到 灰心 。 她 走了 。
            "token": Layer(
                spans=((0, 2), (2, 3), (3, 4), (4, 5), (5, 7), (7, 9), (9, 10), (10, 11), (11, 14)),
                source="readmark-zh",
            ),
            "np": Layer(spans=((2, 3), (7, 9), (10, 11)), source="readmark-zh"),
            "ne": Layer(
                spans=((2, 3), (10, 11)), source="readmark-zh", columns={"type": ("TIME", "NUM")}
            ),
        },
        questions=(Question(id="q", text="谁走了？", key=QuestionKey(sentences=((0, 10),))),),
    )


def corrected() -> Passage:
    return Passage(
        id="p",
        text=TEXT,
        layers={
            "token": Layer(
                spans=((0, 2), (2, 5), (5, 7), (7, 9), (9, 10), (10, 11), (11, 13), (13, 14))
            ),
            "np": Layer(spans=((0, 2), (2, 5), (10, 11))),
            "ne": Layer(spans=((2, 5), (10, 11)), columns={"type": ("PERSON", "PERSON")}),
        },
        questions=(
            Question(id="q", text="谁走了？", key=QuestionKey(sentences=((0, 10), (10, 14)))),
        ),
    )


def a_test(passage: Passage) -> Test:
    return in_memory(Header(language="zh"), [passage])


@pytest.mark.parametrize(
    ("layer", "counts", "precision", "recall"),
    [
        # proposed, corrected, kept, moved, retyped, removed, added
        ("token", (9, 8, 5, 2, 0, 2, 1), 5 / 9, 5 / 8),
        ("np", (3, 3, 1, 1, 0, 1, 1), 1 / 3, 1 / 3),
        ("ne", (2, 2, 0, 1, 1, 0, 0), 0.0, 0.0),
        ("answer_sentence", (1, 2, 1, 0, 0, 0, 1), 1.0, 0.5),
    ],
)
def test_counts(layer: str, counts: tuple[int, ...], precision: float, recall: float) -> None:
    result = count_corrections(a_test(proposal()), a_test(corrected()), names=("a", "b"))
    layer_counts = result.layers[layer]
    figures = (
        layer_counts.proposed,
        layer_counts.corrected,
        layer_counts.kept,
        layer_counts.moved,
        layer_counts.retyped,
        layer_counts.removed,
        layer_counts.added,
    )
    assert figures == counts
    assert (
        layer_counts.kept + layer_counts.moved + layer_counts.retyped + layer_counts.removed
        == layer_counts.proposed
    )
    assert (
        layer_counts.kept + layer_counts.moved + layer_counts.retyped + layer_counts.added
        == layer_counts.corrected
    )
    assert (layer_counts.precision, layer_counts.recall) == (
        pytest.approx(precision),
        pytest.approx(recall),
    )
    assert result.sources["np"] == ["readmark-zh"]


def test_nothing_proposed_has_no_precision() -> None:
    empty = proposal()
    bare = Passage(id="p", text=TEXT, questions=empty.questions)
    result = count_corrections(a_test(bare), a_test(corrected()), names=("a", "b"), layers=("np",))
    counts = result.layers["np"]
    assert (counts.precision, counts.recall, counts.f1) == (None, 0.0, 0.0)
    none = count_corrections(a_test(bare), a_test(bare), names=("a", "b"), layers=("np",))
    assert (none.layers["np"].recall, none.layers["np"].f1) == (None, None)
    lone = count_corrections(a_test(bare), a_test(corrected()), names=("a", "b"))
    assert "np" not in lone.layers
    assert any(note.startswith("only b has np") for note in lone.notes)


def _greedy(before: list[Offsets], after: list[Offsets]) -> int:
    """All pairs, the largest overlap first: slow and plain."""
    pairs = sorted(
        (-(min(item[1], two[1]) - max(item[0], two[0])), at, to)
        for at, item in enumerate(before)
        for to, two in enumerate(after)
    )
    left: set[int] = set()
    right: set[int] = set()
    for overlap, at, to in pairs:
        if overlap < 0 and at not in left and to not in right:
            left.add(at)
            right.add(to)
    return len(left)


SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 8)).map(lambda pair: (pair[0], sum(pair))),
    max_size=8,
    unique=True,
).map(sorted)


@given(SPANS, SPANS)
def test_what_moved_is_found_without_trying_all_pairs(
    before: list[Offsets], after: list[Offsets]
) -> None:
    assert moved_spans(before, after) == _greedy(before, after)
