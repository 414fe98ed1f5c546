"""Makes the word tables of the evidence model from raw Wikipedia text: rarity, vectors, forms.

    python benchmarks/evidence_words.py ../shared/data/wiki src/readmark/text/data

Vectors are positive pointwise mutual information within two words, contexts smoothed by 0.75,
frequent words thinned (Levy, Goldberg and Dagan, "Improving Distributional Similarity with Lessons
Learned from Word Embeddings"), reduced by a randomised singular value decomposition. Needs scipy.
"""

from __future__ import annotations

import gzip
import lzma
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from readmark.text.word_vectors import WIDTH, key_of, words_in
from training.word_vectors import packed

KEPT, WITH_VECTORS, LEAST_COUNT = 60_000, 30_000, 5
SHORTEST = {"en": 60, "zh": 25}
WINDOW, KEPT_AXES, THINNING, SMOOTHING, SEED = 2, 200, 1e-4, 0.75, 1
FORMS = 50_000


def main(wiki: Path, out: Path) -> None:
    for language in ("en", "zh"):
        lines: Counter[str] = Counter()
        counts: Counter[str] = Counter()
        forms: Counter[str] = Counter()
        paragraphs: list[list[str]] = []
        for words in _paragraphs(wiki / f"{language}.more.txt.xz", language):
            keys = [key_of(word, language) for word in words]
            lines.update(set(keys))
            counts.update(keys)
            forms.update(words)
            paragraphs.append(keys)
        known = [word for word, count in _ranked(counts)[:KEPT] if count >= LEAST_COUNT]
        table = "".join(f"{word}\t{lines[word]}\n" for word in known)
        _write(out / f"words.{language}.txt.gz", f"{len(paragraphs)}\n{table}")
        if language == "en":
            frequent = [form for form, _ in _ranked(forms)[:FORMS]]
            plain = [form for form in frequent if form.isascii() and form.isalpha()]
            lines_of = (f"{form}\t{key_of(form, 'en')}\n" for form in plain)
            _write(out / "forms.en.txt.gz", "".join(lines_of))
        vectors = _vectors(paragraphs, known[:WITH_VECTORS], counts)
        (out / f"vectors.{language}.u4").write_bytes(packed(vectors[:, :WIDTH]).tobytes())
        print(language, len(paragraphs), "paragraphs", len(known), "words")


def _paragraphs(path: Path, language: str) -> Iterator[list[str]]:
    with lzma.open(path, "rt", encoding="utf-8") as text:
        for line in text:
            if line.startswith(("<doc", "</doc")) or len(line) < SHORTEST[language]:
                continue
            words = [word.lower() for word, _ in words_in(line, language)]
            if len(words) >= 8:
                yield words


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _vectors(paragraphs: list[list[str]], known: list[str], counts: Counter[str]) -> np.ndarray:
    rows = {word: at for at, word in enumerate(known)}
    size = len(known)
    tokens = np.fromiter(
        (rows[word] for words in paragraphs for word in words if word in rows), np.int64
    )
    draw = np.random.Generator(np.random.PCG64(SEED))
    share = np.array([counts[word] for word in known], float)
    keep = np.minimum(1, np.sqrt(THINNING / (share / share.sum())))
    tokens = tokens[draw.random(len(tokens)) < keep[tokens]]
    met = sparse.csr_matrix((size, size))
    for apart in range(1, WINDOW + 1):
        weight = np.full(len(tokens) - apart, (WINDOW + 1 - apart) / WINDOW)
        pairs = (tokens[:-apart], tokens[apart:])
        met = met + sparse.coo_matrix((weight, pairs), shape=(size, size)).tocsr()
    whole = (met + met.T).tocoo()
    totals = np.asarray(whole.tocsr().sum(1)).ravel()
    context = totals**SMOOTHING
    context /= context.sum()
    value = np.log(whole.data / (totals[whole.row] * context[whole.col]))
    more = value > 0
    table = sparse.csr_matrix(
        (value[more].astype(np.float32), (whole.row[more], whole.col[more])), shape=(size, size)
    )
    basis = table @ draw.standard_normal((size, KEPT_AXES + 20)).astype(np.float32)
    for _ in range(3):
        basis = table @ (table.T @ np.linalg.qr(basis)[0])
    basis = np.linalg.qr(basis)[0]
    left, strength, _ = np.linalg.svd((table.T @ basis).T, full_matrices=False)
    vectors = (basis @ left)[:, :KEPT_AXES] * np.sqrt(strength[:KEPT_AXES])
    vectors -= vectors.mean(0)
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9))


def _write(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
