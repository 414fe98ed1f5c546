"""Training a span reader: a tiny random encoder learns twenty questions by heart."""

from pathlib import Path
from typing import Any

import pytest

from readmark.comprehension.span.settings import SpanSettings
from readmark.comprehension.span.training import chosen_shape, train_span
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.text.training_record_files import recorded_in

PEOPLE = ("anna", "bo", "cleo", "dan", "eve")
COLOURS = ("red", "blue", "green", "old")


def story(number: int) -> Passage:
    person, colour = PEOPLE[number % 5], COLOURS[number // 5]
    text = f"The owner is {person}. The barn is {colour}. A dog stands in the north."
    pairs = (("Who is the owner?", person), ("What is the barn?", colour))
    words, answer = pairs[number % 2]
    key = QuestionKey(answers=(Answer(text=answer, start=text.index(answer)),))
    question = Question(id=f"q{number}", text=words, key=key)
    return Passage(id=f"p{number}", text=text, questions=(question,))


@pytest.fixture
def farms(tmp_path: Path) -> Path:
    test = in_memory(Header(name="farms", language="en"), [story(number) for number in range(20)])
    save_test(test, tmp_path / "farms.jsonl")
    return tmp_path / "farms.jsonl"


def packed(test: Path, encoder: Path) -> Any:
    """The windows of a test, as the network learns them."""
    from readmark.comprehension.span.lessons import SpanLesson, pack
    from readmark.comprehension.span.shape import SpanShape
    from readmark.comprehension.span.tokens import load_tokenizer

    lessons = [
        SpanLesson(unit.record.text, unit.item.text, (unit.item.key.answers[0].offsets,))
        for unit in open_test(test).units()
    ]
    return pack(lessons, SpanShape(length=48), load_tokenizer(encoder, simplify=False))


def test_the_shape_follows_the_test(farms: Path, tmp_path: Path) -> None:
    settings = SpanSettings(length=64, passage_first=True)
    shape = chosen_shape([farms], str(tmp_path), settings)
    assert (shape.language, shape.length, shape.passage_first) == ("en", 64, True)
    assert chosen_shape([farms], str(tmp_path), SpanSettings(language="zh")).simplify


def test_a_training_needs_a_test(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        train_span([], tmp_path / "out", encoder="none")


def places_of(replies: Any) -> list[list[tuple[int, int]]]:
    return [[(answer.start, answer.end) for answer in reply.answers] for reply in replies]


@pytest.mark.torch
@pytest.mark.slow
class TestLearning:
    @pytest.fixture(autouse=True)
    def parts(self) -> None:
        for name in ("torch", "transformers", "tokenizers", "onnx"):
            pytest.importorskip(name, reason=f"{name} is not installed")

    def test_twenty_questions_are_memorised_and_exported(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network, torch_scorer
        from readmark.comprehension.span.onnx.scoring import load_scorer
        from readmark.comprehension.span.replies import read
        from readmark.comprehension.span.settings import SpanPlan
        from readmark.comprehension.span.shape import read_shape
        from readmark.comprehension.span.tokens import load_tokenizer
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
        best = max(epoch["marks"]["farms f1"] for epoch in done.epochs)
        assert done.epochs[0]["loss"] > 4 * done.epochs[-1]["loss"]
        assert best == 100
        record = recorded_in(out)
        assert record is not None
        assert [(source.name, source.passages) for source in record.sources] == [("farms", 20)]
        test: Test = open_test(farms)
        pairs = [(unit.record.text, unit.item.text) for unit in test.units()]
        shape, tokenizer = read_shape(out), load_tokenizer(out, simplify=False)
        network = load_network(str(out)).eval()
        plain = read(pairs, shape, tokenizer, torch_scorer(network))
        exported = read(pairs, shape, tokenizer, load_scorer(out / "model.onnx"))
        assert places_of(plain) == places_of(exported)
        small = read(pairs, shape, tokenizer, load_scorer(out / "model.int8.onnx"))
        both = zip(places_of(plain), places_of(small), strict=True)
        assert sum(places[0][0] == in_8_bits[0][0] for places, in_8_bits in both) >= 18
        width = network.encoder.config.hidden_size
        assert float_products(out / "model.int8.onnx") == [(width, 2)]  # the heads alone

    def test_training_resumes_from_a_checkpoint(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network
        from readmark.comprehension.span.optimisation import learn
        from readmark.comprehension.span.settings import SpanPlan
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = SpanPlan(rate=1e-3, batch=10, epochs=4, device="cpu")
        straight = load_network(str(encoder))
        learn(straight, lessons, plan)
        halted = load_network(str(encoder))
        checkpoint = tmp_path / "checkpoint.pt"

        def stop(line: str) -> None:
            if line.startswith("epoch 3"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learn(halted, lessons, plan, checkpoint=checkpoint, progress=stop)
        resumed = load_network(str(encoder))
        done = learn(resumed, lessons, plan, checkpoint=checkpoint)
        assert [epoch.number for epoch in done] == [1, 2, 3, 4]
        other = SpanPlan(rate=2e-3, batch=10, epochs=4, device="cpu")
        with pytest.raises(UsageError, match="other settings"):
            learn(resumed, lessons, other, checkpoint=checkpoint)

    def test_the_best_weights_outlive_a_break(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network
        from readmark.comprehension.span.optimisation import learn
        from readmark.comprehension.span.settings import SpanPlan
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = SpanPlan(rate=1e-3, batch=10, epochs=3, device="cpu", average=0.9)
        checkpoint = tmp_path / "checkpoint.pt"
        weights = []

        def check(network: object) -> dict[str, float]:
            weights.append(network.heads.weight.detach().clone())  # type: ignore[attr-defined]
            return {"f1": 10.0 - len(weights)}

        def stop(line: str) -> None:
            if line.startswith("epoch 3"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learn(
                load_network(str(encoder)),
                lessons,
                plan,
                check=check,
                checkpoint=checkpoint,
                progress=stop,
            )
        resumed = load_network(str(encoder))
        learn(resumed, lessons, plan, check=check, checkpoint=checkpoint)
        assert (resumed.heads.weight == weights[0]).all()
        # The third epoch came twice, and to the same.
        assert len(weights) == 4
        assert weights[2].sub(weights[3]).abs().max() < 1e-6

    def test_dropout_is_the_same_after_a_break(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network
        from readmark.comprehension.span.optimisation import learn
        from readmark.comprehension.span.settings import SpanPlan
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = SpanPlan(rate=1e-3, batch=10, epochs=3, device="cpu")
        heads = load_network(str(encoder)).heads.state_dict()

        def fresh() -> Any:
            network = load_network(str(encoder), dropout=0.3)
            network.heads.load_state_dict(heads)
            return network

        def stop(line: str) -> None:
            if line.startswith("epoch 2"):
                raise KeyboardInterrupt

        straight, halted, resumed = fresh(), fresh(), fresh()
        learn(straight, lessons, plan)
        checkpoint = tmp_path / "checkpoint.pt"
        with pytest.raises(KeyboardInterrupt):
            learn(halted, lessons, plan, checkpoint=checkpoint, progress=stop)
        learn(resumed, lessons, plan, checkpoint=checkpoint)
        assert straight.heads.weight.equal(resumed.heads.weight)

    def test_a_training_out_of_patience_learns_no_more_after_a_break(
        self, farms: Path, tmp_path: Path
    ) -> None:
        from readmark.comprehension.span.network import load_network
        from readmark.comprehension.span.optimisation import learn
        from readmark.comprehension.span.settings import SpanPlan
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        lessons = packed(farms, encoder)
        plan = SpanPlan(rate=1e-3, batch=10, epochs=6, device="cpu", patience=1)
        checkpoint = tmp_path / "checkpoint.pt"
        messages: list[str] = []
        for _ in range(2):
            marks = iter([3.0, 2.0, 9.0])
            done = learn(
                load_network(str(encoder)),
                lessons,
                plan,
                check=lambda _, marks=marks: {"f1": next(marks)},
                checkpoint=checkpoint,
                progress=messages.append,
            )
            assert [epoch.number for epoch in done] == [1, 2]
        assert messages[-2:] == ["resumed after epoch 2", "no better mark in 1 epochs"]

    @pytest.mark.parametrize(
        "name", ["model.safetensors", "heads.safetensors", "words.safetensors"]
    )
    def test_damaged_weights_are_one_line(self, name: str, tmp_path: Path) -> None:
        from readmark.comprehension.span.masking import make_words
        from readmark.comprehension.span.network import load_network
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        network = load_network(str(encoder))
        (encoder / name).write_bytes(b"\x10\x00")

        def load() -> None:
            make_words(network.encoder, encoder)
            load_network(str(encoder))

        with pytest.raises(DataError, match=r"cannot be loaded|is damaged") as refusal:
            load()
        assert "\n" not in str(refusal.value)

    def test_it_stops_when_time_is_up(self, farms: Path, tmp_path: Path) -> None:
        from readmark.comprehension.span.network import load_network
        from readmark.comprehension.span.optimisation import learn
        from readmark.comprehension.span.settings import SpanPlan
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        plan = SpanPlan(batch=10, epochs=5, device="cpu", minutes=1e-9)
        messages: list[str] = []
        done = learn(
            load_network(str(encoder)), packed(farms, encoder), plan, progress=messages.append
        )
        assert len(done) == 1
        assert messages[-1] == "1e-09 minutes are up"
