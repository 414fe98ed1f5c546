"""Training a rewriter by the workflow and the command: what is refused, written and repeated."""

import json
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.series.learned import load_confidence, train_rewriter
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.series.rewriters import RULES
from readmark.text.training_record import recorded_in

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
THINGS = ("lamp", "barn", "mill", "canal", "kiln", "quarry")


def series(noun: str) -> Series:
    asked = [
        (f"What is a {noun}?", f"What is a {noun}?"),
        ("Who builds it?", f"Who builds a {noun}?"),
        ("What is its cost?", f"What is a {noun}'s cost?"),
        ("Where is it found?", f"Where is a {noun} found?"),
    ]
    return Series(
        id=noun,
        target="",
        questions=tuple(
            SeriesQuestion(
                id=f"{noun}-{at}", text=text, key=SeriesQuestionKey(rewrites=(Answer(text=gold),))
            )
            for at, (text, gold) in enumerate(asked, 1)
        ),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    header = Header(kind="series", name="things", language="en")
    save_test(in_memory(header, [series(one) for one in THINGS]), tmp_path / "things.jsonl")
    save_test(in_memory(header, [series("mill")]), tmp_path / "held.jsonl")
    save_test(in_memory(header, [series("sluice")]), tmp_path / "new.jsonl")
    return tmp_path


def test_a_model_is_written_the_same_again(folder: Path) -> None:
    lines: list[str] = []
    done = train_rewriter([folder / "things.jsonl"], folder / "one.json", notify=lines.append)
    train_rewriter([folder / "things.jsonl"], folder / "two.json")
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()
    [learnt] = done.tests
    assert (learnt.series, learnt.questions) == (6, 24)
    assert learnt.right == 24
    assert any("24 rewritten right" in line for line in lines)
    record = recorded_in(folder / "one.json")
    assert record is not None
    [source] = record.sources
    assert (source.name, source.passages) == ("things", 6)


def test_series_of_other_tests_are_refused(folder: Path) -> None:
    with pytest.raises(DataError, match=r"mill of .*held\.jsonl"):
        train_rewriter(
            [folder / "things.jsonl"], folder / "model.json", apart_from=[folder / "held.jsonl"]
        )
    assert not (folder / "model.json").exists()


def test_questions_alone_do_not_make_a_series_known(folder: Path) -> None:
    done = train_rewriter(
        [folder / "things.jsonl"], folder / "model.json", apart_from=[folder / "new.jsonl"]
    )
    assert done.tests[0].series == 6


def test_no_series(folder: Path) -> None:
    passages = in_memory(Header(name="p", language="en"), [Passage(id="p", text="A barn.")])
    save_test(passages, folder / "passages.jsonl")
    with pytest.raises(UsageError, match="expected series"):
        train_rewriter([folder / "passages.jsonl"], folder / "model.json")


def test_no_gold(folder: Path) -> None:
    bare = Series(id="s", target="Vell", questions=(SeriesQuestion(id="1", text="Who is it?"),))
    header = Header(kind="series", name="bare", language="en")
    save_test(in_memory(header, [bare]), folder / "bare.jsonl")
    with pytest.raises(DataError, match="no question with a gold"):
        train_rewriter([folder / "bare.jsonl"], folder / "model.json")


def test_other_languages(folder: Path) -> None:
    header = Header(kind="series", name="fr", language="fr")
    save_test(in_memory(header, [series("lamp")]), folder / "fr.jsonl")
    with pytest.raises(UsageError, match="English and Chinese"):
        train_rewriter([folder / "fr.jsonl"], folder / "model.json")


def test_no_folder(folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        train_rewriter([folder / "things.jsonl"], folder / "nowhere" / "model.json")


def test_the_command_trains_a_model_that_sits(folder: Path, readmark_cli: Run) -> None:
    made = readmark_cli(
        *("train", "rewriter", "things.jsonl", "-o", "model.json", "--json"),
        *("--apart-from", "new.jsonl"),
        cwd=folder,
    )
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["tests"][0]["questions"] == 24
    sat = readmark_cli(
        *("sit", "new.jsonl", "-r", "learned(model=model.json)", "-o", "sitting.jsonl"),
        cwd=folder,
    )
    assert sat.returncode == 0, sat.stderr
    rows = [json.loads(line) for line in (folder / "sitting.jsonl").read_text().splitlines()[1:]]
    assert rows[1]["rewrite"] == "Who builds a sluice?"


@pytest.mark.parametrize("name", ["things.jsonl", "held.jsonl"])
@pytest.mark.parametrize("linked", [False, True])
def test_what_is_read_is_not_written_over(folder: Path, name: str, linked: bool) -> None:
    out = folder / name
    if linked:
        out = folder / "link.json"
        out.symlink_to(name)
    before = (folder / name).read_bytes()
    with pytest.raises(UsageError, match="is what is being read"):
        train_rewriter([folder / "things.jsonl"], out, apart_from=[folder / "held.jsonl"])
    assert (folder / name).read_bytes() == before


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "old.json").write_text("old", encoding="utf-8")
    (folder / "link.json").symlink_to("old.json")
    train_rewriter([folder / "new.jsonl"], folder / "link.json")
    assert (folder / "link.json").is_symlink()
    assert load_confidence(str(folder / "old.json")).note["rules"] == RULES


def test_a_pipe_stays_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    got: list[str] = []
    reader = threading.Thread(
        target=lambda: got.append((folder / "pipe").read_text(encoding="utf-8")), daemon=True
    )
    reader.start()
    train_rewriter([folder / "new.jsonl"], folder / "pipe")
    assert (folder / "pipe").is_fifo()
    reader.join(10)
    assert json.loads(got[0])["model"] == "rewriter"


def test_a_packed_model_can_be_read(folder: Path) -> None:
    train_rewriter([folder / "new.jsonl"], folder / "model.json.gz")
    assert (folder / "model.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert load_confidence(str(folder / "model.json.gz")).note["rules"] == RULES


def kept_apart(folder: Path, target: str, *more: tuple[str, str]) -> Path:
    """A test about a mill, under a target of its own, without the first question."""
    own = series("mill")
    extra = tuple(
        SeriesQuestion(id=f"x{at}", text=text, key=SeriesQuestionKey(rewrites=(Answer(text=gold),)))
        for at, (text, gold) in enumerate(more)
    )
    changed = msgspec.structs.replace(own, target=target, questions=(*own.questions[1:], *extra))
    path = folder / "apart.jsonl"
    header = Header(kind="series", name="apart", language="en")
    save_test(in_memory(header, [changed]), path)
    return path


@pytest.mark.parametrize("target", ["", "the mill"])
def test_golds_make_a_series_known(folder: Path, target: str) -> None:
    apart = kept_apart(folder, target)
    with pytest.raises(DataError, match=r"mill of .*apart\.jsonl"):
        train_rewriter([folder / "things.jsonl"], folder / "model.json", apart_from=[apart])


def test_questions_with_a_name_make_a_series_known(folder: Path) -> None:
    def named(id: str, target: str, first: str) -> Path:
        texts = [first, "Who runs it?", "Is Orrin near it?", "Where is it?"]
        key = SeriesQuestionKey(rewrites=(Answer(text=f"{id} {target}"),))
        asked = tuple(
            SeriesQuestion(id=f"{id}{at}", text=text, key=key) for at, text in enumerate(texts)
        )
        header = Header(kind="series", name=id, language="en")
        one = Series(id=id, target=target, questions=asked)
        save_test(in_memory(header, [one]), folder / f"{id}.jsonl")
        return folder / f"{id}.jsonl"

    learnt, apart = named("a", "Pell mill", "What is it?"), named("b", "the mill", "What mill?")
    with pytest.raises(DataError, match=r"b of .*b\.jsonl"):
        train_rewriter([learnt], folder / "model.json", apart_from=[apart])


def test_a_file_named_twice_is_told(folder: Path) -> None:
    (folder / "link.jsonl").symlink_to("new.jsonl")
    with pytest.raises(UsageError, match=r"link\.jsonl is named twice"):
        train_rewriter([folder / "new.jsonl", folder / "link.jsonl"], folder / "model.json")


def test_a_series_in_two_files_is_learnt_once(folder: Path) -> None:
    lines: list[str] = []
    done = train_rewriter(
        [folder / "things.jsonl", folder / "held.jsonl", folder / "new.jsonl"],
        folder / "model.json",
        notify=lines.append,
    )
    assert [one.series for one in done.tests] == [6, 0, 1]
    assert any("held.jsonl: 1 series left out" in line for line in lines)
