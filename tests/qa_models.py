"""Tiny question-answering models with random weights, as transformers saves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data_server import DataServer, send, tag
from span_encoder import WORDS

SMALL: dict[str, Any] = {
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 96,
}


def write_bert(folder: Path, *, head: bool = True, labels: int = 2) -> Path:
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
        vocab_size=len(vocabulary),
        max_position_embeddings=64,
        initializer_range=0.5,
        num_labels=labels,
        **SMALL,
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


def write_xlnet(folder: Path) -> Path:
    """An XLNet: its marks stand behind the texts, and are of a type of their own."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    names = ["<pad>", "<unk>", "<cls>", "<sep>", *WORDS.split()[5:]]
    vocabulary = {name: at for at, name in enumerate(names)}
    tool = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="<unk>"))
    tool.normalizer = normalizers.BertNormalizer(lowercase=True)
    tool.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tool.post_processor = processors.TemplateProcessing(
        single="$A:0 <sep>:0 <cls>:2",
        pair="$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2",
        special_tokens=[("<cls>", 2), ("<sep>", 3)],
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tool,
        cls_token="<cls>",
        sep_token="<sep>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=64,
    )
    fast.save_pretrained(folder)
    torch.manual_seed(11)
    config = transformers.XLNetConfig(
        vocab_size=len(names),
        d_model=48,
        n_layer=2,
        n_head=4,
        d_inner=96,
        pad_token_id=0,
        initializer_range=0.5,
    )
    transformers.XLNetForQuestionAnsweringSimple(config).save_pretrained(folder)
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


COMMIT = "0123456789abcdef0123456789abcdef01234567"


def hub_with(name: str, folder: Path) -> DataServer:
    """A hub that has one model, by as much of its protocol as its library uses to fetch."""
    files = {one.name: one.read_bytes() for one in folder.iterdir()}
    about = {"id": name, "sha": COMMIT, "siblings": [{"rfilename": one} for one in files]}
    tree = [
        {"type": "file", "path": one, "size": len(data), "oid": "0" * 40}
        for one, data in files.items()
    ]
    paths: dict[str, Any] = {
        f"/api/models/{name}": json.dumps(about).encode(),
        f"/api/models/{name}/tree/{COMMIT}": json.dumps(tree).encode(),
    }
    for one, data in files.items():
        for revision in ("main", COMMIT):
            paths[f"/{name}/resolve/{revision}/{one}"] = lambda handler, data=data: send(
                handler, data, ETag=tag(data), X_Repo_Commit=COMMIT
            )
    return DataServer(paths, absent={"X_Error_Code": "EntryNotFound", "X_Repo_Commit": COMMIT})
