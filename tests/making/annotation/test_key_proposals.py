"""Proposed question types and answer sentences: stored in the key, and marked as proposals."""

from pathlib import Path

import pytest

import readmark
from brcc_files import CANONICAL, in_language, put
from command_line import in_process
from readmark.core.records import Passage

BARE = (
    CANONICAL.replace("Question types: Who, -\n", "")
    .replace("<ANSQ1>", "")
    .replace("</ANSQ1>", "")
    .replace("<ANSQ2>", "")
    .replace("</ANSQ2>", "")
)


def proposed(folder: Path, source: str, *more: str) -> Passage:
    done = in_process(
        "set",
        "annotate",
        source,
        "-o",
        "made.jsonl",
        "--layers",
        "types,answers",
        *more,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    [passage] = readmark.load(folder / "made.jsonl").records()
    return passage


@pytest.mark.parametrize(
    ("language", "answers"),
    [
        # the key's words: "Ada Moss" or "she did" is in sentence 1, "one of them" in sentence 2
        ("en", ["Ada Moss bought two pens.", "She lost one."]),
        ("zh", ["艾达买了两支笔。", "她丢了一支。"]),
    ],
)
def test_types_and_answer_sentences(tmp_path: Path, language: str, answers: list[str]) -> None:
    put(tmp_path, in_language(BARE, language), "one.brcc")
    passage = proposed(tmp_path, "one.brcc")
    keys = [question.key for question in passage.questions]
    assert [key.type for key in keys] == ["Who", "What-NP"]
    assert [passage.text[slice(*span)] for key in keys for span in key.sentences] == answers
    assert [key.fields["proposed"] for key in keys] == [["sentences", "type"]] * 2


def test_what_people_marked_stays(tmp_path: Path) -> None:
    put(tmp_path, in_language(CANONICAL, "en"), "en.brcc")
    passage = proposed(tmp_path, "en.brcc")
    first, second = (question.key for question in passage.questions)
    assert (first.type, "proposed" in first.fields) == ("Who", False)
    assert (second.type, second.fields["proposed"]) == ("What-NP", ["type"])


def test_force_replaces_only_what_differs(tmp_path: Path) -> None:
    put(tmp_path, in_language(CANONICAL, "en").replace("Who, -", "When, -"), "en.brcc")
    passage = proposed(tmp_path, "en.brcc", "--force")
    first, second = (question.key for question in passage.questions)
    assert (first.type, first.fields["proposed"]) == ("Who", ["type"])
    assert (second.type, second.fields["proposed"]) == ("What-NP", ["type"])


def test_proposed_sentences_are_no_marked_ones(tmp_path: Path) -> None:
    put(tmp_path, in_language(BARE, "en"), "en.brcc")
    proposed(tmp_path, "en.brcc")
    test = readmark.load(tmp_path / "made.jsonl")
    [passage] = test.records()
    answers = {question.id: passage.text for question in passage.questions}
    marks = readmark.mark(test, answers, metrics=["humsent"])
    assert marks.marks["humsent"].score is None


def test_proposals_stay_proposals_in_a_brcc_file(tmp_path: Path) -> None:
    put(tmp_path, in_language(BARE, "en"), "en.brcc")
    done = in_process(
        "set",
        "annotate",
        "en.brcc",
        "-o",
        "made.brcc",
        "--layers",
        "types,answers",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "made.brcc").read_text("utf-8")
    assert "Question proposals: sentences+type, sentences+type\n" in written
    test = readmark.load(tmp_path / "made.brcc")
    [passage] = test.records()
    assert [question.key.fields["proposed"] for question in passage.questions] == [
        ["sentences", "type"]
    ] * 2
    answers = {question.id: passage.text for question in passage.questions}
    assert readmark.mark(test, answers, metrics=["humsent"]).marks["humsent"].score is None
    again = in_process("convert", "made.brcc", "again.brcc", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.brcc").read_text("utf-8") == written
    # Somebody who has corrected the file takes the line out: then the sentences are marked ones.
    put(tmp_path, written.replace("sentences+type, sentences+type", "type, -"), "corrected.brcc")
    corrected = readmark.load(tmp_path / "corrected.brcc")
    assert readmark.mark(corrected, answers, metrics=["humsent"]).marks["humsent"].score is not None


def test_what_two_people_agree_on_or_decide_is_no_proposal(tmp_path: Path) -> None:
    put(tmp_path, in_language(BARE, "en"), "en.brcc")
    run = ("set", "annotate", "en.brcc", "-o", "a.jsonl", "--layers", "answers")
    assert in_process(*run, cwd=tmp_path).returncode == 0
    text = (tmp_path / "a.jsonl").read_text("utf-8")
    (tmp_path / "b.jsonl").write_text(text.replace('"proposed":["sentences"]', ""), "utf-8")
    result = in_process("set", "crosscheck", "a.jsonl", "b.jsonl", "-o", "adj.jsonl", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    done = in_process(
        "set",
        "adjudicate",
        "a.jsonl",
        "b.jsonl",
        "--decisions",
        "adj.jsonl",
        "-o",
        "gold.jsonl",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    [passage] = readmark.load(tmp_path / "gold.jsonl").records()
    assert all("proposed" not in question.key.fields for question in passage.questions)


def test_abilities_are_stored_checked_and_marked_by(tmp_path: Path) -> None:
    line = "Question abilities: named_entity, anaphora+context\n"
    text = CANONICAL.replace("Question types", f"{line}Question types")
    text = text.replace(line + "Question types: Who, -\n", "Question types: Who, -\n" + line)
    text = in_language(text, "en").replace("English title", "Title")
    path = put(tmp_path, text, "en.brcc")
    again = in_process("convert", "en.brcc", "again.brcc", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.brcc").read_bytes() == path.read_bytes()
    test = readmark.load(tmp_path / "en.brcc")
    marks = readmark.mark(test, {"pen-1": "Ada Moss", "pen-2": "?"}, metrics=["em"], by=["ability"])
    assert {name: part.units for name, part in marks.by["ability"].items()} == {
        "anaphora": 1,
        "context": 1,
        "named_entity": 1,
    }
    put(tmp_path, text.replace("anaphora+context", "guessing"), "wrong.brcc")
    done = in_process("check", "wrong.brcc", "--profile", "brcc", cwd=tmp_path)
    assert (
        "unknown_ability: pen-2: has the ability 'guessing', expected one of frame, ontology"
        in done.stdout
    )
