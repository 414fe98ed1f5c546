"""The stop words of the bag-of-words readers: Deep Read's list for English, its kin for Chinese.

They are listed in section 5 of "Design and Development of a Bilingual Reading Comprehension
Corpus": forms of be, have and do, pronouns, and a few conjunctions, prepositions and determiners.
"""

from __future__ import annotations

SOURCE = "deep read"

_ENGLISH = """
be am is are was were been being 'm 're 's
have has had having 've
do does did doing done
i you he she it we they me him her us them
my your his its our their mine yours hers ours theirs
and or to in at of a the this that which
"""
_CHINESE = """
我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱 咱们
我的 你的 您的 他的 她的 它的 我们的 你们的 他们的 她们的 它们的 其
和 或 到 在 中 的 这 那
我們 你們 他們 她們 它們 我們的 你們的 他們的 她們的 它們的 這
"""

STOP_WORDS = {
    "en": frozenset(_ENGLISH.split()),
    "zh": frozenset(_CHINESE.split()),
}
"""By language; Chinese in both scripts."""
