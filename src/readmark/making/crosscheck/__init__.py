"""Two annotators' layers beside each other: where they differ, what was decided, one gold."""
