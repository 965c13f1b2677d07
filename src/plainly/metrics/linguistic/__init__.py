"""Linguistic features: one number a text or a pair of texts, most of them from a parse.

`table` declares them all, one entry each; `metric` makes a metric of every entry.
"""
