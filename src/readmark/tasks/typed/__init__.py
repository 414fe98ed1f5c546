"""What people type as answers to queries: values by their datatype, entities by their words."""
