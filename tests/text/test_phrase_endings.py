"""Parts of speech that noun phrases end in: by tags, by an analyser, by lists of words."""

from pathlib import Path

import pytest

from brcc_files import put
from readmark.core.records import Layer
from readmark.formats.checks import check
from readmark.formats.registry import open_test
from readmark.text.phrase_endings import ending_findings


@pytest.mark.parametrize(
    ("tags", "phrase", "ending"),
    [
        ("PRON VERB", (0, 8), "VERB"),
        ("PRON VERB", (0, 4), None),
        ("DET NOUN", (0, 8), None),
        ("DET NOUN", (0, 4), None),  # alone it is a pronoun
        ("NUM DET", (0, 8), "DET"),
        ("NOUN NUM", (0, 8), None),
        ("VERB VERB", (0, 3), None),  # ends within a word: nothing is known
    ],
)
def test_endings_by_tags(tags: str, phrase: tuple[int, int], ending: str | None) -> None:
    token = Layer(spans=((0, 4), (5, 8)), columns={"pos": tuple(tags.split())})
    layers = {"token": token, "np": Layer(spans=(phrase,))}
    faults = list(ending_findings("p", "Some say", layers))
    assert len(faults) == (ending is not None)
    for id, code, message in faults:
        assert (id, code) == ("p", "np_ending")
        assert message.endswith(f"ends in {ending}, expected a noun, pronoun or adjective")


def test_endings_by_other_parts_of_speech() -> None:
    layers = {"np": Layer(spans=((0, 8),))}
    assert list(ending_findings("p", "Some say", layers)) == []
    faults = ending_findings("p", "Some say", layers, last_word=lambda _: "VERB")
    assert [code for _, code, _ in faults] == ["np_ending"]


def test_empty_layer_of_words_has_no_tags() -> None:
    layers = {"np": Layer(spans=((0, 3),)), "token": Layer(spans=())}
    assert list(ending_findings("p", "ran off", layers)) == []


@pytest.mark.parametrize(
    ("notation", "ending"),
    [
        ("<NP>Some say</NP> it came from the French.", "VERB"),  # the document's own example
        ("<NP>Some</NP> say it came from <NP>the French</NP>.", None),
        ("He carried <NP>the lamp quickly</NP> home.", "ADV"),
        ("She likes <NP>swimming</NP> and <NP>nothing else</NP>.", None),
        ("He said <NP>“hello”</NP> to <NP>all of 1066</NP>.", None),
    ],
)
def test_endings_in_english_files_that_have_no_parts_of_speech(
    tmp_path: Path, notation: str, ending: str | None
) -> None:
    path = put(tmp_path, f"Passage: p\n\nEnglish passage\n\n{notation}\n", "np.brcc")
    faults = [problem for problem in check(open_test(path)) if problem.code == "np_ending"]
    assert [fault.severity for fault in faults] == ["warning"] * (ending is not None)
    assert all(f"ends in {ending}," in fault.message for fault in faults)


def test_endings_in_chinese_files_are_found_by_words(tmp_path: Path) -> None:
    notation = "<NP>有人 的</NP> 认为 <NP>别的</NP> 灯 来自 <NP>地</NP> 上。"
    path = put(tmp_path, f"Passage: p\n\nChinese passage\n\n{notation}\n", "np.brcc")
    problems = check(open_test(path))
    (message,) = [problem.message for problem in problems if problem.code == "np_ending"]
    assert "'有人的' ends in PART" in message
