"""``readmark run``: the tests and candidates of a run file, sat, marked, compared and shown."""
