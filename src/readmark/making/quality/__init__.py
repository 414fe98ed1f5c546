"""Signs of careless work, for somebody to look at: nothing is left out because of one."""
