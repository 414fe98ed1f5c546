"""Tiny question-answering models with random weights, as transformers saves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from span_encoder import WORDS

SMALL: dict[str, Any] = {
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 96,
}


def write_bert(folder: Path, *, head: bool = True) -> Path:
    """A BERT over a few dozen words; without a head it is an encoder alone."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: at for at, word in enumerate(WORDS.split())}
    tool = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    tool.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    tool.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tool.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")],
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tool,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        model_max_length=64,
    )
    fast.save_pretrained(folder)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), max_position_embeddings=64, initializer_range=0.5, **SMALL
    )
    cls = transformers.BertForQuestionAnswering if head else transformers.BertModel
    cls(config).save_pretrained(folder)
    return folder


def write_roberta(folder: Path) -> Path:
    """A RoBERTa over bytes: spaces belong to words, two marks stand between the texts."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = ["<s>", "<pad>", "</s>", "<unk>", *letters]
    vocabulary = {name: at for at, name in enumerate(names)}
    tool = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tool.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tool.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=False, add_prefix_space=False
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tool,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=96,
    )
    fast.save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.RobertaConfig(
        vocab_size=len(names),
        max_position_embeddings=98,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.5,
        **SMALL,
    )
    transformers.RobertaForQuestionAnswering(config).save_pretrained(folder)
    return folder


def write_without_offsets(folder: Path) -> Path:
    """A model whose tokenizer is written in Python and gives no offsets."""
    import transformers

    transformers.CanineTokenizer(model_max_length=64).save_pretrained(folder)
    config = transformers.CanineConfig(
        max_position_embeddings=64, num_hash_buckets=16, local_transformer_stride=8, **SMALL
    )
    transformers.CanineForQuestionAnswering(config).save_pretrained(folder)
    return folder
