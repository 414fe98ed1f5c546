"""Training a span reader: a tiny random encoder learns twenty questions by heart."""

from pathlib import Path

import pytest

from readmark.corpus.errors import UsageError
from readmark.corpus.formats import open_test, save_test
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.workflows.train_span import chosen_shape, train_span

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


def test_the_shape_follows_the_test(farms: Path, tmp_path: Path) -> None:
    shape = chosen_shape([farms], str(tmp_path), length=64, passage_first=True)
    assert (shape.language, shape.length, shape.passage_first) == ("en", 64, True)
    with pytest.raises(UsageError, match="language"):
        chosen_shape([], str(tmp_path))


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        train_span([], tmp_path / "out", encoder="none")


@pytest.mark.torch
@pytest.mark.slow
class TestLearning:
    @pytest.fixture(autouse=True)
    def parts(self) -> None:
        for name in ("torch", "transformers", "tokenizers", "onnx"):
            pytest.importorskip(name, reason=f"{name} is not installed")

    def test_twenty_questions_are_memorised_and_exported(self, farms: Path, tmp_path: Path) -> None:
        from readmark.models.span.learning import Plan
        from readmark.models.span.network import load_network, torch_scorer
        from readmark.models.span.onnx_scoring import load_scorer
        from readmark.models.span.reading import read
        from readmark.models.span.shape import read_shape
        from readmark.models.span.tokens import load_tokenizer
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        out = tmp_path / "out"
        done = train_span(
            [farms],
            out,
            encoder=str(encoder),
            plan=Plan(rate=3e-3, batch=4, epochs=45, device="cpu"),
            shape=chosen_shape([farms], str(encoder), length=48),
            check=[farms],
        )
        best = max(one["marks"]["farms f1"] for one in done.epochs)
        assert done.epochs[0]["loss"] > 4 * done.epochs[-1]["loss"]
        assert best == 100
        test: Test = open_test(farms)
        asked = [(unit.record.text, unit.item.text) for unit in test.units()]
        shape, tokenizer = read_shape(out), load_tokenizer(out, simplify=False)
        network = load_network(str(out)).eval()
        plain = read(asked, shape, tokenizer, torch_scorer(network))
        exported = read(asked, shape, tokenizer, load_scorer(out / "model.onnx"))
        places = [[(one.start, one.end) for one in reply.found] for reply in plain]
        assert places == [[(one.start, one.end) for one in reply.found] for reply in exported]
        small = read(asked, shape, tokenizer, load_scorer(out / "model.int8.onnx"))
        same = sum(a.found[0].start == b.found[0].start for a, b in zip(plain, small, strict=True))
        assert same >= 18

    def test_training_goes_on_from_a_checkpoint(self, farms: Path, tmp_path: Path) -> None:
        from readmark.models.span import learning
        from readmark.models.span.lessons import Lesson, pack
        from readmark.models.span.network import load_network
        from readmark.models.span.shape import Shape
        from readmark.models.span.tokens import load_tokenizer
        from span_encoder import write_encoder

        encoder = write_encoder(tmp_path / "encoder")
        tokenizer = load_tokenizer(encoder, simplify=False)
        units = list(open_test(farms).units())
        lessons = pack(
            [
                Lesson(unit.record.text, unit.item.text, (unit.item.key.answers[0].offsets,))
                for unit in units
            ],
            Shape(length=48),
            tokenizer,
        )
        plan = learning.Plan(rate=1e-3, batch=10, epochs=4, device="cpu")
        straight = load_network(str(encoder))
        learning.learn(straight, lessons, plan)
        halted = load_network(str(encoder))
        held = tmp_path / "checkpoint.pt"

        def stop(line: str) -> None:
            if line.startswith("epoch 3"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            learning.learn(halted, lessons, plan, checkpoint=held, tell=stop)
        resumed = load_network(str(encoder))
        done = learning.learn(resumed, lessons, plan, checkpoint=held)
        assert [one.number for one in done] == [1, 2, 3, 4]
        other = learning.Plan(rate=2e-3, batch=10, epochs=4, device="cpu")
        with pytest.raises(UsageError, match="other settings"):
            learning.learn(resumed, lessons, other, checkpoint=held)
