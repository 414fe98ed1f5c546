"""Plots as inline SVG, drawn by matplotlib and freed of its fonts, colours and dates.

matplotlib is the heaviest part of the base and is loaded only when a report is written. Lighter
libraries were looked at: they draw no intervals, or bring a style and a script of their own.
"""
