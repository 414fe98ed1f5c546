"""The logs that evaluation harnesses keep of every sample, read as sittings."""
