"""brat standoff: texts and annotation files side by side."""
