"""A stand-in for a language model: a chat endpoint that answers with a sentence of the passage.

It chooses the sentence that shares most words with the question; nothing of it is learned.
Run: python stand_in.py. The address is written to stand_in.url; remove that file to end it.
"""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ADDRESS = Path("stand_in.url")
FENCED = re.compile(r"--- (\w+)\n(.*?)\n--- \1", re.DOTALL)
WORD = re.compile(r"[a-z]{3,}|[\u4e00-\u9fff]", re.IGNORECASE)


def answer(asked: str) -> str:
    """The likeliest sentence, as the prompt wants it."""
    passage, question, *_ = (*(found[2] for found in FENCED.finditer(asked)), "", "")
    asked_for = set(WORD.findall(question.lower()))
    sentences = [one.strip() for one in re.split(r"(?<=[.!?。！？])", passage) if one.strip()]

    def shared(sentence: str) -> int:
        return len(asked_for & set(WORD.findall(sentence.lower())))

    best = max(sentences, key=shared, default="")
    return json.dumps({"answer": best.rstrip(".!?。！？"), "evidence": best}, ensure_ascii=False)


class Handler(BaseHTTPRequestHandler):
    """Speaks the protocol, as little of it as there is need for."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = answer(body["messages"][-1]["content"])
        sent = sum(len(WORD.findall(one["content"])) for one in body["messages"])
        reply = {
            "model": body["model"],
            "choices": [
                {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": sent, "completion_tokens": len(WORD.findall(said))},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    """Serve until the file with the address is gone, an hour at the most."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ADDRESS.write_text(f"http://127.0.0.1:{server.server_address[1]}/v1\n")
    end = time.monotonic() + 3600
    while ADDRESS.exists() and time.monotonic() < end:
        time.sleep(0.2)
    server.shutdown()


if __name__ == "__main__":
    main()
