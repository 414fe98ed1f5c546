"""Reading-task services: tasks that programs retrieve, reason over and answer, and their log."""
