"""Reading comprehension: questions on a passage, its formats, readers and metrics."""
