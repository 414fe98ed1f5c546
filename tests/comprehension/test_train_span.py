"""Training a span reader: a tiny random encoder learns twenty questions by heart."""

from pathlib import Path
from typing import Any

import pytest

from readmark.comprehension.span.training import SpanSettings, chosen_shape, train_span
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.text.training_record_files import recorded_in

PEOPLE = ("anna", "bo", "cleo", "dan", "eve")
COLOURS = ("red", "blue", "green", "old")


def story(at: int) -> Passage:
    person, colour = PEOPLE[at % 5], COLOURS[at // 5]
    text = f"The owner is {person}. The barn is {colour}. A dog stands in the north."
    asked = (("Who is the owner?", person), ("What is the barn?", colour))
    question, answer = asked[at % 2]
    key = QuestionKey(answers=(Answer(text=answer, start=text.index(answer)),))
    return Passage(
        id=f"p{at}", text=text, questions=(Question(id=f"q{at}", text=question, key=key),)
    )


@pytest.fixture
def farms(tmp_path: Path) -> Path:
    test = in_memory(Header(name="farms", language="en"), [story(at) for at in range(20)])
    save_test(test, tmp_path / "farms.jsonl")
    return tmp_path / "farms.jsonl"


def packed(test: Path, encoder: Path) -> Any:
    """The windows of a test, as the network learns them."""
    from readmark.comprehension.span.lessons import SpanLesson, pack
    from readmark.comprehension.span.tokens import SpanShape, load_tokenizer

    asked = [
        SpanLesson(unit.record.text, unit.item.text, (unit.item.key.answers[0].offsets,))
        for unit in open_test(test).units()
    ]
    return pack(asked, SpanShape(length=48), load_tokenizer(encoder, simplify=False))


def test_the_shape_follows_the_test(farms: Path, tmp_path: Path) -> None:
    asked = SpanSettings(length=64, passage_first=True)
    shape = chosen_shape([farms], str(tmp_path), asked)
    assert (shape.language, shape.length, shape.passage_first) == ("en", 64, True)
    assert chosen_shape([farms], str(tmp_path), SpanSettings(language="zh")).simplify


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        train_span([], tmp_path / "out", encoder="none")


def test_a_large_test_counts_no_more_than_a_small_one(
    farms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.comprehension.span import training as module

    one, other = open_test(farms), open_test(farms)
    told = {id(one): {"f1": 40.0, "em": 10.0}, id(other): {"f1": 80.0, "em": 30.0}}
    monkeypatch.setattr(module, "marked", lambda test, *_: told[id(test)])
    monkeypatch.setattr(module, "torch_scorer", lambda network: network)
    many, few = list(one.units()), list(other.units())[:1]
    look = module._checker({}, [(one, many), (other, few), (one, [])], None, None)
    assert look is not None
    assert look(None) == {"held f1": 60.0, "held em": 20.0}
    assert module._checker({}, [(one, [])], None, None) is None


@pytest.mark.torch
@pytest.mark.slow
class TestLearning:
    @pytest.fixture(autouse=True)
    def parts(self) -> None:
        for name in ("torch", "transformers", "tokenizers", "onnx"):
            pytest.importorskip(name, reason=f"{name} is not installed")

    def test_twenty_questions_are_memorised_and_exported(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.answers import read
        from readmark.comprehension.span.network import load_network, torch_scorer
        from readmark.comprehension.span.onnx import load_scorer
        from readmark.comprehension.span.optimisation import SpanPlan
        from readmark.comprehension.span.tokens import load_tokenizer, read_shape
        from span_encoder import float_products, write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        out = tmp_path / "out"
        done = train_span(
            [farms],
            out,
            encoder=str(encoder),
            settings=SpanSettings(
                plan=SpanPlan(rate=3e-3, batch=4, epochs=45, device="cpu"), length=48, check=[farms]
            ),
        )
        assert done.scores is not None
        assert read_shape(out).confidence is not None
        best = max(one["marks"]["farms f1"] for one in done.epochs)
        assert done.epochs[0]["loss"] > 4 * done.epochs[-1]["loss"]
        assert best == 100
        record = recorded_in(out)
        assert record is not None
        assert [(source.name, source.passages) for source in record.sources] == [("farms", 20)]
        test: Test = open_test(farms)
        asked = [(unit.record.text, unit.item.text) for unit in test.units()]
        shape, tokenizer = read_shape(out), load_tokenizer(out, simplify=False)
        network = load_network(str(out)).eval()
        plain = read(asked, shape, tokenizer, torch_scorer(network))
        exported = read(asked, shape, tokenizer, load_scorer(out / "model.onnx"))
        places = [[(one.start, one.end) for one in reply.answers] for reply in plain]
        assert places == [[(one.start, one.end) for one in reply.answers] for reply in exported]
        small = read(asked, shape, tokenizer, load_scorer(out / "model.int8.onnx"))
        same = sum(
            a.answers[0].start == b.answers[0].start for a, b in zip(plain, small, strict=True)
        )
        assert same >= 18
        width = network.encoder.config.hidden_size
        assert float_products(out / "model.int8.onnx") == [(width, 2)]  # the heads alone

    def test_training_goes_on_from_a_checkpoint(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span import optimisation as learning
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = learning.SpanPlan(rate=1e-3, batch=10, epochs=4, device="cpu")
        straight = load_network(str(encoder))
        learning.learn(straight, lessons, plan)
        halted = load_network(str(encoder))
        held = tmp_path / "checkpoint.pt"

        def stop(line: str) -> None:
            if line.startswith("epoch 3"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learning.learn(halted, lessons, plan, checkpoint=held, progress=stop)
        resumed = load_network(str(encoder))
        done = learning.learn(resumed, lessons, plan, checkpoint=held)
        assert [one.number for one in done] == [1, 2, 3, 4]
        other = learning.SpanPlan(rate=2e-3, batch=10, epochs=4, device="cpu")
        with pytest.raises(UsageError, match="other settings"):
            learning.learn(resumed, lessons, other, checkpoint=held)

    def test_the_best_weights_outlive_a_break(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span import optimisation as learning
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = learning.SpanPlan(rate=1e-3, batch=10, epochs=3, device="cpu", average=0.9)
        held = tmp_path / "checkpoint.pt"
        weights = []

        def check(network: object) -> dict[str, float]:
            weights.append(network.heads.weight.detach().clone())  # type: ignore[attr-defined]
            return {"f1": 10.0 - len(weights)}

        def stop(line: str) -> None:
            if line.startswith("epoch 3"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learning.learn(
                load_network(str(encoder)),
                lessons,
                plan,
                check=check,
                checkpoint=held,
                progress=stop,
            )
        resumed = load_network(str(encoder))
        learning.learn(resumed, lessons, plan, check=check, checkpoint=held)
        assert (resumed.heads.weight == weights[0]).all()
        # The third epoch came twice, and to the same.
        assert len(weights) == 4
        assert weights[2].sub(weights[3]).abs().max() < 1e-6

    def test_dropout_is_the_same_after_a_break(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span import optimisation as learning
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = learning.SpanPlan(rate=1e-3, batch=10, epochs=3, device="cpu")
        heads = load_network(str(encoder)).heads.state_dict()

        def fresh() -> Any:
            network = load_network(str(encoder), dropout=0.3)
            network.heads.load_state_dict(heads)
            return network

        def stop(line: str) -> None:
            if line.startswith("epoch 2"):
                raise KeyboardInterrupt

        straight, halted, resumed = fresh(), fresh(), fresh()
        learning.learn(straight, lessons, plan)
        held = tmp_path / "checkpoint.pt"
        with pytest.raises(KeyboardInterrupt):
            learning.learn(halted, lessons, plan, checkpoint=held, progress=stop)
        learning.learn(resumed, lessons, plan, checkpoint=held)
        assert straight.heads.weight.equal(resumed.heads.weight)

    def test_patience_that_is_at_its_end_learns_no_more_after_a_break(
        self, farms: Path, tmp_path: Path
    ) -> None:
        from readmark.comprehension.span import optimisation as learning
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = learning.SpanPlan(rate=1e-3, batch=10, epochs=6, device="cpu", patience=1)
        held = tmp_path / "checkpoint.pt"
        told: list[str] = []
        for _ in range(2):
            marks = iter([3.0, 2.0, 9.0])
            done = learning.learn(
                load_network(str(encoder)),
                lessons,
                plan,
                check=lambda _, marks=marks: {"f1": next(marks)},
                checkpoint=held,
                progress=told.append,
            )
            assert [one.number for one in done] == [1, 2]
        assert told[-2:] == ["resumed after epoch 2", "no better mark in 1 epochs"]

    @pytest.mark.parametrize(
        "name", ["model.safetensors", "heads.safetensors", "words.safetensors"]
    )
    def test_damaged_weights_are_one_line(self, name: str, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network, make_words
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        network = load_network(str(encoder))
        (encoder / name).write_bytes(b"\x10\x00")

        def load() -> None:
            make_words(network.encoder, encoder)
            load_network(str(encoder))

        with pytest.raises(DataError, match=r"cannot be loaded|is damaged") as said:
            load()
        assert "\n" not in str(said.value)

    def test_it_stops_when_time_is_up(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span import optimisation as learning
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        plan = learning.SpanPlan(batch=10, epochs=5, device="cpu", minutes=1e-9)
        told: list[str] = []
        done = learning.learn(
            load_network(str(encoder)), packed(farms, encoder), plan, progress=told.append
        )
        assert len(done) == 1
        assert told[-1] == "1e-09 minutes are up"
