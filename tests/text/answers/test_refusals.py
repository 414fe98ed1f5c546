"""Refusals by their wording, in English and Chinese, and what only looks like one."""

from __future__ import annotations

import pytest

from readmark.text.answers.refusals import is_refusal

REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "I’m sorry, I cannot assist with this request.",
    "Sorry, I can't answer that question.",
    "As an AI language model, I cannot provide opinions on this.",
    "I cannot comply with this request.",
    "I won't answer that.",
    "I must decline to answer.",
    "Unfortunately, I'm unable to help with this.",
    "I am not able to discuss this topic.",
    "I'm sorry, but this request violates our content policy.",
    "I apologize, but I can't provide that information.",
    "Sorry, but I can't.",
    "I can't help you with that, as it may be harmful.",
    "抱歉，我无法回答这个问题。",
    "对不起，我不能提供相关信息。",
    "很抱歉，作为一个AI语言模型，我无法对此进行评论。",
    "你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。",
    "我无法给到相关内容。",
    "非常抱歉，我不能协助完成您的请求。",
    "作为人工智能助手，我不能参与此类讨论。",
    "您的问题可能涉及敏感内容，请换一个。",
    "抱歉，我没办法帮您。",
    "我拒绝回答。",
    "对不起,我不会回答这种问题",
    "**I'm sorry, but I can't help with that.**",
    "I am sorry, I cannot answer. The topic is sensitive.",
    "Ｉ'm sorry, I can't assist with that.",
]
ANSWERS = [
    "Sorry",
    "Tom said he was sorry.",
    '"Sorry," said the ferryman, "I cannot help you."',
    "He could not help them.",
    "I cannot find the answer in the passage.",
    "I'm sorry, but the passage does not mention the year.",
    "I cannot answer this based on the passage.",
    "The passage does not say.",
    "cannot",
    "I can",
    "I was sorry to leave",
    "Sorry seems to be the hardest word",
    "unable to walk",
    "He apologised and refused to answer.",
    "I am sorry that I lied to you.",
    "They refused to help.",
    "We cannot swim",
    "抱歉",
    "他说对不起",
    "对不起，我来晚了",
    "小明说：“抱歉，我不能去。”",
    "文章没有提到这一点。",
    "抱歉，文中没有给出答案，我无法回答。",
    "根据文章内容，我无法回答这个问题。",
    "他无法回答老师的问题",
    "我不能游泳",
    "拒绝",
    "无法",
    "我无法忘记那一天",
    "I am afraid of the dark",
    "can't help falling in love",
    "Sorry, Tom",
    "I won the race",
    "a polite refusal",
    "对不起，是我的错。",
    "他抱歉地说：“我无法帮助你。”",
    "我不会游泳",
]


@pytest.mark.parametrize("reply", REFUSALS)
def test_refusal(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize("reply", ANSWERS)
def test_answer_and_report_of_a_missing_answer_are_not_refusals(reply: str) -> None:
    assert not is_refusal(reply)


@pytest.mark.parametrize("part", ["sorry ", "i ", "I'm sorry, ", "抱歉，", "as an ai ", "thanks "])
def test_long_reply_that_only_begins_like_a_refusal(part: str) -> None:
    assert not is_refusal(part * 200_000)
