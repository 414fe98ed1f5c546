"""Two annotators' layers side by side: where they differ, what was decided, one gold."""
