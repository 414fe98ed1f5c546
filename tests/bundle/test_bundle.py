"""The reading tests that ship: whole, parallel, labelled by their reasons, and many."""

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest

from readmark.formats.checks import check

Json = dict[str, Any]

BUNDLE = files("readmark") / "bundle"
LANGUAGES = ("en", "zh")
READING = {language: f"reading.{language}.jsonl" for language in LANGUAGES}

TYPES = (
    "Who",
    "What-DEF",
    "What-VP",
    "What-NP",
    "What-OTH",
    "Which",
    "When",
    "Where",
    "Why",
    "Yes/No",
    "How",
    "Others",
)
# SMART's levels as a function of what a question needs; the three references are one type.
WORDING = {"match": 1, "paraphrase": 2, "reorder": 2}
REASONING = {
    "pronoun": "reference",
    "zero_pronoun": "reference",
    "nominal_reference": "reference",
    "temporal": "temporal",
    "causal": "causal",
    "multi_sentence": "multi_sentence",
}
END = re.compile(r"""[.!?]["')]*(?=\s|$)|[。！？][”）]*""")


def lines(name: str) -> list[Json]:
    return [json.loads(line) for line in (BUNDLE / name).read_text("utf-8").splitlines()]


def passages(language: str) -> list[Json]:
    return lines(READING[language])[1:]


def questions(language: str) -> list[tuple[str, Json]]:
    """Every question beside its passage's text."""
    return [
        (passage["text"], one) for passage in passages(language) for one in passage["questions"]
    ]


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences lie; a line's end is a sentence's end."""
    found = []
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        ends = [end.end() for end in END.finditer(text, line.start(), line.end())]
        for end in dict.fromkeys([*ends, line.end()]):
            start += len(text[start:end]) - len(text[start:end].lstrip())
            found.append((start, end))
            start = end
    return found


def level_of(reasons: list[str]) -> int:
    types = {REASONING[one] for one in reasons if one in REASONING}
    if types:
        assert not set(reasons) & set(WORDING), "differences of wording are not listed from 3 on"
        return min(2 + len(types), 4)
    return max(WORDING[one] for one in reasons)


@pytest.mark.parametrize("name", READING.values())
def test_the_check_finds_nothing(name: str) -> None:
    assert list(check(str(BUNDLE / name))) == []


@pytest.mark.parametrize("name", READING.values())
def test_the_header_says_what_the_references_are(name: str) -> None:
    header = lines(name)[0]
    assert header["licence"] == "Apache-2.0"
    assert header["source"] == "written for Readmark"
    assert header["name"].endswith(f"-{header['language']}")
    assert "not a human study" in header["fields"]["note"]
    assert header["fields"]["conventions"]


def test_the_two_languages_are_parallel() -> None:
    english, chinese = passages("en"), passages("zh")
    shared = ("id", "parallel", "genre", "topic", "split")
    assert [[one[name] for name in shared] for one in english] == [
        [one[name] for name in shared] for one in chinese
    ]
    assert [("dateline" in one) for one in english] == [("dateline" in one) for one in chinese]

    def sides(language: str) -> list[tuple[str, str, str, str | None]]:
        return [
            (one["id"], one["parallel"], one["key"]["type"], one["key"]["fields"].get("verdict"))
            for _, one in questions(language)
        ]

    assert sides("en") == sides("zh")
    assert all(id == parallel for id, parallel, _, _ in sides("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_passages_are_many_varied_and_short(language: str) -> None:
    found = passages(language)
    assert len(found) >= 12
    assert len({one["genre"] for one in found}) >= 10
    assert len({one["topic"] for one in found}) >= 10
    splits = Counter(one["split"] for one in found)
    assert splits.keys() == {"dev", "test"}
    assert splits["dev"] >= 4
    assert splits["test"] >= 8
    for one in found:
        if language == "en":
            assert 130 <= len(one["text"].split()) <= 220, one["id"]
        else:
            assert 200 <= len(re.findall(r"[\u4e00-\u9fff]", one["text"])) <= 350, one["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_and_level_is_there(language: str) -> None:
    keys = [one["key"] for _, one in questions(language)]
    assert len(keys) >= 60
    types = Counter(key["type"] for key in keys)
    assert types.keys() == set(TYPES)
    assert min(types.values()) >= 3
    levels = Counter(key["level"] for key in keys)
    assert levels.keys() == {1, 2, 3, 4}
    assert min(levels.values()) >= 8
    assert {key["difficulty"] for key in keys} == {"Easy", "Moderate", "Difficult"}
    for level in levels:
        assert len({key["type"] for key in keys if key["level"] == level}) >= 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_follow_from_their_reasons(language: str) -> None:
    for _, one in questions(language):
        assert one["key"]["level"] == level_of(one["key"]["fields"]["reasons"]), one["id"]


def test_a_chinese_question_of_level_1_matches_with_its_answer_put_in() -> None:
    def bare(text: str) -> str:
        return re.sub("[，？]", "", text)

    for text, one in questions("zh"):
        asked = bare(one["text"])
        matches = any(
            bare(asked[:start] + answer["text"] + asked[end:]) in bare(text)
            for answer in one["key"]["answers"]
            for start in range(len(asked))
            for end in range(start + 1, min(start + 4, len(asked)) + 1)
            if len(asked) - (end - start) >= 3
        )
        assert matches == (one["key"]["level"] == 1), one["id"]


def test_an_english_question_of_level_1_has_the_words_of_its_sentence() -> None:
    asking = {"who", "what", "which", "when", "where", "why", "how", "long", "far", "temperature"}
    asking |= {"do", "does", "did", "has"}
    past = {"go": "went", "hang": "hung", "take": "took"}
    for text, one in questions("en"):
        if one["key"]["level"] == 1:
            ((start, end),) = one["key"]["sentences"]
            stated = re.findall(r"\w+", text[start:end].lower())
            for word in set(re.findall(r"\w+", one["text"].lower())) - asking:
                forms = (word[:4], past.get(word, word))
                assert any(there.startswith(forms) for there in stated), (one["id"], word)


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_are_spans_of_their_passages(language: str) -> None:
    for text, one in questions(language):
        answers = one["key"]["answers"]
        assert [answer["annotator"] for answer in answers] in (["r1"], ["r1", "r2", "r3"])
        for answer in answers:
            assert text[answer["start"] : answer["end"]] == answer["text"], one["id"]
            assert answer["text"] == answer["text"].strip() != ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_references_differ_about_half_the_time(language: str) -> None:
    triples = [
        {answer["text"] for answer in one["key"]["answers"]}
        for _, one in questions(language)
        if len(one["key"]["answers"]) == 3
    ]
    differing = sum(len(texts) > 1 for texts in triples)
    assert len(triples) >= 40
    assert differing >= 15
    assert 0.4 <= differing / len(triples) <= 0.6


@pytest.mark.parametrize("language", LANGUAGES)
def test_marked_sentences_are_whole_and_hold_the_answers(language: str) -> None:
    for text, one in questions(language):
        marked = [tuple(offsets) for offsets in one["key"]["sentences"]]
        assert marked == sorted(set(marked))
        assert set(marked) <= set(sentences(text)), one["id"]
        assert all(
            re.search(r"""[.!?。！？]["')”）]*$""", text[start:end]) for start, end in marked
        )
        for answer in one["key"]["answers"]:
            assert any(
                start <= answer["start"] and answer["end"] <= end for start, end in marked
            ), one["id"]


def test_sentences_end_with_their_quotation_marks() -> None:
    text = 'Dear A,\nHe said: "Go." She "went". Why?\n“走吧，”他说，“天黑了。”她（小声）答应。'
    assert [text[start:end] for start, end in sentences(text)] == [
        "Dear A,",
        'He said: "Go."',
        'She "went".',
        "Why?",
        "“走吧，”他说，“天黑了。”",
        "她（小声）答应。",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_stands_twice(language: str) -> None:
    texts = [passage["text"] for passage in passages(language)]
    every = chain.from_iterable([text[a:b] for a, b in sentences(text)] for text in texts)
    assert [one for one, count in Counter(every).items() if count > 1] == []


def test_chinese_answers_are_short() -> None:
    for _, one in questions("zh"):
        if one["key"]["type"] not in ("Yes/No", "Why"):
            assert all(len(answer["text"]) <= 30 for answer in one["key"]["answers"]), one["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_yes_and_no_are_both_right_often(language: str) -> None:
    verdicts: Counter[str] = Counter()
    for _, one in questions(language):
        verdict = one["key"]["fields"].get("verdict")
        assert (verdict is not None) == (one["key"]["type"] == "Yes/No"), one["id"]
        verdicts.update([verdict] if verdict else [])
    assert verdicts.keys() == {"yes", "no"}
    assert min(verdicts.values()) >= 3
