"""TREC CAsT, 2019 to 2022: conversations as series, with manual and automatic rewrites."""
