"""Classic readability formulas for English, a documented index for Chinese, and their counts."""
