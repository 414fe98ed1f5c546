"""What servers of each family answer, from their documentation or issue trackers, with the source.

``PROBED`` are servers that do not take all that is asked: what they refuse, and what is left.
``REPLIED`` are single replies to a question that was put in a way that the server takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from llm_endpoint import Answer, Body, Misdeed, Says

LLAMA_CPP = "https://github.com/ggml-org/llama.cpp"
VLLM = "https://docs.vllm.ai/en/stable/features/reasoning_outputs/"
OLLAMA = "https://docs.ollama.com/api/openai-compatibility"
TGI = "https://github.com/huggingface/text-generation-inference"
DEEPSEEK = "https://api-docs.deepseek.com"
DASHSCOPE = "https://www.alibabacloud.com/help/model-studio/error-code"
AZURE = "https://learn.microsoft.com/en-us/azure/ai-services/openai/concepts/content-filter"


def error(status: int, message: str, /, **more: Any) -> Misdeed:
    """An error as OpenAI's protocol has it."""
    document = {"error": {"message": message, "param": None, **more}}
    return Misdeed(status, json.dumps(document).encode(), {"Content-Type": "application/json"})


def shape_of(body: Body) -> str | None:
    """The type of response format that is asked for."""
    kind: str | None = body.get("response_format", {}).get("type")
    return kind


@dataclass(frozen=True)
class Probed:
    """A server that refuses a part of what is asked."""

    family: str
    source: str
    refuse: Callable[[Body], Answer | None]
    shape: str = "schema"
    limit: str = "max_tokens"
    left_out: tuple[str, ...] = ()
    probes: int = 1
    fails: str = ""
    """What the run stops with, where nothing is taken."""
    parameters: tuple[str, ...] = ()


def _llama_cpp_python(body: Body) -> Answer | None:
    if shape_of(body) != "json_schema":
        return None
    wrong = "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', "
    wrong += "'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}"
    return error(500, wrong, type="internal_server_error", code=None)


def _llama_cpp_grammar(body: Body) -> Answer | None:
    both = 'Either "json_schema" or "grammar" can be specified, but not both'
    taken = shape_of(body) is None
    return None if taken else error(400, both, type="invalid_request_error", code=400)


def _ik_llama_cpp(body: Body) -> Answer | None:
    if shape_of(body) != "json_schema":
        return None
    words = 'response_format type must be one of "text" or "json_object", but got: json_schema'
    return error(500, words, type="server_error", code=500)


def _tgi(body: Body) -> Answer | None:
    if shape_of(body) is None:
        return None
    words = b"Failed to deserialize the JSON body into the target type: response_format: missing "
    return Misdeed(
        422, words + b"field `value` at line 1 column 168", {"Content-Type": "text/plain"}
    )


def _openai_reasoning(body: Body) -> Answer | None:
    if "max_tokens" in body:
        return error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            type="invalid_request_error",
            code="unsupported_parameter",
        )
    if "temperature" in body:
        return error(
            400,
            "Unsupported value: 'temperature' does not support 0.0 with this model. Only the "
            "default (1) value is supported.",
            type="invalid_request_error",
            code="unsupported_value",
        )
    return None


def _deepseek(body: Body) -> Answer | None:
    if shape_of(body) != "json_schema":
        return None
    words = "This response_format type is unavailable now"
    return error(400, words, type="invalid_request_error", code="invalid_request_error")


def _dashscope_thinking(body: Body) -> Answer | None:
    words = "parameter.enable_thinking must be set to false for non-streaming calls"
    return error(400, words, type="invalid_request_error", code="invalid_parameter_error")


def _modelscope(body: Body) -> Answer | None:
    if shape_of(body) != "json_schema":
        return None
    return Misdeed(200, b'{"id": "", "object": "", "created": 0, "choices": null}')


def _repeats_the_body(body: Body) -> Answer | None:
    if shape_of(body) != "json_schema":
        return None
    wrong = {"given": sorted(body)[::-1], "loc": ["body", "response_format"], "msg": "not that"}
    return Misdeed(422, json.dumps({"detail": [wrong]}).encode())


def _without_words(body: Body) -> Answer | None:
    """A gateway that does not say what is wrong."""
    return Misdeed(400, b'{"detail": "Bad Request"}') if "seed" in body else None


def _ollama_unknown(body: Body) -> Answer | None:
    return error(404, "model 'm' not found", type="not_found_error", code=None)


PROBED = [
    Probed("llama.cpp", f"{LLAMA_CPP}/blob/master/tools/server/README.md", lambda body: None),
    Probed(
        "llama_cpp.server", f"{LLAMA_CPP}/issues/23463", _llama_cpp_python, shape="json", probes=3
    ),
    Probed(
        "llama.cpp of 2025-02", f"{LLAMA_CPP}/issues/11847", _llama_cpp_grammar, shape="text",
        probes=3,
    ),
    Probed(
        "ik_llama.cpp", "https://github.com/ikawrakow/ik_llama.cpp/issues/778", _ik_llama_cpp,
        shape="json", probes=3,
    ),
    Probed("vLLM", VLLM, lambda body: None),
    Probed("Ollama", OLLAMA, lambda body: None),
    Probed(
        "Ollama, unknown model", "https://mintlify.com/ollama/ollama/api/errors", _ollama_unknown,
        fails="no such address or model: HTTP 404: model 'm' not found", probes=6,
    ),
    Probed("TGI", f"{TGI}/issues/2899", _tgi, shape="text", probes=3),
    Probed(
        "OpenAI reasoning models", "https://github.com/openai/openai-python/issues/2046",
        _openai_reasoning, limit="max_completion_tokens", left_out=("temperature",), probes=3,
    ),
    Probed(
        "OpenAI reasoning models, temperature asked for",
        "https://github.com/leafo/lua-openai/issues/12", _openai_reasoning, probes=3,
        fails="m does not take temperature=0.5 (HTTP 400: Unsupported",
        parameters=("temperature=0.5",),
    ),
    Probed(
        "DeepSeek", "https://github.com/llm-exe/llm-exe/issues/662", _deepseek, shape="json",
        probes=2,
    ),
    Probed(
        "DashScope, thinking models", DASHSCOPE, _dashscope_thinking, probes=6,
        fails="parameter.enable_thinking must be set to false for non-streaming calls",
    ),
    Probed(
        "ModelScope", "https://github.com/modelscope/modelscope/issues/1801", _modelscope,
        shape="json", probes=3,
    ),
    Probed(
        "a FastAPI server that repeats the body",
        "https://fastapi.tiangolo.com/tutorial/handling-errors/", _repeats_the_body, shape="json",
        probes=3,
    ),
    Probed(
        "a gateway that refuses seeds",
        "https://docs.wandb.ai/ja/support/inference/articles/api-error-code-422-invalid-request-"
        "parameters",
        _without_words, probes=7, fails="m does not take seed=4 (HTTP 400: Bad Request)",
        parameters=("seed=4",),
    ),
]  # fmt: skip


@dataclass(frozen=True)
class Replied:
    """One reply, or the first of them, and the row that it becomes."""

    family: str
    case: str
    source: str
    answer: Answer
    text: str | None = None
    reason: str | None = None
    error: str = ""
    again: bool = False
    """Whether the server answers the next attempt."""
    evidence: dict[str, Any] = field(default_factory=dict)


TOM = '{"answer": "Tom", "evidence": "Her brother Tom flew the kite on Sunday."}'

REPLIED = [
    Replied(
        "llama.cpp", "context overflow", f"{LLAMA_CPP}/pull/15780",
        error(
            400, "request (11149 tokens) exceeds the available context size (2048 tokens), try "
            "increasing it", code=400, type="exceed_context_size_error", n_prompt_tokens=11149,
            n_ctx=2048,
        ),
        error="HTTP 400: request (11149 tokens) exceeds the available context size",
    ),
    Replied(
        "llama.cpp", "loading", f"{LLAMA_CPP}/blob/master/tools/server/README.md",
        error(503, "Loading model", code=503, type="unavailable_error"), text="Tom", again=True,
    ),
    Replied(
        "llama_cpp.server", "context overflow",
        "https://github.com/containers/podman-desktop-extension-ai-lab/issues/1074",
        error(
            400, "This model's maximum context length is 2048 tokens. However, you requested 2981 "
            "tokens (2981 in the messages, None in the completion).",
            type="invalid_request_error", code="context_length_exceeded",
        ),
        error="HTTP 400: This model's maximum context length is 2048 tokens.",
    ),
    Replied(
        "vLLM", "context overflow", "https://github.com/harbor-framework/harbor/pull/996",
        error(
            400, "You passed 1015 input tokens and requested 10 output tokens. However, the "
            "model's context length is only 1024 tokens", type="BadRequestError", code=400,
        ),
        error="HTTP 400: You passed 1015 input tokens",
    ),
    Replied(
        "vLLM before 0.8", "context overflow",
        "https://huggingface.co/lmsys/vicuna-13b-v1.5-16k/discussions/8",
        Misdeed(400, json.dumps({
            "object": "error", "message": "This model's maximum context length is 4096 tokens.",
            "type": "invalid_request_error", "param": None, "code": None,
        }).encode()),
        error="HTTP 400: This model's maximum context length is 4096 tokens.",
    ),
    Replied(
        "vLLM", "reasoning", VLLM,
        Misdeed(200, json.dumps({"choices": [{"finish_reason": "stop", "message": {
            "role": "assistant", "reasoning": "Who flew it?", "content": TOM, "refusal": None,
        }}], "usage": {"prompt_tokens": 9, "completion_tokens": 9, "prompt_tokens_details": None},
        }).encode()),
        text="Tom",
    ),
    Replied(
        "vLLM before 0.11", "reasoning cut off",
        "https://docs.vllm.ai/en/v0.8.3/features/reasoning_outputs.html",
        Says(None, finish="length", reasoning="Let me think"), text="",
        reason="cut off while reasoning",
    ),
    Replied(
        "Ollama", "reasoning", OLLAMA,
        Misdeed(200, json.dumps({"choices": [{"finish_reason": "stop", "message": {
            "role": "assistant", "content": "", "reasoning": "It was Tom."}}]}).encode()),
        text="", reason="reasoning only",
    ),
    Replied(
        "TGI", "context overflow",
        "https://www.huggingface.co/spaces/agents-course/Unit_3_Agentic_RAG/discussions/2",
        Misdeed(422, json.dumps({
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32768. "
            "Given: 71508 `inputs` tokens and 0 `max_new_tokens`", "error_type": "validation",
        }).encode()),
        error="HTTP 422: Input validation error: `inputs` tokens + `max_new_tokens`",
    ),
    Replied(
        "TGI", "overloaded", "https://huggingface.github.io/text-generation-inference/",
        Misdeed(429, b'{"error": "Model is overloaded", "error_type": "overloaded"}'),
        text="Tom", again=True,
    ),
    Replied(
        "OpenAI", "refusal", "https://platform.openai.com/docs/guides/structured-outputs/refusals",
        Says(None, refusal="I'm sorry, I cannot assist with that request."), text="",
        reason="refused", evidence={"said": "I'm sorry, I cannot assist with that request."},
    ),
    Replied(
        "OpenAI", "rate limit", "https://platform.openai.com/docs/guides/error-codes",
        Misdeed(
            429, b'{"error": {"message": "Rate limit reached for m on requests per min (RPM)", '
            b'"type": "requests", "code": "rate_limit_exceeded"}}', {"Retry-After": "0"},
        ),
        text="Tom", again=True,
    ),
    Replied(
        "OpenAI", "cut off", "https://platform.openai.com/docs/api-reference/chat/object",
        Says('{"answer": "Tom", "evid', finish="length"), text="Tom",
        evidence={"reason": "cut off"},
    ),
    Replied(
        "Azure", "filtered prompt", AZURE,
        error(
            400, "The response was filtered due to the prompt triggering Azure OpenAI's content "
            "management policy.", type=None, code="content_filter", status=400,
            innererror={"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}},
        ),
        text="", reason="refused",
    ),
    Replied("Azure", "filtered reply", AZURE, Says("", finish="content_filter"), text="",
            reason="refused"),
    Replied(
        "DeepSeek", "content risk", "https://github.com/666ghj/BettaFish/issues/108",
        error(400, "Content Exists Risk", type="invalid_request_error",
              code="invalid_request_error"),
        text="", reason="refused", evidence={"said": "Content Exists Risk"},
    ),
    Replied(
        "DeepSeek of 2024", "content risk", "https://github.com/deepseek-ai/DeepSeek-V2/issues/30",
        Misdeed(400, b'{"detail": "Content Exists Risk"}'), text="", reason="refused",
    ),
    Replied(
        "DeepSeek", "no resources", f"{DEEPSEEK}/api/create-chat-completion",
        Says('{"ans', finish="insufficient_system_resource"), text="Tom", again=True,
    ),
    Replied(
        "DeepSeek", "overloaded", f"{DEEPSEEK}/quick_start/error_codes",
        error(503, "Server overloaded", type="server_error"), text="Tom", again=True,
    ),
    Replied(
        "DeepSeek", "usage with cache hits", f"{DEEPSEEK}/api/create-chat-completion",
        Says(TOM, usage={"prompt_tokens": 12, "completion_tokens": 3, "prompt_cache_hit_tokens": 8,
                         "prompt_cache_miss_tokens": 4}),
        text="Tom",
    ),
    Replied(
        "DashScope", "inspection", DASHSCOPE,
        error(400, "Input data may contain inappropriate content.", type="data_inspection_failed",
              code="data_inspection_failed"),
        text="", reason="refused",
    ),
    Replied(
        "DashScope", "throttled", DASHSCOPE,
        error(429, "Requests rate limit exceeded, please try again later.",
              type="limit_requests", code="limit_requests"),
        text="Tom", again=True,
    ),
]  # fmt: skip
