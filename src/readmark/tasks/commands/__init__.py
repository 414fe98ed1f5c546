"""The commands of `readmark task`."""
