"""Golds of question series: a sheet for each person who rewrites, and their golds merged."""
