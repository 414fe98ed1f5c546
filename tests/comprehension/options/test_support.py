"""How far a Chinese passage supports the words of an option, worked by hand."""

import pytest

from readmark.comprehension.options.support import OptionSupport
from readmark.text.word_vectors import lexicon

TALK = "男：我不买苹果。\n女：票很贵，我去看大夫。"


@pytest.mark.parametrize(
    ("question", "option", "expected"),
    [
        # both words are in one clause, which denies them, and not in what comes last
        ("女的做什么？", "买苹果", (1.0, -0.3, 0.0, 0.0)),
        ("男的做什么？", "买苹果", (1.0, -0.3, 0.0, 1.0)),
        ("男的和女的做什么？", "买苹果", (1.0, -0.3, 0.0, 0.0)),
        # doctor is the first gloss of 医生 and the second of 大夫: 1 / 1.15 ** 0.5 is over 0.9
        ("女的去看谁？", "医生", (0.9, 0.9, 0.9, 0.9)),
        ("女的说票怎么样？", "……", (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_words_of_an_option_are_supported_by_clauses_and_speakers(
    question: str, option: str, expected: tuple[float, ...]
) -> None:
    turns = [(0, 9), (9, len(TALK))]
    figures = OptionSupport(TALK, turns, question).figures([option])
    assert [figure[0] for figure in figures] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("苹果便宜。", (1, 1)),
        ("苹果不便宜。", (1, -0.3)),
        ("苹果不是不便宜。", (1, 1)),
        ("难道苹果便宜吗？", (-0.3, -0.3)),
        ("苹果贵。", (1, -0.7)),
        ("苹果不贵。", (1, 0.7)),
    ],
)
def test_a_denial_or_an_opposite_speaks_against_a_word(
    text: str, signed: tuple[float, float]
) -> None:
    apple, cheap = (lexicon("zh").rarity(word) for word in ("苹果", "便宜"))
    expected = (apple * signed[0] + cheap * signed[1]) / (apple + cheap)
    asserted = OptionSupport(text, [(0, len(text))], "?").figures(["苹果便宜"])[1]
    assert asserted == pytest.approx([expected])
