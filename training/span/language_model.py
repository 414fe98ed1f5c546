"""A language model that asks questions of raw passages, and that learns to read and teaches.

``benchmarks/span_asking.py --model MODEL.gguf --model-tokenizer TOKENIZER.json`` asks with it;
``python -m training.span.recipes LANGUAGE … --model …`` lets it teach as well.
The model is Qwen2.5-Coder-1.5B-Instruct (Apache-2.0) in GGUF; its packed weights are unpacked here.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from readmark.core.records import Offsets

# The model.


def load_model(gguf: Path, device: str) -> Any:
    """The model with float weights; needs the package gguf, for its formats of packed weights."""
    import torch
    from gguf import GGUFReader
    from gguf.quants import dequantize
    from transformers import Qwen2Config, Qwen2ForCausalLM

    reader = GGUFReader(gguf)

    def value(name: str) -> Any:
        return reader.fields[f"qwen2.{name}"].contents()

    tensors = {tensor.name: tensor for tensor in reader.tensors}
    # One matrix is both, by the model's makers; of two copies the output's has more bits.
    if "output.weight" in tensors:
        tensors["token_embd.weight"] = tensors.pop("output.weight")
    config = Qwen2Config(
        vocab_size=int(tensors["token_embd.weight"].shape[1]),
        hidden_size=value("embedding_length"),
        intermediate_size=value("feed_forward_length"),
        num_hidden_layers=value("block_count"),
        num_attention_heads=value("attention.head_count"),
        num_key_value_heads=value("attention.head_count_kv"),
        rope_parameters={"rope_type": "default", "rope_theta": value("rope.freq_base")},
        rms_norm_eps=value("attention.layer_norm_rms_epsilon"),
        max_position_embeddings=4096,
        tie_word_embeddings=True,
    )
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("meta"):
        model = Qwen2ForCausalLM(config)
    torch.set_default_dtype(torch.float32)
    model = model.to_empty(device=device)
    model.tie_weights()
    state = model.state_dict()

    def unpack(name: str) -> None:
        target = state[_renamed(name)]
        unpacked = torch.from_numpy(dequantize(tensors[name].data, tensors[name].tensor_type))
        target.copy_(unpacked.reshape(target.shape).to(device, torch.bfloat16))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(unpack, tensors))
    width = config.hidden_size // config.num_attention_heads
    steps = torch.arange(0, width, 2, device=device, dtype=torch.float32) / width
    rotary = model.model.rotary_emb
    rotary.inv_freq = rotary.original_inv_freq = value("rope.freq_base") ** -steps
    return model.eval()


_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def _renamed(name: str) -> str:
    if name.startswith("blk."):
        _, layer, part, kind = name.split(".")
        return f"model.layers.{layer}.{_NAMES[part]}.{kind}"
    known = {
        "token_embd.weight": "model.embed_tokens.weight",
        "output_norm.weight": "model.norm.weight",
    }
    return known[name]


# What it is asked for: questions with answers from the passage, after one worked example.


COUNT = 5
"""Questions that are asked for, a passage."""
_INSTRUCTION = {
    "en": (
        "Write {count} questions on the passage. Copy the answer to each word for word from the "
        "passage, as short as possible: a name, a date, a number, a place, a thing, or a phrase "
        "that says what, why or how. Ask about different sentences, in your own words, and name "
        "what you ask about instead of saying “he”, “it” or “the passage”. Write one line for each "
        "question: the question, then |, then its answer."
    ),
    "zh": (
        "请根据文章写{count}个问题。每个问题的答案必须逐字抄自文章：人名、时间、数字、地点、事物，"
        "或者说明内容、原因、方式的一段原文。各个问题问不同的句子，用自己的话提问，"
        "写明所问的对象，不用“他”“它”“文中”代替。每个问题写一行：先写问题，再写|，最后写答案。"
    ),
}
_PASSAGE = {"en": "Passage from “{}”: {}", "zh": "文章《{}》：{}"}
_EXAMPLE = {
    "en": (
        "Severin Canal",
        "The Severin Canal was dug between 1811 and 1824 to carry coal from the mines of Harrow "
        "Vale to the port of Lynd. Its engineer, Margaret Oakes, lifted boats over a ridge by a "
        "staircase of twenty-two locks. Because the summers were dry, a steam engine pumped up "
        "water from the river at night. Today the canal is used mainly by pleasure boats.",
        (
            ("When was the Severin Canal constructed?", "between 1811 and 1824"),
            ("What cargo was the canal meant to transport?", "coal"),
            ("Who was in charge of engineering the Severin Canal?", "Margaret Oakes"),
            ("How many locks get boats across the ridge?", "twenty-two"),
            ("Why was water pumped into the canal at night?", "the summers were dry"),
        ),
    ),
    "zh": (
        "青岩运河",
        "青岩运河开凿于1811年至1824年，用来把矿区的煤运到林德港。总工程师沈若兰修建了由二十二座船闸组成的阶梯，"
        "让船只翻过山脊。由于夏季干旱少雨，运河的水位常常不足，工人们便在夜里用蒸汽机抽水。",
        (
            ("青岩运河是什么时候修建的？", "1811年至1824年"),
            ("修建青岩运河有什么用途？", "用来把矿区的煤运到林德港"),
            ("谁负责青岩运河的工程设计？", "沈若兰"),
            ("沈若兰用什么办法让船只越过山脊？", "修建了由二十二座船闸组成的阶梯"),
            ("为什么夜里要用蒸汽机给运河抽水？", "由于夏季干旱少雨，运河的水位常常不足"),
        ),
    ),
}


def prompt(title: str, text: str, language: str) -> str:
    """What the model is asked."""
    name, example, pairs = _EXAMPLE[language]
    put = _PASSAGE[language].format
    worked = "\n".join(f"{question} | {answer}" for question, answer in pairs)
    # The tokenizer's own template brings a system prompt about code.
    return (
        f"<|im_start|>user\n{_INSTRUCTION[language].format(count=COUNT)}\n\n"
        f"{put(name, example)}<|im_end|>\n<|im_start|>assistant\n{worked}<|im_end|>\n"
        f"<|im_start|>user\n{put(title, text)}<|im_end|>\n<|im_start|>assistant\n"
    )


_LINE = re.compile(r"^(?:\d+[.、]|-)?\s*(.+?)\s*[|｜]\s*(.+?)\s*$", re.MULTILINE)
_EDGES = " \t\"'“”‘’「」『』《》.。，,；;：:！!?？|"
_MOST = {"en": 25, "zh": 50}
"""Words or characters of an answer."""
_CLOSED = {
    "en": re.compile(r"(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b", re.I),
    "zh": re.compile(r".*(?:是否|是不是|吗？|吗\?)"),
}
"""Questions that want yes or no."""
_POINTING = {
    "en": re.compile(r"\b(?:the|this) (?:passage|text|article|author)\b", re.I),
    "zh": re.compile(r"文中|文章|本文|上述|原文"),
}
_BORROWED = re.compile(r"Severin|Oakes|Harrow Vale|Lynd\b|青岩|沈若兰|林德港")
"""Names of the worked example, which two replies in a hundred take into their questions."""


def questions_in(reply: str, text: str, language: str) -> Iterator[tuple[str, Offsets]]:
    """The usable questions of a reply, each with the place of its answer."""
    seen: set[str] = set()
    for question, answer in _LINE.findall(reply):
        answer = answer.strip(_EDGES)
        start = text.lower().find(answer.lower())  # a sentence may begin with it
        length = len(answer.split()) if language == "en" else len(answer)
        # Where an answer recurs often nobody could tell which place is meant.
        if not answer or start < 0 or length > _MOST[language] or text.count(answer) > 3:
            continue
        if not question.endswith(("?", "？")) or not 6 <= len(question) <= 200:
            continue
        if answer.casefold() in question.casefold() or question in seen:
            continue
        if _CLOSED[language].match(question) or _POINTING[language].search(question):
            continue
        if _BORROWED.search(question):
            continue
        seen.add(question)
        yield question, (start, start + len(answer))


# Writing, many passages at a time.


_ENOUGH = 0.97
"""Share of replies that are complete when the rest is cut off."""


def write_questions(
    model: Any,
    tokenizer: Any,
    passages: Sequence[tuple[str, str]],
    language: str,
    *,
    batch: int,
    minutes: float,
    log: Callable[[str], None],
    longest: int = 100,
) -> Iterator[tuple[str, str, Offsets]]:
    """Texts, questions and places of answers on passages with titles, until the time is up."""
    import torch

    end = time.monotonic() + 60 * minutes
    stop, pad = (tokenizer.convert_tokens_to_ids(name) for name in ("<|im_end|>", "<|endoftext|>"))
    made = done = 0
    for some, ids in _batches(tokenizer, passages, language, batch):
        if time.monotonic() > end:
            break
        width = max(map(len, ids))
        # Padding is not masked: attention without a mask is much faster, and a text that begins
        # after <|endoftext|> is what the model knows from its training.
        rows = torch.tensor([[pad] * (width - len(row)) + row for row in ids]).to(model.device)

        def enough(written: Any, _: Any, width: int = width, **__: Any) -> Any:
            over = (written[:, width:] == stop).any(1)
            return torch.ones_like(over) if float(over.float().mean()) > _ENOUGH else over

        with torch.inference_mode():
            out = model.generate(
                rows,
                attention_mask=torch.ones_like(rows),
                max_new_tokens=longest,
                do_sample=False,
                stopping_criteria=[enough],
                eos_token_id=stop,
                pad_token_id=pad,
            )
        replies = tokenizer.batch_decode(out[:, width:], skip_special_tokens=True)
        for (_, text), reply in zip(some, replies, strict=True):
            for question, place in questions_in(reply, text, language):
                made += 1
                yield text, question, place
        done += len(some)
        log(f"{done} passages, {made} questions, {out.shape[1] - width} tokens after {width}")
        log(f"  of “{some[0][0]}”: {' / '.join(replies[0].splitlines())}")


_TOGETHER = 8
"""Batches that are sorted by length together."""


def _batches(
    tokenizer: Any, passages: Sequence[tuple[str, str]], language: str, size: int
) -> Iterator[tuple[list[tuple[str, str]], list[list[int]]]]:
    for start in range(0, len(passages), size * _TOGETHER):
        some = passages[start : start + size * _TOGETHER]
        ids = tokenizer([prompt(title, text, language) for title, text in some])["input_ids"]
        order = sorted(range(len(some)), key=lambda at: len(ids[at]))
        for first in range(0, len(order), size):
            places = order[first : first + size]
            yield [some[at] for at in places], [ids[at] for at in places]


# The model as a reader. It is given the windows of a smaller reader and gives scores for their
# tokens, so that it teaches like any other; its own tokens are longer than those.


SLOTS = 4
"""Places within one of the model's tokens that an answer can begin or end at."""
_PUT = {"en": ("Question: ", "\nPassage: "), "zh": ("问题：", "\n文章：")}
_UNKNOWN = "□"


@dataclass(frozen=True, slots=True)
class Laid:
    """A window in the model's tokens, and where each token of the window is among them."""

    ids: list[int]
    first: Any
    """The model's token in which a token begins, and the characters before it there."""
    before: Any
    last: Any
    """The model's token in which it ends, and the characters after it there."""
    after: Any


class Translator:
    """Windows of a smaller reader as texts for a language model."""

    def __init__(self, model_tokenizer: Path, tokenizer: Path, language: str) -> None:
        from tokenizers import Tokenizer as Tool

        self._tool = Tool.from_file(str(model_tokenizer))
        self._tool.no_padding()
        vocabulary = Tool.from_file(str(tokenizer)).get_vocab()
        self._pieces = [""] * (max(vocabulary.values()) + 1)
        for word, at in vocabulary.items():
            self._pieces[at] = _UNKNOWN if word == "[UNK]" else word
        self._between = vocabulary["[SEP]"]
        self._opening, self._middle = _PUT[language]
        self._begin = self._tool.token_to_id("<|endoftext|>")

    def lay(self, windows: Sequence[Sequence[int]]) -> list[Laid]:
        """Windows of a question and a passage, each between marks."""
        cut = [list(window).index(self._between) for window in windows]
        questions, texts, places = [], [], []
        for window, at in zip(windows, cut, strict=True):
            questions.append(self._opening + self._text(window[1:at])[0] + self._middle)
            text, starts = self._text(window[at + 1 : -1])
            texts.append(text)
            places.append(starts)
        asked = self._tool.encode_batch(questions, add_special_tokens=False)
        read = self._tool.encode_batch(texts, add_special_tokens=False)
        return [
            self._laid(len(window), at, one.ids, other, np.array(starts).reshape(-1, 2))
            for window, at, one, other, starts in zip(
                windows, cut, asked, read, places, strict=True
            )
        ]

    def _text(self, ids: Sequence[int]) -> tuple[str, list[tuple[int, int]]]:
        """The text of some tokens, and where each begins and ends."""
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        at = 0
        word = False  # whether a space parts the last piece from a word
        for one in ids:
            piece = self._pieces[one]
            if piece.startswith("##") and len(piece) > 2:
                piece = piece[2:]
            elif word and piece[:1].isascii() and piece[:1].isalnum():
                parts.append(" ")
                at += 1
            parts.append(piece)
            places.append((at, at + len(piece)))
            at += len(piece)
            word = piece[-1:].isascii() and piece[-1:].isalnum()
        return "".join(parts), places

    def _laid(self, size: int, at: int, question: list[int], read: Any, places: Any) -> Laid:
        offsets = np.array(read.offsets).reshape(-1, 2)
        shift = 1 + len(question)
        ids = [self._begin, *question, *read.ids]
        columns = np.zeros((4, size), np.int64)
        if len(places) and len(offsets):
            inside = slice(at + 1, at + 1 + len(places))
            first = np.searchsorted(offsets[:, 0], places[:, 0], "right") - 1
            last = np.searchsorted(offsets[:, 0], places[:, 1] - 1, "right") - 1
            columns[0, inside] = first + shift
            columns[1, inside] = (places[:, 0] - offsets[first, 0]).clip(0, SLOTS - 1)
            columns[2, inside] = last + shift
            columns[3, inside] = (offsets[last, 1] - places[:, 1]).clip(0, SLOTS - 1)
        return Laid(ids, *columns)


def make_reader(model: Any, translator: Translator) -> Any:
    """The model with heads in place of its words; every token sees the whole window."""
    import torch

    width = model.config.hidden_size

    class Heads(torch.nn.Module):
        """Scores of a token from both of the model's tokens that it lies in."""

        def __init__(self) -> None:
            super().__init__()
            self.start, self.end = (torch.nn.Linear(width, SLOTS) for _ in range(2))
            for one in (self.start, self.end):
                torch.nn.init.normal_(one.weight, std=0.02)
                torch.nn.init.zeros_(one.bias)

        def forward(self, states: Any) -> Any:
            first, last, before, after = states.split([width, width, SLOTS, SLOTS], -1)
            return torch.stack(
                [(self.start(first) * before).sum(-1), (self.end(last) * after).sum(-1)], -1
            )

    class ModelReader(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = model.model
            self.half = True
            """Whether a GPU works in half precision."""
            model.set_attn_implementation("eager")  # fused attention gave no numbers
            self.heads = Heads().to(next(model.parameters()).device)

        def states(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            del token_type_ids
            device = input_ids.device
            sizes = attention_mask.sum(1).tolist()
            laid = translator.lay(
                [row[:size] for row, size in zip(input_ids.tolist(), sizes, strict=True)]
            )
            length = -(-max(len(one.ids) for one in laid) // 16) * 16
            ids = np.zeros((len(laid), length), np.int64)
            hidden = np.full((len(laid), 1, 1, length), -1e4, np.float32)
            places = np.zeros((4, *input_ids.shape), np.int64)
            for at, one in enumerate(laid):
                ids[at, : len(one.ids)] = one.ids
                hidden[at, ..., : len(one.ids)] = 0.0
                for row, column in zip(
                    places, (one.first, one.before, one.last, one.after), strict=True
                ):
                    row[at, : len(column)] = column
            put = [torch.from_numpy(one).to(device) for one in (ids, hidden, places)]
            mask = put[1].expand(-1, 1, length, -1)
            half = self.half and input_ids.is_cuda
            with torch.autocast("cuda", torch.bfloat16, enabled=half):
                found = self.encoder(
                    input_ids=put[0], attention_mask={"full_attention": mask}, use_cache=False
                ).last_hidden_state
            first, before, last, after = put[2]
            rows = torch.arange(len(laid), device=device).unsqueeze(1)
            slot = torch.nn.functional.one_hot
            return torch.cat(
                [
                    found[rows, first],
                    found[rows, last],
                    slot(before, SLOTS).to(found.dtype),
                    slot(after, SLOTS).to(found.dtype),
                ],
                -1,
            )

        def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
            return self.heads(self.states(input_ids, token_type_ids, attention_mask).float())

    return ModelReader()


class CachedTeacher:
    """A teacher's scores, each window's worked out once and kept in a file between steps."""

    def __init__(self, teacher: Any = None) -> None:
        self._teacher = teacher
        self._known: dict[bytes, Any] = {}
        self.encoder = SimpleNamespace(config=SimpleNamespace(model_type="remembered"))

    def __call__(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> Any:
        import torch

        sizes = attention_mask.sum(1).tolist()
        rows = input_ids.to("cpu", torch.int32).numpy()
        names = [_name(row[:size]) for row, size in zip(rows, sizes, strict=True)]
        new = [at for at, name in enumerate(names) if name not in self._known]
        if new:
            made = self._teacher(input_ids[new], token_type_ids[new], attention_mask[new])
            kept = made.half().cpu().numpy()
            for at, scores in zip(new, kept, strict=True):
                self._known[names[at]] = scores[: sizes[at]].copy()
        out = np.full((*rows.shape, 2), -1e4, np.float32)
        for at, name in enumerate(names):
            out[at, : sizes[at]] = self._known[name]
        return torch.from_numpy(out).to(input_ids.device)

    def to(self, device: str) -> CachedTeacher:
        if self._teacher is not None:
            self._teacher.to(device)
        return self

    def eval(self) -> CachedTeacher:
        if self._teacher is not None:
            self._teacher.eval()
        return self

    def parameters(self) -> Iterator[Any]:
        yield from self._teacher.parameters()

    def save(self, path: Path) -> None:
        names, scores = list(self._known), list(self._known.values())
        sizes = np.array([len(one) for one in scores])
        np.savez(path, names=np.array(names, "S16"), sizes=sizes, scores=np.concatenate(scores))

    def load(self, path: Path) -> CachedTeacher:
        with np.load(path) as held:
            names, ends, scores = held["names"], np.cumsum(held["sizes"]), held["scores"]
        starts = ends - np.diff(ends, prepend=0)
        for name, start, end in zip(names, starts, ends, strict=True):
            self._known[bytes(name).ljust(16, b"\0")] = scores[start:end]
        return self


def _name(window: Any) -> bytes:
    return hashlib.blake2b(window.tobytes(), digest_size=16).digest()
