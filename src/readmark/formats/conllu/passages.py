"""A passage from the blocks of a CoNLL-U document: the text put together, and its layers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from readmark.core.problems import Problem, ReportProblem, remark
from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.core.spans import clip
from readmark.formats.conllu.blocks import ConlluSentence, ConlluWord
from readmark.formats.conllu.notation import (
    CHUNKS,
    PLAIN_COLUMNS,
    RESERVED_COMMENTS,
    SOURCES,
    SPACING,
    comment_value,
    unescaped,
)


def passage_of(
    id: str, sentences: Sequence[ConlluSentence], file: str, report: ReportProblem
) -> Passage:
    """The passage that a document's sentences make."""
    builder = _PassageBuilder(file, report)
    for sentence in sentences:
        builder.add(sentence)
    builder.finish()
    labels = builder.sentence_labels
    if all(label.get("id") == f"{id}-{number}" for number, label in enumerate(labels, 1)):
        for label in labels:  # made up when they were written, since CoNLL-U requires an id
            del label["id"]
    sources = comment_value(sentences[0].comment(SOURCES) or "{}")
    layers = builder.layers(sources if isinstance(sources, dict) else {})
    skipped = sum(sentence.empty_nodes for sentence in sentences)
    fields = {"skipped": {"empty_nodes": skipped}} if skipped else {}
    return Passage(id=id, text=builder.text, layers=layers, fields=fields)


class _PassageBuilder:
    """The text so far, and the spans and columns of sentences and tokens."""

    def __init__(self, file: str, report: ReportProblem) -> None:
        self.file = file
        self.report = report
        self.sentence_labels: list[dict[str, Any]] = []
        self._pieces: list[str] = []
        self._length = 0
        self._sentences: list[Offsets] = []
        self._tokens: list[Offsets] = []
        self._token_columns: list[dict[str, Any]] = []
        self._chunk_marks: dict[str, list[tuple[str, ConlluWord]]] = {name: [] for name in CHUNKS}
        """For every name in MISC, what it says of every token."""
        self._sentence_starts: set[int] = set()
        """Tokens that begin a sentence: no phrase continues over those."""
        self._last_misc: dict[str, str] | None = None
        """MISC of the last surface of the sentence before."""

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, sentence: ConlluSentence) -> None:
        """Put a sentence after those before it."""
        surfaces = list(sentence.surfaces())
        self._put(self._gap_before(sentence))
        self._put(unescaped(surfaces[0][0].misc.get("SpacesBefore", "")))
        start, first_token = self._length, len(self._tokens)
        self._sentence_starts.add(first_token)
        gaps = self._gaps(surfaces, sentence)
        for (surface, words), gap in zip(surfaces, gaps, strict=True):
            offset = self._length
            self._put(surface.surface)
            spans = split_spans(surface.surface, [word.form for word in words], offset)
            for word, span in zip(words, spans, strict=True):
                columns = self._columns(sentence, word, first_token)
                if surface is not word:
                    columns["mwt"] = [offset, offset + len(surface.surface)]
                    if word.form != surface.surface[span[0] - offset : span[1] - offset]:
                        columns["form"] = word.form
                self._tokens.append(span)
                self._token_columns.append(columns)
                for name in CHUNKS:
                    self._chunk_marks[name].append((word.misc.get(name, ""), word))
            self._put(gap)
        self._sentences.append((start, self._length))
        self.sentence_labels.append(_labels(sentence))
        self._last_misc = surfaces[-1][0].misc

    def finish(self) -> None:
        """Put the white space after the last sentence."""
        self._put(unescaped((self._last_misc or {}).get("SpacesAfter", "")))

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _gap_before(self, sentence: ConlluSentence) -> str:
        """The white space before a sentence: as stated, else a line break before a paragraph."""
        misc = self._last_misc
        if misc is None:
            return ""
        is_paragraph = "newpar" in sentence.comments or "newpar id" in sentence.comments
        return "\n" if is_paragraph and "SpacesAfter" not in misc else _gap_after(misc)

    def _gaps(
        self, surfaces: list[tuple[ConlluWord, list[ConlluWord]]], sentence: ConlluSentence
    ) -> list[str]:
        """The white space after each surface but the last: by MISC, else by the comment text.

        Treebanks without SpaceAfter state the text all the same.
        """
        stated = [_gap_after(surface.misc) for surface, _ in surfaces]
        stated[-1] = ""
        text = sentence.comment("text")
        parts = [surface.surface for surface, _ in surfaces]
        built = "".join(part + gap for part, gap in zip(parts, stated, strict=True))
        if text is None or built.split() == text.split():
            return stated
        gaps, rest = [], text.lstrip()
        for number, part in enumerate(parts, 1):
            if not rest.startswith(part):
                message = (
                    f"the text goes on with {clip(rest)!r} where word {number} is {clip(part)!r}"
                )
                line, _ = sentence.comments["text"]
                self.report(Problem(self.file, line, "text", message))
                return stated
            following = rest[len(part) :]
            rest = following.lstrip()
            gaps.append(following[: len(following) - len(rest)])
        gaps[-1] = ""
        return gaps

    def _columns(
        self, sentence: ConlluSentence, word: ConlluWord, first_token: int
    ) -> dict[str, Any]:
        columns: dict[str, Any] = {
            name: word.cells[index]
            for name, index in PLAIN_COLUMNS.items()
            # An underscore is no value, but it is the lemma of an underscore.
            if word.cells[index] != "_" or (name == "lemma" and word.form == "_")
        }
        head = word.cells[6]
        if head != "_":
            if head.isdecimal() and int(head) <= len(sentence.words):
                # In the layer a head is a token's number in the passage; a root is its own head.
                columns["head"] = first_token + (int(head) or word.first) - 1
            else:
                message = (
                    f"the head is {clip(head)!r}, expected a number up to {len(sentence.words)}"
                )
                self.report(Problem(self.file, word.line, "conllu", message))
        misc = [
            name if value == "" else f"{name}={value}"
            for name, value in word.misc.items()
            if name not in SPACING and name not in CHUNKS
        ]
        if misc:
            columns["misc"] = "|".join(misc)
        return columns

    def layers(self, sources: dict[str, Any]) -> Layers:
        """Sentences and tokens, and phrases and entities where there are any."""
        layers = {
            "sentence": _layer(self._sentences, self.sentence_labels, sources.get("sentence", "")),
            "token": _layer(self._tokens, self._token_columns, sources.get("token", "")),
        }
        for misc_name, name in CHUNKS.items():
            spans, types = self._chunks(misc_name)
            if spans:
                columns = [{"type": type or None} if name == "ne" else {} for type in types]
                layers[name] = _layer(spans, columns, sources.get(name, ""))
        return layers

    def _chunks(self, misc_name: str) -> tuple[list[Offsets], list[str]]:
        """The spans that B and I mark under a name of MISC, and their types."""
        spans: list[Offsets] = []
        types: list[str] = []
        for index, (mark, word) in enumerate(self._chunk_marks[misc_name]):
            position, _, type = mark.partition("-")
            if not mark or mark == "O":
                continue
            if position not in ("B", "I"):
                message = f"{misc_name}={clip(mark)} begins with neither B nor I"
                self.report(Problem(self.file, word.line, "conllu", message))
                continue
            start, end = self._tokens[index]
            if position == "I" and self._continues(misc_name, index):
                spans[-1] = (spans[-1][0], end)
                continue
            if position == "I":
                message = (
                    f"{misc_name}={clip(mark)} goes on with nothing; it is taken for a beginning"
                )
                remark(self.report, Problem(self.file, word.line, "conllu", message))
            spans.append((start, end))
            types.append(type)
        return spans, types

    def _continues(self, misc_name: str, index: int) -> bool:
        """Whether the token before belongs to a phrase of the same type in the same sentence."""
        if index in self._sentence_starts:
            return False
        marks = self._chunk_marks[misc_name]
        before, here = marks[index - 1][0], marks[index][0]
        return before not in ("", "O") and before.partition("-")[2] == here.partition("-")[2]


def _gap_after(misc: dict[str, str]) -> str:
    if "SpacesAfter" in misc:
        return unescaped(misc["SpacesAfter"])
    return "" if misc.get("SpaceAfter") == "No" else " "


def split_spans(surface: str, forms: Sequence[str], offset: int) -> list[Offsets]:
    """Where the words of a surface are; all over it where they do not spell it, as in "du"."""
    if len(forms) == 1 or "".join(forms) != surface:
        return [(offset, offset + len(surface))] * len(forms)
    return list(pairwise(accumulate(map(len, forms), initial=offset)))


def _labels(sentence: ConlluSentence) -> dict[str, Any]:
    """What the comments say of a sentence, as columns of the sentence layer."""
    labels: dict[str, Any] = {}
    if "sent_id" in sentence.comments:
        labels["id"] = sentence.comment("sent_id") or ""
    for name in ("newpar", "newpar id"):
        if name in sentence.comments:
            labels["newpar"] = sentence.comment(name) or True
    for name in sentence.comments:
        if name not in RESERVED_COMMENTS:
            labels[name] = comment_value(sentence.comment(name))
    return labels


def _layer(spans: Sequence[Offsets], rows: Sequence[dict[str, Any]], source: object) -> Layer:
    """A layer whose columns are all that some span has."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: tuple(row.get(name) for row in rows) for name in names}
    return Layer(spans=tuple(spans), source=str(source), columns=columns)
