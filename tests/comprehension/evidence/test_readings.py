"""Questions and passages as the evidence model reads them."""

import numpy as np
from hypothesis import given

from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.text.sentences import sentences
from readmark.text.word_vectors import lexicon
from strategies import texts


@given(texts)
def test_any_passage_and_question_can_be_read(text: str) -> None:
    for language in ("en", "zh"):
        spans = sentences(text, language)
        words = lexicon(language)
        question = read_question(text, words)
        assert question.is_content.any()
        if spans:
            passage = read_passage(text, spans, words)
            assert len(passage.starts) == len(spans)
            assert (np.diff(passage.sentence_of) >= 0).all()
            assert (passage.keys[passage.high[passage.starts] - 1] == -1).all()
