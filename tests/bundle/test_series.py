"""The series that ship: enough of every sort, golds by the guidelines, answers in the passages."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from readmark.formats.checks import check
from readmark.formats.registry import open_test
from readmark.series.notation import OTHER_TEXT, PREVIOUS_ANSWER

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = files("readmark") / "bundle"
LANGUAGES = ("en", "zh")
TARGET_TYPES = {"person", "organisation", "thing", "event", "place"}
# A gold may keep a possessive that its own sentence explains; no other pronoun stands alone.
PRONOUNS = {
    "en": r"\b(he|she|it|they|him|them|there|this|these|one)\b",
    "zh": "[他她它该其这那]",
}
ENDS = {"en": "?.", "zh": "？。"}
BRACKETS = re.compile(r"(?P<outside>.+?) ?[(（](?P<inside>.+)[)）]")


def lines(name: str) -> list[Json]:
    return [json.loads(line) for line in (BUNDLE / name).read_text("utf-8").splitlines()]


def series(language: str) -> list[Json]:
    return lines(f"series.{language}.jsonl")[1:]


def keyed(language: str) -> Iterator[tuple[Json, Json, list[str]]]:
    """Every question that has golds, with its series before it and its golds after it."""
    for one in series(language):
        for question in one["questions"]:
            if "key" in question:
                yield one, question, [gold["text"] for gold in question["key"]["rewrites"]]


def pieces(text: str) -> set[str]:
    """Words by their first four letters, for the sake of endings; Chinese by two characters."""
    found = re.findall(r"(?=([\u4e00-\u9fff]{2}|\b[a-z]{3,4}))", text.lower())
    return set(found) - {"the", "who", "whom", "what", "whic", "that", "was", "did"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_finds_nothing(language: str) -> None:
    assert list(check(str(BUNDLE / f"series.{language}.jsonl"))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_says_what_the_golds_are(language: str) -> None:
    header = lines(f"series.{language}.jsonl")[0]
    assert (header["kind"], header["language"]) == ("series", language)
    assert header["name"] == f"lamplight-series-{language}"
    assert header["licence"] == "Apache-2.0"
    assert header["source"] == "written for Readmark"
    assert "not a human study" in header["fields"]["note"]
    for word in (PREVIOUS_ANSWER, "OTHER", "LIST", "fields.passages", "key.fields.answers"):
        assert word in header["fields"]["conventions"]


@pytest.mark.parametrize(("language", "least"), [("en", 12), ("zh", 4)])
def test_there_are_series_about_every_sort_of_target(language: str, least: int) -> None:
    found = series(language)
    assert len(found) >= least
    assert {one["target_type"] for one in found} == TARGET_TYPES
    assert {one["split"] for one in found} == {"dev", "test"}
    assert all(4 <= len(one["questions"]) <= 8 for one in found)


def test_there_are_more_than_eighty_questions_of_every_category() -> None:
    for language, least in (("en", (80, 10, 5)), ("zh", (30, 4, 4))):
        counts = Counter(
            question["category"] for one in series(language) for question in one["questions"]
        )
        assert counts.keys() == {"FACTOID", "LIST", "OTHER"}
        for category, wanted in zip(("FACTOID", "LIST", "OTHER"), least, strict=True):
            assert counts[category] >= wanted, (language, category)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_are_unique_and_turns_count_on(language: str) -> None:
    found = series(language)
    ids = [one["id"] for one in found]
    ids += chain.from_iterable([question["id"] for question in one["questions"]] for one in found)
    assert len(set(ids)) == len(ids)
    for one in found:
        turns = [question["turn"] for question in one["questions"]]
        assert turns == list(range(1, len(turns) + 1))
        texts = [question["text"] for question in one["questions"]]
        assert len(set(texts)) == len(texts), one["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_comes_last_and_has_no_gold(language: str) -> None:
    for one in series(language):
        for place, question in enumerate(one["questions"], 1):
            assert (question["category"] == "OTHER") == ("key" not in question), question["id"]
            if question["category"] == "OTHER":
                assert place == len(one["questions"])
                assert (question["text"] == OTHER_TEXT) == (language == "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_are_of_the_questions_with_gold(language: str) -> None:
    test = open_test(str(BUNDLE / f"series.{language}.jsonl"))
    assert test.facts.keyed == len(list(keyed(language)))
    assert test.facts.units == sum(len(one["questions"]) for one in series(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_gold_rewrites_stand_alone(language: str) -> None:
    for _, question, golds in keyed(language):
        assert 1 <= len(golds) <= 3
        assert len(set(golds)) == len(golds)
        for gold in golds:
            assert gold[-1] == question["text"][-1], gold
            assert gold[-1] in ENDS[language]
            assert not re.search(PRONOUNS[language], gold), gold


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_lean_on_their_series_in_every_way(language: str) -> None:
    """Pronouns, nominals or nothing for the target, an earlier answer, or no need of it at all."""
    asked = [(one["target"], question["text"], golds) for one, question, golds in keyed(language)]
    unchanged = [text for _, text, golds in asked if golds == [text]]
    earlier = [golds for _, _, golds in asked if PREVIOUS_ANSWER in golds[0]]
    pronoun = [text for _, text, _ in asked if re.search(PRONOUNS[language], text)]
    bare = [
        text
        for target, text, golds in asked
        if text not in golds
        and PREVIOUS_ANSWER not in golds[0]
        and text not in pronoun
        and not any(part in text for part in (re.findall(r"\w+", target)))
    ]
    least = 5 if language == "zh" else 10
    for sort in (unchanged, earlier, pronoun, bare):
        assert len(sort) >= least, sort


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_independent_question_is_left_alone_in_series_of_all_sorts(language: str) -> None:
    sorts = {
        one["target_type"] for one, question, golds in keyed(language) if question["text"] in golds
    }
    assert len(sorts) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_known_answer_stands_where_a_question_leans_on_one(language: str) -> None:
    for one, question, golds in keyed(language):
        variable = [gold for gold in golds if PREVIOUS_ANSWER in gold]
        assert bool(variable) == bool(question.get("previous")), question["id"]
        if variable:
            assert question["turn"] > 1
            assert variable == golds[:1]
            assert len(golds) == 3, question["id"]
            assert all(answer in golds[2] for answer in question["previous"]), question["id"]
            # The second works an earlier question in and does not know its answer.
            asked = [two["text"] for two in one["questions"][: question["turn"] - 1]]
            added = pieces(golds[1]) - pieces(question["text"]) - pieces(one["target"])
            assert any(added & pieces(text) for text in asked), question["id"]
            assert not any(answer in golds[1] for answer in question["previous"]), question["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bracketed_target_has_three_golds(language: str) -> None:
    bracketed = 0
    for one, question, golds in keyed(language):
        found = BRACKETS.fullmatch(one["target"])
        if found and golds != [question["text"]]:
            bracketed += 1
            assert one["target"] in golds[0], question["id"]
            outside = golds[0].replace(one["target"], found["outside"])
            # An acronym needs no article.
            inside = re.sub(f"(the )?{re.escape(one['target'])}", found["inside"], golds[0])
            assert golds[1:] == [outside, inside], question["id"]
    assert bracketed >= 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_stand_in_the_passages_that_a_series_names(language: str) -> None:
    texts = {one["id"]: one["text"] for one in lines(f"reading.{language}.jsonl")[1:]}
    splits = {one["id"]: one["split"] for one in lines(f"reading.{language}.jsonl")[1:]}
    about: set[str] = set()
    answered = 0
    for one, question, _ in keyed(language):
        passages = one.get("fields", {}).get("passages", [])
        answers = question["key"].get("fields", {}).get("answers", [])
        about.update([one["id"]] if passages else [])
        answered += bool(answers)
        assert all(splits[id] == one["split"] for id in passages), one["id"]
        for answer in answers:
            assert any(answer in texts[id] for id in passages), (question["id"], answer)
        assert len(answers) < 2 or question["category"] == "LIST", question["id"]
    assert len(about) >= 4
    assert answered >= 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_earlier_answer_that_is_known_is_the_answer_of_an_earlier_question(
    language: str,
) -> None:
    for one in series(language):
        if "fields" in one:
            said: list[str] = []
            for question in one["questions"]:
                for known in question.get("previous", ()):
                    assert known.removeprefix("the ") in (
                        answer.removeprefix("the ") for answer in said
                    ), question["id"]
                said += question.get("key", {}).get("fields", {}).get("answers", [])


@pytest.mark.parametrize(("language", "least"), [("en", 150), ("zh", 80)])
def test_the_further_series_are_in_two_halves(language: str, least: int) -> None:
    name = f"series_more.{language}.jsonl"
    assert list(check(str(BUNDLE / name))) == []
    header, *found = lines(name)
    assert header["name"] == f"lamplight-series-more-{language}"
    assert "not a human study" in header["fields"]["note"]
    asked = [question for one in found for question in one["questions"]]
    assert len(asked) >= least
    assert {one["target_type"] for one in found} == TARGET_TYPES
    for sort in TARGET_TYPES:  # the halves alternate
        own = [one for one in found if one["target_type"] == sort]
        splits = [one["split"] for one in own if one["split"] != "train"]
        assert splits == [("dev", "report")[place % 2] for place in range(len(splits))]
    ids = [one["id"] for one in found] + [question["id"] for question in asked]
    assert len(set(ids)) == len(ids)
    for question in asked:
        golds = [gold["text"] for gold in question["key"]["rewrites"]]
        assert 1 <= len(set(golds)) == len(golds) <= 3
        variable = [PREVIOUS_ANSWER in gold for gold in golds]
        assert any(variable) == bool(question.get("previous")), question["id"]
        assert all(gold[-1] == question["text"][-1] for gold in golds), question["id"]


def test_the_page_counts_them() -> None:
    page = (ROOT / "docs" / "bundle.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| ([\w ]+) \| (\d+ \| \d+) \|$", page, re.MULTILINE))

    def stands(name: str, english: int, chinese: int) -> None:
        assert rows[name] == f"{english} | {chinese}", name

    en, zh = map(series, LANGUAGES)
    stands("series", len(en), len(zh))
    for sort in TARGET_TYPES:
        counts = [sum(one["target_type"] == sort for one in side) for side in (en, zh)]
        stands(f"with a target of type {sort}", *counts)
    stands("about passages of the reading test", *(sum("fields" in s for s in x) for x in (en, zh)))
    asked = [[q for one in side for q in one["questions"]] for side in (en, zh)]
    stands("questions", *map(len, asked))
    for category in ("FACTOID", "LIST", "OTHER"):
        stands(
            f"of category {category}",
            *(sum(q["category"] == category for q in side) for side in asked),
        )
    golds = [[(q, texts) for _, q, texts in keyed(language)] for language in LANGUAGES]
    stands("questions with gold", *map(len, golds))
    stands("golds", *(sum(len(texts) for _, texts in side) for side in golds))
    holds: dict[str, Callable[[Json, list[str]], bool]] = {
        "questions with PREVIOUS_ANSWER": lambda _, texts: PREVIOUS_ANSWER in texts[0],
        "questions equal to a gold as they are": lambda q, texts: q["text"] in texts,
        "questions answered in a passage": lambda q, _: "fields" in q["key"],
    }
    for name, so in holds.items():
        stands(name, *(sum(so(*one) for one in side) for side in golds))
