"""What a worker does with a piece: the quick look at the language, and what was dropped."""

import re
import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.core.language import language_of
from readmark.formats.registry import open_test
from readmark.making.sources.articles import Article
from readmark.making.sources.build import TextSettings, build
from readmark.making.sources.openings import opens
from readmark.making.sources.passages import CuttingPlan, _is_chinese, _outcome
from readmark.making.sources.recipes import recipe
from readmark.text.headings import DroppedSection, is_heading

_SIGNS = "，。！？、：；“”‘’（）《》「」『』·—…"
_TOKEN = re.compile(rf"[\u3400-\u9fff]|[{_SIGNS}]|[^\s\u3400-\u9fff{_SIGNS}]+")
"""What CMRC 2018 counts: Han characters and signs one by one, other runs whole. By this the longest
published question has 89 tokens and the longest answer 100, as the document's Table 1 has it."""


@given(st.text(alphabet="河風a b1。㐀\uf900é_\n", max_size=30))
def test_the_quick_look_says_what_the_careful_one_does(text: str) -> None:
    assert _is_chinese(text) == (language_of([text]) == "zh")


def test_what_cleaning_dropped_is_listed_whatever_becomes_of_the_article() -> None:
    dropped = (DroppedSection("tail", "参考文献", 7),)
    short = Article("1", "风车", "河边。", "a", "3", dropped=dropped)
    long = Article("2", "风车", "河边的风车很老。" * 150, "a", "9", dropped=dropped)
    plan = CuttingPlan(recipe("smart", "zh", longest=2000), "zh")
    for article, reasons in ((short, ["too_short", "tail"]), (long, ["tail"])):
        not_taken = _outcome(plan, article).not_taken
        assert [stretch.reason for stretch in not_taken] == reasons
        assert not_taken[-1].is_stretch
        last: dict[str, object] = {"reason": "tail", "article": article.id, "title": "风车"}
        last |= {"file": "a", "where": article.where, "detail": "参考文献", "length": 7}
        assert not_taken[-1].row() == last


@pytest.mark.parametrize(
    ("recipe", "language", "profile"),
    [("smart", "zh", "smart"), ("cmrc", "zh", None), ("smart", "en", None)],
)
def test_a_plain_file_without_marks_and_the_profile_of_its_recipe(
    tmp_path: Path, recipe: str, language: str, profile: str | None
) -> None:
    require("opencc")
    require("rjieba")
    texts = {
        "zh": "老王骑着-{zh-cn:自行车;zh-tw:腳踏車}-去河边看水车，他叫-{乾}-。",
        "en": "The miller went to the river to see the old mill with its wheels. ",
    }
    (tmp_path / "a.txt").write_text(texts[language] * 60, "utf-8")
    settings = TextSettings(recipe=recipe, language=language, longest=3000)
    built = build([str(tmp_path / "a.txt")], str(tmp_path / "p.jsonl"), settings)
    assert built.header.profile == profile
    test = open_test(tmp_path / "p.jsonl")
    assert test.header.profile == profile
    (passage,) = test.records()
    if language == "zh":
        assert passage.text == "老王骑着自行车去河边看水车，他叫乾。" * 60


def test_passages_of_a_wiki_are_as_long_as_the_documents_and_open_with_a_subject(
    shared: Path, tmp_path: Path
) -> None:
    require("opencc")
    require("rjieba")
    output = tmp_path / "p.jsonl"
    build([str(shared / "data" / "wiki" / "zh.txt.gz")], str(output), TextSettings(recipe="cmrc"))
    passages = list(open_test(output).records())
    lengths = [len(_TOKEN.findall(passage.text)) for passage in passages]
    assert statistics.mean(lengths) == pytest.approx(452, rel=0.1)  # Table 1 of the document
    for passage in passages:
        assert "-{" not in passage.text
        if passage.fields["start"]:
            lines = passage.text.split("\n")
            first = next((line for line in lines if not is_heading(line, "zh")), lines[0])
            assert opens(first, "zh")
