"""The client of exam halls: shared tasks, submissions and reading-task services over HTTP."""
