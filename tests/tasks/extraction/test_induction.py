"""Patterns that are learnt from annotated documents: what they find, how they read as a file."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

import readmark
from readmark.tasks.extraction.extract import build_extractor, extract
from readmark.tasks.extraction.induction import induce, learn_from, train_patterns
from readmark.tasks.extraction.materials import Materials, shown_files
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.new_task import new_task
from readmark.tasks.records import Document
from readmark.tasks.task_folder import open_task

Run = Callable[..., subprocess.CompletedProcess[str]]

PEOPLE = [
    ("Anna Berg", "Orrin", 1901, 1960),
    ("Tom Hale", "Keld", 1912, 1971),
    ("Ruth Moss", "Orrin", 1923, 1990),
    ("Paul Finch", "Lenne", 1934, 2001),
    ("Jane Dahl", "Keld", 1945, 1999),
    ("Mark Venn", "Lenne", 1956, 2010),
]
人们 = [
    ("罗景行", "松溪", 1901, 1960),
    ("苏启明", "云泽", 1912, 1971),
    ("叶知秋", "松溪", 1923, 1990),
    ("杜延平", "云泽", 1934, 2001),
    ("梁素心", "松溪", 1945, 1999),
    ("程砚秋", "云泽", 1956, 2010),
]
ENGLISH = "{name} was born in {place} in {born}. People liked the garden. {name} died in {died}."
CHINESE = "{name}{born}年出生于{place}。大家都喜欢那座花园。{name}于{died}年去世。"


def made(folder: Path, template: str, people: list[tuple[str, str, int, int]]) -> str:
    """A task about lives whose documents say when and where people were born and died."""
    chinese = template == CHINESE
    (folder / "documents/train").mkdir(parents=True)
    (folder / "documents/test").mkdir()
    (folder / "annotations/train").mkdir(parents=True)
    language = "zh" if chinese else "en"
    (folder / "task.toml").write_text(
        f'name = "Lives"\ndomain = "lives"\nlanguage = "{language}"\nannotation = "complete"\n'
    )
    for number, (name, place, born, died) in enumerate(people):
        text = template.format(name=name, place=place, born=born, died=died)
        (folder / f"documents/train/d{number}.txt").write_text(text, "utf-8")
        first, _, last = text.split("。" if chinese else ".")[:3]
        id = name.replace(" ", "-")
        lines = [
            "annotator: me",
            f'"{name}"#1 -> ({id}="{name}"#1 type Person) ({id}="{name}"#1 fullName "{name}")',
            f'"{place}" -> ({place}="{place}" type Place)',
            f'"{first}" -> ({id}="{name}"#1 birthYear {born}="{born}") '
            f'({id}="{name}"#1 birthPlace {place}="{place}")',
            f'"{last.strip()}" -> ({id}="{name}"#2 deathYear {died}="{died}")',
        ]
        (folder / f"annotations/train/d{number}.statements").write_text("\n".join(lines), "utf-8")
    return str(folder)


@pytest.fixture
def english(tmp_path: Path) -> str:
    return made(tmp_path / "en", ENGLISH, PEOPLE)


def facts(task: str, text: str) -> set[tuple[str, str, str]]:
    extractor = build_extractor("induced", open_task(task))
    (reading,) = extractor.extract([Document(id="new", text=text)])
    return {
        (one.statement.subject.text, one.statement.predicate.text, str(one.statement.object))
        for one in reading.asserted
    }


def said(found: set[tuple[str, str, str]], predicate: str) -> set[tuple[str, str]]:
    return {(subject, value) for subject, name, value in found if name == predicate}


def test_a_new_document_is_read_as_the_training_documents_were(english: str) -> None:
    found = facts(english, "Ida Brill was born in Tavel in 1888. Ida Brill died in 1950.")
    assert {subject for subject, _ in said(found, "birthYear")} == {"Ida-Brill"}
    (birth,) = said(found, "birthYear")
    (place,) = said(found, "birthPlace")
    (death,) = said(found, "deathYear")
    assert "1888" in birth[1]
    assert "Tavel" in place[1]
    assert "1950" in death[1]


def test_chinese_names_are_found_without_blanks(tmp_path: Path) -> None:
    task = made(tmp_path / "zh", CHINESE, 人们)
    found = facts(task, "傅山远1888年出生于云泽。傅山远于1950年去世。")
    (birth,) = said(found, "birthYear")
    (death,) = said(found, "deathYear")
    assert birth[0] == death[0] == "傅山远"
    assert "1888" in birth[1]
    assert "1950" in death[1]


def test_what_was_learnt_is_a_file_for_people(
    english: str, tmp_path: Path, readmark_cli: Run
) -> None:
    """Valid patterns, each with what it finds; the extractor patterns reads the same with it."""
    output = tmp_path / "patterns.toml"
    done = readmark_cli("train", "patterns", english, "-o", str(output))
    assert "learnt from 6 documents; they find " in done.stdout
    text = output.read_text("utf-8")
    package = open_task(english)
    assert read_patterns(text, "patterns.toml", package.categories()) is not None
    marks = [one for one in tomllib.loads(text)["pattern"] if "mark" in one]
    assert marks
    assert all(0.4 <= one["probability"] < 1 for one in marks)
    assert text.count(" right, ") >= len(marks)
    new = tmp_path / "new.txt"
    new.write_text("Ida Brill was born in Tavel in 1888. Ida Brill died in 1950.", "utf-8")
    learnt = extract(english, [str(new)], extractor="induced").as_json()
    (Path(english) / "patterns.toml").write_text(text, "utf-8")
    assert extract(english, [str(new)], extractor="patterns").as_json() == learnt


def test_a_file_says_what_it_learnt_from(english: str, tmp_path: Path, readmark_cli: Run) -> None:
    """Learnt from six documents; the other task has two of them, and one more."""
    learnt, other = tmp_path / "learnt.toml", tmp_path / "other"
    train_patterns(english, learnt)
    made(other, ENGLISH, [*PEOPLE[:2], ("Ida Brill", "Tavel", 1888, 1950)])
    for number in range(3):
        for kind, ending in (("documents", "txt"), ("annotations", "statements")):
            path = other / kind / "train" / f"d{number}.{ending}"
            (other / kind / "test").mkdir(exist_ok=True)
            path.rename(other / kind / "test" / path.name)
    said = "2 of 3 documents were in this candidate's training data (Lives, train)"
    sitting = tmp_path / "sitting.jsonl"
    done = readmark_cli("sit", str(other), "-r", f"patterns(file={learnt})", "-o", str(sitting))
    assert done.returncode == 0, done.stderr
    assert said in done.stderr
    readmark_cli("task", "gold", str(other), "-o", str(other / "answers.test.jsonl"))
    assert said in readmark_cli("mark", str(other), str(sitting)).stderr
    found = readmark_cli("check", str(other), "--seen", str(learnt)).stdout
    assert found.count(" is in Lives, train") == 2
    sat = readmark.sit(other, f"patterns(file={learnt})")
    assert len(sat.header.signature["patterns"]) == 16
    # The same patterns as the task's own are the same candidate, and say so too.
    (other / "patterns.toml").write_bytes(learnt.read_bytes())
    done = readmark_cli("sit", str(other), "-r", "patterns", "-o", str(tmp_path / "own.jsonl"))
    assert said in done.stderr
    again = readmark_cli("sit", english, "-r", "induced", "-o", str(tmp_path / "induced.jsonl"))
    assert "6 of 6 documents were in this candidate's training data" in again.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml", "not valid TOML"),
        ('[[pattern]]\nfind = "a"\n[training_record]\nreadmark = 9', "newer_schema"),
        ('[[pattern]]\nfind = "a"\n[training_record]\nsources = 1', "training record"),
    ],
)
def test_patterns_that_cannot_be_used_are_one_line(
    english: str, tmp_path: Path, text: str, message: str, readmark_cli: Run
) -> None:
    path = tmp_path / "learnt.toml"
    path.write_text(text, encoding="utf-8")
    sitting = str(tmp_path / "sitting.jsonl")
    done = readmark_cli("sit", english, "-r", f"patterns(file={path})", "-o", sitting)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "learnt.toml" in done.stderr
    assert "Traceback" not in done.stderr


def test_learning_is_deterministic_and_counts_documents_it_was_not_made_from(english: str) -> None:
    materials = Materials(shown_files(open_task(english)))
    first = learn_from(materials)
    training = list(materials.training())
    again = induce(list(training), materials.categories, materials.namespaces)
    assert first.text == again.text
    assert first.documents == 6
    best = max(first.patterns, key=lambda pattern: pattern.probability)
    assert best.wrong == 0
    assert best.documents > 1


def test_wrong_finds_cost_a_pattern_its_place(tmp_path: Path) -> None:
    """Where "in YEAR" is mostly something else, no pattern takes it for a birth."""
    template = ENGLISH.replace("People liked the garden.", "The bridge fell in 1955.")
    task = made(tmp_path / "en", template, PEOPLE)
    found = facts(task, "Ida Brill was born in Tavel in 1888. The bridge fell in 1955.")
    assert all("1888" in value for _, value in said(found, "birthYear"))


def test_induced_sits_a_task_and_its_options_are_those_of_extractors(english: str) -> None:
    sitting = readmark.sit(english, "induced(reason=false)")
    row = sitting.rows["d0:birthYear"]
    assert not isinstance(row, tuple)
    assert [answer["values"]["value"] for answer in row.answer] == [1901]


def _no_train(folder: Path) -> None:
    for sub in ("documents", "annotations"):
        (folder / sub / "train").rename(folder / sub / "dev")


def _no_categories(folder: Path) -> None:
    (folder / "categories.toml").unlink()


def _no_annotation(folder: Path) -> None:
    for file in (folder / "annotations/train").iterdir():
        file.write_text("annotator: me\n", "utf-8")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_no_train, "learning patterns needs documents of the split train, and there are none"),
        (_no_categories, "learning patterns needs a task with categories.toml"),
        (_no_annotation, "learning patterns needs annotation of the train split; there is none"),
    ],
)
def test_what_cannot_be_learnt_from_is_one_line(
    tmp_path: Path, damage: Callable[[Path], None], message: str, readmark_cli: Run
) -> None:
    folder = tmp_path / "storms"
    new_task(str(folder))
    damage(folder)
    for command in (
        ["train", "patterns", str(folder), "-o", str(tmp_path / "p.toml")],
        ["sit", str(folder), "-r", "induced", "-o", str(tmp_path / "s.jsonl")],
    ):
        done = readmark_cli(*command)
        assert done.returncode in (1, 2)
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "p.toml").exists()


def test_empty_damaged_and_long_documents_are_read(english: str) -> None:
    extractor = build_extractor("induced", open_task(english))
    long = "The garden was quiet and nobody came by. " * 25_000
    assert len(long) > 1_000_000
    documents = [
        Document(id="empty", text=""),
        Document(id="blank", text=" \n\n "),
        Document(id="surrogate", text="\ud800 Ida Brill was born in Tavel in 1888."),
        Document(id="long", text=f"{long}Ida Brill was born in Tavel in 1888."),
    ]
    found = {document.id: extractor.read(document) for document in documents}
    assert found["empty"] == found["blank"] == []
    for id in ("surrogate", "long"):
        assert any(one.statement.predicate.text == "birthYear" for one in found[id])


def test_the_bundled_task_teaches_patterns_of_both_languages(tmp_path: Path) -> None:
    bundled = str(files("readmark.bundle") / "task.zh.zip")
    induction = train_patterns(bundled, tmp_path / "patterns.toml")
    assert induction.learnt.documents == 12
    assert len(induction.learnt.patterns) > 50
    assert all(one.right for one in induction.learnt.patterns)


def test_answers_from_the_key_mark_100(english: str, tmp_path: Path, readmark_cli: Run) -> None:
    """The pipeline loses nothing: whoever answers with the key is right."""
    packed, gold, again = (str(tmp_path / name) for name in ("t.zip", "gold.jsonl", "again.jsonl"))
    readmark_cli("task", "gold", english, "-o", f"{english}/answers.train.jsonl")
    readmark_cli("task", "pack", english, "-o", packed)
    readmark_cli("task", "gold", packed, "--annotator", "me", "--as-sitting", "-o", gold)
    readmark_cli("sit", packed, "-r", f"keyed(file={gold})", "-o", again)
    marks = json.loads(readmark_cli("mark", packed, again, "--json").stdout)["marks"]
    assert (marks["facts"]["score"], marks["inferences"]["score"]) == (100.0, 100.0)
