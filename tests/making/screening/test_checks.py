"""Each check on small texts whose value is worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.making.screening.checks import CHECKS
from readmark.making.screening.config import load_config
from readmark.making.screening.examination import findings_of
from readmark.making.screening.findings import CheckFinding, ScreenedText
from readmark.making.screening.holes import _ENGLISH_HOLES, _HOLES

require("rjieba")

CONFIG = load_config()


def finding(name: str, text: str, language: str = "zh", **settings: float) -> CheckFinding:
    default = dict(CONFIG.languages[language].get(name, {}))
    return CHECKS[name].measures[language](ScreenedText(text), default | settings)


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("春天来了", 0.0, "keep"),
        ("abc春天来了，好吗。", 3 / 11, "keep"),
        ("abcd春天来了，好。", 4 / 11, "discard"),
        ("1998年", 4 / 5, "discard"),  # digits count
        ("，。！（）《》", 0.0, "keep"),  # punctuation does not
        ("春 天\nab 来 了 吗 啊", 2 / 8, "keep"),  # white space is left out
        ("", 0.0, "keep"),
    ],
)
def test_non_chinese(text: str, value: float, verdict: str) -> None:
    result = finding("non_chinese", text)
    assert result.value == pytest.approx(value, abs=1e-4)
    assert result.verdict == verdict


def test_exactly_at_the_threshold_is_kept() -> None:
    assert finding("non_chinese", "abc春天来了吗啊好").verdict == "keep"  # 3 of 10


def test_non_latin() -> None:
    assert finding("non_latin", "plain words", "en").value == 0
    result = finding("non_latin", "abc 春天来了", "en")
    assert (result.value, result.verdict) == (pytest.approx(4 / 7, abs=1e-4), "discard")


def test_symbols_and_leftovers() -> None:
    assert finding("symbols", "一百个字" * 25).value == 0
    assert finding("symbols", "一二三四五六七八=九").value == pytest.approx(0.1)
    # formula_1: its underscore is a sign, and the leftover counts as two more; 18 characters
    result = finding("symbols", "由此得到formula_1的值如下。")
    assert result.value == pytest.approx(3 / 18, abs=1e-4)
    assert (result.verdict, result.note) == ("discard", "formula_ 1")
    assert finding("symbols", "{{" * 5).value == 1.0  # never more than all of it


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("小说《》发表于1999年，主角叫「」。", "zh", 1),  # a sentence counts once
        ("小说《》发表于1999年。主角叫「」。他走了。", "zh", 2),
        ("公路有、、等，。", "zh", 1),
        ("公路还有、、、等。还有、河。", "zh", 2),
        ("代入formula_48就得到formula_1。\nformula_2\nformula_3", "zh", 3),
        ("《河》、「山」，还有他。", "zh", 0),
        ("老人说：“有、有、有。”", "zh", 0),
        ('Its sequel, "", was sold ( or to) 16 hands , in all.', "en", 1),
        ('Its sequel, "", was sold. "It is 1.5 m high." It was 16 hands , in all.', "en", 2),
        ("It is called formula_1.\nThe ( or ;) mill", "en", 2),
        ('He said, "Go." "Why," she asked (or did not).', "en", 0),
    ],
)
def test_holes(text: str, language: str, value: int) -> None:
    result = finding("holes", text, language)
    assert result.value == value
    assert result.verdict == ("discard" if value > 1 else "keep")


_ODD = '《》「」、，；。 \n有等包括是：_formula1"(),.oat'


@given(st.text(alphabet=_ODD, max_size=14))
def test_what_cannot_store_a_hole_holds_none(text: str) -> None:
    # The quick look must not overlook what the whole expression finds.
    for language, pattern in (("zh", _HOLES), ("en", _ENGLISH_HOLES)):
        assert bool(finding("holes", text, language).value) == bool(pattern.search(text))


def test_list_like() -> None:
    prose = "河水从山里流出来，经过村子，一直流到海边。"
    assert finding("list_like", prose + "\n" + prose).value == 0
    assert finding("list_like", prose[:-1]).value == 1  # no sentence ends in it
    assert finding("list_like", prose + "它很长").value == 0  # the last stop may be missing
    assert finding("list_like", "张三\n李四\n王五\n赵六").verdict == "discard"
    assert finding("list_like", f"{prose}\n{prose}\n张三\n李四").verdict == "keep"


@pytest.mark.parametrize("text", ["", " \n\n　"])
def test_an_empty_passage_is_discarded(text: str) -> None:
    assert finding("list_like", text).verdict == "discard"


def test_length_has_two_bounds() -> None:
    options = {"least": 3.0, "most": 5.0}
    findings = [finding("length", "字" * size, **options) for size in (2, 3, 5, 6)]
    assert [item.verdict for item in findings] == ["discard", "keep", "keep", "discard"]
    assert [item.note for item in findings] == ["too short", None, None, "too long"]
    assert findings[0].threshold == [3.0, 5.0]


def test_topic_needs_several_words() -> None:
    few = "硫酸硫酸硫酸"
    assert finding("topic", few).verdict == "keep"
    assert finding("topic", few, words=1).verdict == "discard"
    many = "硫酸和盐酸与氢氧化钠反应，生成硫酸盐和氯化钠的溶液。"
    result = finding("topic", many)
    assert result.verdict == "discard"
    assert result.note is not None
    assert result.note.startswith("chemistry: ")


def test_a_short_text_needs_fewer_terms_but_a_higher_share() -> None:
    # Two terms are enough for 31 letters; of those they are 5, over 1.5 times the share.
    short = "这个三角形有一条斜边，从窗口看过去像一面小旗，画在纸上就能明白为什么。"
    assert finding("topic", short).verdict == "discard"
    # A text of 142 letters needs three, whatever their share.
    filler = "院子里的孩子们在树下玩了一个下午，晚饭前才慢慢走回家去，路上还买了些水果和点心。"
    assert finding("topic", short + 3 * filler, most=0.01).verdict == "keep"


def test_words_of_one_character_settle_what_particles_do_not() -> None:
    # Both texts have hardly a particle; only the first is written in words of one character.
    old = "崔某少孤，家贫，好学，夜无灯，随月读书。年二十，举进士，授县丞，民爱之，后迁知府。"
    new = "崔先生幼年丧父，家境贫寒，热爱学习，夜晚没有灯光，随着月亮读书，后来考中进士，担任县长。"
    assert finding("classical", old).verdict == "discard"
    assert finding("classical", new).verdict == "keep"


def test_the_story_of_a_chemist_is_no_chemistry() -> None:
    story = (
        "她小时候住在海边的一个小城里，父亲是药剂师。上大学以后她学了化学，毕业后回到家乡，在中学里教了三十年书。"
        "学生们记得她总是很早就到学校，冬天先把教室里的炉子生好。退休那年，镇上的人送给她一块手表。"
    )
    assert all(
        result.verdict == "keep"
        for result in findings_of(ScreenedText(story), "zh", CONFIG.of("zh", file="x")).values()
    )


def test_every_check_that_is_on_reports_a_value_and_a_threshold() -> None:
    for language in ("zh", "en"):
        settings = CONFIG.of(language, file="x")
        findings = findings_of(ScreenedText("春天 spring"), language, settings)
        assert findings.keys() == settings.keys()
        assert all(item.threshold is not None for item in findings.values())
    assert "classical" not in CONFIG.of("en", file="x")
