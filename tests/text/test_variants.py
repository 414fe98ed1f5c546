"""Variant marks of Chinese wikis."""

import pytest

from readmark.text.variants import resolve, without_bounds


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("-{zh-hans:计算机;zh-hant:電腦}-", "计算机", 1),
        ("-{zh-hant:電腦;zh-hans:计算机;}-", "计算机", 1),
        ("-{zh-tw:單車; zh-hk:單車; zh-cn:自行车}-", "自行车", 1),
        ("-{zh-tw:單車; zh-hk:腳車}-", "單車", 1),
        ("-{zh-hans:; zh-hant:電腦}-", "電腦", 1),
        ("-{zh-hans:; zh-hant:;}-", "", 1),
        ("維-{}-生", "維生", 1),
        ("-{里}-外", "里外", 1),
        ("甲-{H|zh-hans:乙;zh-hant:丙}-丁", "甲丁", 1),
        ("甲-{T|zh-hans:乙}-丁", "甲丁", 1),
        ("甲-{A|zh-hans:乙;zh-hant:丙}-丁", "甲乙丁", 1),
        ("甲-{R|zh-hans:乙}-丁", "甲zh-hans:乙丁", 1),
        ("甲-{zh-hans;zh-hant|原文}-丁", "甲原文丁", 1),
        ("甲-{zh-hans:外-{内}-;zh-hant:他}-丁", "甲外内丁", 2),
        ("甲-{没有完", "甲-{没有完", 0),
        ("a -{b", "a -{b", 0),
    ],
)
def test_mark_shows_one_wording(text: str, expected: str, count: int) -> None:
    resolved, marks = resolve(text)
    assert (without_bounds(resolved)[0], marks) == (expected, count)


def test_bounded_text_is_found_again() -> None:
    resolved, _ = resolve("他叫-{乾}-，在-{里}-外，骑-{zh-cn:单车;zh-tw:單車}-")
    text, spans = without_bounds(resolved)
    assert text == "他叫乾，在里外，骑单车"
    # 里 and 单车 are simplified: no conversion would change them.
    assert [text[start:end] for start, end in spans] == ["乾"]
