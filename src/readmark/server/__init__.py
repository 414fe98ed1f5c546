"""The exam hall: people write, mark and answer in the browser."""
