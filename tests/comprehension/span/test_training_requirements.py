"""What a training of a span reader is refused for, before anything is learnt."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from readmark.cli.main import cli
from readmark.comprehension.span.epoch_marks import checks_of
from readmark.comprehension.span.requirements import fit_shape, require_able, require_plan
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import SpanShape, write_shape
from readmark.comprehension.span.teachers import require_teachers
from readmark.comprehension.span.training import train_span
from readmark.core.configuration import load_configuration
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.formats.training_tests import TrainingTests

TEXT = "The owner is anna. The barn is red."


def paper(path: Path, *answers: str, unanswerable: bool = False) -> Path:
    key = QuestionKey(
        answers=tuple(Answer(text=answer) for answer in answers), unanswerable=unanswerable
    )
    question = Question(id="q", text="Who is the owner?", key=key if answers else None)
    if unanswerable:
        question = Question(id="q", text="Who is the cat?", key=key)
    record = Passage(id="p", text=TEXT, questions=(question,))
    path.parent.mkdir(exist_ok=True)
    save_test(in_memory(Header(name=path.stem, language="en"), [record]), path)
    return path


def span(*args: str) -> Result:
    return CliRunner().invoke(cli, ["train", "span", "--encoder", "none", *args])


def test_checks_of_one_name_are_told_apart(tmp_path: Path) -> None:
    dev = paper(tmp_path / "a" / "dev.jsonl", "anna")
    other_dev = paper(tmp_path / "b" / "dev.jsonl", unanswerable=True)
    trial = paper(tmp_path / "trial.jsonl", "red")
    checks = checks_of([dev, other_dev, trial], TrainingTests(print))
    assert list(checks) == [str(dev), str(other_dev), "trial"]
    assert [test.file for test in checks.values()] == [str(dev), str(other_dev), str(trial)]


def test_a_check_needs_known_answers(tmp_path: Path) -> None:
    blind = paper(tmp_path / "blind.jsonl")
    with pytest.raises(DataError, match=r"blind.jsonl: no question has a known answer"):
        checks_of([blind], TrainingTests(print))


def test_a_check_of_another_kind_is_refused() -> None:
    import readmark.bundle

    series = Path(readmark.bundle.__file__).parent / "series.en.jsonl"
    with pytest.raises(UsageError, match="is a series test, expected comprehension"):
        checks_of([series], TrainingTests(print))


@pytest.mark.parametrize(
    ("config", "length"),
    [
        ({"model_type": "bert", "max_position_embeddings": 64}, 64),
        ({"model_type": "bert", "max_position_embeddings": 512}, 200),
        ({"model_type": "roberta", "max_position_embeddings": 98, "pad_token_id": 1}, 96),
        ({"model_type": "xlnet"}, 200),
    ],
)
def test_windows_are_no_longer_than_the_encoder_reads(config: dict[str, Any], length: int) -> None:
    network = SimpleNamespace(encoder=SimpleNamespace(config=SimpleNamespace(**config)))
    messages: list[str] = []
    assert fit_shape(SpanShape(length=200), network, messages.append).length == length
    message = f"windows of {length} tokens instead of 200: the encoder reads no more"
    assert messages == ([] if length == 200 else [message])


def test_an_encoder_that_reads_next_to_nothing_is_refused() -> None:
    config = SimpleNamespace(model_type="bert", max_position_embeddings=8)
    network = SimpleNamespace(encoder=SimpleNamespace(config=config))
    with pytest.raises(DataError, match="reads 8 tokens, expected 16 or more"):
        fit_shape(SpanShape(), network, print)


def test_teachers_are_trained_readers_that_read_in_the_same_order(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no span reader"):
        require_teachers([str(tmp_path)], SpanShape())
    write_shape(SpanShape(), tmp_path)
    with pytest.raises(DataError, match=r"cannot teach: heads.safetensors is missing"):
        require_teachers([str(tmp_path)], SpanShape())
    (tmp_path / "heads.safetensors").write_bytes(b"")
    require_teachers([str(tmp_path)], SpanShape())
    with pytest.raises(UsageError, match="cannot teach: it reads the question first"):
        require_teachers([str(tmp_path)], SpanShape(passage_first=True))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "there is nothing to learn from"),
        (
            ["--scores", "t.jsonl"],
            "--scores without a TEST only fits the scores of a trained reader",
        ),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    tmp_path: Path, args: list[str], message: str
) -> None:
    result = span(*args, "-o", str(tmp_path / "out"))
    assert isinstance(result.exception, UsageError)
    assert str(result.exception).startswith(message)
    assert not (tmp_path / "out").exists()


def test_rare_settings_are_in_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.comprehension.span import training

    paper(tmp_path / "t.jsonl", "anna")
    (tmp_path / "readmark.toml").write_text("[train.span]\nlayers = 8\naverage = 0.99\n")
    monkeypatch.chdir(tmp_path)
    passed: list[SpanSettings] = []

    def keep_settings(*_: Any, settings: SpanSettings, **__: Any) -> Any:
        passed.append(settings)
        raise UsageError("enough")

    monkeypatch.setattr(training, "train_span", keep_settings)
    set_here = ("--set", "train.span.masked=0.15")
    CliRunner().invoke(
        cli, [*set_here, "train", "span", "t.jsonl", "--encoder", "none", "-o", "out"]
    )
    [settings] = passed
    assert settings.plan is not None
    assert (settings.layers, settings.masked, settings.plan.average) == (8, 0.15, 0.99)
    assert (settings.dropout, settings.plan.distil, settings.export) == (None, 0.7, True)
    for setting, message in (
        ("train.span.masked=1.5", "1.5 is not a number from 0, below 1"),
        ("train.span.laiers=2", "did you mean layers"),
    ):
        with pytest.raises(UsageError, match=message):
            load_configuration("readmark.toml", [setting])


def test_scores_that_nobody_asked_for_do_not_fail_a_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.comprehension.span import training

    def refuse(folder: Path, tests: Any, **_: Any) -> Any:
        raise DataError("has fewer than 20 questions", file=str(tests[0]))

    monkeypatch.setattr(training, "train_confidence", refuse)
    notes: list[str] = []
    assert training.fit_scores(tmp_path, SpanSettings(check=["a"]), notes.append) is None
    assert notes == ["scores are not fitted: a: has fewer than 20 questions"]
    with pytest.raises(DataError, match="fewer than 20"):
        training.fit_scores(tmp_path, SpanSettings(scores=["a"]), notes.append)
    assert training.fit_scores(tmp_path, SpanSettings(check=["a"], export=False), print) is None
    assert training.fit_scores(tmp_path, SpanSettings(), print) is None


@pytest.mark.torch
class TestWithTorch:
    @pytest.fixture(autouse=True)
    def parts(self) -> None:
        for name in ("torch", "transformers", "tokenizers"):
            pytest.importorskip(name, reason=f"{name} is not installed")

    @pytest.mark.parametrize(
        ("plan", "message"),
        [
            ({"rate": float("nan")}, "the rate is nan, expected more than 0"),
            ({"rate": -1.0}, "the rate is -1, expected more than 0"),
            ({"rate": float("inf")}, "the rate is inf, expected more than 0"),
            ({"device": "toaster"}, "the device toaster cannot be used"),
            ({"patience": 2}, "patience needs marks"),
        ],
    )
    def test_a_plan_that_cannot_be_is_refused(self, plan: dict[str, Any], message: str) -> None:
        with pytest.raises(UsageError, match=message) as refusal:
            require_plan(SpanPlan(**plan), marked=False)
        assert "\n" not in str(refusal.value)

    @pytest.fixture
    def encoder(self, tmp_path: Path) -> Path:
        from span_encoder import write_encoder

        return write_encoder(tmp_path / "encoder")

    def train(self, test: Path, out: Path, encoder: Path, **more: Any) -> Any:
        plan = SpanPlan(rate=1e-3, batch=4, epochs=more.pop("epochs", 1), device="cpu")
        options = {name: more.pop(name) for name in ("also", "progress") if name in more}
        settings = SpanSettings(**{"plan": plan, "length": 48, "export": False, **more})
        return train_span([test], out, encoder=str(encoder), settings=settings, **options)

    @pytest.mark.parametrize("answers", [(), ("zebra",)])
    def test_a_test_without_answers_teaches_nothing(
        self, tmp_path: Path, encoder: Path, answers: tuple[str, ...]
    ) -> None:
        with pytest.raises(DataError, match="no question with a known answer to learn from"):
            self.train(paper(tmp_path / "t.jsonl", *answers), tmp_path / "out", encoder)

    @pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
    def test_a_weight_is_a_number_above_0(
        self, tmp_path: Path, encoder: Path, weight: float
    ) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        with pytest.raises(UsageError, match=r"the weight of .*t.jsonl is"):
            self.train(test, tmp_path / "out", encoder, also=[(weight, str(test))])

    def test_equal_seeds_give_equal_weights(self, tmp_path: Path, encoder: Path) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        for name in ("one", "other"):
            self.train(test, tmp_path / name, encoder)
        for file in ("model.safetensors", "heads.safetensors"):
            assert (tmp_path / "one" / file).read_bytes() == (
                tmp_path / "other" / file
            ).read_bytes()

    def test_a_share_that_holds_nothing_out_is_refused(self, tmp_path: Path, encoder: Path) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        with pytest.raises(UsageError, match=r"a share of 0.001 holds none of the passages out"):
            self.train(test, tmp_path / "out", encoder, hold_out=0.001)

    def test_curves_are_drawn(self, tmp_path: Path, encoder: Path) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        self.train(test, tmp_path / "out", encoder, check=[test])
        picture = (tmp_path / "out" / "training.svg").read_text("utf-8")
        assert ">t f1<" in picture
        assert ">t em<" in picture

    def test_exports_of_an_earlier_training_do_not_stay(
        self, tmp_path: Path, encoder: Path
    ) -> None:
        out = tmp_path / "out"
        out.mkdir()
        for name in ("model.onnx", "model.int8.onnx"):
            (out / name).write_bytes(b"earlier")
        self.train(paper(tmp_path / "t.jsonl", "anna"), out, encoder)
        assert not list(out.glob("*.onnx"))

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"layers": 3}, "the layers of a distilbert encoder cannot be stacked"),
            ({"dropout": 0.3}, "the dropout of a distilbert encoder cannot be set"),
            ({"masked": 0.1}, "a distilbert encoder cannot be taught masked words"),
        ],
    )
    def test_settings_that_an_encoder_cannot_have_are_refused(
        self, settings: dict[str, Any], message: str
    ) -> None:
        import transformers

        small = transformers.DistilBertConfig(
            vocab_size=9, dim=8, n_layers=1, n_heads=2, hidden_dim=8
        )
        small.hidden_dropout_prob = 0.3  # as it is when it was asked for
        with pytest.raises(UsageError, match=message):
            require_able(transformers.DistilBertModel(small), SpanSettings(**settings))
        tiny = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
        bert = transformers.BertModel(transformers.BertConfig(vocab_size=9, **tiny))
        require_able(bert, SpanSettings(layers=2, dropout=0.1, masked=0.1))

    def test_a_checkpoint_of_other_settings_is_refused(self, tmp_path: Path, encoder: Path) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        other = paper(tmp_path / "u.jsonl", "red")
        out = tmp_path / "out"

        def stop(line: str) -> None:
            if line.startswith("epoch 2"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self.train(test, out, encoder, epochs=3, resume=True, progress=stop)
        for lessons, more, setting in (
            (other, {}, "lessons"),
            (test, {"layers": 3}, "encoder"),
            (test, {"masked": 0.2}, "masked"),
            (test, {"check": [test]}, "checks"),
        ):
            with pytest.raises(UsageError, match=rf"other settings \({setting}\); remove it"):
                self.train(lessons, out, encoder, epochs=3, resume=True, **more)
        messages: list[str] = []
        done = self.train(test, out, encoder, epochs=3, resume=True, progress=messages.append)
        assert "resumed after epoch 1" in messages
        assert len(done.epochs) == 3
        assert not list(out.glob("checkpoint*"))

    def test_nothing_is_learnt_again_where_the_export_failed(
        self, tmp_path: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from readmark.comprehension.span import training

        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        test, out = paper(tmp_path / "t.jsonl", "anna"), tmp_path / "out"
        monkeypatch.setattr(training, "write_exports", full)
        with pytest.raises(OSError, match="No space"):
            self.train(test, out, encoder, resume=True, export=True)
        monkeypatch.setattr(training, "write_exports", lambda *_: None)
        messages: list[str] = []
        self.train(test, out, encoder, resume=True, export=True, progress=messages.append)
        assert messages[-1] == "resumed after epoch 1"
        assert not list(out.glob("checkpoint*"))

    @pytest.mark.parametrize("data", [b"garbage", b"PK\x03\x04" + bytes(2000), b""])
    def test_a_damaged_checkpoint_is_refused_and_kept(
        self, tmp_path: Path, encoder: Path, data: bytes
    ) -> None:
        test = paper(tmp_path / "t.jsonl", "anna")
        out = tmp_path / "out"
        out.mkdir()
        (out / "checkpoint.pt").write_bytes(data)
        with pytest.raises(ReadmarkError, match=r"checkpoint.pt is damaged; remove it") as refusal:
            self.train(test, out, encoder, resume=True)
        assert "\n" not in str(refusal.value)
        assert (out / "checkpoint.pt").read_bytes() == data

    def test_libraries_print_nothing(
        self, tmp_path: Path, encoder: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        pytest.importorskip("onnx", reason="onnx is not installed")
        from readmark.comprehension.span.onnx.export import export

        test = paper(tmp_path / "t.jsonl", "anna")
        self.train(test, tmp_path / "out", encoder)
        export(tmp_path / "out", tmp_path / "out")
        assert capfd.readouterr() == ("", "")
