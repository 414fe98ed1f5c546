"""Names that mentions stand for: given where the text shows which it is, and nowhere else."""

import pytest

from readmark.comprehension.levels.antecedents import is_sure
from readmark.comprehension.levels.passages import reading


def sure(text: str, name: str, mention: str, reason: str) -> bool:
    """Whether the first ``name`` is what the last ``mention`` stands for; a gap is before it."""
    language = "en" if text.isascii() else "zh"
    passage = reading(text, language)
    place = text.rindex(mention)
    span = (place, place if reason == "zero_pronoun" else place + len(mention))
    (statement, *_) = passage.statements_in(*passage.tokens_in(place, place + len(mention)))
    start = text.index(name)
    return is_sure(passage, statement, span, reason, (start, start + len(name)), name)


@pytest.mark.parametrize(
    ("text", "name", "mention", "reason"),
    [
        ("沈月娥当选镇长，修好了石桥。", "沈月娥", "修好", "zero_pronoun"),
        ("青溪桥位于柳镇，1782年建成。", "青溪桥", "建成", "zero_pronoun"),
        ("张伟是画家。他喜欢画船。", "张伟", "他", "pronoun"),
        ("青溪橋很老。石匠說，它由镇上设计。", "青溪橋", "它", "pronoun"),
        ("西湖画院建于1930年。该画院于1937年停办。", "西湖画院", "该画院", "nominal_reference"),
        ("Ines Falk drew beetles, and she sold them.", "Ines Falk", "she", "pronoun"),
        ("Lindow lies on a river. Later it grew.", "Lindow", "it", "pronoun"),
    ],
)
def test_a_name_that_the_text_shows(text: str, name: str, mention: str, reason: str) -> None:
    assert sure(text, name, mention, reason)


@pytest.mark.parametrize(
    ("text", "name", "mention", "reason"),
    [
        # A date is nobody.
        ("2016年，石桥修好了。他很高兴。", "2016年", "他", "pronoun"),
        # The name ends before the verb.
        ("人人记得周慕云带大的孩子。她当了船长。", "周慕云带", "她", "pronoun"),
        ("赵大海写信给钱文广，他画了一条船。", "赵大海", "他", "pronoun"),
        # Part of a longer name.
        ("东湾制造的第一艘渔船，下水于1951年。", "东湾", "下水", "zero_pronoun"),
        ("钱文广认为，必须修好吊车。", "钱文广", "修好", "zero_pronoun"),
        # It need not be the passage's theme that owns what follows.
        ("赵大海打败吴高，想要其精锐部队。", "赵大海", "其", "pronoun"),
        ("林秀兰出过一张专辑。这张专辑很好听。", "林秀兰", "这张专辑", "nominal_reference"),
        ("青溪桥很老。这些桥都很老。", "青溪桥", "这些桥", "nominal_reference"),
        ("Reed wrote to Ines Falk, and he drew a boat.", "Reed", "he", "pronoun"),
        ("Lindow's inn is old. Later it burned.", "Lindow", "it", "pronoun"),
    ],
)
def test_a_name_that_may_be_wrong(text: str, name: str, mention: str, reason: str) -> None:
    assert not sure(text, name, mention, reason)


def test_a_name_after_its_mention() -> None:
    assert not sure("她来了。沈月娥来了。", "沈月娥", "她", "pronoun")
