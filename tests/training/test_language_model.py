"""What a language model is asked, which of its questions are usable, and how it reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from training.span.language_model import (
    COUNT,
    CachedTeacher,
    Translator,
    make_reader,
    prompt,
    questions_in,
)

TEXT = "By 1831 the ferry had reached Harwick. Anna Lowe, its owner, sold goats and salt there."
CHINESE = "渡船由木匠罗平在1904年建造，一直运送山羊和盐。"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("When did the ferry reach Harwick? | by 1831", "By 1831"),
        ("1. Who owned the ferry? | Anna Lowe.", "Anna Lowe"),
        ("Who owned the ferry? | Anna Low and others", None),  # not in the passage
        ("Who was Anna Lowe? | Anna Lowe", None),  # the answer is in the question
        ("Did Anna sell goats? | goats and salt", None),  # wants yes or no
        ("What did she sell, by the passage? | goats and salt", None),
        ("The owner sold | goats and salt", None),  # no question
        ("Where did the engineer of the Severin Canal go? | Harwick", None),
        ("What was sold?", None),
    ],
)
def test_a_usable_question_has_its_answer_in_the_passage(line: str, answer: str | None) -> None:
    found = list(questions_in(line, TEXT, "en"))
    assert [TEXT[start:end] for _, (start, end) in found] == ([answer] if answer else [])


def test_questions_are_told_once_and_in_chinese_too() -> None:
    line = "渡船运送什么？｜山羊和盐。"
    ((question, (start, end)),) = questions_in(f"{line}\n{line}\n渡船是否运盐？|盐", CHINESE, "zh")
    assert (question, CHINESE[start:end]) == ("渡船运送什么？", "山羊和盐")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_worked_example_does_what_is_asked(language: str) -> None:
    before, worked, asked, end = prompt("The ferry", TEXT, language).split("<|im_end|>\n")
    assert str(COUNT) in before
    lines = worked.splitlines()[1:]
    assert len(lines) == COUNT
    # The names of the example are not usable elsewhere, so each line is looked for by itself.
    assert all(line.split(" | ")[1] in before for line in lines)
    assert TEXT in asked
    assert end == "<|im_start|>assistant\n"


# Windows of a reader of characters, for a model that knows 天气 and 今天 as one token each.


PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "今", "天", "气", "好", "？", "rain", "##bow", "day"]
WHOLE = ["今天", "天气", "rain", "bow", "day"]


@pytest.fixture
def translator(tmp_path: Path) -> Translator:
    pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    from tokenizers import Tokenizer, models

    pieces = {piece: at for at, piece in enumerate(PIECES)}
    Tokenizer(models.WordLevel(pieces, unk_token="[UNK]")).save(str(tmp_path / "pupil.json"))
    letters = sorted({*"今天气好？□问题：文章\n rainbowday", "<|endoftext|>"})
    vocabulary, merges = {letter: at for at, letter in enumerate(letters)}, []
    for whole in WHOLE:
        for end in range(2, len(whole) + 1):
            if whole[:end] not in vocabulary:
                vocabulary[whole[:end]] = len(vocabulary)
                merges.append((whole[: end - 1], whole[end - 1]))
    model = Tokenizer(models.BPE(vocabulary, merges))
    model.add_special_tokens(["<|endoftext|>"])
    model.save(str(tmp_path / "model.json"))
    return Translator(tmp_path / "model.json", tmp_path / "pupil.json", "zh")


def window(question: str, passage: str) -> list[int]:
    split = [["[CLS]"], question.split(), ["[SEP]"], passage.split(), ["[SEP]"]]
    return [PIECES.index(piece) for part in split for piece in part]


def test_a_token_is_found_in_the_models_longer_ones(translator: Translator) -> None:
    (laid,) = translator.lay([window("今 天 ？", "天 气 好 [UNK] rain ##bow day")])
    tool = translator._tool
    opening = ["<|endoftext|>", *"问题：", "今天", "？", "\n", *"文章："]
    passage = ["天气", "好", "□", "rain", "bow", " ", "day"]
    assert [tool.id_to_token(at) for at in laid.ids] == opening + passage
    begin = len(opening)
    # [CLS], the question and the marks are at the first token; 天 and 气 are both in 天气.
    assert list(laid.first) == [0] * 5 + [begin + at for at in (0, 0, 1, 2, 3, 4, 6)] + [0]
    assert list(laid.before) == [0] * 5 + [0, 1, 0, 0, 0, 0, 0] + [0]
    assert list(laid.last) == list(laid.first)
    assert list(laid.after) == [0] * 5 + [1, 0, 0, 0, 0, 0, 0] + [0]


@pytest.fixture
def reader(translator: Translator) -> Any:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    config = transformers.Qwen2Config(vocab_size=64, **sizes, **heads)
    return make_reader(transformers.Qwen2ForCausalLM(config), translator)


def test_the_model_sees_what_comes_later_and_not_what_fills_a_batch(reader: Any) -> None:
    import torch

    texts = (("今 天 ？", "天 气 好 day"), ("今 ？", "天 气"), ("今 天 ？", "天 气 好 好"))
    rows = [window(*text) for text in texts]
    size = max(map(len, rows))
    ids = torch.tensor([row + [0] * (size - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (size - len(row)) for row in rows])
    with torch.inference_mode():
        together = reader(ids, None, mask)
        alone = reader(ids[1:2, : len(rows[1])], None, mask[1:2, : len(rows[1])])
    assert together.shape == (3, size, 2)
    torch.testing.assert_close(together[1, : len(rows[1])], alone[0])
    # Only the last word differs between the first and the third; its first word's score does too.
    assert (together[0, 5] - together[2, 5]).abs().max() > 1e-6


def test_scores_are_worked_out_once_and_kept(reader: Any, tmp_path: Path) -> None:
    import torch

    asked: list[int] = []

    def teacher(ids: Any, types: Any, mask: Any) -> Any:
        asked.append(len(ids))
        return reader(ids, types, mask)

    ids = torch.tensor([window("今 天 ？", "天 气 好 day"), window("今 天 ？", "天 气 好 好")])
    types, mask = torch.zeros_like(ids), torch.ones_like(ids)
    cached = CachedTeacher(teacher)
    with torch.inference_mode():
        first = cached(ids[:1], types[:1], mask[:1])
        both = cached(ids, types, mask)
        cached.save(tmp_path / "scores.npz")
        again = CachedTeacher().load(tmp_path / "scores.npz")(ids, types, mask)
        expected = reader(ids, types, mask)
    assert asked == [1, 1]
    torch.testing.assert_close(both, expected, atol=1e-3, rtol=1e-3)
    assert torch.equal(first[0], both[0])
    assert torch.equal(again, both)
