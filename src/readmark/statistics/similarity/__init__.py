"""How alike two short texts are: the measures of the question series document, from 0 to 1."""
