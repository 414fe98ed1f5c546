"""Arguments of verbs: English from spaCy's parse, Chinese by the order of tagged words."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest

from readmark.core.records import Layer
from readmark.text.analysers.registry import analyser
from readmark.text.dependencies import dependencies


def arguments(text: str, tokens: Layer, language: str) -> set[str]:
    words = [text[start:end] for start, end in tokens.spans]
    return {
        f"{words[verb]} {role} {words[argument]}"
        for verb, role, argument in dependencies(text, tokens, language)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom flew the kite.", {"flew subject Tom", "flew object kite"}),
        (
            "The kite was flown by Tom.",
            {"flown object kite", "flown subject Tom"},
        ),
        (
            "Tom flew the kite and lost it in the orchard.",
            {
                "flew subject Tom",
                "flew object kite",
                "lost subject Tom",
                "lost object it",
                "lost oblique orchard",
            },
        ),
        (
            "Where did Tom hang the kite?",
            {"hang oblique Where", "hang subject Tom", "hang object kite"},
        ),
        (
            "The machine is called a typewriter.",
            {"called object machine", "called object typewriter"},
        ),
    ],
)
def test_english(text: str, expected: set[str]) -> None:
    [analysis] = analyser("en").analyse([text], ("token",))
    assert arguments(text, analysis.layers["token"], "en") == expected


def tagged(line: str) -> tuple[str, Layer]:
    """A text and its tokens, written as 小明/PROPN 笑/VERB."""
    pairs = [word.rsplit("/", 1) for word in line.split()]
    text = "".join(word for word, _ in pairs)
    ends = [0, *accumulate(len(word) for word, _ in pairs)]
    return text, Layer(spans=tuple(pairwise(ends)), columns={"pos": tuple(pos for _, pos in pairs)})


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "小明/PROPN 放/VERB 了/PART 风筝/NOUN 。/PUNCT",
            "放 subject 小明; 放 object 风筝",
        ),
        (
            "小明/PROPN 把/ADP 风筝/NOUN 挂/VERB 在/ADP 梨树/NOUN 上/ADP 。/PUNCT",
            "挂 subject 小明; 挂 object 风筝; 挂 oblique 梨树",
        ),
        (
            "风筝/NOUN 被/ADP 小明/PROPN 挂/VERB 在/ADP 梨树/NOUN 上/ADP 。/PUNCT",
            "挂 subject 小明; 挂 object 风筝; 挂 oblique 梨树",
        ),
        (
            "机器/NOUN 被/ADP 称为/VERB 打字机/NOUN 。/PUNCT",
            "称为 object 机器; 称为 object 打字机",
        ),
        (  # the second clause is about whom the first one is
            "他/PRON 从/ADP 山上/NOUN 下来/VERB ，/PUNCT 看见/VERB 磨坊/NOUN 。/PUNCT",
            "下来 subject 他; 下来 oblique 山上; 看见 subject 他; 看见 object 磨坊",
        ),
        (  # a clause that describes a noun
            "村民/NOUN 修建/VERB 的/PART 桥/NOUN 被/ADP 洪水/NOUN 冲毁/VERB 。/PUNCT",
            "修建 subject 村民; 修建 object 桥; 冲毁 subject 洪水; 冲毁 object 桥",
        ),
        (
            "公司/NOUN 成立/VERB 于/ADP 1998/NUM 年/NOUN 。/PUNCT",
            "成立 subject 公司; 成立 oblique 年",
        ),
        (
            "他/PRON 会/VERB 弹/VERB 旧/ADJ 的/PART 钢琴/NOUN",
            "弹 subject 他; 弹 object 钢琴",
        ),
        ("今天/NOUN 很/ADV 冷/ADJ 。/PUNCT", ""),
    ],
)
def test_chinese(line: str, expected: str) -> None:
    assert arguments(*tagged(line), "zh") == set(filter(None, expected.split("; ")))
