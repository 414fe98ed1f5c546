"""A piece of English that spaCy has analysed, read as layers: white space is no token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from readmark.corpus.annotation import ALONE, ENDINGS
from readmark.corpus.values import Layer, Offsets
from readmark.text.analysers import Mention
from readmark.text.analysers.english_entities import Word, entity_type, gender_of
from readmark.text.analysers.english_phrases import Tokens, base_phrases

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_GENDER = {"he": "male", "him": "male", "his": "male", "she": "female", "her": "female"}
_NAMED = frozenset({"PERSON"})
_NOUNS = {
    **dict.fromkeys(("NN", "NNS", "FW", "ADD"), "NOUN"),
    **dict.fromkeys(("NNP", "NNPS"), "PROPN"),
}
"""What the phrases take for nouns."""


class Piece:
    """The tokens of a piece, its offsets those of the whole text."""

    def __init__(self, begin: int, doc: Doc) -> None:
        self.begin = begin
        self.doc = doc
        self.tokens: list[Token] = [token for token in doc if not token.is_space]
        self._place = {token.i: at for at, token in enumerate(self.tokens)}

    def spans(self) -> list[Offsets]:
        """Where the tokens stand."""
        begin = self.begin
        return [(begin + token.idx, begin + token.idx + len(token)) for token in self.tokens]

    def heads(self) -> list[int]:
        """The index of each token's head among the tokens that are kept."""
        place = self._place
        return [place.get(token.head.i, at) for at, token in enumerate(self.tokens)]

    def phrases(self) -> list[Tokens]:
        """The base noun phrases as ranges of tokens."""
        tokens = self.tokens
        found = base_phrases(
            [token.text for token in tokens],
            [token.tag_ for token in tokens],
            self.heads(),
            [token.dep_ for token in tokens],
        )
        return [kept for one in found if (kept := self._trimmed(*one))]

    def over(self, ranges: Sequence[Tokens]) -> list[Offsets]:
        """Ranges of tokens as offsets."""
        return [self._over(first, last) for first, last in ranges]

    def entities(
        self, phrases: Sequence[Tokens]
    ) -> Iterator[tuple[Offsets, str, list[int] | None]]:
        """Each phrase with an entity: where, which type, and where the recogniser's own stands."""
        words = [
            Word(token.text, token.lemma_, token.tag_, token.ent_type_) for token in self.tokens
        ]
        for first, last in phrases:
            following = words[last].text if last < len(words) else ""
            preceding = [word.text for word in words[max(0, first - 2) : first]]
            type = entity_type(words[first:last], following, preceding)
            if type is not None:
                yield self._over(first, last), type, self._core(first, last)

    def persons(self) -> Iterator[Mention]:
        """Names of persons, with the gender that a title tells."""
        for entity in self.doc.ents:
            if entity.label_ not in _NAMED:
                continue
            first, last = entity.start, entity.end
            while last - first > 1 and self.doc[last - 1].tag_ in ("POS", "_SP"):
                last -= 1
            title = self.doc[first - 1].text if first else ""
            name = self.doc[first:last]
            start = self.begin + name.start_char
            gender = gender_of([title, self.doc[first].text])
            yield Mention(start, self.begin + name.end_char, gender, "singular")

    def pronouns(self) -> Iterator[Mention]:
        """The pronouns that are resolved: he him his she her."""
        for token in self.tokens:
            gender = _GENDER.get(token.lower_)
            if gender is not None:
                start = self.begin + token.idx
                yield Mention(start, start + len(token), gender, "singular")

    def _trimmed(self, first: int, last: int) -> Tokens | None:
        """From a word to a word that a noun phrase may end in; signs alone are none."""
        tokens = self.tokens
        while last > first and not (
            _is_said(tokens[last - 1])
            and pos_of(tokens[last - 1]) in (ENDINGS if last - first > 1 else ALONE)
        ):
            last -= 1
        while last > first and not _is_said(tokens[first]):
            first += 1
        words = "".join(token.text for token in tokens[first:last])
        return (first, last) if any(map(str.isalnum, words)) else None

    def _over(self, first: int, last: int) -> Offsets:
        end = self.tokens[last - 1]
        return self.begin + self.tokens[first].idx, self.begin + end.idx + len(end)

    def _core(self, first: int, last: int) -> list[int] | None:
        named = [token for token in self.tokens[first:last] if token.ent_type_]
        if not named:
            return None
        label = named[-1].ent_type_
        own = [token for token in named if token.ent_type_ == label]
        return [self.begin + own[0].idx, self.begin + own[-1].idx + len(own[-1])]


def _is_said(token: Token) -> bool:
    """Whether a token is spoken: a word, a currency or a percent; a joiner is not."""
    return token.tag_ in ("$", "#") or token.text == "%" or any(map(str.isalnum, token.text))


def pos_of(token: Token) -> str:
    """The universal tag: a noun by its Penn tag is one, whatever the pipeline's exceptions say."""
    pos = token.pos_
    return pos if pos in ENDINGS else _NOUNS.get(token.tag_, pos)


def token_layer(parts: Sequence[Piece], source: str) -> Layer:
    """Tokens with lemma, universal and Penn tags, head and relation."""
    spans: list[Offsets] = []
    columns: dict[str, list[Any]] = {name: [] for name in ("lemma", "pos", "tag", "head", "dep")}
    for part in parts:
        before = len(spans)
        spans += part.spans()
        columns["lemma"] += [token.lemma_ for token in part.tokens]
        columns["pos"] += [pos_of(token) for token in part.tokens]
        columns["tag"] += [token.tag_ for token in part.tokens]
        columns["head"] += [before + head for head in part.heads()]
        columns["dep"] += [token.dep_ for token in part.tokens]
    return Layer(
        spans=tuple(spans),
        source=source,
        columns={name: tuple(cells) for name, cells in columns.items()},
    )


def entity_layer(parts: Sequence[Piece], phrases: Sequence[Sequence[Tokens]], source: str) -> Layer:
    """The phrases that contain an entity."""
    rows = [row for part, own in zip(parts, phrases, strict=True) for row in part.entities(own)]
    return Layer(
        spans=tuple(span for span, _, _ in rows),
        source=source,
        columns={
            "type": tuple(type for _, type, _ in rows),
            "core": tuple(core for _, _, core in rows),
        },
    )
