"""A piece of English that spaCy has analysed, read as layers: white space is no token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from readmark.core.records import Layer, Mention, Offsets
from readmark.text.analysers.english_entities import PhraseWord, entity_type, gender_of
from readmark.text.analysers.english_phrases import base_phrases
from readmark.text.analysers.pieces import TokenRange
from readmark.text.guidelines import ALONE, ENDINGS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_GENDER = {"he": "male", "him": "male", "his": "male", "she": "female", "her": "female"}
_NOUNS = {
    **dict.fromkeys(("NN", "NNS", "FW", "ADD"), "NOUN"),
    **dict.fromkeys(("NNP", "NNPS"), "PROPN"),
}
"""Penn tags of what the grammar of phrases takes for nouns."""


class Piece:
    """The tokens of a piece, its offsets those of the whole text."""

    def __init__(self, begin: int, doc: Doc) -> None:
        self.begin = begin
        self.doc = doc
        self.tokens: list[Token] = [token for token in doc if not token.is_space]
        self._index = {token.i: index for index, token in enumerate(self.tokens)}

    def spans(self) -> list[Offsets]:
        """Where the tokens occur."""
        begin = self.begin
        return [(begin + token.idx, begin + token.idx + len(token)) for token in self.tokens]

    def heads(self) -> list[int]:
        """The index of each token's head; of one that hangs on white space its own."""
        index_of = self._index
        return [index_of.get(token.head.i, index) for index, token in enumerate(self.tokens)]

    def phrases(self) -> list[TokenRange]:
        """The base noun phrases as ranges of tokens."""
        tokens = self.tokens
        ranges = base_phrases(
            [token.text for token in tokens],
            [token.tag_ for token in tokens],
            self.heads(),
            [token.dep_ for token in tokens],
        )
        trimmed = (self._trimmed(*tokens) for tokens in ranges)
        return [phrase for phrase in trimmed if phrase is not None]

    def offsets(self, phrase: TokenRange) -> Offsets:
        """A range of tokens as offsets."""
        first, last = self.tokens[phrase[0]], self.tokens[phrase[1] - 1]
        return self.begin + first.idx, self.begin + last.idx + len(last)

    def entities(
        self, phrases: Sequence[TokenRange]
    ) -> Iterator[tuple[Offsets, str, list[int] | None]]:
        """Each phrase with an entity: where, which type, and where the recogniser's own occurs."""
        words = [
            PhraseWord(token.text, token.lemma_, token.tag_, token.ent_type_)
            for token in self.tokens
        ]
        for first, last in phrases:
            following = words[last].text if last < len(words) else ""
            preceding = [word.text for word in words[max(0, first - 2) : first]]
            type = entity_type(words[first:last], following, preceding)
            if type is not None:
                yield self.offsets((first, last)), type, self._recognised(first, last)

    def persons(self) -> Iterator[Mention]:
        """Names of persons, with the gender that a title implies."""
        for entity in self.doc.ents:
            if entity.label_ != "PERSON":
                continue
            first, last = entity.start, entity.end
            while last - first > 1 and self.doc[last - 1].tag_ in ("POS", "_SP"):
                last -= 1
            title = self.doc[first - 1].text if first else ""
            name = self.doc[first:last]
            start, end = self.begin + name.start_char, self.begin + name.end_char
            yield Mention(start, end, gender_of([title, self.doc[first].text]), "singular")

    def pronouns(self) -> Iterator[Mention]:
        """The pronouns that are resolved: he him his she her."""
        for token in self.tokens:
            gender = _GENDER.get(token.lower_)
            if gender is not None:
                start = self.begin + token.idx
                yield Mention(start, start + len(token), gender, "singular")

    def _trimmed(self, first: int, last: int) -> TokenRange | None:
        """From a word to a word that a noun phrase may end in; signs alone are nothing."""
        tokens = self.tokens
        while last > first:
            end = tokens[last - 1]
            if _is_spoken(end) and pos_of(end) in (ENDINGS if last - first > 1 else ALONE):
                break
            last -= 1
        while last > first and not _is_spoken(tokens[first]):
            first += 1
        words = "".join(token.text for token in tokens[first:last])
        return (first, last) if any(map(str.isalnum, words)) else None

    def _recognised(self, first: int, last: int) -> list[int] | None:
        """Where spaCy's own entity occurs in a phrase, the last one of several."""
        labelled = [token for token in self.tokens[first:last] if token.ent_type_]
        if not labelled:
            return None
        label = labelled[-1].ent_type_
        alike = [token for token in labelled if token.ent_type_ == label]
        return [self.begin + alike[0].idx, self.begin + alike[-1].idx + len(alike[-1])]


def pos_of(token: Token) -> str:
    """The universal tag: a noun by its Penn tag is one, whatever the pipeline's exceptions say."""
    pos = token.pos_
    return pos if pos in ENDINGS else _NOUNS.get(token.tag_, pos)


def _is_spoken(token: Token) -> bool:
    """Whether a token is spoken: a word, a currency or a percent; a joiner is not."""
    return token.tag_ in ("$", "#") or token.text == "%" or any(map(str.isalnum, token.text))


def token_layer(pieces: Sequence[Piece], source: str) -> Layer:
    """Tokens with lemma, universal and Penn tags, head and relation."""
    spans: list[Offsets] = []
    columns: dict[str, list[Any]] = {name: [] for name in ("lemma", "pos", "tag", "head", "dep")}
    for piece in pieces:
        before = len(spans)
        spans += piece.spans()
        columns["lemma"] += [token.lemma_ for token in piece.tokens]
        columns["pos"] += [pos_of(token) for token in piece.tokens]
        columns["tag"] += [token.tag_ for token in piece.tokens]
        columns["head"] += [before + head for head in piece.heads()]
        columns["dep"] += [token.dep_ for token in piece.tokens]
    return Layer(
        spans=tuple(spans),
        source=source,
        columns={name: tuple(cells) for name, cells in columns.items()},
    )


def entity_layer(
    pieces: Sequence[Piece], phrases: Sequence[Sequence[TokenRange]], source: str
) -> Layer:
    """The phrases that contain an entity, of each piece."""
    rows = [
        row
        for piece, phrases_of_piece in zip(pieces, phrases, strict=True)
        for row in piece.entities(phrases_of_piece)
    ]
    return Layer(
        spans=tuple(span for span, _, _ in rows),
        source=source,
        columns={
            "type": tuple(type for _, type, _ in rows),
            "core": tuple(recognised for _, _, recognised in rows),
        },
    )
