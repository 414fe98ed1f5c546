"""The board of a shared task: made from marks, stored in versions, shown through filters."""
