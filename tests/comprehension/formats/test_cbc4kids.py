"""CBC4Kids' folder: stories, questions, answers, and what goes wrong in real copies."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.core.records import Passage, Phrase, Question, QuestionKey
from readmark.formats.checks import check
from readmark.formats.registry import open_test, save_test

STORY = """HEADLINE: Pupils Build a Raft
DATE: May 4, 2001
STORYID: 2001-W18-1

TEXT:

Pupils in Port Lorne have built a raft
from bottles. Ms. Hale says it floats.

They will sail it on Sunday.
"""
QUESTIONS = """QuestionID: 2001-W18-1-1
Question: What did the pupils build?
Difficulty: Easy

QuestionID: 2001-W18-1-2
Question: When will they sail it?
Difficulty: moderate
"""
ANSWERS = """QuestionID: 2001-W18-1-1
Question: What did the pupils build?
Answer: a raft | a raft from bottles
Difficulty: Easy

QuestionID: 2001-W18-1-2
Question: When will they sail it?
Answer: Sunday
Difficulty: moderate
"""


def written(folder: Path, **texts: str | bytes) -> Path:
    """A folder with the sample, or with other texts for its suffixes; None of an empty one."""
    folder.mkdir(exist_ok=True)
    sample = {"story": STORY, "questions": QUESTIONS, "answers": ANSWERS, **texts}
    for suffix, text in sample.items():
        if text:
            data = text if isinstance(text, bytes) else text.encode()
            (folder / f"2001-W18-1.{suffix}").write_bytes(data)
    return folder


def only(folder: Path) -> Passage:
    (passage,) = open_test(folder).records()
    assert isinstance(passage, Passage)
    return passage


def told(folder: Path) -> list[tuple[str, int | str, str]]:
    problems: list[Problem] = []
    list(open_test(folder).placed(problems.append))
    return [(Path(problem.file).suffix, problem.where, problem.code) for problem in problems]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_story_with_its_questions(tmp_path: Path, eol: str) -> None:
    sample = {"story": STORY, "questions": QUESTIONS, "answers": ANSWERS}
    folder = written(tmp_path / "f", **{k: v.replace("\n", eol) for k, v in sample.items()})
    passage = only(folder)
    assert (passage.id, passage.title) == ("2001-W18-1", "Pupils Build a Raft")
    assert passage.dateline == "May 4, 2001"
    lines = [
        "Pupils Build a Raft",
        "May 4, 2001",
        "",
        "Pupils in Port Lorne have built a raft",
        "from bottles. Ms. Hale says it floats.",
        "",
        "They will sail it on Sunday.",
    ]
    assert passage.text == eol.join(lines)
    parts = {name: passage.text[slice(*span)] for name, span in passage.fields["parts"].items()}
    assert parts["title"] == passage.title
    assert parts["dateline"] == passage.dateline
    assert parts["story"] == eol.join(lines[3:])
    assert passage.questions == (
        Question(
            id="2001-W18-1-1",
            text="What did the pupils build?",
            key=QuestionKey(
                published=(Phrase(text="a raft"), Phrase(text="a raft from bottles")),
                difficulty="Easy",
            ),
        ),
        Question(
            id="2001-W18-1-2",
            text="When will they sail it?",
            key=QuestionKey(published=(Phrase(text="Sunday"),), difficulty="Moderate"),
        ),
    )
    assert told(folder) == []


def test_alternatives_are_one_publishers(tmp_path: Path) -> None:
    test = open_test(written(tmp_path / "f"))
    unit = next(test.units())
    ((first, second),) = test.kind.references(unit)
    assert (first.text, second.text) == ("a raft", "a raft from bottles")


def test_a_zip_of_the_folder_is_the_same_test(tmp_path: Path) -> None:
    folder = written(tmp_path / "f")
    shutil.make_archive(str(tmp_path / "z"), "zip", tmp_path, "f")
    assert list(open_test(tmp_path / "z.zip").records()) == list(open_test(folder).records())


def test_it_is_kept_by_native_files_and_not_written_itself(tmp_path: Path) -> None:
    test = open_test(written(tmp_path / "f"))
    save_test(test, tmp_path / "n.jsonl")
    assert list(open_test(tmp_path / "n.jsonl").records()) == list(test.records())
    with pytest.raises(Exception, match="cannot be written as 'cbc4kids'"):
        save_test(test, tmp_path / "out", format="cbc4kids")


def test_windows_bytes_and_a_byte_order_mark(tmp_path: Path) -> None:
    story = b"\xef\xbb\xbf" + STORY.encode()
    assert only(written(tmp_path / "f", story=story)).title == "Pupils Build a Raft"
    story = STORY.replace("Ms. Hale", "Ms. Hal\u00e9").encode("cp1252")
    assert "Ms. Hal\u00e9 says" in only(written(tmp_path / "f", story=story)).text


def test_a_headline_in_tags_and_markup_after_the_story(tmp_path: Path) -> None:
    story = STORY.replace("HEADLINE: Pupils Build a Raft", "HEADLINE:\n<HL>Raft Built</HL>")
    story = story + '<DOC domain="sport">\n<HL>Another Story</HL>\n'
    folder = written(tmp_path / "f", story=story)
    passage = only(folder)
    assert passage.title == "Raft Built"
    assert passage.text.endswith("<HL>Another Story</HL>")
    start, end = passage.fields["parts"]["story"]
    assert passage.text[start:end].endswith("on Sunday.")
    assert told(folder) == [(".story", "2001-W18-1", "markup")]
    assert [problem.severity for problem in check(str(folder)) if problem.code == "markup"] == [
        "warning"
    ]


def test_an_id_that_stands_twice_is_told_and_both_are_units(tmp_path: Path) -> None:
    again = "\nQuestionID: 2001-W18-1-1\nQuestion: What did the pupils build?\n"
    folder = written(
        tmp_path / "f",
        questions=QUESTIONS + again,
        answers=ANSWERS + again + "Answer: a boat\n",
    )
    first, _, third = only(folder).questions
    assert first.key is not None
    assert first.key.published[0].text == "a raft"
    assert (third.id, third.fields) == ("2001-W18-1-1#2", {"repeats": "2001-W18-1-1"})
    assert third.key == QuestionKey(published=(Phrase(text="a boat"),))
    assert told(folder) == [(".answers", 11, "repeated_id")]


@pytest.mark.parametrize(
    ("change", "where", "keys"),
    [
        # what the two files hold, what is told, and which questions have a key
        ({"answers": ""}, [], [False, False]),
        ({"questions": ""}, [], [True, True]),
        (
            {"answers": ANSWERS.partition("\n\n")[0]},
            [(".questions", 5, "no_answer")],
            [True, False],
        ),
        (
            {"questions": QUESTIONS.partition("\n\n")[0]},
            [(".answers", 6, "no_question")],
            [True, True],
        ),
        (
            {"answers": ANSWERS.replace("Answer: Sunday", "Answer:")},
            [(".answers", 6, "no_answer")],
            [True, True],
        ),
        (
            {"questions": QUESTIONS.replace("When will", "When  will")},
            [(".questions", 5, "disagreement")],
            [True, True],
        ),
        (
            {"questions": QUESTIONS.replace("moderate", "modrate")},
            [(".questions", 5, "disagreement")],
            [True, True],
        ),
        (
            {"answers": ANSWERS.replace("Easy", "Trivial"), "questions": ""},
            [(".answers", 1, "difficulty")],
            [True, True],
        ),
    ],
)
def test_unequal_files(
    tmp_path: Path,
    change: dict[str, str],
    where: list[tuple[str, int, str]],
    keys: list[bool],
) -> None:
    folder = written(tmp_path / "f", **change)
    assert [question.key is not None for question in only(folder).questions] == keys
    assert told(folder) == where


def test_a_value_goes_on_in_the_next_line(tmp_path: Path) -> None:
    answers = ANSWERS.replace("a raft | a raft from bottles", "a raft |\n  a raft\n  from bottles")
    published = only(written(tmp_path / "f", answers=answers)).questions[0].key.published
    assert [phrase.text for phrase in published] == ["a raft", "a raft from bottles"]


def test_stories_and_questions_that_stand_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "f")
    (folder / "other.answers").write_text(ANSWERS.replace("2001-W18-1", "other"))
    (folder / "lone.story").write_text(STORY.replace("2001-W18-1", "lone"))
    assert [(len(record.questions), record.id) for record in open_test(folder).records()] == [
        (2, "2001-W18-1"),
        (0, "lone"),
    ]
    assert told(folder) == [(".answers", 1, "no_story"), (".story", "lone", "no_questions")]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"story": "Once upon a time"}, "story:1: schema: found 'Once upon a time', expected HEAD"),
        ({"story": "HEADLINE: A\nDATE: B\n"}, "story:1: schema: there is no TEXT: line"),
        ({"answers": "a raft\n" + ANSWERS}, "answers:1: schema: found 'a raft', expected Question"),
        (
            {"questions": "QuestionID: x\n" + QUESTIONS},
            "questions:1: schema: x: there is no Question: in the record",
        ),
        ({"story": b"HEADLINE: \x81"}, "story:1: unreadable: neither UTF-8 nor Windows-1252"),
    ],
)
def test_malformed_files_get_one_line(
    tmp_path: Path, change: dict[str, str | bytes], line: str
) -> None:
    folder = written(tmp_path / "f", **change)
    with pytest.raises(DataError) as caught:
        list(open_test(folder).records())
    assert line in str(caught.value)
    assert any(line in str(problem) for problem in check(str(folder)))


def test_odd_texts_are_kept(tmp_path: Path) -> None:
    long = "a raft 😀 e\u0301 " * 10_000 + "\n" * 100_000 + "end"
    passage = only(written(tmp_path / "f", story=STORY + long))
    assert passage.text.endswith(long)
    empty = STORY.partition("TEXT:")[0] + "TEXT:\n"
    assert only(written(tmp_path / "f", story=empty)).text == "Pupils Build a Raft\nMay 4, 2001"
    bare = "HEADLINE:\nDATE:\nTEXT:\n"
    problems = list(check(str(written(tmp_path / "f", story=bare))))
    assert [problem.code for problem in problems] == ["empty_text"]


def test_a_folder_without_stories_is_not_one(tmp_path: Path) -> None:
    (tmp_path / "a.questions").write_text(QUESTIONS)
    with pytest.raises(DataError, match="is a directory, expected a file or a folder"):
        open_test(tmp_path)
    with pytest.raises(DataError, match="is a directory, expected a file or a folder"):
        open_test(tmp_path, format="cbc4kids")
    with pytest.raises(DataError, match=r"is a file, expected a folder of \.story files"):
        open_test(tmp_path / "a.questions", format="cbc4kids")


@pytest.mark.golden
def test_the_real_folder(shared: Path) -> None:
    folder = shared / "data" / "cbc4kids"
    test = open_test(folder)
    facts = test.facts
    assert (facts.records, facts.units, facts.keyed, facts.language) == (73, 511, 511, "en")
    difficulties = Counter(unit.key.difficulty for unit in test.units())
    assert difficulties == {"Easy": 284, "Moderate": 227}
    for passage in test.records():
        for name, (start, end) in passage.fields["parts"].items():
            part = passage.text[start:end]
            assert part
            assert part == part.strip()
            if name != "story":
                assert part == getattr(passage, name)
    assert [item.id for item in test.records() if item.title is None] == [
        "2000-W03-4",
        "2000-W03-5",
    ]
    problems: list[Problem] = []
    list(test.placed(problems.append))
    codes = Counter(item.code for item in problems)
    # Seven ids with a second, contradicting key; a misspelt Moderate; tags of another story.
    assert codes == {"repeated_id": 7, "disagreement": 1, "markup": 1}
