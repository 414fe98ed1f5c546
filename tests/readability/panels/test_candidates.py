"""Candidates of a panel, read from files of all sorts."""

import json
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.readability.panels.candidates import CandidateFile, read_candidates


def test_files_of_all_sorts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": 1, "text": "One.", "genre": "forum", "topic": "sports", "by": "ada"})
        + "\n"
        + json.dumps({"text": "No id.", "genre": "forum"})
        + "\n",
        encoding="utf-8",
    )
    (tmp_path / "b.csv").write_text("id,text,genre\nx,Two.,weblog\n", encoding="utf-8")
    (tmp_path / "c.txt").write_bytes("Drei Käse.".encode("cp1252"))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "e.txt").write_text("Five.", encoding="utf-8")
    (tmp_path / "d" / "f.txt").write_text("Six.", encoding="utf-8")
    (tmp_path / "t.jsonl").write_text(
        '{"readmark":1,"kind":"comprehension","name":"t","licence":"CC0-1.0"}\n'
        '{"id":"p","text":"Seven.","genre":"newswire","questions":[]}\n',
        encoding="utf-8",
    )
    files = [
        CandidateFile(str(tmp_path / "a.jsonl")),
        CandidateFile(str(tmp_path / "b.csv")),
        CandidateFile(str(tmp_path / "c.txt"), "caption"),
        CandidateFile(str(tmp_path / "d"), "transcript"),
        CandidateFile(str(tmp_path / "t.jsonl"), "encyclopaedia"),
    ]
    candidates = {candidate.id: candidate for candidate in read_candidates(files)}
    assert {id: (candidate.genre, candidate.text) for id, candidate in candidates.items()} == {
        "1": ("forum", "One."),
        text_id("No id."): ("forum", "No id."),
        "x": ("weblog", "Two."),
        "c": ("caption", "Drei Käse."),
        "e": ("transcript", "Five."),
        "f": ("transcript", "Six."),
        "p": ("encyclopaedia", "Seven."),
    }
    assert candidates["1"].topic == "sports"
    assert candidates["1"].fields == {"by": "ada"}
    assert candidates["p"].licence == "CC0-1.0"


def test_ids_of_several_files_are_told_apart_and_twins_in_one_are_refused(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"id,text,genre\nx,{name},forum\n", encoding="utf-8")
    files = [CandidateFile(str(tmp_path / f"{name}.csv")) for name in ("a", "b")]
    assert [candidate.id for candidate in read_candidates(files)] == ["a-x", "b-x"]
    (tmp_path / "a.csv").write_text("id,text,genre\nx,1,forum\nx,2,forum\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.csv:2: id 'x' occurs twice"):
        read_candidates(files)


def test_a_candidate_without_a_genre_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\nx,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.csv:2: passage 'x' has no genre"):
        read_candidates([CandidateFile(str(tmp_path / "a.csv"))])


def test_an_id_in_two_files_of_one_name_is_refused(tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "posts.csv"
        path.write_text(f"id,text,genre\nx,{name},forum\n", encoding="utf-8")
        files.append(CandidateFile(str(path)))
    with pytest.raises(DataError, match="id 'posts-x' comes from two files of the same name"):
        read_candidates(files)
