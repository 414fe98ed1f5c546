"""What a hall computes for the reading tasks that programs use: no database, no HTTP."""
