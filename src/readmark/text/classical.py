"""Whether a text is in classical Chinese, by its particles and function words.

Classical Chinese says 之, 其, 曰 and 矣 where the modern language says 的, 他, 说 and 了. Each such
character has a weight, positive for the classical one; a modern text that quotes a classical line
is still held down by the 的 and 了 around it.
"""

from __future__ import annotations

WEIGHTS = {
    3.0: "曰矣焉哉兮汝吾毋歟欤豈岂朕",
    1.0: "之也其乃遂乎耳",
    0.5: "者而以於于則则故皆亦",
    -0.5: "有我就都過过會会可",
    -1.0: "了是在個个他被著着把沒没到和說说那",
    -2.0: "的這这們们很嗎吗呢吧她它",
}
"""Characters by weight, set by hand: both scripts, and none that transcribes foreign names (尔, 弗,
夫, 耶) or stands in as many modern words as classical ones (不, 为)."""

SHORT = 100
"""Added to the length: a few characters are not enough to go by."""


def classical_score(weighed: float, han: int) -> float:
    """The sum of the weights for every hundred Han characters; above 3, the text is classical."""
    return 100 * weighed / (han + SHORT)
