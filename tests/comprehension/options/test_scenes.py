"""Options that are places, people or moods, by what is typical of them."""

from readmark.comprehension.options.scenes import typical_of_scenes


def test_a_scene_has_what_is_typical_of_it() -> None:
    text = "女：我发烧了，还咳嗽。男：先挂号。"
    hospital, bank, unknown = typical_of_scenes(text, ["医院", "银行里", "月球背面"])
    assert hospital > bank == unknown == 0.0
    # a name must be half of the option, and two options must have one
    assert typical_of_scenes(text, ["他想去一家医院", "银行"]) == [0.0, 0.0]
