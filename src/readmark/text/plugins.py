"""What texts of a language are analysed by."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.analysers": {
        "en": Entry(
            "readmark.text.analysers.english:EnglishAnalyser", "English, with spaCy and NLTK"
        ),
        "zh": Entry(
            "readmark.text.analysers.chinese:ChineseAnalyser", "Chinese, with jieba and LAC"
        ),
    },
}
