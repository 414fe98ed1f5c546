"""Questions and passages put together, beside what the tokenizers themselves put together."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from qa_models import write_bert, write_roberta, write_without_offsets, write_xlnet
from readmark.comprehension.hf.pairs import PairTokenizer
from readmark.comprehension.span.windows import as_batch
from readmark.core.errors import DataError

pytestmark = pytest.mark.torch
require("torch", "transformers")

MAKERS = (write_bert, write_roberta, write_xlnet)
TOOLS: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def tools(tmp_path_factory: pytest.TempPathFactory) -> None:
    import transformers

    for make in MAKERS:
        folder = make(tmp_path_factory.mktemp("models") / make.__name__)
        TOOLS[make.__name__] = transformers.AutoTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("name", [make.__name__ for make in MAKERS])
@given(
    question=st.lists(st.sampled_from(["who", "keeps", "goats", "?"]), min_size=1, max_size=4),
    passage=st.lists(
        st.sampled_from(["anna", " keeps", "  12", "goats", ".", "山羊", "é", "\n", "𠮷"]),
        min_size=1,
        max_size=60,
    ),
    length=st.integers(40, 64),
    stride=st.integers(0, 3),
)
def test_windows_are_those_of_the_library(
    name: str, question: list[str], passage: list[str], length: int, stride: int
) -> None:
    tool = TOOLS[name]
    asked, text = " ".join(question), " ".join(passage)
    pairs = PairTokenizer(tool, name)
    (cut,), (read,) = pairs.cut([asked]), pairs.cut([text])
    if not len(read.ids):
        return
    windows = list(pairs.windows(cut, read, length=length, longest_question=30, stride=stride))
    theirs = tool(
        asked,
        text,
        truncation="only_second",
        max_length=length,
        stride=stride,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        return_token_type_ids=True,
    )
    assert [window.ids.tolist() for window in windows] == theirs["input_ids"]
    assert [window.types.tolist() for window in windows] == theirs["token_type_ids"]
    for at, window in enumerate(windows):
        tokens_held = slice(window.low, window.low + window.count)
        places = theirs["offset_mapping"][at][tokens_held]
        for (start, end), first, last in zip(
            places,
            read.starts[window.first : window.first + window.count].tolist(),
            read.ends[window.first : window.first + window.count].tolist(),
            strict=True,
        ):
            assert start <= first <= last <= end
            assert text[first:last] == text[start:end].strip()
        assert window.ids[window.none] == tool.cls_token_id


def test_a_batch_is_filled_up_behind() -> None:
    pairs = PairTokenizer(TOOLS["write_roberta"], "roberta")
    texts = pairs.cut(["goats", "goats and hens"])
    (question,) = pairs.cut(["who"])
    some = [
        next(pairs.windows(question, window, length=64, longest_question=30, stride=0))
        for window in texts
    ]
    ids, types, mask = as_batch(some, pairs.pad)
    size = len(some[0].ids)
    assert (ids[0, size:] == 1).all()  # RoBERTa's padding is no zero
    assert mask.sum(axis=1).tolist() == [len(window.ids) for window in some]
    assert np.array_equal(ids[1], some[1].ids)
    assert types.max() == 0


def test_a_tokenizer_without_places(tmp_path: Path) -> None:
    import transformers

    folder = write_without_offsets(tmp_path / "canine")
    with pytest.raises(DataError, match="gives no offsets"):
        PairTokenizer(transformers.AutoTokenizer.from_pretrained(folder), "canine")
