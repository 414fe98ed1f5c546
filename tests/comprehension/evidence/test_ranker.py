"""The ranker that ships: its file, and questions that are ranked together."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from readmark.comprehension.evidence.ranker_files import from_json, load_ranker, to_json
from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.core.errors import DataError
from readmark.formats.registry import open_test
from readmark.text.sentences import sentences
from readmark.text.word_vectors import lexicon


def test_a_ranker_comes_back_from_its_file(tmp_path: Path) -> None:
    ranker = load_ranker()
    path = tmp_path / "model.json"
    path.write_text(to_json(ranker), encoding="utf-8")
    again = load_ranker(str(path))
    assert to_json(again) == to_json(ranker)
    words = lexicon("en")
    text = "The hall burned down. Rita Moss rebuilt the hall in 1950."
    passage = read_passage(text, sentences(text, "en"), words)
    question = read_question("Who rebuilt the hall?", words)
    [ranking], [expected] = (each.rank_all(passage, [question]) for each in (again, ranker))
    np.testing.assert_allclose(ranking.probabilities, expected.probabilities, rtol=1e-4)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_together_get_what_each_gets_alone(language: str) -> None:
    test = open_test(str(files("readmark.bundle") / f"reading.{language}.jsonl"))
    ranker, words = load_ranker(), lexicon(language)
    for record in test.records():
        passage = read_passage(record.text, sentences(record.text, language), words)
        texts = [*(question.text for question in record.questions), "", "?", record.text[:60]]
        questions = [read_question(text, words) for text in texts]
        for ranking, alone in zip(
            ranker.rank_all(passage, questions),
            [ranker.rank_all(passage, [question])[0] for question in questions],
            strict=True,
        ):
            np.testing.assert_allclose(ranking.probabilities, alone.probabilities, atol=1e-5)
            assert (ranking.best, ranking.likely_word) == (alone.best, alone.likely_word)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"readmark": 1, "model": "other"}', '{"readmark": 1, "model": "evidence"}'],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"file\.json"):
        from_json(text, file="file.json")
