"""The commands of `readmark series`."""
