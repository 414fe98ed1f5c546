"""What a worker does with a piece: the quick look at the language, and what was dropped."""

from hypothesis import given
from hypothesis import strategies as st

from readmark.core.language import language_of
from readmark.making.sources.cuts import recipe
from readmark.making.sources.passages import CuttingPlan, _is_chinese, _passages
from readmark.making.sources.shapes import Article
from readmark.text.markup import Dropped


@given(st.text(alphabet="河風a b1。㐀\uf900é_\n", max_size=30))
def test_the_quick_look_says_what_the_careful_one_does(text: str) -> None:
    assert _is_chinese(text) == (language_of([text]) == "zh")


def test_what_cleaning_dropped_is_listed_whatever_becomes_of_the_article() -> None:
    dropped = (Dropped("tail", "参考文献", 7),)
    short = Article("1", "风车", "河边。", "a", "3", dropped=dropped)
    long = Article("2", "风车", "河边的风车很老。" * 150, "a", "9", dropped=dropped)
    plan = CuttingPlan(recipe("smart", "zh", longest=2000), "zh")
    for article, reasons in ((short, ["too_short", "tail"]), (long, ["tail"])):
        found = _passages(plan, article).not_taken
        assert [one.reason for one in found] == reasons
        assert found[-1].is_stretch
        last: dict[str, object] = {"reason": "tail", "article": article.id, "title": "风车"}
        last |= {"file": "a", "where": article.where, "detail": "参考文献", "length": 7}
        assert found[-1].row() == last
