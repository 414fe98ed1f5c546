"""Forms in which people may write one name: with a title, with its class, in part."""

from __future__ import annotations

import re

from readmark.tasks.asked_values import AskedValue
from readmark.tasks.mention_classes import mention_class, without_article
from readmark.tasks.typed.descriptions import without_demonstrative
from readmark.tasks.typed.entities import DocumentEntity
from readmark.text.folding import folded_with_places

_TITLE = re.compile(
    r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Lady|Lord|Father|Sister|Captain|Councillor)\.?\s+"
    r"(?=\S+\s+\S)",  # Mr Harlow is not Mrs Harlow, so a surname alone keeps its title
    re.IGNORECASE,
)
_CHINESE_TITLE = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:先生|女士|小姐|太太|教授|博士|医生|老师)$")
_WITHIN_WORD = re.compile(r"\w\w", re.ASCII)


def spellings(text: str, asked: AskedValue) -> frozenset[str]:
    """Words, and the same without the class that comes before a name: "Pump P-7" is "P-7"."""
    words = without_article(" ".join(text.split()))
    forms = [words, without_demonstrative(words), words.rstrip(".,;:!?。，；：！？")]
    for label in asked.labels:
        if words.casefold().startswith(label.casefold()) and len(words) > len(label):
            forms.append(words[len(label) :].strip())
    return mention_class(forms)


def spellings_of(entity: DocumentEntity, asked: AskedValue) -> frozenset[str]:
    """The spellings of an entity's mentions and of its name."""
    names = (entity.name, re.sub(r"[-_]", " ", entity.name))
    return frozenset().union(*(spellings(words, asked) for words in (*entity.mentions, *names)))


def without_title(name: str) -> str:
    """A full name without a title: "Mr Victor Desmond", 贺知远先生."""
    return _CHINESE_TITLE.sub("", _TITLE.sub("", " ".join(name.split()), count=1))


def has_words(text: str, words: str) -> bool:
    """Whether a text has words, in English not within longer ones."""
    if words.isascii():
        return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
    return words in text


def is_part(words: str, name: str) -> bool:
    """Whether words are part of a name; a single character is too little to go by."""
    return len(words) >= 2 and has_words(name, words)


def as_document_writes(text: str, document: str) -> str:
    """Words as the document writes them, in whatever case, width and script they were typed."""
    if text in document:
        return text
    folded, origins = folded_with_places(document)
    for words in dict.fromkeys((text, without_article(text))):
        sought, _ = folded_with_places(words)
        forms = set()
        for match in re.finditer(re.escape(sought), folded) if sought else ():
            start, end = int(origins[match.start()]), int(origins[match.end() - 1]) + 1
            if not any(_WITHIN_WORD.match(document, edge - 1) for edge in (start, end) if edge):
                forms.add(document[start:end])
        if forms:
            return forms.pop() if len(forms) == 1 else text
    return text
