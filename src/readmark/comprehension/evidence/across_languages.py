"""A question in another language than the passage, read by the passage's words that it matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from readmark.comprehension.evidence.character_runs import runs_by_word
from readmark.comprehension.evidence.readings import (
    ReadPassage,
    ReadQuestion,
    content_words,
    read_question,
    topic_words,
)
from readmark.core.arrays import AnyFloats
from readmark.text.word_vectors import Lexicon, words_in

SAME = 0.5
"""How strongly two words must correspond to count as the same."""
RELATED = 0.25
"""How strongly to count as words of one family."""
_QUESTION_KEYS = 10**9
"""Where the keys of the question's words begin: no word of a lexicon has such a key."""


def read_across(
    text: str, passage: ReadPassage, question_lexicon: Lexicon, passage_lexicon: Lexicon
) -> tuple[ReadPassage, ReadQuestion]:
    """Read a question in the other language, and the passage with the question's words in it.

    What the question wants and which of its words count, it says in its own language. Where a word
    of the passage corresponds to one of the question, both have one key.
    """
    question = read_question(text, question_lexicon)
    located_words = words_in(text, question_lexicon.language) or [("", 0)]
    strengths = _strengths([word for word, _ in located_words], passage, question_lexicon.language)
    # For each word of the passage the question's that it corresponds to best, and the other way.
    question_word = strengths.argmax(axis=0)
    nearest = strengths[question_word, np.arange(strengths.shape[1])]
    passage_word = strengths.argmax(axis=1)
    reached = strengths.max(axis=1, initial=0.0)
    keys = _QUESTION_KEYS + np.arange(len(located_words))
    # United and States both mean 美国: one word there, and one here.
    keys = np.where(reached >= RELATED, _QUESTION_KEYS + question_word[passage_word], keys)
    passage_keys = np.where(nearest >= SAME, keys[question_word], passage.keys)
    first_sentence = slice(
        0, int(passage.starts[1]) if len(passage.starts) > 1 else len(passage_keys)
    )
    crossed_passage = replace(
        passage,
        keys=passage_keys,
        families=np.where(nearest >= RELATED, keys[question_word], passage.families),
        topic=topic_words(passage_keys[first_sentence], passage.figures[first_sentence]),
    )

    met_words = [
        passage.words[place] if strength >= RELATED else ""
        for place, strength in zip(passage_word.tolist(), reached.tolist(), strict=True)
    ]
    # English words stand a space apart in passages too. Chinese ones would make runs of two
    # characters with whatever word comes next here.
    joint = " " if passage_lexicon.language == "en" else "\n"
    offsets = np.cumsum([0, *(len(word) + 1 for word in met_words[:-1])]).tolist()
    runs, run_shares = runs_by_word(
        list(zip(met_words, offsets, strict=True)), joint.join(met_words), passage_lexicon.language
    )
    content = content_words(keys, question.figures)
    crossed_question = replace(
        question,
        language=passage_lexicon.language,
        keys=keys,
        families=keys,
        vectors=np.where((reached >= RELATED)[:, None], passage.vectors[passage_word], 0.0),
        is_content=content.is_content,
        content=content.places,
        others=content.others,
        runs=runs,
        run_shares=run_shares,
    )
    return crossed_passage, crossed_question


def _strengths(words: Sequence[str], passage: ReadPassage, language: str) -> AnyFloats:
    """How strongly each word of the question corresponds to each of the passage."""
    from readmark.text.cross_language import correspondence

    if language == "zh":
        names = zip(passage.words, passage.names.tolist(), strict=True)
        return correspondence(words, [word.title() if is_name else word for word, is_name in names])
    return correspondence(passage.words, words).T
