"""Metrics as the page names them, in both languages."""

import pytest

from readmark.core.unvalidated import SIGN
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.metric_names import metric_words, signing


@pytest.mark.parametrize(
    ("name", "english"),
    [
        ("f1", "F1"),
        ("f1(profile=zh)", "F1 (zh)"),
        ("jaccard(u=2,b=1)", "jaccard (u 2, b 1)"),
        ("not a name(", "not a name("),
    ],
)
def test_metrics_in_words(name: str, english: str) -> None:
    words = metric_words(name)
    assert (words if isinstance(words, str) else words.en) == english


def test_the_metrics_of_reading_tasks_are_in_chinese() -> None:
    assert metric_words("facts") == Bilingual("facts", "直述答案")
    assert metric_words("inferences") == Bilingual("inferences", "推理答案")


def test_an_unvalidated_metric_is_signed_while_its_page_is_made() -> None:
    plain = metric_words("f1")
    with signing(frozenset({"f1"})):
        assert metric_words("f1") == Bilingual(f"F1{SIGN}", f"F1{SIGN}")
        assert metric_words("facts") == Bilingual("facts", "直述答案")
    assert metric_words("f1") == plain
