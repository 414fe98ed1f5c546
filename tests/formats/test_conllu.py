"""CoNLL-U: sentences, tokens and dependencies in and out; no character of a text is lost."""

from pathlib import Path

import pytest
from hypothesis import assume, given

from layered import passages, segmented
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.core.records import Layer, Passage, Question, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, in_memory
from readmark.formats.conllu.notation import escaped, unescaped
from readmark.formats.registry import FORMATS, open_test, save_test


def row(number: object, form: str, *cells: str, misc: str = "_") -> str:
    """A line: number, form, then lemma, upos, xpos, feats, head, deprel; the rest is blank."""
    return "\t".join([str(number), form, *cells, *["_"] * (7 - len(cells)), misc])


SAMPLE = "\n".join(
    [
        "# newdoc id = tom",
        "# sent_id = one",
        "# text = Old Tom can't fish.",
        "# speaker = Ann Bell",
        row(1, "Old", "old", "ADJ", "JJ", "Degree=Pos", "2", "amod", misc="NP=B|NE=B-PERSON"),
        row(2, "Tom", "Tom", "PROPN", "NNP", "_", "5", "nsubj", misc="NP=I|NE=I-PERSON|Gloss=x"),
        row("3-4", "can't"),
        row(3, "ca", "can", "AUX", "MD", "_", "5", "aux"),
        row(4, "n't", "not", "PART", "RB", "_", "5", "advmod"),
        row("4.1", "see", "see", "VERB"),
        row(5, "fish", "fish", "VERB", "VB", "_", "0", "root", misc="SpaceAfter=No"),
        row(6, ".", ".", "PUNCT", ".", "_", "5", "punct"),
        "",
        "# newpar",
        "# sent_id = two",
        "# text = Vámonos al mar",
        row("1-2", "Vámonos"),
        row(1, "vamos", "ir", "VERB"),
        row(2, "nos", "nosotros", "PRON"),
        row("3-4", "al"),
        row(3, "a", "a", "ADP"),
        row(4, "el", "el", "DET"),
        row(5, "mar", "mar", "NOUN"),
        "",
        "# newdoc id = 鱼",
        "# text = 老王卖鱼。",
        *(row(at, form) for at, form in enumerate(["老王", "卖", "鱼", "。"], 1)),
        "",
        "",
    ]
)


def saved(path: Path, text: str = SAMPLE) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_the_sample(tmp_path: Path, eol: str) -> None:
    tom, fish = open_test(saved(tmp_path / "a.conllu", SAMPLE.replace("\n", eol))).records()
    assert (tom.id, fish.id, fish.text) == ("tom", "鱼", "老王卖鱼。")
    assert tom.text == "Old Tom can't fish.\nVámonos al mar"
    assert tom.fields == {"skipped": {"empty_nodes": 1}}
    sentences = tom.layers["sentence"]
    assert [one.quote for one in sentences.over(tom.text)] == tom.text.split("\n")
    assert sentences.columns == {
        "id": ("one", "two"),
        "speaker": ("Ann Bell", None),
        "newpar": (None, True),
    }
    tokens = tom.layers["token"]
    quotes = [one.quote for one in tokens.over(tom.text)]
    assert quotes == [
        "Old",
        "Tom",
        "ca",
        "n't",
        "fish",
        ".",
        "Vámonos",
        "Vámonos",
        "al",
        "al",
        "mar",
    ]
    assert tokens.columns["head"] == (1, 4, 4, 4, 4, 4, *[None] * 5)
    assert tokens.columns["pos"][:6] == ("ADJ", "PROPN", "AUX", "PART", "VERB", "PUNCT")
    assert tokens.columns["form"] == (*[None] * 6, "vamos", "nos", "a", "el", None)
    assert tokens.columns["mwt"][2:4] == ([8, 13], [8, 13])
    assert tokens.columns["feats"][0] == "Degree=Pos"
    assert tokens.columns["misc"][1] == "Gloss=x"
    assert [one.quote for one in tom.layers["np"].over(tom.text)] == ["Old Tom"]
    assert tom.layers["ne"] == Layer(spans=((0, 7),), columns={"type": ("PERSON",)})
    assert [one.quote for one in fish.layers["token"].over(fish.text)] == ["老王", "卖", "鱼", "。"]


def test_the_sample_comes_back(tmp_path: Path) -> None:
    test = open_test(saved(tmp_path / "a.conllu"))
    lost = save_test(test, tmp_path / "b.conllu", format="conllu")
    assert lost == ["fields (skipped) cannot be stored (1: tom)"]
    first, second = open_test(tmp_path / "b.conllu").records()
    tom, fish = test.records()
    assert (first.text, first.layers) == (tom.text, tom.layers)
    assert second == fish
    save_test(open_test(tmp_path / "b.conllu"), tmp_path / "c.conllu", format="conllu")
    assert (tmp_path / "b.conllu").read_bytes() == (tmp_path / "c.conllu").read_bytes()
    assert row("3-4", "can't") in (tmp_path / "b.conllu").read_text("utf-8").splitlines()


@given(segmented())
def test_whatever_is_segmented_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, passage: Passage
) -> None:
    path = tmp_path_factory.getbasetemp() / "made.conllu"
    assert save_test(in_memory(Header(), [passage]), path, format="conllu") == []
    assert list(open_test(path, format="conllu").records()) == [passage]


@given(passages(least=1))
def test_no_character_is_lost_whatever_the_layers(
    tmp_path_factory: pytest.TempPathFactory, passage: Passage
) -> None:
    assume(passage.text.strip() and "token" in passage.layers)
    path = tmp_path_factory.getbasetemp() / "odd.conllu"
    save_test(in_memory(Header(), [passage]), path, format="conllu")
    (back,) = open_test(path, format="conllu").records()
    assert back.text == passage.text


def test_without_documents_a_file_is_one_passage(tmp_path: Path) -> None:
    text = SAMPLE.replace("# newdoc id = tom\n", "").partition("# newdoc")[0]
    (passage,) = open_test(saved(tmp_path / "boats.conllu", text)).records()
    assert passage.id == "boats"


def test_spaces_are_told_by_the_last_column_or_by_the_text(tmp_path: Path) -> None:
    rows = [
        row(1, "a", misc="SpacesBefore=\\s|SpacesAfter=\\n\\t"),
        row(2, "b c", misc="SpacesInToken=b\\s\\sc|SpaceAfter=No"),
        row(3, "d", misc="SpacesAfter=\\p\\\\"),
    ]
    path = saved(tmp_path / "a.conllu", "\n".join([*rows, "", row(1, "e"), "", ""]))
    (passage,) = open_test(path).records()
    assert passage.text == " a\n\tb  cd|\\e"
    plain = ["# text = 老王 卖鱼", row(1, "老王"), row(2, "卖"), row(3, "鱼"), "", ""]
    (passage,) = open_test(saved(path, "\n".join(plain))).records()
    assert passage.text == "老王 卖鱼"


@pytest.mark.parametrize("spaces", ["", " ", "\t\r\n", "\\s|", "a\\nb", "\u3000"])
def test_escapes(spaces: str) -> None:
    assert unescaped(escaped(spaces)) == spaces


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["1\ta\tb"], 1, "conllu: found 3 columns in '1\\ta\\tb', expected 10 between tabs"),
        ([row(2, "a")], 1, "conllu: the word's number is 2, expected 1"),
        ([row("x", "a")], 1, "conllu: found 'x\\ta"),
        ([row(1, "")], 1, "expected a number, a tab and a form"),
        ([row("2-1", "a")], 1, "conllu: the word's number is 2-1, expected 1"),
        ([row(1, "a"), "# text = a"], 2, "conllu: a comment after words: there must be an empty"),
        (["# sent_id = 1", ""], 1, "conllu: a sentence without words"),
        (
            [row(1, "a", "_", "_", "_", "_", "7")],
            1,
            "conllu: the head is '7', expected a number up",
        ),
        ([row(1, "a", misc="NP=X")], 1, "conllu: NP=X begins with neither B nor I"),
        (
            ["# text = a c", row(1, "a"), row(2, "b")],
            1,
            "text: the text goes on with 'c' where word 2 is 'b'",
        ),
    ],
)
def test_malformed_lines_are_told_with_their_number(
    tmp_path: Path, lines: list[str], line: int, message: str
) -> None:
    path = saved(tmp_path / "a.conllu", "\n".join([*lines, "", row(1, "good"), "", ""]))
    with pytest.raises(DataError) as caught:
        list(open_test(path, format="conllu").records())
    assert f"a.conllu:{line}: " in str(caught.value)
    assert message in str(caught.value)
    problems: list[Problem] = []
    ((_, passage),) = open_test(path, format="conllu").placed(problems.append)
    assert [one.where for one in problems] == [line]
    assert passage.text.endswith("good")


def test_a_phrase_that_goes_on_with_nothing_begins(tmp_path: Path) -> None:
    rows = [row(1, "a", misc="NP=I"), row(2, "b", misc="NP=O"), row(3, "c", misc="NP=B"), "", ""]
    problems: list[Problem] = []
    test = open_test(saved(tmp_path / "a.conllu", "\n".join(rows)))
    ((_, passage),) = test.placed(problems.append)
    assert passage.layers["np"].spans == ((0, 1), (4, 5))
    assert [one.message.partition(";")[0] for one in problems] == ["NP=I goes on with nothing"]


TEXT = "Tom fished. He sold a cod!"
TOKENS = Layer(spans=((0, 3), (4, 10), (10, 11), (12, 14), (15, 19), (20, 21), (22, 25), (25, 26)))
SENTENCES = Layer(spans=((0, 11), (12, 26)))


@pytest.mark.parametrize(
    ("layers", "line"),
    [
        ({"sentence": SENTENCES, "token": TOKENS}, None),
        ({"token": TOKENS}, "a passage without a sentence layer was written as one sentence"),
        (
            {"sentence": Layer(spans=((0, 11),)), "token": TOKENS},
            "text outside sentences was written as sentences of its own",
        ),
        (
            {"sentence": Layer(spans=((0, 26), (5, 26))), "token": TOKENS},
            "sentences that overlap, are blank or end in white space cannot be stored",
        ),
        (
            {"sentence": SENTENCES, "token": Layer(spans=((4, 10), (12, 26)))},
            "text that no token covers was written as tokens of its own",
        ),
        (
            {"sentence": SENTENCES, "token": Layer(spans=((0, 11), (4, 10), (12, 26)))},
            "tokens that overlap, are blank or cross a sentence's edge cannot be stored",
        ),
        (
            {"sentence": SENTENCES, "token": TOKENS, "np": Layer(spans=((1, 3),))},
            "spans of layer np that do not cover whole tokens of one sentence cannot be stored",
        ),
        (
            {"sentence": SENTENCES, "token": TOKENS, "np": Layer(spans=((4, 14),))},
            "spans of layer np that do not cover whole tokens of one sentence cannot be stored",
        ),
        (
            {
                "sentence": SENTENCES,
                "token": TOKENS,
                "ne": Layer(spans=((0, 3),), columns={"type": ("A",), "core": ([0, 3],)}),
            },
            "columns (core) of layer ne cannot be stored",
        ),
        (
            {
                "sentence": SENTENCES,
                "token": Layer(
                    spans=TOKENS.spans,
                    columns={"lemma": ("a\tb", *["x"] * 7), "head": (4, 1, 1, 4, 4, 4, 4, 4)},
                ),
            },
            "values of columns (lemma, head) that do not fit cannot be stored",
        ),
    ],
)
def test_what_it_cannot_store_is_named_and_the_text_kept(
    tmp_path: Path, layers: dict[str, Layer], line: str | None
) -> None:
    test = in_memory(Header(), [Passage(id="p", text=TEXT, layers=layers)])
    lost = save_test(test, tmp_path / "a.conllu", format="conllu")
    assert [one.rpartition(" (")[0] for one in lost] == ([line] if line else [])
    (back,) = open_test(tmp_path / "a.conllu").records()
    assert back.text == TEXT


def test_questions_and_other_layers_are_named(tmp_path: Path) -> None:
    passage = Passage(
        id="p",
        text=TEXT,
        layers={"sentence": SENTENCES, "token": TOKENS},
        questions=(Question(id="q", text="Who?"),),
        key=RecordKey(layers={"mention": Layer(spans=((0, 3),))}),
    )
    test = in_memory(Header(), [passage, Passage(id="e", text=" ", layers={"token": TOKENS})])
    assert save_test(test, tmp_path / "a.conllu", format="conllu") == [
        "questions cannot be stored (1: q)",
        "layers (mention) cannot be stored (1: p)",
        "passages without words cannot be stored (1: e)",
    ]


def test_a_passage_without_tokens_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    test = in_memory(Header(), [Passage(id="p", text=TEXT)], file="t.jsonl")
    with pytest.raises(DataError, match=r"t\.jsonl:p: there is no token layer, and CoNLL-U is"):
        save_test(test, tmp_path / "a.conllu", format="conllu")
    assert not (tmp_path / "a.conllu").exists()


def test_a_long_sentence(tmp_path: Path) -> None:
    text = "鱼😀e\u0301 " * 20_000
    spans = tuple((at, at + 4) for at in range(0, len(text), 5))
    layers = {"token": Layer(spans=spans), "sentence": Layer(spans=((0, len(text) - 1),))}
    passage = Passage(id="p", text=text, layers=layers)
    save_test(in_memory(Header(), [passage]), tmp_path / "a.conllu", format="conllu")
    assert list(open_test(tmp_path / "a.conllu").records()) == [passage]


@pytest.mark.parametrize(
    ("text", "recognised"),
    [
        (SAMPLE, True),
        (row(1, "a"), True),
        (row("1-2", "a"), True),
        ("# text = a\n", False),
        ("a\tb\tc", False),
        ("", False),
        ('{"a": "b\\t"}', False),
    ],
)
def test_it_is_known_by_ten_columns(tmp_path: Path, text: str, recognised: bool) -> None:
    source = Source(saved(tmp_path / "a.txt", text))
    assert FORMATS.load("conllu").recognises(source) is recognised


def test_an_empty_file_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file is empty, expected sentences"):
        list(open_test(saved(tmp_path / "a.conllu", "\n"), format="conllu").records())
