"""Language models behind a chat endpoint: what the llm candidate and the judge metric call."""
