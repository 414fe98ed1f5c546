"""The kinds of work that people do in the hall: one module each."""
