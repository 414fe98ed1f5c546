"""Questions on raw passages, asked by a small network that learnt it from people's questions."""
