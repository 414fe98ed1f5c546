"""Texts of a third language, told without being told."""

import csv
import gzip
from pathlib import Path

import pytest

from readmark.readability.formulas.foreign import foreign

CLEAR = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "clear" / "clear.csv.gz"

FOREIGN = {
    "Это книга о большой собаке.": "Cyrillic",
    "Αυτό το βιβλίο είναι για έναν σκύλο.": "Greek",
    "هذا كتاب عن كلب كبير": "Arabic",
    "これは犬についての本です。": "Japanese",
    "東京の大学で勉強する学生": "Japanese",
    "이 책은 큰 개에 관한 것입니다.": "Korean",
    "Le petit chat de ma voisine dort sur la table de la cuisine. Il attend que la porte soit "
    "ouverte pour courir dans le jardin.": "English",
    "Der alte Mann ging jeden Morgen in die Stadt, um Brot zu kaufen. Er traf dort seine Freunde "
    "und sprach über das Wetter.": "English",
    "Den gamle mand bor i et lille hus ved søen. Hver morgen går han til byen for at købe brød og "
    "tale med sine venner, som vil have to kopper kaffe.": "English",
    "Stary człowiek mieszka w małym domu nad jeziorem. Każdego ranka idzie do wsi, by kupić chleb "
    "i porozmawiać o pogodzie. To nie jest daleko.": "English",
}
HOME = [
    "The old man went to town. He met his friends there and they talked about the weather, which "
    "was bad.",
    "Le chat dort.",  # too short to tell by its words
    "我们在图书馆读书。",
    "這本書講的是一隻大狗。",
    "导演说《となりのトトロ》这部电影是他小时候在乡下生活的回忆，讲的是两个小女孩的故事。",
    "小明喜欢 Beijing 和 Tokyo。",
    "12 34.",
    "😀",
    "",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_a_third_language(text: str) -> None:
    assert FOREIGN[text] in (foreign(text) or "")


@pytest.mark.parametrize("text", HOME)
def test_english_and_chinese_are_let_through(text: str) -> None:
    assert foreign(text) is None


@pytest.mark.golden
@pytest.mark.skipif(not CLEAR.exists(), reason="../shared has no CLEAR corpus")
def test_no_excerpt_of_clear_is_refused() -> None:
    with gzip.open(CLEAR, "rt", encoding="utf-8", errors="replace", newline="") as stream:
        texts = [row["Excerpt"] for row in csv.DictReader(stream)]
    assert len(texts) > 3700
    assert [text for text in texts if foreign(text)] == []
