"""What holds for every shipped project: both languages, nothing of the key, any objects."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from readmark.comprehension.question_rules.guidelines import rule_explanation
from readmark.core.errors import DataError
from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import check
from readmark.making.rules.profiles import profile_named, rules_by_code
from readmark.works import read_project
from readmark.works.work import WORKS
from shipped_projects import PROJECTS, shipped, work_of

NAMES = (
    "questions",
    "questions_smart",
    "second_answers",
    "levels",
    "vetting",
    "translation",
    "sentiment",
    "question_quality",
)
TEXT = "The old mill was built in 1820.\nIts wheel turned until 1902, when the river was moved."


def _test(secret: str = "") -> Test:
    """A passage with a secret in every member of its keys that is no part of the text."""
    key = QuestionKey(
        answers=(Answer(text="1820", start=TEXT.index("1820"), annotator=f"{secret}Eve"),),
        published=(Phrase(text=f"{secret}in 1820"),),
        type=f"{secret}When",
        level=f"{secret}3",
        fields={"proposer": f"{secret}Eve", "reasons": [f"{secret}pronoun"]},
    )
    question = Question(id="built", text="When was the old mill built?", key=key)
    own = RecordKey(fields={"decision": f"{secret}discard"})
    shown = Passage(id="mill", text=TEXT, questions=(question,), key=own)
    hidden = Passage(id="quay", text=f"{secret}A hidden text.", split="test", questions=())
    return in_memory(Header(name="mills", language="en", hidden=("test",)), [shown, hidden])


_SHOWN = ("name", "description", "guidelines", "label", "guideline", "title", "comment")


def _texts(table: Mapping[str, Any]) -> Iterator[Any]:
    """Every text that a page shows."""
    for name, value in table.items():
        if isinstance(value, dict) and not {"en", "zh"} & set(value):
            yield from _texts(value)
        elif isinstance(value, list):
            for member in value:
                yield from _texts(member) if isinstance(member, dict) else ()
        elif name in _SHOWN or isinstance(value, dict):
            yield value


@pytest.mark.parametrize("name", [*NAMES, "judging", "rewriting"])
def test_a_project_has_every_text_in_both_languages(name: str) -> None:
    table = tomllib.loads((PROJECTS / f"{name}.toml").read_text("utf-8"))
    texts = list(_texts(table))
    assert len(texts) > 5
    for text in texts:
        assert set(text) == {"en", "zh"}, text
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text["zh"]), text
    assert table["project"]["work"] in WORKS
    assert table["example"]


@pytest.mark.parametrize("name", NAMES)
def test_annotators_see_nothing_of_the_key(name: str) -> None:
    configuration, work = read_project((PROJECTS / f"{name}.toml").read_text("utf-8"))
    secret = "Zq7"
    items = list(work.divide([_test(secret)], configuration))
    assert [item.name for item in items] == ["mill"]
    view = work.view(items[0], configuration)
    seen = json.dumps([items[0].paper, [text.text for text in view.texts], view.objects])
    if name == "translation":  # translators see the words that they translate, and only these
        assert seen.replace(f"{secret}in 1820", "").count(secret) == 0
    else:
        assert secret not in seen


def test_every_rule_of_a_profile_is_explained() -> None:
    for profile in ("cmrc", "smart", "brcc"):
        for code, rule in profile_named(profile).rules.items():
            if rules_by_code()[code].find is not None:
                for language in ("en", "zh"):
                    explained = rule_explanation(code, language, rule.settings)
                    assert explained is not None, code
                    assert "{" not in "".join(explained)
    assert rule_explanation("long_answer", "en", {"most": {"zh": 12, "en": 7}}) == (
        "The answer is long",
        "An answer has at most 12 Chinese characters or 7 English words. Select the shortest "
        "stretch that answers in full, or ask for something smaller: questions with longer answers "
        "are discarded.",
    )


@pytest.mark.parametrize(
    ("name", "before", "after", "message"),
    [
        ("questions", 'work = "questions"', 'work = "question"', "4: no work 'question'; did you"),
        (
            "questions",
            'profile = "cmrc"',
            'profile = "cmcr"',
            "no profile 'cmcr'; did you mean",
        ),
        ("questions", "fields.answer]", "fields.reply]", "the entry question needs a field answer"),
        ("second_answers", "[entry.answer", "[entry.x", "the work second_answers needs a table"),
        ("second_answers", "least_f1 = 0.8", "least_f1 = 8", "least_f1 is 8, expected a number"),
        ("levels", "answers = false", 'answers = "no"', "answers is true or false"),
        ("levels", 'widget = "choices"', 'widget = "spans"', "reasons is a span, expected a label"),
        ("translation", '"sentences"', '"words"', "passage is 'words'"),
        ("rewriting", "fields.golds]", "fields.gold]", "the entry gold needs a field golds"),
        ("rewriting", "drafts = true", "drafts = 1", "drafts is true or false"),
        ("rewriting", "similarity = 0.8", "similarity = 8", "least_similarity is 8, expected"),
        ("translation", '"sentences"', '"none"\nlanguage = "fr"', "translation is en or zh"),
    ],
)
def test_a_faulty_configuration_is_refused(
    name: str, before: str, after: str, message: str
) -> None:
    text = (PROJECTS / f"{name}.toml").read_text("utf-8")
    assert before in text
    with pytest.raises(DataError, match=rf"^project.toml:\d*:? ?.*{message}"):
        read_project(text.replace(before, after))


_SPANS = st.fixed_dictionaries(
    {"start": st.integers(-3, 100), "end": st.integers(-3, 100)},
    optional={"quote": st.sampled_from(["1820", "", "the"]), "text": st.just("passage")},
)
_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 5),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ["", " ", "3", "keep", "discard", "pronoun", "When was it built in 1820?", "年"]
    ),
    _SPANS,
    st.lists(st.one_of(st.sampled_from(["pronoun", "causal"]), _SPANS, st.none()), max_size=2),
)
_NAMES = st.sampled_from(
    [
        "question",
        "answer",
        "level",
        "type",
        "reasons",
        "unanswerable",
        "sentence",
        "decision",
        "reason",
        "translation",
        "key",
        "other",
    ]
)
_FIELDS = st.one_of(st.none(), st.dictionaries(_NAMES, _VALUES, min_size=2))
_NOTES = st.one_of(st.none(), st.just("a note"), st.just("=1+1"))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None, phases=[Phase.generate])
@given(data=st.data())
def test_any_objects_are_checked_graded_written_and_read(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    configuration = shipped(name)
    work = WORKS.load(configuration.project.work)
    [item] = work.divide([_test()], configuration)
    made: dict[str, Any] = {"note": {"type": "note", "value": data.draw(_NOTES)}, "m-0": None}
    for id in ("q-1", "s-1", "s-2", "m-1", "decision", "built"):
        form = data.draw(st.sampled_from([*configuration.entry, "other"]))
        made[id] = {"type": "entry", "entry": form, "fields": data.draw(_FIELDS)}
    for find in (work.check, work.grade):
        for finding in find(item, made, configuration):
            shown = finding.as_json("zh")
            assert shown["message"]
            assert isinstance(shown["detail"], str)
    folder = tmp_path_factory.mktemp("out")
    project = work_of(configuration, Header(language="en"), [item], Ada={"mill": made})
    for path in work.write(project, folder):
        if path.suffix == ".jsonl" and path.parent.name != "people":
            assert {problem.code for problem in check(str(path))} <= UNFINISHED
        with suppress(DataError):  # an answer that does not occur in the passage
            people = {person for person, _, _ in work.read(path, {"mill": item}, configuration)}
            assert people <= {"Ada", "Eve"}


UNFINISHED = {
    "no_answer",
    "empty_text",
    "offset",
    "empty_answer",
    "unanswerable",
    "sentence",
    "no_sentence",
    "part_of_sentence",
}
"""What a check says of work that is not done, or that no page would send."""


@pytest.mark.parametrize("name", [*NAMES, "brcc", "segmentation", "rewriting"])
def test_an_option_that_is_a_list_or_a_table_is_a_fault_or_ignored(name: str) -> None:
    text = (PROJECTS / f"{name}.toml").read_text("utf-8")
    text = re.sub(r"(?ms)^\[options\]$.*?(?=^\[|\Z)", "", text)
    read_project(text)
    for option in ("format", "start", "profile", "language", "passage", "least_f1", "answers"):
        for value in ("[]", "{}"):
            with suppress(DataError):
                read_project(f"options.{option} = {value}\n{text}")
