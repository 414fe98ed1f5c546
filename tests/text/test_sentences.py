"""Sentences: worked examples in English and Chinese, and what holds for any text."""

import random
import re
from importlib.resources import as_file, files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from readmark.text.sentences import sentences
from strategies import ALPHABET

ENGLISH: dict[str, list[str]] = {
    "One. Two! Three?": ["One.", "Two!", "Three?"],
    "  Led by spaces.  Ended by them.  ": ["Led by spaces.", "Ended by them."],
    "no end at all": ["no end at all"],
    "": [],
    " \n\t ": [],
    # abbreviations, initials, numbers
    "Dr. Holm met Mrs. Vale in St. Ives. They left.": [
        "Dr. Holm met Mrs. Vale in St. Ives.",
        "They left.",
    ],
    "J. K. Lund wrote it. Nobody read it.": ["J. K. Lund wrote it.", "Nobody read it."],
    'He said "Mr. Lund" (cf. Vol. 3, Fig. 2). Then left.': [
        'He said "Mr. Lund" (cf. Vol. 3, Fig. 2).',
        "Then left.",
    ],
    "The U.S. Navy came. It cost 3.50 a piece.": ["The U.S. Navy came.", "It cost 3.50 a piece."],
    "See e.g. Lund, i.e. the first. Done.": ["See e.g. Lund, i.e. the first.", "Done."],
    # a word that ends as an abbreviation does is none
    "They saw the hall of St. Ives in a squall. Rain fell on the coast. Dr. Holm slept.": [
        "They saw the hall of St. Ives in a squall.",
        "Rain fell on the coast.",
        "Dr. Holm slept.",
    ],
    # a small letter goes on
    "Wait... what? no.": ["Wait... what? no."],
    "Wait... What? No.": ["Wait...", "What?", "No."],
    "It is 5. 6 came later.": ["It is 5.", "6 came later."],
    # quotes and brackets close with the sentence and open with the next
    '"Go!" "Why?" He went.': ['"Go!"', '"Why?"', "He went."],
    "(It rained.) “Did it?” ‘Yes.’": ["(It rained.)", "“Did it?”", "‘Yes.’"],
    "Really?! Yes… No.": ["Really?!", "Yes…", "No."],
    # paragraphs and lines
    "A title\n\nThe text": ["A title", "The text"],
    "A title\nThe text.\nMore": ["A title", "The text.", "More"],
    "A line that is\nwrapped. Done.": ["A line that is\nwrapped.", "Done."],
    "\r\nOne.\r\nTwo.\r\n": ["One.", "Two."],
    "Éa came. Øre left. Über all.": ["Éa came.", "Øre left.", "Über all."],
    "x.y.z example.com v1.2 ok": ["x.y.z example.com v1.2 ok"],
    # numbers of items, also within a line; a number that wrapping put at a line's beginning is none
    "1. An oar is wet. 2. It is dry. 3. Done.": ["1. An oar is wet.", "2. It is dry.", "3. Done."],
    "How many? 5. They ran.": ["How many?", "5.", "They ran."],
    "The field has 0 and\n1. It is the smallest of all.": [
        "The field has 0 and\n1.",
        "It is the smallest of all.",
    ],
    "He left on Jan.\n5. They stayed there.": ["He left on Jan.\n5.", "They stayed there."],
    "..... ": ["....."],
}
CHINESE: dict[str, list[str]] = {
    "你好。再见！好吗？": ["你好。", "再见！", "好吗？"],
    "没有标点": ["没有标点"],
    "他说：“走吧！”然后走了。": ["他说：“走吧！”", "然后走了。"],
    "「好。」他想。": ["「好。」", "他想。"],
    "等等……走了。": ["等等……", "走了。"],
    "什么？！真的": ["什么？！", "真的"],
    "第一行\n第二行\n\n第三行。": ["第一行", "第二行", "第三行。"],
    "\u3000\u3000缩进。\u3000下一句。": ["缩进。", "下一句。"],
    "约3.5米，v1.0版。OK? 好": ["约3.5米，v1.0版。", "OK?", "好"],
    "逗号，分号；冒号：顿号、都不断句": ["逗号，分号；冒号：顿号、都不断句"],
    "𠮷野家。😀！": ["𠮷野家。", "😀！"],
    "": [],
}


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert [text[start:end] for start, end in sentences(text, "en")] == ENGLISH[text]


@pytest.mark.parametrize("text", CHINESE)
def test_chinese(text: str) -> None:
    assert [text[start:end] for start, end in sentences(text, "zh")] == CHINESE[text]


STOPS = st.text(st.sampled_from(ALPHABET + "....!?…。！？）”\"')] MrDABC"), max_size=120)


@given(text=STOPS | st.text(), language=st.sampled_from(["en", "zh", "fr"]))
def test_all_text_is_in_one_sentence_in_order(text: str, language: str) -> None:
    before = 0
    for start, end in sentences(text, language):
        assert before <= start < end <= len(text)
        assert text[before:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        before = end
    assert text[before:].strip() == ""


@given(text=STOPS, language=st.sampled_from(["en", "zh"]))
def test_white_space_around_changes_nothing_but_places(text: str, language: str) -> None:
    quotes = [text[start:end] for start, end in sentences(text, language)]
    padded = f" \t{text} "
    assert [padded[start:end] for start, end in sentences(padded, language)] == quotes


HOSTILE = {
    "initials": "A. " * 30_000,
    "dots": "." * 100_000 + "a",
    "spaced dots": ". " * 50_000,
    "breaks": "\n " * 50_000 + "x",
    "quotes": '."' * 50_000 + "a",
    "one word": "x" * 100_000 + ". B",
    "stops": "。" * 50_000 + "!" * 50_000,
    "commas": ", " * 40_000 + "-\nb, c.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_long_runs_are_split_all_the_same(name: str) -> None:
    """Each took minutes when every stop was looked at from the beginning of its sentence."""
    text = HOSTILE[name]
    for language in ("en", "zh"):
        spans = sentences(text, language)
        assert 1 <= len(spans) <= 2
        assert spans[0][0] == len(text) - len(text.lstrip())
        assert spans[-1][1] == len(text.rstrip())


ZH_PIECE = re.compile(
    r"[“‘（《「(\"]*(?:[\x21-\x7e]+|\s|[^“‘（《「])[，。！？；：、”’）》」…!?.,;:)\"]*"
)


def wrapped(text: str, language: str, width: int, ragged: int, draw: random.Random) -> str:
    """The text on lines of up to ``width`` columns, each line's limit less by up to ``ragged``."""
    # No Chinese line begins with a closing mark or ends with an opening one.
    pieces, space = (ZH_PIECE.findall(text), "") if language == "zh" else (text.split(), " ")
    lines, line, limit = [], "", width - draw.randint(0, ragged)
    for piece in pieces:
        longer = f"{line}{space}{piece}" if line else piece
        if line and sum(2 if mark > "\u1100" else 1 for mark in longer) > limit:
            lines.append(line)
            line, limit = piece, width - draw.randint(0, ragged)
        else:
            line = longer
    return "\n".join([*lines, line])


def without_spaces(text: str, language: str) -> list[str]:
    """The sentences without any white space."""
    return ["".join(text[start:end].split()) for start, end in sentences(text, language)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_wrapping_a_paragraph_changes_no_sentence(language: str) -> None:
    draw = random.Random(1)
    with as_file(files("readmark.bundle") / f"reading.{language}.jsonl") as path:
        texts = [passage.text for passage in readmark.load(path).records()]
    paragraphs = [" ".join(part.split()) for text in texts for part in text.split("\n\n")]
    wrong = [
        (width, ragged, text)
        for paragraph in paragraphs
        for width in (44, 52, 60, 66, 72, 78, 90, 120)
        for ragged in (0, 4, 10)
        if without_spaces(text := wrapped(paragraph, language, width, ragged, draw), language)
        != without_spaces(paragraph, language)
    ]
    assert wrong == []


# Sentences that wrapping could spoil: names in title case, abbreviations and numbers at a line's
# end or beginning, speech, brackets, items within a line.
SENTENCES = {
    "en": [
        "The Last Grain Ship of the Dry Season leaves Port Arden today.",
        "In May 1874 the River Post Company of Arden began to carry letters.",
        "It is a Royal Ferry Board site now, as the Arden Evening Times reported.",
        "Dr. Holm of the U.S. Navy met Mrs. Vale in St. Ives on Jan. 5.",
        "See Fig. 7.",
        "Lund and Sons Inc. had bought 3 boats by 2.",
        "The smallest field holds both 0 and 1.",
        "They walked at 6 a.m. on Monday with J. K. Lund and Prof. Alder.",
        "“Where is the Old Customs House?” Mina asked.",
        "“No,” he said, “the Old Customs House (built in 1790) has gone.”",
        "He waited… Nobody came!",
        "Two of the men, Tom Reed and Michael Clerk Adams (both from Holt), stayed.",
        "Why did the Pine Hill School Board of Arden County refuse?",
    ],
    "zh": [
        "李明问：“船什么时候开？”他的朋友没有回答。",
        "（他那天很累，没有说话。）",
        "《河边的旧屋！》是阿登市出版社在1990年5月12日出版的第一本书。",
        "二、三月的时候，阿登号（Arden Star）带来了3.5吨大米。",
        "约翰·霍尔姆（John Holm）和王小波在圣艾夫斯见面，一起去了码头……",
        "为什么松山学校的董事会拒绝了？",
        "收入增长了3.3%，人口只有20万。",
        "有人说：「船走了。」也有人不信。",
    ],
}


@pytest.mark.parametrize("language", ["en", "zh"])
@given(data=st.data())
def test_wrapping_at_any_width_changes_no_sentence(language: str, data: st.DataObject) -> None:
    """Every line's limit is drawn; no line is wrapped at under two thirds of the widest."""
    chosen = data.draw(st.lists(st.sampled_from(SENTENCES[language]), min_size=3, max_size=8))
    width = data.draw(st.integers(44, 130))
    ragged = data.draw(st.integers(0, width // 3 if language == "en" else 4))
    draw = random.Random(data.draw(st.integers(0, 10**6)))
    paragraph = (" " if language == "en" else "").join(chosen)
    text = wrapped(paragraph, language, width, ragged, draw)
    assert without_spaces(text, language) == without_spaces(paragraph, language)


def test_heading_right_above_a_wrapped_paragraph_is_a_piece_of_its_own() -> None:
    draw = random.Random(3)
    for heading in ("Grain Ship Makes Final Run", "The Old Pier"):
        for place in ("", "(PORT ARDEN, May 4, 1874)\n"):
            for width in range(56, 90):
                body = " ".join(SENTENCES["en"])
                text = f"{heading}\n{place}{wrapped(body, 'en', width, 8, draw)}"
                expected = [*("".join(part.split()) for part in (heading, place) if part)]
                assert without_spaces(text, "en") == expected + without_spaces(body, "en")


def test_sentence_that_begins_inside_a_line_continues_on_the_next() -> None:
    text = (
        "Riders brought the post to the\nSt. Joseph office of the Pony\nExpress. Mail came this "
        "way since April. The Last Pony\nExpress rider leaves town today."
    )
    assert [text[start:end] for start, end in sentences(text, "en")] == [
        "Riders brought the post to the\nSt. Joseph office of the Pony\nExpress.",
        "Mail came this way since April.",
        "The Last Pony\nExpress rider leaves town today.",
    ]


LINES = {
    "a verse": "Low sun on the water,\nGulls over the pier,\nRopes in the evening,\nNobody here.",
    "a list": "Bread from the oven\nTwo apples\nA bottle of Milk\nSalt",
    "a heading": "The Old Pier\nThe pier was built in a week by men who had come over the hills\n"
    "with nothing but their tools, and nobody\nasked them to.",
}


@pytest.mark.parametrize(("name", "count"), [("a verse", 4), ("a list", 4), ("a heading", 2)])
def test_lines_of_their_own_stay_apart(name: str, count: int) -> None:
    assert len(sentences(LINES[name], "en")) == count
