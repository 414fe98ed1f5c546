"""Classical Chinese told from modern, on sentences written for this test."""

import pytest

from readmark.making.screening.passages import characters, classical_score

MOST = 3.0

CLASSICAL = [
    "山中有老者，不知其姓氏，结庐于溪上，日与樵者游。客问其年，曰：“吾忘之矣。”又问其所食，曰：“采薇而食，"
    "饮泉而足，岂有他求哉？”客叹曰：“斯人也，其隐者乎！”遂拜而去，后不复见焉。",
    "昔者有匠，善为舟。或问其术，曰：“顺木之性而已矣。木之直者为桅，曲者为肋，吾未尝强之也。”故其舟轻而固，"
    "涉江海而不覆。今之为政者，不察民之性而强之，岂能久乎？",
    "臣聞治水之道，疏之則安，塞之則潰。夫民之口，猶水也。先王知其然，故設木於庭，使言者得進，過者得改，"
    "是以國治而民親之。今王惡聞其過，左右皆曰善，臣竊憂焉。",
    "余少好山水，每遇佳处，辄徘徊不能去。其友笑之曰：“汝之于山水，犹渴者之于泉也。”余曰：“然。泉尽则渴，"
    "山水则取之不竭，吾其乐之终身矣。”",
]
MODERN = [
    "小镇的车站建于上个世纪，现在每天只有两班火车经过。站长是一位快要退休的老人，他说自己在这里工作了三十年，"
    "从来没有迟到过。孩子们放学以后喜欢到站台上看火车，他就给他们讲过去的故事。",
    "这家图书馆的读者越来越多，主要是因为它在晚上也开门。馆长介绍说，他们去年买了五千本新书，其中一半是给儿童看的。",
    "該鎮位於河流北岸，人口約三萬，以漁業為主。一九五二年建成碼頭，其後陸續修建公路及鐵路，為地區之交通中心。",
    "他曾任工程師，后转行写作，著有长篇小说三部、散文集一部。其代表作以故乡为背景，被译为多种文字。",
]
QUOTING = [
    "老师在黑板上写了一句话：“温故而知新，可以为师矣。”他问我们这句话是什么意思，大家都没有说话。后来一个坐在后排的"
    "女生站起来，说这是在讲学习的方法：把旧的知识温习好了，就能从里面得到新的东西。老师很高兴，说她讲得对。",
    "這座橋的橋頭立著一塊石碑，上面刻著“過此橋者，毋忘修橋之人”。村裡的老人說，這是他們的祖父那一代人立的，"
    "因為當時修橋死了好幾個人。現在每年春天，大家都會到這裡來獻花。",
]


def score(text: str) -> float:
    found = characters(text)
    return classical_score(found.classical, found.han)


@pytest.mark.parametrize("text", CLASSICAL)
def test_classical(text: str) -> None:
    assert score(text) > MOST


@pytest.mark.parametrize("text", MODERN)
def test_modern_also_where_it_is_terse(text: str) -> None:
    assert score(text) < MOST


@pytest.mark.parametrize("text", QUOTING)
def test_modern_that_quotes_a_classical_line(text: str) -> None:
    assert score(text) < 0


def test_one_short_saying_is_not_enough() -> None:
    assert 0 < score("子曰：善。") < MOST
    assert score("") == 0
