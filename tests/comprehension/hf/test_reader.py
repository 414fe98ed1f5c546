"""Models of transformers as candidates, beside what the library's own windows give."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import copies
from installed import require
from made import asked, comprehension, passage
from qa_models import (
    COMMIT,
    hub_with,
    write_bert,
    write_roberta,
    write_without_offsets,
    write_xlnet,
)
from readmark.core.errors import ReadmarkError
from readmark.core.records import Passage, Question
from readmark.core.sitting import Row
from readmark.core.test import Header, in_memory
from readmark.formats.inputs import save
from readmark.sitting.candidates import build_candidate, make_ready

pytestmark = pytest.mark.torch
require("torch", "transformers")

SHORT = "The mill stands in the north. Anna keeps 12 goats."
LONG = " ".join(
    f"{name} keeps {at} {what} in the {where}."
    for at, (name, what, where) in enumerate(
        (name, what, where)
        for name in ("Anna", "Bo", "Cleo", "Dan", "Eve")
        for what in ("goats", "hens", "cat")
        for where in ("barn", "old mill")
    )
)
CHINESE = "磨坊在北邊。安娜養了十二隻山羊，𠮷田先生養雞 。"
MAKERS: dict[str, Callable[[Path], Path]] = {
    "bert": write_bert,
    "roberta": write_roberta,
    "xlnet": write_xlnet,
}


@pytest.fixture(scope="module", params=MAKERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return MAKERS[request.param](tmp_path_factory.mktemp("model") / request.param)


def sit(folder: Path, texts: list[tuple[str, str]], **more: Any) -> list[Row]:
    records = [
        Passage(id=f"p{at}", text=text, questions=(Question(id=f"q{at}", text=question),))
        for at, (text, question) in enumerate(texts)
    ]
    test = in_memory(Header(name="t", language="en"), records)
    asked = "".join(f",{name}={value}" for name, value in more.items())
    name, candidate = build_candidate(f"hf(model={folder},device=cpu{asked})", test)
    make_ready(name, candidate, test.kind, "en")
    return list(candidate.answer(list(test.units())))


def by_the_library(folder: Path, text: str, question: str, *, stride: int, longest: int) -> Any:
    """The best span by the library's own windows, found by looking at every one of them."""
    import torch
    import transformers

    tool = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    windows = tool(
        question,
        text,
        truncation="only_second",
        max_length=tool.model_max_length,
        stride=stride,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        return_token_type_ids=True,
    )
    best: tuple[float, int, int] = (float("-inf"), 0, 0)
    nothing = float("inf")
    for at in range(len(windows["input_ids"])):
        inputs = {"input_ids": torch.tensor([windows["input_ids"][at]])}
        if model.config.model_type != "roberta":
            inputs["token_type_ids"] = torch.tensor([windows["token_type_ids"][at]])
        with torch.inference_mode():
            output = model(**inputs)
        starts, ends = output.start_logits[0].tolist(), output.end_logits[0].tolist()
        mark = windows["input_ids"][at].index(tool.cls_token_id)
        nothing = min(nothing, starts[mark] + ends[mark])
        inside = [token for token, owner in enumerate(windows.sequence_ids(at)) if owner == 1]
        for first in inside:
            for last in inside:
                if first <= last < first + longest:
                    places = windows["offset_mapping"][at]
                    candidate = starts[first] + ends[last], places[first][0], places[last][1]
                    best = max(best, candidate, key=lambda token: token[0])
    return best, nothing


@pytest.mark.parametrize("text", [SHORT, LONG, CHINESE], ids=["short", "long", "chinese"])
def test_the_answer_is_that_of_the_library(folder: Path, text: str) -> None:
    question = "Who keeps goats?"
    (row,) = sit(folder, [(text, question)], stride=16, longest=8)
    (score, start, end), nothing = by_the_library(folder, text, question, stride=16, longest=8)
    piece = text[start:end]
    assert row.text is not None
    assert row.text == text[row.start : row.end]
    assert row.text.strip() == piece.strip()
    assert row.start == start + len(piece) - len(piece.lstrip())
    assert row.evidence["none"] == pytest.approx(nothing - score, abs=1e-3)


def test_many_together_are_as_each_alone(folder: Path) -> None:
    asked = [(SHORT, "Who keeps goats?"), (LONG, "Where is the cat?"), (CHINESE, "What is in?")]
    together = sit(folder, asked, batch=4)
    alone = [sit(folder, [pair], batch=1)[0] for pair in asked]
    assert [row.text for row in together] == [row.text for row in alone]
    for pair, other in zip(together, alone, strict=True):
        assert pair.score == pytest.approx(other.score, abs=1e-4)


def test_a_question_that_is_too_long(folder: Path) -> None:
    (row,) = sit(folder, [(SHORT, "who keeps " * 200)])
    assert row.error is None
    assert row.text


def test_no_answer_and_the_runners_up(folder: Path) -> None:
    (row,) = sit(folder, [(SHORT, "Who?")], best=4)
    likely = row.evidence["likely"]
    assert len(likely) == 4
    odds = [runner_up["probability"] for runner_up in likely]
    assert odds == sorted(odds, reverse=True)
    below = row.evidence["none"] - 1
    (none,) = sit(folder, [(SHORT, "Who?")], no_answer=below)
    assert (none.text, none.start) == ("", None)
    (empty,) = sit(folder, [("", "Who?")])
    assert empty.text == ""


ODD = (
    "\n\n\nAnna\n\n\nkeeps\n\n\n",
    "第一行\u3000第二行\u3000\u3000第三行\u3000",
    "😀😀 𠮷野家 👩\u200d🚀 é é",
    " \t Anna \t ",
)


@pytest.mark.parametrize("decide", ["em", "f1"])
def test_answers_are_words_without_space_around_them(folder: Path, decide: str) -> None:
    asked = [(text, item) for text in ODD for item in ("Who keeps goats?", "?", "山羊", "Where")]
    for row, (text, _) in zip(sit(folder, asked, best=9, decide=decide), asked, strict=True):
        assert row.text
        assert isinstance(row.text, str)
        assert row.text == text[row.start : row.end] == row.text.strip()
        likely = [(item["start"], item["text"]) for item in row.evidence["likely"]]
        assert len(set(likely)) == len(likely)
        assert row.score == row.evidence["likely"][0]["probability"] <= 1


def test_the_signature_names_the_weights(folder: Path) -> None:
    import transformers

    test = in_memory(Header(name="t", language="en"), [Passage(id="p", text=SHORT)])
    name, candidate = build_candidate(f"hf(model={folder},device=cpu)", test)
    signature = make_ready(name, candidate, test.kind, "en")
    assert len(signature["model"]) == 12
    assert signature["length"] == (96 if folder.name == "roberta" else 64)
    assert signature["device"] == "cpu"
    assert signature["transformers"] == transformers.__version__


def test_models_that_cannot_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bert = write_bert(tmp_path / "bert")
    encoder = write_bert(tmp_path / "encoder", head=False)
    three = write_bert(tmp_path / "three", labels=3)
    canine = write_without_offsets(tmp_path / "canine")
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    for model, more, words in (
        (encoder, "", "no trained question-answering head"),
        (three, "", "three does not score starts and ends"),
        (canine, "", "gives no offsets"),
        (tmp_path / "empty", "", "cannot be loaded"),
        (tmp_path / "absent", "", "no such folder"),
        ("nobody/nothing", "", "download=true"),
        ('"no body"', "", r'hf\(model="no body",download=true\) fetches it'),
        (bert, ",length=65", "more than the model's 64"),
        (bert, ",length=4", "at least 16"),
        (bert, ",device=warp", "cannot be used"),
        (bert, ",batch=0", "less than 1"),
        (bert, ",stride=-1", "less than 0"),
        (bert, ",stride=33", "stride=33 is more than half of a window of 64 tokens"),
        (bert, ",revision=main", "is for a name on the hub"),
    ):
        test = in_memory(Header(name="t", language="en"), [Passage(id="p", text=SHORT)])
        with pytest.raises(ReadmarkError, match=words) as caught:
            make_ready("hf", build_candidate(f"hf(model={model}{more})", test)[1], test.kind, "en")
        assert "\n" not in str(caught.value)


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    bert = write_bert(tmp_path / "bert")
    (bert / "model.safetensors").write_bytes(b"not weights")
    test = in_memory(Header(name="t", language="en"), [Passage(id="p", text=SHORT)])
    _, candidate = build_candidate(f"hf(model={bert})", test)
    with pytest.raises(ReadmarkError, match="bert cannot be loaded"):
        make_ready("hf", candidate, test.kind, "en")


@pytest.mark.slow
@pytest.mark.process
def test_nothing_is_fetched_unless_that_is_allowed(tmp_path: Path) -> None:
    """In another process: the hub's library reads where the hub is when it is imported."""
    bert = write_bert(tmp_path / "bert")
    save(comprehension(passage("p", asked("q", "kettle"))), tmp_path / "test.jsonl")
    with hub_with("kilns/bert", bert) as hub:
        env = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "kept")}
        with copies("torch", "transformers.pipelines", env=env) as readmark:

            def sit_with(candidate: str, out: str) -> subprocess.CompletedProcess[str]:
                return readmark("sit", "test.jsonl", "-r", candidate, "-o", out, cwd=tmp_path)

            absent = sit_with("hf(model=kilns/bert)", "0.jsonl")
            assert absent.returncode == 1
            assert "hf(model=kilns/bert,download=true) fetches it" in absent.stderr
            assert sit_with("hf(model=bert)", "1.jsonl").returncode == 0
            assert hub.asked == []
            fetched = sit_with("hf(model=kilns/bert,download=true)", "2.jsonl")
            assert fetched.returncode == 0, fetched.stderr
            requests = len(hub.asked)
            assert requests > 0
            assert sit_with("hf(model=kilns/bert)", "3.jsonl").returncode == 0
            assert len(hub.asked) == requests
    lines = [(tmp_path / f"{at}.jsonl").read_text("utf-8").splitlines() for at in (1, 2, 3)]
    rows = [json.loads(journal[1]) for journal in lines]
    assert {row["text"] for row in rows} == {rows[0]["text"]}
    assert json.loads(lines[1][0])["signature"]["model"] == COMMIT
