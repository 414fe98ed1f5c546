"""References that people made or corrected are not proposed again."""

from readmark.core.records import Layer, Passage, RecordKey
from readmark.making.annotation.mention_proposals import with_mentions

TEXT = "Ada met Bo. He lost his hat."
LAYERS = {
    "np": Layer(spans=((0, 3), (12, 14))),
    "ne": Layer(spans=((0, 3),), columns={"type": ("PERSON",)}),
}
PASSAGE = Passage(id="p", text=TEXT, layers=LAYERS)


def test_mentions_that_people_made_are_kept_unless_forced() -> None:
    annotated = with_mentions(PASSAGE, "en")
    assert annotated.key is not None
    assert with_mentions(annotated, "en") == annotated
    for source in (annotated.key.layers["mention"].source, "by hand"):
        mentions = Layer(spans=((0, 3),), source=source, columns={"id": (1,), "ref": (None,)})
        key = RecordKey(layers={"mention": mentions})
        corrected = Passage(id="p", text=TEXT, layers=LAYERS, key=key)
        assert with_mentions(corrected, "en") is corrected
        assert with_mentions(corrected, "en", force=True) == annotated


def test_passage_without_phrases_gets_no_mentions() -> None:
    assert with_mentions(Passage(id="p", text=TEXT), "en").key is None
