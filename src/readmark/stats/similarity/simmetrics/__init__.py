"""The measures as SimMetrics 1 computes them, quirks included, for figures made with it.

Written from the behaviour of the library, "SimMetrics - a Java library of Similarity or Distance
Metrics" (Sam Chapman, University of Sheffield). Where it divides nothing by nothing, two texts
without tokens are equal here, and in measures of sets a text with tokens is unlike one without; the
others have the library's number there, which is not always 0. Characters are code points; the
library's are UTF-16 units, which differ outside the Basic Multilingual Plane.
"""
