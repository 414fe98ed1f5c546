"""What rewriting does to what comes after it: retrieval, and reading what was retrieved.

The document on TREC question series names it as future work: "the effect of question reformulation
... upon the performance of downstream components in the QA system, such as document retrieval".
"""
