"""A tiny tokenizer and a tiny random-weight encoder for tests of span readers."""

from pathlib import Path

WORDS = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] . , ? the of is in a what where who how many farm goat ##s "
    "barn river red blue green old north south mill pond keeps paints stands owner dog cat hens "
    "anna bo cleo dan eve 1 2 3 4 5 6 7 8 9 0 ##0 ##1 ##2 ##3 ##4 ##5 ##6 ##7 ##8 ##9"
)


def write_tokenizer(folder: Path) -> Path:
    """A WordPiece tokenizer over a few dozen words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = {word: at for at, word in enumerate(WORDS.split())}
    tool = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    tool.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    tool.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    folder.mkdir(parents=True, exist_ok=True)
    tool.save(str(folder / "tokenizer.json"))
    return folder


def write_encoder(folder: Path) -> Path:
    """A BERT of two layers with random weights; needs torch and transformers."""
    import torch
    import transformers

    write_tokenizer(folder)
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def float_products(path: Path) -> list[tuple[int, ...]]:
    """The shapes of the constant weights that an exported network multiplies by in float."""
    import onnx

    graph = onnx.load(path).graph
    shapes = {one.name: tuple(one.dims) for one in graph.initializer}
    return [
        shapes[node.input[1]]
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in shapes
    ]
