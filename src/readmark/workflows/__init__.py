"""Where the verbs meet: the public Python API and the jobs behind the commands."""
